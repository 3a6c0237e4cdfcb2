//! Messages that are others than those of the version before.

#![allow(
    missing_docs,
    reason = "most fields are what they are called: a kind of type"
)]

use rustbridge::{Message, Pod};

/// Somebody. What's new may be absent, since they go both ways.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Person {
    /// Where they can be reached.
    pub email: Option<String>,
    /// What else they are called, which is new.
    #[serde(default)]
    pub other_names: Vec<String>,
    /// In years.
    pub age: u32,
    /// How tall they are, which is new.
    pub height: Option<f64>,
    /// What they are called.
    pub name: String,
}

/// Some of many.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Page<T> {
    /// How many there are in all.
    pub total: u64,
    /// Which of the pages it is, which is new.
    #[serde(default)]
    pub page: u32,
    /// These.
    pub items: Vec<T>,
}

/// Three colours, in another order.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    DarkBlue,
    Green,
    /// Like blood.
    #[default]
    Red,
}

/// How somebody is, in one way more.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[message(open)]
pub enum Mood {
    /// More than glad, which is new.
    Merry,
    /// More than at ease.
    Glad,
    /// At ease.
    Calm,
}

/// What has happened to somebody, of which more has come.
#[derive(Message, Clone, Debug, PartialEq)]
#[message(open)]
pub enum Event {
    /// They have left, which is new.
    Left { others: Vec<Person> },
    /// They have said so.
    Said(String),
    /// They have met others. Where is new.
    Met {
        mood: Mood,
        at: Option<Point>,
        others: Vec<Person>,
    },
    /// They have come.
    Came,
}

/// A shape in a plane.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub enum Shape {
    /// Points in a row.
    Polygon(Vec<Point>),
    /// All points of one distance. From where is new.
    Circle { center: Option<Point>, radius: f64 },
    /// No shape.
    #[default]
    Nothing,
}

/// What has an area: a shape, or what's new. It's only taken.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Region {
    Square { side: f64 },
    Polygon(Vec<Point>),
    Circle { radius: f64 },
    Nothing,
}

/// Plain old data, whose fields lie in another order.
#[derive(Message, Pod, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Point {
    /// Upwards.
    pub y: f64,
    /// To the right.
    pub x: f64,
}

/// What was plain old data, and is a record.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Sample {
    pub flags: [u8; 2],
    pub channel: u16,
    pub value: f32,
    pub time: u64,
}

/// A number whose meaning has no type any more.
pub type Celsius = f64;

/// A text with a meaning, which had no type before.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

/// Somebody, and how often.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Repeat {
    /// How many there are.
    pub times: u32,
    /// By how much each is older than the one before, which is new.
    #[serde(default = "two")]
    pub years: u32,
    /// Who comes first.
    pub person: Person,
}

fn two() -> u32 {
    2
}

/// What is to be done with bytes that come beside it: what was a record, and is plain old data.
#[derive(Message, Pod, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Cut {
    /// How often the others come back.
    pub times: u32,
    /// How many at the beginning are left away.
    pub skip: u32,
}

/// What is said of bytes that come back beside it.
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// All of them together, which is new, and always there.
    pub sum: u64,
    /// The first of them.
    pub first: Option<u8>,
    /// How many there are.
    pub length: u64,
}
