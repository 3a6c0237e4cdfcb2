//! JSON by a fast reader with serde_json behind it, and where in it a problem is.

use std::fmt::Write as _;

use rustbridge_abi::{Encoding, StatusCode};
use rustbridge_json::Reader;
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use super::bounded::{BoundedPart, BoundedSeed};
use super::bounds::OfJson;
use super::trail::{Trail, TrailJson};
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
        if let Ok(value) = BoundedSeed::<T, _>::new(OfJson::new()).deserialize(&mut reader) {
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
    let trail = Trail::default();
    let value = T::deserialize(BoundedPart::new(&mut deserializer, TrailJson::new(&trail)));
    let ended = value.and_then(|value| deserializer.end().map(|()| value));
    ended.map_err(|error| problem(&error, trail.shown()))
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
