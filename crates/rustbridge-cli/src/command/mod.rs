//! The commands, a file each.

pub(crate) mod call;
pub(crate) mod diff;
pub(crate) mod generate;
pub(crate) mod inspect;
