//! The encodings that use serde.

#[cfg(any(feature = "msgpack", feature = "bincode", feature = "postcard"))]
mod binary;
mod bounded;
mod bounds;
mod json;
#[cfg(any(feature = "msgpack", feature = "bincode", feature = "postcard"))]
mod limits;
mod trail;

use std::collections::BTreeMap;
use std::fmt;

use rustbridge_abi::{Encoding, StatusCode};
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::response::Reply;

#[cfg(feature = "bincode")]
pub use self::binary::Bincode;
#[cfg(feature = "msgpack")]
pub use self::binary::Msgpack;
#[cfg(feature = "postcard")]
pub use self::binary::Postcard;
pub use self::json::Json;

/// An encoding. Reading must cope with any bytes: it must not panic, recurse without limit, allocate out of proportion, or loop more
/// often than there are bytes.
pub trait Codec {
    /// The encoding's number.
    const ENCODING: Encoding;
    /// The encoding of `()`.
    const NOTHING: &'static [u8];

    /// Reads a value that takes exactly `bytes`.
    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Problem>;

    /// Checks the request of a method without one: it must be empty, or the encoding's form of nothing.
    fn check_nothing(bytes: &[u8]) -> Result<(), Problem>;

    /// Writes `value` as the response.
    fn write<T: Serialize + ?Sized>(value: &T, reply: Reply) -> StatusCode;
}

/// Reads a request that is the value of a method's first parameter, from a caller that knows no other parameter. Returns `None` in
/// encodings without field names. Also returns `None` for an object that has the name of a parameter as a key: that is an invalid request
/// with several parameters.
#[must_use]
pub fn read_alone<'r, C: Codec, T: Deserialize<'r>>(
    bytes: &'r [u8],
    parameters: &[&str],
) -> Option<T> {
    let has_names = matches!(C::ENCODING, Encoding::Json | Encoding::Msgpack);
    let is_named = |names: BTreeMap<String, IgnoredAny>| {
        let mut parameters = parameters.iter();
        parameters.any(|parameter| names.contains_key(*parameter))
    };
    if !has_names || C::read(bytes).is_ok_and(is_named) {
        return None;
    }
    C::read(bytes).ok()
}

/// The error of invalid bytes. It's one pointer, so results of reading are as small as serde_json's own.
#[derive(Debug)]
pub struct Problem(Box<Parts>);

#[derive(Debug)]
struct Parts {
    message: String,
    path: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: String, path: Option<String>) -> Problem {
        Problem(Box::new(Parts { message, path }))
    }

    /// Converts it to an `INVALID_ARGUMENT` error. Its message begins with `what`, and the path is a detail.
    pub(crate) fn into_error(self, what: fmt::Arguments<'_>) -> Error {
        let Parts { message, path } = *self.0;
        let error = Error::invalid_argument(format!("{what}: {message}"));
        match path {
            Some(path) => error.with_detail("path", path),
            None => error,
        }
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Problem {
        Problem::new(message, None)
    }
}

/// The request of a method without one, in a self-describing encoding: `null` or `{}`. Requests with more data are refused, because the
/// caller expects the data to be used.
struct Nothing;

impl<'de> Deserialize<'de> for Nothing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Nothing, D::Error> {
        deserializer.deserialize_any(Nothing)
    }
}

impl<'de> Visitor<'de> for Nothing {
    type Value = Nothing;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing, `null` or `{}`, because the method takes no request")
    }

    fn visit_unit<E>(self) -> Result<Nothing, E> {
        Ok(Nothing)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Nothing, A::Error> {
        match access.next_key::<IgnoredAny>()? {
            None => Ok(Nothing),
            Some(_) => Err(A::Error::custom(
                "found an object with fields, expected nothing, `null` or `{}`, because the method takes no request",
            )),
        }
    }
}
