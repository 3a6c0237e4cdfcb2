//! The API for hosts in Rust: loading, plugins, methods, replies and streams.

mod async_methods;
pub(crate) mod begin;
pub(crate) mod item;
pub(crate) mod items;
pub(crate) mod load;
pub(crate) mod method;
pub(crate) mod object;
mod park;
pub(crate) mod pending;
pub(crate) mod plugin;
pub(crate) mod reply;
pub(crate) mod sender;
mod values;
pub(crate) mod with;
