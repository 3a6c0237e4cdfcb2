// Codecs: of the primitive types, and of types that consist of others.

import { anyValue } from './dynamic.js';
import { UNKNOWN_VARIANT, WireError } from './errors.js';
import type { Codec } from './kinds.js';
import type { Reader } from './reader.js';
import { named, type Writer } from './writer.js';

export type { Dynamic } from './dynamic.js';
export type { Codec } from './kinds.js';

function of<T>(least: number, write: (w: Writer, value: T) => void, read: (r: Reader) => T): Codec<T> {
  return { least, write, read };
}

export const unit: Codec<undefined> = of(
  0,
  () => {},
  () => undefined,
);
export const bool = of<boolean>(
  1,
  (w, value) => w.bool(value),
  (r) => r.bool(),
);
export const u8 = of<number>(
  1,
  (w, value) => w.u8(value),
  (r) => r.u8(),
);
export const u16 = of<number>(
  2,
  (w, value) => w.u16(value),
  (r) => r.u16(),
);
export const u32 = of<number>(
  4,
  (w, value) => w.u32(value),
  (r) => r.u32(),
);
export const u64 = of<bigint>(
  8,
  (w, value) => w.u64(value),
  (r) => r.u64(),
);
export const u128 = of<bigint>(
  16,
  (w, value) => w.u128(value),
  (r) => r.u128(),
);
export const i8 = of<number>(
  1,
  (w, value) => w.i8(value),
  (r) => r.i8(),
);
export const i16 = of<number>(
  2,
  (w, value) => w.i16(value),
  (r) => r.i16(),
);
export const i32 = of<number>(
  4,
  (w, value) => w.i32(value),
  (r) => r.i32(),
);
export const i64 = of<bigint>(
  8,
  (w, value) => w.i64(value),
  (r) => r.i64(),
);
export const i128 = of<bigint>(
  16,
  (w, value) => w.i128(value),
  (r) => r.i128(),
);
export const f32 = of<number>(
  4,
  (w, value) => w.f32(value),
  (r) => r.f32(),
);
export const f64 = of<number>(
  8,
  (w, value) => w.f64(value),
  (r) => r.f64(),
);
export const char = of<string>(
  4,
  (w, value) => w.char(value),
  (r) => r.char(),
);
export const text = of<string>(
  4,
  (w, value) => w.text(value),
  (r) => r.text(),
);
export const blob = of<Uint8Array>(
  4,
  (w, value) => w.blob(value),
  (r) => r.blob(),
);
/** The text of a raw message, which fills the whole message. */
export const rawText = of<string>(
  0,
  (w, value) => w.rawText(value),
  (r) => r.restText(),
);
/** The bytes of a raw message, which fill the whole message. */
export const rawBlob = of<Uint8Array>(
  0,
  (w, value) => w.rawBlob(value),
  (r) => r.rest(),
);
export const timestamp = of<bigint>(
  12,
  (w, value) => w.timestamp(value),
  (r) => r.timestamp(),
);
export const duration = of<bigint>(
  12,
  (w, value) => w.duration(value),
  (r) => r.duration(),
);
export const decimal = of<string>(
  4,
  (w, value) => w.decimal(value),
  (r) => r.decimal(),
);
export const uuid = of<string>(
  16,
  (w, value) => w.uuid(value),
  (r) => r.uuid(),
);
export const any = anyValue;

/** 64-bit integers as numbers. What a number can't hold exactly is refused, both ways. */
function asNumber(codec: Codec<bigint>, least: number): Codec<number> {
  return of(
    8,
    (w, value) => {
      if (!Number.isSafeInteger(value) || value < least) {
        w.expected(`an integer from ${least === 0 ? '0' : '-(2 ** 53 - 1)'} to 2 ** 53 - 1`, value);
      }
      codec.write(w, BigInt(value));
    },
    (r) => {
      const { at } = r;
      const value = codec.read(r);
      if (!Number.isSafeInteger(Number(value))) {
        r.fail(at, `${value} is outside the range in which a number is exact`);
      }
      return Number(value);
    },
  );
}

/** 64-bit integers as text in decimal digits. */
function asText(codec: Codec<bigint>, least: bigint): Codec<string> {
  const most = least + 2n ** 64n - 1n;
  return of(
    8,
    (w, value) => {
      if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value) || BigInt(value) < least || BigInt(value) > most) {
        w.malformed(`an integer from ${least} to ${most} in decimal digits`, value);
      }
      codec.write(w, BigInt(value));
    },
    (r) => String(codec.read(r)),
  );
}

const MILLISECOND = 1_000_000n;

/** Points in time as dates, which have milliseconds: microseconds and nanoseconds are dropped. */
export const timestampAsDate = of<Date>(
  12,
  (w, value) => {
    if (!(value instanceof Date)) {
      w.expected('a valid Date', value);
    }
    if (Number.isNaN(value.getTime())) {
      w.fail('a valid Date is expected, not an invalid one');
    }
    w.timestamp(BigInt(value.getTime()) * MILLISECOND);
  },
  (r) => {
    const { at } = r;
    const nanoseconds = r.timestamp();
    const past = ((nanoseconds % MILLISECOND) + MILLISECOND) % MILLISECOND;
    const date = new Date(Number((nanoseconds - past) / MILLISECOND));
    if (Number.isNaN(date.getTime())) {
      r.fail(at, 'the point in time is outside the range of a Date');
    }
    return date;
  },
);

export const u64AsNumber = asNumber(u64, 0);
export const i64AsNumber = asNumber(i64, Number.MIN_SAFE_INTEGER);
export const u64AsText = asText(u64, 0n);
export const i64AsText = asText(i64, -(2n ** 63n));

/** What keeps numbers as they lie on the wire. */
interface Typed<T extends ArrayBufferView> {
  new (buffer: ArrayBuffer): T;
  new (items: ArrayLike<never>): T;
  readonly BYTES_PER_ELEMENT: number;
  readonly name: string;
}

function numbersOf<T extends ArrayBufferView & { length: number }>(kind: Typed<T>) {
  const size = kind.BYTES_PER_ELEMENT;

  function check(w: Writer, value: T): void {
    if (!(value instanceof kind)) {
      w.expected(kind.name === 'Uint8Array' ? 'a Uint8Array' : `an array of the kind ${kind.name}`, value);
    }
  }

  /** A list, in one copy. */
  const list: Codec<T> = of(
    4,
    (w, value) => {
      check(w, value);
      w.count(value.length);
      if (size > 1) {
        w.align();
      }
      w.memory(value);
    },
    (r) => {
      const count = r.count(size);
      if (size > 1) {
        r.align();
      }
      return new kind(r.memory(count * size));
    },
  );

  /** An array of so many, in one copy. */
  function array(count: number): Codec<T> {
    return of(
      count * size,
      (w, value) => {
        check(w, value);
        w.checkLength(value, count);
        w.memory(value);
      },
      (r) => new kind(r.memory(count * size)),
    );
  }

  return { list, array };
}

// Machines whose numbers begin with their largest part would have to turn each around; Node runs on none for which there's an addon.
export const bytesOf = numbersOf(Uint8Array as unknown as Typed<Uint8Array>);
export const u16s = numbersOf(Uint16Array as unknown as Typed<Uint16Array>);
export const u32s = numbersOf(Uint32Array as unknown as Typed<Uint32Array>);
export const u64s = numbersOf(BigUint64Array as unknown as Typed<BigUint64Array>);
export const i8s = numbersOf(Int8Array as unknown as Typed<Int8Array>);
export const i16s = numbersOf(Int16Array as unknown as Typed<Int16Array>);
export const i32s = numbersOf(Int32Array as unknown as Typed<Int32Array>);
export const i64s = numbersOf(BigInt64Array as unknown as Typed<BigInt64Array>);
export const f32s = numbersOf(Float32Array as unknown as Typed<Float32Array>);
export const f64s = numbersOf(Float64Array as unknown as Typed<Float64Array>);

function checkArray(w: Writer, value: readonly unknown[]): void {
  if (!Array.isArray(value)) {
    w.expected('an array', value);
  }
}

function writeItems<T>(w: Writer, value: readonly T[], item: Codec<T>): void {
  for (let place = 0; place < value.length; place++) {
    item.write(w, value[place] as T);
  }
}

function readItems<T>(r: Reader, count: number, item: Codec<T>): T[] {
  const items: T[] = [];
  for (let place = 0; place < count; place++) {
    items.push(item.read(r));
  }
  return items;
}

/** An array of `count` numbers. */
export function arrayOf<T>(numbers: { array(count: number): Codec<T> }, count: number): Codec<T> {
  return numbers.array(count);
}

/** A list. */
export function list<T>(item: Codec<T>): Codec<T[]> {
  return of(
    4,
    (w, value) => {
      checkArray(w, value);
      w.count(value.length);
      writeItems(w, value, item);
    },
    (r) => readItems(r, r.count(item.least), item),
  );
}

/** A list with aligned items. */
export function aligned<T>(item: Codec<T>): Codec<T[]> {
  return of(
    4,
    (w, value) => {
      checkArray(w, value);
      w.count(value.length);
      w.align();
      writeItems(w, value, item);
    },
    (r) => {
      const count = r.count(item.least);
      r.align();
      return readItems(r, count, item);
    },
  );
}

/** An array of `count` items. */
export function array<T>(item: Codec<T>, count: number): Codec<T[]> {
  return of(
    count * item.least,
    (w, value) => {
      checkArray(w, value);
      w.checkLength(value, count);
      writeItems(w, value, item);
    },
    (r) => {
      r.checkLeft(count * item.least);
      return readItems(r, count, item);
    },
  );
}

/** An optional value: `undefined` if it's absent. Writing also accepts `null`. */
export function option<T>(item: Codec<T>): Codec<T | undefined> {
  return of<T | undefined>(
    1,
    (w, value) => {
      if (w.present(value !== undefined && value !== null)) {
        item.write(w, value as T);
      }
    },
    (r) => (r.bool() ? item.read(r) : undefined),
  );
}

/** An optional value whose type includes `null`: `undefined` if it's absent. */
export function optional<T>(item: Codec<T>): Codec<T | undefined> {
  return of<T | undefined>(
    1,
    (w, value) => {
      if (w.present(value !== undefined)) {
        item.write(w, value as T);
      }
    },
    (r) => (r.bool() ? item.read(r) : undefined),
  );
}

/** An optional value whose type includes `undefined`: `null` if it's absent. */
export function nullable<T>(item: Codec<T>): Codec<T | null> {
  return of<T | null>(
    1,
    (w, value) => {
      if (w.present(value !== null)) {
        item.write(w, value as T);
      }
    },
    (r) => (r.bool() ? item.read(r) : null),
  );
}

/** A map without duplicate keys. */
export function map<K, V>(key: Codec<K>, item: Codec<V>): Codec<Map<K, V>> {
  return of(
    4,
    (w, value) => {
      if (!(value instanceof Map)) {
        w.expected('a Map', value);
      }
      w.count(value.size);
      for (const [name, one] of value) {
        try {
          key.write(w, name);
        } catch (error) {
          throw error instanceof WireError ? error.ofKey(named(name)) : error;
        }
        item.write(w, one);
      }
    },
    (r) => {
      const pairs = new Map<K, V>();
      for (let left = r.count(key.least + item.least); left > 0; left--) {
        const { at } = r;
        const name = key.read(r);
        if (pairs.has(name)) {
          r.fail(at, `duplicate key: ${String(name)}`);
        }
        pairs.set(name, item.read(r));
      }
      return pairs;
    },
  );
}

/** Several values in sequence. */
export function tuple<T extends readonly unknown[]>(...items: { [P in keyof T]: Codec<T[P]> }): Codec<T> {
  const all = items as readonly Codec<unknown>[];
  return of<T>(
    all.reduce((sum, item) => sum + item.least, 0),
    (w, value) => {
      checkArray(w, value);
      w.checkLength(value, all.length);
      for (const [place, item] of all.entries()) {
        item.write(w, value[place]);
      }
    },
    (r) => all.map((item) => item.read(r)) as unknown as T,
  );
}

/**
 * An enum whose variants have no data: the variants' names in order, and for an open enum the name of unknown variants.
 */
export function names<T extends string>(all: readonly T[], unknown?: T): Codec<T> {
  const numbers = new Map<T | undefined, number>(all.map((name, number) => [name, number]));
  if (unknown !== undefined) {
    numbers.set(unknown, UNKNOWN_VARIANT);
  }
  return of<T>(
    2,
    (w, value) => w.variant(numbers.get(value) ?? w.noVariant(value, all)),
    (r) => all[r.variant(all.length, unknown !== undefined)] ?? (unknown as T),
  );
}
