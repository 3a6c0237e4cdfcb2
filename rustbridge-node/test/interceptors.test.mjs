// Interceptors around calls and streams.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, load } from 'rustbridge';
import { HELLO, OPERATIONS, sleep } from './plugins.mjs';

test('interceptors are around calls and streams, the first outermost', async () => {
  const seen = [];
  const traced = (name) => ({
    async call({ method, request, options }, next) {
      seen.push(`${name} before ${method.name} ${JSON.stringify(request)}`);
      const answer = await next({ ...options, metadata: [...(options.metadata ?? []), [name, 'was here']] });
      seen.push(`${name} after`);
      return answer;
    },
    async *stream({ method, options }, next) {
      seen.push(`${name} streams ${method.name}`);
      for await (const item of next(options)) {
        yield item * 10;
      }
    },
  });
  const plugin = load(OPERATIONS, { interceptors: [traced('a'), {}, traced('b')] });
  const carried = await plugin.call('call.carried', null);
  assert.deepEqual(carried.metadata, [
    ['a', 'was here'],
    ['b', 'was here'],
  ]);
  assert.deepEqual(seen.splice(0), ['a before call.carried null', 'b before call.carried null', 'b after', 'a after']);
  const items = [];
  for await (const item of plugin.stream('stream.numbers', { from: 0, to: 3 })) {
    items.push(item);
  }
  assert.deepEqual(items, [0, 100, 200]);
  assert.deepEqual(seen.splice(0), ['a streams stream.numbers', 'b streams stream.numbers']);
  assert.deepEqual(await plugin.send('items.sum', [{ value: 2 }], { value: 1 }), { value: 3 });
  await plugin.close();
});

test('an interceptor may answer by itself, and fail', async () => {
  let tries = 0;
  const retry = {
    async call(_, next) {
      for (;;) {
        try {
          return await next({});
        } catch (error) {
          tries += 1;
          if (tries === 3) {
            throw error;
          }
        }
      }
    },
  };
  const plugin = load(OPERATIONS, { interceptors: [retry] });
  await assert.rejects(plugin.call('async.fail', { text: 'x' }), { code: 'DATA_LOSS' });
  assert.equal(tries, 3);
  await plugin.close();
  const cached = load(OPERATIONS, { interceptors: [{ call: async () => 'mine' }] });
  assert.equal(await cached.call('async.fail', { text: 'x' }), 'mine');
  await cached.close();
});

test('calls with text and bytes carry what an interceptor passes on', async () => {
  const tagged = { call: (_, next) => next({ metadata: { tag: 'mine' } }) };
  const plugin = load(OPERATIONS, { interceptors: [tagged] });
  const carried = JSON.parse(await plugin.method('call.carried').callJson('null'));
  assert.deepEqual(carried.metadata, [['tag', 'mine']]);
  const bytes = await plugin.callRaw('call.carried', Buffer.from('null'), { encoding: 'json' });
  assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()).metadata, [['tag', 'mine']]);
  await plugin.close();
});

test('bytes may be changed as soon as the call has begun, though an interceptor waits', async () => {
  const waits = {
    async call({ options }, next) {
      await sleep(5);
      return next(options);
    },
    async *stream({ options }, next) {
      yield* next(options);
    },
  };
  const hello = load(HELLO, { interceptors: [waits] });
  const request = new BigInt64Array([20n, 22n]);
  const sum = hello.method('math.add', 'pod').callRaw(request);
  request.fill(0n);
  assert.equal(new DataView((await sum).buffer).getBigInt64(0, true), 42n);
  await hello.close();

  const plugin = load(OPERATIONS, { interceptors: [waits] });
  const start = new BigInt64Array([40n]);
  const total = plugin.method('items.sum', 'pod').sendRaw([new BigInt64Array([2n])], start);
  start.fill(0n);
  assert.equal(new DataView((await total).buffer).getBigInt64(0, true), 42n);
  const count = new BigUint64Array([2n]);
  const stream = plugin.method('stream.pods', 'pod').streamRaw(count);
  count.fill(0n);
  let items = 0;
  for await (const _ of stream) {
    items += 1;
  }
  assert.equal(items, 2);
  await plugin.close();
});

test('interceptors are looked at before the plugin is loaded', () => {
  const fails = {
    name: 'lost',
    get interceptors() {
      throw new Error('mine');
    },
  };
  assert.throws(() => load(HELLO, fails), { message: 'mine' });
  for (const interceptors of [{}, 'text', [undefined], [() => 1]]) {
    assert.throws(() => load(HELLO, { name: 'lost', interceptors }), TypeError);
  }
  assert.ok(inspect().instances.every(({ name }) => name !== 'lost'));
});
