// The testee in Node: does what the judge of the conformance cases tells it, and says what came of it.
//
// `conformance/protocol.md` has both sides of that. What the package doesn't show (operations by themselves, headers as they are) is
// taken from inside it. Commands are read without the loop, which runs where something is awaited: in `E`, and in calls by promises.

import { readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { load, ResponseTooLargeError, RustbridgeError } = require('../dist/index.js');
const { errorOf } = require('../dist/errors.js');
const { parse, stringify } = require('../dist/json.js');
const { listeners } = require('../dist/loop.js');
const { native } = require('../dist/native.js');

const HELLO = `protocol 1
host node/napi
offers header
offers operations
offers offload
offers services
offers objects
offers exceptions
way promise misalign
way bytes misalign
way shared misalign
way into storage=70000 misalign
way text text
way named
way objects value
way values value
`;

const BREACH = -(2 ** 31);
const FOREVER = 2n ** 64n - 1n;
const GUARD = 32;
/** No operation's number. */
const OVER = 2 ** 32 - 1;

class Breach extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const bytesOf = (payload) => (typeof payload === 'string' ? encoder.encode(payload) : payload);

/** Copies the request to an address that is so much past a multiple of 16. */
function placed(request, offset, Memory = ArrayBuffer) {
  const room = new Uint8Array(new Memory(request.length + 16), offset, request.length);
  room.set(request);
  return room;
}

function into(one, request, capacity, misalign) {
  // Storage must fit a pod's response to begin with.
  const size = Math.max(capacity, one.method.responseSize);
  const room = new Uint8Array(size + 2 * GUARD).fill(0xa5);
  const target = room.subarray(GUARD, GUARD + size).fill(0);
  let response;
  try {
    response = target.slice(0, one.method.callInto(placed(request, misalign), target));
  } catch (error) {
    if (!(error instanceof ResponseTooLargeError)) {
      throw error;
    }
    if (error.response.length <= size) {
      throw new Breach(`${error.response.length} bytes would have fitted into ${size}`);
    }
    response = error.response;
  }
  if (room.some((byte, index) => (index < GUARD || index >= GUARD + size) && byte !== 0xa5)) {
    throw new Breach('bytes around the storage were written');
  }
  return response;
}

const promise = (one, request, _capacity, misalign) => one.method.callRaw(placed(request, misalign));

/** Numbers that are others once JavaScript has read them: it doesn't tell integers from what only looks like one. */
const UNLIKE = /"(?:[^"\\]|\\.)*"|-?\d+(\.\d+|[eE][+-]?\d+|\.\d+[eE][+-]?\d+)|-0/g;

/** Whether a text says the same once JavaScript has read it. What doesn't goes as text. */
function isKept(text) {
  return ![...text.matchAll(UNLIKE)].some(([token]) => !token.startsWith('"') && String(Number(token)) !== token);
}

function value(one, request, call) {
  const text = decoder.decode(request);
  return isKept(text) ? call(parse(text)) : parse(one.method.callJsonSync(text));
}

const WAYS = [
  promise,
  (one, request, _capacity, misalign) => one.method.callRawSync(placed(request, misalign)),
  (one, request, _capacity, misalign) => one.method.callRawSync(placed(request, misalign, SharedArrayBuffer)),
  into,
  (one, request) => encoder.encode(one.method.callJsonSync(decoder.decode(request))),
  (one, request) => one.plugin.callRawSync(one.name, request, { encoding: one.encoding }),
  (one, request) => encoder.encode(stringify(value(one, request, (given) => one.method.callSync(given)))),
  async (one, request) => encoder.encode(stringify(await value(one, request, (given) => one.method.call(given)))),
];

/** Writes what an answer is made of. */
class Written {
  parts = [];

  u8(value) {
    this.parts.push(Uint8Array.of(value));
    return this;
  }

  u32(value) {
    this.parts.push(new Uint8Array(Uint32Array.of(value).buffer));
    return this;
  }

  sized(content) {
    this.parts.push(new Uint8Array(BigUint64Array.of(BigInt(content.length)).buffer), content);
    return this;
  }

  text(content) {
    return this.sized(encoder.encode(content));
  }

  objects(numbers) {
    return this.sized(new Uint8Array(BigUint64Array.from(numbers ?? []).buffer));
  }

  all() {
    return Buffer.concat(this.parts);
  }
}

/** An error as a user sees it. */
function fields({ message, type, details, backtrace }) {
  const told = Object.keys(details).length > 0 ? stringify(details) : '';
  return new Written()
    .text(message)
    .text(type)
    .text(told)
    .text(backtrace ?? '')
    .all();
}

/** A call that was begun, and its events in the form of the judge's, until they are asked for. */
class Call {
  token = OVER;
  events = [];
  come = undefined;

  done(status, payload, trailers, objects) {
    this.token = OVER;
    const content = status === 0 ? bytesOf(payload) : fields(errorOf(status, payload));
    const told = new Written()
      .u8(1)
      .u32(status >>> 0)
      .sized(content);
    this.push(told.sized(trailers ?? new Uint8Array()).objects(objects));
  }

  items(items, _size, objects) {
    const told = new Written().u8(2).u32(items.length);
    for (const item of items) {
      told.sized(bytesOf(item));
    }
    this.push(told.objects(objects));
  }

  demand() {
    this.push(new Written().u8(3));
  }

  push(told) {
    this.events.push(told.all());
    this.come?.();
  }
}

/** A service, and what it was asked. */
class Offered {
  constructor(testee, number, name, encoding, mode, status, answer) {
    Object.assign(this, { testee, number, name, encoding, mode, status, answer });
  }

  /** Whether its answer needs the loop. */
  get isLater() {
    return this.mode === 1 || this.mode === 2;
  }

  service() {
    const call = this.isLater ? (request) => this.later(request) : (request) => this.now(request);
    return { encoding: this.encoding, call };
  }

  note(request) {
    const raw = this.encoding === 'json' ? encoder.encode(stringify(request)) : request;
    const asked = this.testee.asked.get(this.number) ?? [];
    this.testee.asked.set(this.number, [...asked, new Written().text(this.name).sized(raw).all()]);
    return raw;
  }

  given() {
    const text = decoder.decode(this.answer);
    if (this.status !== 0) {
      throw errorOf(this.status, text);
    }
    return this.encoding === 'json' ? parse(text) : this.answer;
  }

  async later(request) {
    this.note(request);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (this.mode === 2) {
      await new Promise(() => undefined);
    }
    return this.given();
  }

  now(request) {
    const raw = this.note(request);
    const plugin = this.testee.plugins.get(this.number);
    if (this.mode === 4) {
      const answer = plugin.method(decoder.decode(this.answer), this.encoding).callRawSync(raw);
      return this.encoding === 'json' ? parse(decoder.decode(answer)) : answer;
    }
    if (this.mode === 5) {
      throw new RangeError('thrown');
    }
    if (this.mode === 6) {
      plugin.closeSync(0);
    }
    return this.given();
  }
}

/** The instances, and the pipes to the judge. */
class Testee {
  plugins = new Map();
  records = new Map();
  methods = [];
  calls = new Map();
  offered = new Map();
  asked = new Map();
  /** Instances of which a service answers later. */
  waiting = new Set();
  /** Instances of which a service calls a method: how deep that goes is counted by thread. */
  nested = new Set();

  read(length) {
    const room = Buffer.alloc(length);
    for (let at = 0; at < length; ) {
      const read = readSync(0, room, at, length - at, null);
      if (read === 0) {
        return undefined;
      }
      at += read;
    }
    return room;
  }

  u8() {
    return this.read(1)[0];
  }

  u32() {
    return this.read(4).readUInt32LE();
  }

  u64() {
    return this.read(8).readBigUInt64LE();
  }

  bytes() {
    return new Uint8Array(this.read(Number(this.u64())));
  }

  text() {
    return decoder.decode(this.bytes());
  }

  give(letter, status, content) {
    const head = Buffer.alloc(13);
    head.writeUInt8(letter.charCodeAt(0));
    head.writeInt32LE(status, 1);
    head.writeBigUInt64LE(BigInt(content.length), 5);
    const all = Buffer.concat([head, content]);
    for (let at = 0; at < all.length; ) {
      at += writeSync(1, all, at);
    }
  }

  async run() {
    for (let command = this.read(1); command !== undefined; command = this.read(1)) {
      const letter = String.fromCharCode(command[0]);
      const act = this.command(letter);
      try {
        this.give(letter, 0, (await act()) ?? Buffer.alloc(0));
      } catch (error) {
        if (error instanceof RustbridgeError) {
          this.give(letter, error.status, fields(error));
        } else {
          this.give(letter, BREACH, encoder.encode(error?.stack ?? String(error)));
        }
      }
    }
  }

  /** Reads a command whole, so that whatever it leads to, the next one begins where it ends. */
  command(letter) {
    if (letter === 'H') {
      return () => encoder.encode(HELLO);
    }
    const number = this.u8();
    const plugin = () => this.plugins.get(number);
    switch (letter) {
      case 'L':
        return this.loading(number);
      case 'P':
      case 'I': {
        const name = letter === 'P' ? this.text() : this.u32();
        this.u32();
        const encoding = this.text();
        return () => {
          this.methods.push({ number, plugin: plugin(), name, encoding, method: plugin().method(name, encoding) });
          return new Written().u32(this.methods.length - 1).all();
        };
      }
      case 'C': {
        const method = this.u32();
        const way = this.u8();
        this.u8();
        const [capacity, misalign, request] = [Number(this.u64()), this.u8(), this.bytes()];
        return () => {
          const one = this.methods[method];
          const run = this.mustWait(one) ? promise : this.nested.has(one.number) ? WAYS[1] : WAYS[way];
          return run(one, request, capacity, misalign);
        };
      }
      case 'X': {
        const timeout = Number(this.u64());
        return () => plugin().close(timeout);
      }
      case 'Y': {
        const [timeout, cancelAfter] = [Number(this.u64()), Number(this.u64())];
        return () => plugin().close({ timeout, cancelAfter });
      }
      case 'S':
        return () => encoder.encode(plugin().state);
      case 'V': {
        const level = this.text().toLowerCase();
        return () => {
          plugin().logLevel = level;
        };
      }
      case 'F':
        return () => this.flush(number);
      case 'D':
        return () => this.drop(number);
      case 'W':
        return this.beginning();
      case 'E': {
        const [call, timeout] = [this.u8(), Number(this.u64())];
        return () => this.event(this.calls.get(call), timeout);
      }
      case 'K': {
        const call = this.u8();
        return () => native.cancel(this.calls.get(call).token);
      }
      case 'G': {
        const call = this.calls.get(this.u8());
        return () => {
          const { token } = call;
          call.token = OVER;
          native.detach(token, true);
        };
      }
      case 'N': {
        const [call, items, bytes] = [this.u8(), this.u64(), this.u64()];
        return () => native.demand(this.calls.get(call).token, items, bytes);
      }
      case 'T': {
        const call = this.u8();
        const items = Array.from({ length: this.u32() }, () => this.bytes());
        let end = 0;
        const ends = Uint32Array.from(items, (item) => {
          end += item.length;
          return end;
        });
        return () => {
          const data = new Uint8Array(Buffer.concat(items));
          native.write(this.calls.get(call).token, data, ends, true);
        };
      }
      case 'Z': {
        const [call, status, payload] = [this.u8(), this.u32(), this.text()];
        return () => native.end(this.calls.get(call).token, status, payload);
      }
      case 'O': {
        const object = this.u64();
        return () => {
          const status = native.release(object);
          if (status !== 0) {
            throw errorOf(status, '{}');
          }
        };
      }
      case 'R': {
        const name = this.text();
        this.u32();
        const offered = new Offered(this, number, name, this.text(), this.u8(), this.u32(), this.bytes());
        return () => {
          this.offered.set(number, [...(this.offered.get(number) ?? []), offered]);
        };
      }
      case 'A':
        return () => {
          const asked = this.asked.get(number) ?? [];
          this.asked.delete(number);
          return Buffer.concat(asked);
        };
      default:
        throw new Breach(`an unknown command ${letter}`);
    }
  }

  /** Whether the loop has to run: for a service's promise, or one that is asked for on another thread. */
  mustWait({ number, name }) {
    return this.waiting.has(number) || name === 'service.task';
  }

  loading(number) {
    const path = this.text();
    const form = this.u8();
    const given = this.bytes();
    const config = form === 0 ? undefined : form === 1 ? decoder.decode(given) : given;
    const onPanic = this.u8() === 1 ? 'poison' : 'continue';
    const level = this.text().toLowerCase();
    const hasSink = this.u8() === 1;
    return () => {
      const records = [];
      this.records.set(number, records);
      this.asked.delete(number);
      const offered = this.offered.get(number) ?? [];
      this.offered.delete(number);
      this.waiting.delete(number);
      this.nested.delete(number);
      if (offered.some((one) => one.isLater)) {
        this.waiting.add(number);
      }
      if (offered.some((one) => one.mode === 4)) {
        this.nested.add(number);
      }
      const options = { onPanic, logLevel: hasSink ? level : 'off', logger: (record) => records.push(record) };
      if (config !== undefined) {
        options.config = config;
      }
      options.services = Object.fromEntries(offered.map((one) => [one.name, one.service()]));
      this.plugins.set(number, load(path, options));
    };
  }

  async flush(number) {
    const plugin = this.plugins.get(number);
    // One that is closed has delivered everything.
    if (plugin.state !== 'closed') {
      await plugin.flushLogs();
    }
    const records = this.records.get(number) ?? [];
    this.records.set(number, []);
    const told = new Written();
    for (const { level, kind, target, message, fields, spans } of records) {
      if (kind === 'event') {
        told.text(level.toUpperCase()).text(target).text(message).text(stringify(fields)).text(stringify(spans));
      }
    }
    return told.all();
  }

  async drop(number) {
    this.records.delete(number);
    this.offered.delete(number);
    const plugin = this.plugins.get(number);
    this.plugins.delete(number);
    await plugin?.close();
  }

  beginning() {
    const [number, method, how] = [this.u8(), this.u32(), this.u8()];
    const nanoseconds = this.u64();
    const [trace, state, metadata, objects] = [this.bytes(), this.text(), this.bytes(), this.bytes()];
    const [items, bytes, request] = [this.u64(), this.u64(), this.bytes()];
    const flags = (nanoseconds === FOREVER ? 0 : 1) | (trace.length > 0 ? 2 : 0);
    const header = [
      flags,
      flags & 1 ? nanoseconds : 0n,
      trace.length > 0 ? trace : undefined,
      state,
      metadata.length > 0 ? metadata : undefined,
      objects.length > 0 ? new BigUint64Array(objects.buffer) : undefined,
      0,
    ];
    return () => this.begin(number, this.methods[method], how, header, request, Number(items), Number(bytes));
  }

  begin(number, one, how, header, request, items, bytes) {
    const call = new Call();
    this.calls.set(number, call);
    if (how === 1 && !this.mustWait(one)) {
      call.done(...one.method._call(request, header));
      return;
    }
    let begun;
    try {
      begun = one.method._submit(request, how === 2 || how === 1 ? 1 : 0, header, items, bytes);
    } catch (error) {
      if (!(error instanceof RustbridgeError)) {
        throw error;
      }
      const told = new Written().u8(1).u32(error.status).sized(fields(error));
      call.push(told.sized(new Uint8Array()).objects([]));
      return;
    }
    if (typeof begun === 'number') {
      call.token = begun;
      listeners[begun] = call;
    } else if (Array.isArray(begun)) {
      call.done(...begun);
    } else {
      call.done(0, begun, undefined, undefined);
    }
  }

  async event(call, timeout) {
    // What an earlier event has brought about may have to be done, too.
    await new Promise((resolve) => setImmediate(resolve));
    if (call.events.length === 0) {
      let timer;
      await new Promise((resolve) => {
        call.come = resolve;
        timer = setTimeout(resolve, timeout);
      });
      clearTimeout(timer);
      call.come = undefined;
    }
    return call.events.shift() ?? Uint8Array.of(0);
  }
}

await new Testee().run();
