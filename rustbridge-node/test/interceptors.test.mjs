// Interceptors around calls and streams.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'rustbridge';
import { OPERATIONS } from './plugins.mjs';

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
