//! The handle table: 65,536 slots in a static, and what a handle is made of.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustbridge_abi::Status;

use crate::error::Error;
use crate::slot::{Condition, Slot};

/// Names an instance: slot index in the low 16 bits, generation (from 1) in the upper 48.
///
/// A plain number, so that it can be kept in any language. A handle that was never issued, is stale or belongs to a
/// closed instance gets a status from every function that takes one, never undefined behaviour.
pub type Handle = u64;

/// Slot 0 is never issued, because a slot's key is 0 before its first use and handle 0 would match it; slot 0xffff
/// never, because a shut slot's key ends in 0xffff.
pub(crate) const FIRST: u16 = 1;
pub(crate) const LAST: u16 = 0xfffe;
const SLOTS: usize = 1 << 16;
const LAST_GENERATION: u64 = (1 << 48) - 1;

/// All instances of the process that this copy of the library made. Static and never moved, so that looking a handle
/// up needs no lock, and plugins can keep the addresses of their log levels for good. Zero pages until used.
static TABLE: [Slot; SLOTS] = [const { Slot::new() }; SLOTS];

const _: () = assert!(size_of::<Slot>() == 64, "a slot is one cache line");

/// Which slots are free. What is issued once is issued again with the next generation.
static FREE: Mutex<Free> = Mutex::new(Free {
    slots: Vec::new(),
    unused: FIRST,
});

#[derive(Debug)]
pub(crate) struct Free {
    slots: Vec<u16>,
    /// The first slot that was never used.
    unused: u16,
}

/// Locks the list of free slots; `fork.rs` holds it over a fork.
pub(crate) fn lock() -> MutexGuard<'static, Free> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Free {
    /// The slots that were ever in use.
    pub(crate) fn used(&self) -> impl Iterator<Item = u16> + use<> {
        FIRST..self.unused
    }

    /// Gives up the slots that were free: in a forked child a lock that belongs to one of them may be held by a thread
    /// that doesn't exist any more.
    #[cfg(unix)]
    pub(crate) fn forget(&mut self) {
        self.slots.clear();
    }
}

/// Slot index of a handle.
#[inline(always)]
pub(crate) const fn index(handle: Handle) -> u16 {
    handle as u16
}

pub(crate) const fn generation(handle: Handle) -> u64 {
    handle >> 16
}

/// The slot a handle names, whatever the handle is.
#[inline(always)]
pub(crate) fn slot(handle: Handle) -> &'static Slot {
    &TABLE[index(handle) as usize]
}

/// Takes a free slot for a new instance and gives its handle. The slot is starting, and shut: it was never opened, or
/// else closed.
pub(crate) fn reserve() -> Result<Handle, Error> {
    let mut free = lock();
    let index = match free.slots.pop() {
        Some(index) => index,
        None if free.unused <= LAST => {
            free.unused += 1;
            free.unused - 1
        }
        None => {
            return Err(Error::new(
                Status::ResourceExhausted,
                "TooManyInstances",
                format!(
                    "{} instances are open in this process, which is the limit: close some before loading more",
                    LAST - FIRST + 1
                ),
            ));
        }
    };
    let slot = slot(Handle::from(index));
    let generation = slot.status().0 + 1;
    slot.set_status(generation, Condition::Starting);
    Ok((generation << 16) | Handle::from(index))
}

/// Gives a slot back. Its instance is destroyed and no call is inside.
pub(crate) fn free(handle: Handle) {
    slot(handle).set_status(generation(handle), Condition::Closed);
    // A slot whose generations are used up is never issued again: a handle must stay stale for good.
    if generation(handle) < LAST_GENERATION {
        lock().slots.push(index(handle));
    }
}

/// What the instance with this handle is doing.
pub(crate) fn condition(handle: Handle) -> Condition {
    let (latest, condition) = slot(handle).status();
    match generation(handle) {
        0 => Condition::Unused,
        generation if generation == latest => condition,
        generation if generation < latest => Condition::Closed,
        _ => Condition::Unused,
    }
}

/// Why a handle in this condition can't be used.
#[cold]
pub(crate) fn refusal(handle: Handle, condition: Condition) -> Error {
    match condition {
        Condition::Unused => Error::new(
            Status::InvalidArgument,
            "InvalidHandle",
            format!("{handle:#x} is not the handle of an instance: pass the one that loading gave"),
        ),
        Condition::Poisoned => Error::new(
            Status::FailedPrecondition,
            "Poisoned",
            format!(
                "instance {handle:#x} refuses calls since a panic in it (it was loaded with on_panic = poison): close it and load a new one"
            ),
        ),
        Condition::Forked => Error::new(
            Status::FailedPrecondition,
            "Forked",
            format!(
                "instance {handle:#x} was loaded before this process was forked and lives on in the parent only: load the plugin again in the child"
            ),
        ),
        Condition::Starting => Error::new(
            Status::Unavailable,
            "Starting",
            format!("instance {handle:#x} is still being created: wait until loading returns"),
        ),
        Condition::Closing => Error::new(
            Status::Unavailable,
            "Closed",
            format!("instance {handle:#x} is closing and takes no further calls"),
        ),
        // A call that lost the race against `close` may find the slot open again for somebody else, or still active.
        Condition::Closed | Condition::Active => Error::new(
            Status::Unavailable,
            "Closed",
            format!("instance {handle:#x} is closed: load the plugin again"),
        ),
    }
}
