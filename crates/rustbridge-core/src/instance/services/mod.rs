//! Services: functions of the host's that a plugin calls.

mod own_thread;
pub(crate) mod call;
mod context;
pub(crate) mod gate;
mod expired;
pub(crate) mod deferred;
pub(crate) mod queued;
mod refusal;
pub(crate) mod registered;
pub(crate) mod resolving;
pub(crate) mod waiting;
