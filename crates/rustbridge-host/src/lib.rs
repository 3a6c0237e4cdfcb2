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
//! [`Method::call_async`] makes a future for any executor, which cancels when it's dropped; [`Method::stream`] answers with
//! [`Items`], [`Method::send`] gives a [`Sender`], and [`Method::exchange`] both. Each has a form for plain threads, too. [`Method::with`]
//! adds how much time there is, metadata and a trace:
//!
//! ```no_run
//! # async fn fetch(plugin: &rustbridge_host::Plugin) -> Result<(), rustbridge_host::Error> {
//! use rustbridge_host::Encoding;
//! use std::time::Duration;
//!
//! let fetch = plugin.method("pages.fetch", Encoding::Json)?;
//! let page = fetch.call_async(br#"{"id":7}"#).timeout(Duration::from_secs(1)).await?;
//!
//! let mut ticks = plugin.method("ticks", Encoding::Json)?.stream(br#"{"every_ms":10}"#);
//! while let Some(tick) = ticks.next().await {
//!     println!("{}", String::from_utf8_lossy(&tick?));
//! }
//! # Ok(()) }
//! ```
//!
//! [`typed`] is what clients stand on that `rustbridge gen --language rust` writes: a method for each of a plugin's, with its types.
//!
//! A plugin's records go to a [`LogSink`], which any closure is, or to this program's own `tracing` by a `TracingSink` (feature
//! `tracing`, on by default).
//!
//! No handle, method or reply of the past can do harm, no panic of a plugin's crosses, and closing waits for what runs. What
//! loading a plugin does trust is its code: it runs in this process.

pub mod typed;

pub use rustbridge_core::{
    Answer, CallAsync, CallOptions, Canceller, DEFAULT_LOG_CAPACITY, DEFAULT_THREADS, DROP_TIMEOUT,
    Encoding, EntryPoint, Error, Handle, Item, Items, Iterate, Level, Load, LogSink, Metadata,
    Method, Object, OnPanic, Pending, Plugin, Record, RecordKind, Reply, ResponseLocation, Sender,
    Service, ServiceCall, ServiceReply, State, Status, Trace, With, check_image, inspect,
    service_fn,
};

#[cfg(feature = "tracing")]
pub use rustbridge_core::TracingSink;
