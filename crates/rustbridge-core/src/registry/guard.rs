//! The in-flight guard: how `close` learns that no call runs any more, without the calls sharing a counter.
//!
//! A thread announces a call by writing a mark into a cell of its own and only then looks whether the slot is open.
//! A closer shuts the slot and only then looks at the cells. With a full fence between the write and the look on both
//! sides, one of the two sees the other. The call's side is made cheap by moving its half of the fence to the closer
//! (`fence.rs`): a call costs two plain stores and two loads, and nothing that is written is shared.

use std::ptr;
use std::sync::atomic::AtomicPtr;

use super::atomics::{AtomicU32, AtomicU64, Ordering, fence, light_fence};
use super::slot::{HandleTarget, Slot};

/// How many calls of one thread can be nested (a call that calls back, whose callback calls again) before the rest
/// is counted in the slot instead of being marked.
pub(crate) const NESTING_SLOTS: usize = 4;

/// Where a call runs: a slot of one of the tables. A bit that is always set tells its mark from none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(u32);

const PRESENT: u32 = 1 << 16;

impl Place {
    /// The slot that a handle of `T`'s table names.
    #[inline(always)]
    pub(crate) const fn of<T: HandleTarget>(handle: u64) -> Place {
        const { assert!(T::TABLE < 1 << 15) };
        Place((T::TABLE << 17) | PRESENT | (handle as u16 as u32))
    }

    /// Which of its table's slots it is.
    pub(crate) const fn slot(self) -> u16 {
        self.0 as u16
    }
}

/// What a running call writes into its cell: the entry it runs and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Mark {
    #[inline(always)]
    pub(crate) const fn new(place: Place, entry: u32) -> Mark {
        Mark(((entry as u64) << 32) | place.0 as u64)
    }

    pub(crate) const fn place(self) -> Place {
        Place(self.0 as u32)
    }

    pub(crate) const fn entry(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A thread's marks, which it alone writes. Two lines wide, because processors fetch lines in pairs and another thread's
/// cell must not ride along.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct ThreadSlot {
    /// For calls one inside the other, each with a mark of its own.
    pub(crate) nesting_slots: [NestingSlot; NESTING_SLOTS],
    /// How many calls of the host's the thread is in, one inside the other; also those that have no nesting slot.
    pub(crate) upcalls: AtomicU32,
    /// What belongs to the thread and to who knows its type: what the call carries that it is in, or null. The thread alone
    /// reads it, too.
    pub(crate) carried: AtomicPtr<()>,
    /// The index of a free node that the thread keeps for its next operation; 0 for none. Read and written by the thread alone.
    pub(crate) spare: AtomicU32,
}

impl ThreadSlot {
    pub(crate) fn idle() -> ThreadSlot {
        ThreadSlot {
            nesting_slots: std::array::from_fn(|_| NestingSlot::idle()),
            upcalls: AtomicU32::new(0),
            carried: AtomicPtr::new(ptr::null_mut()),
            spare: AtomicU32::new(0),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.nesting_slots.iter().all(NestingSlot::is_idle)
    }

    /// Where the thread's next call can be marked, unless it is nested too deep.
    pub(crate) fn idle_nesting_slot(&self) -> Option<&NestingSlot> {
        self.nesting_slots
            .iter()
            .find(|nesting_slot| nesting_slot.is_idle())
    }

    /// The calls that are marked here. To be trusted only after the closer's fence, except by the thread itself.
    pub(crate) fn marks(&self) -> impl Iterator<Item = Mark> {
        self.nesting_slots.iter().filter_map(NestingSlot::running)
    }

    /// The entry of the innermost call that is marked for this place; for the thread itself.
    #[inline(always)]
    pub(crate) fn innermost(&self, place: Place) -> Option<u32> {
        let own = |nesting_slot: &NestingSlot| {
            nesting_slot.running().filter(|mark| mark.place() == place)
        };
        self.nesting_slots
            .iter()
            .rev()
            .find_map(own)
            .map(Mark::entry)
    }
}

/// A place for one mark in a cell. Only the thread that owns the cell writes it; everyone may read it.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct NestingSlot(AtomicU64);

impl NestingSlot {
    pub(crate) fn idle() -> NestingSlot {
        NestingSlot(AtomicU64::new(0))
    }

    #[inline(always)]
    pub(crate) fn is_idle(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Announces a call and says whether the slot is open for this handle. Whatever the answer, `leave` must follow.
    ///
    /// After `true` the slot's target stays as it is, and its instance alive, until `leave`.
    ///
    /// It releases, too: a closer may find this mark, of a call elsewhere, where the one before had been that it waits for,
    /// and what that call did has to come before what the closer does then. On x86 it's the same instruction.
    #[inline(always)]
    pub(crate) fn enter<T: HandleTarget>(&self, mark: Mark, slot: &Slot<T>, handle: u64) -> bool {
        self.0.store(mark.0, Ordering::Release);
        light_fence();
        slot.is_open_for(handle)
    }

    /// `enter` for a process that has no asymmetric fence.
    pub(crate) fn enter_with_full_fence<T: HandleTarget>(
        &self,
        mark: Mark,
        slot: &Slot<T>,
        handle: u64,
    ) -> bool {
        self.0.store(mark.0, Ordering::Release);
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

/// The way in for calls that have no nesting slot to stand on: nested too deep, or on a thread whose thread-locals are gone.
pub(crate) fn enter_counted<T: HandleTarget>(slot: &Slot<T>, handle: u64) -> bool {
    slot.counted().fetch_add(1, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    slot.is_open_for(handle)
}

/// The way out that belongs to [`enter_counted`], whatever that answered.
pub(crate) fn leave_counted<T: HandleTarget>(slot: &Slot<T>) {
    slot.counted().fetch_sub(1, Ordering::Release);
}
