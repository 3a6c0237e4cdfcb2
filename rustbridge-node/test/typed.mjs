// The clients that `rustbridge gen -l typescript` writes, compiled: `tsc -p test` checks the same files with their types.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as wire from 'rustbridge/typed';
import ts from 'typescript';
import { library } from './plugins.mjs';

const FOLDER = fileURLToPath(new URL('../build/clients/', import.meta.url));

/** Compiles a client, and imports it. */
export async function compiled(name) {
  return import(pathToFileURL(`${FOLDER}${compile(name)}`).href);
}

/** Compiles a client and those that it imports, and returns its file's name. */
function compile(name) {
  const source = readFileSync(new URL(`clients/${name}.ts`, import.meta.url), 'utf8');
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(source, { compilerOptions: options });
  const text = outputText.replace(/from "\.\/(\w+)\.js"/g, (_, other) => `from "./${compile(other)}"`);
  mkdirSync(FOLDER, { recursive: true });
  // Several files of tests may run at once, so each process has its own.
  const file = `${name}-${process.pid}.mjs`;
  writeFileSync(`${FOLDER}${file}`, text);
  return file;
}

export const client = await compiled('types');

/** What writes and reads the type of each method that gives back what it gets. */
export const CODECS = {
  any: wire.any,
  bounded: client.boundedCodec,
  celsius: client.celsiusCodec,
  color: client.colorCodec,
  defaults: client.defaultsCodec,
  doubles: wire.f64s.list,
  duration: wire.duration,
  events: wire.list(client.eventCodec),
  every: client.everyCodec,
  expr: client.exprCodec,
  foreign: client.foreignCodec,
  lists: client.listsCodec,
  map: wire.map(wire.text, client.personCodec),
  maybe: wire.option(client.personCodec),
  mood: client.moodCodec,
  numbers: client.numbersCodec,
  pairs: client.pairsCodec,
  people: client.pagePersonCodec,
  person: client.personCodec,
  point: client.pointCodec,
  renamed: client.renamedRecordCodec,
  samples: client.samplesCodec,
  shape: client.shapeCodec,
  tagged: client.taggedCodec,
  texts: client.textsCodec,
  times: client.timesCodec,
  timestamp: wire.timestamp,
  tree: client.treeCodec,
  tuple: wire.tuple(wire.u8, wire.text, wire.option(wire.bool)),
  unit: client.unitCodec,
  untagged: client.untaggedCodec,
};

export function read(codec, message) {
  const r = new wire.Reader(message);
  const value = codec.read(r);
  r.end();
  return value;
}

export function written(codec, value) {
  const w = new wire.Writer(8);
  codec.write(w, value);
  return w.bytes;
}

/** Loads the plugin, or another version of it. */
export function types(options = {}, name = 'types_plugin') {
  return client.Types.load(library(name), options);
}
