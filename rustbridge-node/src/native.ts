// The addon: its location, and the types of its functions.

import { existsSync } from 'node:fs';
import { join, resolve, toNamespacedPath } from 'node:path';

/** @internal What's below a call: flags, nanoseconds, a trace, its state, metadata, objects, the number of the caller's context. */
export type Header = [
  flags: number,
  timeout: number | bigint,
  trace: Uint8Array | undefined,
  state: string | undefined,
  metadata: Uint8Array | undefined,
  objects: BigUint64Array | undefined,
  number: number,
];

/** @internal An empty header. */
export const NOTHING: Readonly<Header> = [0, 0, undefined, undefined, undefined, undefined, 0];

/** @internal A whole answer. */
export type Answer = [
  status: number,
  payload: string | Uint8Array,
  trailers: Uint8Array | undefined,
  objects: bigint[] | undefined,
  headers?: Uint8Array | undefined,
];

/** @internal The context of a service's call. */
export type Beside = [
  timeout: number | undefined,
  trace: Uint8Array | undefined,
  state: string,
  metadata: Uint8Array | undefined,
  number: number,
];

/** @internal A record's fields. */
export type RecordFields = [
  level: number,
  kind: number,
  line: number,
  time: bigint,
  duration: number,
  target: string,
  message: string,
  fields: string,
  spans: string,
  file: string,
  thread: string,
  instance: string,
  dropped: number,
];

/** @internal A prepared method, as the addon gives it. */
export type PreparedMethod = [
  entry: number,
  flags: number,
  encoding: number,
  requestSize: number,
  responseSize: number,
  json: (text: string) => string,
  into: (request: NodeJS.TypedArray, target: NodeJS.TypedArray) => number | Uint8Array,
  submit: (
    request: string | NodeJS.TypedArray,
    flags: number,
    header: Header | undefined,
    items?: number,
    bytes?: number,
    target?: Uint8Array,
  ) => number | string | Uint8Array | Answer,
  call: (request: string | NodeJS.TypedArray, header: Header | undefined) => Answer,
  slot: () => [buffer: ArrayBuffer, responseAt: number, call: () => void],
];

/** @internal What is told to JavaScript. */
export type Handlers = [
  fail: (status: number, payload: string | Uint8Array) => Error,
  done: (
    token: number,
    status: number,
    payload: string | Uint8Array,
    trailers: Uint8Array | undefined,
    objects: bigint[] | undefined,
  ) => void,
  items: (token: number, items: (string | Uint8Array)[], size: number, objects: bigint[] | undefined) => void,
  demand: (token: number, items: number, bytes: number) => void,
  ask: (
    call: bigint | undefined,
    service: number,
    beside: Beside | undefined,
    request: string | Uint8Array,
  ) => [number, string | Uint8Array] | undefined,
  forget: (call: bigint) => void,
  record: (sink: number, fields: RecordFields) => void,
  over: (number: number, status: number, payload: string) => void,
  headers: (token: number, headers: Uint8Array) => void,
];

/** @internal The addon's functions. */
export interface Native {
  begin(handlers: Handlers): void;
  look(): void;
  closeQueue(): void;
  load(options: unknown[]): bigint;
  load(options: unknown[], number: number): void;
  name(handle: bigint): string;
  describe(handle: bigint): string;
  inspect(): string;
  version(): string;
  prepare(
    handle: bigint,
    method: string | number,
    encoding: number | undefined,
    hasServices: boolean,
    fingerprint?: string,
    clientSchema?: string,
  ): PreparedMethod;
  state(handle: bigint): number;
  close(handle: bigint, timeout: number | bigint, cancelAfter: number | undefined, number: number | undefined): void;
  flush(handle: bigint, timeout: number | bigint, number: number): void;
  forget(handle: bigint): void;
  abandon(handle: bigint): void;
  setLevel(handle: bigint, level: number): void;
  cancel(token: number): void;
  detach(token: number, strictly?: boolean): void;
  demand(token: number, items: number, bytes: number): void;
  write(token: number, data: Uint8Array, ends: Uint32Array, strictly?: boolean): number;
  end(token: number, status: number, payload: string): void;
  reply(call: bigint, status: number, payload: string | Uint8Array): void;
  release(object: bigint): number;
  hold(yes: boolean): void;
}

const NAME = 'rustbridge.node';

function find(): string {
  const given = process.env['RUSTBRIDGE_NODE_ADDON'];
  if (given) {
    return given;
  }
  const platform = `${process.platform}-${process.arch}`;
  const inPackage = join(__dirname, '..', 'native', platform, NAME);
  if (existsSync(inPackage)) {
    return inPackage;
  }
  throw new Error(
    `rustbridge has no native library for ${platform}: expected ${inPackage}. Install a package for this platform, leave ` +
      'rustbridge out of a bundle (it has to be external), or name the file in RUSTBRIDGE_NODE_ADDON',
  );
}

/**
 * @internal The addon: an instance of its own for each time that these modules are run in a thread, as test runners do which forget modules.
 * `require` gives each the same, whose numbers and handlers can be those of one only.
 */
export const native = open(find());

function open(path: string): Native {
  const addon = { exports: {} };
  try {
    process.dlopen(addon, toNamespacedPath(resolve(path)));
  } catch (error) {
    if (error instanceof Error && error.message.includes('static TLS')) {
      error.message +=
        "; libraries that are loaded late share a small reserve of each thread's memory, and others have used it up: require " +
        'rustbridge before them, or start the process with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192';
    }
    throw error;
  }
  return addon.exports as Native;
}
