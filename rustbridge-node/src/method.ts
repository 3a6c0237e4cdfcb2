// Prepared methods: what a hot loop uses.

import {
  beside,
  call,
  callSync,
  checkStreams,
  type Form,
  formed,
  METHOD_CARRIES,
  METHOD_LEAF,
  METHOD_STREAM_IN,
  METHOD_STREAM_OUT,
  type Written,
  written,
} from './calls.js';
import { ResponseTooLargeError } from './errors.js';
import { aroundCall, aroundStream } from './interceptors.js';
import { stringify } from './json.js';
import type { Answer, Header, Prepared } from './native.js';
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

/** A place for one call at a time of a method whose structs have fixed sizes: see {@link Method.slot}. */
export interface Slot {
  /** Where the request is written. */
  readonly request: DataView<ArrayBuffer>;
  /** Where the response is read. */
  readonly response: DataView<ArrayBuffer>;
  /** Calls, and waits. */
  readonly call: () => void;
}

/**
 * A method of one instance in one encoding, resolved once. {@link Plugin.method} makes it.
 *
 * The functions whose names end in `Sync` block the loop until the method has answered: they are for leaf methods, which are short. The
 * others give a promise; a method that isn't asynchronous and no leaf runs on a thread of the plugin's then.
 */
export class Method {
  /** The instance that it belongs to. */
  readonly plugin: Plugin;
  /** Its name, or the number that it was asked for by. */
  readonly name: string | number;
  /** How requests and responses are laid out. */
  readonly encoding: Encoding;
  /** Whether its author has declared it short, and never blocking. */
  readonly leaf: boolean;
  /** How many bytes a request has, if that's fixed; else 0. */
  readonly requestSize: number;
  /** How many bytes a response has, if that's fixed; else 0. */
  readonly responseSize: number;
  /** @internal */
  readonly _flags: number;
  /** @internal Services may be called for it. */
  readonly _isServed: boolean;
  /** @internal */
  readonly _submit: Prepared[7];
  /** @internal */
  readonly _call: (request: string | NodeJS.TypedArray, header: Header | undefined) => Answer;
  readonly #text: Prepared[5];
  readonly #into: Prepared[6];
  readonly #slot: Prepared[9];
  readonly #isJson: boolean;
  /** It's called with no more than a request. */
  readonly #isPlain: boolean;

  /** @internal */
  constructor(plugin: Plugin, name: string | number, prepared: Prepared) {
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

  /** Calls with a value and gives a value, through JSON. Needs the encoding `json`. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the caller knows it to be
  call<T = any>(request?: unknown, options?: CallOptions): Promise<T> {
    return this._callOn<T>(undefined, request, options);
  }

  /** Calls with a value and gives a value, and blocks the loop until the method has answered. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callSync<T = any>(request?: unknown, options?: CallOptions): T {
    return this._callSyncOn<T>(undefined, request, options);
  }

  /** Calls with JSON text and gives JSON text. */
  callJson(text: string, options?: CallOptions): Promise<string> {
    this.#checkJson('callJson');
    return this.#begin((given) => ({ data: text, header: this.#beside(given) }), text, options, 'text') as Promise<string>;
  }

  /** Calls with JSON text and gives JSON text, and blocks the loop until the method has answered. */
  callJsonSync(text: string, options?: CallOptions): string {
    if (options === undefined && this.#isJson && this.#isPlain && !isTraced()) {
      return this.#text(text);
    }
    this.#checkJson('callJsonSync');
    return callSync(this, { data: text, header: this.#beside(options) }, options, 'text') as string;
  }

  /** Calls with bytes and gives bytes, in any encoding. The request is copied by the time this returns. */
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

  /** Calls with bytes and gives bytes, and blocks the loop until the method has answered. */
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
   * Calls with bytes, and has the response written into memory of the caller's; gives how many bytes it has. Blocks the loop until the
   * method has answered. Throws {@link ResponseTooLargeError}, which has the response, if that doesn't fit.
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
   * Makes a place for calls of a method whose structs have fixed sizes (the encoding `pod`): write the request's fields, `call()`, and read
   * the response's. It's the cheapest way there is, since nothing is passed.
   */
  slot(): Slot {
    if (this.encoding !== 'pod') {
      throw new TypeError(`a slot is for structs, and ${JSON.stringify(this.name)} was prepared as ${this.encoding}`);
    }
    const [buffer, responseAt, call] = this.#slot();
    called.set(call, this);
    return {
      request: new DataView(buffer, 0, this.requestSize),
      response: new DataView(buffer, responseAt, this.responseSize),
      call,
    };
  }

  /** Begins a call that answers with a stream of values, when the first one is asked for. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  stream<T = any>(request?: unknown, options?: StreamOptions): Stream<T> {
    return this._streamOn<T>(undefined, request, options);
  }

  /** As {@link stream}, with bytes. */
  streamRaw(request: Bytes, options?: StreamOptions): Stream<Uint8Array> {
    checkStreams(this, METHOD_STREAM_OUT);
    const data = copied(request);
    return this.#streamed<Uint8Array>(request, options, (options) => {
      return new Stream(this, { data, header: this.#beside(options) }, options, 'bytes');
    });
  }

  /** Sends values to a method that takes a stream, as fast as it takes them, and gives its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  send<T = any>(items: Iterable<unknown> | AsyncIterable<unknown>, request?: unknown, options?: CallOptions): Promise<T> {
    return this._sendOn<T>(undefined, items, request, options);
  }

  /** As {@link send}, with bytes. */
  async sendRaw(items: Iterable<Bytes> | AsyncIterable<Bytes>, request: Bytes, options?: CallOptions): Promise<Uint8Array> {
    checkStreams(this, METHOD_STREAM_IN);
    const data = copied(request);
    return await aroundCall(this, request, options, (options) => {
      return send(this, { data, header: this.#beside(options) }, options, 'bytes', sourceOfBytes(items)) as Promise<Uint8Array>;
    });
  }

  /** Sends values, and gives the stream of those that come back. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  exchange<T = any>(items: Iterable<unknown> | AsyncIterable<unknown>, request?: unknown, options?: StreamOptions): Stream<T> {
    checkItems(items);
    return this._streamOn<T>(undefined, request, options, items);
  }

  /** As {@link exchange}, with bytes. */
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
    write: (options: CallOptions | undefined) => Written,
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
        `${name} speaks JSON, and ${JSON.stringify(this.name)} was prepared as ${this.encoding}: use its fellow for bytes, or ` +
          'prepare it with the encoding json',
      );
    }
  }
}

/** A copy of what is begun later, so that it doesn't matter what the caller does with the memory meanwhile. */
function copied(request: Bytes): Uint8Array {
  const data = typed(request);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
}

/** @internal Refuses what can't be iterated over. */
export function checkItems(items: unknown): void {
  const { [Symbol.iterator]: plain, [Symbol.asyncIterator]: later } = Object(items) as Partial<Iterable<unknown> & AsyncIterable<unknown>>;
  if (typeof plain !== 'function' && typeof later !== 'function') {
    throw new TypeError(`items are an iterable or an asynchronous one, not ${items === null ? 'null' : typeof items}`);
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
