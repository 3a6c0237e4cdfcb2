//! Calls: the blocking path, and the one whose storage is an argument.

pub(crate) mod into;
mod shared;
pub(crate) mod sync;
