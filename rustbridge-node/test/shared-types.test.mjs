// Types of two plugins: the client of gallery-plugin uses the types of the client of fixtures-plugin.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LIMIT, library } from './plugins.mjs';
import { compiled } from './typed.mjs';

const { Fixtures, Sprite, SpriteFailure } = await compiled('fixtures');
const { Gallery, SpriteFailure: SameFailure } = await compiled('gallery');
const OPTIONS = { timeout: LIMIT };

const fixtures = Fixtures.load(library('fixtures_plugin'));
const gallery = Gallery.load(library('gallery_plugin'));
after(() => {
  gallery.close();
  fixtures.close();
});

const FRAME = {
  corners: [
    { x: 1, y: 2 },
    { x: 3, y: 4 },
  ],
  outline: { kind: 'Polygon', value: [{ x: 1, y: 2 }] },
  sides: new Map([['top', 'deep blue']]),
  title: 'The sea',
  width: 2,
};

test('values of one plugin are passed to another', OPTIONS, async () => {
  const corner = await gallery.hang(await fixtures.turnedFrame(FRAME));
  assert.deepEqual(corner, { x: 3, y: 4 });
  const [hung] = gallery.withColourSync('deep blue');
  assert.deepEqual(fixtures.turnedFrameSync(hung), FRAME);
  assert.deepEqual(gallery.aroundSync([corner]), { kind: 'Circle', centre: corner, radius: 1 });
  assert.deepEqual(gallery.billSync(2n), { cents: 1000n });
});

test('errors of one plugin are those of another', OPTIONS, async () => {
  assert.equal(SameFailure, SpriteFailure);
  const outside = {
    ...FRAME,
    corners: [
      { x: -1, y: 2 },
      { x: 3, y: 4 },
    ],
  };
  await assert.rejects(gallery.hang(outside), (failed) => {
    assert.ok(failed instanceof SpriteFailure);
    assert.deepEqual(failed.reason, { kind: 'Outside', x: -1, y: 2 });
    return true;
  });

  // The host throws an error of one plugin to the other, which returns it.
  const guard = (person, to) => {
    assert.equal(person.age, 36);
    Sprite.newSync(fixtures, '');
    return to;
  };
  assert.throws(
    () => gallery.visitSync({ name: 'Ada', age: 36 }, { x: 1, y: 1 }, guard),
    (failed) => {
      assert.ok(failed instanceof SpriteFailure);
      assert.equal(failed.code, 'INVALID_ARGUMENT');
      assert.deepEqual(failed.reason, { kind: 'Unnamed' });
      return true;
    },
  );
});
