// Where the tests find the plugins, and how they wait.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

const FOLDER = process.env.RUSTBRIDGE_PLUGIN_DIR ?? join(REPOSITORY, 'target', 'release');

/** The library of a plugin. */
export function library(name) {
  const file = { win32: `${name}.dll`, darwin: `lib${name}.dylib` }[process.platform] ?? `lib${name}.so`;
  return join(FOLDER, file);
}

export const HELLO = library('hello_plugin');
export const OPERATIONS = library('operations_plugin');
export { FOLDER };

/** Longer than anything here takes on a slow machine, in milliseconds. */
export const LIMIT = 60_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Keeps the loop from looking, so that what comes meanwhile comes at once. */
export function busy(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Waits until something is so, and fails if it isn't in time. */
export async function until(what, isSo) {
  const end = performance.now() + LIMIT / 2;
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(`it never came about that ${what}`);
    }
    await sleep(5);
  }
}
