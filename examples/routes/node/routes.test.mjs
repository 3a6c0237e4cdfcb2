// Tests the service of `routes.proto` in the plugin: generated types, each kind of method, metadata, deadlines and interceptors.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { create, equals, fromBinary, toBinary } from '@bufbuild/protobuf';
import { load, Reply, RustbridgeError } from 'rustbridge';
import { createClient } from './client.mjs';
import { FeatureSchema, Measured, PointSchema, RouteGuide } from './gen/routes_pb.js';

const folder = process.env.RUSTBRIDGE_PLUGIN_DIR ?? fileURLToPath(new URL('../../../target/release', import.meta.url));
const file = { win32: 'routes_plugin.dll', darwin: 'libroutes_plugin.dylib' }[process.platform] ?? 'libroutes_plugin.so';

/** The steps of the interceptors, in the order in which they happened. */
const seen = [];
beforeEach(() => seen.splice(0));

function noting(name) {
  return {
    async call({ method, options }, next) {
      seen.push(`${name} > ${method.name.split('/')[1]}`);
      try {
        return await next({ ...options, metadata: [...(options.metadata ?? []), [name, 'was here']] });
      } finally {
        seen.push(`${name} <`);
      }
    },
    async *stream({ method, options }, next) {
      seen.push(`${name} > ${method.name.split('/')[1]}`);
      yield* next(options);
      seen.push(`${name} <`);
    },
  };
}

const plugin = load(join(folder, file), { interceptors: [noting('outer'), noting('inner')] });
const guide = createClient(plugin, RouteGuide);
after(() => plugin.close({ cancelAfter: 0 }));

const ravine = { latitude: 406589790, longitude: -743560121 };
const berkshire = { latitude: 408122808, longitude: -743999179 };
const world = { low: { latitude: -900000000, longitude: -1800000000 }, high: { latitude: 900000000, longitude: 1800000000 } };

async function all(items) {
  const found = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

const texts = (pairs) => pairs.map(([key, value]) => [key, Buffer.from(value).toString()]);

test('unary, with metadata, headers and trailers', async () => {
  const reply = new Reply();
  const feature = await guide.getFeature(ravine, { metadata: [['user', 'Ada']], reply });
  assert.ok(equals(FeatureSchema, feature, create(FeatureSchema, { name: 'Ravine Lake', location: ravine })));
  assert.deepEqual(texts(reply.headers), [['hello', 'Ada']]);
  assert.deepEqual(texts(reply.trailers), [['features', '4']]);
});

test('a message to bytes, a raw call, bytes to a message', () => {
  const method = plugin.method('routes.v1.RouteGuide/GetFeature', 'raw');
  const bytes = method.callRawSync(toBinary(PointSchema, create(PointSchema, berkshire)));
  assert.equal(fromBinary(FeatureSchema, bytes).name, 'Berkshire Valley');
});

test('a server stream, with headers before its first item', async () => {
  const reply = new Reply();
  const features = guide.listFeatures(world, { reply });
  const first = await features.next();
  assert.equal(first.value.name, 'Patriots Path, Mendham');
  assert.deepEqual(texts(reply.headers), [['searched', '4']]);
  assert.equal((await all(features)).length, 3);
});

test('a client stream', async () => {
  const { points, features, distance } = await guide.recordRoute([ravine, berkshire, { latitude: 0, longitude: 0 }]);
  assert.deepEqual([points, features], [3, 2]);
  assert.equal(typeof distance, 'bigint');
});

test('a stream both ways, where one waits for the other', async () => {
  const heard = [];
  let wake;
  async function* notes() {
    yield { location: berkshire, message: 'one' };
    yield { location: berkshire, message: 'two' };
    // Wait until the first note has come back.
    await new Promise((resolve) => {
      wake = resolve;
    });
    yield { location: berkshire, message: 'three' };
  }
  for await (const { message } of guide.routeChat(notes())) {
    heard.push(message);
    wake?.();
  }
  assert.deepEqual(heard, ['one', 'one', 'two']);
});

test('a status with details, of a call and of a stream', async () => {
  await assert.rejects(guide.getFeature({ latitude: 7, longitude: 8 }), (error) => {
    assert.ok(error instanceof RustbridgeError);
    const { code, status, type, details } = error;
    assert.deepEqual([code, status, type, details], ['NOT_FOUND', 5, 'Routes.NoFeature', { latitude: 7, longitude: 8 }]);
    return true;
  });
  await assert.rejects(all(guide.listFeatures({})), { code: 'INVALID_ARGUMENT', message: 'a rectangle has two corners' });
  const bad = plugin.method('routes.v1.RouteGuide/GetFeature', 'raw').callRaw(Uint8Array.of(255));
  await assert.rejects(bad, { code: 'INVALID_ARGUMENT' });
});

test('a deadline, and a cancellation', async () => {
  const slow = { point: ravine, milliseconds: 3_600_000 };
  await assert.rejects(guide.getFeatureSlowly(slow, { timeout: 10 }), { code: 'DEADLINE_EXCEEDED' });
  await assert.rejects(guide.getFeatureSlowly(slow, { signal: AbortSignal.timeout(10) }), { name: 'TimeoutError' });
  assert.equal((await guide.getFeatureSlowly({ point: ravine, milliseconds: 1 })).name, 'Ravine Lake');
});

test('a chain of interceptors is around calls and streams, and adds to what they carry', async () => {
  await guide.getFeature(ravine);
  await all(guide.listFeatures(world));
  const around = (name) => [`outer > ${name}`, `inner > ${name}`, 'inner <', 'outer <'];
  assert.deepEqual(seen, [...around('GetFeature'), ...around('ListFeatures')]);
});

test('what the plugin says of itself is what the .proto says', () => {
  const [service, measured, ...others] = plugin.reflect().services;
  assert.deepEqual(others, []);
  assert.equal(service.name, RouteGuide.typeName);
  assert.deepEqual(
    measured.methods.map(({ name }) => name),
    Measured.methods.map(({ name }) => name),
  );
  const kinds = (methods, of) => Object.fromEntries(methods.map((method) => [method.name, of(method)]));
  assert.deepEqual(
    kinds(service.methods, ({ clientStreaming, serverStreaming }) => [clientStreaming, serverStreaming]),
    kinds(RouteGuide.methods, ({ methodKind }) => [
      methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
      methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    ]),
  );
});
