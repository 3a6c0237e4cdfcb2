//! The plugin ABI: the symbols and tables that a plugin library exports, and the tables that the host passes to it.
//!
//! This crate is the `repr(C)` mirror of `include/rustbridge_plugin.h`, which cbindgen generates from it, comments included. It
//! has no dependencies, and no code except constants and small conversions, so that both sides of the boundary (`rustbridge` for
//! authors, `rustbridge-core` for hosts) can share it.
//!
//! # How it grows
//!
//! Every table and record begins with its own `size`, and a later minor version appends fields. A reader requires the size of
//! version 1.0, and copies the smaller of both sizes into a zeroed struct ([`read`]). Optional capabilities are tables of their
//! own, found by name through [`PluginTable::extension`]; null means unsupported. If the meaning of an existing field changes, the
//! major version changes, and both sides refuse to work with another major version.
#![no_std]

mod call_context;
mod encoding;
mod growth;
mod host;
mod log;
mod metadata;
mod operation;
mod plugin;
mod response;
mod service;
mod status;
mod version;

pub use call_context::*;
pub use encoding::*;
pub use growth::*;
pub use host::*;
pub use log::*;
pub use metadata::*;
pub use operation::*;
pub use plugin::*;
pub use response::*;
pub use service::*;
pub use status::*;
pub use version::*;
