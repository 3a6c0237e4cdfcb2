//! Calls: the blocking path, the one whose storage is an argument, and the one that carries something.

pub(crate) mod into;
mod shared;
pub(crate) mod sync;
pub(crate) mod with;
