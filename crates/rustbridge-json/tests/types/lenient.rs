//! Types that go on after an error, as serde lets them: where they are then, and what they make of it, has to be what it is with serde_json.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;

use super::Shape;

/// The default where it can't be read.
#[derive(Debug, Default)]
pub struct OrDefault<T>(#[allow(dead_code, reason = "what Debug shows is compared")] T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for OrDefault<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(OrDefault(T::deserialize(deserializer).unwrap_or_default()))
    }
}

/// Why it can't be read, where it can't.
#[derive(Debug)]
pub enum OrWhy<T> {
    Right(#[allow(dead_code, reason = "what Debug shows is compared")] T),
    Wrong(#[allow(dead_code, reason = "what Debug shows is compared")] String),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OrWhy<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match T::deserialize(deserializer) {
            Ok(value) => OrWhy::Right(value),
            Err(error) => OrWhy::Wrong(error.to_string()),
        })
    }
}

/// A list up to the first element that can't be read.
#[derive(Debug)]
pub struct UpToError<T>(#[allow(dead_code, reason = "what Debug shows is compared")] Vec<T>);

/// A list without those that can't be read.
#[derive(Debug)]
pub struct WithoutErrors<T>(#[allow(dead_code, reason = "what Debug shows is compared")] Vec<T>);

/// Reads a list in spite of so many errors.
struct InSpiteOf<T>(usize, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for InSpiteOf<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<T>, A::Error> {
        let mut read = Vec::new();
        let mut errors = 0;
        loop {
            match access.next_element() {
                Ok(Some(element)) => read.push(element),
                Ok(None) => return Ok(read),
                Err(_) if self.0 == 0 => return Ok(read),
                Err(_) if errors < self.0 => errors += 1,
                // serde_json stays where it is after some.
                Err(_) => return Err(A::Error::custom("too many errors")),
            }
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UpToError<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_seq(InSpiteOf(0, PhantomData))
            .map(UpToError)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for WithoutErrors<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_seq(InSpiteOf(200, PhantomData))
            .map(WithoutErrors)
    }
}

/// A text that is only taken as an owned one.
#[derive(Debug)]
pub struct Owned(#[allow(dead_code, reason = "what Debug shows is compared")] String);

impl<'de> Deserialize<'de> for Owned {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        #[expect(clippy::serde_api_misuse, reason = "that is what is tried")]
        impl Visitor<'_> for Text {
            type Value = Owned;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an owned text")
            }
            fn visit_string<E>(self, text: String) -> Result<Owned, E> {
                Ok(Owned(text))
            }
        }
        deserializer.deserialize_string(Text)
    }
}

/// All of these.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
#[allow(dead_code, reason = "what Debug shows is compared")]
pub struct Lenient {
    flag: OrDefault<bool>,
    u64: OrDefault<u64>,
    u128: OrDefault<u128>,
    i128: OrDefault<i128>,
    f32: OrDefault<f32>,
    f64: OrDefault<f64>,
    letter: OrDefault<char>,
    text: OrDefault<String>,
    bytes: OrDefault<super::Bytes>,
    nothing: OrDefault<()>,
    tuple: OrDefault<(u8, u8)>,
    list: OrDefault<Vec<u8>>,
    map: OrDefault<BTreeMap<u8, u8>>,
    shape: OrDefault<Option<Shape>>,
    any: OrDefault<Option<IgnoredAny>>,
    inner: OrDefault<Option<Box<Lenient>>>,
    why: Option<OrWhy<u8>>,
    why_shape: Option<OrWhy<Shape>>,
    why_untagged: Option<OrWhy<super::Untagged>>,
    why_map: BTreeMap<String, OrWhy<f32>>,
    up_to: Option<UpToError<Vec<u8>>>,
    up_to_values: Option<UpToError<OrDefault<Value>>>,
    without: Option<WithoutErrors<u8>>,
    without_texts: Option<WithoutErrors<String>>,
    without_shapes: Option<WithoutErrors<Shape>>,
    owned: OrDefault<Option<Owned>>,
}
