// Objects beside messages with types.

import { PluginObject } from '../objects.js';
import type { Reader } from '../wire/reader.js';
import type { Writer } from '../wire/writer.js';

/** The objects that are lent with a request. */
export class Lent {
  readonly objects: PluginObject[];

  constructor(objects: PluginObject[]) {
    this.objects = objects;
  }
}

/** The objects that came with a response. */
export class Came {
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
      return r.fail(at, `object ${position} is meant, and ${this.#objects.length} came`);
    }
    if (this.#taken.has(one)) {
      r.fail(at, `object ${position} is meant twice`);
    }
    this.#taken.add(one);
    return one;
  }

  /** Gives back those that nobody has taken, or all. */
  release(isAll: boolean): void {
    for (const one of this.#objects) {
      if (isAll || !this.#taken.has(one)) {
        one.close();
      }
    }
  }
}

/** Lends an object, and writes which of those that are lent it is. */
export function writeObject(w: Writer, value: PluginObject): void {
  if (!(w.beside instanceof Lent)) {
    w.fail("an object isn't allowed here");
  }
  if (!(value instanceof PluginObject)) {
    w.expected('an object of the plugin', value);
  }
  if (value.closed) {
    w.fail(`the object ${value.kind || 'of a plugin'} has been closed`);
  }
  const { objects } = w.beside;
  const known = objects.indexOf(value);
  w.u32(known >= 0 ? known : objects.push(value) - 1);
}

/** Takes an object that came, once, with the client that has called. */
export function readObject<C>(r: Reader): [PluginObject, C] {
  const { at } = r;
  const position = r.u32();
  if (!(r.beside instanceof Came)) {
    return r.fail(at, "an object isn't allowed here");
  }
  return [r.beside.take(r, at, position), r.beside.client as C];
}
