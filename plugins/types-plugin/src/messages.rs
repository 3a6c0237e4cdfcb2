//! The messages: each kind of type that the description knows. Those that other versions have otherwise are in `versioned.rs`.

#![allow(
    missing_docs,
    reason = "most fields are what they are called: a kind of type"
)]
#![allow(
    clippy::vec_box,
    reason = "a pointer to a number is a number, in a list as well"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::time::{Duration, SystemTime};

use rustbridge::Message;
use serde_json::Value;

use crate::foreign::Foreign;
pub use crate::versioned::*;

/// A number of each width, and what is written as one.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// One byte.
    pub u8: u8,
    pub u16: u16,
    pub u32: u32,
    pub u64: u64,
    pub u128: u128,
    pub i8: i8,
    pub i16: i16,
    pub i32: i32,
    pub i64: i64,
    pub i128: i128,
    pub f32: f32,
    pub f64: f64,
    pub bool: bool,
    pub char: char,
    pub size: usize,
    pub unit: (),
}

/// Texts and bytes, each in a form of its own.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Texts {
    pub text: String,
    pub boxed: Box<str>,
    pub maybe_bytes: Option<Vec<u8>>,
    pub bytes: Vec<u8>,
    pub maybe: Option<String>,
}

/// Points in time and spans of it.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Times {
    pub at: SystemTime,
    pub lasts: Duration,
    pub ends: Option<SystemTime>,
}

/// Lists, sets and arrays.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Lists {
    pub bytes: Vec<u8>,
    pub small: Vec<i8>,
    pub numbers: Vec<u32>,
    pub doubles: Vec<f64>,
    pub large: Vec<i128>,
    pub bools: Vec<bool>,
    pub texts: Vec<String>,
    pub nested: Vec<Vec<u16>>,
    pub fixed: [u32; 3],
    pub matrix: [[f64; 2]; 2],
    pub names: [String; 2],
    pub set: BTreeSet<u32>,
    pub people: Vec<Person>,
    pub points: Vec<Point>,
    pub sizes: Vec<usize>,
    pub boxes: Vec<Box<f32>>,
    pub chars: Vec<char>,
    pub options: Vec<Option<u8>>,
    pub tuples: Vec<(u8, u32)>,
}

/// Maps by every kind of key.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    pub by_name: BTreeMap<String, u32>,
    pub by_number: BTreeMap<i64, String>,
    pub by_char: BTreeMap<char, Vec<u8>>,
    pub by_color: BTreeMap<Color, Person>,
    pub hashed: HashMap<u16, Option<f32>>,
    pub nested: BTreeMap<String, BTreeMap<u8, bool>>,
}

/// Known by a field of its own in JSON.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Tagged {
    Started {
        at_second: u64,
    },
    Moved {
        to_place: Point,
        how_fast: Option<f32>,
    },
    Stopped,
}

/// Known by what it looks like in JSON.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub enum Untagged {
    Number(i64),
    Text(String),
    Both(i64, String),
}

/// What has itself in it, by an enum.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Expr {
    Number(f64),
    Negated(Box<Expr>),
    Sum(Box<Expr>, Box<Expr>),
    Call { name: String, arguments: Vec<Expr> },
}

/// What has itself in it, by a list.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Tree {
    pub name: String,
    pub children: Vec<Tree>,
}

/// Plain old data alone, in a list, in an array.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Samples {
    pub name: String,
    pub first: Sample,
    pub all: Vec<Sample>,
    pub pair: [Point; 2],
}

/// A percentage: what is read is at most 100, in JSON and in the wire form.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(try_from = "u8", into = "u8")]
pub struct Percent(u8);

impl Percent {
    /// At most 100.
    #[must_use]
    pub fn new(value: u8) -> Option<Percent> {
        (value <= 100).then_some(Percent(value))
    }
}

/// Why a number is no percentage.
#[derive(Debug)]
pub struct TooMuch(u8);

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a percentage is at most 100, and {} was found", self.0)
    }
}

impl TryFrom<u8> for Percent {
    type Error = TooMuch;

    fn try_from(value: u8) -> Result<Percent, TooMuch> {
        Percent::new(value).ok_or(TooMuch(value))
    }
}

impl From<Percent> for u8 {
    fn from(percent: Percent) -> u8 {
        percent.0
    }
}

/// What is checked when it's read.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct Bounded {
    pub share: Percent,
    pub all: Vec<Percent>,
}

/// Nothing to say.
#[derive(Message, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit;

/// What may be left out.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(default)]
pub struct Defaults {
    pub count: u32,
    pub name: String,
    #[serde(default = "three")]
    pub list: Vec<u8>,
    pub maybe: Option<u64>,
    #[serde(skip)]
    pub own: u64,
}

fn three() -> Vec<u8> {
    vec![1, 2, 3]
}

impl Default for Defaults {
    fn default() -> Defaults {
        Defaults {
            count: 7,
            name: "nobody".to_owned(),
            list: Vec::new(),
            maybe: Some(9),
            own: 4,
        }
    }
}

/// Names that aren't those of Rust, and a record whose fields JSON has among the others.
#[derive(Message, Clone, Debug, Default, PartialEq)]
#[serde(rename = "RenamedRecord", rename_all = "camelCase")]
pub struct Renamed {
    pub first_name: String,
    #[serde(rename = "type")]
    pub r#type: Color,
    pub class: u8,
    #[serde(flatten)]
    pub person: Person,
}

/// Which random value is asked for.
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
pub struct Random {
    /// The method that would give it back.
    pub method: String,
    /// The same value for the same seed.
    pub seed: u64,
}

/// One of each.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Every {
    pub numbers: Numbers,
    pub texts: Texts,
    pub times: Times,
    pub lists: Lists,
    pub pairs: Pairs,
    pub foreign: Foreign,
    pub people: Page<Person>,
    pub words: Page<String>,
    pub color: Color,
    pub shape: Shape,
    pub tagged: Tagged,
    pub untagged: Untagged,
    pub expr: Expr,
    pub tree: Tree,
    pub samples: Samples,
    pub celsius: Celsius,
    pub unit: Unit,
    pub defaults: Defaults,
    pub renamed: Renamed,
    pub any: Value,
    pub tuple: (u8, String, Option<bool>),
}

/// Borrows what it's read from.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Borrowed<'a> {
    #[serde(borrow)]
    pub text: Cow<'a, str>,
    pub plain: &'a str,
    pub bytes: Cow<'a, [u8]>,
    pub doubles: Cow<'a, [f64]>,
}
