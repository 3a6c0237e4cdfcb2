// Typed clients: parameters, errors, streams, objects, and what the plugin asks.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { RustbridgeError } from 'rustbridge';
import { LIMIT } from './plugins.mjs';
import { client, types } from './typed.mjs';

const internals = createRequire(import.meta.url)('../dist/typed/failures.js');

const plugin = types();
after(() => plugin.close());

const ADA = { name: 'Ada', age: 36, email: undefined };
const ALAN = { name: 'Alan', age: 41, email: undefined };
const EVE = { name: 'Eve', age: 7, email: undefined };

async function all(items) {
  const found = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

async function* people(count) {
  for (let age = 0; age < count; age++) {
    yield { name: 'somebody', age };
  }
}

test('parameters are taken one by one, and options at the end may be left out', { timeout: LIMIT }, async () => {
  assert.equal(plugin.partSync('Grüße', 1, 3), 'rüß');
  assert.equal(await plugin.part('Grüße', 1), 'rüße');
  const [piece, data] = await plugin.cutLater({ skip: 1, times: 2 }, Buffer.from('abc'));
  assert.deepEqual(piece, { length: 4n, first: 98 });
  assert.equal(Buffer.from(data).toString(), 'bcbc');
  const several = [ADA, ['A'], Float64Array.of(1.5, 2.5), 'red', Uint8Array.of(1, 2), { a: [1, null] }];
  assert.deepEqual(plugin.severalSync(...several), several);
  assert.deepEqual(plugin.defaultsSync({}), await plugin.defaults({}));
  assert.equal(plugin.defaultsSync({ maybe: null, count: 7 }).maybe, null);
  assert.equal(plugin.defaultsSync({ maybe: 5n }).maybe, 5n);
});

test('bytes and text alone go as they are', { timeout: LIMIT }, async () => {
  for (const data of [Uint8Array.of(0, 255), new Uint8Array(), Buffer.alloc(100_000, 7)]) {
    const digits = Buffer.from(data).toString('hex');
    assert.equal(plugin.hexSync(data), digits);
    assert.equal(await plugin.hex(data), digits);
    assert.equal(await plugin.hexLater(data), digits);
    assert.deepEqual(plugin.unhexSync(digits), new Uint8Array(data));
    assert.deepEqual(await plugin.unhex(digits), new Uint8Array(data));
  }
  assert.equal(plugin.nonzeroSync(Uint8Array.of(0, 255)), 1n);
  assert.equal(Buffer.from(plugin.magicSync()).toString('latin1'), '\x89PNG');
  await assert.rejects(plugin.unhex('abc'), { code: 'INVALID_ARGUMENT' });
  assert.throws(() => plugin.unhexSync('\ud800'), TypeError);
  assert.throws(() => plugin.unhexSync(5), TypeError);
  assert.throws(() => plugin.hexSync('ab'), TypeError);
});

test('an error of a type has a class of its own', { timeout: LIMIT }, async () => {
  for (const search of [
    async (...given) => plugin.searchSync(...given),
    (...given) => plugin.search(...given),
    (...given) => plugin.searchLater(...given),
  ]) {
    await assert.rejects(search('Ann', [ADA, ALAN, EVE]), (error) => {
      assert.ok(error instanceof client.SearchFailure && error instanceof RustbridgeError);
      assert.deepEqual(error.reason, { kind: 'Nobody', name: 'Ann', similar: [ADA, ALAN] });
      assert.deepEqual(error.details, error.reason);
      assert.equal(error.code, 'NOT_FOUND');
      assert.equal(error.name, 'SearchFailure');
      assert.equal(error.type, 'SearchError.Nobody');
      assert.equal(error.message, 'nobody is called "Ann"');
      return true;
    });
    assert.deepEqual(await search('Eve', [ADA, EVE]), EVE);
  }
  assert.throws(
    () => plugin.searchSync('Ada', [ADA, EVE, ADA]),
    (error) => {
      assert.deepEqual(error.reason, { kind: 'Crowd', value: [2n, Float64Array.of(36, 7, 36)] });
      return true;
    },
  );
  assert.throws(() => plugin.paintSync('red', 'green'), { reason: { color: 'red', better: 'green' } });
  await assert.rejects(plugin.power(false), { reason: 'Out' });
});

test('streams give values, and take them', { timeout: LIMIT }, async () => {
  assert.deepEqual(await all(plugin.steps(0n, 10n, 3)), [0n, 3n, 6n, 9n]);
  const repeated = await all(plugin.repeat({ person: ADA, times: 1000 }));
  assert.equal(repeated.length, 1000);
  assert.equal(repeated[999].age, 1035);
  for await (const person of plugin.repeat({ person: ADA, times: 1000 })) {
    assert.deepEqual(person, ADA);
    break;
  }
  assert.equal((await plugin.between(3, 5, people(10))).length, 3);
  assert.ok((await plugin.collect(5n, [ADA, EVE])).items.length > 0);
  const shapes = [{ kind: 'Nothing' }, { kind: 'Circle', radius: 2.5 }, { kind: 'Polygon', value: [{ x: 0, y: 1 }] }];
  assert.deepEqual(await all(plugin.reshape(shapes)), shapes);
  await assert.rejects(plugin.collect(5n, [ADA, { name: 1, age: 1 }]), /collect: items\[1\]\.name: a string is expected, not 1/);
  await assert.rejects(all(plugin.reshape([{ kind: 'Nothing' }, null])), /reshape: items\[1\]: an object is expected/);
  for (const items of [undefined, null, 1, {}]) {
    const refused = { name: 'TypeError', message: /items must be an iterable or an async iterable, not / };
    await assert.rejects(plugin.collect(5n, items), refused);
    assert.throws(() => plugin.reshape(items), refused);
  }
});

test('objects have methods of their own, and stand in messages', { timeout: LIMIT }, async () => {
  const counter = plugin.counterSync(40n);
  assert.ok(counter instanceof client.Counter);
  assert.equal(counter.addSync(2n), 42n);
  assert.equal(await counter.addLater(0n), 42n);
  assert.deepEqual(await all(counter.upto(45n)), [42n, 43n, 44n]);
  assert.equal(await counter.admit([ADA, ADA, ADA]), 45n);
  assert.throws(
    () => counter.halfSync(),
    (error) => error instanceof client.OddFailure && error.reason.count === 45n,
  );
  const other = await plugin.counter(5n);
  assert.equal(counter.absorbSync(other), 50n);
  assert.equal(plugin.totalSync({ first: counter, others: [other, other], name: '' }), 60n);
  const counters = await plugin.counters(BigInt64Array.of(1n, 20n, 300n));
  assert.equal(await plugin.total(counters), 321n);
  assert.deepEqual(plugin.transferSync(counter, other, 10n), [40n, 15n]);
  counter.close();
  assert.throws(() => counter.getSync());
  assert.throws(() => plugin.totalSync({ others: [counter], name: '' }), /total: request\.others\[0\]: .*closed/);
});

const directory = {
  find: (name) => (name === 'Ada' ? ADA : undefined),
  fetch: async (name) => {
    if (name === 'wrong') {
      return { name: 1 };
    }
    if (name !== 'Ada') {
      throw new RustbridgeError('NOT_FOUND', `nobody is ${name}`);
    }
    return ADA;
  },
  count: () => 2n ** 64n - 1n,
};

test('the plugin asks its host', { timeout: LIMIT }, async () => {
  const ages = { of: (people) => new Map(people.map(({ name, age }) => [name, age])) };
  const asking = types({ host: { directory, ages } });
  assert.deepEqual(asking.askSync('Ada'), ADA);
  assert.equal(await asking.ask('Kurt'), undefined);
  assert.deepEqual(await asking.askLater('Ada'), ADA);
  await assert.rejects(asking.askLater('Kurt'), { code: 'NOT_FOUND' });
  await assert.rejects(asking.askLater('wrong'), /directory\.fetch: response\.name: a string is expected, not 1/);
  assert.equal(asking.askCountSync(), 2n ** 64n - 1n);
  assert.deepEqual(
    asking.askAgesSync([ADA, EVE]),
    new Map([
      ['Ada', 36],
      ['Eve', 7],
    ]),
  );
  await asking.close({ timeout: 1000 });
  assert.throws(() => plugin.askSync('Ada'), { code: 'NOT_FOUND' });
  for (const wrong of [{}, { ...directory, find: undefined, fetch: directory.fetch }, { Of: ages.of }]) {
    const lacking = { name: 'TypeError', message: /the services `(directory|ages)` lack the functions? / };
    assert.throws(() => types({ host: { directory: wrong, ages } }), lacking);
  }
  assert.throws(() => types({ host: { directory, ages: { of: 5 } } }), { message: 'the services `ages` lack the functions `of`' });
});

test('a call that blocks looks at its signal before it begins', { timeout: LIMIT }, () => {
  const why = new Error('the user has left');
  assert.throws(() => plugin.partSync('Ada', 1, undefined, { signal: AbortSignal.abort(why) }), why);
  assert.equal(plugin.partSync('Ada', 1, undefined, { signal: new AbortController().signal }), 'da');
});

test('an error whose type cannot be read says why', () => {
  const { failed, fails } = internals;
  const unreadable = { least: 0, write() {}, read: (r) => r.fail(0, 'too much for a number') };
  const told = new RustbridgeError('NOT_FOUND', 'nobody', { type: 'SearchError.Crowd' });
  Object.defineProperty(told, 'value', { value: Uint8Array.of(1) });
  const error = failed(told, fails(client.SearchFailure, unreadable));
  assert.ok(error instanceof RustbridgeError && !(error instanceof client.SearchFailure));
  assert.equal(error.code, 'NOT_FOUND');
  assert.equal(error.type, 'SearchError.Crowd');
  assert.match(error.cause.message, /too much for a number/);
});

test('a closed client is refused, and one that was given its plugin leaves it open', { timeout: LIMIT }, async () => {
  const closed = types();
  const borrowed = client.Types.of(closed.plugin);
  await borrowed.close();
  assert.deepEqual(closed.personSync(ADA), ADA);
  await closed.close();
  assert.throws(() => closed.personSync(ADA), RustbridgeError);
  await assert.rejects(closed.later(ADA), RustbridgeError);
  await assert.rejects(plugin.later(ADA, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
});
