//! The one judge of the conformance cases: reads them, runs them on a host, judges every outcome, and reports. And the plugins'
//! libraries, for tests written in Rust.
//!
//! `conformance/README.md` gives the format; the types here are it, field by field.
//!
//! ```
//! use rustbridge_conformance::cases::Files;
//!
//! let files = Files::read().unwrap();
//! assert!(files.cases().count() > 150);
//! ```

pub mod call;
pub mod cases;
pub mod host;
pub mod json;
pub mod judge;
pub mod libraries;
pub mod operations;
pub mod payload;
pub mod pending;
mod process;
pub mod protocol;
pub mod report;
pub mod run;
pub mod system;
pub mod testee;
