//! Messages with types of other crates: `#[message(via = T)]`.
//!
//! If a field's type isn't a [`Message`](crate::Message), its attribute can name a message type `T` that represents it.
//! The field is written as `T::from(value)`, from a clone of the value, and read by `TryFrom<T>`. An error of the
//! conversion is `INVALID_ARGUMENT` with the field's path. This applies to every encoding. Clients and the JSON Schema
//! see `T`.
//!
//! The type may be within `Option`, `Box`, `Vec`, `VecDeque`, arrays, and the values of maps.
//!
//! ```
//! use std::num::ParseIntError;
//! use rustbridge::prelude::*;
//!
//! # mod colors {
//! #     #[derive(Clone, Copy, Debug, PartialEq)]
//! #     pub struct Rgb(pub u32);
//! # }
//! # use colors::Rgb;
//! /// The message type of `colors::Rgb`.
//! #[derive(Message)]
//! struct Hex(String);
//!
//! impl From<Rgb> for Hex {
//!     fn from(color: Rgb) -> Hex {
//!         Hex(format!("{:06x}", color.0))
//!     }
//! }
//!
//! impl TryFrom<Hex> for Rgb {
//!     type Error = ParseIntError;
//!
//!     fn try_from(hex: Hex) -> Result<Rgb, ParseIntError> {
//!         u32::from_str_radix(&hex.0, 16).map(Rgb)
//!     }
//! }
//!
//! #[derive(Message)]
//! struct Wall {
//!     #[message(via = Hex)]
//!     color: Rgb,
//!     #[message(via = Hex)]
//!     stripes: Vec<Rgb>,
//! }
//!
//! let wall: Wall = serde_json::from_str(r#"{"color": "00ff00", "stripes": []}"#).unwrap();
//! assert_eq!(wall.color, Rgb(0xff00));
//! ```
//!
//! [`Timestamp`] and [`Duration`] are for types whose crates have no JSON Schema: those of `time` and `jiff`.

mod duration;
mod route;
mod timestamp;
mod values;

pub use self::duration::Duration;
pub use self::timestamp::{NoTimestamp, Timestamp};

/// Items that the derive macro uses.
#[doc(hidden)]
pub mod derive {
    pub use super::route::{
        As, GoesAs, InArray, InBox, InDeque, InMap, InOption, InVec, Pairs, Route, Serde,
    };
    pub use super::values::{ViaRef, ViaValue};
}

/// The error for a point in time outside the range of another crate's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    what: &'static str,
    seconds: i64,
}

#[cfg(any(feature = "jiff", feature = "time"))]
impl OutOfRange {
    fn of(what: &'static str, seconds: i64) -> OutOfRange {
        OutOfRange { what, seconds }
    }
}

impl std::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OutOfRange { what, seconds } = self;
        write!(
            f,
            "{seconds} seconds from 1970 are outside the range of a {what}"
        )
    }
}

impl std::error::Error for OutOfRange {}
