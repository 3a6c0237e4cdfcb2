//! The command, and typed clients of other versions than their plugin's, through what the command has of the core.
//!
//! All tests of the crate are here, except `project`.

mod bench;
mod call;
mod command;
mod new;
mod newer;
mod resolved;
mod resolved_services;
mod traits;
mod types;
