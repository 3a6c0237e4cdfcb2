//! Services: functions of the host's that a plugin calls.

pub(crate) mod call;
mod context;
pub(crate) mod deferred;
mod expired;
pub(crate) mod gate;
mod own_thread;
pub(crate) mod queued;
mod refusal;
pub(crate) mod registered;
pub(crate) mod resolving;
pub(crate) mod waiting;
