// What the guides that go side by side show of Node: `cargo xtask tidy` looks for it here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, RustbridgeError } from 'rustbridge';
import { HELLO, OPERATIONS } from './plugins.mjs';

test('a call that fails', async () => {
  const hello = load(HELLO);
  let said;
  try {
    await hello.call('math.add', { a: 9223372036854775807n, b: 1 });
  } catch (error) {
    if (!(error instanceof RustbridgeError) || error.code !== 'OUT_OF_RANGE') {
      throw error;
    }
    said = `${error.type}: ${error.details.a} is too large`;
  }
  assert.equal(said, 'MathError.Overflow: 9223372036854775807 is too large');
  await hello.close();
});

test('an error that comes later', async () => {
  const plugin = load(OPERATIONS);
  let said;
  try {
    await plugin.call('async.fail', { text: 'gone' });
  } catch (failed) {
    said = `${failed.message} ${JSON.stringify(failed.details)}`; // gone {"n":7}
  }
  assert.equal(said, 'gone {"n":7}');
  await plugin.close();
});

test('a stream that breaks', async () => {
  const plugin = load(OPERATIONS);
  const seen = [];
  let said;
  try {
    for await (const number of plugin.stream('stream.numbers', { from: 0, to: 5, fail_at: 3 })) {
      seen.push(number);
    }
  } catch (broken) {
    said = `${seen.join(', ')}, then ${broken.code}`; // 0, 1, 2, then DATA_LOSS
  }
  assert.equal(said, '0, 1, 2, then DATA_LOSS');
  await plugin.close();
});

test('records to a function', async () => {
  const lines = [];
  const users = load(HELLO, {
    name: 'users',
    logLevel: 'debug',
    logger: ({ message, fields }) => lines.push(`${message} ${JSON.stringify(fields)}`),
  });
  await users.call('user.create', { username: 'ada', email: 'ada@example.org' });
  await users.flushLogs(); // waits until all so far was delivered
  users.logLevel = 'warn'; // takes effect at once
  assert.ok(lines.length > 0);
  await users.close();
});
