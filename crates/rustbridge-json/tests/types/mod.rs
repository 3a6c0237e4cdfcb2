//! Types that go through all of serde's protocol, and the comparison of this crate with serde_json over them. The fuzz target uses them too.

mod lenient;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Debug};

use rustbridge_json::Reader;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::lenient::{Lenient, OrWhy, UpToError, WithoutErrors};

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Shape {
    Nothing,
    Circle(f64),
    Pair(i8, u8),
    Named { label: String, sides: Option<u32> },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub enum Tagged {
    Leaf,
    Node { children: Vec<Tagged>, weight: f32 },
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub enum Untagged {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Untagged>),
    Table(BTreeMap<String, Untagged>),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Unit;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct New(pub String);

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Two(pub i16, pub char);

/// A field of every kind there is; each may be missing.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(default)]
pub struct Every {
    pub flag: bool,
    pub i8: i8,
    pub i16: i16,
    pub i32: i32,
    pub i64: i64,
    pub i128: i128,
    pub u8: u8,
    pub u16: u16,
    pub u32: u32,
    pub u64: u64,
    pub u128: u128,
    pub f32: f32,
    pub f64: f64,
    pub letter: char,
    pub text: String,
    pub maybe: Option<Box<Every>>,
    pub nothing: (),
    pub unit: Option<Unit>,
    pub new: Option<New>,
    pub two: Option<Two>,
    pub tuple: (u8, String, Option<bool>),
    pub doubles: Vec<f64>,
    pub wholes: Vec<i64>,
    pub shapes: Vec<Shape>,
    pub tagged: Option<Tagged>,
    pub untagged: Option<Untagged>,
    pub of_numbers: BTreeMap<i32, u64>,
    pub of_flags: BTreeMap<bool, Value>,
    pub of_letters: BTreeMap<char, ()>,
    pub value: Value,
    #[serde(rename = "a \"name\"\n")]
    pub named: Option<String>,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

/// Without defaults, and refusing what it doesn't know.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Strict {
    pub message: String,
    pub length: u32,
}

/// Passes over all but one.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct One {
    pub one: Option<u8>,
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
pub struct BorrowedText<'a> {
    #[serde(borrow)]
    pub text: Cow<'a, str>,
    pub plain: &'a str,
}

/// What asks for bytes, and takes them in any form.
#[derive(Debug, Default)]
pub struct Bytes(#[allow(dead_code, reason = "what Debug shows is compared")] Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Bytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = access.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_bytes(Any)
    }
}

/// Reads it by both and compares: what serde_json accepts is accepted with the same value, what it refuses is refused with the same
/// message. Gives the value.
pub fn read_same<T: DeserializeOwned + Debug>(bytes: &[u8]) -> Option<T> {
    let theirs = serde_json::from_slice::<T>(bytes);
    let mut reader = Reader::new(bytes);
    let sure = T::deserialize(&mut reader)
        .ok()
        .filter(|_| reader.end().is_ok());
    match (&sure, &theirs) {
        // Debug tells a negative zero from another, and no NaN comes from JSON.
        (Some(ours), Ok(theirs)) => assert_eq!(format!("{ours:?}"), format!("{theirs:?}")),
        (Some(ours), Err(error)) => panic!("{ours:?} was read, which serde_json refuses: {error}"),
        (None, _) => {}
    }
    match (rustbridge_json::from_slice::<T>(bytes), theirs) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
            Some(ours)
        }
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.to_string(), theirs.to_string());
            None
        }
        (ours, theirs) => panic!("{ours:?} and {theirs:?}"),
    }
}

/// The same for what lends from the bytes.
pub fn read_lent_same(bytes: &[u8]) {
    let mut reader = Reader::new(bytes);
    let sure = BorrowedText::deserialize(&mut reader)
        .ok()
        .filter(|_| reader.end().is_ok());
    if let Some(ours) = sure {
        assert_eq!(ours, serde_json::from_slice(bytes).expect("it was read"));
    }
}

/// Writes it by both and compares.
pub fn write_same<T: Serialize + ?Sized>(value: &T) -> Option<Vec<u8>> {
    match (rustbridge_json::to_vec(value), serde_json::to_vec(value)) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(
                String::from_utf8_lossy(&ours),
                String::from_utf8_lossy(&theirs)
            );
            Some(ours)
        }
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.to_string(), theirs.to_string());
            None
        }
        (ours, theirs) => panic!("{ours:?} and {theirs:?}"),
    }
}

/// Reads bytes as each of the types, and writes what was read.
pub fn all_same(bytes: &[u8]) {
    fn one<T: Serialize + DeserializeOwned + Debug>(bytes: &[u8]) {
        if let Some(value) = read_same::<T>(bytes) {
            write_same(&value);
        }
    }
    one::<Value>(bytes);
    one::<Every>(bytes);
    one::<Strict>(bytes);
    one::<One>(bytes);
    one::<Untagged>(bytes);
    one::<Vec<f64>>(bytes);
    one::<(f32, i64, u64, i128)>(bytes);
    one::<Vec<Shape>>(bytes);
    one::<BTreeMap<String, Tagged>>(bytes);
    one::<BTreeMap<u8, Option<f32>>>(bytes);
    one::<Option<String>>(bytes);
    read_same::<IgnoredAny>(bytes);
    read_same::<Bytes>(bytes);
    read_same::<Lenient>(bytes);
    read_same::<Vec<OrWhy<Untagged>>>(bytes);
    read_same::<UpToError<u8>>(bytes);
    read_same::<WithoutErrors<OrWhy<Shape>>>(bytes);
    read_lent_same(bytes);
}
