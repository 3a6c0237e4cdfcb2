// Written by `rustbridge gen -l typescript` of the plugin `types`: write it anew by that, not by hand.

import * as wire from "rustbridge/typed";

/** One of each. */
export interface Every {
  numbers: Numbers;
  texts: Texts;
  times: Times;
  lists: Lists;
  pairs: Pairs;
  foreign: Foreign;
  people: PagePerson;
  words: PageString;
  color: Color;
  shape: Shape;
  tagged: Tagged;
  untagged: Untagged;
  expr: Expr;
  tree: Tree;
  samples: Samples;
  celsius: Celsius;
  unit: Unit;
  defaults: Defaults;
  renamed: RenamedRecord;
  any: wire.Dynamic;
  tuple: [number, string, boolean | undefined];
}

/** A number of each width, and what is written as one. */
export interface Numbers {
  /** One byte. */
  u8: number;
  u16: number;
  u32: number;
  u64: bigint;
  u128: bigint;
  i8: number;
  i16: number;
  i32: number;
  i64: bigint;
  i128: bigint;
  f32: number;
  f64: number;
  bool: boolean;
  char: string;
  size: bigint;
  unit: undefined;
}

/** Texts and bytes, each in a form of its own. */
export interface Texts {
  text: string;
  boxed: string;
  maybeBytes?: Uint8Array | undefined;
  bytes: Uint8Array;
  maybe?: string | undefined;
}

/** Points in time and spans of it. */
export interface Times {
  at: bigint;
  lasts: bigint;
  ends?: bigint | undefined;
}

/** Lists, sets and arrays. */
export interface Lists {
  bytes: Uint8Array;
  small: Int8Array;
  numbers: Uint32Array;
  doubles: Float64Array;
  large: bigint[];
  bools: boolean[];
  texts: string[];
  nested: Uint16Array[];
  fixed: Uint32Array;
  matrix: Float64Array[];
  names: string[];
  set: Uint32Array;
  people: Person[];
  points: Point[];
  sizes: BigUint64Array;
  boxes: Float32Array;
  chars: string[];
  options: (number | undefined)[];
  tuples: [number, number][];
}

/** Somebody. */
export interface Person {
  /** What they are called. */
  name: string;
  /** In years. */
  age: number;
  /** Where they can be reached. */
  email?: string | undefined;
}

/** Plain old data: a list of them is one copy. */
export interface Point {
  /** To the right. */
  x: number;
  /** Upwards. */
  y: number;
}

/** Maps by every kind of key. */
export interface Pairs {
  byName: Map<string, number>;
  byNumber: Map<bigint, string>;
  byChar: Map<string, Uint8Array>;
  byColor: Map<Color, Person>;
  hashed: Map<number, number | undefined>;
  nested: Map<string, Map<number, boolean>>;
}

/**
 * Three colours.
 *
 * - `red`: Like blood.
 */
export type Color = "red" | "green" | "dark_blue";

/** What other crates have. */
export interface Foreign {
  id: string;
  parent?: string | undefined;
  names: Map<string, string>;
  made: bigint;
  took: bigint;
  seen: bigint;
  waits: bigint[];
  ends?: bigint | undefined;
  lasts: bigint;
  at: Endpoint;
  others: Map<string, Endpoint[]>;
}

/** Where something listens. */
export interface Endpoint {
  /** Four numbers with dots between. */
  address: string;
  port: number;
}

/** Some of many. */
export interface PagePerson {
  /** These. */
  items: Person[];
  /** How many there are in all. */
  total: bigint;
}

/** Some of many. */
export interface PageString {
  /** These. */
  items: string[];
  /** How many there are in all. */
  total: bigint;
}

/** No shape. */
export interface ShapeNothing {
  kind: "Nothing";
}

/** All points of one distance. */
export interface ShapeCircle {
  kind: "Circle";
  radius: number;
}

/** Points in a row. */
export interface ShapePolygon {
  kind: "Polygon";
  value: Point[];
}

/** A shape in a plane. */
export type Shape = ShapeNothing | ShapeCircle | ShapePolygon;

export interface TaggedStarted {
  kind: "started";
  atSecond: bigint;
}

export interface TaggedMoved {
  kind: "moved";
  toPlace: Point;
  howFast?: number | undefined;
}

export interface TaggedStopped {
  kind: "stopped";
}

/** Known by a field of its own in JSON. */
export type Tagged = TaggedStarted | TaggedMoved | TaggedStopped;

export interface UntaggedNumber {
  kind: "Number";
  value: bigint;
}

export interface UntaggedText {
  kind: "Text";
  value: string;
}

export interface UntaggedBoth {
  kind: "Both";
  value: [bigint, string];
}

/** Known by what it looks like in JSON. */
export type Untagged = UntaggedNumber | UntaggedText | UntaggedBoth;

export interface ExprNumber {
  kind: "Number";
  value: number;
}

export interface ExprNegated {
  kind: "Negated";
  value: Expr;
}

export interface ExprSum {
  kind: "Sum";
  value: [Expr, Expr];
}

export interface ExprCall {
  kind: "Call";
  name: string;
  arguments: Expr[];
}

/** What has itself in it, by an enum. */
export type Expr = ExprNumber | ExprNegated | ExprSum | ExprCall;

/** What has itself in it, by a list. */
export interface Tree {
  name: string;
  children: Tree[];
}

/** Plain old data alone, in a list, in an array. */
export interface Samples {
  name: string;
  first: Sample;
  all: Sample[];
  pair: Point[];
}

/** Plain old data with smaller fields. */
export interface Sample {
  time: bigint;
  value: number;
  channel: number;
  flags: Uint8Array;
}

/** A number with a meaning. */
export type Celsius = number;

/** Nothing to say. */
export type Unit = undefined;

/** What may be left out. */
export interface Defaults {
  /** Left out for the plugin's default. */
  count?: number | undefined;
  /** Left out for the plugin's default. */
  name?: string | undefined;
  /** Left out for the plugin's default. */
  list?: Uint8Array | undefined;
  /** Left out for the plugin's default. */
  maybe?: bigint | null | undefined;
}

/** Names that aren't those of Rust, and a record whose fields JSON has among the others. */
export interface RenamedRecord {
  firstName: string;
  type: Color;
  class: number;
  person: Person;
}

/**
 * How somebody is, in ways that may become more.
 *
 * - `Calm`: At ease.
 * - `Glad`: More than that.
 * - `unknown`: One that the plugin has added since this was written. It's only read: writing it is refused.
 */
export type Mood = "Calm" | "Glad" | "unknown";

/** They have come. */
export interface EventCame {
  kind: "Came";
}

/** They have met others. */
export interface EventMet {
  kind: "Met";
  others: Person[];
  mood: Mood;
}

/** They have said so. */
export interface EventSaid {
  kind: "Said";
  value: string;
}

/** One that the plugin has added since this was written. It's only read: writing it is refused. */
export interface EventUnknown {
  kind: "unknown";
}

/** What has happened to somebody, of which more may come. */
export type Event = EventCame | EventMet | EventSaid | EventUnknown;

/** What is checked when it's read. */
export interface Bounded {
  share: number;
  all: Uint8Array;
}

/** What is to be done with bytes that come beside it. */
export interface Cut {
  /** How many at the beginning are left away. */
  skip: number;
  /** How often the others come back. */
  times: number;
}

/** What is said of bytes that come back beside it. */
export interface Piece {
  /** How many there are. */
  length: bigint;
  /** The first of them. */
  first?: number | undefined;
}

/** There's nobody like that. */
export interface SearchErrorNobody {
  kind: "Nobody";
  /** Who was looked for. */
  name: string;
  /** Those who are called nearly so. */
  similar: Person[];
}

/** They are there, and don't want to be found. */
export interface SearchErrorHidden {
  kind: "Hidden";
}

/** There are too many. */
export interface SearchErrorCrowd {
  kind: "Crowd";
  value: [bigint, Float64Array];
}

/** Why nobody was found. */
export type SearchError =
  SearchErrorNobody | SearchErrorHidden | SearchErrorCrowd;

/** What isn't to one's taste. */
export interface Refused {
  /** What it was in. */
  color: Color;
  /** What it might be in. */
  better?: Color | undefined;
}

/**
 * Whether there's power.
 *
 * - `Out`: There is none.
 */
export type PowerError = "Out";

/** Somebody, and how often. */
export interface Repeat {
  /** Who comes first. */
  person: Person;
  /** How many there are. */
  times: number;
}

/** Counters, here and there. */
export interface Counters {
  /** One that there needn't be. */
  first?: Counter | undefined;
  /** Any number of them. */
  others: Counter[];
  /** What has nothing to do with them. */
  name: string;
}

/** Which random value is asked for. */
export interface Random {
  /** The method that would give it back. */
  method: string;
  /** The same value for the same seed. */
  seed: bigint;
}

/** There's no half of it. */
export interface Odd {
  /** What was counted. */
  count: bigint;
}

interface PartParameters {
  text: string;
  start: number;
  count?: number | undefined;
}

interface SeveralParameters {
  person: Person;
  nickNames: string[];
  numbers: Float64Array;
  type: Color;
  class: Uint8Array;
  self?: wire.Dynamic | undefined;
}

interface CutParameters {
  how: Cut;
  data: Uint8Array;
}

interface CutLaterParameters {
  how: Cut;
  data: Uint8Array;
}

interface AgedParameters {
  person: Person;
  years: number;
}

interface StepsParameters {
  first: bigint;
  last: bigint;
  step: number;
}

interface SearchParameters {
  name: string;
  people: Person[];
}

interface SearchLaterParameters {
  name: string;
  people: Person[];
}

interface PaintParameters {
  color: Color;
  better?: Color | undefined;
}

interface BetweenParameters {
  youngest: number;
  oldest: number;
}

interface TransferParameters {
  from: Counter;
  to: Counter;
  count: bigint;
}

interface AsJsonParameters {
  method: string;
  message: Uint8Array;
}

interface AsMessageParameters {
  method: string;
  json: string;
}

interface CounterWithinParameters {
  least: bigint;
  most: bigint;
}

/** The typed methods of the plugin `types`. */
export class Types {
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
  ): Types {
    const plugin = wire.load(source, serving(options, options.host));
    try {
      return new Types(plugin, true);
    } catch (error) {
      plugin.closeSync();
      throw error;
    }
  }

  /** Loads the plugin as `load` does, on a thread, so that the loop goes on. */
  static async loadAsync(
    source: string | URL | Uint8Array,
    options: wire.LoadOptions & { host?: Services } = {},
  ): Promise<Types> {
    const plugin = await wire.loadAsync(source, serving(options, options.host));
    try {
      return new Types(plugin, true);
    } catch (error) {
      plugin.closeSync();
      throw error;
    }
  }

  /**
   * Calls an instance of the plugin, which goes on to belong to the caller. If it
   * isn't the plugin that this was written of, the error says what differs.
   */
  static of(plugin: wire.Plugin): Types {
    return new Types(plugin, false);
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

  /** One of each. */
  every(request: Every, options?: wire.CallOptions): Promise<Every> {
    return this.#methods.every.call(request, options);
  }

  /**
   * One of each.
   *
   * Blocks the loop until the plugin has answered.
   */
  everySync(request: Every, options?: wire.CallOptions): Every {
    return this.#methods.every.callSync(request, options);
  }

  /** Gives back what it gets. */
  numbers(request: Numbers, options?: wire.CallOptions): Promise<Numbers> {
    return this.#methods.numbers.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  numbersSync(request: Numbers, options?: wire.CallOptions): Numbers {
    return this.#methods.numbers.callSync(request, options);
  }

  /** Gives back what it gets. */
  texts(request: Texts, options?: wire.CallOptions): Promise<Texts> {
    return this.#methods.texts.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  textsSync(request: Texts, options?: wire.CallOptions): Texts {
    return this.#methods.texts.callSync(request, options);
  }

  /** Gives back what it gets. */
  times(request: Times, options?: wire.CallOptions): Promise<Times> {
    return this.#methods.times.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  timesSync(request: Times, options?: wire.CallOptions): Times {
    return this.#methods.times.callSync(request, options);
  }

  /** Gives back what it gets. */
  lists(request: Lists, options?: wire.CallOptions): Promise<Lists> {
    return this.#methods.lists.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  listsSync(request: Lists, options?: wire.CallOptions): Lists {
    return this.#methods.lists.callSync(request, options);
  }

  /** Gives back what it gets. */
  pairs(request: Pairs, options?: wire.CallOptions): Promise<Pairs> {
    return this.#methods.pairs.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  pairsSync(request: Pairs, options?: wire.CallOptions): Pairs {
    return this.#methods.pairs.callSync(request, options);
  }

  /** Gives back what it gets. */
  person(request: Person, options?: wire.CallOptions): Promise<Person> {
    return this.#methods.person.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  personSync(request: Person, options?: wire.CallOptions): Person {
    return this.#methods.person.callSync(request, options);
  }

  /** Gives back what it gets. */
  people(request: PagePerson, options?: wire.CallOptions): Promise<PagePerson> {
    return this.#methods.people.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  peopleSync(request: PagePerson, options?: wire.CallOptions): PagePerson {
    return this.#methods.people.callSync(request, options);
  }

  /** Gives back what it gets. */
  shape(request: Shape, options?: wire.CallOptions): Promise<Shape> {
    return this.#methods.shape.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  shapeSync(request: Shape, options?: wire.CallOptions): Shape {
    return this.#methods.shape.callSync(request, options);
  }

  /** Gives back what it gets. */
  color(request: Color, options?: wire.CallOptions): Promise<Color> {
    return this.#methods.color.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  colorSync(request: Color, options?: wire.CallOptions): Color {
    return this.#methods.color.callSync(request, options);
  }

  /** Gives back what it gets. */
  mood(request: Mood, options?: wire.CallOptions): Promise<Mood> {
    return this.#methods.mood.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  moodSync(request: Mood, options?: wire.CallOptions): Mood {
    return this.#methods.mood.callSync(request, options);
  }

  /** Gives back what it gets. */
  events(request: Event[], options?: wire.CallOptions): Promise<Event[]> {
    return this.#methods.events.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  eventsSync(request: Event[], options?: wire.CallOptions): Event[] {
    return this.#methods.events.callSync(request, options);
  }

  /** Gives back what it gets. */
  tagged(request: Tagged, options?: wire.CallOptions): Promise<Tagged> {
    return this.#methods.tagged.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  taggedSync(request: Tagged, options?: wire.CallOptions): Tagged {
    return this.#methods.tagged.callSync(request, options);
  }

  /** Gives back what it gets. */
  untagged(request: Untagged, options?: wire.CallOptions): Promise<Untagged> {
    return this.#methods.untagged.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  untaggedSync(request: Untagged, options?: wire.CallOptions): Untagged {
    return this.#methods.untagged.callSync(request, options);
  }

  /** Gives back what it gets. */
  expr(request: Expr, options?: wire.CallOptions): Promise<Expr> {
    return this.#methods.expr.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  exprSync(request: Expr, options?: wire.CallOptions): Expr {
    return this.#methods.expr.callSync(request, options);
  }

  /** Gives back what it gets. */
  tree(request: Tree, options?: wire.CallOptions): Promise<Tree> {
    return this.#methods.tree.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  treeSync(request: Tree, options?: wire.CallOptions): Tree {
    return this.#methods.tree.callSync(request, options);
  }

  /** Gives back what it gets. */
  samples(request: Samples, options?: wire.CallOptions): Promise<Samples> {
    return this.#methods.samples.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  samplesSync(request: Samples, options?: wire.CallOptions): Samples {
    return this.#methods.samples.callSync(request, options);
  }

  /** Gives back what it gets. */
  point(request: Point, options?: wire.CallOptions): Promise<Point> {
    return this.#methods.point.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  pointSync(request: Point, options?: wire.CallOptions): Point {
    return this.#methods.point.callSync(request, options);
  }

  /** Gives back what it gets. */
  celsius(request: Celsius, options?: wire.CallOptions): Promise<Celsius> {
    return this.#methods.celsius.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  celsiusSync(request: Celsius, options?: wire.CallOptions): Celsius {
    return this.#methods.celsius.callSync(request, options);
  }

  /** Gives back what it gets. */
  foreign(request: Foreign, options?: wire.CallOptions): Promise<Foreign> {
    return this.#methods.foreign.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  foreignSync(request: Foreign, options?: wire.CallOptions): Foreign {
    return this.#methods.foreign.callSync(request, options);
  }

  /** What is checked when it's read. */
  bounded(request: Bounded, options?: wire.CallOptions): Promise<Bounded> {
    return this.#methods.bounded.call(request, options);
  }

  /**
   * What is checked when it's read.
   *
   * Blocks the loop until the plugin has answered.
   */
  boundedSync(request: Bounded, options?: wire.CallOptions): Bounded {
    return this.#methods.bounded.callSync(request, options);
  }

  /** Gives back what it gets. */
  unit(request: Unit, options?: wire.CallOptions): Promise<Unit> {
    return this.#methods.unit.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  unitSync(request: Unit, options?: wire.CallOptions): Unit {
    return this.#methods.unit.callSync(request, options);
  }

  /** Gives back what it gets. */
  defaults(request: Defaults, options?: wire.CallOptions): Promise<Defaults> {
    return this.#methods.defaults.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  defaultsSync(request: Defaults, options?: wire.CallOptions): Defaults {
    return this.#methods.defaults.callSync(request, options);
  }

  /** Gives back what it gets. */
  renamed(
    request: RenamedRecord,
    options?: wire.CallOptions,
  ): Promise<RenamedRecord> {
    return this.#methods.renamed.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  renamedSync(
    request: RenamedRecord,
    options?: wire.CallOptions,
  ): RenamedRecord {
    return this.#methods.renamed.callSync(request, options);
  }

  /** A value that says itself what it is. */
  any(
    request: wire.Dynamic,
    options?: wire.CallOptions,
  ): Promise<wire.Dynamic> {
    return this.#methods.any.call(request, options);
  }

  /**
   * A value that says itself what it is.
   *
   * Blocks the loop until the plugin has answered.
   */
  anySync(request: wire.Dynamic, options?: wire.CallOptions): wire.Dynamic {
    return this.#methods.any.callSync(request, options);
  }

  /** A list that is one copy. */
  doubles(
    request: Float64Array,
    options?: wire.CallOptions,
  ): Promise<Float64Array> {
    return this.#methods.doubles.call(request, options);
  }

  /**
   * A list that is one copy.
   *
   * Blocks the loop until the plugin has answered.
   */
  doublesSync(request: Float64Array, options?: wire.CallOptions): Float64Array {
    return this.#methods.doubles.callSync(request, options);
  }

  /** Gives back what it gets. */
  map(
    request: Map<string, Person>,
    options?: wire.CallOptions,
  ): Promise<Map<string, Person>> {
    return this.#methods.map.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  mapSync(
    request: Map<string, Person>,
    options?: wire.CallOptions,
  ): Map<string, Person> {
    return this.#methods.map.callSync(request, options);
  }

  /** Somebody, perhaps. */
  maybe(
    request?: Person | undefined,
    options?: wire.CallOptions,
  ): Promise<Person | undefined> {
    return this.#methods.maybe.call(request, options);
  }

  /**
   * Somebody, perhaps.
   *
   * Blocks the loop until the plugin has answered.
   */
  maybeSync(
    request?: Person | undefined,
    options?: wire.CallOptions,
  ): Person | undefined {
    return this.#methods.maybe.callSync(request, options);
  }

  /** Gives back what it gets. */
  tuple(
    request: [number, string, boolean | undefined],
    options?: wire.CallOptions,
  ): Promise<[number, string, boolean | undefined]> {
    return this.#methods.tuple.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  tupleSync(
    request: [number, string, boolean | undefined],
    options?: wire.CallOptions,
  ): [number, string, boolean | undefined] {
    return this.#methods.tuple.callSync(request, options);
  }

  /** Gives back what it gets. */
  duration(request: bigint, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.duration.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  durationSync(request: bigint, options?: wire.CallOptions): bigint {
    return this.#methods.duration.callSync(request, options);
  }

  /** Gives back what it gets. */
  timestamp(request: bigint, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.timestamp.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * Blocks the loop until the plugin has answered.
   */
  timestampSync(request: bigint, options?: wire.CallOptions): bigint {
    return this.#methods.timestamp.callSync(request, options);
  }

  /** How many characters a text has. */
  length(request: string, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.length.call(request, options);
  }

  /**
   * How many characters a text has.
   *
   * Blocks the loop until the plugin has answered.
   */
  lengthSync(request: string, options?: wire.CallOptions): bigint {
    return this.#methods.length.callSync(request, options);
  }

  /** Who is the oldest of them. */
  oldest(
    request: PagePerson,
    options?: wire.CallOptions,
  ): Promise<Person | undefined> {
    return this.#methods.oldest.call(request, options);
  }

  /**
   * Who is the oldest of them.
   *
   * Blocks the loop until the plugin has answered.
   */
  oldestSync(
    request: PagePerson,
    options?: wire.CallOptions,
  ): Person | undefined {
    return this.#methods.oldest.callSync(request, options);
  }

  /** The area of a shape. */
  area(request: Shape, options?: wire.CallOptions): Promise<number> {
    return this.#methods.area.call(request, options);
  }

  /**
   * The area of a shape.
   *
   * Blocks the loop until the plugin has answered.
   */
  areaSync(request: Shape, options?: wire.CallOptions): number {
    return this.#methods.area.callSync(request, options);
  }

  /** A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none. */
  part(
    text: string,
    start: number,
    count?: number | undefined,
    options?: wire.CallOptions,
  ): Promise<string> {
    return this.#methods.part.call({ text, start, count }, options);
  }

  /**
   * A part of a text: `count` of its characters, from the one at `start`; all that are left if it's none.
   *
   * Blocks the loop until the plugin has answered.
   */
  partSync(
    text: string,
    start: number,
    count?: number | undefined,
    options?: wire.CallOptions,
  ): string {
    return this.#methods.part.callSync({ text, start, count }, options);
  }

  /** Gives back what it gets one by one and lent, under names of every kind. */
  several(
    person: Person,
    nickNames: string[],
    numbers: Float64Array,
    type: Color,
    class_: Uint8Array,
    self?: wire.Dynamic | undefined,
    options?: wire.CallOptions,
  ): Promise<
    [
      Person,
      string[],
      Float64Array,
      Color,
      Uint8Array,
      wire.Dynamic | undefined,
    ]
  > {
    return this.#methods.several.call(
      { person, nickNames, numbers, type, class: class_, self },
      options,
    );
  }

  /**
   * Gives back what it gets one by one and lent, under names of every kind.
   *
   * Blocks the loop until the plugin has answered.
   */
  severalSync(
    person: Person,
    nickNames: string[],
    numbers: Float64Array,
    type: Color,
    class_: Uint8Array,
    self?: wire.Dynamic | undefined,
    options?: wire.CallOptions,
  ): [
    Person,
    string[],
    Float64Array,
    Color,
    Uint8Array,
    wire.Dynamic | undefined,
  ] {
    return this.#methods.several.callSync(
      { person, nickNames, numbers, type, class: class_, self },
      options,
    );
  }

  /** Bytes beside what is to be done with them, and beside what is said of them. */
  cut(
    how: Cut,
    data: Uint8Array,
    options?: wire.CallOptions,
  ): Promise<[Piece, Uint8Array]> {
    return this.#methods.cut.call({ how, data }, options);
  }

  /**
   * Bytes beside what is to be done with them, and beside what is said of them.
   *
   * Blocks the loop until the plugin has answered.
   */
  cutSync(
    how: Cut,
    data: Uint8Array,
    options?: wire.CallOptions,
  ): [Piece, Uint8Array] {
    return this.#methods.cut.callSync({ how, data }, options);
  }

  /** The same, from an `async fn`. */
  cutLater(
    how: Cut,
    data: Uint8Array,
    options?: wire.CallOptions,
  ): Promise<[Piece, Uint8Array]> {
    return this.#methods.cutLater.call({ how, data }, options);
  }

  /** The bytes in hexadecimal digits: raw bytes for raw text. */
  hex(data: Uint8Array, options?: wire.CallOptions): Promise<string> {
    return this.#methods.hex.call(data, options);
  }

  /**
   * The bytes in hexadecimal digits: raw bytes for raw text.
   *
   * Blocks the loop until the plugin has answered.
   */
  hexSync(data: Uint8Array, options?: wire.CallOptions): string {
    return this.#methods.hex.callSync(data, options);
  }

  /** The same, from an `async fn`. */
  hexLater(data: Uint8Array, options?: wire.CallOptions): Promise<string> {
    return this.#methods.hexLater.call(data, options);
  }

  /** The bytes of hexadecimal digits: raw text for raw bytes. */
  unhex(digits: string, options?: wire.CallOptions): Promise<Uint8Array> {
    return this.#methods.unhex.call(digits, options);
  }

  /**
   * The bytes of hexadecimal digits: raw text for raw bytes.
   *
   * Blocks the loop until the plugin has answered.
   */
  unhexSync(digits: string, options?: wire.CallOptions): Uint8Array {
    return this.#methods.unhex.callSync(digits, options);
  }

  /** How many bytes aren't zero: bytes for a number, which is no raw answer. */
  nonzero(data: Uint8Array, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.nonzero.call(data, options);
  }

  /**
   * How many bytes aren't zero: bytes for a number, which is no raw answer.
   *
   * Blocks the loop until the plugin has answered.
   */
  nonzeroSync(data: Uint8Array, options?: wire.CallOptions): bigint {
    return this.#methods.nonzero.callSync(data, options);
  }

  /** The first bytes of a PNG: raw bytes for nothing. */
  magic(options?: wire.CallOptions): Promise<Uint8Array> {
    return this.#methods.magic.call(undefined, options);
  }

  /**
   * The first bytes of a PNG: raw bytes for nothing.
   *
   * Blocks the loop until the plugin has answered.
   */
  magicSync(options?: wire.CallOptions): Uint8Array {
    return this.#methods.magic.callSync(undefined, options);
  }

  /** Somebody older, from an `async fn`. */
  aged(
    person: Person,
    years: number,
    options?: wire.CallOptions,
  ): Promise<Person> {
    return this.#methods.aged.call({ person, years }, options);
  }

  /** The numbers from the first up to before the last, each so much more than the one before. */
  steps(
    first: bigint,
    last: bigint,
    step: number,
    options?: wire.StreamOptions,
  ): wire.Items<bigint> {
    return this.#methods.steps.stream({ first, last, step }, options);
  }

  /** Gives back what it gets, from an `async fn`. */
  later(request: Person, options?: wire.CallOptions): Promise<Person> {
    return this.#methods.later.call(request, options);
  }

  /**
   * Who is called so. A name that is empty is hidden.
   *
   * May fail with a {@link SearchFailure}.
   */
  search(
    name: string,
    people: Person[],
    options?: wire.CallOptions,
  ): Promise<Person> {
    return this.#methods.search.call({ name, people }, options);
  }

  /**
   * Who is called so. A name that is empty is hidden.
   *
   * Blocks the loop until the plugin has answered.
   *
   * May fail with a {@link SearchFailure}.
   */
  searchSync(
    name: string,
    people: Person[],
    options?: wire.CallOptions,
  ): Person {
    return this.#methods.search.callSync({ name, people }, options);
  }

  /**
   * Who is called so, from an `async fn`.
   *
   * May fail with a {@link SearchFailure}.
   */
  searchLater(
    name: string,
    people: Person[],
    options?: wire.CallOptions,
  ): Promise<Person> {
    return this.#methods.searchLater.call({ name, people }, options);
  }

  /**
   * Takes no red.
   *
   * May fail with a {@link RefusedFailure}.
   */
  paint(
    color: Color,
    better?: Color | undefined,
    options?: wire.CallOptions,
  ): Promise<Color> {
    return this.#methods.paint.call({ color, better }, options);
  }

  /**
   * Takes no red.
   *
   * Blocks the loop until the plugin has answered.
   *
   * May fail with a {@link RefusedFailure}.
   */
  paintSync(
    color: Color,
    better?: Color | undefined,
    options?: wire.CallOptions,
  ): Color {
    return this.#methods.paint.callSync({ color, better }, options);
  }

  /**
   * Does nothing where there's power.
   *
   * May fail with a {@link PowerFailure}.
   */
  power(request: boolean, options?: wire.CallOptions): Promise<undefined> {
    return this.#methods.power.call(request, options);
  }

  /**
   * Does nothing where there's power.
   *
   * Blocks the loop until the plugin has answered.
   *
   * May fail with a {@link PowerFailure}.
   */
  powerSync(request: boolean, options?: wire.CallOptions): undefined {
    return this.#methods.power.callSync(request, options);
  }

  /** Somebody again and again, each time a year older. */
  repeat(request: Repeat, options?: wire.StreamOptions): wire.Items<Person> {
    return this.#methods.repeat.stream(request, options);
  }

  /** Those who are sent, with how many there are together with those before. */
  collect(
    before: bigint,
    items: Iterable<Person> | AsyncIterable<Person>,
    options?: wire.CallOptions,
  ): Promise<PagePerson> {
    return this.#methods.collect.send(before, items, options);
  }

  /** Those who are sent and are between the two ages, both included. */
  between(
    youngest: number,
    oldest: number,
    items: Iterable<Person> | AsyncIterable<Person>,
    options?: wire.CallOptions,
  ): Promise<Person[]> {
    return this.#methods.between.send({ youngest, oldest }, items, options);
  }

  /** Sends back each shape that it's sent. */
  reshape(
    items: Iterable<Shape> | AsyncIterable<Shape>,
    options?: wire.StreamOptions,
  ): wire.Items<Shape> {
    return this.#methods.reshape.exchange(undefined, items, options);
  }

  /** A counter that begins there. */
  counter(start: bigint, options?: wire.CallOptions): Promise<Counter> {
    return this.#methods.counter.call(start, options);
  }

  /**
   * A counter that begins there.
   *
   * Blocks the loop until the plugin has answered.
   */
  counterSync(start: bigint, options?: wire.CallOptions): Counter {
    return this.#methods.counter.callSync(start, options);
  }

  /** Counters in a message: the first begins there, and the others at what follows. */
  counters(
    request: BigInt64Array,
    options?: wire.CallOptions,
  ): Promise<Counters> {
    return this.#methods.counters.call(request, options);
  }

  /**
   * Counters in a message: the first begins there, and the others at what follows.
   *
   * Blocks the loop until the plugin has answered.
   */
  countersSync(request: BigInt64Array, options?: wire.CallOptions): Counters {
    return this.#methods.counters.callSync(request, options);
  }

  /** Takes from one counter what it adds to another, and gives what both have then. */
  transfer(
    from: Counter,
    to: Counter,
    count: bigint,
    options?: wire.CallOptions,
  ): Promise<[bigint, bigint]> {
    return this.#methods.transfer.call({ from, to, count }, options);
  }

  /**
   * Takes from one counter what it adds to another, and gives what both have then.
   *
   * Blocks the loop until the plugin has answered.
   */
  transferSync(
    from: Counter,
    to: Counter,
    count: bigint,
    options?: wire.CallOptions,
  ): [bigint, bigint] {
    return this.#methods.transfer.callSync({ from, to, count }, options);
  }

  /** What counters have counted in all. */
  total(request: Counters, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.total.call(request, options);
  }

  /**
   * What counters have counted in all.
   *
   * Blocks the loop until the plugin has answered.
   */
  totalSync(request: Counters, options?: wire.CallOptions): bigint {
    return this.#methods.total.callSync(request, options);
  }

  /** The message of a random value, as bytes: what the method of that name takes and gives. */
  random(request: Random, options?: wire.CallOptions): Promise<Uint8Array> {
    return this.#methods.random.call(request, options);
  }

  /**
   * The message of a random value, as bytes: what the method of that name takes and gives.
   *
   * Blocks the loop until the plugin has answered.
   */
  randomSync(request: Random, options?: wire.CallOptions): Uint8Array {
    return this.#methods.random.callSync(request, options);
  }

  /** The methods that give back what they get, of which there are random values. */
  echoes(options?: wire.CallOptions): Promise<string[]> {
    return this.#methods.echoes.call(undefined, options);
  }

  /**
   * The methods that give back what they get, of which there are random values.
   *
   * Blocks the loop until the plugin has answered.
   */
  echoesSync(options?: wire.CallOptions): string[] {
    return this.#methods.echoes.callSync(undefined, options);
  }

  /** A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it. */
  asJson(
    method: string,
    message: Uint8Array,
    options?: wire.CallOptions,
  ): Promise<string | undefined> {
    return this.#methods.asJson.call({ method, message }, options);
  }

  /**
   * A message of what the method of that name takes and gives, as JSON. None if JSON has no form for it.
   *
   * Blocks the loop until the plugin has answered.
   */
  asJsonSync(
    method: string,
    message: Uint8Array,
    options?: wire.CallOptions,
  ): string | undefined {
    return this.#methods.asJson.callSync({ method, message }, options);
  }

  /** The message of what is JSON of what the method of that name takes and gives. */
  asMessage(
    method: string,
    json: string,
    options?: wire.CallOptions,
  ): Promise<Uint8Array> {
    return this.#methods.asMessage.call({ method, json }, options);
  }

  /**
   * The message of what is JSON of what the method of that name takes and gives.
   *
   * Blocks the loop until the plugin has answered.
   */
  asMessageSync(
    method: string,
    json: string,
    options?: wire.CallOptions,
  ): Uint8Array {
    return this.#methods.asMessage.callSync({ method, json }, options);
  }

  /** Asks the host's directory for somebody. */
  ask(name: string, options?: wire.CallOptions): Promise<Person | undefined> {
    return this.#methods.ask.call(name, options);
  }

  /**
   * Asks the host's directory for somebody.
   *
   * Blocks the loop until the plugin has answered.
   */
  askSync(name: string, options?: wire.CallOptions): Person | undefined {
    return this.#methods.ask.callSync(name, options);
  }

  /** The same, from an `async fn` that waits for the host without a thread. */
  askLater(name: string, options?: wire.CallOptions): Promise<Person> {
    return this.#methods.askLater.call(name, options);
  }

  /** How many there are in the host's directory. */
  askCount(options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.askCount.call(undefined, options);
  }

  /**
   * How many there are in the host's directory.
   *
   * Blocks the loop until the plugin has answered.
   */
  askCountSync(options?: wire.CallOptions): bigint {
    return this.#methods.askCount.callSync(undefined, options);
  }

  /** Has the host say how old people are, each by name. */
  askAges(
    people: Person[],
    options?: wire.CallOptions,
  ): Promise<Map<string, number>> {
    return this.#methods.askAges.call(people, options);
  }

  /**
   * Has the host say how old people are, each by name.
   *
   * Blocks the loop until the plugin has answered.
   */
  askAgesSync(
    people: Person[],
    options?: wire.CallOptions,
  ): Map<string, number> {
    return this.#methods.askAges.callSync(people, options);
  }
}

/** A `Counter` of the plugin's. It stands in messages like any value, and ends by `close`, or `using`. */
export class Counter {
  /** The object without its type. */
  readonly untyped: wire.PluginObject;
  readonly #methods: Methods;

  /** @internal */
  constructor(untyped: wire.PluginObject, methods: Methods) {
    this.untyped = untyped;
    this.#methods = methods;
  }

  /** Releases it: the plugin drops it as soon as no call uses it. */
  close(): void {
    this.untyped.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Adds, and gives the sum. */
  add(more: bigint, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.counterAdd.call(more, options, this.untyped);
  }

  /**
   * Adds, and gives the sum.
   *
   * Blocks the loop until the plugin has answered.
   */
  addSync(more: bigint, options?: wire.CallOptions): bigint {
    return this.#methods.counterAdd.callSync(more, options, this.untyped);
  }

  /** The same, from an `async fn`. */
  addLater(more: bigint, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.counterAddLater.call(more, options, this.untyped);
  }

  /**
   * Half of what was counted, if that's a number.
   *
   * May fail with a {@link OddFailure}.
   */
  half(options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.counterHalf.call(undefined, options, this.untyped);
  }

  /**
   * Half of what was counted, if that's a number.
   *
   * Blocks the loop until the plugin has answered.
   *
   * May fail with a {@link OddFailure}.
   */
  halfSync(options?: wire.CallOptions): bigint {
    return this.#methods.counterHalf.callSync(undefined, options, this.untyped);
  }

  /** Whether it's between two numbers, both included. */
  within(
    least: bigint,
    most: bigint,
    options?: wire.CallOptions,
  ): Promise<boolean> {
    return this.#methods.counterWithin.call(
      { least, most },
      options,
      this.untyped,
    );
  }

  /**
   * Whether it's between two numbers, both included.
   *
   * Blocks the loop until the plugin has answered.
   */
  withinSync(least: bigint, most: bigint, options?: wire.CallOptions): boolean {
    return this.#methods.counterWithin.callSync(
      { least, most },
      options,
      this.untyped,
    );
  }

  /** What was counted so far. */
  get(options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.counterGet.call(undefined, options, this.untyped);
  }

  /**
   * What was counted so far.
   *
   * Blocks the loop until the plugin has answered.
   */
  getSync(options?: wire.CallOptions): bigint {
    return this.#methods.counterGet.callSync(undefined, options, this.untyped);
  }

  /** Adds what another has counted, and gives the sum. */
  absorb(other: Counter, options?: wire.CallOptions): Promise<bigint> {
    return this.#methods.counterAbsorb.call(other, options, this.untyped);
  }

  /**
   * Adds what another has counted, and gives the sum.
   *
   * Blocks the loop until the plugin has answered.
   */
  absorbSync(other: Counter, options?: wire.CallOptions): bigint {
    return this.#methods.counterAbsorb.callSync(other, options, this.untyped);
  }

  /** The numbers from there up to before another. */
  upto(end: bigint, options?: wire.StreamOptions): wire.Items<bigint> {
    return this.#methods.counterUpto.stream(end, options, this.untyped);
  }

  /** Counts those who are sent. */
  admit(
    items: Iterable<Person> | AsyncIterable<Person>,
    options?: wire.CallOptions,
  ): Promise<bigint> {
    return this.#methods.counterAdmit.send(
      undefined,
      items,
      options,
      this.untyped,
    );
  }
}

/**
 * `directory`: what the plugin asks of its host.
 *
 * What a function throws is told to the plugin. One that gives a promise is for calls that give one.
 */
export interface Directory {
  /** Who is called so, if anybody is. */
  find(
    name: string,
    call: wire.ServiceCall,
  ): Person | undefined | PromiseLike<Person | undefined>;
  /** The same, of somebody who is there; fails with `NOT_FOUND` otherwise. */
  fetch(name: string, call: wire.ServiceCall): Person | PromiseLike<Person>;
  /** How many there are. */
  count(call: wire.ServiceCall): bigint | PromiseLike<bigint>;
}

/**
 * `ages`: what the plugin asks of its host.
 *
 * What a function throws is told to the plugin. One that gives a promise is for calls that give one.
 */
export interface Ages {
  /** Of each by name. */
  of(
    people: Person[],
    call: wire.ServiceCall,
  ): Map<string, number> | PromiseLike<Map<string, number>>;
}

/** What the plugin asks of its host: to be given when it's loaded. */
export interface Services {
  directory?: Directory | undefined;
  ages?: Ages | undefined;
}

/** A call has failed with a {@link SearchError}, which is its `reason`. */
export class SearchFailure extends wire.Failure<SearchError> {}

/** A call has failed with a {@link Refused}, which is its `reason`. */
export class RefusedFailure extends wire.Failure<Refused> {}

/** A call has failed with a {@link PowerError}, which is its `reason`. */
export class PowerFailure extends wire.Failure<PowerError> {}

/** A call has failed with a {@link Odd}, which is its `reason`. */
export class OddFailure extends wire.Failure<Odd> {}

/** The methods, made ready. */
class Methods {
  readonly every: wire.TypedMethod<Every, Every>;
  readonly numbers: wire.TypedMethod<Numbers, Numbers>;
  readonly texts: wire.TypedMethod<Texts, Texts>;
  readonly times: wire.TypedMethod<Times, Times>;
  readonly lists: wire.TypedMethod<Lists, Lists>;
  readonly pairs: wire.TypedMethod<Pairs, Pairs>;
  readonly person: wire.TypedMethod<Person, Person>;
  readonly people: wire.TypedMethod<PagePerson, PagePerson>;
  readonly shape: wire.TypedMethod<Shape, Shape>;
  readonly color: wire.TypedMethod<Color, Color>;
  readonly mood: wire.TypedMethod<Mood, Mood>;
  readonly events: wire.TypedMethod<Event[], Event[]>;
  readonly tagged: wire.TypedMethod<Tagged, Tagged>;
  readonly untagged: wire.TypedMethod<Untagged, Untagged>;
  readonly expr: wire.TypedMethod<Expr, Expr>;
  readonly tree: wire.TypedMethod<Tree, Tree>;
  readonly samples: wire.TypedMethod<Samples, Samples>;
  readonly point: wire.TypedMethod<Point, Point>;
  readonly celsius: wire.TypedMethod<Celsius, Celsius>;
  readonly foreign: wire.TypedMethod<Foreign, Foreign>;
  readonly bounded: wire.TypedMethod<Bounded, Bounded>;
  readonly unit: wire.TypedMethod<Unit, Unit>;
  readonly defaults: wire.TypedMethod<Defaults, Defaults>;
  readonly renamed: wire.TypedMethod<RenamedRecord, RenamedRecord>;
  readonly any: wire.TypedMethod<wire.Dynamic, wire.Dynamic>;
  readonly doubles: wire.TypedMethod<Float64Array, Float64Array>;
  readonly map: wire.TypedMethod<Map<string, Person>, Map<string, Person>>;
  readonly maybe: wire.TypedMethod<Person | undefined, Person | undefined>;
  readonly tuple: wire.TypedMethod<
    [number, string, boolean | undefined],
    [number, string, boolean | undefined]
  >;
  readonly duration: wire.TypedMethod<bigint, bigint>;
  readonly timestamp: wire.TypedMethod<bigint, bigint>;
  readonly length: wire.TypedMethod<string, bigint>;
  readonly oldest: wire.TypedMethod<PagePerson, Person | undefined>;
  readonly area: wire.TypedMethod<Shape, number>;
  readonly part: wire.TypedMethod<PartParameters, string>;
  readonly several: wire.TypedMethod<
    SeveralParameters,
    [
      Person,
      string[],
      Float64Array,
      Color,
      Uint8Array,
      wire.Dynamic | undefined,
    ]
  >;
  readonly cut: wire.TypedMethod<CutParameters, [Piece, Uint8Array]>;
  readonly cutLater: wire.TypedMethod<CutLaterParameters, [Piece, Uint8Array]>;
  readonly hex: wire.TypedMethod<Uint8Array, string>;
  readonly hexLater: wire.TypedMethod<Uint8Array, string>;
  readonly unhex: wire.TypedMethod<string, Uint8Array>;
  readonly nonzero: wire.TypedMethod<Uint8Array, bigint>;
  readonly magic: wire.TypedMethod<undefined, Uint8Array>;
  readonly aged: wire.TypedMethod<AgedParameters, Person>;
  readonly steps: wire.TypedMethod<StepsParameters, bigint>;
  readonly later: wire.TypedMethod<Person, Person>;
  readonly search: wire.TypedMethod<SearchParameters, Person>;
  readonly searchLater: wire.TypedMethod<SearchLaterParameters, Person>;
  readonly paint: wire.TypedMethod<PaintParameters, Color>;
  readonly power: wire.TypedMethod<boolean, undefined>;
  readonly repeat: wire.TypedMethod<Repeat, Person>;
  readonly collect: wire.TypedSending<bigint, Person, PagePerson>;
  readonly between: wire.TypedSending<BetweenParameters, Person, Person[]>;
  readonly reshape: wire.TypedSending<undefined, Shape, Shape>;
  readonly counter: wire.TypedMethod<bigint, Counter>;
  readonly counters: wire.TypedMethod<BigInt64Array, Counters>;
  readonly transfer: wire.TypedMethod<TransferParameters, [bigint, bigint]>;
  readonly total: wire.TypedMethod<Counters, bigint>;
  readonly random: wire.TypedMethod<Random, Uint8Array>;
  readonly echoes: wire.TypedMethod<undefined, string[]>;
  readonly asJson: wire.TypedMethod<AsJsonParameters, string | undefined>;
  readonly asMessage: wire.TypedMethod<AsMessageParameters, Uint8Array>;
  readonly ask: wire.TypedMethod<string, Person | undefined>;
  readonly askLater: wire.TypedMethod<string, Person>;
  readonly askCount: wire.TypedMethod<undefined, bigint>;
  readonly askAges: wire.TypedMethod<Person[], Map<string, number>>;
  readonly counterAdd: wire.TypedMethod<bigint, bigint>;
  readonly counterAddLater: wire.TypedMethod<bigint, bigint>;
  readonly counterHalf: wire.TypedMethod<undefined, bigint>;
  readonly counterWithin: wire.TypedMethod<CounterWithinParameters, boolean>;
  readonly counterGet: wire.TypedMethod<undefined, bigint>;
  readonly counterAbsorb: wire.TypedMethod<Counter, bigint>;
  readonly counterUpto: wire.TypedMethod<bigint, bigint>;
  readonly counterAdmit: wire.TypedSending<undefined, Person, bigint>;

  constructor(plugin: wire.Plugin) {
    this.every = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "every",
      "ca824bfa182bedb60ba5827fb6308d6e",
      everyCodec,
      everyCodec,
    );
    this.numbers = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "numbers",
      "4c00d487d36e0c59a73b8f6f78292929",
      numbersCodec,
      numbersCodec,
    );
    this.texts = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "texts",
      "f88372bd7465d1c1c7d58abd1ba2fc5c",
      textsCodec,
      textsCodec,
    );
    this.times = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "times",
      "759fab40f0cf85db3f027917f24af2a3",
      timesCodec,
      timesCodec,
    );
    this.lists = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "lists",
      "e19f0e80f700832db2772a6cebd4c2f9",
      listsCodec,
      listsCodec,
    );
    this.pairs = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "pairs",
      "18381038fd3cc6739c4df9d0db6d3a7d",
      pairsCodec,
      pairsCodec,
    );
    this.person = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "person",
      "bf3ed839822e0baaebc306432086a7e1",
      personCodec,
      personCodec,
    );
    this.people = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "people",
      "f14e879221aba66dd32dea1fdcfa3fb5",
      pagePersonCodec,
      pagePersonCodec,
    );
    this.shape = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "shape",
      "7dd99669087d218bd07d831ce8f12470",
      shapeCodec,
      shapeCodec,
    );
    this.color = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "color",
      "41b0fa431237ac990a79a870076aaf7c",
      colorCodec,
      colorCodec,
    );
    this.mood = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "mood",
      "c7593193ffab90a84e3ba13d65bed81c",
      moodCodec,
      moodCodec,
    );
    this.events = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "events",
      "d65898177d1e2e1c69ffb73dff3d77c5",
      listOfEvent,
      listOfEvent,
    );
    this.tagged = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "tagged",
      "d183e5861f8334a67d13ead1ac5a65ee",
      taggedCodec,
      taggedCodec,
    );
    this.untagged = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "untagged",
      "718a4fb1dd49ba198222d869932671e5",
      untaggedCodec,
      untaggedCodec,
    );
    this.expr = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "expr",
      "2acb38bc4a1b629a4f7e7c75e5c6e069",
      exprCodec,
      exprCodec,
    );
    this.tree = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "tree",
      "1b32e93a62fd0d6845338c23d026910b",
      treeCodec,
      treeCodec,
    );
    this.samples = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "samples",
      "d32918079018f2eb6cbcb959e09e2f43",
      samplesCodec,
      samplesCodec,
    );
    this.point = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "point",
      "d3685ef2581bf9f8d96fec9587f3b77d",
      pointCodec,
      pointCodec,
    );
    this.celsius = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "celsius",
      "bbb0e9b3fd7d5e6c0b909b89a85f4205",
      celsiusCodec,
      celsiusCodec,
    );
    this.foreign = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "foreign",
      "56e4cbbe19262184ba148eac03db284a",
      foreignCodec,
      foreignCodec,
    );
    this.bounded = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "bounded",
      "7c6bbada5d2a999a2d983e79286f5088",
      boundedCodec,
      boundedCodec,
    );
    this.unit = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "unit",
      "efe1320e7176f8cf27172bff57e25aff",
      unitCodec,
      unitCodec,
    );
    this.defaults = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "defaults",
      "66282979899cf160bb6e43954fc52c0f",
      defaultsCodec,
      defaultsCodec,
    );
    this.renamed = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "renamed",
      "cd7a190ba7eaee824e01233294ed8356",
      renamedRecordCodec,
      renamedRecordCodec,
    );
    this.any = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "any",
      "e116563f03bc7feddab9216a0bc693c1",
      wire.any,
      wire.any,
    );
    this.doubles = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "doubles",
      "d44b8782b9348016131b260d1783fb49",
      wire.f64s.list,
      wire.f64s.list,
    );
    this.map = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "map",
      "bd80e829cf3e3e21e657d21ed56285e0",
      mapOfTextToPerson,
      mapOfTextToPerson,
    );
    this.maybe = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "maybe",
      "e55140d6969ffe47e3a827a8c8f5ce45",
      optionOfPerson,
      optionOfPerson,
    );
    this.tuple = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "tuple",
      "593596a45d2ec29ab4f2a45d17290d83",
      tupleOfU8AndTextAndOptionOfBool,
      tupleOfU8AndTextAndOptionOfBool,
    );
    this.duration = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "duration",
      "5b51c10a63ab70b8f53e1fee16d44cf8",
      wire.duration,
      wire.duration,
    );
    this.timestamp = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "timestamp",
      "da29a74c3d7ce4896a3f7ee7e36078cd",
      wire.timestamp,
      wire.timestamp,
    );
    this.length = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "length",
      "29a4c753bb3d9001ad03363342f2e79e",
      wire.text,
      wire.u64,
    );
    this.oldest = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "oldest",
      "27736f54a864a27897c6d5ebb84f2e69",
      pagePersonCodec,
      optionOfPerson,
    );
    this.area = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "area",
      "10fa9364fd14754d19ec9cfc884b1aee",
      shapeCodec,
      wire.f64,
    );
    this.part = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "part",
      "49b2a515f36339c8aeefffe631da8210",
      partParametersCodec,
      wire.text,
    );
    this.several = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "several",
      "2c711d105bbe29f023c874e10eb3de37",
      severalParametersCodec,
      codec1,
    );
    this.cut = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "cut",
      "f109d30b882069b16d0bb09ae313168b",
      cutParametersCodec,
      tupleOfPieceAndBlob,
    );
    this.cutLater = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "cut_later",
      "f109d30b882069b16d0bb09ae313168b",
      cutLaterParametersCodec,
      tupleOfPieceAndBlob,
    );
    this.hex = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "hex",
      "10cb7552ba6e2ec516f8450ac1f6a7a5",
      wire.rawBlob,
      wire.rawText,
    );
    this.hexLater = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "hex_later",
      "10cb7552ba6e2ec516f8450ac1f6a7a5",
      wire.rawBlob,
      wire.rawText,
    );
    this.unhex = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "unhex",
      "dd541130f82a84c26844095adfda7f83",
      wire.rawText,
      wire.rawBlob,
    );
    this.nonzero = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "nonzero",
      "e9b43b29874d38f68f29d0a28f57d5bf",
      wire.blob,
      wire.u64,
    );
    this.magic = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "magic",
      "aaee54f20060ca765edf811e8ff746d2",
      wire.unit,
      wire.rawBlob,
    );
    this.aged = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "aged",
      "d96d8c5aa18abd34800b0a70277f1ae2",
      agedParametersCodec,
      personCodec,
    );
    this.steps = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "steps",
      "1b06f93494936b12245b3525a5416d28",
      stepsParametersCodec,
      wire.i64,
    );
    this.later = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "later",
      "bf3ed839822e0baaebc306432086a7e1",
      personCodec,
      personCodec,
    );
    this.search = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "search",
      "377cf8857cffb751b1732bbeb1aeff0f",
      searchParametersCodec,
      personCodec,
      { raise: wire.fails(SearchFailure, searchErrorCodec) },
    );
    this.searchLater = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "search_later",
      "377cf8857cffb751b1732bbeb1aeff0f",
      searchLaterParametersCodec,
      personCodec,
      { raise: wire.fails(SearchFailure, searchErrorCodec) },
    );
    this.paint = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "paint",
      "25003722c2e6315d90b231f2ef4a2cc4",
      paintParametersCodec,
      colorCodec,
      { raise: wire.fails(RefusedFailure, refusedCodec) },
    );
    this.power = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "power",
      "71c789d18f4d57dd20031e0341cc4e32",
      wire.bool,
      wire.unit,
      { raise: wire.fails(PowerFailure, powerErrorCodec) },
    );
    this.repeat = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "repeat",
      "5d483719156dbc996277632b762e9e80",
      repeatCodec,
      personCodec,
    );
    this.collect = new wire.TypedSending(
      plugin,
      CONTRACT,
      "collect",
      "9ecb7e607fb9abcc14f7aaceebb02e7d",
      wire.u64,
      personCodec,
      pagePersonCodec,
    );
    this.between = new wire.TypedSending(
      plugin,
      CONTRACT,
      "between",
      "a12f06887f3b47a6ce5e6834928668cb",
      betweenParametersCodec,
      personCodec,
      listOfPerson,
    );
    this.reshape = new wire.TypedSending(
      plugin,
      CONTRACT,
      "reshape",
      "ae31d0880dfdf7df69b6bc48314151a2",
      wire.unit,
      shapeCodec,
      shapeCodec,
    );
    this.counter = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "counter",
      "ec165d6c610f39aed01abe986f716064",
      wire.i64,
      counterCodec,
      { client: this },
    );
    this.counters = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "counters",
      "0c9a8d1e116aa5d0e6d14e357b9752e9",
      wire.i64s.list,
      countersCodec,
      { client: this },
    );
    this.transfer = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "transfer",
      "eb6c227ff27443abe958f364eab77261",
      transferParametersCodec,
      tupleOfI64AndI64,
      { client: this },
    );
    this.total = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "total",
      "f2acd3684f438c86832c55e8e71f58bc",
      countersCodec,
      wire.i64,
      { client: this },
    );
    this.random = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "random",
      "ccb9b9bd0e5b808e3d420a428a74d812",
      randomCodec,
      wire.blob,
    );
    this.echoes = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "echoes",
      "c41bde01320ce5cd4796aa1e16c9a8d1",
      wire.unit,
      listOfText,
    );
    this.asJson = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "as_json",
      "28b4afe73c3e42654fdae474fcc8d1ef",
      asJsonParametersCodec,
      optionOfText,
    );
    this.asMessage = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "as_message",
      "a631c2c1bd71fff75d95c1c158d6a176",
      asMessageParametersCodec,
      wire.blob,
    );
    this.ask = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "ask",
      "9886e54c7f570a55f5e6a4bfb4215684",
      wire.text,
      optionOfPerson,
    );
    this.askLater = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "ask_later",
      "cde246a1db3f86a4b1b380d84fb0d082",
      wire.text,
      personCodec,
    );
    this.askCount = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "ask_count",
      "63b26b9256268d2492d152d819049261",
      wire.unit,
      wire.u64,
    );
    this.askAges = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "ask_ages",
      "b83cfeffed46a49b7a9b78755f51cd1c",
      listOfPerson,
      mapOfTextToU32,
    );
    this.counterAdd = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.add",
      "570fd8a0f9600afe5dc59cb60cafc18c",
      wire.i64,
      wire.i64,
    );
    this.counterAddLater = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.add_later",
      "570fd8a0f9600afe5dc59cb60cafc18c",
      wire.i64,
      wire.i64,
    );
    this.counterHalf = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.half",
      "34231d9746f76ea5b3c09c28aa21b1cd",
      wire.unit,
      wire.i64,
      { raise: wire.fails(OddFailure, oddCodec) },
    );
    this.counterWithin = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.within",
      "e3728e4d27cafb7e29610055d6936f17",
      counterWithinParametersCodec,
      wire.bool,
    );
    this.counterGet = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.get",
      "0623d9bd222f675fe8a051ce992515af",
      wire.unit,
      wire.i64,
    );
    this.counterAbsorb = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.absorb",
      "fa16e2261cd04f529e96258df45a24a3",
      counterCodec,
      wire.i64,
      { client: this },
    );
    this.counterUpto = new wire.TypedMethod(
      plugin,
      CONTRACT,
      "Counter.upto",
      "6f4048bc7dae2eeaf52f29717bb4eb05",
      wire.i64,
      wire.i64,
    );
    this.counterAdmit = new wire.TypedSending(
      plugin,
      CONTRACT,
      "Counter.admit",
      "685f995b1f52ce252fe62469410e15da",
      wire.unit,
      personCodec,
      wire.i64,
    );
  }
}

function serving(
  options: wire.LoadOptions,
  host: Services | undefined,
): wire.LoadOptions {
  const all: wire.Served[] = [];
  const directory = host?.directory;
  if (directory !== undefined) {
    all.push(
      wire.served(
        "directory.find",
        (request, call) => directory.find(request, call),
        wire.text,
        optionOfPerson,
      ),
    );
    all.push(
      wire.served(
        "directory.fetch",
        (request, call) => directory.fetch(request, call),
        wire.text,
        personCodec,
      ),
    );
    all.push(
      wire.served(
        "directory.count",
        (_, call) => directory.count(call),
        wire.unit,
        wire.u64,
      ),
    );
  }
  const ages = host?.ages;
  if (ages !== undefined) {
    all.push(
      wire.served(
        "ages.of",
        (request, call) => ages.of(request, call),
        listOfPerson,
        mapOfTextToU32,
      ),
    );
  }
  return wire.serving(options, CONTRACT, all);
}

/** What this was written from, to be compared with the plugin. */
const CONTRACT = [
  '{"methods":[{"entries":[{"arguments":false,"encoding":"wire","error":n',
  'ull,"index":6,"items":null,"kind":"unary","parameter":"request","recei',
  'ver":"","request":{"type":{"ref":0}},"response":{"type":{"ref":0}}}],"',
  'name":"every"},{"entries":[{"arguments":false,"encoding":"wire","error',
  '":null,"index":13,"items":null,"kind":"unary","parameter":"request","r',
  'eceiver":"","request":{"type":{"ref":1}},"response":{"type":{"ref":1}}',
  '}],"name":"numbers"},{"entries":[{"arguments":false,"encoding":"wire",',
  '"error":null,"index":20,"items":null,"kind":"unary","parameter":"reque',
  'st","receiver":"","request":{"type":{"ref":2}},"response":{"type":{"re',
  'f":2}}}],"name":"texts"},{"entries":[{"arguments":false,"encoding":"wi',
  're","error":null,"index":27,"items":null,"kind":"unary","parameter":"r',
  'equest","receiver":"","request":{"type":{"ref":3}},"response":{"type":',
  '{"ref":3}}}],"name":"times"},{"entries":[{"arguments":false,"encoding"',
  ':"wire","error":null,"index":34,"items":null,"kind":"unary","parameter',
  '":"request","receiver":"","request":{"type":{"ref":4}},"response":{"ty',
  'pe":{"ref":4}}}],"name":"lists"},{"entries":[{"arguments":false,"encod',
  'ing":"wire","error":null,"index":41,"items":null,"kind":"unary","param',
  'eter":"request","receiver":"","request":{"type":{"ref":7}},"response":',
  '{"type":{"ref":7}}}],"name":"pairs"},{"entries":[{"arguments":false,"e',
  'ncoding":"wire","error":null,"index":48,"items":null,"kind":"unary","p',
  'arameter":"request","receiver":"","request":{"type":{"ref":5}},"respon',
  'se":{"type":{"ref":5}}}],"name":"person"},{"entries":[{"arguments":fal',
  'se,"encoding":"wire","error":null,"index":55,"items":null,"kind":"unar',
  'y","parameter":"request","receiver":"","request":{"type":{"ref":11}},"',
  'response":{"type":{"ref":11}}}],"name":"people"},{"entries":[{"argumen',
  'ts":false,"encoding":"wire","error":null,"index":62,"items":null,"kind',
  '":"unary","parameter":"request","receiver":"","request":{"type":{"ref"',
  ':13}},"response":{"type":{"ref":13}}}],"name":"shape"},{"entries":[{"a',
  'rguments":false,"encoding":"wire","error":null,"index":69,"items":null',
  ',"kind":"unary","parameter":"request","receiver":"","request":{"type":',
  '{"ref":8}},"response":{"type":{"ref":8}}}],"name":"color"},{"entries":',
  '[{"arguments":false,"encoding":"wire","error":null,"index":76,"items":',
  'null,"kind":"unary","parameter":"request","receiver":"","request":{"ty',
  'pe":{"ref":24}},"response":{"type":{"ref":24}}}],"name":"mood"},{"entr',
  'ies":[{"arguments":false,"encoding":"wire","error":null,"index":83,"it',
  'ems":null,"kind":"unary","parameter":"request","receiver":"","request"',
  ':{"type":{"list":{"ref":25}}},"response":{"type":{"list":{"ref":25}}}}',
  '],"name":"events"},{"entries":[{"arguments":false,"encoding":"wire","e',
  'rror":null,"index":90,"items":null,"kind":"unary","parameter":"request',
  '","receiver":"","request":{"type":{"ref":14}},"response":{"type":{"ref',
  '":14}}}],"name":"tagged"},{"entries":[{"arguments":false,"encoding":"w',
  'ire","error":null,"index":97,"items":null,"kind":"unary","parameter":"',
  'request","receiver":"","request":{"type":{"ref":15}},"response":{"type',
  '":{"ref":15}}}],"name":"untagged"},{"entries":[{"arguments":false,"enc',
  'oding":"wire","error":null,"index":104,"items":null,"kind":"unary","pa',
  'rameter":"request","receiver":"","request":{"type":{"ref":16}},"respon',
  'se":{"type":{"ref":16}}}],"name":"expr"},{"entries":[{"arguments":fals',
  'e,"encoding":"wire","error":null,"index":111,"items":null,"kind":"unar',
  'y","parameter":"request","receiver":"","request":{"type":{"ref":17}},"',
  'response":{"type":{"ref":17}}}],"name":"tree"},{"entries":[{"arguments',
  '":false,"encoding":"wire","error":null,"index":118,"items":null,"kind"',
  ':"unary","parameter":"request","receiver":"","request":{"type":{"ref":',
  '18}},"response":{"type":{"ref":18}}}],"name":"samples"},{"entries":[{"',
  'arguments":false,"encoding":"wire","error":null,"index":125,"items":nu',
  'll,"kind":"unary","parameter":"request","receiver":"","request":{"type',
  '":{"ref":6}},"response":{"type":{"ref":6}}}],"name":"point"},{"entries',
  '":[{"arguments":false,"encoding":"wire","error":null,"index":132,"item',
  's":null,"kind":"unary","parameter":"request","receiver":"","request":{',
  '"type":{"ref":20}},"response":{"type":{"ref":20}}}],"name":"celsius"},',
  '{"entries":[{"arguments":false,"encoding":"wire","error":null,"index":',
  '139,"items":null,"kind":"unary","parameter":"request","receiver":"","r',
  'equest":{"type":{"ref":9}},"response":{"type":{"ref":9}}}],"name":"for',
  'eign"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"',
  'index":146,"items":null,"kind":"unary","parameter":"request","receiver',
  '":"","request":{"type":{"ref":26}},"response":{"type":{"ref":26}}}],"n',
  'ame":"bounded"},{"entries":[{"arguments":false,"encoding":"wire","erro',
  'r":null,"index":153,"items":null,"kind":"unary","parameter":"request",',
  '"receiver":"","request":{"type":{"ref":21}},"response":{"type":{"ref":',
  '21}}}],"name":"unit"},{"entries":[{"arguments":false,"encoding":"wire"',
  ',"error":null,"index":160,"items":null,"kind":"unary","parameter":"req',
  'uest","receiver":"","request":{"type":{"ref":22}},"response":{"type":{',
  '"ref":22}}}],"name":"defaults"},{"entries":[{"arguments":false,"encodi',
  'ng":"wire","error":null,"index":167,"items":null,"kind":"unary","param',
  'eter":"request","receiver":"","request":{"type":{"ref":23}},"response"',
  ':{"type":{"ref":23}}}],"name":"renamed"},{"entries":[{"arguments":fals',
  'e,"encoding":"wire","error":null,"index":174,"items":null,"kind":"unar',
  'y","parameter":"request","receiver":"","request":{"type":"any"},"respo',
  'nse":{"type":"any"}}],"name":"any"},{"entries":[{"arguments":false,"en',
  'coding":"wire","error":null,"index":181,"items":null,"kind":"unary","p',
  'arameter":"request","receiver":"","request":{"type":{"list":"f64"}},"r',
  'esponse":{"type":{"list":"f64"}}}],"name":"doubles"},{"entries":[{"arg',
  'uments":false,"encoding":"wire","error":null,"index":188,"items":null,',
  '"kind":"unary","parameter":"request","receiver":"","request":{"type":{',
  '"map":["string",{"ref":5}]}},"response":{"type":{"map":["string",{"ref',
  '":5}]}}}],"name":"map"},{"entries":[{"arguments":false,"encoding":"wir',
  'e","error":null,"index":195,"items":null,"kind":"unary","parameter":"r',
  'equest","receiver":"","request":{"type":{"option":{"ref":5}}},"respons',
  'e":{"type":{"option":{"ref":5}}}}],"name":"maybe"},{"entries":[{"argum',
  'ents":false,"encoding":"wire","error":null,"index":202,"items":null,"k',
  'ind":"unary","parameter":"request","receiver":"","request":{"type":{"t',
  'uple":["u8","string",{"option":"bool"}]}},"response":{"type":{"tuple":',
  '["u8","string",{"option":"bool"}]}}}],"name":"tuple"},{"entries":[{"ar',
  'guments":false,"encoding":"wire","error":null,"index":209,"items":null',
  ',"kind":"unary","parameter":"request","receiver":"","request":{"type":',
  '"duration"},"response":{"type":"duration"}}],"name":"duration"},{"entr',
  'ies":[{"arguments":false,"encoding":"wire","error":null,"index":216,"i',
  'tems":null,"kind":"unary","parameter":"request","receiver":"","request',
  '":{"type":"timestamp"},"response":{"type":"timestamp"}}],"name":"times',
  'tamp"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"',
  'index":223,"items":null,"kind":"unary","parameter":"request","receiver',
  '":"","request":{"type":"string"},"response":{"type":"u64"}}],"name":"l',
  'ength"},{"entries":[{"arguments":false,"encoding":"wire","error":null,',
  '"index":230,"items":null,"kind":"unary","parameter":"request","receive',
  'r":"","request":{"type":{"ref":11}},"response":{"type":{"option":{"ref',
  '":5}}}}],"name":"oldest"},{"entries":[{"arguments":false,"encoding":"w',
  'ire","error":null,"index":237,"items":null,"kind":"unary","parameter":',
  '"request","receiver":"","request":{"type":{"ref":13}},"response":{"typ',
  'e":"f64"}}],"name":"area"},{"entries":[{"arguments":true,"encoding":"w',
  'ire","error":null,"index":244,"items":null,"kind":"unary","parameter":',
  '"","receiver":"","request":{"type":{"ref":27}},"response":{"type":"str',
  'ing"}}],"name":"part"},{"entries":[{"arguments":true,"encoding":"wire"',
  ',"error":null,"index":251,"items":null,"kind":"unary","parameter":"","',
  'receiver":"","request":{"type":{"ref":28}},"response":{"type":{"tuple"',
  ':[{"ref":5},{"list":"string"},{"list":"f64"},{"ref":8},"bytes",{"optio',
  'n":"any"}]}}}],"name":"several"},{"entries":[{"arguments":true,"encodi',
  'ng":"wire","error":null,"index":258,"items":null,"kind":"unary","param',
  'eter":"","receiver":"","request":{"type":{"ref":29}},"response":{"type',
  '":{"tuple":[{"ref":31},"bytes"]}}}],"name":"cut"},{"entries":[{"argume',
  'nts":true,"encoding":"wire","error":null,"index":265,"items":null,"kin',
  'd":"unary","parameter":"","receiver":"","request":{"type":{"ref":32}},',
  '"response":{"type":{"tuple":[{"ref":31},"bytes"]}}}],"name":"cut_later',
  '"},{"entries":[{"arguments":false,"encoding":"raw","error":null,"index',
  '":267,"items":null,"kind":"unary","parameter":"data","receiver":"","re',
  'quest":{"type":"bytes"},"response":{"type":"string"}}],"name":"hex"},{',
  '"entries":[{"arguments":false,"encoding":"raw","error":null,"index":27',
  '4,"items":null,"kind":"unary","parameter":"data","receiver":"","reques',
  't":{"type":"bytes"},"response":{"type":"string"}}],"name":"hex_later"}',
  ',{"entries":[{"arguments":false,"encoding":"raw","error":null,"index":',
  '281,"items":null,"kind":"unary","parameter":"digits","receiver":"","re',
  'quest":{"type":"string"},"response":{"type":"bytes"}}],"name":"unhex"}',
  ',{"entries":[{"arguments":false,"encoding":"wire","error":null,"index"',
  ':293,"items":null,"kind":"unary","parameter":"data","receiver":"","req',
  'uest":{"type":"bytes"},"response":{"type":"u64"}}],"name":"nonzero"},{',
  '"entries":[{"arguments":false,"encoding":"raw","error":null,"index":29',
  '5,"items":null,"kind":"unary","parameter":"","receiver":"","request":{',
  '"type":"unit"},"response":{"type":"bytes"}}],"name":"magic"},{"entries',
  '":[{"arguments":true,"encoding":"wire","error":null,"index":307,"items',
  '":null,"kind":"unary","parameter":"","receiver":"","request":{"type":{',
  '"ref":33}},"response":{"type":{"ref":5}}}],"name":"aged"},{"entries":[',
  '{"arguments":true,"encoding":"wire","error":null,"index":314,"items":n',
  'ull,"kind":"server_stream","parameter":"","receiver":"","request":{"ty',
  'pe":{"ref":34}},"response":{"type":"i64"}}],"name":"steps"},{"entries"',
  ':[{"arguments":false,"encoding":"wire","error":null,"index":321,"items',
  '":null,"kind":"unary","parameter":"request","receiver":"","request":{"',
  'type":{"ref":5}},"response":{"type":{"ref":5}}}],"name":"later"},{"ent',
  'ries":[{"arguments":true,"encoding":"wire","error":{"type":{"ref":36}}',
  ',"index":328,"items":null,"kind":"unary","parameter":"","receiver":"",',
  '"request":{"type":{"ref":35}},"response":{"type":{"ref":5}}}],"name":"',
  'search"},{"entries":[{"arguments":true,"encoding":"wire","error":{"typ',
  'e":{"ref":36}},"index":335,"items":null,"kind":"unary","parameter":"",',
  '"receiver":"","request":{"type":{"ref":37}},"response":{"type":{"ref":',
  '5}}}],"name":"search_later"},{"entries":[{"arguments":true,"encoding":',
  '"wire","error":{"type":{"ref":39}},"index":342,"items":null,"kind":"un',
  'ary","parameter":"","receiver":"","request":{"type":{"ref":38}},"respo',
  'nse":{"type":{"ref":8}}}],"name":"paint"},{"entries":[{"arguments":fal',
  'se,"encoding":"wire","error":{"type":{"ref":40}},"index":349,"items":n',
  'ull,"kind":"unary","parameter":"request","receiver":"","request":{"typ',
  'e":"bool"},"response":{"type":"unit"}}],"name":"power"},{"entries":[{"',
  'arguments":false,"encoding":"wire","error":null,"index":356,"items":nu',
  'll,"kind":"server_stream","parameter":"request","receiver":"","request',
  '":{"type":{"ref":41}},"response":{"type":{"ref":5}}}],"name":"repeat"}',
  ',{"entries":[{"arguments":false,"encoding":"wire","error":null,"index"',
  ':363,"items":{"type":{"ref":5}},"kind":"client_stream","parameter":"be',
  'fore","receiver":"","request":{"type":"u64"},"response":{"type":{"ref"',
  ':11}}}],"name":"collect"},{"entries":[{"arguments":true,"encoding":"wi',
  're","error":null,"index":370,"items":{"type":{"ref":5}},"kind":"client',
  '_stream","parameter":"","receiver":"","request":{"type":{"ref":42}},"r',
  'esponse":{"type":{"list":{"ref":5}}}}],"name":"between"},{"entries":[{',
  '"arguments":false,"encoding":"wire","error":null,"index":377,"items":{',
  '"type":{"ref":13}},"kind":"bidi_stream","parameter":"","receiver":"","',
  'request":{"type":"unit"},"response":{"type":{"ref":13}}}],"name":"resh',
  'ape"},{"entries":[{"arguments":false,"encoding":"wire","error":null,"i',
  'ndex":384,"items":null,"kind":"unary","parameter":"start","receiver":"',
  '","request":{"type":"i64"},"response":{"type":{"object":"Counter"}}}],',
  '"name":"counter"},{"entries":[{"arguments":false,"encoding":"wire","er',
  'ror":null,"index":391,"items":null,"kind":"unary","parameter":"request',
  '","receiver":"","request":{"type":{"list":"i64"}},"response":{"type":{',
  '"ref":43}}}],"name":"counters"},{"entries":[{"arguments":true,"encodin',
  'g":"wire","error":null,"index":398,"items":null,"kind":"unary","parame',
  'ter":"","receiver":"","request":{"type":{"ref":44}},"response":{"type"',
  ':{"tuple":["i64","i64"]}}}],"name":"transfer"},{"entries":[{"arguments',
  '":false,"encoding":"wire","error":null,"index":405,"items":null,"kind"',
  ':"unary","parameter":"request","receiver":"","request":{"type":{"ref":',
  '43}},"response":{"type":"i64"}}],"name":"total"},{"entries":[{"argumen',
  'ts":false,"encoding":"wire","error":null,"index":412,"items":null,"kin',
  'd":"unary","parameter":"request","receiver":"","request":{"type":{"ref',
  '":45}},"response":{"type":"bytes"}}],"name":"random"},{"entries":[{"ar',
  'guments":false,"encoding":"wire","error":null,"index":419,"items":null',
  ',"kind":"unary","parameter":"","receiver":"","request":{"type":"unit"}',
  ',"response":{"type":{"list":"string"}}}],"name":"echoes"},{"entries":[',
  '{"arguments":true,"encoding":"wire","error":null,"index":426,"items":n',
  'ull,"kind":"unary","parameter":"","receiver":"","request":{"type":{"re',
  'f":46}},"response":{"type":{"option":"string"}}}],"name":"as_json"},{"',
  'entries":[{"arguments":true,"encoding":"wire","error":null,"index":433',
  ',"items":null,"kind":"unary","parameter":"","receiver":"","request":{"',
  'type":{"ref":47}},"response":{"type":"bytes"}}],"name":"as_message"},{',
  '"entries":[{"arguments":false,"encoding":"wire","error":null,"index":4',
  '40,"items":null,"kind":"unary","parameter":"name","receiver":"","reque',
  'st":{"type":"string"},"response":{"type":{"option":{"ref":5}}}}],"name',
  '":"ask"},{"entries":[{"arguments":false,"encoding":"wire","error":null',
  ',"index":447,"items":null,"kind":"unary","parameter":"name","receiver"',
  ':"","request":{"type":"string"},"response":{"type":{"ref":5}}}],"name"',
  ':"ask_later"},{"entries":[{"arguments":false,"encoding":"wire","error"',
  ':null,"index":454,"items":null,"kind":"unary","parameter":"","receiver',
  '":"","request":{"type":"unit"},"response":{"type":"u64"}}],"name":"ask',
  '_count"},{"entries":[{"arguments":false,"encoding":"wire","error":null',
  ',"index":461,"items":null,"kind":"unary","parameter":"people","receive',
  'r":"","request":{"type":{"list":{"ref":5}}},"response":{"type":{"map":',
  '["string","u32"]}}}],"name":"ask_ages"},{"entries":[{"arguments":false',
  ',"encoding":"wire","error":null,"index":468,"items":null,"kind":"unary',
  '","parameter":"more","receiver":"Counter","request":{"type":"i64"},"re',
  'sponse":{"type":"i64"}}],"name":"Counter.add"},{"entries":[{"arguments',
  '":false,"encoding":"wire","error":null,"index":475,"items":null,"kind"',
  ':"unary","parameter":"more","receiver":"Counter","request":{"type":"i6',
  '4"},"response":{"type":"i64"}}],"name":"Counter.add_later"},{"entries"',
  ':[{"arguments":false,"encoding":"wire","error":{"type":{"ref":48}},"in',
  'dex":482,"items":null,"kind":"unary","parameter":"","receiver":"Counte',
  'r","request":{"type":"unit"},"response":{"type":"i64"}}],"name":"Count',
  'er.half"},{"entries":[{"arguments":true,"encoding":"wire","error":null',
  ',"index":489,"items":null,"kind":"unary","parameter":"","receiver":"Co',
  'unter","request":{"type":{"ref":49}},"response":{"type":"bool"}}],"nam',
  'e":"Counter.within"},{"entries":[{"arguments":false,"encoding":"wire",',
  '"error":null,"index":496,"items":null,"kind":"unary","parameter":"","r',
  'eceiver":"Counter","request":{"type":"unit"},"response":{"type":"i64"}',
  '}],"name":"Counter.get"},{"entries":[{"arguments":false,"encoding":"wi',
  're","error":null,"index":503,"items":null,"kind":"unary","parameter":"',
  'other","receiver":"Counter","request":{"type":{"object":"Counter"}},"r',
  'esponse":{"type":"i64"}}],"name":"Counter.absorb"},{"entries":[{"argum',
  'ents":false,"encoding":"wire","error":null,"index":510,"items":null,"k',
  'ind":"server_stream","parameter":"end","receiver":"Counter","request":',
  '{"type":"i64"},"response":{"type":"i64"}}],"name":"Counter.upto"},{"en',
  'tries":[{"arguments":false,"encoding":"wire","error":null,"index":517,',
  '"items":{"type":{"ref":5}},"kind":"client_stream","parameter":"","rece',
  'iver":"Counter","request":{"type":"unit"},"response":{"type":"i64"}}],',
  '"name":"Counter.admit"}],"name":"types","services":[{"encoding":"wire"',
  ',"name":"directory.find","optional":true,"request":{"type":"string"},"',
  'response":{"type":{"option":{"ref":5}}}},{"encoding":"wire","name":"di',
  'rectory.fetch","optional":true,"request":{"type":"string"},"response":',
  '{"type":{"ref":5}}},{"encoding":"wire","name":"directory.count","optio',
  'nal":true,"request":{"type":"unit"},"response":{"type":"u64"}},{"encod',
  'ing":"wire","name":"ages.of","optional":true,"request":{"type":{"list"',
  ':{"ref":5}}},"response":{"type":{"map":["string","u32"]}}}],"types":[{',
  '"name":"Every","record":[{"name":"numbers","type":{"ref":1}},{"name":"',
  'texts","type":{"ref":2}},{"name":"times","type":{"ref":3}},{"name":"li',
  'sts","type":{"ref":4}},{"name":"pairs","type":{"ref":7}},{"name":"fore',
  'ign","type":{"ref":9}},{"name":"people","type":{"ref":11}},{"name":"wo',
  'rds","type":{"ref":12}},{"name":"color","type":{"ref":8}},{"name":"sha',
  'pe","type":{"ref":13}},{"name":"tagged","type":{"ref":14}},{"name":"un',
  'tagged","type":{"ref":15}},{"name":"expr","type":{"ref":16}},{"name":"',
  'tree","type":{"ref":17}},{"name":"samples","type":{"ref":18}},{"name":',
  '"celsius","type":{"ref":20}},{"name":"unit","type":{"ref":21}},{"name"',
  ':"defaults","type":{"ref":22}},{"name":"renamed","type":{"ref":23}},{"',
  'name":"any","type":"any"},{"name":"tuple","type":{"tuple":["u8","strin',
  'g",{"option":"bool"}]}}]},{"name":"Numbers","record":[{"name":"u8","ty',
  'pe":"u8"},{"name":"u16","type":"u16"},{"name":"u32","type":"u32"},{"na',
  'me":"u64","type":"u64"},{"name":"u128","type":"u128"},{"name":"i8","ty',
  'pe":"i8"},{"name":"i16","type":"i16"},{"name":"i32","type":"i32"},{"na',
  'me":"i64","type":"i64"},{"name":"i128","type":"i128"},{"name":"f32","t',
  'ype":"f32"},{"name":"f64","type":"f64"},{"name":"bool","type":"bool"},',
  '{"name":"char","type":"char"},{"name":"size","type":"u64"},{"name":"un',
  'it","type":"unit"}]},{"name":"Texts","record":[{"name":"text","type":"',
  'string"},{"name":"boxed","type":"string"},{"name":"maybe_bytes","type"',
  ':{"option":"bytes"}},{"name":"bytes","type":"bytes"},{"name":"maybe","',
  'type":{"option":"string"}}]},{"name":"Times","record":[{"name":"at","t',
  'ype":"timestamp"},{"name":"lasts","type":"duration"},{"name":"ends","t',
  'ype":{"option":"timestamp"}}]},{"name":"Lists","record":[{"name":"byte',
  's","type":"bytes"},{"name":"small","type":{"list":"i8"}},{"name":"numb',
  'ers","type":{"list":"u32"}},{"name":"doubles","type":{"list":"f64"}},{',
  '"name":"large","type":{"list":"i128"}},{"name":"bools","type":{"list":',
  '"bool"}},{"name":"texts","type":{"list":"string"}},{"name":"nested","t',
  'ype":{"list":{"list":"u16"}}},{"name":"fixed","type":{"array":["u32",3',
  ']}},{"name":"matrix","type":{"array":[{"array":["f64",2]},2]}},{"name"',
  ':"names","type":{"array":["string",2]}},{"name":"set","type":{"list":"',
  'u32"}},{"name":"people","type":{"list":{"ref":5}}},{"name":"points","t',
  'ype":{"list":{"ref":6}}},{"name":"sizes","type":{"list":"u64"}},{"name',
  '":"boxes","type":{"list":"f32"}},{"name":"chars","type":{"list":"char"',
  '}},{"name":"options","type":{"list":{"option":"u8"}}},{"name":"tuples"',
  ',"type":{"list":{"tuple":["u8","u32"]}}}]},{"name":"Person","record":[',
  '{"name":"name","type":"string"},{"name":"age","type":"u32"},{"name":"e',
  'mail","type":{"option":"string"}}]},{"name":"Point","pod":[{"name":"x"',
  ',"type":"f64"},{"name":"y","type":"f64"}]},{"name":"Pairs","record":[{',
  '"name":"by_name","type":{"map":["string","u32"]}},{"name":"by_number",',
  '"type":{"map":["i64","string"]}},{"name":"by_char","type":{"map":["cha',
  'r","bytes"]}},{"name":"by_color","type":{"map":[{"ref":8},{"ref":5}]}}',
  ',{"name":"hashed","type":{"map":["u16",{"option":"f32"}]}},{"name":"ne',
  'sted","type":{"map":["string",{"map":["u8","bool"]}]}}]},{"enum":{"var',
  'iants":[{"name":"red"},{"name":"green"},{"name":"dark_blue"}]},"name":',
  '"Color"},{"name":"Foreign","record":[{"name":"id","type":"uuid"},{"nam',
  'e":"parent","type":{"option":"uuid"}},{"name":"names","type":{"map":["',
  'uuid","string"]}},{"name":"made","type":"timestamp"},{"name":"took","t',
  'ype":"duration"},{"name":"seen","type":"timestamp"},{"name":"waits","t',
  'ype":{"list":"duration"}},{"name":"ends","type":{"option":"timestamp"}',
  '},{"name":"lasts","type":"duration"},{"name":"at","type":{"ref":10}},{',
  '"name":"others","type":{"map":["string",{"list":{"ref":10}}]}}]},{"nam',
  'e":"Endpoint","record":[{"name":"address","type":"string"},{"name":"po',
  'rt","type":"u16"}]},{"name":"PagePerson","record":[{"name":"items","ty',
  'pe":{"list":{"ref":5}}},{"name":"total","type":"u64"}]},{"name":"PageS',
  'tring","record":[{"name":"items","type":{"list":"string"}},{"name":"to',
  'tal","type":"u64"}]},{"enum":{"variants":[{"name":"Nothing"},{"fields"',
  ':[{"name":"radius","type":"f64"}],"name":"Circle"},{"name":"Polygon","',
  'tuple":[{"list":{"ref":6}}]}]},"name":"Shape"},{"enum":{"tag":{"inside',
  '":"kind"},"variants":[{"fields":[{"name":"atSecond","type":"u64"}],"na',
  'me":"started"},{"fields":[{"name":"toPlace","type":{"ref":6}},{"name":',
  '"howFast","type":{"option":"f32"}}],"name":"moved"},{"name":"stopped"}',
  ']},"name":"Tagged"},{"enum":{"tag":"none","variants":[{"name":"Number"',
  ',"tuple":["i64"]},{"name":"Text","tuple":["string"]},{"name":"Both","t',
  'uple":["i64","string"]}]},"name":"Untagged"},{"enum":{"variants":[{"na',
  'me":"Number","tuple":["f64"]},{"name":"Negated","tuple":[{"ref":16}]},',
  '{"name":"Sum","tuple":[{"ref":16},{"ref":16}]},{"fields":[{"name":"nam',
  'e","type":"string"},{"name":"arguments","type":{"list":{"ref":16}}}],"',
  'name":"Call"}]},"name":"Expr"},{"name":"Tree","record":[{"name":"name"',
  ',"type":"string"},{"name":"children","type":{"list":{"ref":17}}}]},{"n',
  'ame":"Samples","record":[{"name":"name","type":"string"},{"name":"firs',
  't","type":{"ref":19}},{"name":"all","type":{"list":{"ref":19}}},{"name',
  '":"pair","type":{"array":[{"ref":6},2]}}]},{"name":"Sample","pod":[{"n',
  'ame":"time","type":"u64"},{"name":"value","type":"f32"},{"name":"chann',
  'el","type":"u16"},{"name":"flags","type":{"array":["u8",2]}}]},{"name"',
  ':"Celsius","newtype":"f64"},{"name":"Unit","newtype":"unit"},{"name":"',
  'Defaults","record":[{"default":true,"name":"count","type":"u32"},{"def',
  'ault":true,"name":"name","type":"string"},{"default":true,"name":"list',
  '","type":"bytes"},{"default":true,"name":"maybe","type":{"option":"u64',
  '"}}]},{"name":"RenamedRecord","record":[{"name":"firstName","type":"st',
  'ring"},{"name":"type","type":{"ref":8}},{"name":"class","type":"u8"},{',
  '"flatten":true,"name":"person","type":{"ref":5}}]},{"enum":{"open":tru',
  'e,"variants":[{"name":"Calm"},{"name":"Glad"}]},"name":"Mood"},{"enum"',
  ':{"open":true,"variants":[{"name":"Came"},{"fields":[{"name":"others",',
  '"type":{"list":{"ref":5}}},{"name":"mood","type":{"ref":24}}],"name":"',
  'Met"},{"name":"Said","tuple":["string"]}]},"name":"Event"},{"name":"Bo',
  'unded","record":[{"name":"share","type":"u8"},{"name":"all","type":"by',
  'tes"}]},{"name":"PartParameters","record":[{"name":"text","type":"stri',
  'ng"},{"name":"start","type":"u32"},{"name":"count","type":{"option":"u',
  '32"}}]},{"name":"SeveralParameters","record":[{"name":"person","type":',
  '{"ref":5}},{"name":"nick_names","type":{"list":"string"}},{"name":"num',
  'bers","type":{"list":"f64"}},{"name":"type","type":{"ref":8}},{"name":',
  '"class","type":"bytes"},{"name":"self_","type":{"option":"any"}}]},{"n',
  'ame":"CutParameters","record":[{"name":"how","type":{"ref":30}},{"name',
  '":"data","type":"bytes"}]},{"name":"Cut","record":[{"name":"skip","typ',
  'e":"u32"},{"name":"times","type":"u32"}]},{"name":"Piece","record":[{"',
  'name":"length","type":"u64"},{"name":"first","type":{"option":"u8"}}]}',
  ',{"name":"CutLaterParameters","record":[{"name":"how","type":{"ref":30',
  '}},{"name":"data","type":"bytes"}]},{"name":"AgedParameters","record":',
  '[{"name":"person","type":{"ref":5}},{"name":"years","type":"u32"}]},{"',
  'name":"StepsParameters","record":[{"name":"first","type":"i64"},{"name',
  '":"last","type":"i64"},{"name":"step","type":"u32"}]},{"name":"SearchP',
  'arameters","record":[{"name":"name","type":"string"},{"name":"people",',
  '"type":{"list":{"ref":5}}}]},{"enum":{"variants":[{"fields":[{"name":"',
  'name","type":"string"},{"name":"similar","type":{"list":{"ref":5}}}],"',
  'name":"Nobody"},{"name":"Hidden"},{"name":"Crowd","tuple":["u64",{"lis',
  't":"f64"}]}]},"name":"SearchError"},{"name":"SearchLaterParameters","r',
  'ecord":[{"name":"name","type":"string"},{"name":"people","type":{"list',
  '":{"ref":5}}}]},{"name":"PaintParameters","record":[{"name":"color","t',
  'ype":{"ref":8}},{"name":"better","type":{"option":{"ref":8}}}]},{"name',
  '":"Refused","record":[{"name":"color","type":{"ref":8}},{"name":"bette',
  'r","type":{"option":{"ref":8}}}]},{"enum":{"variants":[{"name":"Out"}]',
  '},"name":"PowerError"},{"name":"Repeat","record":[{"name":"person","ty',
  'pe":{"ref":5}},{"name":"times","type":"u32"}]},{"name":"BetweenParamet',
  'ers","record":[{"name":"youngest","type":"u32"},{"name":"oldest","type',
  '":"u32"}]},{"name":"Counters","record":[{"name":"first","type":{"optio',
  'n":{"object":"Counter"}}},{"name":"others","type":{"list":{"object":"C',
  'ounter"}}},{"name":"name","type":"string"}]},{"name":"TransferParamete',
  'rs","record":[{"name":"from","type":{"object":"Counter"}},{"name":"to"',
  ',"type":{"object":"Counter"}},{"name":"count","type":"i64"}]},{"name":',
  '"Random","record":[{"name":"method","type":"string"},{"name":"seed","t',
  'ype":"u64"}]},{"name":"AsJsonParameters","record":[{"name":"method","t',
  'ype":"string"},{"name":"message","type":"bytes"}]},{"name":"AsMessageP',
  'arameters","record":[{"name":"method","type":"string"},{"name":"json",',
  '"type":"string"}]},{"name":"Odd","record":[{"name":"count","type":"i64',
  '"}]},{"name":"CounterWithinParameters","record":[{"name":"least","type',
  '":"i64"},{"name":"most","type":"i64"}]}],"version":"0.1.0"}',
].join("");

/** Writes and reads {@link Every}. */
export const everyCodec: wire.Codec<Every> = {
  least: 483,
  write(w, v) {
    w.check(v);
    w.enter();
    numbersCodec.write(w, v.numbers);
    textsCodec.write(w, v.texts);
    timesCodec.write(w, v.times);
    listsCodec.write(w, v.lists);
    pairsCodec.write(w, v.pairs);
    foreignCodec.write(w, v.foreign);
    pagePersonCodec.write(w, v.people);
    pageStringCodec.write(w, v.words);
    colorCodec.write(w, v.color);
    shapeCodec.write(w, v.shape);
    taggedCodec.write(w, v.tagged);
    untaggedCodec.write(w, v.untagged);
    exprCodec.write(w, v.expr);
    treeCodec.write(w, v.tree);
    samplesCodec.write(w, v.samples);
    celsiusCodec.write(w, v.celsius);
    unitCodec.write(w, v.unit);
    defaultsCodec.write(w, v.defaults);
    renamedRecordCodec.write(w, v.renamed);
    wire.any.write(w, v.any);
    tupleOfU8AndTextAndOptionOfBool.write(w, v.tuple);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Every = {
      numbers: numbersCodec.read(r),
      texts: textsCodec.read(r),
      times: timesCodec.read(r),
      lists: listsCodec.read(r),
      pairs: pairsCodec.read(r),
      foreign: foreignCodec.read(r),
      people: pagePersonCodec.read(r),
      words: pageStringCodec.read(r),
      color: colorCodec.read(r),
      shape: shapeCodec.read(r),
      tagged: taggedCodec.read(r),
      untagged: untaggedCodec.read(r),
      expr: exprCodec.read(r),
      tree: treeCodec.read(r),
      samples: samplesCodec.read(r),
      celsius: celsiusCodec.read(r),
      unit: unitCodec.read(r),
      defaults: defaultsCodec.read(r),
      renamed: renamedRecordCodec.read(r),
      any: wire.any.read(r),
      tuple: tupleOfU8AndTextAndOptionOfBool.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Numbers}. */
export const numbersCodec: wire.Codec<Numbers> = {
  least: 87,
  write(w, v) {
    w.check(v);
    w.u8(v.u8);
    w.u16(v.u16);
    w.u32(v.u32);
    w.u64(v.u64);
    w.u128(v.u128);
    w.i8(v.i8);
    w.i16(v.i16);
    w.i32(v.i32);
    w.i64(v.i64);
    w.i128(v.i128);
    w.f32(v.f32);
    w.f64(v.f64);
    w.bool(v.bool);
    w.char(v.char);
    w.u64(v.size);
    wire.unit.write(w, v.unit);
  },
  read(r) {
    return {
      u8: r.u8(),
      u16: r.u16(),
      u32: r.u32(),
      u64: r.u64(),
      u128: r.u128(),
      i8: r.i8(),
      i16: r.i16(),
      i32: r.i32(),
      i64: r.i64(),
      i128: r.i128(),
      f32: r.f32(),
      f64: r.f64(),
      bool: r.bool(),
      char: r.char(),
      size: r.u64(),
      unit: wire.unit.read(r),
    };
  },
};

/** Writes and reads {@link Texts}. */
export const textsCodec: wire.Codec<Texts> = {
  least: 14,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.text);
    w.text(v.boxed);
    optionOfBlob.write(w, v.maybeBytes);
    w.blob(v.bytes);
    optionOfText.write(w, v.maybe);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Texts = {
      text: r.text(),
      boxed: r.text(),
      maybeBytes: optionOfBlob.read(r),
      bytes: r.blob(),
      maybe: optionOfText.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Times}. */
export const timesCodec: wire.Codec<Times> = {
  least: 25,
  write(w, v) {
    w.check(v);
    w.enter();
    w.timestamp(v.at);
    w.duration(v.lasts);
    optionOfTimestamp.write(w, v.ends);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Times = {
      at: r.timestamp(),
      lasts: r.duration(),
      ends: optionOfTimestamp.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Lists}. */
export const listsCodec: wire.Codec<Lists> = {
  least: 116,
  write(w, v) {
    w.check(v);
    w.enter();
    w.blob(v.bytes);
    wire.i8s.list.write(w, v.small);
    wire.u32s.list.write(w, v.numbers);
    wire.f64s.list.write(w, v.doubles);
    listOfI128.write(w, v.large);
    listOfBool.write(w, v.bools);
    listOfText.write(w, v.texts);
    listOfListOfU16.write(w, v.nested);
    array3OfU32.write(w, v.fixed);
    array2OfArray2OfF64.write(w, v.matrix);
    array2OfText.write(w, v.names);
    wire.u32s.list.write(w, v.set);
    listOfPerson.write(w, v.people);
    listOfPoint.write(w, v.points);
    wire.u64s.list.write(w, v.sizes);
    wire.f32s.list.write(w, v.boxes);
    listOfChar.write(w, v.chars);
    listOfOptionOfU8.write(w, v.options);
    listOfTupleOfU8AndU32.write(w, v.tuples);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Lists = {
      bytes: r.blob(),
      small: wire.i8s.list.read(r),
      numbers: wire.u32s.list.read(r),
      doubles: wire.f64s.list.read(r),
      large: listOfI128.read(r),
      bools: listOfBool.read(r),
      texts: listOfText.read(r),
      nested: listOfListOfU16.read(r),
      fixed: array3OfU32.read(r),
      matrix: array2OfArray2OfF64.read(r),
      names: array2OfText.read(r),
      set: wire.u32s.list.read(r),
      people: listOfPerson.read(r),
      points: listOfPoint.read(r),
      sizes: wire.u64s.list.read(r),
      boxes: wire.f32s.list.read(r),
      chars: listOfChar.read(r),
      options: listOfOptionOfU8.read(r),
      tuples: listOfTupleOfU8AndU32.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Pairs}. */
export const pairsCodec: wire.Codec<Pairs> = {
  least: 24,
  write(w, v) {
    w.check(v);
    w.enter();
    mapOfTextToU32.write(w, v.byName);
    mapOfI64ToText.write(w, v.byNumber);
    mapOfCharToBlob.write(w, v.byChar);
    mapOfColorToPerson.write(w, v.byColor);
    mapOfU16ToOptionOfF32.write(w, v.hashed);
    mapOfTextToMapOfU8ToBool.write(w, v.nested);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Pairs = {
      byName: mapOfTextToU32.read(r),
      byNumber: mapOfI64ToText.read(r),
      byChar: mapOfCharToBlob.read(r),
      byColor: mapOfColorToPerson.read(r),
      hashed: mapOfU16ToOptionOfF32.read(r),
      nested: mapOfTextToMapOfU8ToBool.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Person}. */
export const personCodec: wire.Codec<Person> = {
  least: 9,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    w.u32(v.age);
    optionOfText.write(w, v.email);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Person = {
      name: r.text(),
      age: r.u32(),
      email: optionOfText.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link PagePerson}. */
export const pagePersonCodec: wire.Codec<PagePerson> = {
  least: 12,
  write(w, v) {
    w.check(v);
    w.enter();
    listOfPerson.write(w, v.items);
    w.u64(v.total);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: PagePerson = {
      items: listOfPerson.read(r),
      total: r.u64(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Shape}. */
export const shapeCodec: wire.Codec<Shape> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Nothing":
        w.variant(0);
        break;
      case "Circle":
        w.variant(1);
        w.f64(v.radius);
        break;
      case "Polygon":
        w.variant(2);
        listOfPoint.write(w, v.value);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Shape = read_Shape(r);
    r.leave();
    return v;
  },
};

function read_Shape(r: wire.Reader): Shape {
  switch (r.variant(3)) {
    case 0:
      return { kind: "Nothing" };
    case 1:
      return {
        kind: "Circle",
        radius: r.f64(),
      };
    default:
      return { kind: "Polygon", value: listOfPoint.read(r) };
  }
}

/** Writes and reads {@link Color}. */
export const colorCodec = wire.names<Color>(["red", "green", "dark_blue"]);

/** Writes and reads {@link Mood}. */
export const moodCodec = wire.names<Mood>(["Calm", "Glad"], "unknown");

/** Writes and reads {@link Event}. */
export const eventCodec: wire.Codec<Event> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Came":
        w.variant(0);
        break;
      case "Met":
        w.variant(1);
        listOfPerson.write(w, v.others);
        moodCodec.write(w, v.mood);
        break;
      case "Said":
        w.variant(2);
        w.text(v.value);
        break;
      case "unknown":
        w.variant(wire.UNKNOWN_VARIANT);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Event = read_Event(r);
    r.leave();
    return v;
  },
};

function read_Event(r: wire.Reader): Event {
  switch (r.variant(3, true)) {
    case 0:
      return { kind: "Came" };
    case 1:
      return {
        kind: "Met",
        others: listOfPerson.read(r),
        mood: moodCodec.read(r),
      };
    case 2:
      return { kind: "Said", value: r.text() };
    default:
      return { kind: "unknown" };
  }
}

/** Writes and reads {@link Tagged}. */
export const taggedCodec: wire.Codec<Tagged> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "started":
        w.variant(0);
        w.u64(v.atSecond);
        break;
      case "moved":
        w.variant(1);
        pointCodec.write(w, v.toPlace);
        optionOfF32.write(w, v.howFast);
        break;
      case "stopped":
        w.variant(2);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Tagged = read_Tagged(r);
    r.leave();
    return v;
  },
};

function read_Tagged(r: wire.Reader): Tagged {
  switch (r.variant(3)) {
    case 0:
      return {
        kind: "started",
        atSecond: r.u64(),
      };
    case 1:
      return {
        kind: "moved",
        toPlace: pointCodec.read(r),
        howFast: optionOfF32.read(r),
      };
    default:
      return { kind: "stopped" };
  }
}

/** Writes and reads {@link Untagged}. */
export const untaggedCodec: wire.Codec<Untagged> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Number":
        w.variant(0);
        w.i64(v.value);
        break;
      case "Text":
        w.variant(1);
        w.text(v.value);
        break;
      case "Both":
        w.variant(2);
        tupleOfI64AndText.write(w, v.value);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Untagged = read_Untagged(r);
    r.leave();
    return v;
  },
};

function read_Untagged(r: wire.Reader): Untagged {
  switch (r.variant(3)) {
    case 0:
      return { kind: "Number", value: r.i64() };
    case 1:
      return { kind: "Text", value: r.text() };
    default:
      return { kind: "Both", value: tupleOfI64AndText.read(r) };
  }
}

/** Writes and reads {@link Expr}. */
export const exprCodec: wire.Codec<Expr> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Number":
        w.variant(0);
        w.f64(v.value);
        break;
      case "Negated":
        w.variant(1);
        exprCodec.write(w, v.value);
        break;
      case "Sum":
        w.variant(2);
        tupleOfExprAndExpr.write(w, v.value);
        break;
      case "Call":
        w.variant(3);
        w.text(v.name);
        listOfExpr.write(w, v.arguments);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Expr = read_Expr(r);
    r.leave();
    return v;
  },
};

function read_Expr(r: wire.Reader): Expr {
  switch (r.variant(4)) {
    case 0:
      return { kind: "Number", value: r.f64() };
    case 1:
      return { kind: "Negated", value: exprCodec.read(r) };
    case 2:
      return { kind: "Sum", value: tupleOfExprAndExpr.read(r) };
    default:
      return {
        kind: "Call",
        name: r.text(),
        arguments: listOfExpr.read(r),
      };
  }
}

/** Writes and reads {@link Tree}. */
export const treeCodec: wire.Codec<Tree> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    listOfTree.write(w, v.children);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Tree = {
      name: r.text(),
      children: listOfTree.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Samples}. */
export const samplesCodec: wire.Codec<Samples> = {
  least: 56,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    sampleCodec.write(w, v.first);
    listOfSample.write(w, v.all);
    array2OfPoint.write(w, v.pair);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Samples = {
      name: r.text(),
      first: sampleCodec.read(r),
      all: listOfSample.read(r),
      pair: array2OfPoint.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Point}. */
export const pointCodec: wire.Codec<Point> = {
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

/** Writes and reads {@link Celsius}. */
export const celsiusCodec: wire.Codec<Celsius> = {
  least: 8,
  write(w, v) {
    w.f64(v);
  },
  read(r) {
    return r.f64();
  },
};

/** Writes and reads {@link Foreign}. */
export const foreignCodec: wire.Codec<Foreign> = {
  least: 84,
  write(w, v) {
    w.check(v);
    w.enter();
    w.uuid(v.id);
    optionOfUuid.write(w, v.parent);
    mapOfUuidToText.write(w, v.names);
    w.timestamp(v.made);
    w.duration(v.took);
    w.timestamp(v.seen);
    listOfDuration.write(w, v.waits);
    optionOfTimestamp.write(w, v.ends);
    w.duration(v.lasts);
    endpointCodec.write(w, v.at);
    mapOfTextToListOfEndpoint.write(w, v.others);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Foreign = {
      id: r.uuid(),
      parent: optionOfUuid.read(r),
      names: mapOfUuidToText.read(r),
      made: r.timestamp(),
      took: r.duration(),
      seen: r.timestamp(),
      waits: listOfDuration.read(r),
      ends: optionOfTimestamp.read(r),
      lasts: r.duration(),
      at: endpointCodec.read(r),
      others: mapOfTextToListOfEndpoint.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Bounded}. */
export const boundedCodec: wire.Codec<Bounded> = {
  least: 5,
  write(w, v) {
    w.check(v);
    w.enter();
    w.u8(v.share);
    w.blob(v.all);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Bounded = {
      share: r.u8(),
      all: r.blob(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Unit}. */
export const unitCodec: wire.Codec<Unit> = {
  least: 0,
  write(w, v) {
    wire.unit.write(w, v);
  },
  read(r) {
    return wire.unit.read(r);
  },
};

/** Writes and reads {@link Defaults}. */
export const defaultsCodec: wire.Codec<Defaults> = {
  least: 4,
  write(w, v) {
    w.check(v);
    w.enter();
    optionOfU32.write(w, v.count);
    optionOfText.write(w, v.name);
    optionOfBlob.write(w, v.list);
    defaultOfOptionOfU64.write(w, v.maybe);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Defaults = {
      count: optionOfU32.read(r),
      name: optionOfText.read(r),
      list: optionOfBlob.read(r),
      maybe: defaultOfOptionOfU64.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link RenamedRecord}. */
export const renamedRecordCodec: wire.Codec<RenamedRecord> = {
  least: 16,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.firstName);
    colorCodec.write(w, v.type);
    w.u8(v.class);
    personCodec.write(w, v.person);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: RenamedRecord = {
      firstName: r.text(),
      type: colorCodec.read(r),
      class: r.u8(),
      person: personCodec.read(r),
    };
    r.leave();
    return v;
  },
};

const partParametersCodec: wire.Codec<PartParameters> = {
  least: 9,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.text);
    w.u32(v.start);
    optionOfU32.write(w, v.count);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: PartParameters = {
      text: r.text(),
      start: r.u32(),
      count: optionOfU32.read(r),
    };
    r.leave();
    return v;
  },
};

const severalParametersCodec: wire.Codec<SeveralParameters> = {
  least: 24,
  write(w, v) {
    w.check(v);
    w.enter();
    personCodec.write(w, v.person);
    listOfText.write(w, v.nickNames);
    wire.f64s.list.write(w, v.numbers);
    colorCodec.write(w, v.type);
    w.blob(v.class);
    optionOfAny.write(w, v.self);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: SeveralParameters = {
      person: personCodec.read(r),
      nickNames: listOfText.read(r),
      numbers: wire.f64s.list.read(r),
      type: colorCodec.read(r),
      class: r.blob(),
      self: optionOfAny.read(r),
    };
    r.leave();
    return v;
  },
};

const cutParametersCodec: wire.Codec<CutParameters> = {
  least: 12,
  write(w, v) {
    w.check(v);
    w.enter();
    cutCodec.write(w, v.how);
    w.blob(v.data);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: CutParameters = {
      how: cutCodec.read(r),
      data: r.blob(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Piece}. */
export const pieceCodec: wire.Codec<Piece> = {
  least: 9,
  write(w, v) {
    w.check(v);
    w.enter();
    w.u64(v.length);
    optionOfU8.write(w, v.first);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Piece = {
      length: r.u64(),
      first: optionOfU8.read(r),
    };
    r.leave();
    return v;
  },
};

const cutLaterParametersCodec: wire.Codec<CutLaterParameters> = {
  least: 12,
  write(w, v) {
    w.check(v);
    w.enter();
    cutCodec.write(w, v.how);
    w.blob(v.data);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: CutLaterParameters = {
      how: cutCodec.read(r),
      data: r.blob(),
    };
    r.leave();
    return v;
  },
};

const agedParametersCodec: wire.Codec<AgedParameters> = {
  least: 13,
  write(w, v) {
    w.check(v);
    w.enter();
    personCodec.write(w, v.person);
    w.u32(v.years);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: AgedParameters = {
      person: personCodec.read(r),
      years: r.u32(),
    };
    r.leave();
    return v;
  },
};

const stepsParametersCodec: wire.Codec<StepsParameters> = {
  least: 20,
  write(w, v) {
    w.check(v);
    w.i64(v.first);
    w.i64(v.last);
    w.u32(v.step);
  },
  read(r) {
    return {
      first: r.i64(),
      last: r.i64(),
      step: r.u32(),
    };
  },
};

const searchParametersCodec: wire.Codec<SearchParameters> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    listOfPerson.write(w, v.people);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: SearchParameters = {
      name: r.text(),
      people: listOfPerson.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link SearchError}. */
export const searchErrorCodec: wire.Codec<SearchError> = {
  least: 2,
  write(w, v) {
    w.check(v);
    w.enter();
    switch (v.kind) {
      case "Nobody":
        w.variant(0);
        w.text(v.name);
        listOfPerson.write(w, v.similar);
        break;
      case "Hidden":
        w.variant(1);
        break;
      case "Crowd":
        w.variant(2);
        tupleOfU64AndListOfF64.write(w, v.value);
        break;
      default:
        w.noVariant((v as { kind: unknown }).kind);
    }
    w.leave();
  },
  read(r) {
    r.enter();
    const v: SearchError = read_SearchError(r);
    r.leave();
    return v;
  },
};

function read_SearchError(r: wire.Reader): SearchError {
  switch (r.variant(3)) {
    case 0:
      return {
        kind: "Nobody",
        name: r.text(),
        similar: listOfPerson.read(r),
      };
    case 1:
      return { kind: "Hidden" };
    default:
      return { kind: "Crowd", value: tupleOfU64AndListOfF64.read(r) };
  }
}

const searchLaterParametersCodec: wire.Codec<SearchLaterParameters> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.name);
    listOfPerson.write(w, v.people);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: SearchLaterParameters = {
      name: r.text(),
      people: listOfPerson.read(r),
    };
    r.leave();
    return v;
  },
};

const paintParametersCodec: wire.Codec<PaintParameters> = {
  least: 3,
  write(w, v) {
    w.check(v);
    w.enter();
    colorCodec.write(w, v.color);
    optionOfColor.write(w, v.better);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: PaintParameters = {
      color: colorCodec.read(r),
      better: optionOfColor.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Refused}. */
export const refusedCodec: wire.Codec<Refused> = {
  least: 3,
  write(w, v) {
    w.check(v);
    w.enter();
    colorCodec.write(w, v.color);
    optionOfColor.write(w, v.better);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Refused = {
      color: colorCodec.read(r),
      better: optionOfColor.read(r),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link PowerError}. */
export const powerErrorCodec = wire.names<PowerError>(["Out"]);

/** Writes and reads {@link Repeat}. */
export const repeatCodec: wire.Codec<Repeat> = {
  least: 13,
  write(w, v) {
    w.check(v);
    w.enter();
    personCodec.write(w, v.person);
    w.u32(v.times);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Repeat = {
      person: personCodec.read(r),
      times: r.u32(),
    };
    r.leave();
    return v;
  },
};

const betweenParametersCodec: wire.Codec<BetweenParameters> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.u32(v.youngest);
    w.u32(v.oldest);
  },
  read(r) {
    return {
      youngest: r.u32(),
      oldest: r.u32(),
    };
  },
};

const counterCodec: wire.Codec<Counter> = {
  least: 4,
  write(w, v) {
    w.check(v);
    wire.writeObject(w, v.untyped);
  },
  read(r) {
    const [object, methods] = wire.readObject<Methods>(r);
    return new Counter(object, methods);
  },
};

/** Writes and reads {@link Counters}. */
export const countersCodec: wire.Codec<Counters> = {
  least: 9,
  write(w, v) {
    w.check(v);
    w.enter();
    optionOfCounter.write(w, v.first);
    listOfCounter.write(w, v.others);
    w.text(v.name);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Counters = {
      first: optionOfCounter.read(r),
      others: listOfCounter.read(r),
      name: r.text(),
    };
    r.leave();
    return v;
  },
};

const transferParametersCodec: wire.Codec<TransferParameters> = {
  least: 16,
  write(w, v) {
    w.check(v);
    counterCodec.write(w, v.from);
    counterCodec.write(w, v.to);
    w.i64(v.count);
  },
  read(r) {
    return {
      from: counterCodec.read(r),
      to: counterCodec.read(r),
      count: r.i64(),
    };
  },
};

/** Writes and reads {@link Random}. */
export const randomCodec: wire.Codec<Random> = {
  least: 12,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.method);
    w.u64(v.seed);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Random = {
      method: r.text(),
      seed: r.u64(),
    };
    r.leave();
    return v;
  },
};

const asJsonParametersCodec: wire.Codec<AsJsonParameters> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.method);
    w.blob(v.message);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: AsJsonParameters = {
      method: r.text(),
      message: r.blob(),
    };
    r.leave();
    return v;
  },
};

const asMessageParametersCodec: wire.Codec<AsMessageParameters> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.method);
    w.text(v.json);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: AsMessageParameters = {
      method: r.text(),
      json: r.text(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Odd}. */
export const oddCodec: wire.Codec<Odd> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.i64(v.count);
  },
  read(r) {
    return {
      count: r.i64(),
    };
  },
};

const counterWithinParametersCodec: wire.Codec<CounterWithinParameters> = {
  least: 16,
  write(w, v) {
    w.check(v);
    w.i64(v.least);
    w.i64(v.most);
  },
  read(r) {
    return {
      least: r.i64(),
      most: r.i64(),
    };
  },
};

/** Writes and reads {@link PageString}. */
export const pageStringCodec: wire.Codec<PageString> = {
  least: 12,
  write(w, v) {
    w.check(v);
    w.enter();
    listOfText.write(w, v.items);
    w.u64(v.total);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: PageString = {
      items: listOfText.read(r),
      total: r.u64(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Sample}. */
export const sampleCodec: wire.Codec<Sample> = {
  least: 16,
  write(w, v) {
    w.check(v);
    w.u64(v.time);
    w.f32(v.value);
    w.u16(v.channel);
    array2OfU8.write(w, v.flags);
  },
  read(r) {
    return {
      time: r.u64(),
      value: r.f32(),
      channel: r.u16(),
      flags: array2OfU8.read(r),
    };
  },
};

/** Writes and reads {@link Endpoint}. */
export const endpointCodec: wire.Codec<Endpoint> = {
  least: 6,
  write(w, v) {
    w.check(v);
    w.enter();
    w.text(v.address);
    w.u16(v.port);
    w.leave();
  },
  read(r) {
    r.enter();
    const v: Endpoint = {
      address: r.text(),
      port: r.u16(),
    };
    r.leave();
    return v;
  },
};

/** Writes and reads {@link Cut}. */
export const cutCodec: wire.Codec<Cut> = {
  least: 8,
  write(w, v) {
    w.check(v);
    w.u32(v.skip);
    w.u32(v.times);
  },
  read(r) {
    return {
      skip: r.u32(),
      times: r.u32(),
    };
  },
};

const listOfEvent = wire.list(eventCodec);
const mapOfTextToPerson = wire.map(wire.text, personCodec);
const optionOfPerson = wire.option(personCodec);
const optionOfBool = wire.option(wire.bool);
const tupleOfU8AndTextAndOptionOfBool = wire.tuple(
  wire.u8,
  wire.text,
  optionOfBool,
);
const listOfText = wire.list(wire.text);
const optionOfAny = wire.optional(wire.any);
const codec1 = wire.tuple(
  personCodec,
  listOfText,
  wire.f64s.list,
  colorCodec,
  wire.blob,
  optionOfAny,
);
const tupleOfPieceAndBlob = wire.tuple(pieceCodec, wire.blob);
const listOfPerson = wire.list(personCodec);
const tupleOfI64AndI64 = wire.tuple(wire.i64, wire.i64);
const optionOfText = wire.option(wire.text);
const mapOfTextToU32 = wire.map(wire.text, wire.u32);
const optionOfBlob = wire.option(wire.blob);
const optionOfTimestamp = wire.option(wire.timestamp);
const listOfI128 = wire.aligned(wire.i128);
const listOfBool = wire.list(wire.bool);
const listOfListOfU16 = wire.list(wire.u16s.list);
const array3OfU32 = wire.arrayOf(wire.u32s, 3);
const array2OfF64 = wire.arrayOf(wire.f64s, 2);
const array2OfArray2OfF64 = wire.array(array2OfF64, 2);
const array2OfText = wire.array(wire.text, 2);
const listOfPoint = wire.aligned(pointCodec);
const listOfChar = wire.list(wire.char);
const optionOfU8 = wire.option(wire.u8);
const listOfOptionOfU8 = wire.list(optionOfU8);
const tupleOfU8AndU32 = wire.tuple(wire.u8, wire.u32);
const listOfTupleOfU8AndU32 = wire.list(tupleOfU8AndU32);
const mapOfI64ToText = wire.map(wire.i64, wire.text);
const mapOfCharToBlob = wire.map(wire.char, wire.blob);
const mapOfColorToPerson = wire.map(colorCodec, personCodec);
const optionOfF32 = wire.option(wire.f32);
const mapOfU16ToOptionOfF32 = wire.map(wire.u16, optionOfF32);
const mapOfU8ToBool = wire.map(wire.u8, wire.bool);
const mapOfTextToMapOfU8ToBool = wire.map(wire.text, mapOfU8ToBool);
const tupleOfI64AndText = wire.tuple(wire.i64, wire.text);
const tupleOfExprAndExpr = wire.tuple(exprCodec, exprCodec);
const listOfExpr = wire.list(exprCodec);
const listOfTree = wire.list(treeCodec);
const listOfSample = wire.aligned(sampleCodec);
const array2OfPoint = wire.array(pointCodec, 2);
const optionOfUuid = wire.option(wire.uuid);
const mapOfUuidToText = wire.map(wire.uuid, wire.text);
const listOfDuration = wire.list(wire.duration);
const listOfEndpoint = wire.list(endpointCodec);
const mapOfTextToListOfEndpoint = wire.map(wire.text, listOfEndpoint);
const optionOfU32 = wire.option(wire.u32);
const defaultOfOptionOfU64 = wire.optional(wire.nullable(wire.u64));
const tupleOfU64AndListOfF64 = wire.tuple(wire.u64, wire.f64s.list);
const optionOfColor = wire.option(colorCodec);
const optionOfCounter = wire.option(counterCodec);
const listOfCounter = wire.list(counterCodec);
const array2OfU8 = wire.arrayOf(wire.bytesOf, 2);
