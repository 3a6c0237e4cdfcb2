//! The commands, a file each.

pub(crate) mod generate;
pub(crate) mod inspect;
