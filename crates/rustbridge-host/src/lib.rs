//! Plugins in a Rust program: load a library built with `rustbridge`, call its methods, close it.
//!
//! ```no_run
//! use rustbridge_host::{Encoding, Load};
//!
//! let plugin = Load::path("target/release/libhello.so").open()?;
//! let reply = plugin.call("greet", r#"{"name":"Ada"}"#)?;
//! println!("{}", std::str::from_utf8(&reply)?);
//!
//! // For many calls: the name is looked up once.
//! let greet = plugin.method("greet", Encoding::Json)?;
//! for name in ["Grace", "Barbara"] {
//!     let reply = greet.call(format!(r#"{{"name":"{name}"}}"#).as_bytes())?;
//!     println!("{}", std::str::from_utf8(&reply)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Load`] specifies the plugin's source and its options: configuration, name, log sink, and the effect of a panic.
//! * [`Plugin`] is a running instance. Any thread may use it, and dropping it closes it.
//! * [`Method`] is a method that was resolved in one encoding, for hot loops.
//! * [`Error`] has a [`Status`], whether the plugin failed or the call was refused:
//!
//! ```
//! use rustbridge_host::{Load, Status};
//!
//! let error = Load::path("/no/such/plugin.so").open().unwrap_err();
//! assert_eq!(error.status(), Status::NotFound);
//! assert!(error.message().contains("/no/such/plugin.so"));
//! ```
//!
//! [`Method::call_async`] returns a future for any executor; dropping it cancels the call. [`Method::stream`] returns
//! [`Items`], [`Method::send`] returns a [`Sender`], and [`Method::exchange`] returns both. Each has a form for plain
//! threads, too. [`Method::with`] adds a timeout, metadata and a trace:
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
//! [`typed`] is the runtime support for the clients that `rustbridge gen --language rust` writes. A client has a method
//! for each method of the plugin, with its types.
//!
//! A plugin's records go to a [`LogSink`], for example a closure, or to this program's own `tracing` by a `TracingSink`
//! (feature `tracing`, on by default).
//!
//! Outdated handles, methods and replies are harmless. A plugin's panic doesn't cross the boundary. Closing waits for
//! running calls. But a plugin's code runs in this process, so load only plugins that you trust.

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
