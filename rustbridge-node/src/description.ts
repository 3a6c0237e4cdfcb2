// A plugin's description. docs/describe.md specifies the format.
//
// The core has refused every description that breaks a rule. This module does what each language does for its users: it
// fills in missing fields, and removes the entries that this version can't call.

import { RustbridgeError } from './errors.js';
import type { Encoding } from './status.js';

/** A field of a struct. */
export interface LayoutField {
  name: string;
  type: string;
  offset: number;
  size: number;
}

/** The memory layout of a struct. */
export interface Layout {
  type: string;
  size: number;
  align: number;
  fields: LayoutField[];
}

/** The request or response of an entry. */
export interface Side {
  /** Its JSON Schema. */
  schema?: unknown;
  layout?: Layout;
}

/** A method in one encoding. */
export interface Entry {
  encoding: Encoding;
  kind?: 'unary' | 'server_stream' | 'client_stream' | 'bidi_stream';
  leaf: boolean;
  async: boolean;
  request: Side;
  response: Side;
  [more: string]: unknown;
}

/** A method, with its entries. */
export interface MethodDescription {
  name: string;
  id: number | null;
  doc: string;
  entries: Entry[];
  [more: string]: unknown;
}

/** A plugin's description. */
export interface Description {
  name: string;
  version: string;
  description: string;
  methods: MethodDescription[];
  [more: string]: unknown;
}

const KINDS = [undefined, null, 'unary', 'server_stream', 'client_stream', 'bidi_stream'];
const ENCODINGS = ['json', 'raw', 'pod', 'msgpack', 'bincode', 'postcard', 'wire'];

type Fields = Record<string, unknown>;

function fill(holder: Fields, absent: Fields): void {
  for (const [name, value] of Object.entries(absent)) {
    holder[name] ??= value;
  }
}

function dropNull(holder: Fields, ...names: string[]): void {
  for (const name of names) {
    if (holder[name] === null) {
      delete holder[name];
    }
  }
}

function side(given: unknown): Fields {
  const side = (given ?? {}) as Fields;
  dropNull(side, 'schema', 'layout');
  const layout = side['layout'] as Fields | undefined;
  if (layout !== undefined) {
    fill(layout, { type: '', align: 0, fields: [] });
  }
  return side;
}

/** @internal Reads a description; unknown fields stay in it. */
export function read(text: string): Description {
  const description = JSON.parse(text) as Fields;
  if (typeof description?.['name'] !== 'string') {
    throw new RustbridgeError('DATA_LOSS', "the plugin's description isn't a JSON object with a name", {
      type: 'rustbridge.InvalidDescription',
    });
  }
  fill(description, { abi: '', version: '', description: '', rustbridge: '', methods: [] });
  dropNull(description, 'config');
  for (const method of description['methods'] as Fields[]) {
    fill(method, { id: null, doc: '' });
    const entries = ((method['entries'] ?? []) as Fields[]).filter((entry) => {
      return KINDS.includes(entry['kind'] as string) && ENCODINGS.includes(entry['encoding'] as string);
    });
    method['entries'] = entries;
    for (const entry of entries) {
      fill(entry, { leaf: false, async: false });
      entry['request'] = side(entry['request']);
      entry['response'] = side(entry['response']);
    }
  }
  return description as unknown as Description;
}
