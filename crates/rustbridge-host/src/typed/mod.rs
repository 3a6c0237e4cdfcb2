//! Runtime support for typed clients: the sources that `rustbridge gen --language rust` writes.
//!
//! A client has a method for each method of its plugin, and structs and enums for their requests and responses. Programs that use a
//! client also use these types of this module:
//! * [`Failure`]: the error of a call whose handler has its own error type
//! * [`Items`]: a stream of values
//! * [`Value`]: a dynamic value
//! * [`Decimal`], [`Uuid`]
//!
//! The rest is for the generated sources.

mod answer;
mod callback;
mod caller;
mod class;
mod connection;
mod exchange;
mod failure;
mod items;
mod method;
mod objects;
mod raw;
mod scratch;
mod service;
mod traits;

pub use futures_core::Stream;
pub use rustbridge_macros::Wire;
pub use rustbridge_wire::{Decimal, NotDecimal, Uuid, Value};

pub use self::answer::RawAnswer;
pub use self::callback::{Callback, CallbackType, Crossing, HostObjects};
pub use self::caller::{Caller, Methods};
pub use self::connection::Connection;
pub use self::failure::Failure;
pub use self::items::{Items, Iterate};
pub use self::method::Method;
pub use self::service::{serve, serve_unasked};

/// The wire format, as derived code calls it.
#[doc(hidden)]
pub use rustbridge_wire as wire;

/// Functions that the macros of this module call.
#[doc(hidden)]
pub mod object {
    pub use super::callback::{lend as lend_callback, take as take_callback};
    pub use super::class::{callback_class as callback, callbacks, object_wire as wire};
    pub use super::objects::{lend, take};
    pub use super::traits::{debug, display, eq, hash, iter, ord};
}
