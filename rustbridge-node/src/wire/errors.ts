// Why a message can't be written or read.

/** The most bytes that a message has. */
export const MAX_BYTES = 2 ** 31 - 9;

/** How many values of varying size may lie in each other. */
export const MAX_DEPTH = 128;

/** The number of a variant that a client doesn't know, of an open enum. It's only read. */
export const UNKNOWN_VARIANT = 65535;

/** What kind of failure it is: bytes that aren't of their type; a value that has no form; a message that's too large; one nested too deep. */
export type WireErrorKind = 'malformed' | 'unfit' | 'large' | 'deep';

/** Why a message can't be written or read. */
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

  /** The same error of a key of a map. */
  ofKey(key: string): WireError {
    return new WireError(this.kind, this.at, `the key ${key}: ${this.what}`, this.part);
  }
}

Object.defineProperty(WireError.prototype, 'name', { value: 'WireError', configurable: true });
