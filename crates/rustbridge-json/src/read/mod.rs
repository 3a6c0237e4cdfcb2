//! The reader.
//!
//! It's strict where serde_json is, and stricter where it costs nothing: less deep, less patient with what is passed over. That's a [`Doubt`] then,
//! and serde_json's to decide.

mod compound;
mod keys;
mod numbers;
mod pass;
mod reader;
mod serial;
mod strings;
mod variants;

pub use self::reader::{Doubt, Reader};
