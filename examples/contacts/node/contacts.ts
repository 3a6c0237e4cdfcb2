// Written by `rustbridge gen -l typescript` of the plugin `contacts`: write it anew by that, not by hand.

import * as wire from "rustbridge/typed";

/** Somebody. */
export interface Contact {
  /** As they write it themselves. */
  name: string;
  /** How they are reached. */
  reached: Reach;
  /** What they are kept under. */
  tags: string[];
  /** In years, if they say so. */
  age?: number | undefined;
}

/** By mail. */
export interface ReachEmail {
  kind: "Email";
  /** With an @ in it. */
  address: string;
}

/** By phone. */
export interface ReachPhone {
  kind: "Phone";
  /** Where it rings: 49, say. */
  country: number;
  /** The rest, without zeros in front. */
  number: string;
}

/** Not at all. */
export interface ReachNowhere {
  kind: "Nowhere";
}

/** How somebody is reached. */
export type Reach = ReachEmail | ReachPhone | ReachNowhere;

/** Who is looked for. */
export interface Query {
  /** What they are kept under. */
  tag: string;
  /**
   * How many will do.
   * Left out for the plugin's default.
   */
  atMost?: number | undefined;
}

/** What a picture is of, and how it's kept. */
export interface Portrait {
  /** Who is on it. */
  name: string;
  /** `image/png`, say. */
  mediaType: string;
}

/** A place in a plane. A list of them crosses in one copy. */
export interface Place {
  /** To the right. */
  x: number;
  /** Upwards. */
  y: number;
}

/** They are reached not at all. */
export interface ReachErrorNowhere {
  kind: "Nowhere";
  /** Who it is. */
  name: string;
}

/** Why somebody isn't reached. */
export type ReachError = ReachErrorNowhere;

interface RenameParameters {
  from: string;
  to: string;
}

interface PortrayParameters {
  portrait: Portrait;
  image: Uint8Array;
}

interface DistanceParameters {
  name: string;
  from: Place;
}

/** Keeps people, and says how they are reached. */
export class Contacts {
  /** The plugin's instance. */
  readonly plugin: wire.Plugin;
  readonly #isOwned: boolean;
  readonly #methods: Methods;

  private constructor(plugin: wire.Plugin, isOwned: boolean) {
    this.plugin = plugin;
    this.#isOwned = isOwned;
    this.#methods = new Methods(plugin);
  }

  /** Loads the plugin. It's closed with the client. */
  static load(
    source: string | URL | Uint8Array,
    options: wire.LoadOptions & { host?: Services } = {},
  ): Contacts {
    const plugin = wire.load(source, serving(options, options.host));
    try {
      return new Contacts(plugin, true);
    } catch (error) {
      plugin.closeSync();
      throw error;
    }
  }

  /** Loads the plugin as `load` does, on a thread, so that the loop goes on. */
  static async loadAsync(
    source: string | URL | Uint8Array,
    options: wire.LoadOptions & { host?: Services } = {},
  ): Promise<Contacts> {
    const plugin = await wire.loadAsync(source, serving(options, options.host));
    try {
      return new Contacts(plugin, true);
    } catch (error) {
      plugin.closeSync();
      throw error;
    }
  }

  /**
   * Calls an instance of the plugin, which goes on to belong to the caller. If it
   * isn't the plugin that this was written of, the error says what differs.
   */
  static of(plugin: wire.Plugin): Contacts {
    return new Contacts(plugin, false);
  }

  /** Closes the plugin, if the client has loaded it. */
  async close(): Promise<void> {
    if (this.#isOwned) {
      await this.plugin.close();
    }
  }

  [Symbol.dispose](): void {
    if (this.#isOwned) {
      this.plugin.closeSync();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Keeps somebody, and says how many there are. */
  add(contact: Contact, options?: wire.CallOptions): Promise<number> {
    return this.#methods.add.call(contact, options);
  }

  /**
   * Keeps somebody, and says how many there are.
   *
   * Blocks the loop until the plugin has answered.
   */
  addSync(contact: Contact, options?: wire.CallOptions): number {
    return this.#methods.add.callSync(contact, options);
  }

  /** Those who are kept under something, in the order in which they came. */
  find(query: Query, options?: wire.CallOptions): Promise<Contact[]> {
    return this.#methods.find.call(query, options);
  }

  /**
   * Those who are kept under something, in the order in which they came.
   *
   * Blocks the loop until the plugin has answered.
   */
  findSync(query: Query, options?: wire.CallOptions): Contact[] {
    return this.#methods.find.callSync(query, options);
  }

  /** Gives somebody another name, and says whether there was anybody of the old one. */
  rename(
    from: string,
    to: string,
    options?: wire.CallOptions,
  ): Promise<boolean> {
    return this.#methods.rename.call({ from, to }, options);
  }

  /**
   * Gives somebody another name, and says whether there was anybody of the old one.
   *
   * Blocks the loop until the plugin has answered.
   */
  renameSync(from: string, to: string, options?: wire.CallOptions): boolean {
    return this.#methods.rename.callSync({ from, to }, options);
  }

  /** Keeps a picture of somebody. */
  portray(
    portrait: Portrait,
    image: Uint8Array,
    options?: wire.CallOptions,
  ): Promise<undefined> {
    return this.#methods.portray.call({ portrait, image }, options);
  }

  /**
   * Keeps a picture of somebody.
   *
   * Blocks the loop until the plugin has answered.
   */
  portraySync(
    portrait: Portrait,
    image: Uint8Array,
    options?: wire.CallOptions,
  ): undefined {
    return this.#methods.portray.callSync({ portrait, image }, options);
  }

  /** The picture of somebody. */
  portrait(
    name: string,
    options?: wire.CallOptions,
  ): Promise<[Portrait, Uint8Array]> {
    return this.#methods.portrait.call(name, options);
  }

  /**
   * The picture of somebody.
   *
   * Blocks the loop until the plugin has answered.
   */
  portraitSync(
    name: string,
    options?: wire.CallOptions,
  ): [Portrait, Uint8Array] {
    return this.#methods.portrait.callSync(name, options);
  }

  /** The place between others. */
  middle(places: Place[], options?: wire.CallOptions): Promise<Place> {
    return this.#methods.middle.call(places, options);
  }

  /**
   * The place between others.
   *
   * Blocks the loop until the plugin has answered.
   */
  middleSync(places: Place[], options?: wire.CallOptions): Place {
    return this.#methods.middle.callSync(places, options);
  }

  /** How far it is from a place to where somebody is at home, if the host knows that. */
  distance(
    name: string,
    from: Place,
    options?: wire.CallOptions,
  ): Promise<number | undefined> {
    return this.#methods.distance.call({ name, from }, options);
  }

  /**
   * How far it is from a place to where somebody is at home, if the host knows that.
   *
   * Blocks the loop until the plugin has answered.
   */
  distanceSync(
    name: string,
    from: Place,
    options?: wire.CallOptions,
  ): number | undefined {
    return this.#methods.distance.callSync({ name, from }, options);
  }

  /**
   * Tries to reach somebody, which takes its time.
   *
   * May fail with a {@link ReachFailure}.
   */
  reach(contact: Contact, options?: wire.CallOptions): Promise<string> {
    return this.#methods.reach.call(contact, options);
  }
}

/**
 * `registry`: what the plugin asks of its host.
 *
 * What a function throws is told to the plugin. One that gives a promise is for calls that give one.
 */
export interface Registry {
  /** Where somebody is at home, if that's known. */
  home(
    name: string,
    call: wire.ServiceCall,
  ): Place | undefined | PromiseLike<Place | undefined>;
}

/** What the plugin asks of its host: to be given when it's loaded. */
export interface Services {
  registry?: Registry | undefined;
}

/** A call has failed with a {@link ReachError}, which is its `reason`. */
export class ReachFailure extends wire.Failure<ReachError> {}

/** The methods, made ready. */
class Methods {
  readonly add: wire.TypedMethod<Contact, number>;
  readonly find: wire.TypedMethod<Query, Contact[]>;
  readonly rename: wire.TypedMethod<RenameParameters, boolean>;
  readonly portray: wire.TypedMethod<PortrayParameters, undefined>;
  readonly portrait: wire.TypedMethod<string, [Portrait, Uint8Array]>;
  readonly middle: wire.TypedMethod<Place[], Place>;
  readonly distance: wire.TypedMethod<DistanceParameters, number | undefined>;
  readonly reach: wire.TypedMethod<Contact, string>;

  constructor(plugin: wire.Plugin) {
    this.add = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "add",
      "e189faf3207eb1aa1ff6be031894c964",
      contactCodec,
      wire.u32,
    );
    this.find = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "find",
      "f3d894417c2dfb6e7e6bee53adf9af7c",
      queryCodec,
      listOfContact,
    );
    this.rename = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "rename",
      "1c6fb897ddf902ba836bf7fb477401bb",
      renameParametersCodec,
      wire.bool,
    );
    this.portray = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "portray",
      "339db6638ef17b7cb62ea0a99578d507",
      portrayParametersCodec,
      wire.unit,
    );
    this.portrait = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "portrait",
      "9646ce6165974d6f4d1fa17fb77789f1",
      wire.text,
      tupleOfPortraitAndBlob,
    );
    this.middle = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "middle",
      "5fd159d99e58b0572b26a363b45a2911",
      listOfPlace,
      placeCodec,
    );
    this.distance = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "distance",
      "d08c1a9136bce97a21e6196d3abdcbb6",
      distanceParametersCodec,
      optionOfF64,
    );
    this.reach = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "reach",
      "097bfde90545b52d70e76f1f4e56f844",
      contactCodec,
      wire.text,
      { raise: wire.fails(ReachFailure, reachErrorCodec) },
    );
  }
}

function serving(
  options: wire.LoadOptions,
  host: Services | undefined,
): wire.LoadOptions {
  const all: wire.Served[] = [];
  const registry = host?.registry;
  if (registry !== undefined) {
    all.push(
      wire.served(
        "registry.home",
        (request, call) => registry.home(request, call),
        wire.text,
        optionOfPlace,
      ),
    );
  }
  return wire.serving(options, CONTRACT, all);
}

/** What this was written from, to be compared with the plugin. */
const CONTRACT = [
  '{"methods":[{"entries":[{"arguments":false,"encoding":"wire","error":n',
  'ull,"index":6,"items":null,"kind":"unary","parameter":"contact","recei',
  'ver":"","request":{"type":{"ref":0}},"response":{"type":"u32"}}],"name',
  '":"add"},{"entries":[{"arguments":false,"encoding":"wire","error":null',
  ',"index":13,"items":null,"kind":"unary","parameter":"query","receiver"',
  ':"","request":{"type":{"ref":2}},"response":{"type":{"list":{"ref":0}}',
  '}}],"name":"find"},{"entries":[{"arguments":true,"encoding":"wire","er',
  'ror":null,"index":20,"items":null,"kind":"unary","parameter":"","recei',
  'ver":"","request":{"type":{"ref":3}},"response":{"type":"bool"}}],"nam',
  'e":"rename"},{"entries":[{"arguments":true,"encoding":"wire","error":n',
  'ull,"index":27,"items":null,"kind":"unary","parameter":"","receiver":"',
  '","request":{"type":{"ref":4}},"response":{"type":"unit"}}],"name":"po',
  'rtray"},{"entries":[{"arguments":false,"encoding":"wire","error":null,',
  '"index":34,"items":null,"kind":"unary","parameter":"name","receiver":"',
  '","request":{"type":"string"},"response":{"type":{"tuple":[{"ref":5},"',
  'bytes"]}}}],"name":"portrait"},{"entries":[{"arguments":false,"encodin',
  'g":"wire","error":null,"index":41,"items":null,"kind":"unary","paramet',
  'er":"places","receiver":"","request":{"type":{"list":{"ref":6}}},"resp',
  'onse":{"type":{"ref":6}}}],"name":"middle"},{"entries":[{"arguments":t',
  'rue,"encoding":"wire","error":null,"index":48,"items":null,"kind":"una',
  'ry","parameter":"","receiver":"","request":{"type":{"ref":7}},"respons',
  'e":{"type":{"option":"f64"}}}],"name":"distance"},{"entries":[{"argume',
  'nts":false,"encoding":"wire","error":{"type":{"ref":8}},"index":55,"it',
  'ems":null,"kind":"unary","parameter":"contact","receiver":"","request"',
  ':{"type":{"ref":0}},"response":{"type":"string"}}],"name":"reach"}],"n',
  'ame":"contacts","services":[{"encoding":"wire","name":"registry.home",',
  '"optional":true,"request":{"type":"string"},"response":{"type":{"optio',
  'n":{"ref":6}}}}],"types":[{"name":"Contact","record":[{"name":"name","',
  'type":"string"},{"name":"reached","type":{"ref":1}},{"name":"tags","ty',
  'pe":{"list":"string"}},{"name":"age","type":{"option":"u32"}}]},{"enum',
  '":{"variants":[{"fields":[{"name":"address","type":"string"}],"name":"',
  'Email"},{"fields":[{"name":"country","type":"u16"},{"name":"number","t',
  'ype":"string"}],"name":"Phone"},{"name":"Nowhere"}]},"name":"Reach"},{',
  '"name":"Query","record":[{"name":"tag","type":"string"},{"default":tru',
  'e,"name":"at_most","type":"u32"}]},{"name":"RenameParameters","record"',
  ':[{"name":"from","type":"string"},{"name":"to","type":"string"}]},{"na',
  'me":"PortrayParameters","record":[{"name":"portrait","type":{"ref":5}}',
  ',{"name":"image","type":"bytes"}]},{"name":"Portrait","record":[{"name',
  '":"name","type":"string"},{"name":"media_type","type":"string"}]},{"na',
  'me":"Place","pod":[{"name":"x","type":"f64"},{"name":"y","type":"f64"}',
  ']},{"name":"DistanceParameters","record":[{"name":"name","type":"strin',
  'g"},{"name":"from","type":{"ref":6}}]},{"enum":{"variants":[{"fields":',
  '[{"name":"name","type":"string"}],"name":"Nowhere"}]},"name":"ReachErr',
  'or"}],"version":"0.1.0"}',
].join("");

/** Writes and reads {@link Contact}. */
export const contactCodec: wire.Codec<Contact> = {
  least: 11,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    reachCodec.write(w, v.reached);
    listOfText.write(w, v.tags);
    optionOfU32.write(w, v.age);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Contact = {
      name: r.text(),
      reached: reachCodec.read(r),
      tags: listOfText.read(r),
      age: optionOfU32.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Query}. */
export const queryCodec: wire.Codec<Query> = {
  least: 5,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.tag);
    optionOfU32.write(w, v.atMost);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Query = {
      tag: r.text(),
      atMost: optionOfU32.read(r),
    };
    r.leave();
    return v;
  },
};

const renameParametersCodec: wire.Codec<RenameParameters> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.from);
    w.text(v.to);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: RenameParameters = {
      from: r.text(),
      to: r.text(),
    };
    r.leave();
    return v;
  },
};

const portrayParametersCodec: wire.Codec<PortrayParameters> = {
  least: 12,
  write(w, v) {
    w.check(v);
    w.enter();
    portraitCodec.write(w, v.portrait);
    w.blob(v.image);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: PortrayParameters = {
      portrait: portraitCodec.read(r),
      image: r.blob(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Portrait}. */
export const portraitCodec: wire.Codec<Portrait> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    w.text(v.mediaType);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Portrait = {
      name: r.text(),
      mediaType: r.text(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Place}. */
export const placeCodec: wire.Codec<Place> = {
  least: 16,
  write(w, v) {
    w.check(v);
    w.f64(v.x);
    w.f64(v.y);
  },
  read(r) {
    return {
      x: r.f64(),
      y: r.f64(),
    };
  },
};

const distanceParametersCodec: wire.Codec<DistanceParameters> = {
  least: 20,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    placeCodec.write(w, v.from);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: DistanceParameters = {
      name: r.text(),
      from: placeCodec.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link ReachError}. */
export const reachErrorCodec: wire.Codec<ReachError> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Nowhere":
        w.variant(0);
        w.text(v.name);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: ReachError = read_ReachError(r);
    r.leave();
    return v;
  },
};

function read_ReachError(r: wire.Reader): ReachError {
  switch (r.variant(1)) {
    default:
      return {
        kind: "Nowhere",
        name: r.text(),
      };
  }
}

/** Writes and reads {@link Reach}. */
export const reachCodec: wire.Codec<Reach> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Email":
        w.variant(0);
        w.text(v.address);
        break;
      case "Phone":
        w.variant(1);
        w.u16(v.country);
        w.text(v.number);
        break;
      case "Nowhere":
        w.variant(2);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Reach = read_Reach(r);
    r.leave();
    return v;
  },
};

function read_Reach(r: wire.Reader): Reach {
  switch (r.variant(3)) {
    case 0:
      return {
        kind: "Email",
        address: r.text(),
      };
    case 1:
      return {
        kind: "Phone",
        country: r.u16(),
        number: r.text(),
      };
    default:
      return { kind: "Nowhere" };
  }
}

const listOfContact = wire.list(contactCodec);
const tupleOfPortraitAndBlob = wire.tuple(portraitCodec, wire.blob);
const listOfPlace = wire.aligned(placeCodec);
const optionOfF64 = wire.option(wire.f64);
const optionOfPlace = wire.option(placeCodec);
const listOfText = wire.list(wire.text);
const optionOfU32 = wire.option(wire.u32);
