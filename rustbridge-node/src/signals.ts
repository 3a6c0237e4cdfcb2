// Abort signals of calls.

import type { CallOptions } from './options.js';

/**
 * The pending calls of one signal, behind a single listener: Node warns about more than ten listeners. The listener is removed with the last
 * pending call.
 */
class PendingCalls {
  readonly #signal: AbortSignal;
  readonly #all = new Set<() => void>();
  readonly #run = () => {
    const all = [...this.#all];
    // The signal may live on: it must not keep cancelled calls alive.
    this.#all.clear();
    pendingCalls.delete(this.#signal);
    for (const cancel of all) {
      cancel();
    }
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#run, { once: true });
  }

  add(cancel: () => void): void {
    this.#all.add(cancel);
  }

  delete(cancel: () => void): void {
    if (this.#all.delete(cancel) && this.#all.size === 0) {
      this.#signal.removeEventListener('abort', this.#run);
      pendingCalls.delete(this.#signal);
    }
  }
}

const pendingCalls = new WeakMap<AbortSignal, PendingCalls>();

/** Reports whether a value can be used as an `AbortSignal`. Another realm, such as jsdom, has a class of its own. */
function isSignal(value: unknown): value is AbortSignal {
  const { aborted, addEventListener, removeEventListener } = Object(value) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function';
}

/** @internal Returns the signal in call options. Throws before the call starts if it isn't one: an error after that would be uncaught. */
export function signalOf(options: CallOptions | undefined): AbortSignal | undefined {
  const signal: unknown = options?.signal;
  if (signal === undefined || signal === null) {
    return undefined;
  }
  if (!isSignal(signal)) {
    const hint = signal instanceof AbortController ? ': pass the `signal` of the AbortController' : '';
    throw new TypeError(`the option \`signal\` isn't an AbortSignal${hint}`);
  }
  return signal;
}

/** @internal Registers a function to run once if the signal aborts. Returns a function that removes it. */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  const pending = pendingCalls.get(signal) ?? new PendingCalls(signal);
  pendingCalls.set(signal, pending);
  pending.add(cancel);
  return () => pending.delete(cancel);
}
