// Dynamic values, which carry their own type.

import type { Codec } from './kinds.js';
import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

/**
 * A dynamic value. A number without a fraction is an integer. An integer that a number can't hold exactly is a bigint.
 * A bigint that a number can hold is read back as a number.
 */
export type Dynamic = null | boolean | number | bigint | string | Uint8Array | Dynamic[] | { [name: string]: Dynamic };

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const INTEGER = 3;
const LARGE = 4;
const NUMBER = 5;
const TEXT = 6;
const BYTES = 7;
const LIST = 8;
const MAP = 9;

const MOST = 2n ** 63n - 1n;

function writeInteger(w: Writer, value: bigint): void {
  const isLarge = value > MOST;
  w.byte(isLarge ? LARGE : INTEGER);
  if (isLarge) {
    w.u64(value);
  } else {
    w.i64(value);
  }
}

function write(w: Writer, value: Dynamic): void {
  switch (typeof value) {
    case 'boolean':
      w.byte(value ? TRUE : FALSE);
      return;
    case 'number':
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
        writeInteger(w, BigInt(value));
      } else {
        w.byte(NUMBER);
        w.f64(value);
      }
      return;
    case 'bigint':
      writeInteger(w, value);
      return;
    case 'string':
      w.byte(TEXT);
      w.text(value);
      return;
    case 'object':
      if (value === null) {
        w.byte(NULL);
      } else if (value instanceof Uint8Array) {
        w.byte(BYTES);
        w.blob(value);
      } else {
        writeObject(w, value);
      }
      return;
    default:
      w.expected('null, a boolean, a number, a bigint, a string, bytes, an array or an object', value);
  }
}

/** Writes an object: the result of its `toJSON`, as `JSON.stringify` does, or the properties of a plain object. Refuses others, such as a `Map` or an `Error`. */
function writeObject(w: Writer, value: Dynamic[] | { [name: string]: Dynamic }): void {
  const { toJSON } = value as { toJSON?: unknown };
  w.enter();
  if (typeof toJSON === 'function') {
    write(w, toJSON.call(value, '') as Dynamic);
  } else if (Array.isArray(value) || isPlain(value)) {
    writeNested(w, value);
  } else {
    w.expected('null, a boolean, a number, a bigint, a string, bytes, an array or a plain object', value);
  }
  w.leave();
}

/** Reports whether an object is plain. `Object.prototype` isn't compared, because another realm has its own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function writeNested(w: Writer, value: Dynamic[] | { [name: string]: Dynamic }): void {
  if (Array.isArray(value)) {
    w.byte(LIST);
    w.count(value.length);
    for (const item of value) {
      write(w, item);
    }
    return;
  }
  const names = Object.keys(value);
  w.byte(MAP);
  w.count(names.length);
  for (const name of names) {
    w.text(name);
    write(w, value[name] as Dynamic);
  }
}

function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function read(r: Reader): Dynamic {
  const { at } = r;
  const kind = r.u8();
  switch (kind) {
    case NULL:
      return null;
    case FALSE:
      return false;
    case TRUE:
      return true;
    case INTEGER:
      return integer(r.i64());
    case LARGE: {
      const value = r.u64();
      if (value <= MOST) {
        r.fail(at + 1, `${value} fits an i64, but is encoded as a u64`);
      }
      return value;
    }
    case NUMBER:
      return r.f64();
    case TEXT:
      return r.text();
    case BYTES:
      return r.blob();
    case LIST: {
      r.enter();
      const items: Dynamic[] = [];
      for (let left = r.count(1); left > 0; left--) {
        items.push(read(r));
      }
      r.leave();
      return items;
    }
    case MAP: {
      r.enter();
      const pairs: { [name: string]: Dynamic } = {};
      for (let left = r.count(5); left > 0; left--) {
        const place = r.at;
        const name = r.text();
        if (Object.hasOwn(pairs, name)) {
          r.fail(place, `duplicate key: ${name}`);
        }
        // Assigning would change the prototype if it's called so.
        Object.defineProperty(pairs, name, { value: read(r), writable: true, enumerable: true, configurable: true });
      }
      r.leave();
      return pairs;
    }
    default:
      return r.fail(at, `unknown kind of dynamic value: ${kind}`);
  }
}

/** The codec of dynamic values. */
export const anyValue: Codec<Dynamic> = { least: 1, write, read };
