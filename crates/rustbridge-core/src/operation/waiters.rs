//! Who waits in a service call and is to hear when the operation is cancelled that it's made for.
//!
//! Hardly ever does anybody, and an operation has no room for any number of them, so they are in one list beside all operations.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::handle::fork::{self, OverFork};

struct Waiters {
    list: Mutex<Vec<(u64, &'static AtomicU32, Waker)>>,
    /// How many are in it, or about to be.
    count: AtomicUsize,
    next: AtomicUsize,
    is_watched: AtomicBool,
}

/// Of all instances: told apart by the flag of the operation that each waits for, which lives for good.
static WAITERS: Waiters = Waiters {
    list: Mutex::new(Vec::new()),
    count: AtomicUsize::new(0),
    next: AtomicUsize::new(0),
    is_watched: AtomicBool::new(false),
};

impl Waiters {
    fn lock(&self) -> MutexGuard<'_, Vec<(u64, &'static AtomicU32, Waker)>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Waiters {
    type Held = MutexGuard<'static, Vec<(u64, &'static AtomicU32, Waker)>>;

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

/// Has this waker woken when the operation is cancelled whose flag this is. Who is there looks at the flag after this: one that was
/// set before wakes nobody.
pub(crate) fn watch(flag: &'static AtomicU32, waker: Waker) -> Waiter {
    if !WAITERS.is_watched.swap(true, Ordering::AcqRel) {
        fork::watch(&WAITERS);
    }
    let number = WAITERS.next.fetch_add(1, Ordering::Relaxed) as u64;
    WAITERS.lock().push((number, flag, waker));
    WAITERS.count.fetch_add(1, Ordering::Relaxed);
    // Between this and looking at the flag, as in `are_there` between the flag and the count: one of the two sees the other.
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

/// Whether anybody may be there who waits for a flag that was set before.
pub(super) fn are_there() -> bool {
    fence(Ordering::SeqCst);
    WAITERS.count.load(Ordering::Relaxed) != 0
}

/// Wakes those who wait for this flag, which was set. The caller holds no lock.
pub(super) fn wake(flag: &AtomicU32) {
    let list = WAITERS.lock();
    let whose = list
        .iter()
        .filter(|(_, theirs, _)| std::ptr::eq(*theirs, flag));
    let wakers: Vec<_> = whose.map(|(.., waker)| waker.clone()).collect();
    drop(list);
    for waker in wakers {
        waker.wake();
    }
}
