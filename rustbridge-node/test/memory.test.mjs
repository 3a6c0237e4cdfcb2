// Memory of requests and responses that is detached, shrunk or shared, also while a call runs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load } from 'rustbridge';
import { HELLO, OPERATIONS, sleep } from './plugins.mjs';

const hello = load(HELLO);
after(() => hello.close());

function detached(array) {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

test('memory that was detached has no bytes', async () => {
  const add = hello.method('math.add', 'pod');
  assert.throws(() => add.callRawSync(detached(new Uint8Array(16))), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(add.callRaw(detached(new Uint8Array(16))), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => add.callInto(new Uint8Array(16), detached(new Uint8Array(8))), RangeError);
});

test("memory that was shrunk is as long as it's now", () => {
  const add = hello.method('math.add', 'pod');
  const buffer = new ArrayBuffer(16, { maxByteLength: 1 << 20 });
  const request = new Uint8Array(buffer);
  assert.equal(add.callRawSync(request).length, 8);
  buffer.resize(8);
  assert.throws(() => add.callRawSync(request), { code: 'INVALID_ARGUMENT' });
  const fixed = new Uint8Array(new ArrayBuffer(16, { maxByteLength: 32 }), 8, 8);
  fixed.buffer.resize(8);
  assert.throws(() => add.callRawSync(fixed), { code: 'INVALID_ARGUMENT' });
  buffer.resize(1 << 20);
  assert.throws(() => add.callRawSync(request), { code: 'INVALID_ARGUMENT' });
});

test("what says it's bytes and isn't has no more than are there, or is refused", () => {
  const add = hello.method('math.add', 'pod');
  const numbers = Object.setPrototypeOf(new Float64Array(16), Uint8Array.prototype);
  assert.equal(add.callRawSync(numbers).length, 8);
  const sum = new Uint8Array(8);
  assert.throws(() => add.callInto(Object.setPrototypeOf(new Float64Array(2), Uint8Array.prototype), sum), { code: 'INVALID_ARGUMENT' });
  for (const none of [
    Object.create(Uint8Array.prototype),
    Object.setPrototypeOf(new DataView(new ArrayBuffer(16)), Uint8Array.prototype),
  ]) {
    assert.throws(() => add.callInto(none, sum), TypeError);
    assert.throws(() => add.callInto(new Uint8Array(16), none), TypeError);
  }
});

test('a slot goes on when its buffer is gone', () => {
  const slot = hello.method('math.add', 'pod').slot();
  const { buffer } = slot.request;
  try {
    structuredClone(buffer, { transfer: [buffer] });
  } catch {
    // It's the addon's own, which Node doesn't let go.
  }
  slot.call();
});

test('a slot keeps its plugin', async () => {
  const { call } = load(HELLO).method('math.add', 'pod').slot();
  for (let round = 0; round < 10; round++) {
    globalThis.gc?.();
    await sleep(5);
  }
  call();
});

test('request and response may be the same memory', () => {
  const echo = hello.method('echo');
  for (const length of [10, 1000]) {
    const room = new Uint8Array(3000);
    const request = Buffer.from(JSON.stringify({ message: 'x'.repeat(length) }));
    room.set(request);
    const written = echo.callInto(room.subarray(0, request.length), room);
    assert.equal(JSON.parse(Buffer.from(room.subarray(0, written)).toString()).length, length);
  }
});

test('a service may take the memory of the call that asks it', async (t) => {
  const room = { request: undefined, target: undefined };
  const services = {
    'prices.upper': {
      encoding: 'raw',
      call: (text) => {
        detached(room.request);
        if (room.target !== undefined) {
          detached(room.target);
        }
        return Buffer.from(Buffer.from(text).toString().toUpperCase());
      },
    },
  };
  const plugin = load(OPERATIONS, { services });
  t.after(() => plugin.close());
  const upper = plugin.method('service.upper', 'raw');
  for (const length of [10, 10_000]) {
    room.request = new Uint8Array(length).fill(97);
    assert.equal(Buffer.from(upper.callRawSync(room.request)).toString(), 'A'.repeat(length));
    room.request = new Uint8Array(length).fill(97);
    room.target = new Uint8Array(length);
    assert.throws(() => upper.callInto(room.request, room.target), RangeError);
    room.target = undefined;
    room.request = new Uint8Array(length).fill(97);
    assert.equal(Buffer.from(await upper.callRaw(room.request)).toString(), 'A'.repeat(length));
  }
});

test('a request may be changed as soon as the call has begun', async (t) => {
  const plugin = load(OPERATIONS);
  t.after(() => plugin.close());
  const request = Buffer.from('300');
  const pending = plugin.callRaw('async.fill', request);
  request.fill(0);
  assert.equal((await pending).length, 300);
});
