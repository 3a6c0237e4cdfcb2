//! Operations: calls that end later, their streams, and the queues that tell of them.
//!
//! An instance is a number here, and its plugin a table of functions: what an operation does needs no more.

pub(crate) mod borrowed;
pub(crate) mod call_state;
pub(crate) mod caller;
pub(crate) mod event;
pub(crate) mod flow;
pub(crate) mod free;
mod headers;
mod message_resolution;
pub(crate) mod node;
pub(crate) mod node_pool;
pub(crate) mod objects;
pub(crate) mod payload;
pub(crate) mod pending_count;
pub(crate) mod plugin;
pub(crate) mod poll;
pub(crate) mod queue;
pub(crate) mod queue_table;
mod remains;
pub(crate) mod returned_objects;
pub(crate) mod run;
pub(crate) mod service_request;
pub(crate) mod threads;
pub(crate) mod timer;
pub(crate) mod waiters;
pub(crate) mod wakeup;
mod wakeup_state;

use crate::registry::atomics;
