//! The host side of rustbridge: loads plugins, owns and protects their instances, and calls them.
//!
//! A host written in Rust depends on `rustbridge-host`, which re-exports [`Load`], [`Plugin`], [`Method`] and related
//! items. Bindings for other languages use [`handles`], whose functions use handles and plain integers.
//!
//! ```
//! # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
//! use rustbridge_core::{Encoding, Load};
//!
//! // `Load::path("libmy_plugin.so")` for a library; this one is linked into the example.
//! // SAFETY: this is our own plugin, whose entry point follows the ABI.
//! let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
//!
//! let reply = plugin.call("echo", r#"{"message":"hi"}"#)?;
//! assert_eq!(&*reply, br#"{"message":"hi"}"#);
//!
//! let add = plugin.method("add", Encoding::Pod)?;
//! assert_eq!(add.call_pod::<[i64; 2], i64>(&[20, 22])?, 42);
//! # Ok::<(), rustbridge_core::Error>(())
//! ```
//!
//! The following guarantees hold everywhere:
//!
//! * Outdated handles, entries and responses are harmless.
//! * A plugin's panic doesn't cross the boundary.
//! * Closing waits for running calls.
//! * The bytes of a response are the plugin's, unchanged.
//! * The call path neither locks nor allocates.
#![warn(clippy::too_many_lines)]

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "rustbridge runs on 64-bit targets only: handles and tokens are passed where pointers are"
);

mod async_call;
mod call;
mod causes;
mod current_call;
mod error;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod handles;
mod host;
mod instance;
mod library;
mod log;
mod metadata;
pub mod operations;
mod pin;
mod registry;
mod response;
mod state;
mod storage;

pub use rustbridge_abi::{CallContext, Encoding, EntryPoint, Level, Response, Status};

pub use error::Error;
pub use host::begin::Canceller;
pub use host::item::Item;
pub use host::items::{Items, Iterate, Pods};
pub use host::load::{DEFAULT_LOG_CAPACITY, Load};
pub use host::method::{Method, ResponseLocation};
pub use host::object::Object;
pub use host::pending::{CallAsync, Pending};
pub use host::plugin::{DROP_TIMEOUT, Plugin};
pub use host::reply::Reply;
pub use host::sender::Sender;
pub use host::with::{Answer, CallOptions, Trace, With};
pub use instance::inspect::inspect;
pub use instance::services::call_threads::DEFAULT_THREADS;
pub use instance::services::registered::{Service, ServiceCall, ServiceReply, service_fn};
pub use library::image::check_image;
pub use log::record::{Record, RecordKind};
pub use log::sink::LogSink;
#[cfg(feature = "tracing")]
pub use log::tracing_sink::TracingSink;
pub use metadata::Metadata;
pub use registry::table::Handle;
pub use state::{OnPanic, PreparedMethod, State};
