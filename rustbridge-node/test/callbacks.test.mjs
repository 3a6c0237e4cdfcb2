// Callbacks: objects of this program that a plugin calls, and services with several parameters.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { load as loadPlugin, RustbridgeError } from 'rustbridge';
import { HostObjects } from 'rustbridge/typed';
import { LIMIT, library, until } from './plugins.mjs';
import { compiled } from './typed.mjs';

const { Fixtures, ListenerObject, NodeObject, SpriteFailure, VerdictFailure } = await compiled('fixtures');
const LIBRARY = library('fixtures_plugin');
const ADA = { name: 'Ada', age: 36 };
const BOB = { name: 'Bob', age: 7 };

/** The tables of all clients. */
const tables = new Set();
const { add } = HostObjects.prototype;
HostObjects.prototype.add = function (...given) {
  tables.add(this);
  return add.apply(this, given);
};

/** How many objects of this program plugins hold. */
const held = () => [...tables].reduce((sum, table) => sum + table.size, 0);
const allReleased = () => until('all objects were released', () => held() === 0);

class Listener {
  seen = [];

  constructor(favourite = '') {
    this.likes = favourite;
  }

  joined(person, tags) {
    this.seen.push([person, tags]);
  }

  count() {
    return BigInt(this.seen.length);
  }

  favourite(among) {
    return among.find(({ name }) => name === this.likes);
  }

  async confirm(question, patience) {
    await setImmediate();
    return question === 'sure?' && patience === 5;
  }
}

class Branch {
  constructor(called, kilograms) {
    this.called = called;
    this.kilograms = kilograms;
  }

  name() {
    return this.called;
  }

  weight() {
    return this.kilograms;
  }
}

const fixtures = Fixtures.load(LIBRARY, {
  host: {
    directory: {
      find: (prefix, oldest, limit) => [ADA, BOB].filter(({ name, age }) => name.startsWith(prefix) && age <= oldest).slice(0, limit),
    },
  },
});
after(() => fixtures.close());

test('progress is a function or an object', { timeout: LIMIT }, async () => {
  const reports = [];
  const report = (done, total) => {
    reports.push([done, total]);
    return true;
  };
  assert.equal(await fixtures.work(3, report), 3);
  assert.deepEqual(reports, [
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  assert.equal(fixtures.workSync(2, report), 2);
  assert.equal(reports.length, 5);
  assert.equal(await fixtures.work(3, (done) => done < 2), 2);
  class Progress {
    last = 2;

    report(done) {
      return done !== this.last;
    }
  }
  assert.equal(await fixtures.work(5, new Progress()), 2);
  assert.equal(fixtures.workSync(5, new Progress()), 2);
  await allReleased();
});

test('another thread of the plugin calls', { timeout: LIMIT }, async () => {
  assert.equal(await fixtures.workElsewhere(3, () => true), 3);
  assert.equal(await fixtures.workElsewhere(3, (done) => done < 2), 2);
  await allReleased();
});

test('exceptions arrive as errors', { timeout: LIMIT }, async () => {
  const fail = (done, total) => {
    throw new RangeError(`${done} of ${total}`);
  };
  const failed = { code: 'INTERNAL', type: 'RangeError', message: '1 of 2' };
  assert.throws(() => fixtures.workSync(2, fail), failed);
  await assert.rejects(fixtures.work(2, fail), failed);
  await assert.rejects(fixtures.workElsewhere(2, fail), failed);
  const missing = () => {
    throw new RustbridgeError('NOT_FOUND', 'no progress', { type: 'Missing' });
  };
  await assert.rejects(fixtures.work(2, missing), { code: 'NOT_FOUND', type: 'Missing', message: 'no progress' });
  await assert.rejects(
    fixtures.work(2, () => 'yes'),
    { code: 'INTERNAL', message: /^Progress\.report: response: a boolean is expected, not string$/ },
  );
  await allReleased();
});

test('what is dropped without any stack left is released later', { timeout: LIMIT }, async () => {
  const endless = () => fixtures.workSync(1, endless) === 1;
  assert.throws(() => fixtures.workSync(1, endless), /Maximum call stack size exceeded|nested service calls/);
  const depths = () => fixtures.workSync(1, { report: endless }) === 1;
  assert.throws(() => fixtures.workSync(1, depths), /Maximum call stack size exceeded|nested service calls/);
  await fixtures.work(1, () => true);
  await allReleased();
});

test('a promise is awaited, unless the loop waits for the plugin', { timeout: LIMIT }, async () => {
  const report = async (done) => {
    await setImmediate();
    return done < 3;
  };
  assert.equal(await fixtures.work(4, report), 3);
  assert.equal(await fixtures.workElsewhere(4, report), 3);
  assert.throws(() => fixtures.workSync(4, report), { code: 'FAILED_PRECONDITION', type: 'rustbridge.WaitsForItself' });
  await allReleased();
});

test('a listener is called later, and comes back as itself', { timeout: LIMIT }, async () => {
  const one = new Listener('Ada');
  const other = new Listener('Bob');
  await fixtures.subscribe('one', one);
  assert.equal(await fixtures.join(ADA, ['new']), 1n);
  assert.deepEqual(one.seen, [[ADA, ['new']]]);
  fixtures.subscribeAllSync([
    { name: 'other', listener: other },
    { name: 'third', listener: one },
  ]);
  assert.equal(held(), 3);
  assert.equal(fixtures.joinSync(BOB, []), 2n + 1n + 3n);
  assert.deepEqual(await fixtures.favourites([ADA, BOB]), [ADA, BOB, ADA]);
  assert.deepEqual(fixtures.favouritesSync([]), [undefined, undefined, undefined]);
  assert.equal(await fixtures.listener('one'), one);
  assert.equal(fixtures.listenerSync('other'), other);
  assert.equal(await fixtures.listener('nobody'), undefined);
  const found = await fixtures.subscriptions();
  assert.deepEqual(
    found.map(({ name }) => name),
    ['one', 'other', 'third'],
  );
  assert.ok(found[0].listener === one && found[1].listener === other && found[2].listener === one);
  assert.equal(held(), 3);
  // It goes there under a new number.
  await fixtures.subscribeAll(found.slice(0, 1));
  await until('the one before was released', () => held() === 3);
  assert.equal(await fixtures.confirm('sure?'), true);
  assert.equal(await fixtures.confirm('really?'), false);
  for (const { name } of found) {
    assert.equal(fixtures.unsubscribeSync(name, false), true);
  }
  await allReleased();
});

test('a listener is released when it is unsubscribed, and not before', { timeout: LIMIT }, async () => {
  for (const elsewhere of [false, true]) {
    await fixtures.subscribe('one', new Listener());
    await fixtures.subscribe('other', new Listener());
    await setImmediate();
    globalThis.gc?.();
    assert.equal(held(), 2);
    assert.ok((await fixtures.listener('one')) instanceof Listener);
    assert.equal(await fixtures.unsubscribe('one', elsewhere), true);
    await until('one was released', () => held() === 1);
    assert.equal(await fixtures.unsubscribe('other', elsewhere), true);
    assert.equal(await fixtures.unsubscribe('other', elsewhere), false);
    await allReleased();
  }
});

test("nodes are this program's or the plugin's", { timeout: LIMIT }, async () => {
  const branch = new Branch('branch', 1.5);
  const leaf = await fixtures.leaf('leaf', 2);
  assert.ok(leaf instanceof NodeObject);
  assert.deepEqual([await leaf.name(), leaf.weightSync()], ['leaf', 2]);
  assert.deepEqual(await fixtures.weigh([branch, leaf, branch]), [5, ['branch', 'leaf', 'branch']]);
  assert.deepEqual(fixtures.weighSync([]), [0, []]);
  assert.equal(await fixtures.heavier(branch, new Branch('twig', 0.1)), branch);
  assert.equal(fixtures.heavierSync(new Branch('twig', 0.1), branch), branch);
  const heavier = await fixtures.heavier(branch, leaf);
  assert.ok(heavier instanceof NodeObject);
  assert.equal(await heavier.name({ timeout: LIMIT }), 'leaf');
  heavier.close();
  assert.equal(await fixtures.isThere(leaf), true);
  assert.equal(await fixtures.isThere(branch), true);
  assert.equal(await fixtures.isThere(undefined), false);
  assert.equal(fixtures.isThereSync(), false);
  leaf.close();
  assert.throws(() => fixtures.isThereSync(leaf), { message: /isThere|is_there: request: the object Node has been closed/ });
  await allReleased();
});

test("a node of another instance is this program's, and calls with the call's options", { timeout: LIMIT }, async () => {
  const other = Fixtures.load(LIBRARY);
  const leaf = await other.leaf('elsewhere', 2.5);
  assert.deepEqual(await fixtures.weigh([leaf]), [2.5, ['elsewhere']]);
  // Its methods return promises.
  assert.throws(() => fixtures.weighSync([leaf]), { type: 'rustbridge.WaitsForItself' });
  assert.equal(await fixtures.heavier(leaf, new Branch('twig', 0.1)), leaf);
  leaf.close();
  await allReleased();
  await other.close();
});

test('what does not implement the interface is refused', { timeout: LIMIT }, async () => {
  const refused = [
    [() => fixtures.work(1, null), /^work: request\.progress: Progress is expected, not null$/],
    [() => fixtures.work(1, undefined), /^work: request\.progress: Progress is expected, not undefined$/],
    [() => fixtures.work(1, {}), /^work: request\.progress: Progress is expected, but Object has no function `report`$/],
    [() => fixtures.subscribe('one', null), /^subscribe: request\.listener: Listener is expected, not null$/],
    [() => fixtures.subscribe('one', () => true), /^subscribe: request\.listener: Listener is expected, but .* no function `joined`$/],
    [() => fixtures.isThere(new Listener()), /^is_there: request: Node is expected, but Listener has no function `name`$/],
    // What was passed before it is released.
    [() => fixtures.weigh([new Branch('branch', 1), 7]), /^weigh: request\[1\]: Node is expected, not 7$/],
    [() => fixtures.heavier(new Branch('branch', 1), null), /^heavier: request\.other: Node is expected, not null$/],
  ];
  for (const [call, message] of refused) {
    await assert.rejects(call, { name: 'TypeError', message });
  }
  await allReleased();
});

test('an answer that nobody waits for is cancelled', { timeout: LIMIT }, async () => {
  const controller = new AbortController();
  const stopped = Promise.withResolvers?.() ?? deferred();
  class Slow extends Listener {
    async confirm(_question, _patience, { signal }) {
      controller.abort();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          stopped.resolve();
        });
      });
    }
  }
  await fixtures.subscribe('slow', new Slow());
  await assert.rejects(fixtures.confirm('sure?', { signal: controller.signal }), { name: 'AbortError' });
  await stopped.promise;
  assert.equal(await fixtures.unsubscribe('slow', false), true);
  await allReleased();
});

function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

test('closing forgets what the plugin held', { timeout: LIMIT }, async () => {
  for (const close of [(client) => client.close(), (client) => client.plugin.close(), (client) => client[Symbol.dispose]()]) {
    const client = Fixtures.load(LIBRARY);
    await client.subscribe('one', new Listener());
    await client.subscribe('other', new Listener());
    assert.equal(held(), 2);
    await close(client);
    assert.equal(held(), 0);
    await assert.rejects(client.subscribe('one', new Listener()), { code: 'UNAVAILABLE' });
    assert.equal(held(), 0);
  }
  const client = await Fixtures.loadAsync(LIBRARY);
  assert.equal(await client.work(2, () => true), 2);
  await client.close();
});

test('a number that was released is unknown', { timeout: LIMIT }, async () => {
  const client = Fixtures.load(LIBRARY);
  await client.subscribe('one', new Listener());
  for (const table of tables) {
    table.clear();
  }
  const unknown = { code: 'NOT_FOUND', message: /^callback Listener: the host has no object 1: it was released$/ };
  await assert.rejects(client.join(ADA, []), unknown);
  // What stands for it is the plugin's object, whose methods end in the same way.
  const listener = await client.listener('one');
  assert.ok(listener instanceof ListenerObject);
  await assert.rejects(listener.count(), unknown);
  listener.close();
  await client.close();
});

test('a client of a loaded plugin can not pass objects', { timeout: LIMIT }, async () => {
  const plugin = loadPlugin(LIBRARY);
  const client = Fixtures.of(plugin);
  await assert.rejects(
    client.work(1, () => true),
    { code: 'FAILED_PRECONDITION', type: 'rustbridge.NoServices', message: /load it by the generated client's `load`$/ },
  );
  const leaf = await client.leaf('leaf', 2);
  assert.deepEqual(await client.weigh([leaf]), [2, ['leaf']]);
  leaf.close();
  await plugin.close();
});

test('a service has several parameters', { timeout: LIMIT }, async () => {
  assert.deepEqual(await fixtures.lookUp('', undefined), [ADA, BOB]);
  assert.deepEqual(fixtures.lookUpSync('', 1), [ADA]);
  assert.deepEqual(await fixtures.lookUp('C'), []);
  const without = Fixtures.load(LIBRARY);
  await assert.rejects(without.lookUp(''), { code: 'NOT_FOUND' });
  await without.close();
});

test('interceptors and options see the same calls', { timeout: LIMIT }, async () => {
  const client = Fixtures.load(LIBRARY, {
    interceptors: [
      {
        call: async (_, next) => {
          await setImmediate();
          return next({});
        },
      },
    ],
  });
  // The interceptor has dropped the objects that the call borrows.
  await assert.rejects(client.work(2, () => true));
  await client.close();
  const delayed = Fixtures.load(LIBRARY, {
    interceptors: [
      {
        call: async ({ options }, next) => {
          await setImmediate();
          return next(options);
        },
      },
    ],
  });
  assert.equal(await delayed.work(2, () => true), 2);
  await assert.rejects(
    delayed.work(2, () => true, { timeout: 0 }),
    { code: 'DEADLINE_EXCEEDED' },
  );
  await allReleased();
  await delayed.close();
});

/** Fails with what is asked for. */
function marks(name) {
  switch (name) {
    case 'Eve':
      throw VerdictFailure.of({ kind: 'Stranger', name });
    case 'out':
      throw VerdictFailure.of({ kind: 'Busy', value: [6, { x: 0.5, y: 1.5 }] }, 'come back later');
    case 'closed':
      throw VerdictFailure.of({ kind: 'Closed' });
    case 'untyped':
      throw new RustbridgeError('NOT_FOUND', 'no marks', { type: 'VerdictError.Stranger', details: { name } });
    case 'other':
      throw SpriteFailure.of({ kind: 'Unnamed' }, 'of another type');
    case 'unfit':
      throw VerdictFailure.of({ kind: 'Stranger', name: 7 });
    default:
      return 9;
  }
}

test('the plugin distinguishes the errors of this program', { timeout: LIMIT }, async () => {
  const judge = { marks, marksLater: async (name) => marks(await name) };
  const judged = Fixtures.load(LIBRARY, { host: { register: { age: marks } } });
  try {
    for (const [name, verdict] of [
      ['Ada', '9 marks'],
      ['Eve', 'no Eve'],
      ['out', 'busy for 6 min at 0.5, 1.5'],
      ['untyped', 'no untyped'],
    ]) {
      assert.equal(await judged.verdict(name, judge), verdict);
      assert.equal(judged.verdictSync(name, judge), verdict);
      assert.equal(await judged.verdictLater(name, judge), verdict);
      assert.equal(await judged.registered(name), verdict);
    }
    await assert.rejects(judged.verdict('closed', judge), (failed) => {
      assert.ok(failed instanceof VerdictFailure);
      assert.deepEqual(failed.reason, { kind: 'Closed' });
      assert.equal(failed.code, 'FAILED_PRECONDITION');
      return true;
    });
    await assert.rejects(judged.registered('other'), { code: 'UNKNOWN', message: 'of another type' });
    await assert.rejects(judged.registered('unfit'), { code: 'INTERNAL', message: /error\.Stranger\.name/ });
  } finally {
    await judged.close();
  }
});

test('an error of a service is created with its reason', () => {
  assert.throws(() => new VerdictFailure('no Eve'), {
    name: 'TypeError',
    message: 'new VerdictFailure: the error of a call is expected, not string: use VerdictFailure.of(reason, message)',
  });
});
