//! JSON between serde's types and rustbridge's buffers.
//!
//! Reading is a fast reader for what is usual, and serde_json behind it for everything else: whatever the [`Reader`] has any [`Doubt`]
//! about, serde_json reads once more from the start, and what it says holds. So the reader needs no messages and no places, and has to be
//! right in one thing only: what it accepts, serde_json accepts with the same value. Writing is a serializer of its own, which writes
//! what serde_json would, byte for byte.
//!
//! ```text
//! bytes → Reader → value                    texts by vectors, numbers and names by the byte
//!            └ Doubt → serde_json → value, or an error with its place
//! value → write → Writer                    texts are looked at and copied in one go, into the caller's storage
//! ```
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
//! struct Point {
//!     x: i32,
//!     y: i32,
//! }
//!
//! let point: Point = rustbridge_json::from_slice(br#"{"x": 1, "y": -2}"#).unwrap();
//! assert_eq!(rustbridge_json::to_vec(&point).unwrap(), br#"{"x":1,"y":-2}"#);
//! let error = rustbridge_json::from_slice::<Point>(br#"{"x": 1, "y": "2"}"#).unwrap_err();
//! assert_eq!(error.to_string(), "invalid type: string \"2\", expected i32 at line 1 column 17");
//! ```

mod read;
mod text;
mod write;

pub use read::{Doubt, Reader};
pub use serde_json::Error;
pub use write::{to_vec, write};

use serde::de::DeserializeOwned;

/// Reads a value from exactly these bytes.
///
/// # Errors
/// serde_json's, where it refuses them.
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let mut reader = Reader::new(bytes);
    if let Ok(value) = T::deserialize(&mut reader) {
        if reader.end().is_ok() {
            return Ok(value);
        }
    }
    judged(bytes)
}

#[cold]
#[inline(never)]
fn judged<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes)
}
