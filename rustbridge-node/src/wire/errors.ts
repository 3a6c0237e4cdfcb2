// Errors of encoding and decoding messages.

/** The largest size of a message in bytes. */
export const MAX_BYTES = 2 ** 31 - 9;

/** How deep values of varying size may be nested. */
export const MAX_DEPTH = 128;

/** The number of a variant of an open enum that a client doesn't know. It's only read. */
export const UNKNOWN_VARIANT = 65535;

/**
 * The kind of failure: malformed bytes; a value that can't be encoded; a message that's too large; a value that's
 * nested too deep.
 */
export type WireErrorKind = 'malformed' | 'unfit' | 'large' | 'deep';

/** An error of encoding or decoding a message. */
export class WireError extends Error {
  readonly kind: WireErrorKind;
  /** The byte at which it was found, counted from 0. */
  readonly at: number;
  /** What was found there, and what was expected. */
  readonly what: string;
  /** Which of several values that begin there is meant: the innermost, the outermost whose type has a name, or the last array or tuple. */
  readonly part: 'value' | 'record' | 'array';

  constructor(kind: WireErrorKind, at: number, what: string, part: WireError['part'] = 'value') {
    super(kind === 'malformed' ? `byte ${at}: ${what}` : what);
    this.kind = kind;
    this.at = at;
    this.what = what;
    this.part = part;
  }

  /** Returns the same error for a key of a map. */
  ofKey(key: string): WireError {
    return new WireError(this.kind, this.at, `the key ${key}: ${this.what}`, this.part);
  }
}

Object.defineProperty(WireError.prototype, 'name', { value: 'WireError', configurable: true });
