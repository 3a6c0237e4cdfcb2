//! Operations: calls that end later, their streams, and the queues that tell of them.
//!
//! An instance is a number here, and its plugin a table of functions: what an operation does needs no more.

pub(crate) mod answered;
pub(crate) mod asked;
pub(crate) mod bell;
pub(crate) mod caller;
pub(crate) mod drain;
pub(crate) mod event;
pub(crate) mod flow;
pub(crate) mod free;
mod headers;
pub(crate) mod lent;
pub(crate) mod life;
pub(crate) mod node;
pub(crate) mod nodes;
pub(crate) mod objects;
pub(crate) mod payload;
pub(crate) mod pending;
pub(crate) mod plugin;
pub(crate) mod queue;
pub(crate) mod queues;
mod remains;
mod resolving;
mod rings;
pub(crate) mod run;
pub(crate) mod threads;
pub(crate) mod timer;
pub(crate) mod waiters;

use crate::handle::atomics;
