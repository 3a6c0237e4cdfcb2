// Functions of callbacks that accept and return objects.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { load as loadPlugin, RustbridgeError } from 'rustbridge';
import { HostObjects } from 'rustbridge/typed';
import { LIMIT, library, until } from './plugins.mjs';
import { compiled } from './typed.mjs';

const { BranchObject, ChoiceFailure, Fixtures, Sprite } = await compiled('fixtures');
const LIBRARY = library('fixtures_plugin');

/** The tables of all clients. */
const tables = new Set();
const { add } = HostObjects.prototype;
HostObjects.prototype.add = function (...given) {
  tables.add(this);
  return add.apply(this, given);
};
const allReleased = () => until('all objects were released', () => [...tables].every((table) => table.size === 0));

class Twig {
  #name;
  above;

  constructor(name) {
    this.#name = name;
  }

  name() {
    return this.#name;
  }

  setParent(parent) {
    if (this.#name === 'stiff') {
      throw new RustbridgeError('FAILED_PRECONDITION', "it's stiff");
    }
    if (this.#name === 'rotten') {
      throw new TypeError("it's rotten");
    }
    this.above = parent;
  }

  parent() {
    return this.#name === 'odd' ? 'a text' : this.above;
  }

  choose(sprites, near) {
    const chosen = sprites.find((sprite) => sprite.nameSync() === this.#name);
    if (chosen === undefined) {
      throw ChoiceFailure.of({ kind: 'Nothing', value: near });
    }
    return chosen;
  }

  label(labels) {
    if (labels.length === 0) {
      throw new RustbridgeError('NOT_FOUND', 'no labels');
    }
    return labels.at(-1);
  }

  async meet(other) {
    await setImmediate();
    if (this.#name === 'shy') {
      throw new RustbridgeError('ABORTED', 'it is shy');
    }
    return other;
  }
}

const fixtures = Fixtures.load(LIBRARY);
after(async () => {
  await allReleased();
  fixtures.close();
});

test('branches of both sides grow from one another', LIMIT, async () => {
  const [leaf, root] = [new Twig('leaf'), new Twig('root')];
  const limb = fixtures.limbSync('limb');
  fixtures.growSync(leaf, limb);
  await fixtures.grow(limb, root);
  assert.deepEqual(fixtures.pathSync(leaf), ['leaf', 'limb', 'root']);
  assert.deepEqual(await fixtures.path(leaf), ['leaf', 'limb', 'root']);
  // The very objects come back: the host's as itself, and the plugin's as a reference to the same object.
  assert.equal(fixtures.trunkSync(leaf), root);
  assert.ok(leaf.above instanceof BranchObject);
  assert.equal(await leaf.above.name(), 'limb');
  // The plugin's implementation is called in the same way.
  assert.equal(await limb.parent(), root);
  await limb.setParent(undefined);
  const { above } = leaf;
  await fixtures.grow(leaf);
  above.close();
  assert.deepEqual(fixtures.pathSync(leaf), ['leaf']);
  assert.deepEqual(fixtures.pathSync(limb), ['limb']);
  limb.close();
});

test('functions of callbacks accept and return objects of other types', LIMIT, async () => {
  const sprites = ['far', 'near'].map((name) => Sprite.newSync(fixtures, name, { x: 2, y: 0 }));
  const chosen = await fixtures.chosen(new Twig('near'), sprites, { x: 1, y: 0 });
  assert.equal(await chosen.name(), 'near');
  const limb = await fixtures.limb('limb');
  assert.equal(fixtures.chosenSync(limb, sprites, { x: 1, y: 0 }).nameSync(), 'far');
  const near = { x: 7, y: 0 };
  await assert.rejects(fixtures.chosen(new Twig('none'), sprites, near), (error) => {
    assert.ok(error instanceof ChoiceFailure);
    assert.deepEqual(error.reason, { kind: 'Nothing', value: near });
    return error.code === 'NOT_FOUND';
  });
  const labels = sprites.map((sprite, index) => ({ name: `${index}`, sprite }));
  const back = fixtures.labelledSync(new Twig('any'), labels);
  assert.equal(back.name, '1');
  assert.equal(await back.sprite.name(), 'near');
  assert.throws(() => fixtures.labelledSync(new Twig('any'), []), { code: 'NOT_FOUND', message: /no labels/ });
});

test('a promise of an object is a result', LIMIT, async () => {
  const [one, other] = [new Twig('one'), new Twig('other')];
  assert.equal(await fixtures.preferred(one, other), other);
  const limb = await fixtures.limb('limb');
  assert.equal(await fixtures.preferred(limb, one), one);
  const preferred = await fixtures.preferred(one, limb);
  assert.ok(preferred instanceof BranchObject);
  assert.equal(await preferred.name(), 'limb');
  await assert.rejects(fixtures.preferred(new Twig('shy'), other), { code: 'ABORTED' });
});

test('a function that fails keeps nothing, and a wrong result is an error', LIMIT, async () => {
  assert.throws(() => fixtures.growSync(new Twig('stiff'), new Twig('parent')), {
    code: 'FAILED_PRECONDITION',
    message: /it's stiff/,
  });
  await assert.rejects(fixtures.grow(new Twig('rotten'), new Twig('parent')), /it's rotten/);
  await assert.rejects(fixtures.trunk(new Twig('odd')), /Branch.*text|text.*Branch|string/);
  await allReleased();
  // The plugin's branch refers to the host's until it lets go of it.
  const limb = await fixtures.limb('limb');
  await fixtures.grow(limb, new Twig('parent'));
  assert.equal(
    [...tables].reduce((sum, table) => sum + table.size, 0),
    1,
  );
  await fixtures.grow(limb);
  await allReleased();
});

test('a client of a loaded plugin receives branches of the plugin alone', LIMIT, async () => {
  const plugin = loadPlugin(LIBRARY);
  const client = Fixtures.of(plugin);
  const [limb, other] = [await client.limb('limb'), await client.limb('other')];
  await client.grow(limb, other);
  assert.deepEqual(await client.path(limb), ['limb', 'other']);
  await assert.rejects(client.grow(new Twig('leaf')), { code: 'FAILED_PRECONDITION' });
  plugin.close();
});
