//! How many operations keep an instance from being destroyed.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::registry::table::{self, Handle};

/// By slot, as the table of instances is. Zero pages until used. An operation is counted from when `start` has answered
/// that it's pending, while the call that begins it is marked, to after its task is released.
static PENDING: [AtomicU32; 1 << 16] = [const { AtomicU32::new(0) }; 1 << 16];

fn of(instance: Handle) -> &'static AtomicU32 {
    &PENDING[usize::from(table::index(instance))]
}

pub(crate) fn add(instance: Handle) {
    of(instance).fetch_add(1, Ordering::Relaxed);
}

/// Releases what the operation did to the closer that sees it gone.
pub(crate) fn remove(instance: Handle) {
    of(instance).fetch_sub(1, Ordering::Release);
}

pub(crate) fn count(instance: Handle) -> u32 {
    of(instance).load(Ordering::Acquire)
}

/// In a forked child no operation is pending: what was, is the parent's.
pub(crate) fn forget() {
    for count in &PENDING {
        if count.load(Ordering::Relaxed) != 0 {
            count.store(0, Ordering::Relaxed);
        }
    }
}
