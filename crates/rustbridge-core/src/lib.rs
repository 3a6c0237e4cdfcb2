//! The host side of rustbridge: load a plugin, own it, guard it, call it, observe it.
//!
//! A host written in Rust uses [`Load`], [`Plugin`] and [`Method`]. Bindings for other languages use [`instance`] and
//! [`raw`], which speak handles and plain integers.
//!
//! ```
//! # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
//! use rustbridge_core::{Encoding, Load};
//!
//! // `Load::path("libmy_plugin.so")` for a library; this one is linked into the example.
//! // SAFETY: a plugin of ours, whose entry point follows the ABI.
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
//! What holds everywhere: no handle, entry or response of the past can do harm; no panic of a plugin's crosses; closing
//! waits for what runs; the bytes of an answer are the plugin's, unchanged; and the call path neither locks nor
//! allocates.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "rustbridge runs on 64-bit targets only: handles and tokens are passed where pointers are"
);

mod cells;
mod close;
mod copy;
mod describe;
mod error;
mod fence;
mod fork;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod image;
mod inspect;
pub mod instance;
mod into;
mod load;
mod loader;
mod log;
mod mapping;
mod method;
mod negotiate;
mod plugin;
pub mod raw;
mod reply;
#[cfg(windows)]
mod scratch;
mod slot;
mod storage;
mod sync;
mod table;
mod tls;

pub use rustbridge_abi::{Encoding, EntryPoint, Level, Response, Status};

pub use error::Error;
pub use image::check_image;
pub use inspect::inspect;
pub use instance::{Prepared, State};
pub use load::{DEFAULT_LOG_CAPACITY, Load, OnPanic};
#[cfg(feature = "tracing")]
pub use log::TracingSink;
pub use log::{LogSink, Record, RecordKind};
pub use method::{Method, Written};
pub use plugin::{DROP_TIMEOUT, Plugin};
pub use reply::Reply;
pub use table::Handle;
