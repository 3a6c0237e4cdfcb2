// The gRPC client in Node: `@grpc/grpc-js`. `grpc-bench` starts it with the options that clients in all languages have.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { SCENARIOS, THREADED } from './calls.mjs';

// How many callers wait at the same time besides one: a loop has one thread, so these are what threads are elsewhere.
const CALLERS = [2, 4, 8];

// Above the blob of 16 MB; gRPC's own limit is 4 MB.
const LARGEST_MESSAGE = 32 << 20;

// At most so many values per measure.
const SAMPLES = 100;

// How long to measure, in milliseconds: a sample is the mean of as many operations as fill `batch`.
const FULL = { warmUp: 200, measure: 800, least: 200, batch: 10 };
const QUICK = { warmUp: 40, measure: 80, least: 10, batch: 5 };

const here = dirname(fileURLToPath(import.meta.url));
const now = () => Number(process.hrtime.bigint());

async function once(operation) {
  if (!(await operation(false))) {
    throw new Error("an answer isn't what it should be");
  }
}

/** Times every operation by itself; the samples are means of operations one after another. */
async function alone(effort, operation) {
  for (const end = now() + effort.warmUp * 1e6; now() < end; ) {
    await once(operation);
  }
  const times = [];
  const samples = [];
  const end = now() + effort.measure * 1e6;
  while (now() < end || times.length < effort.least) {
    const first = times.length;
    let batch = 0;
    while (batch < effort.batch * 1e6) {
      const before = now();
      await once(operation);
      const time = now() - before;
      times.push(time);
      batch += time;
    }
    samples.push(batch / (times.length - first));
  }
  times.sort((one, other) => one - other);
  const at = (share) => quantile(times, share);
  const single = { count: times.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), clock: clock() };
  return { ns: thin(samples), single };
}

/** Runs each operation again and again, all at the same time. A sample is the time of one operation, over some milliseconds. */
async function together(effort, operations) {
  let isOver = false;
  let count = 0;
  const running = Promise.all(
    operations.map(async (operation) => {
      try {
        while (!isOver) {
          await once(operation);
          count += 1;
        }
      } finally {
        isOver = true;
      }
    }),
  );
  const samples = [];
  await sleep(effort.warmUp);
  let [before, done] = [now(), count];
  for (const end = before + effort.measure * 1e6; before < end && !isOver; ) {
    await sleep(2 * effort.batch);
    const [time, sum] = [now(), count];
    if (sum > done) {
      samples.push(((time - before) * operations.length) / (sum - done));
      [before, done] = [time, sum];
    }
  }
  isOver = true;
  await running;
  return { ns: thin(samples) };
}

/** The value below which that share of the sorted values lies, between two of them if need be. */
function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/** Keeps at most so many values, evenly by their order. */
function thin(samples) {
  if (samples.length <= SAMPLES) {
    return samples;
  }
  const sorted = samples.toSorted((one, other) => one - other);
  return Array.from({ length: SAMPLES }, (_, index) => sorted[Math.floor((index * (sorted.length - 1)) / (SAMPLES - 1))]);
}

function clock() {
  const readings = Array.from({ length: 1001 }, () => {
    const before = now();
    return now() - before;
  });
  return quantile(readings.sort((one, other) => one - other), 0.5);
}

/** Makes a stub on a channel that is ready. */
async function connect(address) {
  const { default: grpc } = await import('@grpc/grpc-js');
  const { loadSync } = await import('@grpc/proto-loader');
  const how = { keepCase: true, longs: Number, defaults: true, oneofs: true };
  const { rustbridge } = grpc.loadPackageDefinition(loadSync(join(here, '../proto/bench.proto'), how));
  const stub = new rustbridge.bench.Bench(address, grpc.credentials.createInsecure(), {
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    'grpc.max_send_message_length': LARGEST_MESSAGE,
    // Otherwise it's a socket's path, which tonic's HTTP refuses as no host's name.
    'grpc.default_authority': 'localhost',
  });
  await new Promise((resolve, reject) => {
    stub.waitForReady(Date.now() + 10_000, (problem) => (problem ? reject(problem) : resolve()));
  });
  return stub;
}

/** Tells every measure, in order. */
function plan(options) {
  const suffix = options.pinned ? ' pinned' : '';
  const ways = [
    ['tcp', options.tcp],
    ['unix', options.unix && `unix:${options.unix}`],
  ];
  const planned = [];
  for (const [way, address] of ways.filter(([, given]) => given)) {
    for (const scenario of SCENARIOS) {
      if (!scenario.name.includes(options.only) || (options.pinned && !scenario.pinned)) {
        continue;
      }
      const more = scenario.name === THREADED && !options.pinned ? CALLERS : [];
      for (const threads of [1, ...more]) {
        planned.push({ scenario, subject: `grpc ${way}${suffix}`, address, threads });
      }
    }
  }
  return planned;
}

/** The version of a package as the lock file has it. */
function version(name) {
  const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${name}`].version;
}

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values: options } = parseArgs({
  options: {
    tcp: text,
    unix: text,
    pinned: flag,
    only: { type: 'string', default: '' },
    quick: flag,
    list: flag,
    smoke: flag,
    out: text,
  },
});
const planned = plan(options);
if (options.list) {
  for (const { scenario, subject, threads } of planned) {
    console.log([scenario.name, 'node', '', subject, threads].join('\t'));
  }
  process.exit(0);
}
const effort = options.quick ? QUICK : FULL;
const stubs = new Map();
const measures = [];
for (const { scenario, subject, address, threads } of planned) {
  const stub = stubs.get(address) ?? (await connect(address));
  stubs.set(address, stub);
  const operations = Array.from({ length: threads }, () => scenario.make(stub));
  if (!(await operations[0](true))) {
    throw new Error(`\`${scenario.name}\` answers something else`);
  }
  if (options.smoke) {
    console.log(`ok: node, ${subject}, ${scenario.name}, threads ${threads}`);
    continue;
  }
  const measured = threads === 1 ? await alone(effort, operations[0]) : await together(effort, operations);
  measures.push({ scenario: scenario.name, host: 'node', subject, threads, harness: 'grpc', ...measured });
  const median = quantile(measured.ns.toSorted((one, other) => one - other), 0.5);
  console.error(`node, ${subject}, ${scenario.name}, threads ${threads}: ${(median / 1e3).toFixed(1)} µs`);
}
if (options.out) {
  writeFileSync(options.out, JSON.stringify(measures));
  writeFileSync(join(dirname(options.out), 'tools-grpc-node.json'), JSON.stringify({ 'grpc-js': version('@grpc/grpc-js') }));
}
for (const stub of stubs.values()) {
  stub.close();
}
