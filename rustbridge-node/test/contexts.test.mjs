// A service's function runs in the asynchronous context of the call that it's asked for.

import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { after, afterEach, test } from 'node:test';
import { load, serviceCall } from 'rustbridge';
import { library, OPERATIONS, sleep, until } from './plugins.mjs';
import { client } from './typed.mjs';

const { keptContexts } = createRequire(import.meta.url)('../dist/contexts.js');

const user = new AsyncLocalStorage();
const seen = [];

const services = {
  'prices.get': (id) => {
    seen.push(user.getStore());
    if (id === 13) {
      throw new RangeError('thirteen');
    }
    return id * 2;
  },
  'prices.quote': async (id) => {
    seen.push(user.getStore());
    await sleep(1);
    seen.push(user.getStore());
    return id * 3;
  },
};

// What's loaded for one request is used for others.
const plugin = user.run('the loader', () => load(OPERATIONS, { services }));
after(() => plugin.close({ cancelAfter: 0 }));
afterEach(() => assert.equal(keptContexts(), 0));

function taken() {
  return seen.splice(0);
}

test("a service sees its caller's context", async () => {
  const calls = [
    ['ada', () => plugin.call('service.one', 1)],
    ['eve', () => plugin.call('service.one', 1, { timeout: 30_000, metadata: { user: 'x' } })],
    [
      'bob',
      () =>
        plugin
          .method('service.one')
          .callRaw(Buffer.from('1'))
          .catch(() => plugin.call('service.one', 1)),
    ],
    ['sync', async () => plugin.callSync('service.one', 1)],
    ['offloaded', () => plugin.call('service.one', 1, { offload: true })],
  ];
  for (const [name, call] of calls) {
    await user.run(name, call);
    assert.deepEqual([...new Set(taken())], [name]);
  }
  await user.run('ada', () => plugin.call('service.quote', 1));
  assert.deepEqual(taken(), ['ada', 'ada']);
  await plugin.call('service.one', 1);
  await plugin.call('service.quote', 1);
  assert.deepEqual(taken(), [undefined, undefined, undefined]);
});

test('many calls at once have each its own', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `user ${index}`);
  await Promise.all(names.map((name) => user.run(name, () => plugin.call('service.quote', 1))));
  assert.deepEqual(taken().sort(), [...names, ...names].sort());
});

test("a stream's services see its consumer's context", async () => {
  await user.run('ada', async () => {
    const items = [];
    for await (const item of plugin.stream('service.prices', [1, 2], { offload: true })) {
      items.push(item);
    }
    assert.deepEqual(items, [2, 4]);
  });
  assert.deepEqual(taken(), ['ada', 'ada']);
});

test("a plugin's own task doesn't specify for which call it asks", async () => {
  await user.run('ada', () => plugin.call('service.task', 1));
  assert.deepEqual(taken(), [undefined]);
});

test('a call inside a service has the context of that', async () => {
  const outer = load(OPERATIONS, {
    services: {
      'prices.quote': async (id) =>
        (await plugin.call('service.one', id)) + (await user.run('inner', () => plugin.call('service.one', id))),
      'prices.get': (id) => plugin.callSync('service.one', id),
    },
  });
  await user.run('outer', () => outer.call('service.quote', 1));
  assert.deepEqual(taken(), ['outer', 'inner']);
  await user.run('outer', () => outer.call('service.one', 1));
  assert.deepEqual(taken(), ['outer']);
  user.run('outer', () => outer.callSync('service.one', 1));
  assert.deepEqual(taken(), ['outer']);
  await outer.close();
});

test('no context is kept of calls that fail', async () => {
  await user.run('ada', async () => {
    await assert.rejects(plugin.call('service.one', 13));
    await assert.rejects(plugin.call('service.one', 'no number'));
    await assert.rejects(plugin.call('async.panic_now', { text: 'a' }));
    await assert.rejects(plugin.call('async.never', undefined, { timeout: 10 }), { code: 'DEADLINE_EXCEEDED' });
    const controller = new AbortController();
    const never = plugin.call('async.never', undefined, { signal: controller.signal });
    controller.abort();
    await assert.rejects(never, { name: 'AbortError' });
    for await (const _ of plugin.stream('stream.ticks', { to: 1_000_000 })) {
      break;
    }
    await assert.rejects(plugin.stream('service.prices', [13]).next());
    await assert.rejects(plugin.stream('service.prices', 'nonsense').next());
    const closed = load(OPERATIONS, { services });
    const prices = closed.method('service.prices');
    await closed.close();
    await assert.rejects(closed.call('service.one', 1), { code: 'UNAVAILABLE' });
    await assert.rejects(closed.call('service.quote', 1), { code: 'UNAVAILABLE' });
    await assert.rejects(prices.stream([1]).next(), { code: 'UNAVAILABLE' });
  });
  await until('what was given up is over', () => keptContexts() === 0);
  taken();
});

test('a stream that is dropped is given up, also if its own context refers to it', async () => {
  async function drop() {
    const request = {};
    await user.run(request, async () => {
      request.stream = plugin.stream('stream.ticks', { to: 1_000_000 });
      await request.stream.next();
    });
  }
  await drop();
  assert.equal(keptContexts(), 1);
  await until('it was given up', () => {
    globalThis.gc();
    return keptContexts() === 0;
  });
});

test('what a service with types throws is the cause', async () => {
  const thrown = new RangeError('mine');
  const directory = {
    find: () => {
      throw thrown;
    },
    fetch: async () => {
      throw thrown;
    },
    count: () => 1n,
  };
  const types = client.Types.load(library('types_plugin'), { host: { directory } });
  for (const call of [() => types.ask('Ada'), () => types.askLater('Ada'), async () => types.askSync('Ada')]) {
    await assert.rejects(call, (error) => error.code === 'INTERNAL' && error.cause === thrown);
  }
  await types.close();
});

test('functions without a parameter for it find their call, also after they have waited', async () => {
  const calls = [];

  function note() {
    const call = serviceCall();
    calls.push([Buffer.from(Object.fromEntries(call.metadata).user).toString(), call.timeLeft !== undefined, user.getStore()]);
  }

  const directory = {
    find: (name) => {
      note();
      return { name, age: 36 };
    },
    fetch: async (name) => {
      await sleep(1);
      note();
      return { name, age: 36 };
    },
    count: () => {
      note();
      return 1n;
    },
  };
  const types = client.Types.load(library('types_plugin'), { host: { directory } });
  const options = { timeout: 30_000, metadata: { user: 'x' } };
  await user.run('ada', async () => {
    await types.ask('Ada', options);
    await types.askLater('Ada', options);
    await types.askCount(options);
  });
  assert.deepEqual(calls, Array(3).fill(['x', true, 'ada']));
  await types.close();
  assert.throws(() => serviceCall(), /must be called inside a service/);
});
