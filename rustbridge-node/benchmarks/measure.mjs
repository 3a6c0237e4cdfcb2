// Measures the scenarios of benches/catalogue.toml that name Node, beside functions of Node-API written by hand, and writes what
// `cargo xtask bench` reads.
//
// `node measure.mjs [--list] [--quick] [--only TEXT]`, with the environment that xtask gives it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ECHO = '{"message":"Hello, World!"}';

/** The scenarios by their names, and what calls in each way: each is made once, and what it gives is timed. */
const SCENARIOS = {
  'math.add 16/8': {
    ours: ({ hello }) => {
      const [method, request, response] = [hello.method('math.add', 'pod'), pair(), Buffer.alloc(8)];
      return () => method.callInto(request, response);
    },
    floor: ({ floor }) => {
      const [request, response] = [pair(), Buffer.alloc(8)];
      return () => floor.add(request, response);
    },
  },
  'math.add 16/8, slot': {
    ours: ({ hello }) => {
      const slot = hello.method('math.add', 'pod').slot();
      slot.request.setBigInt64(0, 20n, true);
      slot.request.setBigInt64(8, 22n, true);
      return slot.call;
    },
    floor: ({ floor }) => {
      new Uint8Array(floor.memory).set(pair());
      return floor.addShared;
    },
  },
  'bench.small 76/80': {
    ours: ({ hello }) => {
      const [method, request, response] = [hello.method('bench.small', 'pod'), key(), Buffer.alloc(80)];
      return () => method.callInto(request, response);
    },
    floor: ({ floor }) => {
      const [request, response] = [key(), Buffer.alloc(80)];
      return () => floor.small(request, response);
    },
  },
  'json echo 13 B': {
    ours: ({ hello }) => {
      const method = hello.method('echo');
      return () => method.callJsonSync(ECHO);
    },
    floor:
      ({ floor }) =>
      () =>
        floor.echo(ECHO),
  },
  'json echo 13 B, object to object': {
    ours: ({ hello }) => {
      const [method, request] = [hello.method('echo'), JSON.parse(ECHO)];
      return () => method.callSync(request);
    },
    floor: ({ floor }) => {
      const request = JSON.parse(ECHO);
      return () => JSON.parse(floor.echo(JSON.stringify(request)));
    },
  },
  'plain call': {
    ours: ({ bench }) => {
      const [method, request, response] = [bench.method('plain', 'pod'), one(), Buffer.alloc(4)];
      return () => method.callInto(request, response);
    },
    floor: answered,
  },
  ready: {
    ours: ({ bench }) => {
      const [method, request] = [bench.method('ready', 'pod'), one()];
      return awaited(() => method.callRaw(request));
    },
    floor: answered,
  },
  'pending 64 in flight': {
    ours: ({ bench }) => {
      const [method, request] = [bench.method('later', 'pod'), one()];
      return awaited(() => method.callRaw(request), 64);
    },
    floor: ({ floor }) => awaited(() => floor.later(1), 64),
  },
};

function answered({ floor }) {
  const [request, response] = [one(), Buffer.alloc(4)];
  return () => floor.answer(request, response);
}

/** So many calls that are awaited together. What has a promise says by `units` how many they are. */
function awaited(call, units = 1) {
  const together = async () => {
    if (units === 1) {
      return call();
    }
    return Promise.all(Array.from({ length: units }, call));
  };
  return Object.assign(units === 1 ? call : together, { units });
}

function one() {
  const request = Buffer.alloc(4);
  request.writeInt32LE(1);
  return request;
}

function pair() {
  const request = Buffer.alloc(16);
  request.writeBigInt64LE(20n);
  request.writeBigInt64LE(22n, 8);
  return request;
}

function key() {
  const request = Buffer.alloc(76);
  request.writeUInt8(1);
  request.write('bench_key', 4);
  request.writeUInt32LE(9, 68);
  request.writeUInt32LE(1, 72);
  return request;
}

function addon(path) {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

/** Nanoseconds of one call, of so many. */
function sample(call, count) {
  const began = process.hrtime.bigint();
  for (let done = 0; done < count; done++) {
    call();
  }
  return Number(process.hrtime.bigint() - began) / count;
}

/** The same of what is awaited. */
async function sampleAwaited(call, count) {
  const began = process.hrtime.bigint();
  for (let done = 0; done < count; done++) {
    await call();
  }
  return Number(process.hrtime.bigint() - began) / count / call.units;
}

const { values: given } = parseArgs({
  options: { list: { type: 'boolean' }, quick: { type: 'boolean' }, only: { type: 'string', default: '' } },
});

async function measured(name, ways, loaded) {
  const [samples, each] = given.quick ? [20, 2e6] : [100, 10e6];
  const calls = [];
  for (const [subject, make] of Object.entries(ways)) {
    const call = make(loaded);
    const take = call.units ? sampleAwaited : sample;
    const units = call.units ?? 1;
    const count = Math.max(1, Math.floor(each / units / (await take(call, Math.ceil(20_000 / units)))));
    const measure = { scenario: name, host: 'node', transport: 'napi', subject, threads: 1, ns: [], harness: 'node' };
    calls.push({ call, take, count, measure });
  }
  // They take turns, so that both see the same machine.
  for (let done = 0; done < samples; done++) {
    for (const { call, take, count, measure } of calls) {
      measure.ns.push(await take(call, count));
    }
  }
  return calls.map(({ measure }) => measure);
}

async function main() {
  // Nothing needs to be built for the list.
  const { load } = await import('rustbridge');
  const folder = process.env.RUSTBRIDGE_PLUGIN_DIR;
  const file = (name) => ({ win32: `${name}.dll`, darwin: `lib${name}.dylib` })[process.platform] ?? `lib${name}.so`;
  const loaded = {
    hello: load(join(folder, file('hello_plugin'))),
    bench: load(join(folder, file('bench_plugin'))),
    floor: addon(join(folder, file('floor_napi'))),
  };
  const measures = [];
  for (const [name, ways] of Object.entries(SCENARIOS)) {
    if (name.includes(given.only)) {
      measures.push(...(await measured(name, ways, loaded)));
    }
  }
  writeFileSync(join(process.env.RUSTBRIDGE_BENCH_ROWS, 'node.json'), `${JSON.stringify(measures, null, 1)}\n`);
  await Promise.all([loaded.hello.close(), loaded.bench.close()]);
}

if (given.list) {
  for (const [name, ways] of Object.entries(SCENARIOS)) {
    for (const subject of Object.keys(ways)) {
      console.log([name, 'node', 'napi', subject, 1].join('\t'));
    }
  }
} else {
  await main();
}
