// The guide's examples, as one module.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HELLO, LIMIT, OPERATIONS, REPOSITORY } from './plugins.mjs';

const FOLDER = fileURLToPath(new URL('../build/', import.meta.url));

test("the guide's examples say what their comments say", () => {
  const guide = readFileSync(join(REPOSITORY, 'docs', 'guide', 'node.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
  assert.ok(blocks.length > 8);
  const given = `const [library, operations] = ${JSON.stringify([HELLO, OPERATIONS])};\n`;
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'guide.mjs');
  writeFileSync(file, given + blocks.join('\n'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: LIMIT });
  assert.equal(status, 0, stderr);
  const said = stdout.trim().split('\n');
  const expected = blocks
    .join('\n')
    .split('\n')
    .filter((line) => line.includes('console.log('))
    .flatMap((line) =>
      line.split(' // ')[1].split(line.trim().startsWith('console.log(number)') || line.includes('log(value)') ? ', ' : '\n'),
    );
  // An interceptor's line is said by the call behind it.
  assert.deepEqual(said.toSorted(), expected.filter((line) => line !== undefined).toSorted());
});

test("the README's program greets", () => {
  const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  const [, code] = /^```js\n(.*?)^```/ms.exec(readme);
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'readme.mjs');
  const path = "'target/release/libhello.so'";
  assert.ok(code.includes(path));
  writeFileSync(
    file,
    code.replace(path, () => JSON.stringify(HELLO)),
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: LIMIT });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), 'Hello, Ada! Welcome to rustbridge.');
});
