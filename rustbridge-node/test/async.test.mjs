// Calls that end later: cancelled, too late, with metadata and a trace.

import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { getEventListeners } from 'node:events';
import { after, test } from 'node:test';
import { load, loadAsync, Reply } from 'rustbridge';
import { busy, HELLO, LIMIT, OPERATIONS, sleep, until } from './plugins.mjs';

const plugin = load(OPERATIONS);
after(() => plugin.close({ cancelAfter: 0 }));

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('many calls are pending at once', async () => {
  const calls = Array.from({ length: 1000 }, (_, index) => plugin.call('async.later', { text: `${index}` }));
  assert.deepEqual(
    (await Promise.all(calls)).map(({ text }) => text),
    Array.from({ length: 1000 }, (_, index) => `${index}`),
  );
});

test('the loop goes on while a plain method runs', async () => {
  let turns = 0;
  const pending = plugin.call('call.sleep', { ms: 100 });
  while (!(await Promise.race([pending.then(() => true), sleep(1)]))) {
    turns += 1;
  }
  assert.ok(turns > 1);
});

test('plain handlers have no more threads than loading allows', async () => {
  const narrow = load(OPERATIONS, { threads: 1 });
  const order = [];
  const calls = [40, 1].map(async (ms) => {
    await narrow.call('call.sleep', { ms });
    order.push(ms);
  });
  await Promise.all(calls);
  narrow.close();
  // The shorter one has waited for the longer one's thread.
  assert.deepEqual(order, [40, 1]);
});

test('an offloaded call keeps the loop from nothing, not even from what is computed before the first wait', async () => {
  assert.equal(await plugin.call('async.apart'), false);
  assert.equal(await plugin.call('async.apart', null, { offload: true }), true);
});

test('a signal ends a call, and the plugin drops it', async () => {
  const before = plugin.callSync('async.dropped');
  const controller = new AbortController();
  const pending = plugin.call('async.never', null, { signal: controller.signal });
  await sleep(5);
  controller.abort();
  await assert.rejects(pending, { name: 'AbortError' });
  await until('the handler was dropped', () => plugin.callSync('async.dropped') === before + 1);
  await assert.rejects(plugin.call('async.never', null, { signal: controller.signal }), { name: 'AbortError' });
  await assert.rejects(plugin.call('async.never', null, { signal: AbortSignal.timeout(5) }), { name: 'TimeoutError' });
});

test('a controller in place of its signal is refused before anything begins', async () => {
  const before = plugin.callSync('async.dropped');
  const wrong = { signal: new AbortController() };
  const refused = { name: 'TypeError', message: /`signal` isn't an AbortSignal: pass the `signal` of the AbortController/ };
  await assert.rejects(plugin.call('async.later', { text: 'x' }, wrong), refused);
  await assert.rejects(plugin.method('items.sum').send([1], { value: 0 }, { signal: 'x' }), { name: 'TypeError' });
  assert.throws(() => plugin.stream('stream.ticks', { from: 0, to: 3 }, wrong), refused);
  assert.equal(plugin.callSync('async.dropped'), before);
});

test('one signal ends any number of calls without a warning', { timeout: LIMIT }, async () => {
  const warnings = [];
  const warned = (warning) => warnings.push(warning);
  process.on('warning', warned);
  const controller = new AbortController();
  const calls = Array.from({ length: 30 }, () => plugin.call('async.never', null, { signal: controller.signal }));
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
  controller.abort();
  for (const { reason } of await Promise.allSettled(calls)) {
    assert.equal(reason.name, 'AbortError');
  }
  await sleep(5);
  process.off('warning', warned);
  assert.deepEqual(warnings, []);
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  // One of another realm, as jsdom has it.
  const own = new AbortController();
  const foreign = {
    aborted: false,
    addEventListener: (...given) => own.signal.addEventListener(...given),
    removeEventListener: (...given) => own.signal.removeEventListener(...given),
    reason: 'foreign',
  };
  const pending = plugin.call('async.never', null, { signal: foreign });
  own.abort();
  await assert.rejects(pending, (reason) => reason === 'foreign');
});

test('a signal ends its own call, whatever becomes of the options', { timeout: LIMIT }, async () => {
  const controller = new AbortController();
  const options = { signal: controller.signal };
  const first = plugin.call('async.later', { text: 'first' }, options);
  options.signal = undefined;
  assert.deepEqual(await first, { text: 'first' });
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  // It gets the number that the first one had.
  const second = plugin.call('async.later', { text: 'second' });
  controller.abort();
  assert.deepEqual(await second, { text: 'second' });

  const other = new AbortController();
  const given = { signal: other.signal };
  const stream = plugin.stream('stream.numbers', { from: 0, to: 2 }, given);
  assert.deepEqual(await stream.next(), { done: false, value: 0 });
  given.signal = AbortSignal.abort();
  assert.deepEqual(await stream.next(), { done: false, value: 1 });
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
  assert.equal(getEventListeners(other.signal, 'abort').length, 0);
});

test("what has come for a call that was given up isn't another call's", { timeout: LIMIT }, async (t) => {
  let controller;
  let late;
  const services = {
    'prices.get': () => {
      // The end of `stale` was fetched together with this, and `late` gets its number.
      controller.abort();
      late = asking.call('call.sleep', { ms: 50 });
      return 7;
    },
  };
  const asking = load(OPERATIONS, { services });
  t.after(() => asking.close({ cancelAfter: 0 }));
  // Not each time on a busy machine the service is asked before the call has ended.
  for (let given = 0; given < 3; ) {
    controller = new AbortController();
    const asked = asking.call('service.task', 1);
    busy(30);
    const stale = asking.call('async.later', { text: 'stale' }, { signal: controller.signal });
    busy(30);
    given += await stale.then(
      () => 0,
      () => 1,
    );
    assert.equal(await asked, 7);
    assert.equal(await late, null);
  }
});

test('an answer that is longer than a string may be is an error', { timeout: LIMIT }, async () => {
  const request = Buffer.alloc(constants.MAX_STRING_LENGTH, 'a');
  request.write('{"message":"');
  request.write('"}', request.length - 2);
  const hello = load(HELLO);
  const pending = hello.callRaw('echo', request, { encoding: 'json' });
  await assert.rejects(pending, { code: 'RESOURCE_EXHAUSTED', type: 'rustbridge.TooLarge' });
  await hello.close();
});

test('a call has its time', async () => {
  await assert.rejects(plugin.call('async.never', null, { timeout: 10 }), { code: 'DEADLINE_EXCEEDED' });
  assert.throws(() => plugin.callSync('async.never', null, { timeout: 10 }), { code: 'DEADLINE_EXCEEDED' });
  await assert.rejects(plugin.call('async.later', { text: '' }, { timeout: 0 }), { code: 'DEADLINE_EXCEEDED' });
  await assert.rejects(plugin.call('async.later', { text: '' }, { timeout: -1 }), RangeError);
});

test('metadata, trace and trailers go along', async () => {
  const reply = new Reply();
  const options = { metadata: { one: 'two', three: Buffer.from('4') }, trace: [TRACE, 'a=b'], timeout: 10_000, reply };
  const carried = await plugin.call('call.carried_later', null, options);
  assert.deepEqual(carried, {
    has_deadline: true,
    metadata: [
      ['one', 'two'],
      ['three', '4'],
    ],
    trace: TRACE,
    state: 'a=b',
  });
  assert.deepEqual(
    reply.trailers.map(([key, value]) => [key, Buffer.from(value).toString()]),
    [
      ['one', 'two'],
      ['three', '4'],
    ],
  );
  assert.deepEqual(plugin.callSync('call.carried', null, options).metadata, carried.metadata);
  const failed = new Reply();
  await assert.rejects(plugin.call('call.fail', null, { reply: failed }), { code: 'ABORTED', details: { n: 7 } });
  assert.equal(failed.trailers[0][0], 'why');
  await assert.rejects(plugin.call('call.carried', null, { metadata: { Capital: 'x' } }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(plugin.call('call.carried', null, { trace: 'nonsense' }), TypeError);
});

test("OpenTelemetry's current span goes along", async () => {
  const api = Symbol.for('opentelemetry.js.api.1');
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const span = { spanContext: () => ({ traceId, spanId, traceFlags: 1 }) };
  globalThis[api] = { context: { active: () => ({ getValue: () => span }) } };
  try {
    const traced = load(OPERATIONS);
    assert.equal((await traced.call('call.carried')).trace, TRACE);
    assert.equal(traced.callSync('call.carried').trace, TRACE);
    await traced.close();
  } finally {
    delete globalThis[api];
  }
});

test('errors and panics of pending calls are told', async () => {
  await assert.rejects(plugin.call('async.fail', { text: 'lost' }), { code: 'DATA_LOSS', message: 'lost', details: { n: 7 } });
  await assert.rejects(plugin.call('async.panic_later', { text: 'boom' }), { code: 'INTERNAL', type: 'panic' });
  await assert.rejects(plugin.call('stream.numbers', { from: 0, to: 1 }), { name: 'RustbridgeError' });
});

test('closing waits for what is pending, or cancels it', async () => {
  const closing = load(OPERATIONS);
  const later = closing.call('async.later', { text: 'x' });
  const never = assert.rejects(closing.call('async.never'), { code: 'CANCELLED' });
  await assert.rejects(closing.close(20), { code: 'DEADLINE_EXCEEDED' });
  assert.equal(closing.state, 'closing');
  assert.deepEqual(await later, { text: 'x' });
  await closing.close({ cancelAfter: 0 });
  await never;
  assert.equal(closing.state, 'closed');
});

test('the error of a call that was awaited has its callers in its stack', { timeout: LIMIT }, async () => {
  const bytes = plugin.method('call.fail', 'json');
  for (const begin of [
    () => plugin.call('call.fail'),
    () => plugin.call('call.fail', null, { timeout: 60_000 }),
    () => bytes.callRaw(Buffer.from('null')),
  ]) {
    async function innermost() {
      return await begin();
    }
    async function outermost() {
      return await innermost();
    }
    await assert.rejects(outermost(), ({ stack }) => {
      assert.match(stack, /async innermost/);
      assert.match(stack, /async outermost/);
      return true;
    });
  }
});

test('a plugin is loaded on a thread', { timeout: LIMIT }, async () => {
  const own = await loadAsync(OPERATIONS, { ownCopy: true, name: 'loaded' });
  assert.equal(own.state, 'active');
  assert.deepEqual(await own.call('async.later', { text: 'a' }), { text: 'a' });
  await own.close();
  // What is wrong with the options is told as a rejection, and so is what is wrong with the library.
  await assert.rejects(loadAsync(OPERATIONS, { onPanic: 'run' }), TypeError);
  async function missing() {
    await loadAsync('/no/such/plugin.so');
  }
  await assert.rejects(missing(), ({ code, stack }) => {
    assert.equal(code, 'NOT_FOUND');
    assert.match(stack, /async missing/);
    return true;
  });
  const several = await Promise.all(Array.from({ length: 8 }, () => loadAsync(HELLO)));
  await Promise.all(several.map((one) => one.close()));
});
