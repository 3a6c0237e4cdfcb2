// Services as functions, and objects.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load, Reply, RustbridgeError } from 'rustbridge';
import { busy, LIMIT, OPERATIONS, sleep, until } from './plugins.mjs';

const seen = [];

const services = {
  'prices.get': (id, call) => {
    seen.push([call.metadata, call.timeLeft]);
    if (id === 13) {
      throw new RustbridgeError('NOT_FOUND', 'no price of 13', { type: 'Price.Unknown', details: { id: 13n } });
    }
    if (id === 14) {
      throw new RangeError('fourteen');
    }
    return id === 15 ? sleep(1).then(() => 30) : id * 2;
  },
  'prices.quote': async (id, { signal }) => {
    if (id === 16) {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          seen.push('aborted');
          reject(signal.reason);
        });
      });
    }
    await sleep(2);
    return id * 3;
  },
  'prices.upper': { encoding: 'raw', call: (text) => Buffer.from(Buffer.from(text).toString().toUpperCase()) },
};

const plugin = load(OPERATIONS, { services });
after(() => plugin.close({ cancelAfter: 0 }));

test('a function answers while the loop waits, and while it goes on', async () => {
  assert.equal(plugin.callSync('service.total', [1, 2, 3]), 12);
  assert.equal(await plugin.call('service.total', [1, 2, 3]), 12);
  assert.equal(await plugin.call('service.task', 4), 8);
  assert.equal(Buffer.from(plugin.callRawSync('service.upper', Buffer.from('abc'))).toString(), 'ABC');
  assert.equal(Buffer.from(await plugin.callRaw('service.upper', Buffer.from('abc'))).toString(), 'ABC');
});

test('a promise is awaited, unless the loop waits for the plugin', async () => {
  assert.equal(await plugin.call('service.quote', 5), 15);
  assert.equal(await plugin.call('service.one', 15), 30);
  assert.throws(() => plugin.callSync('service.quote', 5), { code: 'FAILED_PRECONDITION', type: 'rustbridge.WaitsForItself' });
  assert.throws(() => plugin.callSync('service.one', 15), { code: 'FAILED_PRECONDITION' });
});

test("what a function throws is the plugin's error", async () => {
  const expected = { code: 'NOT_FOUND', message: 'no price of 13', type: 'Price.Unknown', details: { id: 13 } };
  assert.throws(() => plugin.callSync('service.one', 13), expected);
  await assert.rejects(plugin.call('service.one', 13), expected);
  await assert.rejects(plugin.call('service.one', 14), { code: 'INTERNAL', message: 'fourteen', type: 'RangeError' });
  assert.throws(() => plugin.callSync('service.leaf', 1), { code: 'FAILED_PRECONDITION' });
});

test("an error's status is one, or it's an internal error", { timeout: LIMIT }, async (t) => {
  const codes = ['constructor', 'OK', Symbol('code'), 5];
  const services = {
    'prices.get': (id) => {
      throw Object.assign(new RustbridgeError('NOT_FOUND', 'mine'), { code: codes[id] });
    },
  };
  const failing = load(OPERATIONS, { services });
  t.after(() => failing.close({ cancelAfter: 0 }));
  for (const id of codes.keys()) {
    assert.throws(() => failing.callSync('service.one', id), { code: 'INTERNAL', message: 'mine' });
    await assert.rejects(failing.call('service.one', id), { code: 'INTERNAL', message: 'mine' });
  }
});

test('a service that asks for itself without end fails', () => {
  const endless = load(OPERATIONS, { services: { 'prices.get': (id) => endless.callSync('service.one', id) } });
  const deeper = (depth) => (depth === 0 ? endless.callSync('service.one', 1) : deeper(depth - 1));
  // The stack ends in one function or in another, by how much of it there was.
  for (let depth = 0; depth < 200; depth += 5) {
    assert.throws(() => deeper(depth), { code: 'INTERNAL' });
  }
  endless.closeSync();
});

test('a service knows how much time there is', async () => {
  seen.length = 0;
  await plugin.call('service.one', 1, { timeout: 5000 });
  plugin.callSync('service.one', 1);
  assert.ok(seen[0][1] > 0 && seen[0][1] <= 5000);
  assert.equal(seen[1][1], undefined);
});

test('a service whose caller is gone is told', async () => {
  seen.length = 0;
  // Time enough for the service to be asked, on a machine that's busy.
  await assert.rejects(plugin.call('service.quote', 16, { timeout: 500 }), { code: 'DEADLINE_EXCEEDED' });
  await until('the service was told', () => seen.includes('aborted'));
});

test('a service may not close the plugin that asks', async () => {
  const closing = load(OPERATIONS, { services: { 'prices.get': () => closing.closeSync(0) } });
  assert.throws(() => closing.callSync('service.one', 1), { code: 'FAILED_PRECONDITION', type: 'rustbridge.CloseInsideCall' });
  await assert.rejects(closing.call('service.one', 1), { code: 'FAILED_PRECONDITION' });
  await closing.close();
});

test('a service may close another plugin that has asked meanwhile', async () => {
  for (let round = 0; round < 5; round++) {
    const other = load(OPERATIONS, { services: { 'prices.get': () => 1 } });
    const first = load(OPERATIONS, {
      services: {
        'prices.get': () => {
          other.closeSync({ cancelAfter: 0 });
          return 2;
        },
      },
    });
    const asked = Promise.all([first.call('service.one', 1), other.call('service.one', 1).catch(({ code }) => code)]);
    // Both have asked by the time that the loop looks.
    busy(50);
    const [mine, theirs] = await asked;
    assert.equal(mine, 2);
    assert.ok(['CANCELLED', 'UNAVAILABLE', 1].includes(theirs), theirs);
    await first.close();
    await other.close();
  }
});

test('services are checked', () => {
  assert.throws(() => load(OPERATIONS, { services: { 'prices.get': 5 } }), TypeError);
  assert.throws(() => load(OPERATIONS, { services: { 'prices.get': { encoding: 'x', call: () => 1 } } }), TypeError);
});

test('objects come, are called, lent and closed', async () => {
  const counter = await plugin.call('counter.open', 5);
  assert.equal(counter.kind, 'Counter');
  assert.equal(await counter.call('add', 3), 8);
  assert.equal(counter.callSync('add', 1), 9);
  assert.equal(await counter.call('add_later', 1), 10);
  const others = await plugin.call('counter.list', [1, 2]);
  assert.equal(await plugin.call('counter.total', [...others, counter]), 13);
  assert.equal(plugin.callSync('counter.total', [counter, counter]), 20);
  assert.equal(await counter.call('absorb', others[0]), 11);
  const items = [];
  for await (const item of counter.stream('upto', 14)) {
    items.push(item);
  }
  assert.deepEqual(items, [11, 12, 13]);
  for (const one of [counter, ...others]) {
    one.close();
    one.close();
  }
  assert.equal(counter.closed, true);
  assert.throws(() => counter.callSync('get'), TypeError);
  assert.throws(() => plugin.callSync('counter.total', [counter]), TypeError);
  assert.throws(() => JSON.stringify(others[0]), TypeError);
  assert.equal(plugin.callSync('counter.alive'), 0);
});

test('objects end with a block, in a stream and in a reply', async () => {
  const counter = plugin.callSync('counter.open', 5);
  counter[Symbol.dispose]();
  assert.equal(counter.closed, true);
  for await (const counter of plugin.stream('counter.stream', 300)) {
    counter.close();
  }
  for await (const counter of plugin.stream('counter.stream', 300)) {
    const isThird = counter.callSync('get') === 3;
    counter.close();
    if (isThird) {
      break;
    }
  }
  const reply = new Reply();
  await plugin.callRaw('counter.open', Buffer.from('1'), { encoding: 'json', reply });
  assert.equal(reply.objects.length, 1);
  reply.objects[0].close();
  await plugin.callRaw('counter.open', Buffer.from('1'), { encoding: 'json' });
  await until('all were dropped', () => plugin.callSync('counter.alive') === 0);
});
