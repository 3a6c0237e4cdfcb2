//! The free nodes: a stack that threads take from and give to without a lock.

use super::atomics::{AtomicU32, AtomicU64, Ordering};

/// A stack of indices, each with a place of its own for what is behind it.
///
/// The first one's index plus 1, and above it how often the stack has changed, so that a change which was overtaken is noticed.
pub(crate) struct Free(AtomicU64);

/// One more change, and another first index plus 1.
fn changed(head: u64, first: u32) -> u64 {
    ((head >> 32).wrapping_add(1) << 32) | u64::from(first)
}

impl Free {
    pub(crate) const fn new(head: AtomicU64) -> Free {
        Free(head)
    }

    /// Takes an index; `next_of` gives the place behind one.
    pub(crate) fn pop<'a>(&self, next_of: impl Fn(u32) -> Option<&'a AtomicU32>) -> Option<u32> {
        let mut head = self.0.load(Ordering::Acquire);
        loop {
            let index = (head as u32).checked_sub(1)?;
            // Another may have taken it and written here meanwhile; then the head has changed.
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

    /// Gives one, whose place behind it is `next`.
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

    /// Forgets all.
    pub(crate) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}
