//! The core through its interface for hosts in Rust and through its handles, with plugins that are written against the ABI alone.
//!
//! All tests of the crate are here, except those that have to be alone in their process: `allocations` and `operations_hammer`,
//! which count allocations, and the loom models, which compile files of the core a second time. What changes or counts
//! something of the whole process, or forks, is run again in a process of its own: `common::in_subprocess`.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/later.rs"]
mod later;

mod asker;
mod executors;
mod giver;
mod submitted;

mod basics;
mod closing;
mod copies;
mod files;
mod forking;
mod futures;
mod futures_streams;
mod hammer;
mod handed_over;
mod headers;
mod lies;
mod limits;
mod log_records;
mod log_threads;
mod logging;
mod objects;
mod operations;
mod operations_queues;
mod operations_streams;
mod services;
mod services_lifetime;
mod services_queue;
mod shared;
mod siblings;
mod windows;
