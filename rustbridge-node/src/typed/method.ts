// Methods with types.

import { ResponseTooLargeError } from '../errors.js';
import { checkItems, type Method } from '../method.js';
import type { PluginObject } from '../objects.js';
import { type CallOptions, forObjects, type Reply, type StreamOptions } from '../options.js';
import type { Plugin } from '../plugin.js';
import { ServiceCall } from '../services.js';
import type { Stream } from '../stream.js';
import type { Side } from '../wire/clientSchema.js';
import type { Codec } from '../wire/kinds.js';
import { Reader } from '../wire/reader.js';
import { Writer } from '../wire/writer.js';
import { failed, type Raise, unfit, wrong } from './failures.js';
import { Items } from './items.js';
import { BorrowedObjects, ReceivedObjects } from './objects.js';

/** How large memory may be that is kept for the next call. */
const KEPT = 64 * 1024;

// What a call writes with, and what its response is written into; nothing while they are in use, for what is called may call itself.
let free: Writer | undefined = new Writer();
let storage: Storage | undefined = stored();

interface Storage {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

function stored(): Storage {
  const bytes = new Uint8Array(KEPT);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** Runs a function with a writer. */
export function writing<T>(beside: unknown, run: (w: Writer) => T): T {
  const w = free ?? new Writer();
  free = undefined;
  w.reset(beside);
  try {
    return run(w);
  } finally {
    w.reset(undefined);
    if (w.room <= KEPT) {
      free = w;
    }
  }
}

/** A request, its options, the reply for its objects, and what it borrows. */
type TypedRequest = [bytes: Uint8Array, beside: StreamOptions | undefined, reply: Reply | undefined, borrowed: BorrowedObjects];

/** Returns the options of a call that belongs to another one, for which a service runs. */
function optionsOf({ metadata, signal, timeLeft, trace }: ServiceCall): CallOptions {
  return { metadata, signal, ...(timeLeft !== undefined && { timeout: timeLeft }), ...(trace !== undefined && { trace }) };
}

/** Optional properties of a method, in addition to its name and types. */
export interface Also {
  /** The client, for the objects of messages. Without it, responses have no objects. */
  client?: unknown;
  /** Creates an error from one with a type. */
  raise?: Raise;
}

/** A method with types. */
export class TypedMethod<Q, R> {
  protected readonly method: Method;
  protected readonly clientSchema: string;
  readonly #request: Codec<Q>;
  readonly #response: Codec<R>;
  readonly #also: Also;

  constructor(
    plugin: Plugin,
    clientSchema: string,
    name: string,
    fingerprint: string,
    request: Codec<Q>,
    response: Codec<R>,
    also: Also = {},
  ) {
    this.method = plugin.typedMethod(name, fingerprint, clientSchema);
    this.clientSchema = clientSchema;
    this.#request = request;
    this.#response = response;
    this.#also = also;
  }

  protected side(which: Side['which']): Side {
    return { kind: 'methods', name: String(this.method.name), which };
  }

  /** Calls, and blocks the event loop until the method has returned. */
  callSync(request: Q, options?: CallOptions, receiver?: PluginObject): R {
    if (options !== undefined || receiver !== undefined || this.#also.client !== undefined) {
      const [bytes, beside, reply, borrowed] = this.written(request, options, receiver);
      let response: Uint8Array;
      try {
        response = this.method.callRawSync(bytes, beside);
      } catch (error) {
        throw failed(error, this.#also.raise);
      } finally {
        borrowed.release();
      }
      return this.answered(response, reply);
    }
    return writing(undefined, (w) => {
      this.#write(w, request);
      return this.#called(w.bytes);
    });
  }

  /** Calls with nothing beside the request: its response goes into memory that's kept. */
  #called(request: Uint8Array): R {
    const room = storage ?? stored();
    storage = undefined;
    try {
      const length = this.method.callInto(request, room.bytes);
      return this.#read(room, length);
    } catch (error) {
      if (error instanceof ResponseTooLargeError) {
        return this.answered(error.response, undefined);
      }
      throw failed(error, this.#also.raise);
    } finally {
      storage = room;
    }
  }

  /** Reads a response in memory that's kept. */
  #read({ bytes, view }: Storage, length: number): R {
    try {
      const r = new Reader(bytes, undefined, length, view);
      const value = this.#response.read(r);
      r.end();
      return value;
    } catch (error) {
      throw wrong(error, this.clientSchema, this.side('response'), bytes.subarray(0, length));
    }
  }

  /** Calls, and returns the response. */
  async call(request: Q, options?: CallOptions, receiver?: PluginObject): Promise<R> {
    const [bytes, beside, reply, borrowed] = this.written(request, options, receiver);
    let response: Uint8Array;
    try {
      const pending = this.method.callRaw(bytes, beside);
      // An interceptor may submit the call later.
      if (this.method.plugin._interceptors.length === 0) {
        borrowed.release();
      }
      response = await pending;
    } catch (error) {
      throw failed(error, this.#also.raise);
    } finally {
      borrowed.release();
    }
    return this.answered(response, reply);
  }

  /** Returns a stream. The call starts when the first item is requested. */
  stream(request: Q, options?: StreamOptions, receiver?: PluginObject): Items<R> {
    const [bytes, beside, , borrowed] = this.written(request, options, receiver);
    return this.items(() => this.method.streamRaw(bytes, beside), borrowed);
  }

  /** Returns the items of a stream, which borrows objects until it ends. */
  protected items(create: () => Stream<Uint8Array>, borrowed: BorrowedObjects): Items<R> {
    let stream: Stream<Uint8Array>;
    try {
      stream = create();
    } catch (error) {
      borrowed.release();
      throw error;
    }
    const ended = borrowed.passed.length === 0 ? undefined : () => borrowed.release();
    const read = (item: Uint8Array): R => this.answered(item, undefined);
    return new Items(stream, read, (error) => this.failed(error), ended);
  }

  #write(w: Writer, request: Q): void {
    try {
      this.#request.write(w, request);
    } catch (error) {
      throw unfit(error, this.clientSchema, this.side('request'), 'request', w.bytes);
    }
  }

  /** Encodes a request. Returns it with its options, and the reply for its objects. */
  protected written(request: Q, options: StreamOptions | undefined, receiver: PluginObject | undefined): TypedRequest {
    const given = options instanceof ServiceCall ? optionsOf(options) : options;
    const lent = new BorrowedObjects(receiver === undefined ? [] : [receiver], this.#also.client);
    lent.objects.push(...(given?.objects ?? []));
    let bytes: Uint8Array;
    try {
      bytes = writing(lent, (w) => {
        this.#write(w, request);
        return w.bytes.slice();
      });
    } catch (error) {
      lent.release();
      throw error;
    }
    if (lent.objects.length === 0 && this.#also.client === undefined) {
      return [bytes, given, undefined, lent];
    }
    const reply = given?.reply ?? forObjects();
    return [bytes, { ...given, objects: lent.objects, reply }, reply, lent];
  }

  /** Decodes a response or an item. Objects that it doesn't refer to are released. */
  protected answered(response: Uint8Array, reply: Reply | undefined): R {
    const { client } = this.#also;
    const came = client === undefined ? undefined : new ReceivedObjects(reply?.objects ?? [], client);
    try {
      const r = new Reader(response, came);
      const value = this.#response.read(r);
      r.end();
      came?.release(false);
      return value;
    } catch (error) {
      came?.release(true);
      throw wrong(error, this.clientSchema, this.side('response'), response);
    }
  }

  /** Returns a call's error, with its type if it has one. */
  protected failed(error: unknown): unknown {
    return failed(error, this.#also.raise);
  }
}

/** A method with types that accepts a stream. */
export class TypedStreamingMethod<Q, I, R> extends TypedMethod<Q, R> {
  readonly #item: Codec<I>;

  constructor(
    plugin: Plugin,
    clientSchema: string,
    name: string,
    fingerprint: string,
    request: Codec<Q>,
    item: Codec<I>,
    response: Codec<R>,
    also: Also = {},
  ) {
    super(plugin, clientSchema, name, fingerprint, request, response, also);
    this.#item = item;
  }

  /** Sends items, and returns the response. */
  async send(request: Q, items: Iterable<I> | AsyncIterable<I>, options?: CallOptions, receiver?: PluginObject): Promise<R> {
    checkItems(items);
    const [bytes, beside, reply, borrowed] = this.written(request, options, receiver);
    let response: Uint8Array;
    try {
      response = await this.method.sendRaw(this.#sent(items), bytes, beside);
    } catch (error) {
      throw this.failed(error);
    } finally {
      borrowed.release();
    }
    return this.answered(response, reply);
  }

  /** Sends items, and returns the received items. */
  exchange(request: Q, items: Iterable<I> | AsyncIterable<I>, options?: StreamOptions, receiver?: PluginObject): Items<R> {
    checkItems(items);
    const [bytes, beside, , borrowed] = this.written(request, options, receiver);
    return this.items(() => this.method.exchangeRaw(this.#sent(items), bytes, beside), borrowed);
  }

  async *#sent(items: Iterable<I> | AsyncIterable<I>): AsyncGenerator<Uint8Array, void, undefined> {
    let place = 0;
    for await (const item of items) {
      const first = `items[${place}]`;
      yield writing(undefined, (w) => {
        try {
          this.#item.write(w, item);
        } catch (error) {
          throw unfit(error, this.clientSchema, this.side('items'), first, w.bytes);
        }
        return w.bytes.slice();
      });
      place += 1;
    }
  }
}
