// Interceptors: a chain of functions around each call and each stream.

import type { Method } from './method.js';
import type { CallOptions, StreamOptions } from './options.js';
import type { Stream } from './stream.js';

/** A call, as an interceptor receives it. */
export interface InterceptedCall<O extends CallOptions = CallOptions> {
  /** The method that is called. */
  readonly method: Method;
  /** The request as the caller passed it: a value, text or bytes. Don't modify it. */
  readonly request: unknown;
  /** The call's options. To change them, pass others to `next`. */
  readonly options: O;
}

/**
 * Functions around each call that returns a promise, and around each stream.
 *
 * An interceptor may observe or delay a call, pass on other options, replace the response, or not continue at all. The
 * first interceptor of a list is the outermost.
 */
export interface Interceptor {
  /** Wraps a call that has one response. */
  call?(call: InterceptedCall, next: (options: CallOptions) => Promise<unknown>): Promise<unknown>;
  /** Wraps a call that returns a stream. */
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
