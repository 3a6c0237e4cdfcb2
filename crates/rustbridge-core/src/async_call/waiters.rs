//! Threads and tasks that wait in a service call, and are woken if the call for which it's made is cancelled.
//!
//! There are few of them, and a call has no room for any number, so one list contains those of all calls.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use rustbridge_abi::Op;

use super::run::catch_panic;
use crate::registry::fork::{self, OverFork};

struct Waiters {
    list: Mutex<Vec<(u64, Op, Waker)>>,
    /// How many waiters there are. Updated just after the list.
    count: AtomicUsize,
    next: AtomicUsize,
    is_watched: AtomicBool,
}

/// The waiters of all instances, by the call's ID, which isn't used twice.
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

    /// The waiters belong to the parent.
    fn in_child(&'static self, list: &mut Self::Held) {
        mem::forget(mem::take(&mut **list));
    }
}

/// A waiter. Dropping this removes it from the list.
pub(crate) struct Waiter(u64);

/// Adds a waker that is woken when the call is cancelled. The caller then checks whether the call was cancelled before, because that
/// doesn't wake it.
pub(crate) fn watch(op: Op, waker: Waker) -> Waiter {
    if !WAITERS.is_watched.load(Ordering::Acquire) {
        // Before the first use of the lock. Further calls have no effect.
        fork::watch(&WAITERS);
        WAITERS.is_watched.store(true, Ordering::Release);
    }
    let number = WAITERS.next.fetch_add(1, Ordering::Relaxed) as u64;
    WAITERS.lock().push((number, op, waker));
    WAITERS.count.fetch_add(1, Ordering::Relaxed);
    // Between adding and checking the call, as `are_there` has one between cancelling and counting: one of the two sees the other.
    fence(Ordering::SeqCst);
    Waiter(number)
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut list = WAITERS.lock();
        let place = list.iter().position(|(number, ..)| *number == self.0);
        // In a forked child it isn't in the list.
        let gone = place.map(|place| list.swap_remove(place));
        drop(list);
        WAITERS.count.fetch_sub(1, Ordering::Relaxed);
        drop(gone);
    }
}

/// Whether there may be waiters for a call that was cancelled before.
pub(super) fn are_there() -> bool {
    fence(Ordering::SeqCst);
    WAITERS.count.load(Ordering::Relaxed) != 0
}

/// Wakes the waiters of a call that was cancelled. The caller holds no lock.
pub(super) fn wake(op: Op) {
    let list = WAITERS.lock();
    let whose = list.iter().filter(|(_, theirs, _)| *theirs == op);
    let wakers: Vec<_> = whose.map(|(.., waker)| waker.clone()).collect();
    drop(list);
    for waker in wakers {
        // The waker may hold the last reference to a value of the host.
        catch_panic(|| waker.wake());
    }
}
