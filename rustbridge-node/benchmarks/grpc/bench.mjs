// Times a service of a .proto, called through a plugin in this process, beside @grpc/grpc-js on loopback, in one run.
//
// `cargo build --release -p rustbridge-napi -p routes-plugin` and `cargo xtask test --only node-install --only node-routes` make what it
// needs; then `npm ci` and `node bench.mjs` in this folder. `--quick` is a look at whether it works.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, makeClientConstructor } from '@grpc/grpc-js';
import { load } from '../../index.mjs';
import { definition, Measured, RepeatedSchema, RouteNoteSchema } from './service.mjs';

const isQuick = process.argv.includes('--quick');
const RUNS = isQuick ? 3 : 101;
/** How long one run takes about, in nanoseconds: less than what a busy machine gives a program in one go. */
const RUN = 2e6;
/** How many messages a stream has. */
const MESSAGES = 1000;

/** What goja-grpc's tournament has measured, in nanoseconds, for the unary call of 32 bytes: on this kind of machine. */
const TOURNAMENT = 78_700;

const note = create(RouteNoteSchema, { message: 'x'.repeat(30) });
const bytes = toBinary(RouteNoteSchema, note);
assert.equal(bytes.length, 32);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Nanoseconds of each of so many. */
async function timed(run, count) {
  const begun = process.hrtime.bigint();
  await run(count);
  return Number(process.hrtime.bigint() - begun) / count;
}

const rows = [];

/** Medians of runs that take turns. What is measured is given how many calls, or messages, it makes. */
async function compare(what, sides, step = 1) {
  const counts = {};
  for (const [name, run] of Object.entries(sides)) {
    // Warm, and about as long as a run is to be.
    await timed(run, step * (isQuick ? 20 : Math.max(20, 5000 / step)));
    const each = await timed(run, step * 20);
    counts[name] = Math.max(1, Math.round(RUN / each / step)) * step;
    await timed(run, counts[name]);
  }
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const [name, side] of Object.entries(sides)) {
      times[name].push(await timed(side, counts[name]));
    }
  }
  const row = { what };
  for (const [name, list] of Object.entries(times)) {
    row[`${name}, ns`] = Math.round(median(list));
    row[`${name} at best`] = Math.round(Math.min(...list));
  }
  if (row['grpc-js, ns'] !== undefined) {
    row['times as fast'] = +(row['grpc-js, ns'] / row['ours, ns']).toFixed(1);
    row['at best'] = +(row['grpc-js at best'] / row['ours at best']).toFixed(1);
  }
  rows.push(row);
  return [row['ours, ns'], row['ours at best']];
}

const release = fileURLToPath(new URL('../../../target/release', import.meta.url));
const file = { win32: 'routes_plugin.dll', darwin: 'libroutes_plugin.dylib' }[process.platform] ?? 'libroutes_plugin.so';
const plugin = load(join(process.env.RUSTBRIDGE_PLUGIN_DIR ?? release, file));
const method = (name) => plugin.method(`${Measured.typeName}/${name}`, 'raw');
const write = (message) => toBinary(RouteNoteSchema, message);
const read = (given) => fromBinary(RouteNoteSchema, given);

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)));
const { port, error } = await new Promise((resolve, reject) => {
  server.once('message', resolve);
  server.once('error', reject);
  server.once('exit', (code) => reject(new Error(`the server has ended with ${code}`)));
});
assert.ok(port, error);
const Measuring = makeClientConstructor(definition, Measured.typeName);
const client = new Measuring(`127.0.0.1:${port}`, credentials.createInsecure());
assert.ok(client instanceof Client);

const theirs = () =>
  new Promise((resolve, reject) => {
    client.echo(note, (failed, answer) => (failed === null ? resolve(answer) : reject(failed)));
  });
const [echo, echoAsync] = [method('Echo'), method('EchoAsync')];
const ours = async (prepared) => read(await prepared.callRaw(write(note)));

/** So many calls, one after the other. */
const inTurn = (call) => async (count) => {
  for (let index = 0; index < count; index++) {
    await call();
  }
};

/** So many calls of so many callers at once, of which each waits for its own. */
const atOnce = (callers, call) => async (count) => {
  await Promise.all(Array.from({ length: callers }, () => inTurn(call)(count / callers)));
};

assert.equal((await theirs()).message, note.message);
assert.equal((await ours(echoAsync)).message, note.message);

const unary = {
  sync: await compare('unary, 32 B, Sync', {
    ours: (count) => {
      for (let index = 0; index < count; index++) {
        read(echo.callRawSync(write(note)));
      }
    },
  }),
  promise: await compare('unary, 32 B, a promise', { ours: inTurn(() => ours(echo)), 'grpc-js': inTurn(theirs) }),
  later: await compare('the same of an async handler', { ours: inTurn(() => ours(echoAsync)), 'grpc-js': inTurn(theirs) }),
};
await compare('its message alone, to bytes and back', {
  ours: (count) => {
    for (let index = 0; index < count; index++) {
      read(write(note));
    }
  },
});
await compare('bytes alone, Sync', {
  ours: (count) => {
    for (let index = 0; index < count; index++) {
      echo.callRawSync(bytes);
    }
  },
});
await compare('bytes alone, a promise', { ours: inTurn(() => echo.callRaw(bytes)) });
await compare('bytes alone, a promise, of an async handler', { ours: inTurn(() => echoAsync.callRaw(bytes)) });
for (const callers of [10, 50, 100]) {
  const sides = { ours: atOnce(callers, () => ours(echoAsync)), 'grpc-js': atOnce(callers, theirs) };
  await compare(`unary, ${callers} callers, per call`, sides, callers);
}

const nothing = new Uint8Array();
const streams = (run) => async (count) => {
  for (let left = count; left > 0; left -= MESSAGES) {
    await run(MESSAGES);
  }
};

/** Waits for the end of one of theirs; how many messages came. */
function drained(stream) {
  return new Promise((resolve, reject) => {
    let count = 0;
    stream.on('data', () => {
      count += 1;
    });
    stream.on('end', () => resolve(count));
    stream.on('error', reject);
  });
}

/** Writes so many into one of theirs, as fast as it takes them. */
function written(stream, count) {
  for (; count > 0; count -= 1) {
    if (!stream.write(note)) {
      stream.once('drain', () => written(stream, count - 1));
      return;
    }
  }
  stream.end();
}

const [repeat, counted, mirror] = [method('Repeat'), method('Count'), method('Mirror')];
await compare(
  'server stream, per message',
  {
    ours: streams(async (count) => {
      let came = 0;
      for await (const item of repeat.streamRaw(toBinary(RepeatedSchema, create(RepeatedSchema, { note, count })))) {
        read(item);
        came += 1;
      }
      assert.equal(came, count);
    }),
    'grpc-js': streams(async (count) => {
      assert.equal(await drained(client.repeat({ note, count })), count);
    }),
  },
  MESSAGES,
);
await compare(
  'client stream, per message',
  {
    ours: streams((count) =>
      counted.sendRaw(
        Array.from({ length: count }, () => write(note)),
        nothing,
      ),
    ),
    'grpc-js': streams(
      (count) =>
        new Promise((resolve, reject) => {
          const stream = client.count((failed, answer) => (failed === null ? resolve(answer) : reject(failed)));
          written(stream, count);
        }),
    ),
  },
  MESSAGES,
);
await compare(
  'bidi, per message there and back',
  {
    ours: streams(async (count) => {
      let came = 0;
      const given = Array.from({ length: count }, () => write(note));
      for await (const item of mirror.exchangeRaw(given, nothing)) {
        read(item);
        came += 1;
      }
      assert.equal(came, count);
    }),
    'grpc-js': streams(async (count) => {
      const stream = client.mirror();
      const end = drained(stream);
      written(stream, count);
      assert.equal(await end, count);
    }),
  },
  MESSAGES,
);
await compare(
  'bidi, each waiting for the one before',
  {
    ours: streams(async (count) => {
      let back = 0;
      let wake;
      async function* given() {
        for (let index = 0; index < count; index++) {
          yield write(note);
          while (back <= index) {
            await new Promise((resolve) => {
              wake = resolve;
            });
          }
        }
      }
      for await (const item of mirror.exchangeRaw(given(), nothing)) {
        read(item);
        back += 1;
        wake?.();
      }
    }),
    'grpc-js': streams(
      (count) =>
        new Promise((resolve, reject) => {
          const stream = client.mirror();
          let left = count;
          stream.on('data', () => {
            left -= 1;
            if (left > 0) {
              stream.write(note);
            } else {
              stream.end();
            }
          });
          stream.on('end', resolve);
          stream.on('error', reject);
          stream.write(note);
        }),
    ),
  },
  MESSAGES,
);

console.table(rows);
for (const [how, [time, best]] of Object.entries(unary)) {
  const [times, most] = [time, best].map((one) => (TOURNAMENT / one).toFixed(0));
  console.log(
    `goja-grpc's unary call of 32 B takes ${TOURNAMENT} ns on this kind of machine: ${times} times ours (${how}), ${most} at best`,
  );
}
client.close();
server.disconnect();
await plugin.close();
