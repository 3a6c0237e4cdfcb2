// Values that stay in the plugin, and where they stand in requests and answers.
//
// Beside a payload go the numbers of objects, and the payload has their positions among these. An answer's schema says where a position
// is one of an object.

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
 * A value that stays in the plugin. It ends with its instance, and `close`, or `using`, has the plugin drop it before; so does the garbage
 * collector, some time after nobody has it any more.
 *
 * Its methods are called by `call` and its fellows, and as an argument it stands in a request like any value.
 */
export class PluginObject {
  /** The instance that it lives in. */
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

  /** Its type's name in the plugin, `Counter` say; empty if the plugin doesn't tell. */
  get kind(): string {
    return this.#kind;
  }

  /** Whether it has been closed. */
  get closed(): boolean {
    return this.#number === 0n;
  }

  /** Calls one of its methods, by its own name (`add`) or the plugin's for it (`Counter.add`). */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the caller knows it to be
  call<T = any>(name: string, request?: unknown, options?: CallOptions): Promise<T> {
    return this.#method(name)._callOn<T>(this, request, options);
  }

  /** Calls one of its methods, and blocks the loop until that has answered. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callSync<T = any>(name: string, request?: unknown, options?: CallOptions): T {
    return this.#method(name)._callSyncOn<T>(this, request, options);
  }

  /** Begins one of its methods that answers with a stream. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  stream<T = any>(name: string, request?: unknown, options?: StreamOptions): Stream<T> {
    return this.#method(name)._streamOn<T>(this, request, options);
  }

  /** Releases it: the plugin drops it as soon as no call uses it. Does nothing the second time. */
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

  /** What `console.log` shows of it. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `PluginObject ${this.#kind || '(of unknown kind)'}${this.closed ? ' (closed)' : ''}`;
  }

  /** Stands in a request as its position among what's lent. */
  toJSON(): number {
    if (!isWriting) {
      throw new TypeError('an object of a plugin stands in requests only: it has no form outside of its process');
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

/** @internal Makes of an answer's schema what puts objects into it; nothing if it doesn't speak of any. */
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
