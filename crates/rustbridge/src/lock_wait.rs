//! Waiting behind a lock: by a condition variable, with and without an end, and by a waker.

use std::sync::{Condvar, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

/// Looks behind a lock for something; where it isn't there yet, `look` gives the place where a waker is left. What a waker does when it's
/// cloned or dropped is foreign and may come back to the same lock, so it's done without.
pub(crate) fn look_or_leave<'a, T: 'a, R>(
    waker: &Waker,
    lock: impl Fn() -> MutexGuard<'a, T>,
    mut look: impl FnMut(&mut T) -> Result<R, &mut Option<Waker>>,
) -> Option<R> {
    let mut ours = None;
    loop {
        let mut guard = lock();
        let place = match look(&mut guard) {
            Ok(found) => return Some(found),
            Err(place) => place,
        };
        if place.as_ref().is_some_and(|known| known.will_wake(waker)) {
            return None;
        }
        if let Some(ours) = ours.take() {
            let before = place.replace(ours);
            drop(guard);
            drop(before);
            return None;
        }
        drop(guard);
        ours = Some(waker.clone());
    }
}

/// Waits once, so long at most. What it guards is sound whoever panicked.
pub(crate) fn wait<'a, T>(
    condition: &Condvar,
    guard: MutexGuard<'a, T>,
    time: Option<Duration>,
) -> MutexGuard<'a, T> {
    match time {
        None => condition
            .wait(guard)
            .unwrap_or_else(PoisonError::into_inner),
        Some(time) => {
            let waited = condition.wait_timeout(guard, time);
            waited.unwrap_or_else(PoisonError::into_inner).0
        }
    }
}

/// Waits once, unless the time is over.
pub(crate) fn wait_until<'a, T>(
    condition: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Option<Instant>,
) -> Option<MutexGuard<'a, T>> {
    let left = match deadline {
        None => None,
        Some(deadline) => Some(deadline.checked_duration_since(Instant::now())?),
    };
    Some(wait(condition, guard, left))
}

/// What tests of wakers need.
#[cfg(test)]
pub(crate) mod nosy {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::task::{RawWaker, RawWakerVTable, Waker};
    use std::time::Duration;

    type Action = Box<dyn Fn() + Send + Sync>;

    thread_local! {
        // Of each thread of the tests: whether it's in an action.
        static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
    }

    /// Functions only.
    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, act, drop_it);

    /// A waker that does something whenever it's cloned, woken or dropped; but not while it does so.
    pub(crate) fn waker(action: impl Fn() + Send + Sync + 'static) -> Waker {
        let action: Arc<Action> = Arc::new(Box::new(action));
        // SAFETY: the table's functions are for any thread, and count an `Arc` as they should.
        unsafe { Waker::from_raw(RawWaker::new(Arc::into_raw(action).cast(), &TABLE)) }
    }

    unsafe fn clone(action: *const ()) -> RawWaker {
        // SAFETY: from `waker`, and not dropped.
        unsafe {
            Arc::increment_strong_count(action.cast::<Action>());
            act(action);
        }
        RawWaker::new(action, &TABLE)
    }

    unsafe fn wake(action: *const ()) {
        // SAFETY: as above; this drops it.
        unsafe { drop_it(action) };
    }

    unsafe fn act(action: *const ()) {
        if !IS_INSIDE.replace(true) {
            // SAFETY: as above.
            unsafe { (*action.cast::<Action>())() };
            IS_INSIDE.set(false);
        }
    }

    unsafe fn drop_it(action: *const ()) {
        // SAFETY: as above.
        unsafe {
            act(action);
            drop(Arc::from_raw(action.cast::<Action>()));
        }
    }

    /// Fails if this isn't done in a while.
    pub(crate) fn in_time(work: impl FnOnce() + Send + 'static) {
        let (done, is_done) = channel();
        let thread = std::thread::spawn(move || {
            work();
            done.send(()).unwrap();
        });
        let waited = is_done.recv_timeout(Duration::from_secs(20));
        assert_ne!(
            waited,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout),
            "it hangs"
        );
        thread.join().unwrap();
    }
}
