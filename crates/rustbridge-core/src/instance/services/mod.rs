//! Services: functions of the host's that a plugin calls.

mod apart;
pub(crate) mod call;
mod context;
pub(crate) mod gate;
mod late;
pub(crate) mod pending;
pub(crate) mod queued;
mod refused;
pub(crate) mod registered;
pub(crate) mod resolving;
pub(crate) mod waiting;
