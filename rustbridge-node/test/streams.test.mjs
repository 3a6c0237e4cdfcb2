// Streams out, in and both ways.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load } from 'rustbridge';
import { busy, HELLO, LIMIT, OPERATIONS, until } from './plugins.mjs';

const plugin = load(OPERATIONS);
after(() => plugin.close({ cancelAfter: 0 }));

async function all(stream) {
  const items = [];
  for await (const item of stream) {
    items.push(item);
  }
  return items;
}

const upTo = (count) => Array.from({ length: count }, (_, index) => index);

test('items come in order, however small the window', async () => {
  assert.deepEqual(await all(plugin.stream('stream.numbers', { from: 0, to: 1000 })), upTo(1000));
  for (const options of [{ window: 1 }, { window: 3 }, { windowBytes: 1 }, { window: 7, windowBytes: 5 }]) {
    assert.deepEqual(await all(plugin.stream('stream.numbers', { from: 0, to: 100 }, options)), upTo(100));
  }
  assert.deepEqual(await all(plugin.stream('stream.ticks', { from: 0, to: 20 })), upTo(20));
  assert.throws(() => plugin.stream('stream.numbers', {}, { window: 0 }), RangeError);
});

test('items of bytes and structs come as bytes', async () => {
  const pods = plugin.method('stream.pods', 'pod').streamRaw(new BigUint64Array([5n]));
  assert.deepEqual(
    (await all(pods)).map((item) => item[0]),
    upTo(5),
  );
  const texts = plugin.method('stream.texts', 'raw').streamRaw(Buffer.from('300'));
  assert.deepEqual(
    (await all(texts)).map((item) => item.length),
    upTo(300).map((index) => index + 1),
  );
});

test('items come in order also where a service looks for others', { timeout: LIMIT }, async (t) => {
  const services = {
    'prices.get': () => {
      // Items that come from here on are fetched by the close, inside of which those from before aren't told yet.
      busy(20);
      other.closeSync();
      return 7;
    },
  };
  const asking = load(OPERATIONS, { services });
  let other;
  t.after(() => asking.close({ cancelAfter: 0 }));
  for (let round = 0; round < 5; round++) {
    other = load(HELLO);
    const stream = asking.stream('stream.ticks', { from: 0, to: 100 }, { window: 1000 });
    const items = all(stream);
    const asked = asking.call('service.task', round);
    busy(40);
    assert.deepEqual(await items, upTo(100));
    assert.equal(await asked, 7);
  }
});

test("a stream that can't begin has ended", { timeout: LIMIT }, async () => {
  const closed = load(OPERATIONS);
  const stream = closed.stream('stream.numbers', { from: 0, to: 3 });
  closed.closeSync();
  await assert.rejects(stream.next(), { code: 'UNAVAILABLE' });
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});

test('batches have the same items', async () => {
  const items = [];
  for await (const batch of plugin.stream('stream.numbers', { from: 0, to: 1000 }).batches()) {
    items.push(...batch);
  }
  assert.deepEqual(items, upTo(1000));
});

test('an error comes after the items that came', async () => {
  const items = [];
  await assert.rejects(
    async () => {
      for await (const item of plugin.stream('stream.numbers', { from: 0, to: 10, fail_at: 5 })) {
        items.push(item);
      }
    },
    { code: 'DATA_LOSS' },
  );
  assert.deepEqual(items, upTo(5));
  await assert.rejects(all(plugin.stream('stream.numbers', { from: 5, to: 0 })), { code: 'INVALID_ARGUMENT' });
});

test('leaving a loop gives the stream up', async () => {
  const before = plugin.callSync('async.dropped');
  const stream = plugin.stream('stream.ticks', { from: 0, to: 1_000_000 });
  for await (const item of stream) {
    if (item === 3) {
      break;
    }
  }
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
  await until('the stream was dropped', () => plugin.callSync('async.dropped') > before);
});

test('a signal ends a stream', async () => {
  const controller = new AbortController();
  const stream = plugin.stream('stream.ticks', { from: 0, to: 1_000_000 }, { signal: controller.signal });
  await stream.next();
  controller.abort();
  await assert.rejects(all(stream), { name: 'AbortError' });
});

test('items are sent as fast as they are taken', async () => {
  const values = upTo(5000).map((value) => ({ value }));
  async function* one() {
    yield* values;
  }
  assert.deepEqual(await plugin.send('items.sum', values, { value: 1 }), { value: 12_497_501 });
  assert.deepEqual(await plugin.send('items.sum', one(), { value: 1 }), { value: 12_497_501 });
  assert.deepEqual(await plugin.send('items.sum', new Set(values), { value: 1 }), { value: 12_497_501 });
});

test('a plugin may answer before it has taken all', async () => {
  let isReturned = false;
  async function* forever() {
    try {
      for (;;) {
        yield { value: 7 };
      }
    } finally {
      isReturned = true;
    }
  }
  assert.deepEqual(await plugin.send('items.first', forever()), { value: 7 });
  await until('the generator was ended', () => isReturned);
});

test('what fails to give items is told', async () => {
  async function* fails() {
    yield { value: 1 };
    throw new Error('mine');
  }
  await assert.rejects(plugin.send('items.sum', fails(), { value: 0 }), { message: 'mine' });
  await assert.rejects(all(plugin.exchange('items.double', fails())), { message: 'mine' });
  await assert.rejects(plugin.send('items.sum', 5, { value: 0 }), TypeError);
});

test('items go both ways', async () => {
  const values = upTo(2000).map((value) => ({ value }));
  const doubled = await all(plugin.exchange('items.double', values, null, { window: 16 }));
  assert.deepEqual(
    doubled,
    values.map(({ value }) => ({ value: 2 * value })),
  );
});

test('an abandoned stream is found by the collector', async () => {
  const before = plugin.callSync('async.dropped');
  await plugin.stream('stream.ticks', { from: 0, to: 1_000_000 }).next();
  if (globalThis.gc !== undefined) {
    await until('the stream was dropped', () => {
      globalThis.gc();
      return plugin.callSync('async.dropped') > before;
    });
  }
});

test('what has no stream says so, and what to use', async () => {
  const [unary, gives, takes] = ['async.now', 'stream.ticks', 'items.sum'].map((name) => plugin.method(name));
  const range = { from: 0, to: 3 };
  const none = (message) => ({ code: 'UNIMPLEMENTED', type: 'rustbridge.NoStream', message });
  const no = (message) => ({ code: 'UNIMPLEMENTED', type: 'rustbridge.NoItems', message });
  assert.throws(() => unary.stream({ text: 'x' }), none('"async.now" returns no stream: use `call`'));
  assert.throws(() => unary.streamRaw(Buffer.from('{}')), { code: 'UNIMPLEMENTED' });
  assert.throws(() => takes.stream({ value: 0 }), none('"items.sum" returns no stream: use `send`'));
  await assert.rejects(async () => await unary.send([1], { text: 'x' }), no('"async.now" accepts no items: use `call`'));
  await assert.rejects(unary.sendRaw([Buffer.from('1')], Buffer.from('{}')), { code: 'UNIMPLEMENTED' });
  await assert.rejects(async () => await gives.send([1], range), no('"stream.ticks" accepts no items: use `stream`'));
  assert.throws(() => unary.exchange([1], { text: 'x' }), no('"async.now" accepts no items: use `call`'));
  assert.throws(() => gives.exchange([1], range), no('"stream.ticks" accepts no items: use `stream`'));
  assert.throws(() => takes.exchange([1], { value: 0 }), none('"items.sum" returns no stream: use `send`'));
  assert.throws(() => takes.exchangeRaw([], Buffer.from('{}')), { code: 'UNIMPLEMENTED' });
});
