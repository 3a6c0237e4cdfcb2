//! Who waits in a service call and is to hear when the operation is cancelled that it's made for.
//!
//! Hardly ever does anybody, and an operation has no room for any number of them, so they are in one list beside all operations.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use rustbridge_abi::Op;

use super::run::catch_panic;
use crate::registry::fork::{self, OverFork};

struct Waiters {
    list: Mutex<Vec<(u64, Op, Waker)>>,
    /// How many are in it, or about to be.
    count: AtomicUsize,
    next: AtomicUsize,
    is_watched: AtomicBool,
}

/// Of all instances: told apart by the operation that each waits for, whose number isn't used twice.
static WAITERS: Waiters = Waiters {
    list: Mutex::new(Vec::new()),
    count: AtomicUsize::new(0),
    next: AtomicUsize::new(0),
    is_watched: AtomicBool::new(false),
};

impl Waiters {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, Op, Waker)>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Waiters {
    type Held = MutexGuard<'static, Vec<(u64, Op, Waker)>>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    /// Who waits is the parent's.
    fn in_child(&'static self, list: &mut Self::Held) {
        mem::forget(mem::take(&mut **list));
    }
}

/// One who waits, until this is dropped.
pub(crate) struct Waiter(u64);

/// Has this waker woken when the operation is cancelled. Who is there looks after this whether it was: one that was cancelled before
/// wakes nobody.
pub(crate) fn watch(op: Op, waker: Waker) -> Waiter {
    if !WAITERS.is_watched.load(Ordering::Acquire) {
        // Before anybody takes the lock; it does no harm twice.
        fork::watch(&WAITERS);
        WAITERS.is_watched.store(true, Ordering::Release);
    }
    let number = WAITERS.next.fetch_add(1, Ordering::Relaxed) as u64;
    WAITERS.lock().push((number, op, waker));
    WAITERS.count.fetch_add(1, Ordering::Relaxed);
    // Between this and looking at the operation, as in `are_there` between cancelling it and the count: one of the two sees the other.
    fence(Ordering::SeqCst);
    Waiter(number)
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut list = WAITERS.lock();
        let place = list.iter().position(|(number, ..)| *number == self.0);
        // In a forked child it isn't there.
        let gone = place.map(|place| list.swap_remove(place));
        drop(list);
        WAITERS.count.fetch_sub(1, Ordering::Relaxed);
        drop(gone);
    }
}

/// Whether anybody may be there who waits for an operation that was cancelled before.
pub(super) fn are_there() -> bool {
    fence(Ordering::SeqCst);
    WAITERS.count.load(Ordering::Relaxed) != 0
}

/// Wakes those who wait for this operation, which was cancelled. The caller holds no lock.
pub(super) fn wake(op: Op) {
    let list = WAITERS.lock();
    let whose = list.iter().filter(|(_, theirs, _)| *theirs == op);
    let wakers: Vec<_> = whose.map(|(.., waker)| waker.clone()).collect();
    drop(list);
    for waker in wakers {
        // It may be the last that holds on to what is the host's.
        catch_panic(|| waker.wake());
    }
}
