//! JSON by a fast reader with serde_json behind it, and where in it a problem is.

use std::fmt::Write as _;

use rustbridge_abi::{Encoding, StatusCode};
use rustbridge_json::Reader;
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment, Track};

use super::bounded::{Bounded, Within};
use super::bounds::OfJson;
use super::{Codec, Nothing, Problem};
use crate::response::Reply;

/// JSON as serde_json has it, which stops at a depth of 128.
#[derive(Debug)]
pub enum Json {}

impl Codec for Json {
    const ENCODING: Encoding = Encoding::Json;
    const NOTHING: &'static [u8] = b"null";

    #[inline(always)]
    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Problem> {
        let mut reader = Reader::new(bytes);
        if let Ok(value) = Within::<T, _>::new(OfJson::new()).deserialize(&mut reader) {
            if reader.end().is_ok() {
                return Ok(value);
            }
        }
        judged(bytes)
    }

    fn check_nothing(bytes: &[u8]) -> Result<(), Problem> {
        if bytes.is_empty() {
            Ok(())
        } else {
            Self::read::<Nothing>(bytes).map(drop)
        }
    }

    #[inline(always)]
    fn write<T: Serialize + ?Sized>(value: &T, reply: Reply) -> StatusCode {
        reply.json(value)
    }
}

/// Has serde_json read what the fast reader has doubts about. Where an error is gets noted on the way: mostly there is one.
#[cold]
#[inline(never)]
fn judged<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let mut track = Track::new();
    let value = T::deserialize(serde_path_to_error::Deserializer::new(
        Bounded::new(&mut deserializer, OfJson::new()),
        &mut track,
    ));
    let ended = value.and_then(|value| deserializer.end().map(|()| value));
    ended.map_err(|error| problem(&error, shown(&track.path())))
}

/// What's wrong, with the path in place of line and column. Those are for who wrote the text; who passed an object never saw it, and can do nothing wrong but what a path
/// leads to.
#[cold]
#[inline(never)]
fn problem(error: &serde_json::Error, path: Option<String>) -> Problem {
    let mut message = error.to_string();
    if error.classify() == Category::Data {
        let position = format!(" at line {} column {}", error.line(), error.column());
        if message.ends_with(&position) {
            message.truncate(message.len() - position.len());
        }
        if let Some(path) = &path {
            let _ = write!(message, " at {path}");
        }
    }
    Problem::new(message, path)
}

/// `$.pools[1].size`, as JSONPath has it. Nothing for the whole, and for a place that isn't known.
fn shown(path: &Path) -> Option<String> {
    let mut text = String::from("$");
    for segment in path {
        let _ = match segment {
            Segment::Seq { index } => write!(text, "[{index}]"),
            Segment::Map { key: name } | Segment::Enum { variant: name } => {
                let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
                if plain && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() {
                    write!(text, ".{name}")
                } else {
                    write!(text, "[{}]", serde_json::Value::from(name.as_str()))
                }
            }
            // What's below can't be told.
            Segment::Unknown => break,
        };
    }
    (text.len() > 1).then_some(text)
}
