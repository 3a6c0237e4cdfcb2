//! Services: functions of the host's that a plugin calls.

pub(crate) mod call;
pub(crate) mod call_threads;
mod context;
pub(crate) mod deferred;
mod expired;
pub(crate) mod gate;
mod own_thread;
pub(crate) mod queued;
mod refusal;
pub(crate) mod registered;
pub(crate) mod resolving_service;
