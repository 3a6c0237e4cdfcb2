//! Plugins in a Rust program: load a library built with `rustbridge`, call its methods, close it.
//!
//! ```no_run
//! use rustbridge_host::{Encoding, Load};
//!
//! let plugin = Load::path("target/release/libhello.so").open()?;
//! let reply = plugin.call("greet", r#"{"name":"Ada"}"#)?;
//! println!("{}", std::str::from_utf8(&reply)?);
//!
//! // For calling it often: the name is looked up once.
//! let greet = plugin.method("greet", Encoding::Json)?;
//! for name in ["Grace", "Barbara"] {
//!     let reply = greet.call(format!(r#"{{"name":"{name}"}}"#).as_bytes())?;
//!     println!("{}", std::str::from_utf8(&reply)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Load`] says where the plugin is and how its instance shall be: its config, its name, its log sink, what a panic does
//! to it. [`Plugin`] is a running instance, which any thread may use; dropping it closes it. [`Method`] is a method in one
//! encoding, made ready for a hot loop. What fails is an [`Error`] with a [`Status`], whether the plugin failed or the call
//! wasn't let in:
//!
//! ```
//! use rustbridge_host::{Load, Status};
//!
//! let error = Load::path("/no/such/plugin.so").open().unwrap_err();
//! assert_eq!(error.status(), Status::NotFound);
//! assert!(error.message().contains("/no/such/plugin.so"));
//! ```
//!
//! A plugin's records go to a [`LogSink`], which any closure is, or to this program's own `tracing` by a `TracingSink` (feature
//! `tracing`, on by default).
//!
//! No handle, method or reply of the past can do harm, no panic of a plugin's crosses, and closing waits for what runs. What
//! loading a plugin does trust is its code: it runs in this process.

pub use rustbridge_core::{
    Answer, CallOptions, DEFAULT_LOG_CAPACITY, DROP_TIMEOUT, Encoding, EntryPoint, Error, Handle,
    Level, Load, LogSink, Metadata, Method, Object, OnPanic, Plugin, Record, RecordKind, Reply,
    State, Status, Trace, With, Written, check_image, inspect,
};

#[cfg(feature = "tracing")]
pub use rustbridge_core::TracingSink;
