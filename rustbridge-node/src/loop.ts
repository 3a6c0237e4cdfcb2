// The pending calls of this loop, and their listeners.

import { errorOf } from './errors.js';
import { type Beside, native, type RecordFields } from './native.js';

/** @internal Receives the events of one asynchronous call. */
export interface Listener {
  done(status: number, payload: string | Uint8Array, trailers: Uint8Array | undefined, objects: bigint[] | undefined): void;
  items?(items: (string | Uint8Array)[], size: number, objects: bigint[] | undefined): void;
  demand?(items: number, bytes: number): void;
  headers?(headers: Uint8Array): void;
}

/** @internal Those of pending operations, by the addon's small numbers. */
export const listeners: (Listener | undefined)[] = [];

interface Waiter {
  resolve(payload: string): void;
  reject(error: Error): void;
}

const waiting: (Waiter | undefined)[] = [];

/** @internal Waits for what the addon does on a thread, and gives what that says. The loop stays alive until then. */
export function onThread(begin: (number: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let number = waiting.indexOf(undefined);
    if (number < 0) {
      number = waiting.length;
    }
    waiting[number] = { resolve, reject };
    try {
      begin(number);
    } catch (error) {
      waiting[number] = undefined;
      throw error;
    }
    native.hold(true);
  });
}

/** @internal Who else is told: services, and sinks. Set where they are. */
export const hooks: {
  ask: (
    call: bigint | undefined,
    service: number,
    beside: Beside | undefined,
    request: string | Uint8Array,
  ) => [number, string | Uint8Array] | undefined;
  forget: (call: bigint) => void;
  record: (sink: number, fields: RecordFields) => void;
} = {
  ask: () => undefined,
  forget: () => undefined,
  record: () => undefined,
};

/** @internal Releases objects that no one receives. */
export function release(objects: readonly bigint[] | undefined): void {
  if (objects !== undefined) {
    for (const object of objects) {
      native.release(object);
    }
  }
}

native.begin([
  errorOf,
  (token, status, payload, trailers, objects) => {
    const listener = listeners[token];
    listeners[token] = undefined;
    if (listener === undefined) {
      release(objects);
    } else {
      listener.done(status, payload, trailers, objects);
    }
  },
  (token, items, size, objects) => {
    const listener = listeners[token];
    if (listener?.items === undefined) {
      release(objects);
    } else {
      listener.items(items, size, objects);
    }
  },
  (token, items, bytes) => listeners[token]?.demand?.(items, bytes),
  (call, service, beside, request) => hooks.ask(call, service, beside, request),
  (call) => hooks.forget(call),
  (sink, fields) => hooks.record(sink, fields),
  (number, status, payload) => {
    const one = waiting[number];
    waiting[number] = undefined;
    native.hold(false);
    if (status === 0) {
      one?.resolve(payload);
    } else {
      one?.reject(errorOf(status, payload));
    }
  },
  (token, headers) => listeners[token]?.headers?.(headers),
]);
