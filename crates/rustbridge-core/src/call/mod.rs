//! Calls: the blocking path, and the one whose storage is an argument.

pub(crate) mod into;
pub(crate) mod sync;
