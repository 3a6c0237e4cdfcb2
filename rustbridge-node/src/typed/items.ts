// Items of typed streams.

import type { Stream } from '../stream.js';

/**
 * The values of a stream, as an asynchronous iterator. If you leave a loop, or use `await using`, the call is
 * cancelled.
 */
export class Items<T> implements AsyncIterableIterator<T> {
  readonly #stream: Stream<Uint8Array>;
  readonly #read: (item: Uint8Array) => T;
  readonly #fail: (error: unknown) => unknown;
  readonly #ended: (() => void) | undefined;

  /** @internal */
  constructor(stream: Stream<Uint8Array>, read: (item: Uint8Array) => T, fail: (error: unknown) => unknown, ended?: () => void) {
    this.#stream = stream;
    this.#read = read;
    this.#fail = fail;
    this.#ended = ended;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    let result: IteratorResult<Uint8Array, undefined>;
    try {
      result = await this.#stream.next();
    } catch (error) {
      this.#ended?.();
      throw this.#fail(error);
    }
    const { done, value } = result;
    if (done === true) {
      this.#ended?.();
      return { done, value: undefined };
    }
    try {
      return { done: false, value: this.#read(value) };
    } catch (error) {
      this.close();
      throw error;
    }
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

  /** Cancels the stream. Does nothing if it has ended. */
  close(): void {
    this.#stream.close();
    this.#ended?.();
  }
}
