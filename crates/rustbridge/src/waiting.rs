//! Waiting for a condition variable, with and without an end.

use std::sync::{Condvar, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
