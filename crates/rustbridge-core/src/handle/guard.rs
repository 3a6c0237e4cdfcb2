//! The in-flight guard: how `close` learns that no call runs any more, without the calls sharing a counter.
//!
//! A thread announces a call by writing a mark into a cell of its own and only then looks whether the slot is open.
//! A closer shuts the slot and only then looks at the cells. With a full fence between the write and the look on both
//! sides, one of the two sees the other. The call's side is made cheap by moving its half of the fence to the closer
//! (`fence.rs`): a call costs two plain stores and two loads, and nothing that is written is shared.

use crate::slot::Slot;
use crate::sync::{AtomicU64, Ordering, fence, light_fence};

/// How many calls of one thread can be nested (a call that calls back, whose callback calls again) before the rest
/// is counted in the slot instead of being marked.
pub(crate) const LEVELS: usize = 4;

/// What a running call writes into its cell: the entry it runs, a bit that says it is there, and the slot it runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

const PRESENT: u64 = 1 << 16;

impl Mark {
    #[inline(always)]
    pub(crate) const fn new(slot: u16, entry: u32) -> Mark {
        Mark(((entry as u64) << 32) | PRESENT | slot as u64)
    }

    pub(crate) const fn slot(self) -> u16 {
        self.0 as u16
    }

    pub(crate) const fn entry(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A place for one mark. Only the thread that owns the cell writes it; everyone may read it.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Level(AtomicU64);

impl Level {
    pub(crate) fn idle() -> Level {
        Level(AtomicU64::new(0))
    }

    #[inline(always)]
    pub(crate) fn is_idle(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Announces a call and says whether the slot is open for this handle. Whatever the answer, `leave` must follow.
    ///
    /// After `true` the slot's target stays as it is, and its instance alive, until `leave`.
    #[inline(always)]
    pub(crate) fn enter(&self, mark: Mark, slot: &Slot, handle: u64) -> bool {
        self.0.store(mark.0, Ordering::Relaxed);
        light_fence();
        slot.is_open_for(handle)
    }

    /// `enter` for a process that has no asymmetric fence.
    pub(crate) fn enter_with_full_fence(&self, mark: Mark, slot: &Slot, handle: u64) -> bool {
        self.0.store(mark.0, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        slot.is_open_for(handle)
    }

    /// The call is over. Releases everything it did to the closer that sees it.
    #[inline(always)]
    pub(crate) fn leave(&self) {
        self.0.store(0, Ordering::Release);
    }

    /// The call that is marked here, if any. To be trusted only after the closer's fence.
    pub(crate) fn running(&self) -> Option<Mark> {
        let mark = self.0.load(Ordering::Acquire);
        (mark != 0).then_some(Mark(mark))
    }
}

/// The way in for calls that have no level to mark: nested too deep, or on a thread whose thread-locals are gone.
pub(crate) fn enter_counted(slot: &Slot, handle: u64) -> bool {
    slot.counted().fetch_add(1, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    slot.is_open_for(handle)
}

/// The way out that belongs to [`enter_counted`], whatever that answered.
pub(crate) fn leave_counted(slot: &Slot) {
    slot.counted().fetch_sub(1, Ordering::Release);
}
