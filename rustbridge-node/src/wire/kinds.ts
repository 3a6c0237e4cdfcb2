// The interface of codecs.

import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

/** Encodes and decodes a type. */
export interface Codec<T> {
  /** The fewest bytes that a value takes. */
  readonly least: number;
  /** Writes a value, or throws a `WireError`. */
  write(w: Writer, value: T): void;
  /** Reads a value, or throws a `WireError`. */
  read(r: Reader): T;
}
