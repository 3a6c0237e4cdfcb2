// Writes one message.

import { isDecimal } from './decimal.js';
import { MAX_BYTES, MAX_DEPTH, UNKNOWN_VARIANT, WireError } from './errors.js';

/** How long a text is at most that is written letter by letter: what is longer is quicker by the encoder. */
const SHORT = 40;

/** How many bytes a letter of JavaScript's takes at most. */
const PER_LETTER = 3;

const SECOND = 1_000_000_000n;
const FIRST_SECOND = -(2n ** 63n);
const encoder = new TextEncoder();

/** @internal What an error message calls a value. */
export function named(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}

/** Writes one message. A value that can't be written is a {@link WireError}. */
export class Writer {
  /** What the message is for, if what writes its values asks for that. */
  beside: unknown;
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;
  #depth = 0;
  /** What was given last: making a view costs more than a short message. */
  #last: Uint8Array | undefined;

  constructor(room = 1024) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Starts another message in the same memory. */
  reset(beside: unknown): void {
    this.beside = beside;
    this.#at = 0;
    this.#depth = 0;
  }

  /** What has been written: the writer's own memory, up to the next reset. */
  get bytes(): Uint8Array {
    if (this.#last?.length !== this.#at || this.#last.buffer !== this.#bytes.buffer) {
      this.#last = this.#bytes.subarray(0, this.#at);
    }
    return this.#last;
  }

  /** How many bytes the writer's memory has. */
  get room(): number {
    return this.#bytes.length;
  }

  /** Throws the error for the next value. */
  fail(what: string): never {
    throw new WireError('unfit', this.#at, what);
  }

  /** Throws if an array or a tuple has another length than its type. */
  checkLength(value: { length: number }, length: number): void {
    if (value.length !== length) {
      throw new WireError('unfit', this.#at, `${length} items are expected, not ${value.length}`, 'array');
    }
  }

  /** Throws the error for a value of another kind than its type. */
  expected(what: string, value: unknown): never {
    this.fail(`${what} is expected, not ${named(value)}`);
  }

  /** The same, for a type whose values are texts of one form. The message shows the text. */
  malformed(what: string, value: unknown): never {
    if (typeof value === 'string') {
      this.fail(`${what} is expected, not ${JSON.stringify(value.length > SHORT ? `${value.slice(0, SHORT)}...` : value)}`);
    }
    this.expected(what, value);
  }

  /** Makes room, and gives its place. The memory may be another one afterwards, so it's looked at behind this. */
  #reserve(count: number): number {
    const at = this.#at;
    if (count > this.#bytes.length - at) {
      this.#grow(count);
    }
    this.#at = at + count;
    return at;
  }

  #grow(count: number): void {
    const needed = this.#at + count;
    if (needed > MAX_BYTES) {
      throw new WireError('large', this.#at, `the message exceeds the limit of ${MAX_BYTES} bytes`);
    }
    const larger = new Uint8Array(Math.min(Math.max(needed, 2 * this.#bytes.length), MAX_BYTES));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  bool(value: boolean): void {
    if (typeof value !== 'boolean') {
      this.expected('a boolean', value);
    }
    const at = this.#reserve(1);
    this.#bytes[at] = value ? 1 : 0;
  }

  /** Writes whether an optional value is present, and returns it. */
  present(value: boolean): boolean {
    const at = this.#reserve(1);
    this.#bytes[at] = value ? 1 : 0;
    return value;
  }

  /** Writes a byte without a check. */
  byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  u8(value: number): void {
    if ((value & 0xff) !== value) {
      this.expected('an integer from 0 to 255', value);
    }
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  i8(value: number): void {
    if ((value << 24) >> 24 !== value) {
      this.expected('an integer from -128 to 127', value);
    }
    const at = this.#reserve(1);
    this.#view.setInt8(at, value);
  }

  u16(value: number): void {
    if ((value & 0xffff) !== value) {
      this.expected('an integer from 0 to 65535', value);
    }
    const at = this.#reserve(2);
    this.#view.setUint16(at, value, true);
  }

  i16(value: number): void {
    if ((value << 16) >> 16 !== value) {
      this.expected('an integer from -32768 to 32767', value);
    }
    const at = this.#reserve(2);
    this.#view.setInt16(at, value, true);
  }

  u32(value: number): void {
    if (value >>> 0 !== value) {
      this.expected('an integer from 0 to 4294967295', value);
    }
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  i32(value: number): void {
    if ((value | 0) !== value) {
      this.expected('an integer from -2147483648 to 2147483647', value);
    }
    const at = this.#reserve(4);
    this.#view.setInt32(at, value, true);
  }

  u64(value: bigint): void {
    if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value) {
      this.expected('a bigint from 0 to 2 ** 64 - 1', value);
    }
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
  }

  i64(value: bigint): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) {
      this.expected('a bigint from -(2 ** 63) to 2 ** 63 - 1', value);
    }
    const at = this.#reserve(8);
    this.#view.setBigInt64(at, value, true);
  }

  u128(value: bigint): void {
    if (typeof value !== 'bigint' || BigInt.asUintN(128, value) !== value) {
      this.expected('a bigint from 0 to 2 ** 128 - 1', value);
    }
    const at = this.#reserve(16);
    this.#view.setBigUint64(at, value, true);
    this.#view.setBigUint64(at + 8, value >> 64n, true);
  }

  i128(value: bigint): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(128, value) !== value) {
      this.expected('a bigint from -(2 ** 127) to 2 ** 127 - 1', value);
    }
    const at = this.#reserve(16);
    this.#view.setBigInt64(at, value, true);
    this.#view.setBigInt64(at + 8, value >> 64n, true);
  }

  f32(value: number): void {
    if (typeof value !== 'number') {
      this.expected('a number', value);
    }
    const at = this.#reserve(4);
    this.#view.setFloat32(at, value, true);
  }

  f64(value: number): void {
    if (typeof value !== 'number') {
      this.expected('a number', value);
    }
    const at = this.#reserve(8);
    this.#view.setFloat64(at, value, true);
  }

  /** Writes a text of one character. */
  char(value: string): void {
    const point = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (point === undefined || value.length !== (point > 0xffff ? 2 : 1)) {
      this.expected('a string of one character', value);
    }
    if (point >= 0xd800 && point <= 0xdfff) {
      this.fail("half of a surrogate pair isn't a character");
    }
    this.u32(point);
  }

  /** Writes text, without lone surrogates. */
  text(value: string): void {
    if (typeof value !== 'string') {
      this.expected('a string', value);
    }
    const { length } = value;
    // Reserved at once: it's never more, and what isn't needed is given back.
    const at = this.#reserve(4 + (length <= SHORT ? length * PER_LETTER : 0));
    const bytes = this.#bytes;
    if (length <= SHORT) {
      let place = 0;
      for (; place < length; place++) {
        const letter = value.charCodeAt(place);
        if (letter > 0x7f) {
          break;
        }
        bytes[at + 4 + place] = letter;
      }
      if (place === length) {
        this.#view.setUint32(at, length, true);
        this.#at = at + 4 + length;
        return;
      }
    }
    this.#at = at;
    this.#encoded(value);
  }

  #encoded(value: string): void {
    // The configured library's types are of before it came; Node has it from 20 on.
    if (!(value as string & { isWellFormed(): boolean }).isWellFormed()) {
      this.fail('text has half of a surrogate pair');
    }
    const start = this.#at;
    let most = value.length * PER_LETTER;
    if (most > 64 * 1024) {
      // What is longer is counted first: memory is offered for it once.
      most = Buffer.byteLength(value);
    }
    const at = this.#reserve(4 + most);
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(at + 4));
    this.#view.setUint32(at, written, true);
    this.#at = start + 4 + written;
  }

  /** Writes the bytes of any view. */
  blob(value: ArrayBufferView): void {
    if (!ArrayBuffer.isView(value)) {
      this.expected('bytes', value);
    }
    const at = this.#counted(value.byteLength);
    this.#view.setUint32(at, value.byteLength, true);
    this.#bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), this.#at);
    this.#at += value.byteLength;
  }

  /** Writes the text of a raw message, which fills the whole message. */
  rawText(value: string): void {
    if (typeof value !== 'string') {
      this.expected('a string', value);
    }
    if (!(value as string & { isWellFormed(): boolean }).isWellFormed()) {
      this.fail('text has half of a surrogate pair');
    }
    const at = this.#reserve(Buffer.byteLength(value));
    encoder.encodeInto(value, this.#bytes.subarray(at));
  }

  /** Writes the bytes of a raw message from any view. */
  rawBlob(value: ArrayBufferView): void {
    if (!ArrayBuffer.isView(value)) {
      this.expected('bytes', value);
    }
    this.memory(value);
  }

  /** Makes room for a count and as many bytes, and gives the count's place. */
  #counted(size: number): number {
    const at = this.#reserve(4 + size);
    this.#at = at + 4;
    return at;
  }

  /** Writes memory unchanged. */
  memory(value: ArrayBufferView): void {
    const at = this.#reserve(value.byteLength);
    this.#bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), at);
  }

  /** Writes a point in time: nanoseconds since 1970-01-01T00:00:00Z. */
  timestamp(value: bigint): void {
    if (typeof value !== 'bigint') {
      const hint = (value as unknown) instanceof Date ? ' (BigInt(date.getTime()) * 1_000_000n)' : '';
      this.expected(`a bigint of nanoseconds since 1970${hint}`, value);
    }
    let nanoseconds = value % SECOND;
    if (nanoseconds < 0n) {
      nanoseconds += SECOND;
    }
    const seconds = (value - nanoseconds) / SECOND;
    if (seconds < FIRST_SECOND || seconds >= -FIRST_SECOND) {
      this.fail('the point in time is too far from 1970: its seconds must fit an i64');
    }
    this.i64(seconds);
    this.u32(Number(nanoseconds));
  }

  /** Writes a duration in nanoseconds, which isn't negative. */
  duration(value: bigint): void {
    if (typeof value !== 'bigint' || value < 0n) {
      this.expected('a bigint of zero or more nanoseconds', value);
    }
    if (value / SECOND >= 2n ** 64n) {
      this.fail('the duration is too long: its seconds must fit a u64');
    }
    this.u64(value / SECOND);
    this.u32(Number(value % SECOND));
  }

  /** Writes the text of a decimal number. */
  decimal(value: string): void {
    if (typeof value !== 'string' || !isDecimal(value)) {
      this.malformed('the text of a decimal number such as "-12.50"', value);
    }
    this.text(value);
  }

  /** Writes a UUID in its text form. */
  uuid(value: string): void {
    if (typeof value !== 'string' || !UUID.test(value)) {
      this.malformed('a UUID such as 01234567-89ab-cdef-0123-456789abcdef', value);
    }
    const digits = value.replaceAll('-', '');
    const at = this.#reserve(16);
    for (let place = 0; place < 16; place++) {
      this.#bytes[at + place] = Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16);
    }
  }

  /** Writes the number of an enum's variant. */
  variant(number: number): void {
    if (number === UNKNOWN_VARIANT) {
      throw new WireError('unfit', this.#at, "an unknown variant can't be sent", 'record');
    }
    this.u16(number);
  }

  /** Throws the error for a value that isn't a variant of the enum. */
  noVariant(value: unknown, variants: Iterable<string>): never {
    const what = typeof value === 'string' ? JSON.stringify(value) : named(value);
    throw new WireError('unfit', this.#at, `${what} isn't one of the variants ${[...variants].join(', ')}`, 'record');
  }

  /** Writes the number of items or pairs. */
  count(value: number): void {
    if (value > MAX_BYTES) {
      throw new WireError('large', this.#at, `the message exceeds the limit of ${MAX_BYTES} bytes`);
    }
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  /** Writes zeros up to the next multiple of 8. */
  align(): void {
    const count = -this.#at & 7;
    const at = this.#reserve(count);
    this.#bytes.fill(0, at, at + count);
  }

  /** Throws if a value isn't an object. A record may be any object. */
  check(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      throw new WireError('unfit', this.#at, `an object is expected, not ${named(value)}`, 'record');
    }
  }

  /** Enters a value that may contain others of its kind. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      const advice = "reduce its nesting, and check that it doesn't contain itself";
      throw new WireError('deep', this.#at, `the value is nested deeper than ${MAX_DEPTH} levels, the limit of a message: ${advice}`);
    }
  }

  /** Leaves such a value. */
  leave(): void {
    this.#depth -= 1;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
