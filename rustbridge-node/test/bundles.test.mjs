// The package in bundles, and its types as compilers look for them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import ts from 'typescript';
import { HELLO, LIMIT } from './plugins.mjs';

const require = createRequire(import.meta.url);

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
  mkdirSync(BUNDLES, { recursive: true });
  const project = mkdtempSync(`${BUNDLES}types-`);
  mkdirSync(`${project}/node_modules`);
  symlinkSync(dirname(require.resolve('rustbridge/package.json')), `${project}/node_modules/rustbridge`, 'junction');
  for (const kind of [kinds.Node10, kinds.Node16, kinds.NodeNext, kinds.Bundler]) {
    for (const module of ['rustbridge', 'rustbridge/typed']) {
      const options = { moduleResolution: kind, module: kind === kinds.Bundler ? ts.ModuleKind.ESNext : undefined };
      const { resolvedModule } = ts.resolveModuleName(module, `${project}/a.ts`, options, ts.sys);
      assert.ok(
        resolvedModule?.resolvedFileName.endsWith('.d.ts') || resolvedModule?.resolvedFileName.endsWith('.d.mts'),
        `${kinds[kind]} ${module}`,
      );
    }
  }
  rmSync(project, { recursive: true });
});
