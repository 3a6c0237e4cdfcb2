// Services: functions of this program that a plugin calls.
//
// A plugin's thread never enters JavaScript. Its call goes to the loop's completion queue, and completes when the
// function's promise does. There is one exception: during a call that blocks the loop's thread, the function runs at
// once on that thread. Then it can't return a promise.

import { AsyncLocalStorage } from 'node:async_hooks';
import { inContext } from './contexts.js';
import { RustbridgeError, told } from './errors.js';
import { parse, stringify } from './json.js';
import { logFailure } from './logging.js';
import { hooks } from './loop.js';
import { type Beside, native } from './native.js';
import { type Bytes, formatTrace, typed, unpack } from './options.js';
import { type Encoding, encodingNumber, Status } from './status.js';

/** The call that a service's function answers. */
export class ServiceCall {
  /** The call's `traceparent` and `tracestate`. */
  readonly trace: readonly [string, string] | undefined;
  /** Aborted when the caller no longer waits for the response. */
  readonly signal: AbortSignal;
  readonly #metadata: Uint8Array | undefined;
  readonly #until: number | undefined;

  /** @internal */
  constructor(beside: Beside | undefined, signal: AbortSignal) {
    const [timeout, trace, state, metadata] = beside ?? [];
    this.#metadata = metadata;
    this.#until = timeout === undefined ? undefined : performance.now() + timeout / 1e6;
    this.trace = trace === undefined ? undefined : [formatTrace(trace), state ?? ''];
    this.signal = signal;
  }

  /** The call's metadata, as pairs of key and value. */
  get metadata(): [string, Uint8Array][] {
    return unpack(this.#metadata);
  }

  /** How many milliseconds remain until the call's deadline; `undefined` if it has no deadline. */
  get timeLeft(): number | undefined {
    return this.#until === undefined ? undefined : Math.max(0, this.#until - performance.now());
  }
}

const current = new AsyncLocalStorage<ServiceCall>();

/**
 * Returns the call that a service's function answers, also after an `await`. It's for functions that don't receive the
 * call as an argument.
 *
 * Throws an `Error` outside of a service.
 */
export function serviceCall(): ServiceCall {
  const call = current.getStore();
  if (call === undefined) {
    throw new Error('serviceCall() must be called inside a service');
  }
  return call;
}

/**
 * The function of a service. It may return a promise. If it throws, or if its promise is rejected, the plugin receives the
 * error; throw a {@link RustbridgeError} to choose the status.
 */
// biome-ignore lint/suspicious/noExplicitAny: what a plugin asks is what the function knows it to be
export type ServiceFunction = (request: any, call: ServiceCall) => unknown;

/** A function to register as a service, with its encoding. */
export interface Service {
  /**
   * The encoding, by default `json`: the function accepts and returns values. With any other encoding, it accepts and
   * returns bytes.
   */
  encoding?: Encoding;
  /** The function. */
  call: ServiceFunction;
  /** @internal Called when the instance has ended. */
  ended?: () => void;
}

interface RegisteredService {
  number: number;
  name: string;
  isJson: boolean;
  call: ServiceFunction;
  /** Who is told of what it throws. */
  logger: ServiceLogger;
  ended: (() => void) | undefined;
}

/** @internal The sink of an instance's records, and the instance's name. */
export interface ServiceLogger {
  sink?: number | undefined;
  instance: string;
}

const registered = new Map<number, RegisteredService>();
let last = 0;

/** The service whose function is on the stack. */
let running: number | undefined;

/** @internal Whether the stack is inside of one of these services, for which its plugin waits. */
export function isInside(numbers: readonly number[]): boolean {
  return running !== undefined && numbers.includes(running);
}

/** Calls that are being answered, and what ends them early. */
const answering = new Map<bigint, AbortController>();

/** One for all calls that are answered at once: nobody can cancel those. */
const never = new AbortController().signal;

/** @internal The payload of an error with a type. The library determines its status. */
export class ThrownPayload {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** What a plugin is told of what a service has thrown. What has no status of its own is logged. */
function failed({ name, logger }: RegisteredService, error: unknown): [number, string | Uint8Array] {
  if (error instanceof ThrownPayload) {
    return [Status.UNKNOWN, error.bytes];
  }
  if (!(error instanceof RustbridgeError)) {
    logFailure(logger.sink, logger.instance, name, error);
  }
  return told(error);
}

function answer({ isJson }: RegisteredService, value: unknown): [number, string | Uint8Array] {
  if (isJson) {
    return [Status.OK, stringify(value)];
  }
  const data = typed(value as Bytes);
  return [Status.OK, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
}

function run(service: RegisteredService, beside: Beside | undefined, request: string | Uint8Array, signal: AbortSignal): unknown {
  const given = typeof request === 'string' ? parse(request) : request;
  const before = running;
  running = service.number;
  const call = new ServiceCall(beside, signal);
  try {
    return inContext(beside?.[4], () => current.run(call, service.call, given, call));
  } finally {
    running = before;
  }
}

const STACK_EXHAUSTED = '{"code":"RESOURCE_EXHAUSTED","message":"the stack of JavaScript is exhausted","type":"rustbridge.StackExhausted"}';

function now(service: RegisteredService, beside: Beside | undefined, request: string | Uint8Array): [number, string | Uint8Array] {
  try {
    const value = run(service, beside, request, never);
    if (isPromise(value)) {
      // What it's rejected with is nobody's.
      value.then(undefined, () => undefined);
      throw new RustbridgeError(
        'FAILED_PRECONDITION',
        `the service ${service.name} returned a promise, but the event loop that must settle it is waiting for the plugin: call the plugin's ` +
          'method asynchronously',
        { type: 'rustbridge.WaitsForItself' },
      );
    }
    return answer(service, value);
  } catch (error) {
    // A service that releases objects fails only if the stack is exhausted. The plugin releases them again later.
    return service.ended === undefined ? failed(service, error) : [Status.RESOURCE_EXHAUSTED, STACK_EXHAUSTED];
  }
}

async function later(call: bigint, service: RegisteredService, beside: Beside | undefined, request: string | Uint8Array): Promise<void> {
  const controller = new AbortController();
  answering.set(call, controller);
  let error: unknown;
  try {
    const value = await run(service, beside, request, controller.signal);
    native.reply(call, ...answer(service, value));
    return;
  } catch (thrown) {
    error = thrown;
  } finally {
    answering.delete(call);
  }
  native.reply(call, ...failed(service, error));
}

hooks.ask = (call, number, beside, request) => {
  const service = registered.get(number);
  if (service === undefined) {
    const gone = told(
      new RustbridgeError('UNAVAILABLE', 'the service is no longer registered: the plugin was closed', { type: 'rustbridge.ServiceGone' }),
    );
    if (call === undefined) {
      return gone;
    }
    native.reply(call, ...gone);
    return undefined;
  }
  if (call === undefined) {
    return now(service, beside, request);
  }
  void later(call, service, beside, request);
  return undefined;
};

hooks.forget = (call) => answering.get(call)?.abort();

/** @internal Registers services. Returns the addon's arguments, and the numbers to remove when the instance ends. */
export function register(
  services: Readonly<Record<string, ServiceFunction | Service>>,
  logger: ServiceLogger,
): [told: [string, number, number][], numbers: number[]] {
  const all: [string, number, number][] = [];
  for (const [name, given] of Object.entries(services)) {
    const { call, encoding = 'json', ended }: Service = typeof given === 'function' ? { call: given } : given;
    if (typeof call !== 'function') {
      throw new TypeError(`the service ${name} isn't a function`);
    }
    last += 1;
    all.push([name, encodingNumber(encoding), last]);
    registered.set(last, { number: last, name, isJson: encoding === 'json', call, logger, ended });
  }
  return [all, all.map(([, , number]) => number)];
}

/** @internal Gives up the services of an instance that has ended. */
export function forget(numbers: readonly number[]): void {
  for (const number of numbers) {
    registered.get(number)?.ended?.();
    registered.delete(number);
  }
}
