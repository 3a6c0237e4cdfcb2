// Functions with types that a plugin asks of its host.

import type { LoadOptions } from '../load.js';
import type { Service, ServiceCall } from '../services.js';
import type { Side } from '../wire/contract.js';
import type { Codec } from '../wire/kinds.js';
import { Reader } from '../wire/reader.js';
import { unfit, wrong } from './failures.js';
import { writing } from './method.js';

/** A function by its name. */
export type Served = (contract: string) => [name: string, service: Service];

/** A function with types, by the name that the plugin asks for. */
export function served<Q, R>(
  name: string,
  call: (request: Q, call: ServiceCall) => R | PromiseLike<R>,
  request: Codec<Q>,
  response: Codec<R>,
): Served {
  return (contract) => {
    const side = (which: Side['which']): Side => ({ kind: 'services', name, which });

    function write(value: R): Uint8Array {
      return writing(undefined, (w) => {
        try {
          response.write(w, value);
        } catch (error) {
          throw unfit(error, contract, side('response'), 'response', w.bytes);
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
        throw wrong(error, contract, side('request'), message);
      }
    }

    function answer(message: Uint8Array, of: ServiceCall): Uint8Array | Promise<Uint8Array> {
      const value = call(read(message), of);
      return isLater(value) ? Promise.resolve(value).then(write) : write(value);
    }

    return [name, { encoding: 'wire', call: answer }];
  };
}

function isLater<R>(value: R | PromiseLike<R>): value is PromiseLike<R> {
  return typeof (value as PromiseLike<R> | undefined)?.then === 'function';
}

/** Refuses services that lack a function. */
export function implemented(given: object, group: string, functions: readonly string[]): void {
  const missing = functions.filter((name) => typeof (given as Record<string, unknown>)[name] !== 'function');
  if (missing.length > 0) {
    throw new TypeError(`the services \`${group}\` lack the functions ${missing.map((name) => `\`${name}\``).join(', ')}`);
  }
}

/** The options of a plugin that asks for such functions. The types are compared if there's one. */
export function serving(options: LoadOptions, contract: string, all: readonly Served[]): LoadOptions {
  if (all.length === 0) {
    return options;
  }
  const services = Object.fromEntries(all.map((one) => one(contract)));
  return { ...options, services: { ...options.services, ...services }, contract };
}

/** What a function without an answer gives, whatever that is. */
export function nothing(value: unknown): undefined | PromiseLike<undefined> {
  return isLater(value) ? Promise.resolve(value).then(() => undefined) : undefined;
}
