// Plugin objects, and their positions in requests and responses.
//
// The numbers of the objects accompany a payload. In the payload, an object's position in that list represents it. The
// response's schema marks the fields that contain such positions.

import { stringify } from './json.js';
import type { Method } from './method.js';
import { native } from './native.js';
import type { CallOptions, StreamOptions } from './options.js';
import type { Plugin } from './plugin.js';
import type { Stream } from './stream.js';

/** A request is just being written. */
let isWriting = false;

/** Objects that it speaks of; none as long as there are none, which is what most requests have. */
let lending: PluginObject[] | undefined;

const dropped = new FinalizationRegistry<bigint>((number) => {
  native.release(number);
});

/**
 * A value that stays in the plugin.
 *
 * `call`, `callSync` and `stream` call its methods. It can be part of a request like any other value.
 *
 * An object ends with its instance. `close` or `using` releases it before that. If you drop it without closing it, the
 * garbage collector releases it some time later.
 */
export class PluginObject {
  /** The instance that contains it. */
  readonly plugin: Plugin;
  #number: bigint;
  #kind: string;

  /** @internal */
  constructor(plugin: Plugin, number: bigint, kind = '') {
    this.plugin = plugin;
    this.#number = number;
    this.#kind = kind;
    dropped.register(this, number, this);
  }

  /** The name of its type in the plugin, such as `Counter`. Empty if the plugin doesn't specify it. */
  get kind(): string {
    return this.#kind;
  }

  /** Whether the object has been closed. */
  get closed(): boolean {
    return this.#number === 0n;
  }

  /** Calls a method of the object, by its own name (`add`) or its full name in the plugin (`Counter.add`). */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the caller knows it to be
  call<T = any>(name: string, request?: unknown, options?: CallOptions): Promise<T> {
    return this.#method(name)._callOn<T>(this, request, options);
  }

  /** Calls a method of the object, and blocks the event loop until the method has returned. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callSync<T = any>(name: string, request?: unknown, options?: CallOptions): T {
    return this.#method(name)._callSyncOn<T>(this, request, options);
  }

  /** Returns the stream of a method of the object. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  stream<T = any>(name: string, request?: unknown, options?: StreamOptions): Stream<T> {
    return this.#method(name)._streamOn<T>(this, request, options);
  }

  /** Releases the object. The plugin drops it as soon as no call uses it. Does nothing if the object is closed. */
  close(): void {
    const number = this.#number;
    this.#number = 0n;
    if (number !== 0n) {
      dropped.unregister(this);
      native.release(number);
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Returns the text that `console.log` prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `PluginObject ${this.#kind || '(of unknown kind)'}${this.closed ? ' (closed)' : ''}`;
  }

  /**
   * Returns the object's position among the borrowed objects, for requests. Throws a `TypeError` outside of a request.
   */
  toJSON(): number {
    if (!isWriting) {
      throw new TypeError('an object of a plugin can be written only into a request: it exists only in this process');
    }
    lending ??= [];
    const index = lending.indexOf(this);
    return index >= 0 ? index : lending.push(this) - 1;
  }

  /** @internal */
  _lend(): bigint {
    if (this.#number === 0n) {
      throw new TypeError(`the object ${this.#kind || 'of a plugin'} has been closed`);
    }
    return this.#number;
  }

  /** @internal */
  _named(kind: string): this {
    this.#kind = kind;
    return this;
  }

  #method(name: string): Method {
    return this.plugin._json(name.includes('.') || this.#kind === '' ? name : `${this.#kind}.${name}`);
  }
}

/** @internal Writes a request as JSON; gives the objects that it speaks of, after those that are lent in any case. */
export function lend(request: unknown, lent: PluginObject[] | undefined): [text: string, lent: PluginObject[] | undefined] {
  const [before, outside] = [lending, isWriting];
  lending = lent;
  isWriting = true;
  try {
    return [stringify(request), lending];
  } finally {
    lending = before;
    isWriting = outside;
  }
}

/** @internal Puts objects in the places of their positions, and takes those that it has put from the list. */
export type Place = (value: unknown, objects: (PluginObject | undefined)[]) => unknown;

/** What marks the position of an object in a schema. */
const MARK = 'x-rustbridge-object';

type Schema = Record<string, unknown>;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @internal Returns a function that puts objects into a response with this schema; `undefined` if the schema has no objects. */
export function places(schema: unknown): Place | undefined {
  const definitions = isSchema(schema) && isSchema(schema['$defs']) ? schema['$defs'] : {};
  const known = new Map<string, Place | undefined>();

  function referred(name: string): Place | undefined {
    if (known.has(name)) {
      return known.get(name);
    }
    // What refers to itself is looked up when it's used.
    known.set(name, (value, objects) => made?.(value, objects) ?? value);
    const made = of(definitions[name]);
    known.set(name, made);
    return made;
  }

  function of(schema: unknown): Place | undefined {
    if (!isSchema(schema)) {
      return undefined;
    }
    const mark = schema[MARK];
    if (typeof mark === 'string') {
      return (value, objects) => take(value, objects, mark);
    }
    const reference = schema['$ref'];
    if (typeof reference === 'string' && reference.startsWith('#/$defs/')) {
      return referred(reference.slice('#/$defs/'.length));
    }
    const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => list(schema[key]).map(of));
    const found = [...parts, members(schema), elements(schema)].filter((part) => part !== undefined);
    if (found.length === 0) {
      return undefined;
    }
    return (value, objects) => found.reduce((placed, part) => part(placed, objects), value);
  }

  function members(schema: Schema): Place | undefined {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {};
    const named = new Map<string, Place>();
    for (const [name, one] of Object.entries(properties)) {
      const place = of(one);
      if (place !== undefined) {
        named.set(name, place);
      }
    }
    const others = of(schema['additionalProperties']);
    if (named.size === 0 && others === undefined) {
      return undefined;
    }
    return (value, objects) => {
      if (isSchema(value)) {
        for (const [name, one] of Object.entries(value)) {
          const place = named.get(name) ?? (Object.hasOwn(properties, name) ? undefined : others);
          if (place !== undefined) {
            value[name] = place(one, objects);
          }
        }
      }
      return value;
    };
  }

  function elements(schema: Schema): Place | undefined {
    const first = list(schema['prefixItems']).map(of);
    const others = of(schema['items']);
    if (others === undefined && first.every((one) => one === undefined)) {
      return undefined;
    }
    return (value, objects) => {
      if (!Array.isArray(value)) {
        return value;
      }
      return value.map((one, index) => {
        const place = index < first.length ? first[index] : others;
        return place === undefined ? one : place(one, objects);
      });
    };
  }

  return of(schema);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function take(value: unknown, objects: (PluginObject | undefined)[], kind: string): unknown {
  if (typeof value !== 'number') {
    return value;
  }
  const taken = objects[value];
  if (taken === undefined) {
    return value;
  }
  return taken._named(kind);
}

/** @internal The objects that stand anywhere in a value. */
export function* objectsIn(value: unknown): Generator<PluginObject> {
  if (value instanceof PluginObject) {
    yield value;
  } else if (Array.isArray(value)) {
    for (const one of value) {
      yield* objectsIn(one);
    }
  } else if (isSchema(value)) {
    for (const one of Object.values(value)) {
      yield* objectsIn(one);
    }
  }
}
