// Calls of every kind at random, while instances are closed and what's abandoned is collected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, load } from 'rustbridge';
import { OPERATIONS, sleep, until } from './plugins.mjs';

const ROUNDS = 30 * Number(process.env.RUSTBRIDGE_SOAK ?? 1);
const CALLS = 60;

/** The same numbers each time. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

async function first(stream, count) {
  let left = count;
  for await (const _ of stream) {
    left -= 1;
    if (left <= 0) {
      break;
    }
  }
}

const services = {
  'prices.get': (id) => id * 2,
  'prices.quote': (id) => sleep(1).then(() => id),
  'prices.upper': { encoding: 'raw', call: (text) => text },
};

test('whatever is called, aborted and closed, each call ends and nothing is left', async () => {
  const numbers = random(7);
  const below = (limit) => Math.floor(numbers.next().value * limit);
  const allowed = new Set(['UNAVAILABLE', 'CANCELLED', 'DEADLINE_EXCEEDED', 'FAILED_PRECONDITION', 20]);
  let ended = 0;
  const count = () => {
    ended += 1;
  };
  const check = (error) => {
    assert.ok(allowed.has(error.code), String(error.stack));
    ended += 1;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const plugin = load(OPERATIONS, { name: 'hammered', services });
    const calls = [];
    for (let index = 0; index < CALLS; index++) {
      const controller = new AbortController();
      const { signal } = controller;
      if (below(3) === 0) {
        setTimeout(() => controller.abort(), below(4));
      }
      const begin = [
        () => plugin.call('async.later', { text: 'x' }, { signal }),
        () => plugin.call('async.never', null, { signal, timeout: 5 }),
        () => plugin.call('call.sleep', { ms: below(3) }, { signal }),
        () => plugin.call('service.total', [1, 2], { signal }),
        () => plugin.call('service.quote', 1, { signal }),
        () => plugin.callRaw('async.fill', Buffer.from(String(below(3000))), { signal }),
        () => first(plugin.stream('stream.ticks', { from: 0, to: 100 }, { signal, window: 1 + below(9) }), below(5)),
        () => plugin.send('items.sum', [{ value: 1 }, { value: 2 }], { value: 0 }, { signal }),
        () => first(plugin.exchange('items.double', [{ value: 1 }, { value: 2 }], null, { signal }), below(3)),
        async () => (await plugin.call('counter.open_later', 1, { signal })).call('add', 1),
        async () => plugin.callSync('service.total', [3]),
      ];
      calls.push(begin[below(begin.length)]().then(count, check));
    }
    if (below(2) === 0) {
      await sleep(below(4));
    }
    await plugin.close({ cancelAfter: below(3) });
    await Promise.all(calls);
    globalThis.gc?.();
  }
  assert.equal(ended, ROUNDS * CALLS);
  await until('no instance is left', () => !inspect().instances.some((one) => one.name === 'hammered'));
});

test('memory does not grow', { skip: globalThis.gc === undefined }, async () => {
  const plugin = load(OPERATIONS, { services });
  async function some() {
    for (let index = 0; index < 300; index++) {
      await plugin.call('async.now', { text: 'x'.repeat(100) });
      plugin.callSync('service.total', [1]);
      plugin.callRawSync('service.upper', new Uint8Array(1000).fill(97), { encoding: 'raw' });
      plugin.method('async.now');
      await plugin.stream('stream.numbers', { from: 0, to: 10 }).next();
      plugin.callSync('counter.open', 1);
      await plugin.call('async.fail', { text: 'x' }).catch(() => undefined);
    }
    // Finalizers run between turns.
    for (let turn = 0; turn < 5; turn++) {
      globalThis.gc();
      await sleep(1);
    }
  }
  const used = () => process.memoryUsage().heapUsed;
  await some();
  await some();
  const before = used();
  for (let round = 0; round < 5; round++) {
    await some();
  }
  // What one of the rounds makes and nobody gives back is several times that.
  assert.ok(used() - before < 400_000, `${used() - before} bytes more`);
  await until('all objects were dropped', () => {
    globalThis.gc();
    return plugin.callSync('counter.alive') === 0;
  });
  await plugin.close({ cancelAfter: 0 });
});
