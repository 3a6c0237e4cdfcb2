// Callbacks: objects of this program that a plugin calls.
//
// An object of this program crosses the boundary as a number. The plugin makes an object of its own of it, which calls
// services with that number, and releases the number by another service.

import { RustbridgeError } from '../errors.js';
import type { Method } from '../method.js';
import type { PluginObject } from '../objects.js';
import { forObjects } from '../options.js';
import type { Plugin } from '../plugin.js';
import type { Reader } from '../wire/reader.js';
import { named, type Writer } from '../wire/writer.js';
import { BorrowedObjects, readObject } from './objects.js';
import type { Served } from './services.js';

const NOTHING = new Uint8Array();

/** The objects of this program that a plugin holds for one callback, by their numbers. */
export class HostObjects<T> {
  readonly #name: string;
  readonly #next: () => number;
  readonly #objects = new Map<number, { readonly value: unknown; readonly target: T }>();
  /** The methods of the client, which the services that call the objects don't keep. */
  #methods: WeakRef<object> | undefined;

  /** @internal */
  constructor(name: string, next: () => number) {
    this.#name = name;
    this.#next = next;
  }

  /** How many there are. */
  get size(): number {
    return this.#objects.size;
  }

  /** Returns the object that the plugin calls. */
  find(number: bigint | number | string): T {
    const found = this.#objects.get(Number(number));
    if (found === undefined) {
      throw new RustbridgeError('NOT_FOUND', `callback ${this.#name}: the host has no object ${number}: it was released`, {
        type: 'rustbridge.ObjectReleased',
      });
    }
    return found.target;
  }

  /** @internal The client's methods, by which arguments and results with objects cross. */
  get methods(): object {
    const methods = this.#methods?.deref();
    if (methods === undefined) {
      throw new RustbridgeError('FAILED_PRECONDITION', `callback ${this.#name}: its client no longer exists`, {
        type: 'rustbridge.InstanceClosed',
      });
    }
    return methods;
  }

  set methods(methods: object) {
    this.#methods = new WeakRef(methods);
  }

  /** @internal Adds an object. Its number is used only once. */
  add(value: unknown, target: T): number {
    const number = this.#next();
    this.#objects.set(number, { value, target });
    return number;
  }

  /** @internal Returns an object as it was passed, if it's there. */
  passed(number: number): { readonly value: unknown } | undefined {
    return this.#objects.get(number);
  }

  /** @internal */
  release(number: number): void {
    this.#objects.delete(number);
  }

  /** @internal Forgets all objects, because the plugin is closed. */
  clear(): void {
    this.#objects.clear();
  }
}

/** The class of the plugin's own objects. */
export interface ObjectClass<T, C> {
  new (untyped: PluginObject, client: C): T & { readonly untyped: PluginObject };
}

/** A callback, as a generated client describes it. */
export interface CallbackType<T, C> {
  /** The name of the trait. */
  readonly name: string;
  /** The fingerprint of the method that creates an object for a number. */
  readonly create: string;
  /** The fingerprint of the method that returns an object's number. */
  readonly number: string;
  /** The names of the functions. */
  readonly functions: readonly string[];
  /** Returns the services that call the objects. */
  serve(objects: HostObjects<T>): Served[];
  /** Returns the class of the plugin's own objects. */
  own(): ObjectClass<T, C>;
}

/** The objects of this program that a plugin holds, for a client that loads the plugin. */
export class CallbackObjects {
  /** @internal By the names of the callbacks. */
  readonly all = new Map<string, HostObjects<unknown>>();
  readonly #types: readonly CallbackType<unknown, never>[];

  constructor(types: readonly CallbackType<unknown, never>[]) {
    this.#types = types;
    let last = 0;
    const next = () => {
      last += 1;
      return last;
    };
    for (const { name } of types) {
      this.all.set(name, new HostObjects(name, next));
    }
  }

  /** How many there are. */
  get size(): number {
    return [...this.all.values()].reduce((sum, objects) => sum + objects.size, 0);
  }

  /** Returns the services that call the objects, and those that release them. */
  served(): Served[] {
    return this.#types.flatMap((type) => {
      const objects = this.all.get(type.name) as HostObjects<unknown>;
      return [...type.serve(objects), released(type.name, objects)];
    });
  }
}

function released(name: string, objects: HostObjects<unknown>): Served {
  function call(request: Uint8Array): Uint8Array {
    objects.release(numberIn(request));
    return NOTHING;
  }
  return () => [`${name}:release`, { encoding: 'wire', call, ended: () => objects.clear() }];
}

function numberIn(message: Uint8Array): number {
  return Number(new DataView(message.buffer, message.byteOffset, message.byteLength).getBigUint64(0, true));
}

/** A callback of one client: passes objects of this program to the plugin, and finds them again. */
export class Callback<C> {
  readonly #plugin: Plugin;
  readonly #type: CallbackType<unknown, C>;
  readonly #create: Method;
  readonly #number: Method;
  /** Missing if the plugin was loaded without the services that call objects of this program. */
  readonly #objects: HostObjects<unknown> | undefined;

  /** @internal */
  constructor(plugin: Plugin, clientSchema: string, type: CallbackType<unknown, C>, objects: HostObjects<unknown> | undefined) {
    this.#plugin = plugin;
    this.#type = type;
    this.#create = plugin.typedMethod(`${type.name}:new`, type.create, clientSchema);
    this.#number = plugin.typedMethod(`${type.name}:number`, type.number, clientSchema);
    this.#objects = objects;
  }

  /** Writes the position of the plugin's object for an implementation: its own, or a new one to borrow for the call. */
  write(w: Writer, value: unknown, borrowed: BorrowedObjects): void {
    const { name } = this.#type;
    if (value instanceof this.#type.own() && value.untyped.plugin === this.#plugin) {
      if (value.untyped.closed) {
        w.fail(`the object ${name} has been closed`);
      }
      w.u32(borrowed.position(value.untyped));
      return;
    }
    const target = this.#implemented(w, value);
    const objects = this.#objects;
    if (objects === undefined) {
      throw new RustbridgeError(
        'FAILED_PRECONDITION',
        `callback ${name}: the plugin was loaded without the services by which it calls the host's objects: load it by the generated ` +
          "client's `load`",
        { type: 'rustbridge.NoServices' },
      );
    }
    const number = objects.add(value, target);
    try {
      const one = this.#created(number);
      borrowed.passed.push(one);
      w.u32(borrowed.objects.push(one) - 1);
    } catch (error) {
      objects.release(number);
      throw error;
    }
  }

  /** Returns the implementation that an object stands for: the one that was passed, or the plugin's own. */
  received(object: PluginObject, client: C): unknown {
    const number = numberIn(this.#number.callRawSync(NOTHING, { objects: [object] }));
    const passed = number === 0 ? undefined : this.#objects?.passed(number);
    if (passed !== undefined) {
      object.close();
      return passed.value;
    }
    return new (this.#type.own())(object, client);
  }

  /** Returns an implementation with all functions. */
  #implemented(w: Writer, value: unknown): unknown {
    const { name, functions } = this.#type;
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
      w.expected(name, value);
    }
    const missing = functions.find((one) => typeof (value as Record<string, unknown>)[one] !== 'function');
    if (missing === undefined) {
      return value;
    }
    if (functions.length === 1 && typeof value === 'function') {
      return { [missing]: value };
    }
    return w.fail(`${name} is expected, but ${named(value)} has no function \`${missing}\``);
  }

  #created(number: number): PluginObject {
    const request = new Uint8Array(8);
    new DataView(request.buffer).setBigUint64(0, BigInt(number), true);
    const reply = forObjects();
    this.#create.callRawSync(request, { reply });
    const [one] = reply.objects;
    if (one === undefined) {
      throw new RustbridgeError('INTERNAL', `the plugin's response to ${this.#type.name}:new has no object`, {
        type: 'rustbridge.InvalidResponse',
      });
    }
    return one._named(this.#type.name);
  }
}

/** The callbacks of a client, by their names. */
export type Callbacks<C> = ReadonlyMap<string, Callback<C>>;

/** A client with callbacks. */
export interface CallbackClient {
  readonly $callbacks: Callbacks<never>;
}

/** Prepares the callbacks of a client. Without objects, only objects of the plugin can be passed. */
export function callbacks<C extends object>(
  methods: C,
  plugin: Plugin,
  clientSchema: string,
  types: readonly CallbackType<unknown, C>[],
  objects: CallbackObjects | undefined,
): Callbacks<C> {
  for (const all of objects?.all.values() ?? []) {
    all.methods = methods;
  }
  return new Map(types.map((type) => [type.name, new Callback(plugin, clientSchema, type, objects?.all.get(type.name))]));
}

/** Writes the implementation of a callback. */
export function writeCallback(w: Writer, name: string, value: unknown): void {
  const borrowed = w.beside instanceof BorrowedObjects ? w.beside : undefined;
  const callback = (borrowed?.client as CallbackClient | undefined)?.$callbacks.get(name);
  if (borrowed === undefined || callback === undefined) {
    w.fail("objects can't accompany this message");
  }
  callback.write(w, value, borrowed);
}

/** Reads the implementation of a callback. */
export function readCallback<T>(r: Reader, name: string): T {
  const [object, client] = readObject<CallbackClient>(r);
  const callback = client.$callbacks.get(name) as Callback<CallbackClient> | undefined;
  if (callback === undefined) {
    return r.fail(r.at, "objects can't accompany this message");
  }
  return callback.received(object, client) as T;
}
