//! Asynchronous calls: their states and streams, and completion queues.
//!
//! In this module an instance is a number, and its plugin a table of functions.

pub(crate) mod borrowed;
pub(crate) mod call_state;
pub(crate) mod caller;
mod cancellation;
pub(crate) mod delivery;
pub(crate) mod event;
pub(crate) mod flow;
pub(crate) mod free;
mod headers;
mod input_stream;
mod message_resolution;
pub(crate) mod node;
pub(crate) mod node_pool;
pub(crate) mod objects;
mod output_stream;
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
