// The traits of objects: their text, equality, hash, order, length and items.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { library } from './plugins.mjs';
import { compiled } from './typed.mjs';

const { Fixtures, Mark, Shelf } = await compiled('fixtures');
const BOOKS = ['Emma', 'Ivanhoe', 'Ulysses'];
const client = Fixtures.load(library('fixtures_plugin'));
after(() => client.close());

function shelf(label = 'novels', books = BOOKS) {
  return Shelf.newSync(client, label, books);
}

test('the texts are those of the plugin', () => {
  const one = shelf();
  assert.equal(String(one), 'novels: Emma, Ivanhoe, Ulysses');
  assert.equal(inspect(one), 'Shelf { label: "novels", books: ["Emma", "Ivanhoe", "Ulysses"] }');
});

test('a text that fails states the error', () => {
  const smudged = shelf('smudged', []);
  assert.equal(`${smudged}`, '<Shelf: the object has no text: its `Display::fmt` returned an error>');
  assert.equal(inspect(smudged), 'Shelf { label: "smudged", books: [] }');
  smudged.close();
  assert.match(String(smudged), /^<Shelf: .* has been closed>$/);
  assert.equal(inspect(smudged), String(smudged));
});

test('handles are equal if their objects are', () => {
  const one = shelf();
  assert.ok(one.equals(one));
  assert.ok(one.equals(Shelf.againSync(client, one)));
  assert.ok(one.equals(shelf()));
  for (const other of [shelf('poems'), undefined, null, String(one), {}, Mark.newSync(client, 1)]) {
    assert.ok(!one.equals(other));
  }
  const [here, alsoHere, nowhere] = [1, 1, Number.NaN].map((place) => Mark.newSync(client, place));
  assert.ok(here.equals(alsoHere) && !here.equals(nowhere) && nowhere.equals(nowhere));
  assert.equal(here.hashCode, undefined);
});

test('objects of another instance are unequal and have no order', () => {
  const another = Fixtures.load(library('fixtures_plugin'));
  try {
    const [one, foreign] = [shelf(), Shelf.newSync(another, 'novels', BOOKS)];
    assert.ok(!one.equals(foreign));
    assert.equal(one.hashCode(), foreign.hashCode());
    assert.throws(() => one.compareTo(foreign), /different instances have no order/);
  } finally {
    another.close();
  }
});

test('a closed object equals itself alone', async () => {
  const [one, closed] = [shelf(), shelf()];
  closed.close();
  assert.ok(closed.equals(closed));
  for (const operation of [
    () => one.equals(closed),
    () => closed.equals(one),
    () => closed.compareTo(one),
    () => closed.hashCode(),
    () => closed.length,
    () => closed[Symbol.asyncIterator](),
  ]) {
    assert.throws(operation, /has been closed/);
  }
});

test('objects are found by their hash, and sorted', () => {
  const all = ['c', 'a', 'd', 'b'].map((label) => shelf(label));
  const places = new Map(all.map((one, place) => [one.hashCode(), place]));
  assert.equal(places.size, 4);
  assert.equal(places.get(Shelf.againSync(client, all[2]).hashCode()), 2);
  all.sort((one, other) => one.compareTo(other));
  assert.deepEqual(
    all.map((one) => one.labelSync()),
    ['a', 'b', 'c', 'd'],
  );
});

test('objects have a length and items', async () => {
  const one = shelf();
  assert.equal(one.length, 3);
  assert.equal(await one.len(), 3n);
  const books = [];
  for await (const book of one) {
    books.push(book);
  }
  assert.deepEqual(books, BOOKS);
  const long = shelf(
    'long',
    Array.from({ length: 5000 }, (_, number) => `volume ${number}`),
  );
  for await (const book of long) {
    assert.equal(book, 'volume 0');
    break;
  }
});
