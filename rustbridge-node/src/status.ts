// Statuses, encodings, levels and states: their names, and the numbers that cross the boundary.

/** gRPC's 17 canonical statuses. */
export const Status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

/** A status's name, such as `NOT_FOUND`. */
export type StatusCode = keyof typeof Status;

const NAMES = Object.keys(Status) as StatusCode[];

/** Returns the name of a status's number, or `UNKNOWN` if the number isn't a status. */
export function statusName(status: number): StatusCode {
  return NAMES[status] ?? 'UNKNOWN';
}

const ENCODINGS = {
  json: 0,
  raw: 1,
  pod: 2,
  msgpack: 3,
  bincode: 4,
  postcard: 5,
  wire: 6,
} as const;

/** The layout of a method's request and response. */
export type Encoding = keyof typeof ENCODINGS;

const ENCODING_NAMES = Object.keys(ENCODINGS) as Encoding[];

/** @internal In place of an encoding: bytes as they are, `raw` if the method has that, else `pod`. */
export const BYTES = 0xffffffff;

/** @internal */
export function encodingNumber(encoding: Encoding): number {
  const number = Object.hasOwn(ENCODINGS, encoding) ? ENCODINGS[encoding] : undefined;
  if (number === undefined) {
    throw new TypeError(`unknown encoding ${String(encoding)}: expected one of ${ENCODING_NAMES.join(', ')}`);
  }
  return number;
}

/** @internal */
export function encodingName(number: number): Encoding {
  const name = ENCODING_NAMES[number];
  if (name === undefined) {
    throw new TypeError(`the native library returned the unknown encoding ${number}`);
  }
  return name;
}

const LEVELS = { off: 0, error: 1, warn: 2, info: 3, debug: 4, trace: 5 } as const;

/** The level of a record, or the level up to which records are created. */
export type LogLevel = keyof typeof LEVELS;

const LEVEL_NAMES = Object.keys(LEVELS) as LogLevel[];

/** @internal */
export function levelNumber(level: LogLevel): number {
  const number = Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined;
  if (number === undefined) {
    throw new TypeError(`unknown level ${String(level)}: expected one of ${LEVEL_NAMES.join(', ')}`);
  }
  return number;
}

/** @internal */
export function levelName(number: number): LogLevel {
  return LEVEL_NAMES[number] ?? 'trace';
}

/** The state of an instance; `unknown` if a newer native library has a state that this version doesn't know. */
export type State = 'active' | 'poisoned' | 'closing' | 'closed' | 'forked' | 'unknown';

const STATES: State[] = ['active', 'poisoned', 'closing', 'closed', 'forked'];

/** @internal */
export function stateName(number: number): State {
  return STATES[number - 1] ?? 'unknown';
}
