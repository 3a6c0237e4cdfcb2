// Errors of typed calls.

import { RustbridgeError } from '../errors.js';
import { locate, type Side } from '../wire/clientSchema.js';
import { WireError } from '../wire/errors.js';
import type { Codec } from '../wire/kinds.js';
import { Reader } from '../wire/reader.js';

/** A call's error with a type. A client has a class of its own for each type. */
export class Failure<T> extends RustbridgeError {
  /** The error, with its fields. */
  readonly reason: T;

  constructor(cause: RustbridgeError, reason: T) {
    if (!(cause instanceof RustbridgeError)) {
      const { name } = new.target;
      throw new TypeError(
        `new ${name}: the error of a call is expected, not ${cause === null ? 'null' : typeof cause}: use ${name}.of(reason, message)`,
      );
    }
    const isRecord = typeof reason === 'object' && reason !== null;
    // What comes with its type has its fields in that alone.
    const details = isRecord && Object.keys(cause.details).length === 0 ? { ...(reason as Record<string, unknown>) } : cause.details;
    super(cause.code, cause.message, { type: cause.type, details, cause });
    this.reason = reason;
  }

  /**
   * Returns an error for a service to throw. The plugin gets the reason, and declares the status. If the message is empty,
   * the plugin gets the name of the error's type instead.
   */
  static of<T, F extends Failure<T>>(this: new (cause: RustbridgeError, reason: T) => F, reason: T, message = ''): F {
    return new this(new RustbridgeError('UNKNOWN', message), reason);
  }
}

Object.defineProperty(Failure.prototype, 'name', {
  get(this: Failure<unknown>) {
    return this.constructor.name;
  },
  configurable: true,
});

/** Creates an error from one with a type. */
export type Raise = (cause: RustbridgeError, value: Uint8Array) => Error;

/** Returns a function that creates errors of a class. */
export function fails<T>(kind: new (cause: RustbridgeError, reason: T) => Failure<T>, codec: Codec<T>): Raise {
  return (cause, value) => {
    const r = new Reader(value);
    const reason = codec.read(r);
    r.end();
    return new kind(cause, reason);
  };
}

/** Returns a call's error, with its type if it has one. */
export function failed(error: unknown, raise: Raise | undefined): unknown {
  if (raise === undefined || !(error instanceof RustbridgeError) || error.value === undefined) {
    return error;
  }
  try {
    return raise(error, error.value);
  } catch (cause) {
    // It's told without its type, and what it couldn't be read for.
    const { code, message, type, details } = error;
    return new RustbridgeError(code, message, { type, details, cause });
  }
}

/** Returns the error for a value that can't be encoded. */
export function unfit(error: unknown, clientSchema: string, side: Side, first: string, written: Uint8Array): unknown {
  if (!(error instanceof WireError)) {
    return error;
  }
  const message = `${side.name}: ${locate(clientSchema, error, side, first, written)}: ${error.what}`;
  switch (error.kind) {
    case 'large':
      return new RustbridgeError('RESOURCE_EXHAUSTED', message, { type: 'rustbridge.InvalidRequest', cause: error });
    case 'deep':
      return new RustbridgeError('INVALID_ARGUMENT', message, { type: 'rustbridge.InvalidRequest', cause: error });
    default:
      return new TypeError(message, { cause: error });
  }
}

/** Returns the error for a received message that doesn't match its type. */
export function wrong(error: unknown, clientSchema: string, side: Side, message: Uint8Array): unknown {
  if (!(error instanceof WireError)) {
    return error;
  }
  const isAsked = side.kind === 'services';
  const path = locate(clientSchema, error, side, side.which, message);
  const text = `${side.name}: the plugin's ${isAsked ? 'request' : 'response'} doesn't match its type: ${error.message} (${path})`;
  return new RustbridgeError(isAsked ? 'INVALID_ARGUMENT' : 'INTERNAL', text, {
    type: isAsked ? 'rustbridge.InvalidRequest' : 'rustbridge.InvalidResponse',
    cause: error,
  });
}
