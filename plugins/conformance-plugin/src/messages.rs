//! Messages: serde's data model, field by field.

use std::collections::{BTreeMap, BTreeSet};

use rustbridge::Message;

/// Config of an instance.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Required.
    pub label: String,
    /// May be left out, or null.
    pub limit: Option<u32>,
    /// May be left out: none.
    #[serde(default)]
    pub tags: Vec<String>,
    /// May be left out: fast.
    #[serde(default)]
    pub mode: Mode,
}

/// How an instance works, had it any work.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The default.
    #[default]
    Fast,
    /// The other.
    Safe,
}

/// One of each.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the types say it")]
pub struct Scalars {
    pub flag: bool,
    pub a: i8,
    pub b: i16,
    pub c: i32,
    pub d: i64,
    pub e: u8,
    pub f: u16,
    pub g: u32,
    pub h: u64,
    pub x: f32,
    pub y: f64,
    pub letter: char,
    pub text: String,
}

/// A place.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "a point")]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// Things that may be absent.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Options {
    /// The one that may not.
    pub required: i32,
    /// A number.
    pub number: Option<i32>,
    /// A text; the empty one is there.
    pub text: Option<String>,
    /// A struct.
    pub point: Option<Point>,
}

/// Fields that are filled in when left out, and no others are allowed.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Defaults {
    /// 0.
    #[serde(default)]
    pub count: u32,
    /// 10.
    #[serde(default = "ten")]
    pub size: u32,
    /// `plain`, under a name that is a keyword of Rust's.
    #[serde(default = "plain", rename = "kind")]
    pub type_of: String,
    /// Empty, and written `pageToken`.
    #[serde(default)]
    pub page_token: String,
}

fn ten() -> u32 {
    10
}

fn plain() -> String {
    "plain".to_owned()
}

/// Things of which there are several.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Collections {
    /// Of any length.
    pub list: Vec<i32>,
    /// Lists of lists.
    pub rows: Vec<Vec<i32>>,
    /// By name.
    pub map: BTreeMap<String, i64>,
    /// Two of different types.
    pub pair: (i32, String),
    /// Four of one type.
    pub array: [u8; 4],
}

/// Structs in structs.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "only the nesting matters")]
pub struct Outer {
    pub id: u32,
    pub middle: Middle,
}

/// Between.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "only the nesting matters")]
pub struct Middle {
    pub name: String,
    pub inner: Inner,
}

/// Innermost but one.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "only the nesting matters")]
pub struct Inner {
    pub points: Vec<Point>,
}

/// Enums as serde writes them by default: externally tagged.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the types say it")]
pub struct Enums {
    pub color: Color,
    pub shape: Figure,
}

/// An enum of names.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "colors")]
pub enum Color {
    Red,
    Green,
    DarkBlue,
}

/// An enum with each kind of variant.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Figure {
    /// Unit.
    Empty,
    /// Newtype: a radius.
    Circle(i32),
    /// Tuple.
    Rectangle(i32, String),
    /// Struct.
    Polygon {
        /// How many.
        sides: u32,
        /// What it's called.
        name: String,
    },
}

/// The other three representations.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the types say it")]
pub struct Tagged {
    pub internal: Internal,
    pub adjacent: Adjacent,
    pub untagged: Untagged,
}

/// The tag is a field among the variant's own.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Internal {
    /// No fields.
    Ping,
    /// Two.
    Move {
        /// Right.
        x: i32,
        /// Down.
        y: i32,
    },
}

/// Tag and content side by side.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    /// No content.
    Nothing,
    /// A list of two.
    Pair(i32, i32),
    /// An object.
    Named {
        /// Its only member.
        name: String,
    },
}

/// The first variant that fits.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub enum Untagged {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<i32>),
    /// An object.
    Point(Point),
}

/// A list of bytes.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "bytes")]
pub struct ByteList {
    pub data: Vec<u8>,
}

/// The bytes reversed, and how many.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "bytes")]
pub struct ByteCount {
    pub data: Vec<u8>,
    pub length: u64,
}

/// A type that contains itself.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "a tree")]
pub struct Tree {
    pub value: i32,
    pub children: Vec<Tree>,
}

/// What there is in a tree.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TreeCount {
    pub nodes: u32,
    pub depth: u32,
    pub sum: i64,
}

impl Tree {
    pub(crate) fn count(&self) -> TreeCount {
        let mut all = TreeCount {
            nodes: 1,
            depth: 0,
            sum: i64::from(self.value),
        };
        for child in &self.children {
            let below = child.count();
            all.nodes += below.nodes;
            all.depth = all.depth.max(below.depth);
            all.sum += below.sum;
        }
        all.depth += 1;
        all
    }
}

/// One number, of any type: a generic message.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Number<T> {
    /// The number.
    pub value: T,
}

macro_rules! small {
    ($($(#[doc = $doc:literal])+ $name:ident { $($field:ident: $type:ty),+ })+) => {
        $($(#[doc = $doc])+
        #[derive(Message, Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "the method's doc comment says it")]
        pub struct $name { $(pub $field: $type),+ })+
    };
}

small! {
    /// Who answered.
    Answerer { from: String }
    /// What a call knows of itself.
    CallInfo { method: String, encoding: String }
    /// The status to fail with, by its canonical name.
    Failure { status: String, message: String }
    /// When to come back.
    Retry { retry_after_ms: u64 }
    /// A message to panic with, or to log.
    Words { message: String }
    /// A place in a list.
    Index { index: u32 }
    /// What to add.
    Addend { n: i64 }
    /// What it comes to.
    Total { total: i64 }
    /// What to log, and how often.
    Emit { level: String, message: String, count: u64 }
    /// The fields of two spans.
    Spans { outer: String, inner: u32 }
    /// Messages before and after an await.
    Around { before: String, after: String }
    /// A text.
    Note { text: String }
    /// How long to sleep.
    Pause { ms: u64 }
    /// How many tasks.
    Tasks { tasks: u32 }
    /// The sum of their answers.
    TaskSum { sum: u32 }
}

/// Which levels are on.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the levels")]
pub struct Enabled {
    pub error: bool,
    pub warn: bool,
    pub info: bool,
    pub debug: bool,
    pub trace: bool,
}

/// Collections whose length is all there is of them.
#[derive(Message, Clone, Debug, PartialEq)]
#[message(json_only)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Weightless {
    pub list: Vec<()>,
    pub set: BTreeSet<()>,
}

/// How many elements there were.
#[derive(Message, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct WeightlessCount {
    pub list: u64,
    pub set: u64,
}
