//! Messages that other versions of the plugin have otherwise (`versions`).

#![allow(
    missing_docs,
    reason = "most fields are what they are called: a kind of type"
)]

use rustbridge::{Message, Pod};

/// Somebody.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Person {
    /// What they are called.
    pub name: String,
    /// In years.
    pub age: u32,
    /// Where they can be reached.
    pub email: Option<String>,
}

/// Some of many.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Page<T> {
    /// These.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: u64,
}

/// Three colours.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Like blood.
    #[default]
    Red,
    Green,
    DarkBlue,
}

/// How somebody is, in ways that may become more.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[message(open)]
pub enum Mood {
    /// At ease.
    Calm,
    /// More than that.
    Glad,
}

/// What has happened to somebody, of which more may come.
#[derive(Message, Clone, Debug, PartialEq)]
#[message(open)]
pub enum Event {
    /// They have come.
    Came,
    /// They have met others.
    Met { others: Vec<Person>, mood: Mood },
    /// They have said so.
    Said(String),
}

/// A shape in a plane.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub enum Shape {
    /// No shape.
    #[default]
    Nothing,
    /// All points of one distance.
    Circle { radius: f64 },
    /// Points in a row.
    Polygon(Vec<Point>),
}

/// Plain old data: a list of them is one copy.
#[derive(Message, Pod, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// Plain old data with smaller fields.
#[derive(Message, Pod, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Sample {
    pub time: u64,
    pub value: f32,
    pub channel: u16,
    pub flags: [u8; 2],
}

/// A number with a meaning.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq)]
pub struct Celsius(pub f64);

/// Somebody, and how often.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Repeat {
    /// Who comes first.
    pub person: Person,
    /// How many there are.
    pub times: u32,
}

/// What is to be done with bytes that come beside it.
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// How many at the beginning are left away.
    pub skip: u32,
    /// How often the others come back.
    pub times: u32,
}

/// What is said of bytes that come back beside it.
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// How many there are.
    pub length: u64,
    /// The first of them.
    pub first: Option<u8>,
}
