//! Waits for what is polled by parking the thread: for programs without an executor.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use crate::state::Deadline;

struct Parker {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::Release) {
            self.thread.unpark();
        }
    }
}

thread_local! {
    // Of each thread, kept for its next wait. It's taken out meanwhile, so that a wait inside another one, from code of a
    // plugin's that calls back, doesn't swallow what the outer one is woken by.
    static PARKER: Cell<Option<Arc<Parker>>> = const { Cell::new(None) };
}

/// Polls until it's ready or the time is over.
pub(super) fn wait<T>(
    deadline: Deadline,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Option<T> {
    let kept = PARKER.try_with(Cell::take).ok().flatten();
    let parker = kept.unwrap_or_else(|| {
        Arc::new(Parker {
            thread: thread::current(),
            is_woken: AtomicBool::new(false),
        })
    });
    let waker = Waker::from(Arc::clone(&parker));
    let mut context = Context::from_waker(&waker);
    let found = loop {
        if let Poll::Ready(found) = poll(&mut context) {
            break Some(found);
        }
        while !parker.is_woken.swap(false, Ordering::Acquire) {
            match deadline.left() {
                None => thread::park(),
                Some(left) if left.is_zero() => break,
                Some(left) => thread::park_timeout(left),
            }
        }
        if deadline.is_over() {
            // Once more, since it may have been woken by what it waits for.
            break match poll(&mut context) {
                Poll::Ready(found) => Some(found),
                Poll::Pending => None,
            };
        }
    };
    let _ = PARKER.try_with(|place| place.set(Some(parker)));
    found
}
