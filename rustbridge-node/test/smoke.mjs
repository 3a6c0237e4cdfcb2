// The same few calls in whatever runs this: Node, Bun or Deno.

import assert from 'node:assert/strict';
import { load, RustbridgeError } from '../index.mjs';
import { HELLO, OPERATIONS } from './plugins.mjs';

const hello = load(HELLO);
assert.equal(hello.callSync('echo', { message: 'Hi' }).length, 2);
assert.deepEqual(await hello.call('greet', { name: 'Ada' }), { greeting: 'Hello, Ada! Welcome to rustbridge.' });
await assert.rejects(hello.call('nothing'), (error) => error instanceof RustbridgeError && error.code === 'NOT_FOUND');
const add = hello.method('math.add', 'pod');
const request = new BigInt64Array([20n, 22n]);
const response = new BigInt64Array(1);
assert.equal(add.callInto(request, response), 8);
assert.equal(response[0], 42n);
const slot = add.slot();
slot.request.setBigInt64(0, 20n, true);
slot.request.setBigInt64(8, 23n, true);
slot.call();
assert.equal(slot.response.getBigInt64(0, true), 43n);

const records = [];
const services = { 'prices.get': (id) => id * 2, 'prices.quote': async (id) => id * 3 };
const operations = load(OPERATIONS, { services, logger: (record) => records.push(record) });
assert.equal((await operations.call('async.later', { text: 'later' })).text, 'later');
assert.equal(operations.callSync('service.total', [1, 2]), 6);
assert.equal(await operations.call('service.total', [1, 2]), 6);
assert.equal(await operations.call('service.quote', 5), 15);
await assert.rejects(operations.call('async.never', null, { timeout: 10 }), { code: 'DEADLINE_EXCEEDED' });
await assert.rejects(operations.call('async.never', null, { signal: AbortSignal.timeout(10) }), { name: 'TimeoutError' });
const items = [];
for await (const item of operations.stream('stream.numbers', { from: 0, to: 1000 })) {
  items.push(item);
}
assert.equal(items.length, 1000);
const values = Array.from({ length: 1000 }, (_, value) => ({ value }));
assert.deepEqual(await operations.send('items.sum', values, { value: 1 }), { value: 499_501 });
const counter = await operations.call('counter.open', 5);
assert.equal(counter.callSync('add', 1), 6);
counter.close();
await operations.close();
await hello.close();
console.log('as expected');
