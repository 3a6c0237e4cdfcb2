//! One place of a handle table: the lock word that tells a valid handle from every other, and what a call needs.

use super::atomics::{AtomicU32, AtomicU64, Ordering, UnsafeCell, constructor};
use crate::state::State;

/// What stands in `key` while a slot is not open: its low 16 bits name no slot that is ever issued.
const SHUT: u64 = 0xffff;

/// What the handles of one table name: what a call through a slot of it reads.
///
/// At most four words, as `Table` makes sure: more would take a slot beyond its cache line.
pub(crate) trait HandleTarget: Copy + Send + Sync + 'static {
    /// The table's number, no other table's, below 0x8000: a mark says with it in which table's slot a call runs.
    const TABLE: u32;
    /// What a slot holds before its first use. Should be all zeroes, so that a static table takes no space in the file.
    const NONE: Self;
}

/// A slot of a handle table: exactly one cache line, so that the calls of one handle touch no other's.
///
/// Invariant: `target` is written only while no call can be inside, that is before `open` and after `shut` followed
/// by the closer's fence and a look at every cell that found none marked with this slot; and it is read only between
/// a successful `enter` and its `leave`.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Slot<T> {
    /// The handle while calls may enter, anything that is no handle of this slot otherwise.
    key: AtomicU64,
    target: UnsafeCell<T>,
    /// Calls inside that no cell marks.
    counted: AtomicU32,
    /// For the one that the slot is issued for to share with others, who read it in place and from outside.
    word: AtomicU32,
    /// `generation << 8 | state`, for everyone who isn't in a hurry.
    status: AtomicU64,
}

// SAFETY: `target` is the only field without synchronisation of its own; the invariant above is its synchronisation.
unsafe impl<T: HandleTarget> Sync for Slot<T> {}

impl<T: HandleTarget> Slot<T> {
    constructor! {
        /// All zeroes, so that a static table of these costs no space in the file and no memory until it is used.
        ///
        /// A key of 0 lets handle 0 in at slot 0; that slot is never issued, so what calls find there stays `NONE`, which
        /// must let none pass.
        pub(crate) fn new() -> Slot<T> {
            Slot {
                key: AtomicU64::new(0),
                target: UnsafeCell::new(T::NONE),
                counted: AtomicU32::new(0),
                word: AtomicU32::new(0),
                status: AtomicU64::new(0),
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_open_for(&self, handle: u64) -> bool {
        self.key.load(Ordering::Acquire) == handle
    }

    /// Reads the target.
    ///
    /// # Safety
    /// The caller is between a successful `enter` of this slot and its `leave`.
    #[inline(always)]
    pub(crate) unsafe fn target(&self) -> &T {
        // SAFETY: the caller is inside, so nobody writes (the invariant above).
        self.target.with(|target| unsafe { &*target })
    }

    /// Sets what calls will find.
    ///
    /// # Safety
    /// The slot isn't open, no call is inside, and the caller alone prepares it.
    pub(crate) unsafe fn set_target(&self, target: T) {
        // SAFETY: the caller vouches that nobody reads or writes.
        self.target.with_mut(|place| unsafe { *place = target });
    }

    /// Lets calls with this handle in.
    pub(crate) fn open(&self, handle: u64) {
        self.key.store(handle, Ordering::Release);
    }

    /// Keeps further calls with this handle out. Those inside go on.
    ///
    /// Leaves a slot alone that another handle has meanwhile: of two closers the slower one may come when the slot was
    /// issued again. One that finds it shut may go on to the fence as the one that shut it does, since it has seen so.
    pub(crate) fn shut(&self, handle: u64) {
        let _ = self
            .key
            .compare_exchange(handle, SHUT, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Whether nothing is inside, and nothing pending that was begun inside: for a closer that has shut the slot and run its fence.
    ///
    /// In this order, since what is inside may begin something and then leave; what is pending begins nothing.
    pub(crate) fn is_empty(
        &self,
        is_marked: impl FnOnce() -> bool,
        is_pending: impl FnOnce() -> bool,
    ) -> bool {
        self.counted.load(Ordering::Acquire) == 0 && !is_marked() && !is_pending()
    }

    pub(crate) fn counted(&self) -> &AtomicU32 {
        &self.counted
    }

    pub(crate) fn word(&self) -> &AtomicU32 {
        &self.word
    }

    /// The latest generation, 0 before the first, and its state, `None` while it has none yet.
    pub(crate) fn status(&self) -> (u64, Option<State>) {
        let status = self.status.load(Ordering::Acquire);
        (status >> 8, State::from_bits(status as u8))
    }

    pub(crate) fn set_status(&self, generation: u64, state: Option<State>) {
        self.status
            .store(bits(generation, state), Ordering::Release);
    }

    /// Changes the state unless it has become another than `from` meanwhile, or the slot another generation's.
    pub(crate) fn change_state(&self, generation: u64, from: Option<State>, to: State) -> bool {
        self.status
            .compare_exchange(
                bits(generation, from),
                bits(generation, Some(to)),
                Ordering::AcqRel,
                Ordering::Acquire,
            )
            .is_ok()
    }
}

fn bits(generation: u64, state: Option<State>) -> u64 {
    (generation << 8) | u64::from(State::to_bits(state))
}
