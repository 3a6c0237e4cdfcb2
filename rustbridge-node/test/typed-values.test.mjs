// Typed clients: every type there is, to the plugin and back.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { load } from 'rustbridge';
import * as wire from 'rustbridge/typed';
import { LIMIT, library, REPOSITORY } from './plugins.mjs';
import { CODECS, client, read, types, written } from './typed.mjs';

const plugin = types();
after(() => plugin.close());

/** Calls the method that gives back what it gets. */
function echo(of, method, value) {
  return of[`${method}Sync`](value);
}

const { vectors } = JSON.parse(readFileSync(`${REPOSITORY}conformance/wire/vectors.json`, 'utf8'));

test('each method that gives back what it gets is walked', { timeout: LIMIT }, () => {
  assert.deepEqual(plugin.echoesSync().sort(), Object.keys(CODECS).sort());
});

test('64-bit integers may be numbers and text', { timeout: LIMIT }, () => {
  for (const [as, plain, values] of [
    [wire.u64AsNumber, wire.u64, [0, 1, Number.MAX_SAFE_INTEGER]],
    [wire.i64AsNumber, wire.i64, [0, -1, Number.MIN_SAFE_INTEGER]],
    [wire.u64AsText, wire.u64, ['0', '18446744073709551615']],
    [wire.i64AsText, wire.i64, ['0', '-9223372036854775808']],
  ]) {
    for (const value of values) {
      const bytes = written(as, value);
      assert.deepEqual(bytes, written(plain, BigInt(value)));
      assert.equal(read(as, bytes), value);
    }
  }
  for (const [as, wrong] of [
    [wire.u64AsNumber, -1],
    [wire.u64AsNumber, 0.5],
    [wire.u64AsNumber, 2 ** 53],
    [wire.u64AsNumber, 1n],
    [wire.i64AsText, '9223372036854775808'],
    [wire.u64AsText, '-1'],
    [wire.u64AsText, `1${'0'.repeat(30)}`],
    [wire.i64AsText, '1.5'],
    [wire.i64AsText, 1],
  ]) {
    assert.throws(() => written(as, wrong), { name: 'WireError', message: /^an integer / }, String(wrong));
  }
  assert.throws(() => read(wire.u64AsNumber, written(wire.u64, 2n ** 53n)), /outside the range in which a number is exact/);
});

test('points in time may be dates', { timeout: LIMIT }, () => {
  for (const time of [0, 1, -1, 1764547200123, 8.64e15, -8.64e15]) {
    const bytes = written(wire.timestampAsDate, new Date(time));
    assert.deepEqual(bytes, written(wire.timestamp, BigInt(time) * 1_000_000n));
    assert.equal(read(wire.timestampAsDate, bytes).getTime(), time);
  }
  for (const [nanoseconds, time] of [
    [1_999_999n, 1],
    [-1n, -1],
    [-1_000_001n, -2],
  ]) {
    assert.equal(read(wire.timestampAsDate, written(wire.timestamp, nanoseconds)).getTime(), time);
  }
  for (const wrong of [new Date(Number.NaN), 0, 0n, '2026-11-30']) {
    assert.throws(() => written(wire.timestampAsDate, wrong), {
      name: 'WireError',
      message: /^a valid Date .* not (an invalid one|0|string)$/,
    });
  }
  const late = written(wire.timestamp, 8_640_000_000_000_001n * 1_000_000n);
  assert.throws(() => read(wire.timestampAsDate, late), /outside the range of a Date/);
});

for (const [method, codec] of Object.entries(CODECS)) {
  test(`random values come back as they were: ${method}`, { timeout: LIMIT }, () => {
    for (let seed = 0n; seed < 30n; seed++) {
      const message = plugin.randomSync({ method, seed });
      const value = read(codec, message);
      const bytes = written(codec, value);
      // A number without a fraction is an integer, which takes as many bytes.
      assert.equal(bytes.length, message.length);
      if (method !== 'any' && method !== 'every') {
        assert.deepEqual(bytes, message);
      }
      assert.deepEqual(echo(plugin, method, value), value);
    }
  });

  test(`a message that is cut or too long is refused: ${method}`, { timeout: LIMIT }, () => {
    const message = plugin.randomSync({ method, seed: 3n });
    for (let length = 0; length < message.length; length++) {
      assert.throws(() => read(codec, message.subarray(0, length)), { name: 'WireError', kind: 'malformed' });
    }
    assert.throws(() => read(codec, Uint8Array.of(...message, 0)), /1 bytes are left after the value/);
  });
}

for (const { name, method, wire: hex, refused, path, filled } of vectors) {
  test(`bytes of the wire form's page: ${name}`, { timeout: LIMIT }, () => {
    const message = Uint8Array.from(Buffer.from(hex, 'hex'));
    const codec = CODECS[method];
    if (refused === undefined) {
      const value = read(codec, message);
      const bytes = written(codec, value);
      assert.equal(bytes.length, message.length);
      if (method !== 'any') {
        assert.deepEqual(bytes, message);
      }
      const answer = echo(plugin, method, value);
      if (filled === undefined) {
        assert.deepEqual(answer, value);
      } else {
        assert.notDeepEqual(answer, value);
      }
      return;
    }
    assert.throws(() => read(codec, message), { name: 'WireError', kind: 'malformed' });
    // A plugin that answers so is told of with the field.
    const answering = {
      typedMethod: (called) => ({
        name: called,
        callInto: (_, room) => {
          room.set(message);
          return message.length;
        },
      }),
    };
    const wrong = client.Types.of(answering);
    const given = read(codec, plugin.randomSync({ method, seed: 1n }));
    assert.throws(
      () => echo(wrong, method, given),
      (error) => {
        assert.equal(error.code, 'INTERNAL');
        assert.equal(error.type, 'rustbridge.InvalidResponse');
        assert.ok(path === undefined || error.message.endsWith(`(response${/^\[|^$/.test(path) ? '' : '.'}${path})`), error.message);
        return true;
      },
    );
  });
}

test('random values come back from the next version', { timeout: LIMIT }, async () => {
  const next = types({}, 'types_plugin_next');
  for (const [method, codec] of Object.entries(CODECS)) {
    // What it makes of open enums is known to it alone.
    for (let seed = 0n; seed < 5n && method !== 'mood' && method !== 'events'; seed++) {
      const value = read(codec, plugin.randomSync({ method, seed }));
      assert.deepEqual(echo(next, method, value), value);
    }
  }
  assert.equal(next.moodSync('Glad'), 'unknown');
  assert.ok(next.eventsSync([{ kind: 'Came' }, { kind: 'Said', value: 'hi' }]).some((event) => event.kind === 'unknown'));
  assert.throws(() => next.moodSync('unknown'), /mood: request: an unknown variant can't be sent/);
  await next.close();
});

test('a client of other types is refused', { timeout: LIMIT }, async () => {
  assert.throws(() => types({}, 'types_plugin_broken'), { code: 'FAILED_PRECONDITION' });
  const broken = load(library('types_plugin_broken'));
  assert.throws(() => client.Types.of(broken), { code: 'FAILED_PRECONDITION' });
  await broken.close();
});

test('what has no form is refused before it is sent, with its path', { timeout: LIMIT }, async () => {
  let deep = { kind: 'Number', value: 1 };
  for (let depth = 0; depth < 200; depth++) {
    deep = { kind: 'Negated', value: deep };
  }
  for (const [call, message] of [
    [() => plugin.personSync({ name: '\ud800', age: 1 }), /person: request\.name: text has half of a surrogate pair/],
    [() => plugin.personSync({ name: `${'x'.repeat(50)}\udc00`, age: 1 }), /person: request\.name: text has half/],
    [() => plugin.personSync({ name: 'Ada', age: 1.5 }), /person: request\.age: an integer from 0 to 4294967295 is expected, not 1.5/],
    [() => plugin.personSync({ name: 'Ada', age: -1 }), /person: request\.age: .* not -1/],
    [() => plugin.personSync({ name: 'Ada', age: 2 ** 32 }), /person: request\.age: /],
    [() => plugin.personSync({ name: 'Ada', age: '1' }), /person: request\.age: .* not string/],
    [() => plugin.personSync({ age: 1 }), /person: request\.name: a string is expected, not undefined/],
    [() => plugin.personSync(undefined), /person: request: an object is expected, not undefined/],
    [() => plugin.peopleSync({ items: [{ name: 'Ada', age: 1 }, null], total: 1n }), /people: request\.items\[1\]: an object is expected/],
    [() => plugin.peopleSync({ items: [], total: 1 }), /people: request\.total: a bigint .* not 1/],
    [() => plugin.peopleSync({ items: [], total: 2n ** 64n }), /people: request\.total: /],
    [() => plugin.shapeSync({ kind: 'Square' }), /shape: request: "Square" isn't one of the variants Nothing, Circle, Polygon/],
    [() => plugin.shapeSync(null), /shape: request: an object is expected, not null/],
    [() => plugin.colorSync('blue'), /color: request: "blue" isn't one of the variants red, green, dark_blue/],
    [() => plugin.doublesSync([1, 2]), /doubles: request: an array of the kind Float64Array is expected, not Array/],
    [() => plugin.mapSync({}), /map: request: a Map is expected, not Object/],
    [() => plugin.mapSync(new Map([[5, { name: 'Ada', age: 1 }]])), /map: request: the key 5: a string is expected, not 5/],
    [() => plugin.durationSync(-1n), /duration: request: /],
    [
      () => plugin.timestampSync(new Date(0)),
      /timestamp: request: a bigint of nanoseconds since 1970 \(BigInt\(date.getTime\(\)\) .* not Date/,
    ],
    [() => plugin.severalSync(undefined, [], new Float64Array(), 'red', undefined, 1), /several: request\.person: an object is expected/],
    [() => plugin.anySync(() => 1), /any: request: null, a boolean, .* not function/],
    [() => plugin.anySync({ a: [1, undefined] }), /any: request\[a\]\[1\]: .* not undefined/],
    [() => plugin.anySync(new Map([[1, 2]])), /any: request: .* or a plain object is expected, not Map/],
    [() => plugin.anySync({ a: new Set([1]) }), /any: request\[a\]: .* not Set/],
    [() => plugin.anySync(Promise.resolve(1)), /any: request: .* not Promise/],
    [() => plugin.anySync(new Error('x')), /any: request: .* not Error/],
    [() => plugin.anySync(new String('ab')), /any: request: .* not String/],
    [() => plugin.tupleSync([1, 'x']), /tuple: request: 3 items are expected, not 2/],
    [
      () => plugin.samplesSync({ name: '', first: { time: 1n, value: 1, channel: 1, flags: new Uint8Array(3) } }),
      /samples: request\.first\.flags: 2 items are expected, not 3/,
    ],
    [() => plugin.totalSync({ others: [{}], name: '' }), /total: request\.others\[0\]: an object of the plugin is expected/],
  ]) {
    assert.throws(call, (error) => error instanceof TypeError && message.test(error.message));
  }
  assert.throws(() => plugin.exprSync(deep), { code: 'INVALID_ARGUMENT', message: /the value is nested deeper than 128 levels/ });
  await assert.rejects(plugin.person({ name: 1, age: 1 }), TypeError);
  // As in JSON.
  assert.equal(plugin.anySync(new Date(0)), '1970-01-01T00:00:00.000Z');
  assert.deepEqual(plugin.anySync([{ toJSON: () => ({ a: 1 }) }, Object.create(null)]), [{ a: 1 }, {}]);
  // What was refused has left nothing behind.
  assert.deepEqual(plugin.personSync({ name: 'größe', age: 1 }), { name: 'größe', age: 1, email: undefined });
});

test('answers are as long as they are', { timeout: LIMIT }, () => {
  const doubles = Float64Array.from({ length: 100_000 }, (_, number) => number / 3);
  assert.deepEqual(plugin.doublesSync(doubles), doubles);
  assert.deepEqual(plugin.doublesSync(doubles.subarray(1, 4)), doubles.slice(1, 4));
  assert.equal(plugin.lengthSync('größe'), 5n);
  assert.equal(plugin.lengthSync('ä'.repeat(500_000)), 500_000n);
  const people = { items: Array.from({ length: 5000 }, (_, age) => ({ name: `somebody ${age}`, age, email: undefined })), total: 5000n };
  assert.deepEqual(plugin.peopleSync(people), people);
});

test('what an older plugin lacks fails when it is used', { timeout: LIMIT }, async () => {
  const older = types({}, 'types_plugin_older');
  const emmy = { name: 'Emmy', age: 53 };
  const ada = { name: 'Ada', age: 36, email: 'ada@example.org' };
  assert.equal((await older.person(emmy)).name, 'Emmy');
  assert.equal((await older.collect(1n, [emmy, emmy])).total, 3n);
  const lacking = { code: 'UNIMPLEMENTED', type: 'rustbridge.NotInPlugin', message: /older than the client.*email/ };
  await assert.rejects(older.person(ada), lacking);
  // An item that can't be sent ends the call, which would wait for more otherwise.
  await assert.rejects(older.collect(1n, [emmy, ada]), lacking);
  async function* people() {
    yield emmy;
    yield ada;
  }
  await assert.rejects(older.collect(1n, people()), lacking);
  await assert.rejects(older.celsius(1), { code: 'UNIMPLEMENTED', message: /has no method `celsius`/ });
  await older.close();
});
