// Streams: items that a plugin sends, items that are sent to it, and both.
//
// The consumer grants credit for a number of items and bytes. It grants more when half of the window has been consumed.
// So memory is bounded, however fast the plugin is.

import { type EncodedRequest, type Form, finish, formed } from './calls.js';
import { forgetContext, keepByStream, keepContext, leaveStream, numbered } from './contexts.js';
import { errorOf, told } from './errors.js';
import { type Listener, listeners, release } from './loop.js';
import type { Method } from './method.js';
import { type Answer, native } from './native.js';
import { PluginObject } from './objects.js';
import { type CallOptions, offloaded, type Reply, type StreamOptions } from './options.js';
import { onAbort, signalOf } from './signals.js';
import { Status } from './status.js';

/** The defaults for how many items, and how many bytes, may be in flight. */
const WINDOW = 256;
const WINDOW_BYTES = 256 * 1024;

/** How many items are sent at once at most. */
const AT_ONCE = 256;

/** @internal Items that are sent, and how one is written. */
export interface Source {
  items: Iterable<unknown> | AsyncIterable<unknown>;
  write: (item: unknown) => Uint8Array;
}

interface Batch {
  items: (string | Uint8Array)[];
  size: number;
  objects: bigint[] | undefined;
}

/** An operation with items, and what has come of it. */
class Pipe implements Listener {
  readonly method: Method;
  readonly reply: Reply | undefined;
  readonly offload: number;
  readonly window: number;
  readonly windowBytes: number;
  token = -1;
  batches: Batch[] = [];
  /** How it has ended. */
  answer: Answer | undefined;
  /** Why what was sent has ended, if it's the sender's fault. */
  error: { reason: unknown } | undefined;
  isOver = false;
  credit = 0;
  creditBytes = 0;
  wake: (() => void) | undefined;
  asked: (() => void) | undefined;
  #itemsDue = 0;
  #bytesDue = 0;
  /** That of the caller's context. */
  number = 0;

  constructor(method: Method, options: CallOptions | undefined, window: number, windowBytes: number) {
    this.method = method;
    this.reply = options?.reply;
    this.offload = offloaded(options);
    this.window = window;
    this.windowBytes = windowBytes;
  }

  begin({ data, header }: EncodedRequest): void {
    this.number = keepContext(this.method);
    let token: ReturnType<typeof this.method._submit>;
    try {
      token = this.method._submit(data, this.offload, numbered(header, this.number), this.window, this.windowBytes);
    } catch (error) {
      forgetContext(this.number);
      throw error;
    }
    if (typeof token === 'number') {
      this.token = token;
      listeners[token] = this;
    } else {
      this.end(Array.isArray(token) ? token : [0, token, undefined, undefined]);
    }
  }

  items(items: (string | Uint8Array)[], size: number, objects: bigint[] | undefined): void {
    this.batches.push({ items, size, objects });
    this.wake?.();
  }

  demand(items: number, bytes: number): void {
    this.credit = items;
    this.creditBytes = bytes;
    this.asked?.();
  }

  headers(headers: Uint8Array): void {
    this.reply?._takeHeaders(headers);
  }

  done(status: number, payload: string | Uint8Array, trailers: Uint8Array | undefined, objects: bigint[] | undefined): void {
    this.end([status, payload, trailers, objects]);
  }

  end(answer: Answer | undefined): void {
    forgetContext(this.number);
    this.answer = answer;
    this.isOver = true;
    this.token = -1;
    this.asked?.();
    this.wake?.();
  }

  /** Says that so much was taken, and asks for more when it's half of the window. */
  taken(items: number, bytes: number): void {
    this.#itemsDue += items;
    this.#bytesDue += bytes;
    if (this.isOver || (2 * this.#itemsDue < this.window && 2 * this.#bytesDue < this.windowBytes)) {
      return;
    }
    native.demand(this.token, this.#itemsDue, this.#bytesDue);
    this.#itemsDue = 0;
    this.#bytesDue = 0;
  }

  /** Sends items in one go; whether they were taken. */
  write(items: Uint8Array[]): boolean {
    const ends = new Uint32Array(items.length);
    let size = 0;
    for (const [index, item] of items.entries()) {
      size += item.length;
      ends[index] = size;
    }
    const only = items.length === 1 ? items[0] : undefined;
    const status = native.write(this.token, only ?? Buffer.concat(items, size), ends);
    if (status !== Status.OK) {
      // What was known of the credit was old news; or it has ended, and its answer says how.
      this.credit = 0;
      return false;
    }
    this.credit -= items.length;
    this.creditBytes -= size;
    return true;
  }

  /** Ends what is sent: complete, or not. */
  finish(error?: { reason: unknown }): void {
    if (!this.isOver) {
      const [status, payload] = error === undefined ? [0, ''] : [Status.CANCELLED, told(error.reason)[1]];
      try {
        native.end(this.token, status, payload);
      } catch {
        // It has ended meanwhile, and its answer says how.
      }
    }
  }

  /** Gives it up, and releases what nobody has taken. */
  abandon(): void {
    const { token, answer, batches } = this;
    this.end(undefined);
    this.batches = [];
    if (token >= 0) {
      listeners[token] = undefined;
      native.detach(token);
    }
    for (const batch of batches) {
      release(batch.objects);
    }
    release(answer?.[3]);
  }
}

/** Sends items as fast as the plugin takes them. */
async function pump(pipe: Pipe, { items, write }: Source): Promise<void> {
  const held: Uint8Array[] = [];

  /** Sends what's held; whether it's worth going on. */
  async function send(): Promise<boolean> {
    while (held.length > 0 && !pipe.isOver) {
      let count = pipe.creditBytes > 0 ? Math.min(held.length, pipe.credit) : 0;
      // The bytes may be less than was held for; one item goes as soon as there are any.
      let size = 0;
      for (let index = 0; index < count; index++) {
        if (size >= pipe.creditBytes) {
          count = index;
        }
        size += held[index]?.length ?? 0;
      }
      if (count > 0 && pipe.write(held.slice(0, count))) {
        held.splice(0, count);
        continue;
      }
      await new Promise<void>((resolve) => {
        pipe.asked = resolve;
      });
      pipe.asked = undefined;
    }
    return !pipe.isOver;
  }

  try {
    if (Array.isArray(items)) {
      // Those that are there already go together.
      for (let at = 0; at < items.length; at += AT_ONCE) {
        held.push(...items.slice(at, at + AT_ONCE).map(write));
        if (!(await send())) {
          return;
        }
      }
    } else {
      for await (const item of items) {
        held.push(write(item));
        if (!(await send())) {
          return;
        }
      }
    }
    pipe.finish();
  } catch (reason) {
    // Told to who waits for the answer.
    pipe.finish({ reason });
    pipe.abandon();
    pipe.error = { reason };
    pipe.wake?.();
  }
}

const dropped = new FinalizationRegistry<Pipe>((pipe) => pipe.abandon());

/**
 * The items of a call, as an asynchronous iterator. The call starts when the first item is requested.
 *
 * A status other than OK is thrown after the items that arrived before it. If you leave a loop, or use `await using`,
 * the call is cancelled. A stream can have one consumer at a time.
 */
export class Stream<T> implements AsyncIterableIterator<T> {
  /** The objects of the last received item, if its value doesn't contain them. */
  objects: PluginObject[] = [];
  readonly #pipe: Pipe;
  readonly #written: EncodedRequest;
  /** The options may have another by the time that it's over. */
  readonly #signal: AbortSignal | undefined;
  readonly #form: Form;
  readonly #source: Source | undefined;
  #isBegun = false;
  #isEnded = false;
  #items: (string | Uint8Array)[] = [];
  #at = 0;
  #itemSize = 0;
  #numbers: bigint[] = [];
  /** Removes the stream from its abort signal. */
  #forget: (() => void) | undefined;

  /** @internal */
  constructor(method: Method, written: EncodedRequest, options: StreamOptions | undefined, form: Form, source?: Source) {
    const { window = WINDOW, windowBytes = WINDOW_BYTES } = options ?? {};
    if (!(window >= 1) || !(windowBytes >= 1)) {
      throw new RangeError('a window must be at least one item and one byte');
    }
    this.#pipe = new Pipe(method, options, window, windowBytes);
    this.#written = written;
    this.#signal = signalOf(options);
    this.#form = form;
    this.#source = source;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    if (this.#at < this.#items.length || (await this.#ready())) {
      return { done: false, value: this.#take() };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  async throw(error?: unknown): Promise<IteratorResult<T, undefined>> {
    this.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** Iterates over the same items in the arrays in which they arrive. This is faster for many small items. */
  async *batches(): AsyncGenerator<T[], void, undefined> {
    try {
      while (this.#at < this.#items.length || (await this.#ready())) {
        const batch: T[] = [];
        while (this.#at < this.#items.length) {
          batch.push(this.#take());
        }
        yield batch;
      }
    } finally {
      this.close();
    }
  }

  /** Cancels the stream. Does nothing if it has ended. */
  close(): void {
    if (this.#isEnded) {
      return;
    }
    this.#finish();
    release(this.#numbers);
    this.#numbers = [];
    this.#items = [];
    this.#at = 0;
    this.#pipe.abandon();
  }

  #take(): T {
    const item = this.#items[this.#at++];
    const value = formed(item ?? '', this.#form) as T;
    this.#pipe.taken(1, this.#itemSize);
    return this.#numbers.length === 0 && this.objects.length === 0 ? value : this.#placed(value);
  }

  #placed(value: T): T {
    const { method } = this.#pipe;
    const left = this.#items.length - this.#at + 1;
    const numbers = this.#numbers.splice(0, this.#numbers.length / left);
    this.objects = numbers.map((number) => new PluginObject(method.plugin, number));
    const place = this.#form === 'value' ? method.plugin._place(method) : undefined;
    return place === undefined ? value : (place(value, this.objects) as T);
  }

  /** Waits until there are items; whether there are. Throws what it has ended with. */
  async #ready(): Promise<boolean> {
    if (this.#isEnded) {
      return false;
    }
    if (this.#pipe.wake !== undefined) {
      throw new Error('a stream has one consumer at a time, but another one is already waiting for its items');
    }
    const pipe = this.#pipe;
    const signal = this.#signal;
    if (!this.#isBegun) {
      this.#begin();
    }
    while (pipe.batches.length === 0 && !pipe.isOver) {
      // Who waits is held by what is pending, and holds the stream: it isn't dropped as long as somebody waits.
      await new Promise<void>((resolve) => {
        pipe.wake = resolve;
      });
      pipe.wake = undefined;
    }
    if (signal?.aborted) {
      this.close();
      throw signal.reason;
    }
    const batch = pipe.batches.shift();
    if (batch !== undefined) {
      this.#items = batch.items;
      this.#at = 0;
      this.#itemSize = batch.size / batch.items.length;
      this.#numbers = batch.objects ?? [];
      return true;
    }
    this.#finish();
    if (pipe.error !== undefined) {
      throw pipe.error.reason;
    }
    if (pipe.answer !== undefined) {
      const [status, payload, trailers, objects, headers] = pipe.answer;
      const { reply } = pipe;
      reply?._take(trailers);
      if (headers !== undefined) {
        reply?._takeHeaders(headers);
      }
      release(objects);
      if (status !== 0) {
        throw errorOf(status, payload);
      }
    }
    return false;
  }

  #begin(): void {
    const signal = this.#signal;
    signal?.throwIfAborted();
    this.#isBegun = true;
    const pipe = this.#pipe;
    try {
      pipe.begin(this.#written);
    } catch (error) {
      // There's nothing to wait for.
      this.close();
      throw error;
    }
    keepByStream(this, pipe.number);
    dropped.register(this, pipe, this);
    if (signal !== undefined) {
      this.#forget = onAbort(signal, () => {
        pipe.abandon();
      });
    }
    if (this.#source !== undefined) {
      void pump(pipe, this.#source);
    }
  }

  #finish(): void {
    this.#isEnded = true;
    leaveStream(this);
    dropped.unregister(this);
    this.#forget?.();
  }
}

/** @internal Sends items to a method that answers once. */
export async function send(
  method: Method,
  written: EncodedRequest,
  options: CallOptions | undefined,
  form: Form,
  source: Source,
): Promise<unknown> {
  const signal = signalOf(options);
  signal?.throwIfAborted();
  const pipe = new Pipe(method, options, 0, 0);
  pipe.begin(written);
  const forget =
    signal &&
    onAbort(signal, () => {
      pipe.abandon();
      pipe.error = { reason: signal.reason };
    });
  void pump(pipe, source);
  while (!pipe.isOver) {
    await new Promise<void>((resolve) => {
      pipe.wake = resolve;
    });
  }
  forget?.();
  // What has failed to give items may have said so after it has ended them.
  await Promise.resolve();
  if (pipe.error !== undefined) {
    throw pipe.error.reason;
  }
  return finish(method, pipe.answer ?? [Status.CANCELLED, '', undefined, undefined], options ?? {}, form);
}
