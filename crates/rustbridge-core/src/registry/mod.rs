//! Handles: tables of slots, how a call gets into a slot without a lock, and how a closer learns that none is inside.
//!
//! Nothing here knows what a handle names: a table is made for a [`slot::Named`].

pub(crate) mod atomics;
pub(crate) mod fence;
pub(crate) mod fork;
pub(crate) mod guard;
pub(crate) mod slot;
pub(crate) mod table;
pub(crate) mod thread_slots;
pub(crate) mod tls;
