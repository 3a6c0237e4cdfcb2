// Worker threads: each has an environment of its own, and nothing is left of one that ends.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { inspect, load } from 'rustbridge';
import { OPERATIONS, until } from './plugins.mjs';

const WORKERS = 4;

const instances = (name) => inspect().instances.filter((one) => one.name === name).length;

function work(name, how) {
  return new Worker(fileURLToPath(import.meta.url), { workerData: { name, how } });
}

if (isMainThread) {
  test('a copy of a plugin has no methods, and there is none of a method', async () => {
    const plugin = load(OPERATIONS);
    assert.equal(structuredClone(plugin).call, undefined);
    assert.throws(() => structuredClone(plugin.method('call.carried')), { name: 'DataCloneError' });
    await plugin.close();
  });

  test('workers call side by side', async () => {
    const workers = Array.from({ length: WORKERS }, () => work('side', 'calls'));
    const ends = await Promise.all(workers.map((worker) => once(worker, 'exit')));
    assert.deepEqual(
      ends,
      Array.from({ length: WORKERS }, () => [0]),
    );
    await until('no instance is left', () => instances('side') === 0);
  });

  for (const how of ['pending', 'blocked', 'serving', 'streaming', 'open']) {
    test(`a worker that ends while it is ${how} leaves nothing`, async () => {
      for (let round = 0; round < 3; round++) {
        const worker = work(how, how);
        await once(worker, 'message');
        assert.equal(instances(how), 1);
        await worker.terminate();
        await until('no instance is left', () => instances(how) === 0);
      }
    });
  }

  test('a program ends although a plugin is open', async () => {
    const worker = work('ends', 'ends');
    assert.deepEqual(await once(worker, 'exit'), [0]);
    await until('no instance is left', () => instances('ends') === 0);
  });
} else {
  const { name, how } = workerData;
  const services = { 'prices.get': (id) => id * 2, 'prices.quote': () => new Promise(() => undefined) };
  const plugin = load(OPERATIONS, { name, services, logger: () => undefined, logLevel: 'trace' });
  const ignore = () => undefined;
  if (how === 'calls') {
    for (let index = 0; index < 200; index++) {
      const [later, total] = await Promise.all([plugin.call('async.later', { text: name }), plugin.call('service.total', [index])]);
      assert.equal(later.text, name);
      assert.equal(total, 2 * index);
      assert.equal(plugin.callSync('service.total', [index]), 2 * index);
    }
    await plugin.close();
  } else if (how === 'ends') {
    assert.equal(plugin.callSync('service.total', [1]), 2);
  } else {
    // Whatever isn't pending has the worker end by itself.
    setInterval(ignore, 1000);
    if (how === 'pending') {
      for (let index = 0; index < 100; index++) {
        plugin.call('async.never').catch(ignore);
        plugin.call('call.sleep', { ms: 20 }).catch(ignore);
      }
    } else if (how === 'serving') {
      plugin.call('service.quote', 1).catch(ignore);
    } else if (how === 'streaming') {
      await plugin.stream('stream.ticks', { from: 0, to: 1_000_000 }).next();
    }
    parentPort.postMessage('begun');
    if (how === 'blocked') {
      plugin.callSync('call.sleep', { ms: 300 });
    }
  }
}
