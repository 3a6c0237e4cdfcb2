// Call options and replies.

import { CONTEXT_HEADERS, CONTEXT_TIMEOUT, CONTEXT_TRACE } from './constants.js';
import type { Header } from './native.js';
import type { PluginObject } from './objects.js';

/** Keys and values of metadata. Keys may repeat, except in an object. */
export type Metadata = Record<string, string | Uint8Array> | Iterable<readonly [string, string | Uint8Array]>;

/** Bytes of a request: a typed array, a `DataView` or their buffer. */
export type Bytes = NodeJS.TypedArray | DataView | ArrayBuffer | SharedArrayBuffer;

/** Options of a call, in addition to its request. They may be kept and used for any number of calls. */
export interface CallOptions {
  /** The call's timeout in milliseconds. When it expires, the call fails with `DEADLINE_EXCEEDED`. */
  timeout?: number;
  /** Cancels the call: the promise is rejected with the signal's reason, and the plugin drops the call. */
  signal?: AbortSignal | undefined;
  /** Pairs of key (visible ASCII without capitals) and value (text or bytes). */
  metadata?: Metadata;
  /**
   * A W3C `traceparent`, or a pair of `traceparent` and `tracestate`. Without it, OpenTelemetry's current span is sent,
   * if there is one.
   */
  trace?: string | readonly [string, string] | undefined;
  /** The objects that the call borrows, in the order in which the request refers to them. */
  objects?: readonly PluginObject[];
  /** Receives the headers, trailers and objects of the response. */
  reply?: Reply;
  /**
   * Whether an asynchronous handler runs on a thread of the plugin from the start. Otherwise it runs on the loop's
   * thread until it first waits. Use it if a handler computes before that. Plain handlers never run on the loop's
   * thread, unless the call blocks or the method is a leaf method.
   */
  offload?: boolean;
}

/** @internal What of a call doesn't run on the loop's thread but a leaf's: everything, or all but an asynchronous one up to its first wait. */
export function offloaded(options: CallOptions | undefined): number {
  return options?.offload ? 1 : 2;
}

/** Options of a stream, in addition to those of a call. */
export interface StreamOptions extends CallOptions {
  /** How many items may be in flight, by default 256. */
  window?: number;
  /** How many bytes may be in flight, by default 256 KiB. */
  windowBytes?: number;
}

/** Receives the headers, trailers and objects of a call. Pass it with one call at a time, and read it afterwards. */
export class Reply {
  /** The objects of the response by their position, if the response itself doesn't contain them. */
  objects: PluginObject[] = [];
  /** @internal One that's there for objects alone doesn't have others kept. */
  _takesHeaders = true;
  #headers: Uint8Array | undefined;
  #raw: Uint8Array | undefined;

  /**
   * The plugin's headers (initial metadata), as pairs of key and value. They are available with the first item of a
   * stream, or with the response or error.
   */
  get headers(): [string, Uint8Array][] {
    return unpack(this.#headers);
  }

  /** The plugin's trailers (trailing metadata), as pairs of key and value in the plugin's order. */
  get trailers(): [string, Uint8Array][] {
    return unpack(this.#raw);
  }

  /** @internal */
  _take(trailers: Uint8Array | undefined): void {
    this.#raw = trailers;
    // Those of the call before are not this one's.
    this.objects = [];
  }

  /** @internal */
  _takeHeaders(headers: Uint8Array | undefined): void {
    this.#headers = headers;
  }
}

/** @internal A place for objects alone. */
export function forObjects(): Reply {
  const reply = new Reply();
  reply._takesHeaders = false;
  return reply;
}

const NS_PER_MS = 1e6;
const MOST_NS = 2 ** 63;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @internal Lays metadata out as the boundary has it. */
export function pack(metadata: Metadata): Uint8Array {
  const pairs = Symbol.iterator in metadata ? metadata : Object.entries(metadata);
  const parts: [Uint8Array, Uint8Array][] = [];
  let size = 4;
  for (const [key, value] of pairs as Iterable<readonly [string, string | Uint8Array]>) {
    const name = encoder.encode(key);
    const content = typeof value === 'string' ? encoder.encode(value) : Uint8Array.from(value);
    parts.push([name, content]);
    size += 8 + name.length + content.length;
  }
  const packed = new Uint8Array(size);
  const view = new DataView(packed.buffer);
  view.setUint32(0, parts.length, true);
  let at = 4;
  for (const [name, content] of parts) {
    view.setUint32(at, name.length, true);
    view.setUint32(at + 4, content.length, true);
    packed.set(name, at + 8);
    packed.set(content, at + 8 + name.length);
    at += 8 + name.length + content.length;
  }
  return packed;
}

/** @internal Reads metadata as the boundary has it, which the core has checked. */
export function unpack(packed: Uint8Array | undefined): [string, Uint8Array][] {
  if (packed === undefined || packed.length < 4) {
    return [];
  }
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const pairs: [string, Uint8Array][] = [];
  let at = 4;
  for (let left = view.getUint32(0, true); left > 0; left--) {
    const name = at + 8 + view.getUint32(at, true);
    const end = name + view.getUint32(at + 4, true);
    pairs.push([decoder.decode(packed.subarray(at + 8, name)), packed.slice(name, end)]);
    at = end;
  }
  return pairs;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

function traceBytes(id: string, span: string, flags: number): Uint8Array {
  const bytes = new Uint8Array(28);
  bytes.set(Buffer.from(id, 'hex'), 0);
  bytes.set(Buffer.from(span, 'hex'), 16);
  bytes[24] = flags;
  return bytes;
}

/** @internal Reads a `traceparent`. */
export function parseTrace(parent: string): Uint8Array {
  const [, version, id, span, flags, more] = PARENT.exec(String(parent)) ?? [];
  if (!id || !span || !flags || version === 'ff' || (version === '00' && more !== undefined)) {
    throw new TypeError(
      `${JSON.stringify(parent)} isn't a traceparent: expected '00-', 32 hexadecimal digits, '-', 16 digits, '-' and 2 digits`,
    );
  }
  return traceBytes(id, span, Number.parseInt(flags, 16));
}

/** @internal Gives the `traceparent` of a trace as the boundary has it. */
export function formatTrace(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `00-${hex.slice(0, 32)}-${hex.slice(32, 48)}-${hex.slice(48, 50)}`;
}

interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  traceState?: { serialize(): string };
}

interface OpenTelemetry {
  context?: { active(): { getValue(key: symbol): { spanContext(): SpanContext } | undefined } };
}

// Where OpenTelemetry's API keeps what was registered, and the key of the current span, so that this package doesn't need that one.
const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

function currentTrace(): [Uint8Array, string] | undefined {
  const api = (globalThis as Record<symbol, unknown>)[API] as OpenTelemetry | undefined;
  const context = api?.context?.active().getValue(SPAN)?.spanContext();
  if (context === undefined || /^0*$/.test(context.traceId)) {
    return undefined;
  }
  return [traceBytes(context.traceId, context.spanId, context.traceFlags), context.traceState?.serialize() ?? ''];
}

let traced = false;

/** @internal Checks whether OpenTelemetry is present. It's initialized before the code that it traces, and a check in each call would cost as much as a call. */
export function lookForTraces(): void {
  traced = (globalThis as Record<symbol, unknown>)[API] !== undefined;
}

/** @internal Whether calls without options may carry a trace. */
export function isTraced(): boolean {
  return traced;
}

/** @internal Creates a call's header from options. Returns `undefined` if they are empty and no header is needed. */
export function header(options: CallOptions, lent: readonly PluginObject[], isNeeded: boolean): Header | undefined {
  let flags = 0;
  let timeout: number | bigint = 0;
  if (options.timeout !== undefined && options.timeout !== Number.POSITIVE_INFINITY) {
    if (!(options.timeout >= 0)) {
      throw new RangeError(`a timeout must be a number of milliseconds from 0 up, not ${options.timeout}`);
    }
    flags |= CONTEXT_TIMEOUT;
    timeout = Math.min(options.timeout * NS_PER_MS, MOST_NS);
  }
  let trace: Uint8Array | undefined;
  let state: string | undefined;
  if (options.trace !== undefined) {
    const [parent, rest] = typeof options.trace === 'string' ? [options.trace, undefined] : options.trace;
    trace = parseTrace(parent);
    state = rest;
  } else {
    [trace, state] = (traced ? currentTrace() : undefined) ?? [];
  }
  if (trace !== undefined) {
    flags |= CONTEXT_TRACE;
  }
  if (options.reply?._takesHeaders) {
    flags |= CONTEXT_HEADERS;
    // Those of the call before, if it was used before.
    options.reply._takeHeaders(undefined);
  }
  const metadata = options.metadata === undefined ? undefined : pack(options.metadata);
  if (flags === 0 && metadata === undefined && lent.length === 0 && !isNeeded) {
    return undefined;
  }
  const numbers = lent.length === 0 ? undefined : BigUint64Array.from(lent, (one) => one._lend());
  return [flags, timeout, trace, state || undefined, metadata, numbers, 0];
}

/** @internal Returns a typed array over the same memory. */
export function typed(bytes: Bytes): NodeJS.TypedArray {
  if (bytes instanceof Uint8Array) {
    return bytes;
  }
  if (bytes instanceof ArrayBuffer || bytes instanceof SharedArrayBuffer) {
    return new Uint8Array(bytes);
  }
  if (ArrayBuffer.isView(bytes)) {
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  throw new TypeError('expected bytes: a Buffer, a typed array, a DataView or an ArrayBuffer');
}
