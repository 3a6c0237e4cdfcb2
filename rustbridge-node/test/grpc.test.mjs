// What gRPC has beside a call's answer: headers, trailers, and the 17 statuses with their details; and reflection.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load, Reply, RustbridgeError, Status } from 'rustbridge';
import { HELLO, OPERATIONS } from './plugins.mjs';

const plugin = load(OPERATIONS);
after(() => plugin.close({ cancelAfter: 0 }));

const metadata = [
  ['served-by', 'b7'],
  ['raw-bin', Uint8Array.of(0, 255)],
  ['served-by', 'b8'],
];
const SAID = metadata.map(([key, value]) => [key, Uint8Array.from(Buffer.from(value))]);
const FIRST = ['first', Uint8Array.from(Buffer.from('1'))];

for (const [method, headers] of [
  ['headers.now', SAID],
  ['headers.soon', SAID],
  ['headers.later', [FIRST, ...SAID]],
]) {
  test(`headers come with the answer of ${method}`, async () => {
    const reply = new Reply();
    const options = { metadata, reply };
    assert.deepEqual(await plugin.call(method, { text: 'Hi' }, options), { text: 'Hi' });
    assert.deepEqual([reply.headers, reply.trailers], [headers, []]);
    const again = new Reply();
    assert.deepEqual(plugin.callSync(method, { text: 'Hi' }, { metadata, reply: again }), { text: 'Hi' });
    assert.deepEqual(again.headers, headers);
    // The next answer takes their place.
    await plugin.call(method, { text: 'Hi' }, { reply });
    assert.deepEqual(reply.headers, method === 'headers.later' ? [FIRST] : []);
  });
}

test('headers come with an error', async () => {
  const reply = new Reply();
  const refused = plugin.call('headers.refuse', { status: 7, why: 'no' }, { metadata, reply });
  await assert.rejects(refused, { code: 'PERMISSION_DENIED', message: 'no' });
  assert.deepEqual(reply.headers, SAID);
});

test('headers are there with the first item, also where there is none', async () => {
  const reply = new Reply();
  const items = plugin.stream('headers.items', { from: 0, to: 600 }, { metadata, reply });
  assert.deepEqual(await items.next(), { done: false, value: 0 });
  assert.deepEqual(reply.headers, SAID);
  let count = 1;
  for await (const _ of items) {
    count += 1;
  }
  assert.equal(count, 600);
  const none = new Reply();
  for await (const item of plugin.stream('headers.items', { from: 0, to: 0 }, { metadata, reply: none })) {
    assert.fail(`there is an item ${item}`);
  }
  assert.deepEqual(none.headers, SAID);
});

test('who takes no headers gets none, and the answer all the same', async () => {
  assert.deepEqual(await plugin.call('headers.later', { text: 'Hi' }, { metadata }), { text: 'Hi' });
  assert.deepEqual(await plugin.stream('headers.items', { from: 3, to: 4 }, { metadata }).next(), { done: false, value: 3 });
});

test('headers have the limit that all metadata has', async () => {
  // What is sent is as long as may be; with another header before it it's too long.
  const long = [['long', 'x'.repeat(65536 - 4 - 8 - 'long'.length)]];
  const reply = new Reply();
  await plugin.call('headers.soon', { text: 'Hi' }, { metadata: long, reply });
  assert.equal(reply.headers[0][1].length, 65520);
  const refused = plugin.call('headers.later', { text: 'Hi' }, { metadata: long, reply });
  await assert.rejects(refused, { code: 'RESOURCE_EXHAUSTED', type: 'rustbridge.InvalidMetadata' });
});

test('many calls have each its own headers', async () => {
  const replies = Array.from({ length: 500 }, () => new Reply());
  await Promise.all(
    replies.map((reply, index) => plugin.call('headers.later', { text: 'Hi' }, { metadata: { index: `${index}` }, reply })),
  );
  for (const [index, reply] of replies.entries()) {
    assert.equal(Buffer.from(reply.headers[1][1]).toString(), `${index}`);
  }
});

const CODES = Object.entries(Status);

test('there are the 17 statuses of gRPC', () => {
  assert.equal(CODES.length, 17);
  assert.deepEqual(
    CODES.map(([, number]) => number),
    Array.from({ length: 17 }, (_, index) => index),
  );
});

for (const [code, status] of CODES) {
  const why = `it is ${code}`;
  const expected = { name: 'RustbridgeError', code, status, message: why, type: 'Refused.OnRequest', details: { status, why } };

  test(`a call ends with ${code}, and so does a stream after its items`, async () => {
    const reply = new Reply();
    const trailers = [['refused', Uint8Array.from(Buffer.from(why))]];
    const refused = () => plugin.call('call.refuse', { status, why }, { reply });
    const refusedSync = () => plugin.callSync('call.refuse', { status, why });
    const items = [];
    const read = async () => {
      for await (const item of plugin.stream('stream.refuse', { status, why })) {
        items.push(item);
      }
    };
    if (status === 0) {
      await refused();
      refusedSync();
      await read();
    } else {
      await assert.rejects(refused, expected);
      assert.throws(refusedSync, expected);
      await assert.rejects(read, expected);
    }
    assert.deepEqual(reply.trailers, trailers);
    assert.deepEqual(items, [0, 1]);
  });

  test(`a service's ${code} comes to the plugin's caller`, async () => {
    const services = {
      'prices.get': () => {
        throw new RustbridgeError(code, why, { type: 'Refused.OnRequest', details: { status, why } });
      },
    };
    const asking = load(OPERATIONS, { services });
    // OK is no error, and an error that says so is UNKNOWN.
    await assert.rejects(asking.call('service.one', 1), status === 0 ? { code: 'UNKNOWN', message: why } : expected);
    await asking.close();
  });
}

test('a plugin is reflected as gRPC reflects a server', async () => {
  const reflection = plugin.reflect();
  const names = reflection.services.map(({ name }) => name);
  assert.ok(names.includes('stream') && names.includes('Counter'), names.join());
  assert.deepEqual(reflection.find('items.double'), {
    fullName: 'items.double',
    name: 'double',
    clientStreaming: true,
    serverStreaming: true,
    encodings: reflection.find('items.sum').encodings,
    request: reflection.find('items.double').request,
    item: 'Number',
    response: 'Number',
    doc: 'Sends back the double of each number that it’s sent.'.replace('’', "'"),
  });
  const { clientStreaming, serverStreaming, response } = reflection.find('stream.numbers');
  assert.deepEqual([clientStreaming, serverStreaming, response], [false, true, 'u64']);
  assert.deepEqual(reflection.find('Carried').fields.slice(0, 2), [
    { name: 'has_deadline', type: 'bool', doc: "Whether there's an end to its time." },
    { name: 'metadata', type: 'list<tuple<string, string>>', doc: 'Its metadata as texts.' },
  ]);
  assert.equal(reflection.find('items').methods.length, 3);
  assert.equal(reflection.find('nobody.knows'), undefined);
  const hello = load(HELLO);
  // What has no service in its name is the plugin's own.
  assert.ok(
    hello
      .reflect()
      .find(hello.describe().name)
      .methods.some(({ name }) => name === 'greet'),
  );
  await hello.close();
});
