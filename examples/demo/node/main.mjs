// A Node host: loads a plugin, calls it, prints responses and log records, and times its calls against bare calls.
//
// Usage: node main.mjs PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR-ADDON

import { load, RustbridgeError } from 'rustbridge';

const ROUNDS = 201;
const BATCH = 500;

const ECHO = '{"message":"Hello, World!"}';

function emit(fields) {
  console.log(JSON.stringify({ host: 'Node', transport: 'Node-API', ...fields }));
}

/** Prints every record that arrives from the plugin. */
function show({ level, target, message, fields }) {
  emit({ event: 'log', text: `${level.toUpperCase()} ${target}: ${message} ${JSON.stringify(fields)}` });
}

/** Returns the functions of a hand-written addon that do the same work. */
function bareCalls(path) {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

function batch(call) {
  const began = process.hrtime.bigint();
  for (let done = 0; done < BATCH; done++) {
    call();
  }
  return Number(process.hrtime.bigint() - began) / BATCH;
}

/** Times both calls in alternating batches, so that both run under the same conditions, and returns the medians. */
function compare(ours, bare) {
  batch(ours);
  batch(bare);
  const pairs = Array.from({ length: ROUNDS }, () => [batch(ours), batch(bare)]);
  const median = (times) => times.sort((one, other) => one - other)[ROUNDS >> 1];
  return { ns: median(pairs.map(([time]) => time)), bare_ns: median(pairs.map(([, time]) => time)), bare: 'Node-API by hand' };
}

const [path, floorPath] = process.argv.slice(2);
const floor = bareCalls(floorPath);
const plugin = load(path, { logger: show, logLevel: 'trace' });

const answered = async (method, request) => {
  emit({ method, encoding: 'json', answer: JSON.stringify(await plugin.call(method, request)) });
};
await answered('user.create', { username: 'ada', email: 'ada@example.com' });
await plugin.flushLogs();
try {
  await plugin.call('math.add', { a: 2n ** 63n - 1n, b: 1 });
} catch (error) {
  if (!(error instanceof RustbridgeError)) {
    throw error;
  }
  emit({ event: 'error', text: `${error.code}: ${error.message}` });
}
// Turn logging off, so that only the calls are timed.
plugin.logLevel = 'off';
await answered('greet', { name: 'Ada' });
await answered('test.sleep', { duration_ms: 5 });
await answered('math.add', { a: 20, b: 22 });
await answered('bench.small', { key: 'bench_key', flags: 1 });

const echo = plugin.method('echo');
const timed = compare(
  () => echo.callJsonSync(ECHO),
  () => floor.echo(ECHO),
);
emit({ method: 'echo', encoding: 'json', answer: echo.callJsonSync(ECHO), ...timed });

// The slot's memory is allocated once, so a call has no arguments.
const add = plugin.method('math.add', 'pod').slot();
add.request.setBigInt64(0, 20n, true);
add.request.setBigInt64(8, 22n, true);
add.call();
emit({
  method: 'math.add',
  encoding: 'pod',
  answer: `result ${add.response.getBigInt64(0, true)}`,
  ...compare(add.call, floor.addShared),
});

const small = plugin.method('bench.small', 'pod');
const request = Buffer.alloc(small.requestSize);
request.writeUInt8(1, 0);
request.write('bench_key', 4);
request.writeUInt32LE(9, 68);
request.writeUInt32LE(1, 72);
const response = Buffer.alloc(small.responseSize);
small.callInto(request, response);
emit({
  method: 'bench.small',
  encoding: 'pod',
  answer: `value ${response.toString('utf8', 4, 4 + response.readUInt32LE(68))}, ttl_seconds ${response.readUInt32LE(72)}`,
  ...compare(
    () => small.callInto(request, response),
    () => floor.small(request, response),
  ),
});
await plugin.close();
