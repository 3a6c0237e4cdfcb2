// Calls that wait, prepared methods, and errors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect, load, nativeVersion, Plugin, ResponseTooLargeError, RustbridgeError, Status } from 'rustbridge';
import { HELLO } from './plugins.mjs';

const hello = load(HELLO);
after(() => hello.close());

function numbers(...values) {
  return new BigInt64Array(values);
}

test('a value goes in and a value comes out', async () => {
  assert.deepEqual(hello.callSync('greet', { name: 'Ada' }), { greeting: 'Hello, Ada! Welcome to rustbridge.' });
  assert.deepEqual(await hello.call('greet', { name: 'Ada' }), { greeting: 'Hello, Ada! Welcome to rustbridge.' });
});

test('text of any length comes back as it was', () => {
  const echo = hello.method('echo');
  for (const length of [0, 1, 4000, 4089, 4092, 4095, 4096, 5000, 100_000]) {
    for (const letter of ['x', 'ä', '€', '😀']) {
      const message = letter.repeat(length);
      assert.equal(echo.callSync({ message }).message, message);
    }
  }
});

test('a struct goes through bytes, memory of the caller and a slot', async () => {
  const add = hello.method('math.add', 'pod');
  assert.equal(add.leaf, true);
  assert.deepEqual([add.requestSize, add.responseSize], [16, 8]);
  const sum = (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true);
  assert.equal(sum(add.callRawSync(numbers(20n, 22n))), 42n);
  assert.equal(sum(await add.callRaw(numbers(20n, 22n))), 42n);
  const response = numbers(0n);
  assert.equal(add.callInto(numbers(20n, 23n), response), 8);
  assert.equal(response[0], 43n);
  const slot = add.slot();
  slot.request.setBigInt64(0, 20n, true);
  slot.request.setBigInt64(8, 24n, true);
  slot.call();
  assert.equal(slot.response.getBigInt64(0, true), 44n);
  slot.request.setBigInt64(0, 2n ** 63n - 1n, true);
  assert.throws(slot.call, { code: 'OUT_OF_RANGE' });
  assert.equal(slot.response.getBigInt64(0, true), 44n);
});

test('a struct of the wrong size is refused', () => {
  const add = hello.method('math.add', 'pod');
  assert.throws(() => add.callRawSync(numbers(1n)), { code: 'INVALID_ARGUMENT' });
  assert.throws(
    () => add.callInto(numbers(1n, 2n), new Uint8Array(4)),
    (error) => {
      return error instanceof ResponseTooLargeError && error.response.length === 8;
    },
  );
});

test('bytes are a Buffer, any typed array, a DataView or a buffer', () => {
  const echo = hello.method('echo');
  const text = Buffer.from('{"message":"ab"}');
  const buffer = new Uint8Array(text).buffer;
  const shared = new SharedArrayBuffer(text.length);
  new Uint8Array(shared).set(text);
  for (const request of [
    text,
    new Uint8Array(text),
    new Uint16Array(buffer),
    new DataView(buffer),
    buffer,
    shared,
    new Uint8Array(shared),
  ]) {
    assert.equal(Buffer.from(echo.callRawSync(request)).toString(), '{"message":"ab","length":2}');
  }
  for (const request of [undefined, null, 1, 'text', {}, []]) {
    assert.throws(() => echo.callRawSync(request), TypeError);
  }
});

test('integers that a number does not hold are bigints', () => {
  const most = 2n ** 63n - 1n;
  assert.deepEqual(hello.callSync('math.add', { a: most - 1n, b: 1 }), { result: most });
  assert.deepEqual(hello.callSync('math.add', { a: 2, b: 40n }), { result: 42 });
  assert.throws(
    () => hello.callSync('math.add', { a: most, b: 1 }),
    (error) => error.details.a === most,
  );
  assert.throws(() => hello.callSync('echo', { message: 1n }), { code: 'INVALID_ARGUMENT' });
  assert.equal(hello.callSync('echo', { message: '12345678901234567890' }).message, '12345678901234567890');
  const circle = {};
  circle.circle = circle;
  assert.throws(() => hello.callSync('echo', circle), TypeError);
});

test('an error says what it is', async () => {
  const error = await hello.call('nothing').catch((reason) => reason);
  assert.ok(error instanceof RustbridgeError && error instanceof Error);
  assert.equal(error.name, 'RustbridgeError');
  assert.equal(error.code, 'NOT_FOUND');
  assert.equal(error.status, Status.NOT_FOUND);
  assert.equal(error.type, 'rustbridge.UnknownMethod');
  assert.match(error.message, /has no method `nothing`/);
  assert.throws(() => hello.callSync('user.create', {}), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => hello.method('echo', 'pod'), { code: 'UNIMPLEMENTED' });
  assert.throws(() => hello.method('echo', 'nothing'), TypeError);
  assert.throws(() => hello.method(-1), RangeError);
  assert.throws(() => hello.method('math.add', 'pod').callSync({}), TypeError);
  assert.throws(() => hello.method('echo').slot(), TypeError);
});

test('what can not be loaded says why', () => {
  assert.throws(() => load('/no/such/plugin'), { code: 'NOT_FOUND' });
  assert.throws(() => load(new Uint8Array([1, 2, 3])), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => load(new Uint8Array()), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => load(1), TypeError);
  assert.throws(() => load(HELLO, { config: 1 }), TypeError);
  assert.throws(() => load(HELLO, { logLevel: 'loud' }), TypeError);
  assert.throws(() => load(HELLO, { logCapacity: -1 }), RangeError);
  assert.throws(() => load(HELLO, { threads: -1 }), RangeError);
  assert.throws(() => load(HELLO, { onPanic: 'shout' }), TypeError);
});

test('a plugin is loaded from a path, a URL and its bytes', async () => {
  for (const source of [HELLO, pathToFileURL(HELLO), readFileSync(HELLO)]) {
    const plugin = load(source, { name: 'mine' });
    assert.equal(plugin.name, 'mine');
    assert.equal(plugin.callSync('echo', { message: 'x' }).length, 1);
    await plugin[Symbol.asyncDispose]();
    assert.equal(plugin.state, 'closed');
  }
});

test('an instance is closed once, and refuses calls then', async () => {
  const plugin = load(HELLO);
  const echo = plugin.method('echo');
  const slot = plugin.method('math.add', 'pod').slot();
  assert.equal(plugin.state, 'active');
  await plugin.close();
  await plugin.close();
  plugin.closeSync();
  assert.equal(plugin.state, 'closed');
  assert.throws(() => echo.callSync({ message: 'x' }), { code: 'UNAVAILABLE' });
  await assert.rejects(echo.call({ message: 'x' }), { code: 'UNAVAILABLE' });
  assert.throws(slot.call, { code: 'UNAVAILABLE' });
  assert.throws(() => plugin.describe(), { code: 'UNAVAILABLE' });
});

test('a plugin describes itself, and the core what is loaded', () => {
  const description = hello.describe();
  assert.equal(description.name, 'hello');
  const add = description.methods.find((method) => method.name === 'math.add');
  const pod = add.entries.find((entry) => entry.encoding === 'pod');
  assert.deepEqual([pod.leaf, pod.request.layout.size], [true, 16]);
  assert.ok(JSON.stringify(inspect()).includes('hello'));
  assert.match(nativeVersion(), /^\d+\.\d+\.\d+/);
});

test('require and import give the same classes', () => {
  const required = createRequire(import.meta.url)('rustbridge');
  assert.equal(required.Plugin, Plugin);
  assert.equal(required.RustbridgeError, RustbridgeError);
});
