//! The scenarios of the Rust host: what is called, beside what, and how it is timed.
//!
//! [`scenarios::all`] is the one table that the criterion benchmark, the list of measures and the single timings go by,
//! so that none of them can know a scenario that the others don't.

mod direct;
mod executor;
mod floor;
mod libraries;
mod scenario;
pub mod scenarios;
pub mod singles;
mod subject;

pub use scenario::{Prepared, Scenario};
pub use subject::Subject;

/// The call through the core.
pub const OURS: &str = "ours";
/// The hand-written call.
pub const FLOOR: &str = "floor";
/// The plain Rust function.
pub const DIRECT: &str = "direct";
