//! What docs/guide/plugins-types.md shows, and whether its table of encodings is right.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use rustbridge::prelude::*;
use rustbridge_core::{Load, Plugin as Loaded};
use serde_json::Value;

#[derive(Message)]
pub struct Note {
    pub text: String,
}

/// Plain old data that is also a message: each host picks the encoding that suits it.
#[derive(Message, Pod)]
#[repr(C)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Plain old data alone.
#[derive(Pod)]
#[repr(C)]
pub struct Sample {
    pub time: u64,
    pub value: f32,
    pub channel: u8,
    pub reserved: [u8; 3],
}

/// From one number to before another.
#[derive(Message)]
pub struct Span {
    pub from: u64,
    pub to: u64,
}

impl From<Range<u64>> for Span {
    fn from(range: Range<u64>) -> Span {
        Span {
            from: range.start,
            to: range.end,
        }
    }
}

impl TryFrom<Span> for Range<u64> {
    type Error = &'static str;

    fn try_from(span: Span) -> Result<Range<u64>, &'static str> {
        if span.from > span.to {
            return Err("it ends before it begins");
        }
        Ok(span.from..span.to)
    }
}

#[derive(Message)]
pub struct Lines {
    #[message(via = Span)]
    pub lines: Range<u64>,
}

#[derive(Message)]
pub struct Price {
    /// Exact in each language: hundredths rather than a fraction.
    pub cents: i64,
    /// Also exact, for hosts with a decimal type.
    pub rate: String,
}

/// An address that crosses as text and is checked when it's read, in each encoding.
#[derive(Clone, Debug, Message)]
#[serde(try_from = "String", into = "String")]
pub struct Email(String);

impl TryFrom<String> for Email {
    type Error = String;

    fn try_from(text: String) -> Result<Email, String> {
        if text.contains('@') {
            Ok(Email(text))
        } else {
            Err(format!("{text:?} has no @"))
        }
    }
}

impl From<Email> for String {
    fn from(email: Email) -> String {
        email.0
    }
}

/// Numbers of the JSON kind, as they come.
#[derive(Message)]
pub struct Numbers {
    pub wide: u128,
    pub natural: u64,
    pub single: f32,
    pub double: f64,
}

#[derive(Message)]
pub struct Renamed(pub String);

#[derive(Message)]
pub enum Way {
    Nowhere,
    Mail(String),
    Phone { country: u16 },
}

/// One of each form.
#[derive(Message)]
pub struct Forms {
    pub flag: bool,
    pub letter: char,
    pub nothing: (),
    pub bytes: Vec<u8>,
    pub list: Vec<i16>,
    pub array: [i16; 2],
    pub tuple: (u8, String),
    pub map: BTreeMap<u32, bool>,
    pub absent: Option<u8>,
    pub renamed: Renamed,
    pub ways: Vec<Way>,
    pub moment: SystemTime,
    pub span: Duration,
}

/// Where a text stands.
#[derive(Debug, Message)]
pub enum Align {
    Left,
    Right,
}

/// How a text is cut.
#[derive(Debug, Message)]
pub struct Cut {
    #[default(80)]
    pub width: u16,
    #[default("...")]
    pub end: String,
    #[default(Align::Left)]
    pub align: Align,
    #[default([])]
    pub stops: Vec<u32>,
}

#[derive(Default)]
pub struct Types;

#[plugin(name = "types", export = false)]
impl Types {
    pub fn message(&self, note: Note) -> Note {
        note
    }

    pub fn cut(&self, cut: Cut) -> String {
        format!("{cut:?}")
    }

    /// Returns the first letters of a text.
    pub fn head(&self, text: &str, #[default(5)] letters: u32) -> String {
        text.chars().take(letters as usize).collect()
    }

    pub fn point(&self, point: &Point) -> Point {
        Point {
            x: point.y,
            y: point.x,
        }
    }

    pub fn sample(&self, sample: &Sample) -> Sample {
        *sample
    }

    pub fn number(&self, number: u64) -> u64 {
        number
    }

    pub fn text(&self, text: String) -> String {
        text
    }

    pub fn lent_text(&self, text: &str) -> String {
        text.to_owned()
    }

    pub fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    pub fn given_bytes(&self) -> Bytes {
        Bytes::from_static(b"given")
    }

    pub fn given_text(&self) -> String {
        "given".into()
    }

    pub fn nothing(&self) {}

    /// Counts how often a word is in a text.
    pub fn count(&self, text: &str, word: &str, from: Option<u64>) -> u64 {
        let from = from.unwrap_or(0) as usize;
        text.split_whitespace()
            .skip(from)
            .filter(|found| *found == word)
            .count() as u64
    }

    /// Bytes with other values: the plugin's side copies no bytes.
    pub fn tag(&self, image: &[u8], tags: Vec<String>) -> (u64, Bytes) {
        let first = Bytes::copy_from_slice(image.get(..4).unwrap_or(image));
        (tags.len() as u64, first)
    }

    pub fn lines(&self, lines: Lines) -> Lines {
        lines
    }

    pub fn price(&self, price: Price) -> Price {
        price
    }

    pub fn email(&self, email: Email) -> Email {
        email
    }

    pub fn numbers(&self, numbers: Numbers) -> Numbers {
        numbers
    }

    pub fn anything(&self, value: Value) -> Value {
        value
    }

    pub fn forms(&self, forms: Forms) -> Forms {
        forms
    }
}

fn loaded() -> Loaded {
    // SAFETY: our own plugin's entry point.
    unsafe { Load::linked(rustbridge::entry_point::<Types>(), "types") }
        .open()
        .unwrap()
}

#[test]
fn the_types_decide_the_encodings_as_the_table_says() {
    let description: Value = serde_json::from_str(loaded().describe()).unwrap();
    let of = |method: &Value| {
        let entries = method["entries"].as_array().unwrap().iter();
        let encodings: Vec<_> = entries
            .map(|entry| entry["encoding"].as_str().unwrap())
            .filter(|encoding| ["json", "pod", "raw", "wire"].contains(encoding))
            .collect();
        encodings.join(" ")
    };
    let methods = description["methods"].as_array().unwrap().iter();
    let all: BTreeMap<&str, String> = methods
        .map(|method| (method["name"].as_str().unwrap(), of(method)))
        .collect();
    let expected = BTreeMap::from([
        ("anything", "json wire"),
        ("bytes", "raw"),
        ("count", "json wire"),
        ("cut", "json wire"),
        ("email", "json wire"),
        ("forms", "json wire"),
        ("given_bytes", "raw"),
        ("given_text", "json wire"),
        ("head", "json wire"),
        ("lent_text", "raw"),
        ("lines", "json wire"),
        ("message", "json wire"),
        ("nothing", "json pod wire"),
        ("number", "json pod wire"),
        ("numbers", "json wire"),
        ("point", "json pod wire"),
        ("price", "json wire"),
        ("sample", "pod"),
        ("tag", "json wire"),
        ("text", "json wire"),
    ]);
    let expected = expected
        .into_iter()
        .map(|(name, encodings)| (name, encodings.to_owned()));
    assert_eq!(all, expected.collect());
}

fn asked(method: &str, request: &str) -> String {
    match loaded().call(method, request) {
        Ok(answer) => String::from_utf8(answer.to_vec()).unwrap(),
        Err(error) => format!("{}: {}", error.status(), error.message()),
    }
}

#[test]
fn what_the_guide_says_of_values_is_so() {
    assert_eq!(asked("count", r#"{"text":"a b a","word":"a"}"#), "2");
    assert_eq!(
        asked("count", r#"{"text":"a b a","word":"a","from":1}"#),
        "1"
    );
    assert_eq!(
        asked("tag", r#"{"image":[1,2,3,4,5],"tags":["x"]}"#),
        "[1,[1,2,3,4]]"
    );
    let price = r#"{"cents":1999,"rate":"0.07"}"#;
    assert_eq!(asked("price", price), price);
    let lines = r#"{"lines":{"from":1,"to":3}}"#;
    assert_eq!(asked("lines", lines), lines);
    let wrong = asked("lines", &lines.replace("\"from\":1", "\"from\":4"));
    assert!(wrong.contains("it ends before it begins"), "{wrong}");
    assert!(wrong.contains("$.lines"), "{wrong}");
    let wrong = asked("email", r#""ada""#);
    assert!(wrong.contains("has no @"), "{wrong}");
}

#[test]
fn what_the_guide_says_of_default_values_is_so() {
    let cut = r#""Cut { width: 80, end: \"...\", align: Right, stops: [] }""#;
    assert_eq!(asked("cut", r#"{"align":"Right"}"#), cut);
    assert_eq!(asked("head", r#"{"text":"abcdefgh"}"#), r#""abcde""#);
    assert_eq!(
        asked("head", r#"{"text":"abcdefgh","letters":2}"#),
        r#""ab""#
    );
}

#[test]
fn values_are_in_json_as_the_table_says() {
    let forms = concat!(
        r#"{"flag":true,"letter":"ä","nothing":null,"bytes":[1,2],"list":[-1],"array":[1,2],"tuple":[1,"a"],"#,
        r#""map":{"7":true},"absent":null,"renamed":"a","ways":["Nowhere",{"Mail":"a@b"},{"Phone":{"country":49}}],"#,
        r#""moment":{"secs_since_epoch":1,"nanos_since_epoch":2},"span":{"secs":1,"nanos":2}}"#,
    );
    assert_eq!(asked("forms", forms), forms);
}

#[test]
fn what_the_guide_says_of_numbers_is_so() {
    let exact = r#"{"wide":340282366920938463463374607431768211455,"natural":18446744073709551615,"single":0.1,"double":0.1}"#;
    assert_eq!(asked("numbers", exact), exact);
    let whole = r#"{"wide":1,"natural":1,"single":16777217,"double":9007199254740993}"#;
    let rounded = r#"{"wide":1,"natural":1,"single":16777216.0,"double":9007199254740992.0}"#;
    assert_eq!(asked("numbers", whole), rounded);
    for refused in [
        exact.replace("18446744073709551615", "18446744073709551616"),
        exact.replace("18446744073709551615", "1.0"),
        exact.replace("18446744073709551615", "\"1\""),
        exact.replace("\"double\":0.1", "\"double\":null"),
        exact.replace("\"double\":0.1", "\"double\":1e400"),
    ] {
        let answer = asked("numbers", &refused);
        assert!(answer.starts_with("INVALID_ARGUMENT"), "{refused} {answer}");
    }
    assert_eq!(
        asked("anything", "[18446744073709551615,18446744073709551616]"),
        "[18446744073709551615,1.8446744073709552e+19]"
    );
}
