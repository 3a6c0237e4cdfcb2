// The client schema. It's compared with the plugin's types, and locates the field of a failure.

import { UNKNOWN_VARIANT, type WireError } from './errors.js';

type Type = string | Record<string, unknown>;
type Field = { name: string; type: Type; default?: boolean };
type Variant = { name: string; fields?: Field[]; tuple?: Type[] };
type Definition = { record?: Field[]; pod?: Field[]; newtype?: Type; tuple?: Type[]; enum?: { variants: Variant[] } };
type Sides = Record<string, { type?: Type } | null>;

/** A message of a method or of a service. */
export interface Side {
  readonly kind: 'methods' | 'services';
  readonly name: string;
  readonly which: 'request' | 'response' | 'items' | 'error';
}

/** Returns the path of the field at which a message failed. `first` is the path's first step, such as `items[3]`. */
export function locate(clientSchema: string, failed: WireError, side: Side, first: string, message: Uint8Array): string {
  if (failed.kind === 'large' || failed.at > message.length) {
    return first;
  }
  try {
    const description = JSON.parse(clientSchema);
    const described = description[side.kind].find((one: { name: string }) => one.name === side.name);
    const sides: Sides = side.kind === 'methods' ? described.entries[0] : described;
    const type = sides[side.which]?.type;
    const walk = new Walk(message.subarray(0, failed.at), description.types ?? [], first);
    if (side.which === 'request' && (sides['arguments'] as unknown) === true) {
      // The record of a method's parameters is no value that anybody gives.
      walk.without = 1;
    }
    if (type === undefined || walk.value(type)) {
      return first;
    }
    const end = { value: -1, record: walk.record, array: walk.array }[failed.part];
    return (end >= 0 ? walk.steps.slice(0, end) : walk.steps).join('');
  } catch {
    // It's told all the same, with as much as is known.
    return first;
  }
}

const SIZES: Record<string, number> = {
  unit: 0,
  bool: 1,
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  char: 4,
  u64: 8,
  i64: 8,
  f64: 8,
  timestamp: 12,
  duration: 12,
  u128: 16,
  i128: 16,
  uuid: 16,
};

/** Walks a message by types, to where its bytes end. Each method says whether all of a value is there. */
class Walk {
  readonly steps: string[];
  /** How many steps lead to the first value whose type has a name and that begins where the bytes end. */
  record = -1;
  /** How many types with a name aren't counted for that. */
  without = 0;
  /** The same, of the last array or tuple. */
  array = -1;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #types: Definition[];
  #at = 0;

  constructor(bytes: Uint8Array, types: Definition[], first: string) {
    this.steps = [first];
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#types = types;
  }

  value(type: Type): boolean {
    if (typeof type === 'string') {
      if (type === 'string' || type === 'bytes' || type === 'decimal') {
        return this.#passed(this.#count());
      }
      return type === 'any' ? this.#dynamic() : this.#passed(SIZES[type] ?? -1);
    }
    for (const [kind, inside] of Object.entries(type)) {
      return this.#composite(kind, inside);
    }
    return false;
  }

  #composite(kind: string, inside: unknown): boolean {
    const parts = inside as [Type, Type & number];
    switch (kind) {
      case 'list': {
        const count = this.#count();
        return count >= 0 && this.#padding(inside as Type) && this.#items(inside as Type, count);
      }
      case 'array':
        this.#begun();
        return this.#items(parts[0], parts[1]);
      case 'map':
        return this.#pairs(parts[0], parts[1], this.#count());
      case 'option':
        return this.#optional(inside as Type);
      case 'tuple':
        this.#begun();
        return this.#values(inside as Type[]);
      case 'object':
        return this.#passed(4);
      case 'ref':
        return this.#named(this.#types[inside as number] as Definition);
      default:
        return false;
    }
  }

  #begun(): void {
    if (this.#at === this.#bytes.length) {
      this.array = this.steps.length;
    }
  }

  #named(definition: Definition): boolean {
    if (this.without > 0) {
      this.without -= 1;
    } else if (this.#at === this.#bytes.length && this.record < 0) {
      this.record = this.steps.length;
    }
    const fields = definition.record ?? definition.pod;
    if (fields !== undefined) {
      return this.#fields(fields);
    }
    if (definition.newtype !== undefined) {
      return this.value(definition.newtype);
    }
    if (definition.tuple !== undefined) {
      return this.#values(definition.tuple);
    }
    if (!this.#passed(2)) {
      return false;
    }
    const number = this.#view.getUint16(this.#at - 2, true);
    const variant = definition.enum?.variants[number];
    if (variant === undefined) {
      return number === UNKNOWN_VARIANT;
    }
    this.steps.push(`.${variant.name}`);
    const { fields: inside = [], tuple = [] } = variant;
    return this.#fields(inside) && (tuple.length === 1 ? this.value(tuple[0] as Type) : this.#values(tuple)) && this.#back();
  }

  #fields(fields: Field[]): boolean {
    return fields.every((field) => {
      this.steps.push(`.${field.name}`);
      return (field.default === true ? this.#optional(field.type) : this.value(field.type)) && this.#back();
    });
  }

  #values(types: Type[]): boolean {
    return types.every((type, place) => {
      this.steps.push(`.${place}`);
      return this.value(type) && this.#back();
    });
  }

  #items(type: Type, count: number): boolean {
    for (let place = 0; place < count; place++) {
      this.steps.push(`[${place}]`);
      if (!this.value(type)) {
        return false;
      }
      this.#back();
    }
    return true;
  }

  #pairs(key: Type, value: Type, count: number): boolean {
    for (let place = 0; place < count; place++) {
      const start = this.#at;
      if (!this.value(key)) {
        return false;
      }
      const name = key === 'string' ? new TextDecoder().decode(this.#bytes.subarray(start + 4, this.#at)) : place;
      this.steps.push(`[${name}]`);
      if (!this.value(value)) {
        return false;
      }
      this.#back();
    }
    return count >= 0;
  }

  #optional(type: Type): boolean {
    return this.#passed(1) && (this.#bytes[this.#at - 1] === 0 || this.value(type));
  }

  #dynamic(): boolean {
    if (!this.#passed(1)) {
      return false;
    }
    switch (this.#bytes[this.#at - 1]) {
      case 3:
      case 4:
      case 5:
        return this.#passed(8);
      case 6:
      case 7:
        return this.#passed(this.#count());
      case 8: {
        const count = this.#count();
        return count >= 0 && this.#items('any', count);
      }
      case 9:
        return this.#pairs('string', 'any', this.#count());
      default:
        return true;
    }
  }

  /** A count; -1 if it isn't there. */
  #count(): number {
    return this.#passed(4) ? this.#view.getUint32(this.#at - 4, true) : -1;
  }

  /** Passes what is in front of a list's items, if they are aligned. */
  #padding(item: Type): boolean {
    let one = item;
    while (typeof one === 'object' && 'array' in one) {
      one = (one['array'] as [Type, number])[0];
    }
    const isAligned = typeof one === 'string' ? /^[uif](16|32|64|128)$/.test(one) : this.#types[one['ref'] as number]?.pod !== undefined;
    return !isAligned || this.#passed(-this.#at & 7);
  }

  #passed(count: number): boolean {
    if (count < 0 || count > this.#bytes.length - this.#at) {
      return false;
    }
    this.#at += count;
    return true;
  }

  #back(): boolean {
    this.steps.pop();
    return true;
  }
}
