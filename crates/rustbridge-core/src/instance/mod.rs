//! Instances: how one is made, found, told of a panic, closed and shown, and why a use of one is refused.

pub(crate) mod checked_instance;
pub(crate) mod close;
pub(crate) mod create;
pub(crate) mod extension;
pub(crate) mod inside;
pub(crate) mod inspect;
mod names;
pub(crate) mod poison;
pub(crate) mod refusal;
pub(crate) mod roster;
pub(crate) mod services;
pub(crate) mod target;
