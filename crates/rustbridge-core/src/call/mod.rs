//! Calls: the blocking path, and the one whose storage is an argument; and what else goes on inside an instance.

mod inside;
pub(crate) mod into;
pub(crate) mod objects;
mod shared;
pub(crate) mod sync;
