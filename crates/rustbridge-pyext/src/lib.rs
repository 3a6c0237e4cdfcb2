//! `rustbridge._native`: the core as a CPython extension, and the host ABI exported from the same file.
//!
//! The extension marshals and nothing more: objects to pointers on the way in, bytes and text on the way out. What a
//! Python user sees of it (arguments' checks, exceptions, loggers, lifecycle) is written once, in Python, for this
//! backend and for ctypes. It's written on `pyo3-ffi`, not PyO3, because a call costs half as much that way.
//!
//! Linking `rustbridge-host-abi` also exports the `rb_` functions, so the ctypes backend loads this very file, and one
//! process has one core however it's called.

mod arguments;
mod borrowed;
mod call;
mod class;
mod convert;
mod ending;
mod error;
mod events;
mod gil;
mod header;
mod lifecycle;
mod log;
mod method;
mod module;
mod object;
mod operations;
mod response;
mod service;
mod upcall;
mod wire;

pub use module::PyInit__native;
