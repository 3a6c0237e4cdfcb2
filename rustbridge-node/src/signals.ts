// Signals that end calls early.

import type { CallOptions } from './options.js';

/** What a signal ends, by one listener of its own: Node warns of more than ten. It's there as long as there's something to end. */
class Ends {
  readonly #signal: AbortSignal;
  readonly #all = new Set<() => void>();
  readonly #run = () => {
    for (const one of this.#all) {
      one();
    }
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#run, { once: true });
  }

  add(run: () => void): void {
    this.#all.add(run);
  }

  delete(run: () => void): void {
    this.#all.delete(run);
    if (this.#all.size === 0) {
      this.#signal.removeEventListener('abort', this.#run);
      ends.delete(this.#signal);
    }
  }
}

const ends = new WeakMap<AbortSignal, Ends>();

/** @internal The signal of options, which is checked before anything is begun: what fails afterwards would have nobody to be told to. */
export function signalOf(options: CallOptions | undefined): AbortSignal | undefined {
  const signal: unknown = options?.signal;
  if (signal === undefined || signal === null) {
    return undefined;
  }
  if (!(signal instanceof AbortSignal)) {
    const hint = signal instanceof AbortController ? ': an AbortController has one as its `signal`' : '';
    throw new TypeError(`the option \`signal\` is no AbortSignal${hint}`);
  }
  return signal;
}

/** @internal Has a signal run something once; what's returned has it forget that. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let all = ends.get(signal);
  if (all === undefined) {
    all = new Ends(signal);
    ends.set(signal, all);
  }
  const those = all;
  those.add(run);
  return () => those.delete(run);
}
