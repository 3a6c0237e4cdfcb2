//! Calls: synchronous ones, those with the buffer as an argument, those with a call context, asynchronous ones, and those of clients
//! whose types differ from the plugin's.

mod closing;
mod context;
pub(crate) mod into;
pub(crate) mod objects;
mod offload;
mod resolved;
mod shared;
pub(crate) mod submission;
pub(crate) mod submit;
pub(crate) mod sync;
pub(crate) mod with;

use crate::instance::inside;
