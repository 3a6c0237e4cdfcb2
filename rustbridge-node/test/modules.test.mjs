// The package's modules in a program: idle ones, and those that are run twice in a thread.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { HELLO, LIMIT, OPERATIONS, sleep } from './plugins.mjs';

const require = createRequire(import.meta.url);
const first = require('rustbridge');

/** How often the loop has turned, where Node tells. */
const turns = () => performance.nodeTiming.uvMetricsInfo?.loopCount ?? 0;

// The first test: none of the others' calls that give a promise may have come before.
test('the loop rests when a record was told', async () => {
  let told = 0;
  const logger = () => {
    told += 1;
  };
  const plugin = first.load(HELLO, { logger, logLevel: 'trace' });
  plugin.callSync('user.create', { username: 'ada', email: 'ada@example.com' });
  await plugin.flushLogs();
  assert.ok(told > 0);
  const before = turns();
  await sleep(100);
  assert.ok(turns() - before < 100);
  plugin.closeSync();
});

test('modules that are run twice, as test runners do, work side by side', { timeout: LIMIT }, async () => {
  const folder = dirname(require.resolve('rustbridge'));
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(folder)) {
      delete require.cache[file];
    }
  }
  const second = require('rustbridge');
  assert.notEqual(first.Plugin, second.Plugin);
  const all = [first, second].map(({ load }) => load(OPERATIONS, { services: { 'prices.get': (id) => id + 1 } }));
  for (const [index, { RustbridgeError }] of [first, second].entries()) {
    const plugin = all[index];
    assert.deepEqual(await plugin.call('async.later', { text: 'x' }), { text: 'x' });
    assert.equal(await plugin.call('service.one', 1), 2);
    assert.throws(() => plugin.callSync('nothing'), RustbridgeError);
    await plugin.close();
  }
});
