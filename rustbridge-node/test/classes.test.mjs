// The classes of objects: constructors, associated functions and properties.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RustbridgeError } from 'rustbridge';
import { LIMIT, library } from './plugins.mjs';
import { compiled } from './typed.mjs';

const { Fixtures, PrintFailure, Sprite, SpriteFailure, TurnFailure } = await compiled('fixtures');
const HERE = { x: 1, y: 2 };
const ORIGIN = { x: 0, y: 0 };
const OPTIONS = { timeout: LIMIT };

const client = Fixtures.load(library('fixtures_plugin'));
after(() => client.close());

/** Checks the typed error of a call. */
function fails(reason, status) {
  return (error) => {
    assert.ok(error instanceof SpriteFailure, String(error));
    assert.deepEqual(error.reason, reason);
    assert.equal(error.code, status);
    return true;
  };
}

const unnamed = fails({ kind: 'Unnamed' }, 'INVALID_ARGUMENT');

test('an error has the typed error that caused it', async () => {
  assert.equal(await client.print('Ada', HERE, '3'), 3);
  const fails = (reason) => (error) => {
    assert.ok(error instanceof PrintFailure, String(error));
    assert.deepEqual(error.reason, reason);
    return true;
  };
  const outside = { kind: 'Outside', x: -1, y: 2 };
  const sprite = { kind: 'Sprite', name: 'Ada', source: outside };
  await assert.rejects(client.print('Ada', { x: -1, y: 2 }, '3'), fails(sprite));
  const copies = { kind: 'Copies', text: 'many', source: 'invalid digit found in string' };
  await assert.rejects(client.print('Ada', HERE, 'many'), fails(copies));
});

test('the error of a stream is the typed one', async () => {
  const seen = [];
  const failing = async (pages) => {
    for await (const page of pages) {
      seen.push(page);
    }
  };
  const fails = (reason) => (error) => {
    assert.ok(error instanceof TurnFailure, String(error));
    assert.equal(error.reason, reason);
    return true;
  };
  await assert.rejects(failing(client.browse(8, 1)), fails('Last'));
  await assert.rejects(failing(client.browse(11, 1)), fails('Last'));
  await assert.rejects(failing(client.follow(2, [3, -9])), fails('First'));
  assert.deepEqual(seen, [9, 10, 5]);
});

test('decimal numbers keep their digits', async () => {
  const bill = await client.bill('99.90', '19');
  assert.deepEqual(bill, { net: '99.90', tax: '18.98', gross: '118.88' });
  for (const none of ['', '1e3', '+1', '.5', '5.', 99.9, '9'.repeat(1001)]) {
    await assert.rejects(client.bill(none, '1'), /decimal number such as/);
  }
  await assert.rejects(client.bill('9'.repeat(30), '1'), /at most 28 digits.* \(net\)$/);
  const shown = 'bill: request.rate: the text of a decimal number such as "-12.50" is expected, not "1,50"';
  await assert.rejects(client.bill('1', '1,50'), { name: 'TypeError', message: shown });
});

test('a class creates objects', async () => {
  const sprite = await Sprite.new(client, 'Ada');
  assert.ok(sprite instanceof Sprite);
  assert.equal(await sprite.name(), 'Ada');
  assert.deepEqual(await sprite.spot(), ORIGIN);
  const other = Sprite.newSync(client, 'Bob', HERE, OPTIONS);
  assert.ok(other instanceof Sprite);
  assert.deepEqual(await other.moveBy(HERE), { x: 2, y: 4 });
  const third = await Sprite.new(client, 'Eve', undefined, OPTIONS);
  assert.deepEqual(third.spotSync(), ORIGIN);
});

test('a constructor fails with the typed error', async () => {
  for (const options of [undefined, OPTIONS]) {
    await assert.rejects(Sprite.new(client, '', undefined, options), unnamed);
    assert.throws(() => Sprite.newSync(client, '', undefined, options), unnamed);
    await assert.rejects(Sprite.load(client, '', options), unnamed);
  }
});

test('other constructors are static functions', async () => {
  const sprite = await Sprite.new(client, 'Ada', HERE);
  const next = await Sprite.newRelativeTo(client, sprite, 'Bob', HERE);
  assert.equal(next.nameSync(), 'Bob');
  assert.deepEqual(next.spotSync(), { x: 2, y: 4 });
  const after = Sprite.newRelativeToSync(client, next, 'Eve', HERE, OPTIONS);
  assert.deepEqual(after.spotSync(), { x: 3, y: 6 });
  const outside = fails({ kind: 'Outside', x: -2, y: 2 }, 'OUT_OF_RANGE');
  await assert.rejects(Sprite.newRelativeTo(client, sprite, 'Bob', { x: -3, y: 0 }), outside);
  assert.throws(() => Sprite.newRelativeToSync(client, sprite, 'Bob', { x: -3, y: 0 }), outside);
});

test('an asynchronous constructor returns a promise only', async () => {
  const sprite = await Sprite.load(client, 'Ada', OPTIONS);
  assert.ok(sprite instanceof Sprite);
  assert.equal(await sprite.name(), 'Ada');
  assert.equal(Sprite.loadSync, undefined);
});

test('associated functions are static', async () => {
  assert.deepEqual(await Sprite.size(client), { x: 16, y: 32 });
  assert.deepEqual(Sprite.sizeSync(client, OPTIONS), { x: 16, y: 32 });
  assert.equal(await Sprite.distance(client, ORIGIN, { x: 3, y: 4 }, OPTIONS), 5);
  assert.equal(Sprite.distanceSync(client, ORIGIN, { x: 3, y: 4 }), 5);
  assert.equal(client.spriteNew, undefined);
  assert.equal(client.spriteSize, undefined);
});

test('properties are read and set by methods', async () => {
  const sprite = await Sprite.new(client, 'Ada');
  await sprite.setSpot(HERE);
  assert.deepEqual(await sprite.spot(), HERE);
  sprite.setSpotSync(ORIGIN, OPTIONS);
  assert.deepEqual(sprite.spotSync(), ORIGIN);
  const outside = fails({ kind: 'Outside', x: -1, y: 2 }, 'OUT_OF_RANGE');
  await assert.rejects(sprite.setSpot({ x: -1, y: 2 }), outside);
  assert.throws(() => sprite.setSpotSync({ x: -1, y: 2 }), outside);
  assert.deepEqual(await sprite.spot(), ORIGIN);
  assert.equal(sprite.setName, undefined);
});

test('an object is released', async () => {
  const sprite = await Sprite.new(client, 'Ada');
  sprite.close();
  sprite.close();
  assert.equal(sprite.untyped.closed, true);
  await assert.rejects(sprite.spot(), (error) => /closed/.test(error.message));
  assert.throws(() => Sprite.newRelativeToSync(client, sprite, 'Bob', HERE), /closed/);
});

test('only a client calls', async () => {
  assert.throws(() => Sprite.new(client.plugin, 'Ada'), TypeError);
  const mine = await Fixtures.loadAsync(library('fixtures_plugin'));
  const sprite = await Sprite.new(mine, 'Ada');
  await mine.close();
  await assert.rejects(sprite.name(), RustbridgeError);
  await assert.rejects(Sprite.new(mine, 'Ada'), RustbridgeError);
});
