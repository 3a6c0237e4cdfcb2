// What the types promise, to `require`: this is compiled, and never run.

import rustbridge = require('rustbridge');

export function something(): number {
  using plugin: rustbridge.Plugin = rustbridge.load('hello', { onPanic: 'poison' });
  const status: number = rustbridge.Status.NOT_FOUND;
  return status + plugin.method('echo').callRawSync(Buffer.from('{}')).length;
}
