//! The conformance cases for tests written in Rust: read, run on a host, judged; and the plugins' libraries.
//!
//! `conformance/README.md` gives the format; the types here are it, field by field.
//!
//! ```
//! use rustbridge_conformance::cases::Files;
//!
//! let files = Files::read().unwrap();
//! assert!(files.cases().count() > 150);
//! ```

pub mod cases;
pub mod judge;
pub mod libraries;
pub mod payload;
pub mod results;
pub mod run;
pub mod system;
