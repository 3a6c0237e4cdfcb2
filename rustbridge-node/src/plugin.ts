// Plugin instances: calls, logging and closing.

import { type Description, read } from './description.js';
import { RustbridgeError } from './errors.js';
import type { Interceptor } from './interceptors.js';
import { forgetSink } from './logging.js';
import { onThread } from './loop.js';
import { Method } from './method.js';
import { native } from './native.js';
import { type Place, places } from './objects.js';
import { type Bytes, type CallOptions, lookForTraces, type StreamOptions } from './options.js';
import { Reflection } from './reflection.js';
import { forget, isInside } from './services.js';
import { BYTES, type Encoding, encodingNumber, type LogLevel, levelName, levelNumber, type State, stateName } from './status.js';
import type { Stream } from './stream.js';

/** Options for closing an instance. */
export interface CloseOptions {
  /** How many milliseconds to wait for running calls, by default 10,000. `Infinity` means no limit. */
  timeout?: number;
  /** After how many milliseconds pending calls are cancelled. By default they aren't cancelled. */
  cancelAfter?: number;
}

/** Options of a call with bytes. */
export interface RawOptions extends CallOptions {
  /** The encoding. The default is `raw` if the method has it, otherwise `pod`. */
  encoding?: Encoding;
}

const CLOSE_TIMEOUT = 10_000;
const FOREVER = 2n ** 64n - 1n;

/** @internal An instance's registrations. They must not refer to the plugin, so that it can be collected. */
export interface Held {
  readonly handle: bigint;
  readonly services: readonly number[];
  readonly sink: number | undefined;
}

/** @internal */
export function giveUp({ services, sink }: Held): void {
  forget(services);
  forgetSink(sink);
}

const dropped = new FinalizationRegistry<Held>((held) => {
  native.abandon(held.handle);
  giveUp(held);
});

function milliseconds(timeout: number): number | bigint {
  if (!(timeout >= 0)) {
    throw new RangeError(`a timeout must be a number of milliseconds from 0 up, not ${timeout}`);
  }
  return timeout < Number.MAX_SAFE_INTEGER ? Math.ceil(timeout) : FOREVER;
}

/** One running instance of a plugin. `using` or `await using` closes it at the end of a block. */
export class Plugin {
  /** The instance's name. */
  readonly name: string;
  /** @internal */
  readonly _interceptors: readonly Interceptor[];
  /** @internal */
  readonly _hasServices: boolean;
  readonly #held: Held;
  readonly #json = new Map<string, Method>();
  readonly #bytes = new Map<string, Method>();
  readonly #placing = new Map<string | number, Place | undefined>();
  #schemas: Map<string | number, unknown> | undefined;
  #level: number;

  private constructor(held: Held, name: string, level: number, interceptors: readonly Interceptor[]) {
    this.#held = held;
    this._hasServices = held.services.length > 0;
    this.#level = level;
    this._interceptors = interceptors;
    // First of all, so that what fails below leaves no instance behind.
    dropped.register(this, held, this);
    lookForTraces();
    this.name = name || native.name(this.handle);
  }

  /** @internal */
  static _of(held: Held, name: string, level: number, interceptors: readonly Interceptor[]): Plugin {
    return new Plugin(held, name, level, interceptors);
  }

  /** The instance's handle in the host ABI, for code that calls `librustbridge` itself. */
  get handle(): bigint {
    return this.#held.handle;
  }

  /** The instance's current state. */
  get state(): State {
    return stateName(native.state(this.handle));
  }

  /** Returns the plugin's description: methods, encodings, schemas, layouts. */
  describe(): Description {
    return read(native.describe(this.handle));
  }

  /** Returns the description in the form of gRPC's reflection: services with their methods, and messages. */
  reflect(): Reflection {
    return new Reflection(this.describe());
  }

  /**
   * Prepares a method: resolves it once, by name or numeric ID, in one encoding. The result can be used for any number
   * of calls.
   */
  method(name: string | number, encoding: Encoding = 'json'): Method {
    return this.#prepare(name, encodingNumber(encoding));
  }

  /** Prepares a method with the encoding `wire` for a typed client, if the client's types match the plugin's. */
  typedMethod(name: string, fingerprint: string, clientSchema: string): Method {
    return new Method(this, name, native.prepare(this.handle, name, undefined, this._hasServices, fingerprint, clientSchema));
  }

  /** Calls a method with a value, and returns the response as a value, through JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the caller knows it to be
  call<T = any>(name: string, request?: unknown, options?: CallOptions): Promise<T> {
    try {
      return this._json(name).call<T>(request, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Calls a method like {@link call}, and blocks the event loop until the method has returned. Use it for leaf methods,
   * which are short.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callSync<T = any>(name: string, request?: unknown, options?: CallOptions): T {
    return this._json(name).callSync<T>(request, options);
  }

  /** Calls a method with bytes, and returns bytes. */
  callRaw(name: string | number, request: Bytes, options?: RawOptions): Promise<Uint8Array> {
    try {
      return this.#raw(name, options).callRaw(request, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Calls a method with bytes, and returns bytes. Blocks the event loop until the method has returned. */
  callRawSync(name: string | number, request: Bytes, options?: RawOptions): Uint8Array {
    return this.#raw(name, options).callRawSync(request, options);
  }

  /** Returns the stream of a method that sends items. See {@link Method.stream}. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  stream<T = any>(name: string, request?: unknown, options?: StreamOptions): Stream<T> {
    return this._json(name).stream<T>(request, options);
  }

  /** Sends values to a method that accepts a stream, and returns its response. See {@link Method.send}. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  send<T = any>(name: string, items: Iterable<unknown> | AsyncIterable<unknown>, request?: unknown, options?: CallOptions): Promise<T> {
    try {
      return this._json(name).send<T>(items, request, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Sends values to a method that also returns a stream. See {@link Method.exchange}. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  exchange<T = any>(
    name: string,
    items: Iterable<unknown> | AsyncIterable<unknown>,
    request?: unknown,
    options?: StreamOptions,
  ): Stream<T> {
    return this._json(name).exchange<T>(items, request, options);
  }

  /** The level up to which records are created. */
  get logLevel(): LogLevel {
    return levelName(this.#level);
  }

  set logLevel(level: LogLevel) {
    const number = levelNumber(level);
    native.setLevel(this.handle, number);
    this.#level = number;
  }

  /** Waits until all records that were created so far have been delivered, for up to `timeout` milliseconds. */
  async flushLogs(timeout = CLOSE_TIMEOUT): Promise<void> {
    await onThread((number) => native.flush(this.handle, milliseconds(timeout), number));
  }

  /**
   * Closes the instance: refuses further calls, waits for running calls, and delivers the log records. Does nothing if
   * the instance is closed.
   *
   * If calls still run when the timeout expires, the promise is rejected with `DEADLINE_EXCEEDED`. The error's details
   * name the calls. The instance stays closing, and `close` can be called again.
   */
  async close(options: CloseOptions | number = {}): Promise<void> {
    const { timeout = CLOSE_TIMEOUT, cancelAfter } = typeof options === 'number' ? { timeout: options } : options;
    const time = milliseconds(timeout);
    this.#checkOutside();
    await this.#closing(async () => {
      await onThread((number) => native.close(this.handle, time, cancelAfter, number));
    });
  }

  /**
   * Closes the instance like {@link close}, and blocks the event loop. It doesn't wait for work that needs the loop,
   * such as a service's promise.
   */
  closeSync(options: CloseOptions | number = {}): void {
    const { timeout = CLOSE_TIMEOUT, cancelAfter } = typeof options === 'number' ? { timeout: options } : options;
    if (this.state === 'closed') {
      return;
    }
    this.#checkOutside();
    native.close(this.handle, milliseconds(timeout), cancelAfter, undefined);
    native.look();
    this.#closed();
  }

  [Symbol.dispose](): void {
    this.closeSync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal */
  _json(name: string): Method {
    const known = this.#json.get(name);
    if (known !== undefined) {
      return known;
    }
    if (typeof name !== 'string') {
      throw new TypeError(`a method's name must be a string, not ${typeof name}`);
    }
    const method = this.#prepare(name, encodingNumber('json'));
    this.#json.set(name, method);
    return method;
  }

  /** @internal Returns the function that puts objects into a method's responses. */
  _place(method: Method): Place | undefined {
    const { name } = method;
    if (!this.#placing.has(name)) {
      this.#schemas ??= this.#readSchemas();
      this.#placing.set(name, places(this.#schemas.get(name)));
    }
    return this.#placing.get(name);
  }

  #readSchemas(): Map<string | number, unknown> {
    const schemas = new Map<string | number, unknown>();
    for (const method of this.describe().methods) {
      for (const entry of method.entries) {
        if (entry.encoding === 'json') {
          schemas.set(method.name, entry.response.schema);
          if (method.id !== null) {
            schemas.set(method.id, entry.response.schema);
          }
        }
      }
    }
    return schemas;
  }

  #prepare(name: string | number, encoding: number): Method {
    lookForTraces();
    if (typeof name === 'number' && !(Number.isInteger(name) && name >= 0 && name < 2 ** 32)) {
      throw new RangeError(`a method's numeric id must be a whole number below 2 ** 32, not ${name}`);
    }
    return new Method(this, name, native.prepare(this.handle, name, encoding, this._hasServices));
  }

  #raw(name: string | number, options: RawOptions | undefined): Method {
    const encoding = options?.encoding;
    const key = `${typeof name} ${name} ${encoding ?? ''}`;
    const known = this.#bytes.get(key);
    if (known !== undefined) {
      return known;
    }
    const method = this.#prepare(name, encoding === undefined ? BYTES : encodingNumber(encoding));
    this.#bytes.set(key, method);
    return method;
  }

  async #closing(close: () => Promise<void>): Promise<void> {
    if (this.#isClosed()) {
      return;
    }
    try {
      await close();
    } catch (error) {
      // Somebody else has closed it meanwhile.
      if (!(error instanceof RustbridgeError && error.code === 'UNAVAILABLE' && this.#isClosed())) {
        throw error;
      }
    } finally {
      if (this.#isClosed()) {
        native.forget(this.handle);
        this.#closed();
      }
    }
  }

  #checkOutside(): void {
    if (isInside(this.#held.services)) {
      throw new RustbridgeError(
        'FAILED_PRECONDITION',
        'the plugin is waiting for the service that closes it: close it after the service has returned',
        { type: 'rustbridge.CloseInsideCall' },
      );
    }
  }

  #isClosed(): boolean {
    return this.state === 'closed';
  }

  #closed(): void {
    dropped.unregister(this);
    giveUp(this.#held);
  }
}
