//! How many pending calls keep an instance from being destroyed.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::registry::table::{self, Handle};

/// Indexed by slot, as the table of instances. The pages are zero until they are used. A call is counted from when `start` has returned
/// `RB_PENDING`, while the submitting thread is still marked, until its task is released.
static PENDING: [AtomicU32; 1 << 16] = [const { AtomicU32::new(0) }; 1 << 16];

fn of(instance: Handle) -> &'static AtomicU32 {
    &PENDING[usize::from(table::index(instance))]
}

pub(crate) fn add(instance: Handle) {
    of(instance).fetch_add(1, Ordering::Relaxed);
}

/// A closing thread that reads the new count also sees everything that was done for the call.
pub(crate) fn remove(instance: Handle) {
    of(instance).fetch_sub(1, Ordering::Release);
}

pub(crate) fn count(instance: Handle) -> u32 {
    of(instance).load(Ordering::Acquire)
}

/// In a forked child no call is pending: all belong to the parent.
pub(crate) fn forget() {
    for count in &PENDING {
        if count.load(Ordering::Relaxed) != 0 {
            count.store(0, Ordering::Relaxed);
        }
    }
}
