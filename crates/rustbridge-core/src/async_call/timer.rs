//! The core's timers, for deadlines that neither the plugin nor a waiting thread watches. One thread, as long as there are timers.

use std::collections::BTreeMap;
use std::mem;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::registry::fork::{self, OverFork};

/// How long the thread waits for a new timer before it ends.
const PATIENCE: Duration = Duration::from_secs(10);

/// When a timer expires, and a number that distinguishes timers of the same time.
type Key = (Instant, u64);

struct Clock {
    state: Mutex<State>,
    /// Notified when a timer was added that expires before the one for which the thread waits.
    came: Condvar,
    /// Notified when the thread has begun, or the system didn't create it.
    started: Condvar,
    is_watched: AtomicBool,
}

/// The function, and the number that it receives.
type Due = (fn(u64), u64);

struct State {
    due: BTreeMap<Key, Due>,
    next: u64,
    thread: TimerThread,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TimerThread {
    None,
    /// A further timer waits until this is over, because the system may refuse.
    Starting,
    Running,
}

/// The timers of all instances. A function receives a number that isn't used twice.
static CLOCK: Clock = Clock {
    state: Mutex::new(State {
        due: BTreeMap::new(),
        next: 0,
        thread: TimerThread::None,
    }),
    came: Condvar::new(),
    started: Condvar::new(),
    is_watched: AtomicBool::new(false),
};

impl Clock {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Clock {
    type Held = MutexGuard<'static, State>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    /// The thread and the timers belong to the parent.
    fn in_child(&'static self, state: &mut Self::Held) {
        mem::forget(mem::take(&mut state.due));
        state.thread = TimerThread::None;
    }
}

/// A timer. Dropping this cancels it.
pub(crate) struct TimerHandle(Key);

/// Calls `action` with the number when the time has come, on a thread of the core and without a lock. It mustn't block. Returns `None` if the
/// system can't create a thread.
pub(crate) fn at(when: Instant, action: fn(u64), number: u64) -> Option<TimerHandle> {
    if !CLOCK.is_watched.load(Ordering::Acquire) {
        // Before the first use of the lock. Further calls have no effect.
        fork::watch(&CLOCK);
        CLOCK.is_watched.store(true, Ordering::Release);
    }
    let mut state = CLOCK.lock();
    while state.thread == TimerThread::Starting {
        state = CLOCK
            .started
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner);
    }
    let key = (when, state.next);
    state.next += 1;
    state.due.insert(key, (action, number));
    let is_first = state
        .due
        .first_key_value()
        .is_some_and(|(first, _)| *first == key);
    let is_new = state.thread == TimerThread::None;
    if is_new {
        state.thread = TimerThread::Starting;
    }
    // Without the lock, because a fork acquires it.
    drop(state);
    let armed = TimerHandle(key);
    if is_new {
        let thread = thread::Builder::new().name("rustbridge-time".to_owned());
        if thread.spawn(work).is_err() {
            CLOCK.lock().thread = TimerThread::None;
            CLOCK.started.notify_all();
            return None;
        }
    } else if is_first {
        CLOCK.came.notify_one();
    }
    Some(armed)
}

impl Drop for TimerHandle {
    fn drop(&mut self) {
        CLOCK.lock().due.remove(&self.0);
    }
}

fn work() {
    let mut state = CLOCK.lock();
    state.thread = TimerThread::Running;
    CLOCK.started.notify_all();
    loop {
        let first = state.due.first_key_value().map(|((when, _), _)| *when);
        let left = first.map(|when| when.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            if let Some((_, (action, number))) = state.due.pop_first() {
                drop(state);
                // A panic of a plugin or host doesn't affect the other timers.
                if let Err(panic) = catch_unwind(|| action(number)) {
                    mem::forget(panic);
                }
                state = CLOCK.lock();
            }
            continue;
        }
        let (again, waited) = CLOCK
            .came
            .wait_timeout(state, left.unwrap_or(PATIENCE))
            .unwrap_or_else(PoisonError::into_inner);
        state = again;
        if waited.timed_out() && first.is_none() && state.due.is_empty() {
            state.thread = TimerThread::None;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    static DONE: Mutex<Option<mpsc::Sender<u64>>> = Mutex::new(None);

    fn done(number: u64) {
        if let Some(done) = &*DONE.lock().unwrap() {
            done.send(number).unwrap();
        }
        assert_ne!(number, 1, "a panic that ends nothing else");
    }

    #[test]
    fn each_is_done_at_its_time_in_order_unless_it_was_dropped() {
        let (send, came) = mpsc::channel();
        *DONE.lock().unwrap() = Some(send);
        let now = Instant::now();
        let armed: Vec<_> = [40, 10, 20, 30]
            .map(|time| (time, at(now + Duration::from_millis(time), done, time / 10)))
            .into_iter()
            .filter(|(time, _)| *time != 20)
            .collect();
        let _later = at(now + Duration::from_secs(1000), done, 1000);
        for number in [1, 3, 4] {
            assert_eq!(came.recv_timeout(Duration::from_secs(30)), Ok(number));
        }
        assert!(now.elapsed() >= Duration::from_millis(40));
        drop(armed);
    }
}
