//! The plugin ABI: what a plugin library exports and what the host hands it.
//!
//! This crate is the `repr(C)` mirror of `include/rustbridge_plugin.h`, which cbindgen generates from it; the prose
//! here is the prose there. It has no dependencies and no code beyond constants and small conversions, so both sides
//! of the boundary (`rustbridge` for authors, `rustbridge-core` for hosts) can share it and nothing else.
//!
//! # How it grows
//!
//! Every table and record begins with its own `size`. A later minor version appends fields. A reader asks for the size
//! of version 1.0 and no more, and reads the smaller of both sizes into zeroes ([`read`]). Optional capabilities are tables of their own, asked for by name through
//! [`PluginTable::extension`]; null means unsupported. A new major version is a new meaning for an old field, and
//! both sides refuse to work with another major.
#![no_std]

mod encoding;
mod growth;
mod call_context;
mod host;
mod log;
mod metadata;
mod operation;
mod plugin;
mod response;
mod service;
mod status;
mod version;

pub use encoding::*;
pub use growth::*;
pub use call_context::*;
pub use host::*;
pub use log::*;
pub use metadata::*;
pub use operation::*;
pub use plugin::*;
pub use response::*;
pub use service::*;
pub use status::*;
pub use version::*;
