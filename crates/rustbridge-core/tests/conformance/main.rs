//! The conformance cases, and what they can't express, on plugins as authors write them: through their libraries, and with
//! conformance-plugin linked into this program.
//!
//! `parity_hello` is a program of its own, because only one plugin that exports the entry symbol can be linked into a program.

#[path = "support/core_host.rs"]
mod core_host;
#[path = "support/core_operations.rs"]
mod core_operations;
#[path = "support/fault.rs"]
mod fault;
#[path = "support/parity.rs"]
mod parity;
#[path = "support/plain.rs"]
mod plain;
#[path = "support/subprocess.rs"]
mod subprocess;

mod broken_libraries;
mod carrying;
mod closing;
mod descriptions;
mod forking;
mod isolation;
mod libraries;
mod logging;
mod objects;
mod panics;
mod parity_conformance;
mod services;
