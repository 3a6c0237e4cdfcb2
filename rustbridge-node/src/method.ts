// Prepared methods, for hot loops.

import { beside, call, callSync, checkStreams, type EncodedRequest, type Form, formed, METHOD_CARRIES, written } from './calls.js';
import { METHOD_LEAF, METHOD_STREAM_IN, METHOD_STREAM_OUT } from './constants.js';
import { ResponseTooLargeError } from './errors.js';
import { aroundCall, aroundStream } from './interceptors.js';
import { stringify } from './json.js';
import type { Answer, Header, PreparedMethod } from './native.js';
import type { PluginObject } from './objects.js';
import { type Bytes, type CallOptions, isTraced, type StreamOptions, typed } from './options.js';
import type { Plugin } from './plugin.js';
import { type Encoding, encodingName } from './status.js';
import { type Source, Stream, send } from './stream.js';

/** What responses of callers that want them in memory of their own are read from first. It's never longer. */
const SCRATCH = 64 * 1024;

let scratch: Uint8Array | undefined;

const encoder = new TextEncoder();

/** What the calls of slots need: as long as somebody has one, its plugin isn't closed. */
const called = new WeakMap<() => void, Method>();

/** Memory for one call at a time of a method with structs of fixed size. See {@link Method.slot}. */
export interface Slot {
  /** The memory for the request. */
  readonly request: DataView<ArrayBuffer>;
  /** The memory for the response. */
  readonly response: DataView<ArrayBuffer>;
  /** Calls the method, and waits. */
  readonly call: () => void;
}

/**
 * A method of one instance, resolved once in one encoding. {@link Plugin.method} returns it.
 *
 * Functions whose names end in `Sync` block the event loop until the method has returned. Use them for leaf methods,
 * which are short. The other functions return a promise. With them, a method that's neither asynchronous nor leaf runs
 * on a thread of the plugin.
 */
export class Method {
  /** The instance that the method belongs to. */
  readonly plugin: Plugin;
  /** The method's name, or the number by which it was prepared. */
  readonly name: string | number;
  /** The layout of requests and responses. */
  readonly encoding: Encoding;
  /** Whether the method is a leaf method: short and non-blocking. */
  readonly leaf: boolean;
  /** The fixed size of a request in bytes, or 0 if the size varies. */
  readonly requestSize: number;
  /** The fixed size of a response in bytes, or 0 if the size varies. */
  readonly responseSize: number;
  /** @internal */
  readonly _flags: number;
  /** @internal Services may be called for it. */
  readonly _isServed: boolean;
  /** @internal */
  readonly _submit: PreparedMethod[7];
  /** @internal */
  readonly _call: (request: string | NodeJS.TypedArray, header: Header | undefined) => Answer;
  readonly #text: PreparedMethod[5];
  readonly #into: PreparedMethod[6];
  readonly #slot: PreparedMethod[9];
  readonly #isJson: boolean;
  /** It's called with no more than a request. */
  readonly #isPlain: boolean;

  /** @internal */
  constructor(plugin: Plugin, name: string | number, prepared: PreparedMethod) {
    const [, flags, encoding, requestSize, responseSize, text, into, submit, whole, slot] = prepared;
    this.plugin = plugin;
    this.name = name;
    this.encoding = encodingName(encoding);
    this.leaf = (flags & METHOD_LEAF) !== 0;
    this.requestSize = requestSize;
    this.responseSize = responseSize;
    this._flags = flags;
    this._isServed = plugin._hasServices && !this.leaf;
    this._submit = submit;
    this._call = whole;
    this.#text = text;
    this.#into = into;
    this.#slot = slot;
    this.#isJson = this.encoding === 'json';
    this.#isPlain = (flags & METHOD_CARRIES) === 0;
  }

  /** Calls with a value, and returns the response as a value, through JSON. Needs the encoding `json`. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the caller knows it to be
  call<T = any>(request?: unknown, options?: CallOptions): Promise<T> {
    return this._callOn<T>(undefined, request, options);
  }

  /** Calls like {@link call}, and blocks the event loop until the method has returned. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callSync<T = any>(request?: unknown, options?: CallOptions): T {
    return this._callSyncOn<T>(undefined, request, options);
  }

  /** Calls with JSON text, and returns JSON text. */
  callJson(text: string, options?: CallOptions): Promise<string> {
    this.#checkJson('callJson');
    return this.#begin((given) => ({ data: text, header: this.#beside(given) }), text, options, 'text') as Promise<string>;
  }

  /** Calls with JSON text, and returns JSON text. Blocks the event loop until the method has returned. */
  callJsonSync(text: string, options?: CallOptions): string {
    if (options === undefined && this.#isJson && this.#isPlain && !isTraced()) {
      return this.#text(text);
    }
    this.#checkJson('callJsonSync');
    return callSync(this, { data: text, header: this.#beside(options) }, options, 'text') as string;
  }

  /** Calls with bytes in any encoding, and returns bytes. The request has been copied when this function returns. */
  callRaw(request: Bytes, options?: CallOptions): Promise<Uint8Array> {
    let data: NodeJS.TypedArray;
    try {
      if (options === undefined && this.#isPlain && this.plugin._interceptors.length === 0 && !isTraced()) {
        return call(this, { data: typed(request), header: undefined }, undefined, 'bytes') as Promise<Uint8Array>;
      }
      // An interceptor may wait before it goes on.
      data = this.plugin._interceptors.length === 0 ? typed(request) : copied(request);
    } catch (error) {
      return Promise.reject(error);
    }
    const write = (given: CallOptions | undefined) => ({ data, header: this.#beside(given) });
    return this.#begin(write, request, options, 'bytes') as Promise<Uint8Array>;
  }

  /** Calls with bytes, and returns bytes. Blocks the event loop until the method has returned. */
  callRawSync(request: Bytes, options?: CallOptions): Uint8Array {
    const data = typed(request);
    if (options !== undefined || !this.#isPlain || isTraced()) {
      return callSync(this, { data, header: this.#beside(options) }, options, 'bytes') as Uint8Array;
    }
    if (this.responseSize !== 0) {
      const response = new Uint8Array(this.responseSize);
      const length = this.#into(data, response);
      return typeof length === 'number' ? response.subarray(0, length) : length;
    }
    scratch ??= new Uint8Array(SCRATCH);
    const length = this.#into(data, scratch);
    return typeof length === 'number' ? scratch.slice(0, length) : length;
  }

  /**
   * Calls with bytes, writes the response into the caller's buffer, and returns its number of bytes. Blocks the event
   * loop until the method has returned.
   *
   * If the response doesn't fit, throws {@link ResponseTooLargeError}, which contains the response.
   */
  callInto(request: Bytes, target: Bytes): number {
    const room = typed(target);
    if (!this.#isPlain || isTraced()) {
      const response = this.callRawSync(request);
      if (response.length > room.byteLength) {
        throw new ResponseTooLargeError(response, room.byteLength);
      }
      new Uint8Array(room.buffer, room.byteOffset, room.byteLength).set(response);
      return response.length;
    }
    const length = this.#into(typed(request), room);
    if (typeof length !== 'number') {
      throw new ResponseTooLargeError(length, room.byteLength);
    }
    return length;
  }

  /**
   * Creates a slot for calls of a method with structs of fixed size (the encoding `pod`).
   *
   * Write the request's fields, call `call()`, and read the response's fields. This is the cheapest kind of call,
   * because it passes no arguments.
   */
  slot(): Slot {
    if (this.encoding !== 'pod') {
      throw new TypeError(`a slot requires the encoding pod, but ${JSON.stringify(this.name)} was prepared with ${this.encoding}`);
    }
    const [buffer, responseAt, call] = this.#slot();
    called.set(call, this);
    return {
      request: new DataView(buffer, 0, this.requestSize),
      response: new DataView(buffer, responseAt, this.responseSize),
      call,
    };
  }

  /** Returns a stream of values. The call starts when the first value is requested. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  stream<T = any>(request?: unknown, options?: StreamOptions): Stream<T> {
    return this._streamOn<T>(undefined, request, options);
  }

  /** Returns a stream like {@link stream}, with bytes. */
  streamRaw(request: Bytes, options?: StreamOptions): Stream<Uint8Array> {
    checkStreams(this, METHOD_STREAM_OUT);
    const data = copied(request);
    return this.#streamed<Uint8Array>(request, options, (options) => {
      return new Stream(this, { data, header: this.#beside(options) }, options, 'bytes');
    });
  }

  /** Sends values to a method that accepts a stream, as fast as it accepts them, and returns its response. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  send<T = any>(items: Iterable<unknown> | AsyncIterable<unknown>, request?: unknown, options?: CallOptions): Promise<T> {
    return this._sendOn<T>(undefined, items, request, options);
  }

  /** Sends items like {@link send}, with bytes. */
  async sendRaw(items: Iterable<Bytes> | AsyncIterable<Bytes>, request: Bytes, options?: CallOptions): Promise<Uint8Array> {
    checkStreams(this, METHOD_STREAM_IN);
    const data = copied(request);
    return await aroundCall(this, request, options, (options) => {
      return send(this, { data, header: this.#beside(options) }, options, 'bytes', sourceOfBytes(items)) as Promise<Uint8Array>;
    });
  }

  /** Sends values, and returns the stream of received values. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  exchange<T = any>(items: Iterable<unknown> | AsyncIterable<unknown>, request?: unknown, options?: StreamOptions): Stream<T> {
    checkItems(items);
    return this._streamOn<T>(undefined, request, options, items);
  }

  /** Sends and receives items like {@link exchange}, with bytes. */
  exchangeRaw(items: Iterable<Bytes> | AsyncIterable<Bytes>, request: Bytes, options?: StreamOptions): Stream<Uint8Array> {
    checkStreams(this, METHOD_STREAM_OUT | METHOD_STREAM_IN);
    const data = copied(request);
    return this.#streamed<Uint8Array>(request, options, (options) => {
      return new Stream(this, { data, header: this.#beside(options) }, options, 'bytes', sourceOfBytes(items));
    });
  }

  /** @internal */
  _callOn<T>(receiver: PluginObject | undefined, request: unknown, options: CallOptions | undefined): Promise<T> {
    this.#checkJson('call');
    const write = (given: CallOptions | undefined) => written(this, request, given, receiver);
    return this.#begin(write, request, options, 'value') as Promise<T>;
  }

  /** @internal */
  _callSyncOn<T>(receiver: PluginObject | undefined, request: unknown, options: CallOptions | undefined): T {
    this.#checkJson('callSync');
    const whole = written(this, request, options, receiver);
    if (whole.header === undefined && typeof whole.data === 'string') {
      return formed(this.#text(whole.data), 'value') as T;
    }
    return callSync(this, whole, options, 'value') as T;
  }

  /** @internal */
  _sendOn<T>(
    receiver: PluginObject | undefined,
    items: Iterable<unknown> | AsyncIterable<unknown>,
    request: unknown,
    options: CallOptions | undefined,
  ): Promise<T> {
    this.#checkJson('send');
    checkStreams(this, METHOD_STREAM_IN);
    return aroundCall(this, request, options, (options) => {
      return send(this, written(this, request, options, receiver), options, 'value', sourceOfValues(items)) as Promise<T>;
    });
  }

  /** @internal */
  _streamOn<T>(
    receiver: PluginObject | undefined,
    request: unknown,
    options: StreamOptions | undefined,
    items?: Iterable<unknown> | AsyncIterable<unknown>,
  ): Stream<T> {
    this.#checkJson('stream');
    checkStreams(this, items === undefined ? METHOD_STREAM_OUT : METHOD_STREAM_OUT | METHOD_STREAM_IN);
    const source = items === undefined ? undefined : sourceOfValues(items);
    return this.#streamed<T>(request, options, (options) => {
      return new Stream<T>(this, written(this, request, options, receiver), options, 'value', source);
    });
  }

  #begin(
    write: (options: CallOptions | undefined) => EncodedRequest,
    request: unknown,
    options: CallOptions | undefined,
    form: Form,
  ): Promise<unknown> {
    return aroundCall(this, request, options, (options) => {
      try {
        return call(this, write(options), options, form);
      } catch (error) {
        return Promise.reject(error);
      }
    });
  }

  #streamed<T>(request: unknown, options: StreamOptions | undefined, begin: (options: StreamOptions | undefined) => Stream<T>): Stream<T> {
    return aroundStream(this, request, options, begin) as Stream<T>;
  }

  #beside(options: CallOptions | undefined): Header | undefined {
    if (options === undefined && this.#isPlain && !isTraced()) {
      return undefined;
    }
    return beside(this, options, options?.objects ?? []);
  }

  #checkJson(name: string): void {
    if (!this.#isJson) {
      throw new TypeError(
        `${name} requires the encoding json, but ${JSON.stringify(this.name)} was prepared with ${this.encoding}: use the function for ` +
          'bytes, or prepare the method with json',
      );
    }
  }
}

/** A copy of what is begun later, so that it doesn't matter what the caller does with the memory meanwhile. */
function copied(request: Bytes): Uint8Array {
  const data = typed(request);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
}

/** @internal Throws if items can't be iterated over. */
export function checkItems(items: unknown): void {
  const { [Symbol.iterator]: plain, [Symbol.asyncIterator]: later } = Object(items) as Partial<Iterable<unknown> & AsyncIterable<unknown>>;
  if (typeof plain !== 'function' && typeof later !== 'function') {
    throw new TypeError(`items must be an iterable or an async iterable, not ${items === null ? 'null' : typeof items}`);
  }
}

function sourceOfBytes(items: Source['items']): Source {
  checkItems(items);
  return {
    items,
    write: (item) => {
      const data = typed(item as Bytes);
      return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    },
  };
}

function sourceOfValues(items: Source['items']): Source {
  checkItems(items);
  return { items, write: (item) => encoder.encode(stringify(item)) };
}
