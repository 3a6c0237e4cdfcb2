// Calls: encodes requests and decodes responses.

import { METHOD_OBJECTS, METHOD_RECEIVER, METHOD_STREAM_IN, METHOD_STREAM_OUT } from './constants.js';
import { forgetContext, keepContext, numbered } from './contexts.js';
import { errorOf, RustbridgeError } from './errors.js';
import { parse } from './json.js';
import { listeners, release } from './loop.js';
import type { Method } from './method.js';
import { type Answer, type Header, native } from './native.js';
import { lend, objectsIn, PluginObject } from './objects.js';
import { type CallOptions, header, isTraced, offloaded } from './options.js';
import { onAbort, signalOf } from './signals.js';

/** @internal The method returns objects, or is a method of an object. */
export const METHOD_CARRIES = METHOD_OBJECTS | METHOD_RECEIVER;

/** @internal The form in which the caller wants the response. */
export type Form = 'value' | 'text' | 'bytes';

const encoder = new TextEncoder();

/** @internal Returns a payload in the form that the caller wants. */
export function formed(payload: string | Uint8Array, form: Form): unknown {
  if (typeof payload === 'string') {
    return form === 'value' ? parse(payload) : form === 'text' ? payload : encoder.encode(payload);
  }
  return payload;
}

/** @internal An encoded request, and its header. */
export interface EncodedRequest {
  data: string | NodeJS.TypedArray;
  header: Header | undefined;
}

const NONE: CallOptions = {};

/** @internal Encodes a method's request as JSON. */
export function written(
  method: Method,
  request: unknown,
  options: CallOptions | undefined,
  receiver: PluginObject | undefined,
): EncodedRequest {
  const given: PluginObject[] | undefined = receiver === undefined && options?.objects === undefined ? undefined : [];
  if (receiver !== undefined) {
    given?.push(receiver);
  }
  if (options?.objects !== undefined) {
    given?.push(...options.objects);
  }
  const [data, lent] = lend(request, given);
  if (options === undefined && lent === undefined && (method._flags & METHOD_CARRIES) === 0 && !isTraced()) {
    return { data, header: undefined };
  }
  return { data, header: beside(method, options, lent ?? []) };
}

/** @internal Throws `UNIMPLEMENTED` unless the method has the streams that the caller uses. Otherwise items would be dropped without an error. */
export function checkStreams(method: Method, wanted: number): void {
  const has = method._flags & (METHOD_STREAM_OUT | METHOD_STREAM_IN);
  if ((has & wanted) === wanted) {
    return;
  }
  const name = JSON.stringify(method.name);
  const [what, type] =
    (wanted & ~has & METHOD_STREAM_IN) === 0
      ? [`${name} returns no stream`, 'rustbridge.NoStream']
      : [`${name} accepts no items`, 'rustbridge.NoItems'];
  const instead = has === 0 ? 'call' : has === METHOD_STREAM_IN ? 'send' : has === METHOD_STREAM_OUT ? 'stream' : 'exchange';
  throw new RustbridgeError('UNIMPLEMENTED', `${what}: use \`${instead}\``, { type });
}

/** @internal Returns a request's header. */
export function beside(method: Method, options: CallOptions | undefined, lent: readonly PluginObject[]): Header | undefined {
  const isNeeded = (method._flags & METHOD_CARRIES) !== 0 || options?.reply !== undefined;
  return header(options ?? NONE, lent, isNeeded);
}

/** @internal Converts an answer to the caller's value, or throws its error. */
export function finish(method: Method, [status, payload, trailers, objects, headers]: Answer, options: CallOptions, form: Form): unknown {
  const { reply } = options;
  if (reply !== undefined) {
    reply._take(trailers);
    if (headers !== undefined) {
      reply._takeHeaders(headers);
    }
  }
  if (status !== 0) {
    release(objects);
    throw errorOf(status, payload);
  }
  if (objects === undefined) {
    return formed(payload, form);
  }
  return withObjects(method, formed(payload, form), objects, options, form);
}

function withObjects(method: Method, answer: unknown, objects: bigint[], options: CallOptions, form: Form): unknown {
  const { plugin } = method;
  const all = objects.map((number) => new PluginObject(plugin, number));
  const place = form === 'value' ? plugin._place(method) : undefined;
  const value = place === undefined ? answer : place(answer, all);
  if (options.reply !== undefined) {
    options.reply.objects = all;
  } else {
    const settled = place === undefined ? new Set() : new Set(objectsIn(value));
    for (const one of all) {
      if (!settled.has(one)) {
        one.close();
      }
    }
  }
  return value;
}

/** @internal Makes a blocking call. */
export function callSync(method: Method, { data, header }: EncodedRequest, options: CallOptions | undefined, form: Form): unknown {
  // Nothing aborts it once it has begun, since the loop waits.
  signalOf(options)?.throwIfAborted();
  return finish(method, method._call(data, header), options ?? NONE, form);
}

/** Waits for the end of one call. */
class Call {
  readonly method: Method;
  readonly options: CallOptions;
  readonly form: Form;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Removes the call from its abort signal. */
  forget: (() => void) | undefined = undefined;
  /** That of the caller's context. */
  number = 0;

  constructor(method: Method, options: CallOptions, form: Form, resolve: (value: unknown) => void, reject: (error: unknown) => void) {
    this.method = method;
    this.options = options;
    this.form = form;
    this.resolve = resolve;
    this.reject = reject;
  }

  done(status: number, payload: string | Uint8Array, trailers: Uint8Array | undefined, objects: bigint[] | undefined): void {
    this.forget?.();
    forgetContext(this.number);
    if (status !== 0) {
      this.resolve(new Failed(this, [status, payload, trailers, objects]));
      return;
    }
    try {
      if (objects === undefined && trailers === undefined && this.options.reply === undefined) {
        this.resolve(formed(payload, this.form));
      } else {
        this.resolve(finish(this.method, [status, payload, trailers, objects], this.options, this.form));
      }
    } catch (error) {
      this.reject(error);
    }
  }

  headers(headers: Uint8Array): void {
    this.options.reply?._takeHeaders(headers);
  }
}

/** A call that has failed, whose error isn't made yet. */
class Failed {
  readonly #call: Call;
  readonly #answer: Answer;

  constructor(call: Call, answer: Answer) {
    this.#call = call;
    this.#answer = answer;
  }

  raise(): never {
    finish(this.#call.method, this.#answer, this.#call.options, this.#call.form);
    throw new TypeError('the call has not failed');
  }
}

/**
 * Gives a call's value, or throws its error. As a promise's reaction it makes the error where the engine knows who awaits the call, so that
 * the stack has the caller's frames.
 */
function settled(value: unknown): unknown {
  return value instanceof Failed ? value.raise() : value;
}

/** Where answers in bytes are written that come at once. None is longer that does. */
const storage = new Uint8Array(4096);

/** @internal Submits a call. Throws errors that are found before the submission. */
export function call(method: Method, { data, header }: EncodedRequest, options: CallOptions | undefined, form: Form): Promise<unknown> {
  const signal = signalOf(options);
  if (signal?.aborted) {
    return Promise.reject(signal.reason);
  }
  if ((method._flags & (METHOD_STREAM_OUT | METHOD_STREAM_IN)) !== 0) {
    // It has no answer of its own to wait for, and what waits is told so.
    callSync(method, { data, header }, options, form);
  }
  const target = form === 'bytes' ? storage : undefined;
  const number = keepContext(method);
  let token: ReturnType<typeof method._submit>;
  try {
    token = method._submit(data, offloaded(options), numbered(header, number), undefined, undefined, target);
  } catch (error) {
    forgetContext(number);
    throw error;
  }
  if (typeof token !== 'number' || token < 0) {
    forgetContext(number);
  }
  if (typeof token !== 'number') {
    const given = options ?? NONE;
    if (Array.isArray(token)) {
      return Promise.resolve(finish(method, token, given, form));
    }
    return Promise.resolve(given.reply === undefined ? formed(token, form) : finish(method, [0, token, undefined, undefined], given, form));
  }
  if (token < 0) {
    const answer = storage.slice(0, -1 - token);
    options?.reply?._take(undefined);
    return Promise.resolve(answer);
  }
  const ended = new Promise((resolve, reject) => {
    const pending = new Call(method, options ?? NONE, form, resolve, reject);
    listeners[token] = pending;
    pending.number = number;
    if (signal !== undefined) {
      pending.forget = onAbort(signal, () => {
        // The number may be another call's by now.
        if (listeners[token] !== pending) {
          return;
        }
        listeners[token] = undefined;
        forgetContext(number);
        native.detach(token);
        reject(signal.reason);
      });
    }
  });
  return ended.then(settled);
}
