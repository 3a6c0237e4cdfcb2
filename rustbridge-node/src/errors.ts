// Errors: one class, with the status as its `code`.

import { keep, take } from './causes.js';
import { parse, stringify } from './json.js';
import { Status, type StatusCode, statusName } from './status.js';

/** Optional properties of an error, in addition to its status and message. */
export interface RustbridgeErrorOptions {
  /** The error type within its status, such as the plugin's own `Enum.Variant`. */
  type?: string;
  /** The error's fields. */
  details?: Record<string, unknown>;
  /** The error that caused this one. */
  cause?: unknown;
}

/**
 * A load, call or close that failed. Services can also throw it, to choose the status that the plugin receives.
 *
 * `code` is the status's name. `type` is `panic`, the plugin's own `Enum.Variant`, or `rustbridge.Kind`.
 */
export class RustbridgeError extends Error {
  /** The status's name, such as `NOT_FOUND`. */
  readonly code: StatusCode;
  /** The error type within its status: `panic`, the plugin's own `Enum.Variant`, or `rustbridge.Kind`. */
  readonly type: string;
  /** The error's fields. */
  readonly details: Record<string, unknown>;
  /** The Rust backtrace, if the plugin was loaded with `backtrace: true` and panicked. */
  declare readonly backtrace?: string;
  /** The error itself in the wire format, for clients that know its type. */
  declare readonly value?: Uint8Array;

  constructor(code: StatusCode, message: string, options: RustbridgeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = Object.hasOwn(Status, code) && code !== 'OK' ? code : 'UNKNOWN';
    this.type = options.type ?? '';
    this.details = options.details ?? {};
  }

  /** The status's number. */
  get status(): number {
    return Status[this.code];
  }
}

Object.defineProperty(RustbridgeError.prototype, 'name', { value: 'RustbridgeError', configurable: true });

/** The response doesn't fit into the caller's buffer. The call has run; `response` is the whole response. */
export class ResponseTooLargeError extends RangeError {
  readonly code = 'RESPONSE_TOO_LARGE';
  readonly response: Uint8Array;

  constructor(response: Uint8Array, capacity: number) {
    super(
      `the response has ${response.length} bytes but the buffer has ${capacity}: pass a larger buffer, or read the response ` +
        "from this error's `response`",
    );
    this.response = response;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error in the wire form begins with this. */
const TYPED = 1;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * @internal Makes the error of a failed call from its status and payload: a JSON object, or bytes in the wire form. A payload that is
 * neither still reaches the user, as the message.
 */
export function errorOf(status: number, payload: string | Uint8Array): RustbridgeError {
  const code = statusName(status);
  if (typeof payload !== 'string') {
    return typedError(code, payload) ?? errorOf(status, decoder.decode(payload));
  }
  let fields: unknown;
  try {
    fields = parse(payload);
  } catch {
    fields = undefined;
  }
  if (!isRecord(fields)) {
    return new RustbridgeError(code, payload || `the call failed with status ${code} and no message`);
  }
  const { message, type, details, backtrace, cause } = fields;
  const error = new RustbridgeError(code, typeof message === 'string' ? message : payload, {
    type: typeof type === 'string' ? type : '',
    details: isRecord(details) ? details : details === undefined || details === null ? {} : { details },
    cause: cause === undefined ? undefined : take(cause),
  });
  if (typeof backtrace === 'string') {
    Object.defineProperty(error, 'backtrace', { value: backtrace });
  }
  return error;
}

function typedError(code: StatusCode, payload: Uint8Array): RustbridgeError | undefined {
  if (payload[0] !== TYPED || payload.length < 8) {
    return undefined;
  }
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const texts: string[] = [];
  // Behind the mark is the status, which came beside it as well.
  let at = 8;
  for (let index = 0; index < 2; index++) {
    if (payload.length < at + 4) {
      return undefined;
    }
    const end = at + 4 + view.getUint32(at, true);
    if (payload.length < end) {
      return undefined;
    }
    texts.push(decoder.decode(payload.subarray(at + 4, end)));
    at = end;
  }
  const error = new RustbridgeError(code, texts[0] ?? '', { type: texts[1] ?? '' });
  Object.defineProperty(error, 'value', { value: payload.slice((at + 7) & ~7) });
  return error;
}

const encoder = new TextEncoder();

/** @internal Returns the payload of an error with a type that a service throws. The library fills in the status and the type's name. */
export function thrownPayload(message: string, value: Uint8Array): Uint8Array {
  const text = encoder.encode(message);
  // A mark, the status, the message, and an empty type, each after its length.
  const front = 16 + text.length;
  const start = (front + 7) & ~7;
  const payload = new Uint8Array(start + value.length);
  const view = new DataView(payload.buffer);
  view.setUint32(0, TYPED, true);
  view.setUint32(8, text.length, true);
  payload.set(text, 12);
  payload.set(value, start);
  return payload;
}

/** @internal Returns the status and payload that report a thrown error to a plugin. Never throws. */
export function told(error: unknown): [status: number, payload: string] {
  try {
    if (error instanceof RustbridgeError) {
      const { message, type, details } = error;
      // Scripts may have set any other.
      const code = Object.hasOwn(Status, error.code) && error.code !== 'OK' ? error.code : 'INTERNAL';
      const fields: Record<string, unknown> = { code, message, type, cause: keep(error) };
      if (Object.keys(details).length > 0) {
        fields['details'] = details;
      }
      return [Status[code], stringify(fields)];
    }
    const type = error instanceof Error ? error.name : typeof error;
    const message = error instanceof Error ? error.message || type : String(error);
    return [Status.INTERNAL, JSON.stringify({ code: 'INTERNAL', message, type, cause: keep(error) })];
  } catch {
    // Its own text, or its details, throw.
    return [Status.INTERNAL, '{"code":"INTERNAL","message":"the service failed with an error that can\'t be described"}'];
  }
}
