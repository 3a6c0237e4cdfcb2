//! The encodings that serde reads and writes.

#[cfg(any(feature = "msgpack", feature = "bincode", feature = "postcard"))]
mod binary;
#[cfg(any(feature = "msgpack", feature = "bincode", feature = "postcard"))]
mod bounded;

use std::fmt::Display;

use rustbridge_abi::{Encoding, StatusCode};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::response::Reply;

#[cfg(feature = "bincode")]
pub use self::binary::Bincode;
#[cfg(feature = "msgpack")]
pub use self::binary::Msgpack;
#[cfg(feature = "postcard")]
pub use self::binary::Postcard;

/// One encoding. Reading must cope with any bytes: no panic, no unbounded recursion, no allocation out of proportion.
pub trait Codec {
    /// Which one.
    const ENCODING: Encoding;
    /// How `()` is written.
    const NOTHING: &'static [u8];
    /// What's wrong with bytes that don't parse.
    type Problem: Display;

    /// Reads exactly `bytes`.
    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Self::Problem>;

    /// Checks the request of a method that takes none: empty, or a valid value that's ignored.
    fn check_nothing(bytes: &[u8]) -> Result<(), Self::Problem> {
        if bytes.is_empty() {
            Ok(())
        } else {
            Self::read::<IgnoredAny>(bytes).map(drop)
        }
    }

    /// Writes `value` as the response.
    fn write<T: Serialize + ?Sized>(value: &T, reply: Reply) -> StatusCode;
}

/// JSON by serde_json, which stops at a depth of 128.
#[derive(Debug)]
pub enum Json {}

impl Codec for Json {
    const ENCODING: Encoding = Encoding::Json;
    const NOTHING: &'static [u8] = b"null";
    type Problem = serde_json::Error;

    #[inline(always)]
    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    #[inline(always)]
    fn write<T: Serialize + ?Sized>(value: &T, reply: Reply) -> StatusCode {
        reply.json(value)
    }
}
