// Records to a function and to a logger.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'rustbridge';
import { library, until } from './plugins.mjs';

const CONFORMANCE = library('conformance_plugin');

const config = { label: 'logging' };
const emit = (plugin, level, count = 1) => plugin.callSync('log.emit', { level, message: 'hello', count });

test('records go to a function', async () => {
  const records = [];
  const plugin = load(CONFORMANCE, { logger: (record) => records.push(record), logLevel: 'trace', name: 'one', config });
  for (const level of ['ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']) {
    emit(plugin, level);
  }
  await plugin.flushLogs();
  await plugin.close();
  const ours = records.filter((record) => record.message === 'hello');
  assert.deepEqual(
    ours.map((record) => record.level),
    ['error', 'warn', 'info', 'debug', 'trace'],
  );
  for (const record of ours) {
    assert.equal(record.instance, 'one');
    assert.equal(record.kind, 'event');
    assert.deepEqual(record.fields, { n: 0, flag: true, text: 'größer 🦀' });
    assert.ok(record.time instanceof Date && Math.abs(record.time - Date.now()) < 3_600_000);
  }
});

test('records go to a logger by its levels', async () => {
  const records = [];
  const write = (level) => (fields, message) => records.push([level, fields, message]);
  const logger = { level: 'debug', error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
  const plugin = load(CONFORMANCE, { logger, config });
  assert.equal(plugin.logLevel, 'debug');
  emit(plugin, 'WARN');
  emit(plugin, 'DEBUG');
  emit(plugin, 'TRACE');
  await plugin.flushLogs();
  const ours = records.filter(([, , message]) => message === 'hello');
  assert.deepEqual(
    ours.map(([level]) => level),
    ['warn', 'debug'],
  );
  assert.equal(ours[0][1].plugin, plugin.name);
  assert.equal(ours[0][1].text, 'größer 🦀');
  const before = records.length;
  plugin.logLevel = 'off';
  emit(plugin, 'ERROR');
  await plugin.flushLogs();
  assert.equal(records.length, before);
  assert.throws(() => {
    plugin.logLevel = 'loud';
  }, TypeError);
  await plugin.close();
});

test('a logger that fails ends nothing', async () => {
  const warned = new Promise((resolve) => process.once('warning', resolve));
  const logger = () => {
    throw new Error('no paper');
  };
  const plugin = load(CONFORMANCE, { logger, config });
  emit(plugin, 'WARN');
  await plugin.flushLogs();
  assert.equal((await warned).message, 'no paper');
  await plugin.close();
});

test('one that fails later ends nothing either', async () => {
  for (const given of [new Error('no ink'), Object.create(null)]) {
    const warned = new Promise((resolve) => process.once('warning', resolve));
    const later = async () => {
      throw given;
    };
    for (const logger of [later, { level: 'warn', error: later, warn: later, info: later, debug: later }]) {
      const plugin = load(CONFORMANCE, { logger, config });
      emit(plugin, 'WARN');
      await plugin.flushLogs();
      await plugin.close();
    }
    assert.ok((await warned) instanceof Error);
  }
});

test('a logger that closes its plugin gets the records that were made', async () => {
  let told = 0;
  const logger = () => {
    told += 1;
    if (told === 3) {
      plugin.closeSync();
    }
  };
  const plugin = load(CONFORMANCE, { logger, config });
  emit(plugin, 'WARN', 20);
  await until('the plugin was closed', () => plugin.state === 'closed');
  assert.ok(told >= 20);
});

test('records that the loop had no time for are counted', async () => {
  const records = [];
  const plugin = load(CONFORMANCE, { logger: (record) => records.push(record), logCapacity: 4, config });
  emit(plugin, 'WARN', 200);
  await plugin.flushLogs();
  emit(plugin, 'WARN');
  await plugin.flushLogs();
  assert.ok(records.length < 200);
  assert.ok(records.some((record) => /dropped/.test(record.message)));
  await plugin.close();
});
