//! Completion queues: a host that has its own event loop polls them for the events of its calls.
//!
//! The thread that completes a call enqueues the call's ID here, wakes the poller if it sleeps, and signals the wakeup if it's
//! armed. It never waits for the host.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use rustbridge_abi::{Op, Status};

use super::atomics::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering, ThreadId, this_thread};
use super::event::FetchResult;
use super::wakeup::Wakeup;
use crate::error::Error;

/// The low bits of a number are the queue's index, the others count how often the queue was used.
pub(super) const INDEX_BITS: u32 = 16;
const FORKED: u64 = u64::MAX;

/// A queue. It's never freed, and is used again after it was closed.
pub(crate) struct Queue {
    /// The number while the queue is open, 0 otherwise.
    pub(super) number: AtomicU64,
    uses: AtomicU64,
    pub(super) index: usize,
    pub(super) inner: Mutex<Inner>,
    /// Notified when something was enqueued, or the poller has to return.
    pub(super) came: Condvar,
}

#[derive(Default)]
pub(super) struct Inner {
    /// What has events.
    pub(super) ready: VecDeque<Ready>,
    pub(super) draining: bool,
    /// The thread that polls the queue, or did last.
    pub(super) poller: Option<ThreadId>,
    /// Whether the poller waits for `came`.
    pub(super) sleeping: bool,
    /// Whether the poller has to return without an event.
    pub(super) nudged: bool,
    pub(super) wakeup: Option<Arc<Wakeup>>,
    /// Called instead of a signal, for event loops that can't watch a descriptor.
    pub(super) waker: Option<Waker>,
    /// Whether the next event signals the wakeup.
    pub(super) armed: bool,
}

/// Has an event loop poll the queue. It mustn't block, because the thread that completes a call calls it. It may be called once more
/// while the queue is closed.
pub(crate) type Waker = Arc<dyn Fn() + Send + Sync>;

/// An element of a queue.
pub(super) enum Ready {
    /// A call that has events.
    Op(Op),
    /// Anything else that has an event.
    News(Box<dyn News>),
}

/// A source of an event that doesn't belong to an asynchronous call.
pub(crate) trait News: Send {
    /// Returns the event, if there's still one. If its payload has more than `room` bytes, this is called again later. Called and dropped
    /// without the queue's lock.
    fn fetch(&mut self, room: usize) -> FetchResult;
}

/// Why no queue has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoSuchQueue {
    /// The queue was closed, or never created.
    Unknown,
    /// The queue belongs to the parent, and this is a forked child.
    Forked,
}

impl NoSuchQueue {
    pub(super) fn error(self, number: u64) -> Error {
        match self {
            NoSuchQueue::Unknown => Error::new(
                Status::InvalidArgument,
                "InvalidQueue",
                format!("{number:#x} is not an open queue: it was closed, or never created"),
            ),
            NoSuchQueue::Forked => Error::new(
                Status::FailedPrecondition,
                "Forked",
                format!(
                    "queue {number:#x} was created before this process was forked, and only the parent can use it: create one in the child"
                ),
            ),
        }
    }
}

impl Queue {
    pub(crate) fn new(index: usize) -> Queue {
        Queue {
            number: AtomicU64::new(0),
            uses: AtomicU64::new(0),
            index,
            inner: Mutex::new(Inner::default()),
            came: Condvar::new(),
        }
    }

    /// Opens a closed queue, with its next number.
    pub(crate) fn open(&self) -> u64 {
        let uses = self.uses.load(Ordering::Relaxed) + 1;
        self.uses.store(uses, Ordering::Relaxed);
        let number = (uses << INDEX_BITS) | self.index as u64;
        self.number.store(number, Ordering::Release);
        number
    }

    /// Marks it as the parent's.
    pub(super) fn fork(&self) {
        self.number.store(FORKED, Ordering::Relaxed);
    }

    /// Whether the number is its own.
    pub(super) fn check(&self, number: u64) -> Result<(), NoSuchQueue> {
        match self.number.load(Ordering::Acquire) {
            FORKED => Err(NoSuchQueue::Forked),
            open if open == number && number != 0 => Ok(()),
            _ => Err(NoSuchQueue::Unknown),
        }
    }

    pub(super) fn is(&self, number: u64) -> bool {
        self.number.load(Ordering::Relaxed) == number
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the queue again after foreign code. Returns `None` if that has forked, and this is the child.
    pub(super) fn again(&self) -> Option<MutexGuard<'_, Inner>> {
        (!self.is(FORKED)).then(|| self.lock())
    }

    /// Whether it's still open. A thread that has started a call for it and then executed a full fence finds it closed, or closing finds
    /// the call.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.is(number)
    }

    /// Enqueues a call that has events.
    pub(crate) fn push(&self, number: u64, op: Op) {
        if self.number.load(Ordering::Acquire) != number {
            return;
        }
        let mut inner = self.lock();
        // Closing empties it under the lock.
        if !self.is(number) {
            return;
        }
        inner.ready.push_back(Ready::Op(op));
        self.call(inner);
    }

    /// Enqueues something else. Returns it if the queue was closed.
    pub(crate) fn put(&self, number: u64, news: Box<dyn News>) -> Result<(), Box<dyn News>> {
        if self.number.load(Ordering::Acquire) != number {
            return Err(news);
        }
        let mut inner = self.lock();
        if !self.is(number) {
            drop(inner);
            return Err(news);
        }
        inner.ready.push_back(Ready::News(news));
        self.call(inner);
        Ok(())
    }

    /// Whether the calling thread polls the queue, or was the last to: then it can't wait for the queue's events.
    pub(crate) fn is_drained_here(&self, number: u64) -> bool {
        if self.number.load(Ordering::Acquire) != number {
            return false;
        }
        let inner = self.lock();
        self.is(number) && inner.poller == Some(this_thread())
    }

    /// Wakes the poller if it sleeps. Without the lock, for which it would wait as soon as it's awake; so the queue may be closed by then.
    fn call(&self, mut inner: MutexGuard<'_, Inner>) {
        let mut told = (None, None);
        if std::mem::take(&mut inner.armed) {
            told = (inner.wakeup.clone(), inner.waker.clone());
        }
        let sleeps = inner.sleeping;
        drop(inner);
        let (wakeup, waker) = told;
        if let Some(wakeup) = wakeup {
            wakeup.signal();
        }
        if let Some(wake) = waker {
            wake();
        }
        if sleeps {
            self.came.notify_one();
        }
    }

    /// The descriptor that an event loop watches: it becomes readable when an event arrives after the queue was found empty.
    pub(crate) fn descriptor(&self, number: u64) -> Result<isize, Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(NoSuchQueue::Unknown.error(number));
        }
        if let Some(wakeup) = &inner.wakeup {
            return Ok(wakeup.descriptor());
        }
        let wakeup = Wakeup::new()?;
        let descriptor = wakeup.descriptor();
        if inner.ready.is_empty() {
            inner.armed = true;
        } else {
            wakeup.signal();
        }
        inner.wakeup = Some(Arc::new(wakeup));
        Ok(descriptor)
    }

    /// Sets a function that is called instead of signalling the wakeup.
    pub(crate) fn wake_by(&self, number: u64, waker: Waker) -> Result<(), Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(NoSuchQueue::Unknown.error(number));
        }
        let has_come = !inner.ready.is_empty();
        inner.armed |= !has_come;
        let before = inner.waker.replace(Arc::clone(&waker));
        drop(inner);
        drop(before);
        if has_come {
            waker();
        }
        Ok(())
    }

    /// Has the poller return without an event; if it doesn't wait, the next time that it would.
    pub(crate) fn nudge(&self, number: u64) -> Result<(), Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(NoSuchQueue::Unknown.error(number));
        }
        inner.nudged = true;
        self.call(inner);
        Ok(())
    }
}
