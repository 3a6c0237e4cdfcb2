// Times our calls beside functions of Node-API written by hand, which do the same: `node benchmarks/floor.mjs` in the package's folder.
//
// `cargo build --release -p rustbridge-napi -p floor-napi -p hello-plugin` builds what it needs; the addon is the one of the package.

import { fileURLToPath } from 'node:url';
import { load } from '../index.mjs';

const ROUNDS = 201;
const BATCH = 2000;

const folder = fileURLToPath(new URL('../../target/release/', import.meta.url));

function addon(path) {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

function batch(run) {
  const begun = process.hrtime.bigint();
  for (let index = 0; index < BATCH; index++) {
    run();
  }
  return Number(process.hrtime.bigint() - begun) / BATCH;
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

/** Medians over batches that take turns, so that both see the same machine. */
function compare(what, ours, bare) {
  batch(ours);
  batch(bare);
  const pairs = Array.from({ length: ROUNDS }, () => [batch(ours), batch(bare)]);
  const [mine, theirs] = [median(pairs.map(([time]) => time)), median(pairs.map(([, time]) => time))];
  return { what, 'ours, ns': +mine.toFixed(1), 'by hand, ns': +theirs.toFixed(1), ratio: +(mine / theirs).toFixed(2) };
}

const floor = addon(`${folder}libfloor_napi.so`);
const hello = load(`${folder}libhello_plugin.so`);
const add = hello.method('math.add', 'pod');
const small = hello.method('bench.small', 'pod');
const echo = hello.method('echo');
const [pair, sum] = [Buffer.alloc(16), Buffer.alloc(8)];
pair[0] = 1;
const slot = add.slot();
const key = Buffer.alloc(small.requestSize);
key[0] = 1;
key.write('bench_key', 4);
key.writeUInt32LE(9, 68);
const value = Buffer.alloc(small.responseSize);
const text = '{"message":"Hello, World!"}';
const object = { message: 'Hello, World!' };
console.table([
  compare('an empty function', floor.empty, floor.empty),
  compare('struct of 16 bytes, no arguments', slot.call, floor.addShared),
  compare(
    'struct of 16 bytes, buffers',
    () => add.callInto(pair, sum),
    () => floor.add(pair, sum),
  ),
  compare(
    'struct of 76 bytes, buffers',
    () => small.callInto(key, value),
    () => floor.small(key, value),
  ),
  compare(
    'JSON, text to text',
    () => echo.callJsonSync(text),
    () => floor.echo(text),
  ),
  compare(
    'JSON, value to value',
    () => echo.callSync(object),
    () => JSON.parse(floor.echo(JSON.stringify(object))),
  ),
]);
await hello.close();
