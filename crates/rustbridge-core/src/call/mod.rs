//! Calls: the blocking path, the one whose storage is an argument, the one that carries something, and calls that end later.

mod inside;
pub(crate) mod into;
mod shared;
pub(crate) mod submit;
pub(crate) mod sync;
pub(crate) mod with;
