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
};

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

const { values: given } = parseArgs({
  options: { list: { type: 'boolean' }, quick: { type: 'boolean' }, only: { type: 'string', default: '' } },
});

function measured(name, ways, loaded) {
  const [samples, each] = given.quick ? [20, 2e6] : [100, 10e6];
  const calls = Object.entries(ways).map(([subject, make]) => {
    const call = make(loaded);
    const count = Math.max(1, Math.floor(each / sample(call, 20_000)));
    const measure = { scenario: name, host: 'node', transport: 'napi', subject, threads: 1, ns: [], harness: 'node' };
    return { call, count, measure };
  });
  // They take turns, so that both see the same machine.
  for (let done = 0; done < samples; done++) {
    for (const { call, count, measure } of calls) {
      measure.ns.push(sample(call, count));
    }
  }
  return calls.map(({ measure }) => measure);
}

async function main() {
  // Nothing needs to be built for the list.
  const { load } = await import('rustbridge');
  const folder = process.env.RUSTBRIDGE_PLUGIN_DIR;
  const file = (name) => ({ win32: `${name}.dll`, darwin: `lib${name}.dylib` })[process.platform] ?? `lib${name}.so`;
  const loaded = { hello: load(join(folder, file('hello_plugin'))), floor: addon(join(folder, file('floor_napi'))) };
  const measures = Object.entries(SCENARIOS)
    .filter(([name]) => name.includes(given.only))
    .flatMap(([name, ways]) => measured(name, ways, loaded));
  writeFileSync(join(process.env.RUSTBRIDGE_BENCH_ROWS, 'node.json'), `${JSON.stringify(measures, null, 1)}\n`);
  await loaded.hello.close();
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
