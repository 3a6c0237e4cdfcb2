//! Tables of slots, 65,536 in a static each, and what a handle is made of.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::fork::{self, OverFork};
use super::slot::{HandleTarget, Slot};
use crate::state::State;

/// Names an instance: slot index in the low 16 bits, generation (from 1) in the upper 48.
///
/// A plain number, so that it can be kept in any language. A handle that was never issued, is stale or belongs to a
/// closed instance gets a status from every function that takes one, never undefined behaviour.
pub type Handle = u64;

/// Slot 0 is never issued, because a slot's key is 0 before its first use and handle 0 would match it; slot 0xffff
/// never, because a shut slot's key ends in 0xffff.
const FIRST: u16 = 1;
const LAST: u16 = 0xfffe;
const SLOTS: usize = 1 << 16;
const LAST_GENERATION: u64 = (1 << 48) - 1;

/// How many handles of one table can be in use at once.
pub(crate) const CAPACITY: usize = LAST as usize - FIRST as usize + 1;

/// All that the handles of one kind name. Belongs into a static and is never moved, so that looking a handle up needs no
/// lock, and others can keep the addresses of the slots' words for good. Zero pages until used.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Table<T> {
    slots: [Slot<T>; SLOTS],
    free: Mutex<Free>,
}

/// Which slots are free. What is issued once is issued again with the next generation. All zeroes at first, so that a
/// static table is.
#[derive(Debug)]
pub(crate) struct Free {
    #[expect(clippy::box_collection, reason = "an empty `Vec` isn't all zeroes")]
    given_back: Option<Box<Vec<u16>>>,
    /// How many were ever used.
    used: u16,
}

impl Free {
    fn take(&mut self) -> Option<u16> {
        if let Some(index) = self.given_back.as_mut().and_then(|slots| slots.pop()) {
            return Some(index);
        }
        if usize::from(self.used) == CAPACITY {
            return None;
        }
        self.used += 1;
        Some(FIRST + self.used - 1)
    }

    /// The slots that were ever in use.
    fn used(&self) -> impl Iterator<Item = u16> + use<> {
        FIRST..FIRST + self.used
    }
}

/// Why a handle has no state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stateless {
    /// It was never issued.
    Unused,
    /// What it names is being made, and may not be used yet.
    Starting,
}

/// Slot index of a handle.
#[inline(always)]
pub(crate) const fn index(handle: Handle) -> u16 {
    handle as u16
}

pub(crate) const fn generation(handle: Handle) -> u64 {
    handle >> 16
}

const fn handle(index: u16, generation: u64) -> Handle {
    (generation << 16) | index as Handle
}

impl<T: HandleTarget> Table<T> {
    pub(crate) const fn new() -> Table<T> {
        const { assert!(size_of::<Slot<T>>() == 64, "a slot is one cache line") };
        Table {
            slots: [const { Slot::new() }; SLOTS],
            free: Mutex::new(Free {
                given_back: None,
                used: 0,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot a handle names, whatever the handle is.
    #[inline(always)]
    pub(crate) fn slot(&self, handle: Handle) -> &Slot<T> {
        &self.slots[index(handle) as usize]
    }

    /// Takes a free slot and gives its handle, or nothing if all are in use. The slot has no state yet and is shut: it was
    /// never opened, or else closed.
    pub(crate) fn reserve(&'static self) -> Option<Handle> {
        let mut free = self.lock();
        if free.used == 0 {
            // Without the lock, which is taken after that of what is looked after.
            drop(free);
            fork::watch(self);
            free = self.lock();
        }
        let index = free.take()?;
        drop(free);
        let slot = self.slot(handle(index, 0));
        let generation = slot.status().0 + 1;
        slot.set_status(generation, None);
        Some(handle(index, generation))
    }

    /// Gives a slot back. What its handle named is gone and no call is inside.
    pub(crate) fn free(&self, handle: Handle) {
        self.slot(handle)
            .set_status(generation(handle), Some(State::Closed));
        // A slot whose generations are used up is never issued again: a handle must stay stale for good.
        if generation(handle) < LAST_GENERATION {
            self.lock()
                .given_back
                .get_or_insert_default()
                .push(index(handle));
        }
    }

    /// What the one with this handle is doing.
    pub(crate) fn state(&self, handle: Handle) -> Result<State, Stateless> {
        let (latest, state) = self.slot(handle).status();
        match generation(handle) {
            0 => Err(Stateless::Unused),
            generation if generation == latest => state.ok_or(Stateless::Starting),
            generation if generation < latest => Ok(State::Closed),
            _ => Err(Stateless::Unused),
        }
    }

    /// The latest handle of every slot that was ever in use.
    pub(crate) fn handles(&self) -> Vec<Handle> {
        let used = self.lock().used();
        used.map(|index| self.latest(index)).collect()
    }

    /// The handle that was last issued for a slot.
    pub(crate) fn latest(&self, index: u16) -> Handle {
        handle(index, self.slot(handle(index, 0)).status().0)
    }
}

/// What lives behind a handle stays the parent's: a child shuts every slot, which costs the call path nothing and gives the
/// same refusal everywhere.
impl<T: HandleTarget> OverFork for Table<T> {
    type Held = MutexGuard<'static, Free>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    fn in_child(&'static self, free: &mut Self::Held) {
        for index in free.used() {
            let handle = self.latest(index);
            let slot = self.slot(handle);
            if self.state(handle) == Ok(State::Closed) {
                continue;
            }
            slot.shut(handle);
            slot.word().store(0, Ordering::Relaxed);
            slot.set_status(generation(handle), Some(State::Forked));
        }
        // A lock that belongs to one of them may be held by a thread that doesn't exist any more.
        if let Some(slots) = &mut free.given_back {
            slots.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::guard::{Mark, Place};
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Letter(u8);

    impl HandleTarget for Letter {
        const TABLE: u32 = 0x7fff;
        const NONE: Letter = Letter(0);
    }

    #[derive(Clone, Copy, Debug)]
    struct Number;

    impl HandleTarget for Number {
        const TABLE: u32 = 0x7ffe;
        const NONE: Number = Number;
    }

    #[test]
    fn a_slot_is_issued_again_and_its_old_handle_stays_stale() {
        // Of this test alone.
        static LETTERS: Table<Letter> = Table::new();
        let first = LETTERS.reserve().unwrap();
        assert_eq!((index(first), generation(first)), (FIRST, 1));
        assert_eq!(LETTERS.state(first), Err(Stateless::Starting));
        assert_eq!(LETTERS.state(first + (1 << 16)), Err(Stateless::Unused));
        assert_eq!(LETTERS.state(0), Err(Stateless::Unused));

        let slot = LETTERS.slot(first);
        // SAFETY: reserved for us, not open, and no call is inside.
        unsafe { slot.set_target(Letter(b'a')) };
        slot.open(first);
        assert!(slot.change_state(1, None, State::Active));
        assert!(slot.is_open_for(first) && LETTERS.state(first) == Ok(State::Active));

        slot.shut(first);
        LETTERS.free(first);
        let second = LETTERS.reserve().unwrap();
        assert_eq!((index(second), generation(second)), (FIRST, 2));
        assert_eq!(LETTERS.state(first), Ok(State::Closed));
        assert_eq!(LETTERS.state(second), Err(Stateless::Starting));
        assert!(!slot.is_open_for(first) && !slot.is_open_for(second));
        assert_eq!(LETTERS.handles(), [second]);
    }

    #[test]
    fn a_full_table_issues_nothing_until_a_slot_is_free() {
        // Of this test alone.
        static NUMBERS: Table<Number> = Table::new();
        let issued: Vec<Handle> = std::iter::from_fn(|| NUMBERS.reserve()).collect();
        assert_eq!(issued.len(), CAPACITY);
        assert_eq!(issued.last().map(|&last| index(last)), Some(LAST));
        NUMBERS.free(issued[7]);
        assert_eq!(NUMBERS.reserve().map(index), Some(index(issued[7])));
        assert_eq!(NUMBERS.reserve(), None);
    }

    #[test]
    fn a_mark_tells_the_tables_apart() {
        let handle = handle(FIRST, 1);
        let [letter, number] = [Place::of::<Letter>(handle), Place::of::<Number>(handle)];
        assert_ne!(letter, number);
        for place in [letter, number] {
            let mark = Mark::new(place, u32::MAX);
            assert_eq!((mark.place(), mark.entry()), (place, u32::MAX));
        }
    }
}
