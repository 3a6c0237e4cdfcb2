// The package's modules in a program: idle ones, and those that are run twice in a thread.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import ts from 'typescript';
import { HELLO, LIMIT, OPERATIONS, sleep } from './plugins.mjs';

const require = createRequire(import.meta.url);
const first = require('rustbridge');

/** How often the loop has turned, where Node tells. */
const turns = () => performance.nodeTiming.uvMetricsInfo?.loopCount ?? 0;

// The first test: none of the others' calls that give a promise may have come before.
test('the loop rests when a record was told', async () => {
  let told = 0;
  const logger = () => {
    told += 1;
  };
  const plugin = first.load(HELLO, { logger, logLevel: 'trace' });
  plugin.callSync('user.create', { username: 'ada', email: 'ada@example.com' });
  await plugin.flushLogs();
  assert.ok(told > 0);
  const before = turns();
  await sleep(100);
  assert.ok(turns() - before < 100);
  plugin.closeSync();
});

test('modules that are run twice, as test runners do, work side by side', { timeout: LIMIT }, async () => {
  const folder = dirname(require.resolve('rustbridge'));
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(folder)) {
      delete require.cache[file];
    }
  }
  const second = require('rustbridge');
  assert.notEqual(first.Plugin, second.Plugin);
  const all = [first, second].map(({ load }) => load(OPERATIONS, { services: { 'prices.get': (id) => id + 1 } }));
  for (const [index, { RustbridgeError }] of [first, second].entries()) {
    const plugin = all[index];
    assert.deepEqual(await plugin.call('async.later', { text: 'x' }), { text: 'x' });
    assert.equal(await plugin.call('service.one', 1), 2);
    assert.throws(() => plugin.callSync('nothing'), RustbridgeError);
    await plugin.close();
  }
});

const BUNDLES = fileURLToPath(new URL('../build/bundles/', import.meta.url));

/** Bundles a program that calls a plugin, and runs it: what it prints, and what it complains of. */
function bundled(name, format, external) {
  mkdirSync(BUNDLES, { recursive: true });
  const program = `${BUNDLES}${name}-${process.pid}.mjs`;
  writeFileSync(
    program,
    `import { load } from 'rustbridge';
import { rawText } from 'rustbridge/typed';
const plugin = load(${JSON.stringify(HELLO)});
console.log(plugin.callSync('greet', { name: 'Ada' }).greeting, typeof rawText);
plugin.closeSync();`,
  );
  const outfile = `${BUNDLES}${name}-${process.pid}.bundle.${format === 'esm' ? 'mjs' : 'cjs'}`;
  buildSync({ entryPoints: [program], bundle: true, platform: 'node', format, external, outfile, logLevel: 'error' });
  const env = { ...process.env };
  if (external.length === 0) {
    delete env['RUSTBRIDGE_NODE_ADDON'];
  }
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { env, encoding: 'utf8', timeout: 60_000 });
  return stdout + stderr;
}

for (const format of ['esm', 'cjs']) {
  test(`a bundle leaves the package out, or says that it has to: ${format}`, { timeout: LIMIT }, () => {
    assert.match(bundled(`external-${format}`, format, ['rustbridge']), /Hello, Ada! Welcome to rustbridge\. object/);
    assert.match(bundled(`inside-${format}`, format, []), /esbuild: --external:rustbridge/);
  });
}

test('types are found by every way to resolve modules', () => {
  const kinds = ts.ModuleResolutionKind;
  // As it's installed: the oldest way knows nothing of a package's own name.
  const modules = `${BUNDLES}node_modules`;
  mkdirSync(modules, { recursive: true });
  rmSync(`${modules}/rustbridge`, { force: true });
  symlinkSync(dirname(require.resolve('rustbridge/package.json')), `${modules}/rustbridge`, 'junction');
  for (const kind of [kinds.Node10, kinds.Node16, kinds.NodeNext, kinds.Bundler]) {
    for (const module of ['rustbridge', 'rustbridge/typed']) {
      const options = { moduleResolution: kind, module: kind === kinds.Bundler ? ts.ModuleKind.ESNext : undefined };
      const { resolvedModule } = ts.resolveModuleName(module, `${BUNDLES}a.ts`, options, ts.sys);
      assert.ok(
        resolvedModule?.resolvedFileName.endsWith('.d.ts') || resolvedModule?.resolvedFileName.endsWith('.d.mts'),
        `${kinds[kind]} ${module}`,
      );
    }
  }
});
