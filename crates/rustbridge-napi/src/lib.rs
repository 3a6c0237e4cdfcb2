//! The core as a Node-API addon.
//!
//! It marshals and nothing more: JavaScript's values to pointers on the way in, strings and bytes on the way out. What a
//! user sees of it is written once, in TypeScript. It's written on `napi-sys` because a call costs a fraction of what it does
//! through a layer above that.
//!
//! Each environment (the main thread, each worker) has its own state and its own queue; nothing here is the process's.

mod call;
mod environment;
mod error;
mod events;
mod functions;
mod header;
mod lifecycle;
mod load;
mod log;
mod memory;
mod method;
mod module;
mod operations;
mod post;
mod record;
mod service;
mod slot;
mod started_calls;
mod text;
mod value;

pub use module::{napi_register_module_v1, node_api_module_get_api_version_v1};
