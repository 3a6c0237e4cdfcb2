// Reflection: a plugin's services, methods and messages in the form of gRPC's reflection, from the plugin's
// description.

import type { Description, Entry, MethodDescription } from './description.js';
import type { Encoding } from './status.js';

/** A method, in all its encodings. */
export interface ReflectedMethod {
  /** The method's full name, which {@link Plugin.method} accepts. */
  fullName: string;
  /** The method's name without its service. */
  name: string;
  /** Whether the method accepts a stream. */
  clientStreaming: boolean;
  /** Whether the method returns a stream. */
  serverStreaming: boolean;
  encodings: Encoding[];
  /** The type of the request, if the plugin specifies it. */
  request: string | undefined;
  /** The type of each item that the method accepts. */
  item: string | undefined;
  /** The type of the response, or of each item that the method returns. */
  response: string | undefined;
  doc: string;
}

/**
 * A group of methods whose names have the same prefix. It's the part of a name before its last `/`, or else before its
 * last `.`. Methods without a prefix belong to a service with the plugin's name.
 */
export interface ReflectedService {
  name: string;
  methods: ReflectedMethod[];
}

/** A field of a message, or a variant of an enum. */
export interface ReflectedField {
  name: string;
  /** The field's type, such as `list<Person>`. Empty for a variant without data. */
  type: string;
  doc: string;
}

/** A message, or a type that messages contain. */
export interface ReflectedMessage {
  name: string;
  kind: 'record' | 'pod' | 'newtype' | 'tuple' | 'enum';
  fields: ReflectedField[];
  doc: string;
}

/** A plugin's services and messages. {@link Plugin.reflect} returns it. */
export class Reflection {
  readonly services: readonly ReflectedService[];
  readonly messages: readonly ReflectedMessage[];

  /** @internal */
  constructor(description: Description) {
    const types = new Types(description);
    const services = new Map<string, ReflectedMethod[]>();
    for (const method of description.methods) {
      const [service, name] = split(method.name);
      const key = service || description.name;
      const methods = services.get(key) ?? [];
      services.set(key, methods);
      methods.push(reflected(method, name, types));
    }
    this.services = Array.from(services, ([name, methods]) => ({ name, methods }));
    this.messages = types.messages();
  }

  /** Returns the service, method or message with this name. A method is found by its full name. */
  find(symbol: string): ReflectedService | ReflectedMethod | ReflectedMessage | undefined {
    const methods = this.services.flatMap((service) => service.methods);
    return (
      methods.find((method) => method.fullName === symbol) ??
      this.services.find(({ name }) => name === symbol) ??
      this.messages.find(({ name }) => name === symbol)
    );
  }
}

function split(name: string): [service: string, method: string] {
  const at = Math.max(name.lastIndexOf('/'), name.includes('/') ? -1 : name.lastIndexOf('.'));
  return [name.slice(0, Math.max(at, 0)), name.slice(at + 1)];
}

function reflected({ name: fullName, doc, entries }: MethodDescription, name: string, types: Types): ReflectedMethod {
  // All encodings of a method are of one kind.
  const kind = entries.find((entry) => entry.kind)?.kind ?? 'unary';
  const first = (side: (entry: Entry) => unknown) => {
    return entries.map((entry) => types.of(side(entry))).find((type) => type !== undefined);
  };
  return {
    fullName,
    name,
    clientStreaming: kind === 'client_stream' || kind === 'bidi_stream',
    serverStreaming: kind === 'server_stream' || kind === 'bidi_stream',
    encodings: entries.map(({ encoding }) => encoding),
    request: first((entry) => entry.request),
    item: first((entry) => entry['items']),
    response: first((entry) => entry.response),
    doc,
  };
}

type Fields = Record<string, unknown>;

/** The table of types, which says each by its number. */
class Types {
  readonly #table: Fields[];

  constructor(description: Description) {
    const table = description['types'];
    this.#table = Array.isArray(table) ? table : [];
  }

  /** The type of one side of a method, as text. */
  of(side: unknown): string | undefined {
    const { type, schema, layout } = (side ?? {}) as { type?: unknown; schema?: Fields; layout?: Fields };
    if (type !== undefined && type !== null) {
      return this.#text(type);
    }
    const named = schema?.['title'] ?? layout?.['type'];
    return typeof named === 'string' && named !== '' ? named : undefined;
  }

  messages(): ReflectedMessage[] {
    return this.#table.map((type) => {
      const { name, doc } = type as { name: string; doc?: string };
      const [kind, fields] = this.#inside(type);
      return { name, kind, fields, doc: doc ?? '' };
    });
  }

  #inside(type: Fields): [ReflectedMessage['kind'], ReflectedField[]] {
    for (const kind of ['record', 'pod'] as const) {
      if (Array.isArray(type[kind])) {
        return [kind, this.#fields(type[kind])];
      }
    }
    if (type['newtype'] !== undefined) {
      return ['newtype', this.#tuple([type['newtype']])];
    }
    if (Array.isArray(type['tuple'])) {
      return ['tuple', this.#tuple(type['tuple'])];
    }
    const variants = (type['enum'] as Fields | undefined)?.['variants'];
    const fields = (Array.isArray(variants) ? variants : []).map((variant: Fields) => ({
      name: variant['name'] as string,
      type: this.#data(variant),
      doc: (variant['doc'] as string | undefined) ?? '',
    }));
    return ['enum', fields];
  }

  #fields(fields: Fields[]): ReflectedField[] {
    return fields.map(({ name, type, doc }) => ({ name: name as string, type: this.#text(type), doc: (doc as string | undefined) ?? '' }));
  }

  #tuple(types: unknown[]): ReflectedField[] {
    return types.map((type, index) => ({ name: `${index}`, type: this.#text(type), doc: '' }));
  }

  #data(variant: Fields): string {
    if (Array.isArray(variant['fields'])) {
      return `{ ${this.#fields(variant['fields'])
        .map(({ name, type }) => `${name}: ${type}`)
        .join(', ')} }`;
    }
    return Array.isArray(variant['tuple']) ? `(${variant['tuple'].map((type) => this.#text(type)).join(', ')})` : '';
  }

  /** A type as text: `u32`, `Person`, `list<Person>`, `map<string, u32>`. */
  #text(type: unknown): string {
    if (typeof type === 'string') {
      return type;
    }
    if (Array.isArray(type)) {
      return type.map((one) => this.#text(one)).join(', ');
    }
    if (typeof type !== 'object' || type === null) {
      return String(type);
    }
    const [[name, inside] = ['', undefined]] = Object.entries(type);
    if (name === 'ref') {
      return String(this.#table[inside as number]?.['name'] ?? `type ${inside}`);
    }
    return `${name}<${this.#text(inside)}>`;
  }
}
