// The asynchronous contexts of calls, for the services that plugins call.
//
// A call of an instance with services keeps its caller's context under a number, and the call carries the number. The
// core passes the number to each service that the plugin calls meanwhile. A blocking call needs no number, because its
// services run on the caller's own stack.

import { AsyncResource } from 'node:async_hooks';
import type { Method } from './method.js';
import { type Header, NOTHING } from './native.js';

/** The contexts of the calls that haven't ended; those of streams are kept by their streams. Numbers aren't used again. */
const kept = new Map<number, AsyncResource | WeakRef<AsyncResource>>();
const ofStreams = new WeakMap<object, AsyncResource>();
let last = 0;

// `AsyncLocalStorage.snapshot()` does the same, and takes several hundred times as long in Node 20.
const MANUALLY = { requireManualDestroy: true };

/** @internal Keeps the caller's context for a call that begins; its number, or 0 if no service can be called for it. */
export function keepContext(method: Method): number {
  if (!method._isServed) {
    return 0;
  }
  last += 1;
  kept.set(last, new AsyncResource('rustbridge.call', MANUALLY));
  return last;
}

/**
 * @internal Has a stream alone keep the context of its call. A stream that is dropped is collected even if its own context refers to it,
 * and its call is given up then.
 */
export function keepByStream(stream: object, number: number): void {
  const context = contextOf(number);
  if (context !== undefined) {
    ofStreams.set(stream, context);
    kept.set(number, new WeakRef(context));
  }
}

/** @internal Has a stream that is over keep its context no longer. */
export function leaveStream(stream: object): void {
  ofStreams.delete(stream);
}

/** @internal Forgets the context of a call that has ended. */
export function forgetContext(number: number): void {
  const context = contextOf(number);
  kept.delete(number);
  context?.emitDestroy();
}

function contextOf(number: number): AsyncResource | undefined {
  const context = kept.get(number);
  return context instanceof WeakRef ? context.deref() : context;
}

/** @internal The header of a call, with the number of its caller's context. */
export function numbered(header: Header | undefined, number: number): Header | undefined {
  if (number === 0) {
    return header;
  }
  const whole: Header = header ?? [...NOTHING];
  whole[6] = number;
  return whole;
}

/** @internal Runs a service's function in the context of the call that it's called for, if that is known. */
export function inContext<T>(number: number | undefined, run: () => T): T {
  const context = number === undefined ? undefined : contextOf(number);
  return context === undefined ? run() : context.runInAsyncScope(run);
}

/** @internal How many contexts are kept, for tests. */
export function keptContexts(): number {
  return kept.size;
}
