//! Tasks on the runtime: a small future around a task, which tokio polls.

use std::future::Future;
use std::pin::Pin;
use std::ptr::NonNull;
use std::task::{Context, Poll};

use rustbridge_abi::{RB_ABORTED, RB_DEADLINE_EXCEEDED};
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep_until};

use super::task::new_task::NewTask;
use super::task::{Head, Held};
use crate::runtime::on_runtime;

impl Future for Held {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if on_runtime(|| self.turn(context)) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// A task with a deadline.
struct TimedTask {
    held: Held,
    until: Sleep,
}

impl Future for TimedTask {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        // SAFETY: `until` isn't moved, and `held` is never pinned.
        let TimedTask { held, until } = unsafe { self.get_unchecked_mut() };
        if on_runtime(|| held.turn(context)) {
            return Poll::Ready(());
        }
        // SAFETY: as above.
        let late = unsafe { Pin::new_unchecked(until) }.poll(context);
        if late.is_ready() {
            held.end_early(RB_DEADLINE_EXCEEDED);
        }
        late
    }
}

/// Spawns a task on the runtime, which polls it at once. An earlier poll had a waker that does nothing; this poll registers
/// the future again with the runtime's waker.
pub(crate) fn spawn(begun: NewTask, runtime: &Handle) -> NonNull<Head> {
    let held = begun.held(RB_ABORTED);
    // In the runtime's context, and before the task is anybody else's: there may be no timers.
    let until = begun.head().deadline().map(|at| sleep_until(at.into()));
    let head = begun.pending();
    let driver = match until {
        None => runtime.spawn(held),
        Some(until) => runtime.spawn(TimedTask { held, until }),
    };
    // SAFETY: the core doesn't know of the task yet, and only what it calls looks there.
    unsafe { *head.as_ref().driver.get() = Some(driver) };
    head
}
