// What functions of this program throw comes back to it through a plugin.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load, RustbridgeError } from 'rustbridge';
import { keep, LIMIT as MOST, take } from '../dist/causes.js';
import { LIMIT, OPERATIONS, sleep, until } from './plugins.mjs';

class OfThisProgram extends Error {
  constructor(id, options) {
    super(`no ${id}`, options);
    this.id = id;
  }
}

function lineThatThrows(id) {
  throw id === 0 ? 'no error at all' : new OfThisProgram(id);
}

const records = [];

const plugin = load(OPERATIONS, {
  name: 'throwing',
  logger: (record) => records.push(record),
  services: {
    'prices.get': lineThatThrows,
    'prices.quote': async (id) => {
      await sleep(1);
      lineThatThrows(id);
    },
  },
});
after(() => plugin.close({ cancelAfter: 0 }));

function isCause(error) {
  assert.ok(error instanceof RustbridgeError);
  assert.equal(error.code, 'INTERNAL');
  assert.deepEqual(error.details, {});
  assert.ok(error.cause instanceof OfThisProgram);
  assert.match(error.cause.stack, /lineThatThrows/);
  const told = records.filter((record) => record.fields.err === error.cause);
  assert.deepEqual([told.length, told[0].level, told[0].instance, told[0].target], [1, 'error', 'throwing', 'rustbridge']);
  assert.match(told[0].message, /prices\./);
  return true;
}

test('what a service throws is the cause, and logged', async () => {
  assert.throws(() => plugin.callSync('service.one', 1), isCause);
  await assert.rejects(plugin.call('service.one', 2), isCause);
  await assert.rejects(plugin.call('service.total', [3]), isCause);
  await assert.rejects(plugin.call('service.quote', 4), isCause);
  await assert.rejects(plugin.call('service.task', 5), isCause);
  await assert.rejects(plugin.call('service.one', 0), { cause: 'no error at all', message: 'no error at all' });
});

test('an error with a status is a cause, and not logged', async (t) => {
  const thrown = new RustbridgeError('NOT_FOUND', 'no such', { cause: new OfThisProgram(1) });
  const told = [];
  const other = load(OPERATIONS, {
    logger: (record) => told.push(record),
    services: {
      'prices.get': () => {
        throw thrown;
      },
    },
  });
  t.after(() => other.close());
  await assert.rejects(other.call('service.one', 1), (error) => error !== thrown && error.code === 'NOT_FOUND' && error.cause === thrown);
  assert.deepEqual(told, []);
});

test('what a source throws is thrown', async () => {
  function* items() {
    yield { value: 1 };
    lineThatThrows(2);
  }
  async function* later() {
    yield { value: 1 };
    await sleep(1);
    lineThatThrows(2);
  }
  for (const source of [items, later]) {
    await assert.rejects(plugin.send('items.sum', source(), { value: 1 }), (error) => {
      assert.ok(error instanceof OfThisProgram);
      assert.match(error.stack, /lineThatThrows/);
      return true;
    });
  }
});

test('what comes back is kept no longer', { timeout: LIMIT }, async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  const thrown = [];
  const throwing = load(OPERATIONS, {
    services: {
      'prices.get': (id) => {
        const error = new OfThisProgram(id);
        thrown.push(new WeakRef(error));
        throw error;
      },
    },
  });
  for (let id = 1; id <= 100; id++) {
    assert.throws(() => throwing.callSync('service.one', id), { message: `no ${id}` });
  }
  await throwing.close();
  await until('they are gone', async () => {
    await sleep(1);
    gc();
    return thrown.filter((one) => one.deref() !== undefined).length < 10;
  });
});

test('of what no plugin sends back only the last are kept', () => {
  const names = Array.from({ length: 2 * MOST }, (_, index) => keep(index));
  const found = names.map(take);
  assert.deepEqual(
    found.filter((one) => one !== undefined),
    Array.from({ length: MOST }, (_, index) => MOST + index),
  );
  for (const other of [undefined, 5, '', 'x-1', names.at(-1)]) {
    assert.equal(take(other), undefined);
  }
});
