// What functions of this program have thrown and plugins are told of.
//
// A plugin gets the status of an error, and the name by which the error is found here. It sends the name back with its own error if that
// is the one that it fails with, so what the caller catches has the thrown error as its `cause`.

import { randomBytes } from 'node:crypto';

/** How many errors are kept at most, and for how many milliseconds: a plugin may never send one back. */
export const LIMIT = 256;
const TIME = 60_000;

// Another binding in this process, or another thread of this one, has names of its own.
const prefix = randomBytes(8).toString('hex');
let last = 0;

const kept = new Map<string, { thrown: unknown; since: number }>();

/** @internal Keeps what was thrown; returns its name. */
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

/** @internal Returns what was thrown, by its name, and keeps it no longer. */
export function take(name: unknown): unknown {
  const found = kept.get(name as string);
  kept.delete(name as string);
  return found?.thrown;
}
