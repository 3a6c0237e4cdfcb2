//! The commands, a file each.

pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod new;
pub(crate) mod run;
pub(crate) mod watch;
