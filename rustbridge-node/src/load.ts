// Loading plugins, and functions that need no plugin.

import { fileURLToPath } from 'node:url';
import { LOAD_BACKTRACE, LOAD_OWN_COPY, LOAD_POISON } from './constants.js';
import { RustbridgeError } from './errors.js';
import type { Interceptor } from './interceptors.js';
import { stringify } from './json.js';
import { addSink, forgetSink, type LogSink, levelOf } from './logging.js';
import { onThread } from './loop.js';
import { native } from './native.js';
import { Plugin } from './plugin.js';
import { forget, register, type Service, type ServiceFunction, type ServiceLogger } from './services.js';
import { type LogLevel, levelNumber } from './status.js';

/** Options for loading a plugin. */
export interface LoadOptions {
  /** The configuration for the plugin's `create`: an object, JSON text, or the bytes of JSON text. */
  config?: object | string | Uint8Array;
  /** The instance's name. The default is the plugin's own name. */
  name?: string;
  /** The level up to which records are created. The default is the logger's level, or `info` for a function. */
  logLevel?: LogLevel;
  /** How many records may wait for the loop, by default 4096. Further records are dropped and counted. */
  logCapacity?: number;
  /**
   * How many plain handlers of the plugin may run on threads of the library at once, by default 512. Further calls
   * wait. Plain handlers run on these threads if the call doesn't block the loop.
   */
  threads?: number;
  /** The receiver of log records: a function, a logger such as pino's, or `console`. By default there is none. */
  logger?: LogSink;
  /** Whether the instance continues after a panic, or refuses further calls. The default is `continue`. */
  onPanic?: 'continue' | 'poison';
  /** Whether the error of a panic has the Rust backtrace. */
  backtrace?: boolean;
  /** Whether the library is mapped once more for this instance, for plugins with global state of their own. */
  ownCopy?: boolean;
  /** Functions that the plugin may call, by name. */
  services?: Readonly<Record<string, ServiceFunction | Service>>;
  /** Functions around each call and each stream. The first one is the outermost. */
  interceptors?: readonly Interceptor[];
  /** The client schema of a typed client. */
  clientSchema?: string;
}

/**
 * Loads a plugin from a library file, or from the library's bytes, and creates an instance. This blocks the event loop;
 * {@link loadAsync} doesn't.
 *
 * Throws a {@link RustbridgeError} if the library can't be loaded, or if the plugin refuses the configuration.
 */
export function load(source: string | URL | Uint8Array, options: LoadOptions = {}): Plugin {
  const loading = new LoadRequest(source, options);
  try {
    return loading.loaded(native.load(loading.given));
  } catch (error) {
    throw loading.failed(error);
  }
}

/**
 * Loads a plugin like {@link load}, on another thread, so the event loop continues.
 *
 * If the plugin calls a service while it's loaded, the service runs on the loop.
 */
export async function loadAsync(source: string | URL | Uint8Array, options: LoadOptions = {}): Promise<Plugin> {
  const loading = new LoadRequest(source, options);
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
class LoadRequest {
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
      throw new RangeError(`a log capacity must be a whole number of records below 2 ** 32, not ${logCapacity}`);
    }
    if (!(Number.isInteger(threads) && threads >= 0 && threads < 2 ** 32)) {
      throw new RangeError(`a number of threads must be a whole number below 2 ** 32, not ${threads}`);
    }
    if (!Array.isArray(interceptors) || interceptors.some((one) => typeof one !== 'object' || one === null)) {
      throw new TypeError('interceptors must be an array of objects, each with a function `call` or `stream`, or both');
    }
    const flags =
      (onPanic === 'poison' ? LOAD_POISON : 0) | (options.backtrace ? LOAD_BACKTRACE : 0) | (options.ownCopy ? LOAD_OWN_COPY : 0);
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
    this.given = [path, image, config, name, flags, this.#level, logCapacity, this.#sink, services, options.clientSchema ?? '', threads];
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

/** Returns the core's registry: the mapped libraries, their sources, and all live instances. */
export function inspect(): Record<string, unknown> {
  return JSON.parse(native.inspect()) as Record<string, unknown>;
}

/** Returns the version of the native library. */
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
  throw new TypeError(`a plugin's source must be a path, a file URL or the bytes of a library, not ${typeof source}`);
}

function configOf(config: object | string | Uint8Array | undefined): string | Uint8Array | undefined {
  if (config === undefined || typeof config === 'string' || config instanceof Uint8Array) {
    return config;
  }
  if (typeof config === 'object' && config !== null) {
    return stringify(config);
  }
  throw new TypeError(`a config must be an object, JSON text or its bytes, not ${typeof config}`);
}
