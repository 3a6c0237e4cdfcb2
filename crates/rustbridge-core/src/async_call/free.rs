//! A lock-free stack of the free nodes.

use super::atomics::{AtomicU32, AtomicU64, Ordering};

/// A stack of indices. Each index has a place for the next one.
///
/// The first index plus 1, and in the upper half the number of changes, so that a thread notices changes by others.
pub(crate) struct Free(AtomicU64);

/// The head after a change, with another first index plus 1.
fn changed(head: u64, first: u32) -> u64 {
    ((head >> 32).wrapping_add(1) << 32) | u64::from(first)
}

impl Free {
    pub(crate) const fn new(head: AtomicU64) -> Free {
        Free(head)
    }

    /// Pops an index. `next_of` returns the place for the next one.
    pub(crate) fn pop<'a>(&self, next_of: impl Fn(u32) -> Option<&'a AtomicU32>) -> Option<u32> {
        let mut head = self.0.load(Ordering::Acquire);
        loop {
            let index = (head as u32).checked_sub(1)?;
            // Another thread may have popped it and written here meanwhile; then the head has changed.
            let next = next_of(index)?.load(Ordering::Relaxed);
            match self.0.compare_exchange_weak(
                head,
                changed(head, next),
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return Some(index),
                Err(other) => head = other,
            }
        }
    }

    /// Pushes an index, whose place for the next one is `next`.
    pub(crate) fn push(&self, index: u32, next: &AtomicU32) {
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            next.store(head as u32, Ordering::Relaxed);
            match self.0.compare_exchange_weak(
                head,
                changed(head, index + 1),
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(other) => head = other,
            }
        }
    }

    /// Removes all indices.
    pub(crate) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}
