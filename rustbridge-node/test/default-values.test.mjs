// Fields and parameters with default values.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LIMIT, library } from './plugins.mjs';
import { compiled } from './typed.mjs';

const { Brush, Fixtures } = await compiled('fixtures');
const OPTIONS = { timeout: LIMIT };

const client = Fixtures.load(library('fixtures_plugin'));
after(() => client.close());

const DEFAULTS = {
  width: 80,
  offset: -1n,
  most: 2n ** 64n - 1n,
  spacing: 1.5,
  zoom: 0.25,
  numbered: true,
  language: 'en',
  bullet: '-',
  colour: 'deep blue',
  target: { kind: 'Screen' },
  tags: [],
  margins: new Float64Array(),
  notes: new Map(),
  picture: new Uint8Array(),
  author: undefined,
  copies: 0,
};

test('a record is sent with no, some and all values', async () => {
  assert.deepEqual(await client.layout({ title: 'A' }), { title: 'A', ...DEFAULTS });
  const some = { title: 'A', language: 'de', target: { kind: 'File', path: 'a.txt' } };
  const target = { kind: 'File', path: 'a.txt', overwrite: true };
  assert.deepEqual(await client.layout(some), { title: 'A', ...DEFAULTS, language: 'de', target });
  const all = {
    title: 'A',
    width: 1,
    offset: 2n,
    most: 3n,
    spacing: 4.5,
    zoom: 0.5,
    numbered: false,
    language: '',
    bullet: '*',
    colour: 'Red',
    target: { kind: 'File', path: 'a.txt', overwrite: false },
    tags: ['a'],
    margins: new Float64Array([1, 2]),
    notes: new Map([['a', 1]]),
    picture: new Uint8Array([1]),
    author: 'Ada',
    copies: 9,
  };
  assert.deepEqual(client.layoutSync(all), all);
});

test('parameters have the default values', async () => {
  assert.equal(await client.cut('abcdefgh'), 'abcde... Green [] screen ');
  assert.equal(await client.cut('abcdefgh', 2), 'ab... Green [] screen ');
  assert.equal(client.cutSync('abcdefgh', undefined, '!'), 'abcde! Green [] screen ');
  const target = { kind: 'File', path: 'a.txt' };
  const all = await client.cut('abcdefgh', 3, '!', 'Red', ['a', 'b'], target, 'note', OPTIONS);
  assert.equal(all, 'abc! Red [a b] a.txt true note');
  assert.deepEqual([...(await client.countdown())], [3, 2, 1]);
  assert.deepEqual([...client.countdownSync(1)], [1]);
  assert.deepEqual([...(await client.countdown(undefined, OPTIONS))], [3, 2, 1]);
  const launched = [];
  for await (const one of client.launch()) {
    launched.push(one);
  }
  assert.deepEqual(launched, [3, 2, 1]);
  assert.equal(await client.repeat('ab'), 'abab');
  assert.equal(await client.repeat('ab', 3), 'ababab');
});

test("an object's functions have the default values", async () => {
  const brush = await Brush.new(client);
  const wide = Brush.newSync(client, 7);
  assert.deepEqual([await brush.wider(), brush.widerSync(4), await wide.wider()], [4, 7, 8]);
  assert.equal(await Brush.strokes(client, 10), 4);
  assert.equal(Brush.strokesSync(client, 10, 5), 2);
});

test('null is refused for what is no option', async () => {
  const unfit = (name) => ({ name: 'TypeError', message: new RegExp(`${name}: .* is expected, not null`) });
  assert.throws(() => client.cutSync('abc', null), unfit('limit'));
  assert.throws(() => client.cutSync('abc', 1, null), unfit('end'));
  const colour = { name: 'TypeError', message: /colour: null isn't one of the variants/ };
  assert.throws(() => client.cutSync('abc', 1, '', null), colour);
  assert.throws(() => client.cutSync('abc', 1, '', 'Red', null), unfit('tags'));
  assert.throws(() => client.countdownSync(null), unfit('from'));
  assert.throws(() => client.layoutSync({ title: 'A', width: null }), unfit('width'));
  assert.throws(() => client.layoutSync({ title: 'A', tags: null }), unfit('tags'));
  assert.throws(() => Brush.newSync(client, null), unfit('width'));
  await assert.rejects(async () => client.cut('abc', null), unfit('limit'));
  assert.equal(client.cutSync('abc', 1, '', 'Red', [], { kind: 'Screen' }, null), 'a Red [] screen ');
});
