// Errors of this program's functions that pass through a plugin.
//
// A plugin receives an error's status, and a name under which the error is kept here. If the plugin fails with the same
// error, it sends the name back. So the caller's error has the thrown error as its `cause`.

import { randomBytes } from 'node:crypto';

/** How many errors are kept at most, and for how many milliseconds: a plugin may never send one back. */
export const LIMIT = 256;
const TIME = 60_000;

// Another binding in this process, or another thread of this one, has names of its own.
const prefix = randomBytes(8).toString('hex');
let last = 0;

const kept = new Map<string, { thrown: unknown; since: number }>();

/** @internal Keeps a thrown error, and returns its name. */
export function keep(thrown: unknown): string {
  last += 1;
  const name = `${prefix}-${last}`;
  const now = performance.now();
  kept.set(name, { thrown, since: now });
  // The oldest are first.
  for (const [oldest, { since }] of kept) {
    if (kept.size <= LIMIT && since > now - TIME) {
      break;
    }
    kept.delete(oldest);
  }
  return name;
}

/** @internal Removes a kept error by its name, and returns it. */
export function take(name: unknown): unknown {
  const found = kept.get(name as string);
  kept.delete(name as string);
  return found?.thrown;
}
