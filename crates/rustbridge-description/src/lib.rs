//! What a plugin says of itself: the model that the author's side writes, and the core and the tools read.
//!
//! `docs/describe.md` gives the text's form. [`Description::read`] applies all rules of reading; whoever holds what it
//! gave needs to check nothing further, only to pass over entries that [aren't callable](Entry::callable).
//!
//! ```
//! use rustbridge_abi::Encoding;
//! use rustbridge_description::{Description, Outline};
//!
//! let text = r#"{"name": "clock", "methods": [{"name": "now", "entries": [
//!     {"index": 0, "encoding": "json", "leaf": true},
//!     {"index": 1, "encoding": "json", "kind": "of_a_later_version"}
//! ]}]}"#;
//! let clock: Description<'_> = Description::read(text.as_bytes())?;
//! let now = clock.method("now").unwrap();
//! assert!(now.entry(Encoding::Json).unwrap().leaf);
//! assert_eq!(now.callable().count(), 1);
//!
//! let error = Outline::read(b"{}").unwrap_err();
//! assert!(error.to_string().contains("missing field `name`"));
//! # Ok::<(), rustbridge_description::Error>(())
//! ```

#[cfg(feature = "read")]
mod error;
mod model;
#[cfg(feature = "read")]
mod read;
pub mod types;

#[cfg(feature = "read")]
pub use error::Error;
pub use model::{
    BIDI_STREAM, CLIENT_STREAM, Description, Entry, Field, Layout, Method, SERVER_STREAM, Service,
    Side, UNARY,
};
#[cfg(feature = "read")]
pub use read::{MAX_DEPTH, MAX_INDEX, MAX_SIZE, Outline};
