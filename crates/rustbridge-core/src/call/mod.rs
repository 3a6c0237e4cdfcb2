//! Calls: the blocking path, the one whose storage is an argument, the one that carries something, and calls that end later, and
//! those of clients whose types aren't the plugin's.

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
