// Reads one message.

import { isDecimal } from './decimal.js';
import { MAX_DEPTH, UNKNOWN_VARIANT, WireError } from './errors.js';

/** How long a text is at most that is read letter by letter: what is longer is quicker by the decoder. */
const SHORT = 24;

const SECOND = 1_000_000_000n;
const NANOSECONDS = 1_000_000_000;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Two digits for each byte. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Reads one message. A message that doesn't match its type is a {@link WireError}. The values that are read don't refer
 * to the message's memory.
 */
export class Reader {
  /** What the message is of, if what reads its values asks for that. */
  readonly beside: unknown;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** How many bytes the message has: it may lie in more memory. */
  readonly #end: number;
  #at = 0;
  #depth = 0;

  constructor(
    bytes: Uint8Array,
    beside?: unknown,
    end = bytes.length,
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ) {
    this.beside = beside;
    this.#bytes = bytes;
    this.#view = view;
    this.#end = end;
  }

  /** How many bytes have been read. */
  get at(): number {
    return this.#at;
  }

  /** Throws if bytes are left after the message. */
  end(): void {
    if (this.#at !== this.#end) {
      this.fail(this.#at, `${this.#end - this.#at} bytes are left after the value`);
    }
  }

  /** Throws the error for a message: what was found at a byte. */
  fail(at: number, what: string): never {
    throw new WireError('malformed', at, what);
  }

  #take(count: number): number {
    const at = this.#at;
    if (count > this.#end - at) {
      this.fail(at, `expected ${count} bytes, but only ${this.#end - at} are left`);
    }
    this.#at = at + count;
    return at;
  }

  /** A byte, whatever it is. */
  u8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  bool(): boolean {
    const at = this.#take(1);
    const value = this.#bytes[at] as number;
    if (value > 1) {
      this.fail(at, `expected 0 or 1, found ${value}`);
    }
    return value === 1;
  }

  i8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  u128(): bigint {
    const at = this.#take(16);
    return (this.#view.getBigUint64(at + 8, true) << 64n) | this.#view.getBigUint64(at, true);
  }

  i128(): bigint {
    const at = this.#take(16);
    return (this.#view.getBigInt64(at + 8, true) << 64n) | this.#view.getBigUint64(at, true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Reads a text of one character. */
  char(): string {
    const at = this.#take(4);
    const value = this.#view.getUint32(at, true);
    if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
      this.fail(at, `0x${value.toString(16)} isn't a character`);
    }
    return String.fromCodePoint(value);
  }

  text(): string {
    const count = this.count(1);
    const start = this.#at;
    const bytes = this.#bytes;
    this.#at = start + count;
    if (count <= SHORT) {
      let text = '';
      let at = start;
      for (; at < this.#at; at++) {
        const letter = bytes[at] as number;
        if (letter > 0x7f) {
          break;
        }
        text += String.fromCharCode(letter);
      }
      if (at === this.#at) {
        return text;
      }
    }
    try {
      return decoder.decode(bytes.subarray(start, this.#at));
    } catch {
      return this.fail(start, "text isn't UTF-8");
    }
  }

  /** Reads the text of a raw message, which fills the whole message. */
  restText(): string {
    const start = this.#at;
    this.#at = this.#end;
    try {
      return decoder.decode(this.#bytes.subarray(start, this.#end));
    } catch {
      return this.fail(start, "text isn't UTF-8");
    }
  }

  /** Reads the bytes of a raw message. The result has its own memory. */
  rest(): Uint8Array {
    const start = this.#at;
    this.#at = this.#end;
    return this.#bytes.slice(start, this.#end);
  }

  /** Reads bytes. The result has its own memory. */
  blob(): Uint8Array {
    const count = this.count(1);
    const at = this.#take(count);
    return this.#bytes.slice(at, this.#at);
  }

  /** Reads `size` bytes. The result is a buffer of its own. */
  memory(size: number): ArrayBuffer {
    const at = this.#take(size);
    const memory = new Uint8Array(size);
    memory.set(this.#bytes.subarray(at, at + size));
    return memory.buffer;
  }

  /** Reads a point in time: nanoseconds since 1970-01-01T00:00:00Z. */
  timestamp(): bigint {
    const seconds = this.i64();
    return seconds * SECOND + this.#nanoseconds();
  }

  /** Reads a span of time in nanoseconds. */
  duration(): bigint {
    const seconds = this.u64();
    return seconds * SECOND + this.#nanoseconds();
  }

  #nanoseconds(): bigint {
    const at = this.#take(4);
    const value = this.#view.getUint32(at, true);
    if (value >= NANOSECONDS) {
      this.fail(at, `expected less than 1000000000 nanoseconds, found ${value}`);
    }
    return BigInt(value);
  }

  /** Reads the text of a decimal number. */
  decimal(): string {
    const at = this.#at;
    const text = this.text();
    if (!isDecimal(text)) {
      this.fail(at, `${JSON.stringify(text.slice(0, 40))} isn't a decimal number`);
    }
    return text;
  }

  /** Reads a UUID in its text form. */
  uuid(): string {
    const at = this.#take(16);
    let text = '';
    for (let place = 0; place < 16; place++) {
      text += DIGITS[this.#bytes[at + place] as number];
      if (place === 3 || place === 5 || place === 7 || place === 9) {
        text += '-';
      }
    }
    return text;
  }

  /** Reads the number of an enum's variant, below `count`; for an open enum also {@link UNKNOWN_VARIANT}. */
  variant(count: number, isOpen = false): number {
    const at = this.#take(2);
    const value = this.#view.getUint16(at, true);
    if (value >= count && !(isOpen && value === UNKNOWN_VARIANT)) {
      this.fail(at, `there's no variant ${value}`);
    }
    return value;
  }

  /** Reads the number of items or pairs. Each has at least `least` bytes. */
  count(least: number): number {
    const at = this.#take(4);
    const value = this.#view.getUint32(at, true);
    const left = this.#end - this.#at;
    if (value * least > left) {
      this.fail(at, `expected ${value} items, but only ${left} bytes are left`);
    }
    return value;
  }

  /** Throws if the message has too few bytes left for an array's items. */
  checkLeft(size: number): void {
    const left = this.#end - this.#at;
    if (size > left) {
      this.fail(this.#at, `expected ${size} bytes, but only ${left} are left`);
    }
  }

  /** Reads zeros up to the next multiple of 8. */
  align(): void {
    for (let at = this.#take(-this.#at & 7); at < this.#at; at++) {
      if (this.#bytes[at] !== 0) {
        this.fail(at, "padding isn't zero");
      }
    }
  }

  /** Enters a value that may contain others of its kind. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      this.fail(this.#at, `the value is nested deeper than ${MAX_DEPTH} levels, the limit of a message`);
    }
  }

  /** Leaves such a value. */
  leave(): void {
    this.#depth -= 1;
  }
}
