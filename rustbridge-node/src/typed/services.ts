// Services with types.

import { type RustbridgeError, thrownPayload } from '../errors.js';
import type { LoadOptions } from '../load.js';
import { type Service, type ServiceCall, ThrownPayload } from '../services.js';
import type { Side } from '../wire/clientSchema.js';
import { unit } from '../wire/codec.js';
import type { Codec } from '../wire/kinds.js';
import { Reader } from '../wire/reader.js';
import type { HostObjects } from './callbacks.js';
import { type Failure, unfit, wrong } from './failures.js';
import { type TypedMethod, writing } from './method.js';

/** The class of the errors that a service throws, and their codec. */
export type Thrown<T> = readonly [kind: new (cause: RustbridgeError, reason: T) => Failure<T>, codec: Codec<T>];

/** Returns what a service throws in place of an error: the payload, if it has the type that the plugin distinguishes. */
function thrown<T>(error: unknown, of: Thrown<T> | undefined, clientSchema: string, side: Side): unknown {
  if (of === undefined || !(error instanceof of[0])) {
    return error;
  }
  const { reason } = error;
  return writing(undefined, (w) => {
    try {
      of[1].write(w, reason);
      return new ThrownPayload(thrownPayload(error.message, w.bytes));
    } catch (unwritable) {
      return unfit(unwritable, clientSchema, side, 'error', w.bytes);
    }
  });
}

/** A service and its name, for a client schema. */
export type Served = (clientSchema: string) => [name: string, service: Service];

/** Creates a service with types, under the name by which the plugin calls it. */
export function served<Q, R, E = never>(
  name: string,
  call: (request: Q, call: ServiceCall) => R | PromiseLike<R>,
  request: Codec<Q>,
  response: Codec<R>,
  errors?: Thrown<E>,
): Served {
  return (clientSchema) => {
    const side = (which: Side['which']): Side => ({ kind: 'services', name, which });

    function write(value: R): Uint8Array {
      return writing(undefined, (w) => {
        try {
          response.write(w, value);
        } catch (error) {
          throw unfit(error, clientSchema, side('response'), 'response', w.bytes);
        }
        return w.bytes.slice();
      });
    }

    function read(message: Uint8Array): Q {
      try {
        const r = new Reader(message);
        const value = request.read(r);
        r.end();
        return value;
      } catch (error) {
        throw wrong(error, clientSchema, side('request'), message);
      }
    }

    function fail(error: unknown): never {
      throw thrown(error, errors, clientSchema, side('error'));
    }

    function answer(message: Uint8Array, of: ServiceCall): Uint8Array | Promise<Uint8Array> {
      const asked = read(message);
      let value: R | PromiseLike<R>;
      try {
        value = call(asked, of);
      } catch (error) {
        return fail(error);
      }
      return isLater(value) ? Promise.resolve(value).catch(fail).then(write) : write(value);
    }

    return [name, { encoding: 'wire', call: answer }];
  };
}

/**
 * Creates the service of a callback's function whose arguments, or whose result, have objects: they cross by methods of
 * the plugin. `result` is such a method, or the codec of a result without objects.
 */
export function crossed<T, C extends object, N, A, R, E = never>(
  objects: HostObjects<T>,
  name: string,
  call: (object: T, given: A, call: ServiceCall) => R | PromiseLike<R>,
  request: Codec<[N & (bigint | number | string), N]>,
  given: ((methods: C) => TypedMethod<N, A>) | undefined,
  result: ((methods: C) => TypedMethod<[N, R], undefined>) | Codec<R>,
  errors?: Thrown<E>,
): Served {
  function called([object, number]: [N & (bigint | number | string), N], of: ServiceCall): R | PromiseLike<R> {
    const target = objects.find(object);
    const passed = given?.(objects.methods as C).callSync(number);
    return call(target, passed as A, of);
  }
  if (typeof result !== 'function') {
    return served(name, called, request, result, errors);
  }
  const returned = (both: [N & (bigint | number | string), N], of: ServiceCall): undefined | PromiseLike<undefined> => {
    const give = (value: R): undefined => result(objects.methods as C).callSync([both[1], value]);
    const value = called(both, of);
    return isLater(value) ? Promise.resolve(value).then(give) : give(value);
  };
  return served(name, returned, request, unit, errors);
}

function isLater<R>(value: R | PromiseLike<R>): value is PromiseLike<R> {
  return typeof (value as PromiseLike<R> | undefined)?.then === 'function';
}

/** Throws a `TypeError` if a group of services lacks a function. */
export function implemented(given: object, group: string, functions: readonly string[]): void {
  const missing = functions.filter((name) => typeof (given as Record<string, unknown>)[name] !== 'function');
  if (missing.length > 0) {
    throw new TypeError(`the services \`${group}\` lack the functions ${missing.map((name) => `\`${name}\``).join(', ')}`);
  }
}

/** Returns load options with the services. If there are any, their types are compared with the plugin's. */
export function serving(options: LoadOptions, clientSchema: string, all: readonly Served[]): LoadOptions {
  if (all.length === 0) {
    return options;
  }
  const services = Object.fromEntries(all.map((one) => one(clientSchema)));
  return { ...options, services: { ...options.services, ...services }, clientSchema };
}

/** Returns `undefined`, or a promise of it, for a function without a response. */
export function nothing(value: unknown): undefined | PromiseLike<undefined> {
  return isLater(value) ? Promise.resolve(value).then(() => undefined) : undefined;
}
