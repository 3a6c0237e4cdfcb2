// Loading plugins, and what there is to ask without one.

import { fileURLToPath } from 'node:url';
import { RustbridgeError } from './errors.js';
import type { Interceptor } from './interceptors.js';
import { stringify } from './json.js';
import { addSink, forgetSink, type LogSink, levelOf } from './logging.js';
import { onThread } from './loop.js';
import { native } from './native.js';
import { Plugin } from './plugin.js';
import { forget, register, type Service, type ServiceFunction, type ServiceLogger } from './services.js';
import { type LogLevel, levelNumber } from './status.js';

/** How a plugin is loaded. */
export interface LoadOptions {
  /** What the plugin's `create` gets: an object, JSON text, or the bytes of one. */
  config?: object | string | Uint8Array;
  /** The instance's name; the plugin has one of its own. */
  name?: string;
  /** The level up to which records are made: unless it's said, what the logger lets through, or `info` for a function. */
  logLevel?: LogLevel;
  /** How many records may wait for the loop, 4096 unless it's said; further ones are dropped and counted. */
  logCapacity?: number;
  /**
   * How many plain handlers of the plugin may run on threads of their own at once, as they do when they are called without blocking; what is
   * beyond waits. 512 unless it's said.
   */
  threads?: number;
  /** Where records go: a function, or a logger like pino's, or `console`. Nowhere unless it's said. */
  logger?: LogSink;
  /** After a panic the instance goes on, or refuses further calls. */
  onPanic?: 'continue' | 'poison';
  /** Puts the Rust backtrace of a panic into the error. */
  backtrace?: boolean;
  /** Maps the library once more for this instance, for plugins with global state of their own. */
  ownCopy?: boolean;
  /** Functions that the plugin may ask, by the names that it asks for. */
  services?: Readonly<Record<string, ServiceFunction | Service>>;
  /** Functions around each call and each stream, the outermost first. */
  interceptors?: readonly Interceptor[];
  /** Of a typed client: what it was written from. */
  contract?: string;
}

const POISON = 1;
const BACKTRACE = 2;
const OWN_COPY = 4;

/**
 * Loads a plugin from a library file, or from the library's bytes, and makes an instance of it. The loop waits meanwhile: see
 * {@link loadAsync}.
 *
 * Throws a {@link RustbridgeError} when the library can't be loaded or the plugin refuses the config.
 */
export function load(source: string | URL | Uint8Array, options: LoadOptions = {}): Plugin {
  const loading = new Loading(source, options);
  try {
    return loading.loaded(native.load(loading.given));
  } catch (error) {
    throw loading.failed(error);
  }
}

/**
 * Loads a plugin as {@link load} does, on a thread of its own, so that the loop goes on. What the plugin asks of the host while it's
 * loaded is answered by the loop.
 */
export async function loadAsync(source: string | URL | Uint8Array, options: LoadOptions = {}): Promise<Plugin> {
  const loading = new Loading(source, options);
  try {
    return loading.loaded(BigInt(await onThread((number) => native.load(loading.given, number))));
  } catch (error) {
    if (error instanceof RustbridgeError) {
      // It was made by the loop, which knows nothing of who waits.
      Error.captureStackTrace(error, loadAsync);
    }
    throw loading.failed(error);
  }
}

/** What is loaded, and how. */
class Loading {
  /** What the addon gets. */
  readonly given: unknown[];
  readonly #name: string;
  readonly #level: number;
  readonly #interceptors: readonly Interceptor[];
  readonly #services: readonly number[];
  readonly #sink: number | undefined;
  readonly #logger: ServiceLogger;

  constructor(source: string | URL | Uint8Array, options: LoadOptions) {
    const { onPanic = 'continue', logCapacity = 0, threads = 0, name = '', logger, interceptors = [] } = options;
    if (onPanic !== 'continue' && onPanic !== 'poison') {
      throw new TypeError(`onPanic is ${String(onPanic)}: expected 'continue' or 'poison'`);
    }
    if (!(Number.isInteger(logCapacity) && logCapacity >= 0 && logCapacity < 2 ** 32)) {
      throw new RangeError(`a log's capacity is a whole number of records below 2 ** 32, not ${logCapacity}`);
    }
    if (!(Number.isInteger(threads) && threads >= 0 && threads < 2 ** 32)) {
      throw new RangeError(`threads are a whole number below 2 ** 32, not ${threads}`);
    }
    if (!Array.isArray(interceptors) || interceptors.some((one) => typeof one !== 'object' || one === null)) {
      throw new TypeError('interceptors are an array of objects, each with functions `call` or `stream`, or both');
    }
    const flags = (onPanic === 'poison' ? POISON : 0) | (options.backtrace ? BACKTRACE : 0) | (options.ownCopy ? OWN_COPY : 0);
    this.#name = name;
    this.#level = levelNumber(options.logLevel ?? levelOf(logger));
    const [path, image] = sourceOf(source);
    const config = configOf(options.config);
    this.#interceptors = [...interceptors];
    this.#logger = { instance: name };
    const [services, numbers] = register(options.services ?? {}, this.#logger);
    this.#services = numbers;
    this.#sink = logger === undefined ? undefined : addSink(logger);
    this.#logger.sink = this.#level === 0 ? undefined : this.#sink;
    this.given = [path, image, config, name, flags, this.#level, logCapacity, this.#sink, services, options.contract ?? '', threads];
  }

  loaded(handle: bigint): Plugin {
    const plugin = Plugin._of({ handle, services: this.#services, sink: this.#sink }, this.#name, this.#level, this.#interceptors);
    this.#logger.instance = plugin.name;
    return plugin;
  }

  /** Lets go of what was registered; gives the error. */
  failed(error: unknown): unknown {
    forget(this.#services);
    forgetSink(this.#sink);
    return error;
  }
}

/** Gives the core's ledger: what is mapped, where it came from, and every live instance. */
export function inspect(): Record<string, unknown> {
  return JSON.parse(native.inspect()) as Record<string, unknown>;
}

/** Gives the version of the native library. */
export function nativeVersion(): string {
  return native.version();
}

function sourceOf(source: string | URL | Uint8Array): [string | undefined, Uint8Array | undefined] {
  if (typeof source === 'string') {
    return [source, undefined];
  }
  if (source instanceof URL) {
    return [fileURLToPath(source), undefined];
  }
  if (source instanceof Uint8Array) {
    return [undefined, source];
  }
  throw new TypeError(`a plugin is loaded from a path, a file URL or the bytes of a library, not ${typeof source}`);
}

function configOf(config: object | string | Uint8Array | undefined): string | Uint8Array | undefined {
  if (config === undefined || typeof config === 'string' || config instanceof Uint8Array) {
    return config;
  }
  if (typeof config === 'object' && config !== null) {
    return stringify(config);
  }
  throw new TypeError(`a config is an object, JSON text or its bytes, not ${typeof config}`);
}
