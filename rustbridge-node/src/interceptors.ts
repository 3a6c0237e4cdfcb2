// Interceptors: a chain of functions around each call and each stream.

import type { Method } from './method.js';
import type { CallOptions, StreamOptions } from './options.js';
import type { Stream } from './stream.js';

/** What an interceptor is told of a call. */
export interface InterceptedCall<O extends CallOptions = CallOptions> {
  /** The method that is called. */
  readonly method: Method;
  /** The request: a value, text or bytes, as the caller has given it. It's for looking at. */
  readonly request: unknown;
  /** What the call carries. Pass others to `next` to have it carry those. */
  readonly options: O;
}

/**
 * A function, or two, around each call of a plugin that doesn't block, and each stream. It may look, wait, pass other options on, make
 * another answer of what comes, or not go on at all. The first of a list is the outermost.
 */
export interface Interceptor {
  /** Around a call with one answer. */
  call?(call: InterceptedCall, next: (options: CallOptions) => Promise<unknown>): Promise<unknown>;
  /** Around a call that answers with a stream. */
  stream?(
    call: InterceptedCall<StreamOptions>,
    next: (options: StreamOptions) => AsyncIterableIterator<unknown>,
  ): AsyncIterableIterator<unknown>;
}

/** @internal */
export function aroundCall<T>(
  method: Method,
  request: unknown,
  options: CallOptions | undefined,
  begin: (options: CallOptions | undefined) => Promise<T>,
): Promise<T> {
  const interceptors = method.plugin._interceptors;
  if (interceptors.length === 0) {
    return begin(options);
  }
  const chain = interceptors.reduceRight<(options: CallOptions) => Promise<unknown>>((next, one) => {
    return async (options) => (one.call === undefined ? next(options) : one.call({ method, request, options }, next));
  }, begin);
  return chain(options ?? {}) as Promise<T>;
}

/** @internal */
export function aroundStream<T>(
  method: Method,
  request: unknown,
  options: StreamOptions | undefined,
  begin: (options: StreamOptions | undefined) => Stream<T>,
): AsyncIterableIterator<unknown> {
  const interceptors = method.plugin._interceptors;
  if (interceptors.length === 0) {
    return begin(options);
  }
  const chain = interceptors.reduceRight<(options: StreamOptions) => AsyncIterableIterator<unknown>>((next, one) => {
    return (options) => one.stream?.({ method, request, options }, next) ?? next(options);
  }, begin);
  return chain(options ?? {});
}
