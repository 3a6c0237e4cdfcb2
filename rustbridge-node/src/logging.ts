// Delivery of a plugin's log records to a function or a logger.

import { hooks } from './loop.js';
import type { RecordFields } from './native.js';
import { type LogLevel, levelName } from './status.js';

/** A log record. */
export interface LogRecord {
  readonly level: Exclude<LogLevel, 'off'>;
  /** `event`: a log event. `span`: a span has ended, and `duration` is how long it was open. */
  readonly kind: 'event' | 'span';
  readonly message: string;
  /** The record's target. The default is its module. */
  readonly target: string;
  /** The event's fields. */
  readonly fields: Record<string, unknown>;
  /** The spans that contain the record, outermost first, each with its `name`. */
  readonly spans: readonly Record<string, unknown>[];
  readonly time: Date;
  /** How many milliseconds a span was open. */
  readonly duration: number;
  readonly file: string;
  readonly line: number;
  readonly thread: string;
  /** The instance's name. */
  readonly instance: string;
}

/** A logger with pino's interface: a function for each level, which accepts an object and a message. */
export interface Logger {
  /** The logger's level. Records up to this level are created, unless the options specify another level. */
  level?: string;
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  trace?(fields: object, message: string): void;
}

/** The receiver of log records. */
export type LogSink = Logger | ((record: LogRecord) => void);

/** What takes records. It may give a promise. */
type Take = (record: LogRecord) => unknown;

const sinks = new Map<number, Take>();
let last = 0;

function json<T>(text: string, otherwise: T): T {
  try {
    return text === '' ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function recordOf(fields: RecordFields): LogRecord {
  const [level, kind, line, time, duration, target, message, given, spans, file, thread, instance] = fields;
  return {
    level: levelName(level) as LogRecord['level'],
    kind: kind === 0 ? 'event' : 'span',
    message,
    target,
    fields: json(given, {}),
    spans: json(spans, []),
    time: new Date(Number(time / 1_000_000n)),
    duration: duration / 1e6,
    file,
    line,
    thread,
    instance,
  };
}

hooks.record = (number, fields) => {
  const sink = sinks.get(number);
  if (sink === undefined) {
    return;
  }
  const dropped = fields[12];
  const record = recordOf(fields);
  if (dropped > 0) {
    tell(sink, {
      ...record,
      level: 'warn',
      kind: 'event',
      message: `${dropped} log records were dropped because the loop was busy`,
      target: 'rustbridge',
      fields: { dropped },
      spans: [],
    });
  }
  tell(sink, record);
};

function tell(sink: Take, record: LogRecord): void {
  try {
    const told = sink(record) as PromiseLike<unknown> | undefined;
    if (typeof told?.then === 'function') {
      told.then(undefined, warn);
    }
  } catch (error) {
    warn(error);
  }
}

/** A logger that fails mustn't end the program. */
function warn(error: unknown): void {
  try {
    process.emitWarning(error instanceof Error ? error : String(error));
  } catch {
    process.emitWarning("a logger failed with an error that can't be described");
  }
}

/** @internal Tells of a function of this program that has thrown what has no status. */
export function logFailure(sink: number | undefined, instance: string, service: string, err: unknown): void {
  const take = sink === undefined ? undefined : sinks.get(sink);
  if (take === undefined) {
    return;
  }
  tell(take, {
    level: 'error',
    kind: 'event',
    message: `the service ${service} failed`,
    target: 'rustbridge',
    fields: { service, err },
    spans: [],
    time: new Date(),
    duration: 0,
    file: '',
    line: 0,
    thread: '',
    instance,
  });
}

function byLogger(logger: Logger): Take {
  return ({ level, message, target, fields, spans, instance, kind, duration }) => {
    const given: Record<string, unknown> = { ...fields, plugin: instance, target };
    if (spans.length > 0) {
      given['spans'] = spans;
    }
    if (kind === 'span') {
      given['duration'] = duration;
    }
    if (level === 'trace' && logger.trace === undefined) {
      return logger.debug(given, message);
    }
    return logger[level]?.(given, message);
  };
}

/** @internal Keeps a sink; gives the number that the addon has for it. */
export function addSink(sink: LogSink): number {
  last += 1;
  sinks.set(last, typeof sink === 'function' ? sink : byLogger(sink));
  return last;
}

/** @internal */
export function forgetSink(number: number | undefined): void {
  if (number !== undefined) {
    sinks.delete(number);
  }
}

const NAMED: Record<string, LogLevel> = { silent: 'off', fatal: 'error' };

/** @internal The level that a logger lets through: `info` if it doesn't say. */
export function levelOf(sink: LogSink | undefined): LogLevel {
  if (sink === undefined) {
    return 'off';
  }
  const level = typeof sink === 'function' ? undefined : sink.level;
  if (level === undefined) {
    return 'info';
  }
  return NAMED[level] ?? (['error', 'warn', 'info', 'debug', 'trace'].includes(level) ? (level as LogLevel) : 'info');
}
