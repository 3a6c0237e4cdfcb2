//! What typed clients stand on: the sources that `rustbridge gen --language rust` writes.
//!
//! A client has a method for each of its plugin's, and structs and enums for what those take and give. What programs that use one meet
//! of this module are [`Failure`], what a call ends with whose handler fails with an error of a type of its own; [`Items`], a stream of
//! values; [`Value`], a value that says itself what it is; and [`Uuid`]. The rest is for the generated sources.

mod answer;
mod caller;
mod class;
mod exchange;
mod failure;
mod items;
mod method;
mod objects;
mod raw;
mod scratch;
mod service;

pub use futures_core::Stream;
pub use rustbridge_macros::Wire;
pub use rustbridge_wire::{Uuid, Value};

pub use self::answer::RawAnswer;
pub use self::caller::{Caller, Methods};
pub use self::failure::Failure;
pub use self::items::{Items, Iterate};
pub use self::method::Method;
pub use self::service::{serve, serve_unasked};

/// The wire form, as derived code calls it.
#[doc(hidden)]
pub use rustbridge_wire as wire;

/// What the macros of this module use.
#[doc(hidden)]
pub mod object {
    pub use super::class::object_wire as wire;
    pub use super::objects::{lend, take};
}
