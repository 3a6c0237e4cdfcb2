// Objects in typed messages.

import { PluginObject } from '../objects.js';
import type { Reader } from '../wire/reader.js';
import type { Writer } from '../wire/writer.js';

/** The objects that a request borrows. */
export class BorrowedObjects {
  readonly objects: PluginObject[];
  /** Those that stand for objects of this program. They are released when the call has borrowed them. */
  readonly passed: PluginObject[] = [];
  /** The calling client. */
  readonly client: unknown;

  constructor(objects: PluginObject[], client: unknown) {
    this.objects = objects;
    this.client = client;
  }

  /** Returns an object's position, and adds the object if it's missing. */
  position(one: PluginObject): number {
    const known = this.objects.indexOf(one);
    return known >= 0 ? known : this.objects.push(one) - 1;
  }

  release(): void {
    for (const one of this.passed) {
      one.close();
    }
  }
}

/** The objects of a response. */
export class ReceivedObjects {
  readonly client: unknown;
  readonly #objects: readonly PluginObject[];
  readonly #taken = new Set<PluginObject>();

  constructor(objects: readonly PluginObject[], client: unknown) {
    this.#objects = objects;
    this.client = client;
  }

  take(r: Reader, at: number, position: number): PluginObject {
    const one = this.#objects[position];
    if (one === undefined) {
      return r.fail(at, `object ${position} is missing: ${this.#objects.length} objects accompany the message, and positions count from 0`);
    }
    if (this.#taken.has(one)) {
      r.fail(at, `object ${position} occurs twice in the message, expected once`);
    }
    this.#taken.add(one);
    return one;
  }

  /** Releases the objects that weren't read, or all of them. */
  release(isAll: boolean): void {
    for (const one of this.#objects) {
      if (isAll || !this.#taken.has(one)) {
        one.close();
      }
    }
  }
}

/** Writes an object's position, and adds it to the borrowed objects. */
export function writeObject(w: Writer, value: PluginObject): void {
  if (!(w.beside instanceof BorrowedObjects)) {
    w.fail("objects can't accompany this message");
  }
  if (!(value instanceof PluginObject)) {
    w.expected('an object of the plugin', value);
  }
  if (value.closed) {
    w.fail(`the object ${value.kind || 'of a plugin'} has been closed`);
  }
  w.u32(w.beside.position(value));
}

/** Reads an object's position, and returns the object and the calling client. Each object can be read once. */
export function readObject<C>(r: Reader): [PluginObject, C] {
  const { at } = r;
  const position = r.u32();
  if (!(r.beside instanceof ReceivedObjects)) {
    return r.fail(at, "objects can't accompany this message");
  }
  return [r.beside.take(r, at, position), r.beside.client as C];
}
