// Every case of `conformance/`, in each of the ways that Node has to call a method: the judge runs them on `testee.mjs`.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FOLDER, REPOSITORY } from './plugins.mjs';

/** Longer than building the judge and running every case take on a slow machine, in seconds. */
const LIMIT = 900;

const built = process.env.RUSTBRIDGE_CONFORMANCE_JUDGE;
const cargo = ['cargo', 'run', '--quiet', '--package', 'rustbridge-conformance', '--bin', 'rustbridge-conformance', '--'];

test('the judge finds every case right', { timeout: LIMIT * 1000 }, async (t) => {
  const [program, ...before] = built ? [built] : cargo;
  const testee = fileURLToPath(new URL('testee.mjs', import.meta.url));
  const judge = spawn(
    program,
    [...before, 'run', '--host', 'node/napi', '--plugins', FOLDER, '--total', '600', '--testee', process.execPath, testee],
    { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'], signal: t.signal },
  );
  let said = '';
  for (const stream of [judge.stdout, judge.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const [code] = await once(judge, 'close');
  assert.equal(code, 0, said);
  t.diagnostic(said.trim());
});
