//! Queues: where a host that has a loop of its own fetches what its operations tell of.
//!
//! Whoever completes an operation puts its number here and, if the drainer sleeps, rings once. It never waits for the host.

use std::collections::VecDeque;
use std::sync::PoisonError;

use rustbridge_abi::{Object, Op, Status};

use super::atomics::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering, fence};
use super::bell::Bell;
use super::caller::{self, Fetched};
use super::event::Event;
use super::queues;
use crate::error::Error;
use crate::state::Deadline;

/// The low bits of a number say which queue, the rest which of its uses.
pub(super) const INDEX_BITS: u32 = 16;
const FORKED: u64 = u64::MAX;

/// A queue. Lives for good, and is used again when it was closed.
pub(crate) struct Queue {
    /// Its number while it's open, 0 otherwise.
    number: AtomicU64,
    uses: AtomicU64,
    index: usize,
    inner: Mutex<Inner>,
    /// Something has come, or the drainer is to return.
    came: Condvar,
}

#[derive(Default)]
struct Inner {
    /// Operations that have something to tell.
    ready: VecDeque<Op>,
    draining: bool,
    /// The drainer waits for `came`.
    sleeping: bool,
    /// The drainer is to return, though nothing has come.
    nudged: bool,
    bell: Option<Bell>,
    /// The bell is to be rung for the next one that comes.
    armed: bool,
}

/// Why a queue's number isn't its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It was closed, or never made.
    Unknown,
    /// It is the parent's, and this is a forked child.
    Forked,
}

impl Missing {
    pub(super) fn error(self, number: u64) -> Error {
        match self {
            Missing::Unknown => Error::new(
                Status::InvalidArgument,
                "InvalidQueue",
                format!("{number:#x} is not a queue that is open: it was closed, or never made"),
            ),
            Missing::Forked => Error::new(
                Status::FailedPrecondition,
                "Forked",
                format!(
                    "queue {number:#x} was made before this process was forked and lives on in the parent only: make one in the child"
                ),
            ),
        }
    }
}

/// What a drainer has taken out and holds: puts it in order however the drainer ends, also when the host's code panics in it.
struct Draining<'a> {
    queue: &'a Queue,
    number: u64,
    /// The operation that is being fetched from, to be put back if that doesn't end.
    fetching: Option<Op>,
}

impl Drop for Draining<'_> {
    fn drop(&mut self) {
        let Some(mut inner) = self.queue.again() else {
            return;
        };
        inner.draining = false;
        let is_open = self.queue.is(self.number);
        if is_open {
            if let Some(op) = self.fetching {
                inner.ready.push_front(op);
            }
        } else {
            inner.ready.clear();
        }
        drop(inner);
        if !is_open {
            // Closed meanwhile, and left to us. Found so under the lock, or the closer would give it back, too.
            queues::give_back(self.queue.index);
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

    /// Gives a closed one its next number.
    pub(crate) fn open(&self) -> u64 {
        let uses = self.uses.load(Ordering::Relaxed) + 1;
        self.uses.store(uses, Ordering::Relaxed);
        let number = (uses << INDEX_BITS) | self.index as u64;
        self.number.store(number, Ordering::Release);
        number
    }

    /// Makes it the parent's.
    pub(super) fn fork(&self) {
        self.number.store(FORKED, Ordering::Relaxed);
    }

    /// Whether the number is its own.
    pub(super) fn check(&self, number: u64) -> Result<(), Missing> {
        match self.number.load(Ordering::Acquire) {
            FORKED => Err(Missing::Forked),
            open if open == number && number != 0 => Ok(()),
            _ => Err(Missing::Unknown),
        }
    }

    fn is(&self, number: u64) -> bool {
        self.number.load(Ordering::Relaxed) == number
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locked again after foreign code. `None` if that has forked, and this is the child.
    fn again(&self) -> Option<MutexGuard<'_, Inner>> {
        (!self.is(FORKED)).then(|| self.lock())
    }

    /// Whether it's open still. Who has begun an operation for it and then run a full fence finds it closed, or closing finds the
    /// operation.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.is(number)
    }

    /// Puts an operation in that has something to tell.
    pub(crate) fn push(&self, number: u64, op: Op) {
        if self.number.load(Ordering::Acquire) != number {
            return;
        }
        let mut inner = self.lock();
        // Closing empties it under the lock.
        if !self.is(number) {
            return;
        }
        inner.ready.push_back(op);
        self.call(inner);
    }

    /// Wakes the drainer if it sleeps.
    fn call(&self, mut inner: MutexGuard<'_, Inner>) {
        if std::mem::take(&mut inner.armed)
            && let Some(bell) = &inner.bell
        {
            // Under the lock, so that closing doesn't take the bell away.
            bell.ring();
        }
        let sleeps = inner.sleeping;
        drop(inner);
        if sleeps {
            self.came.notify_one();
        }
    }

    /// Fetches what there is, up to `most` events, waiting for the first one until the deadline. `take` is told of each; `fits` says
    /// whether a payload of so many bytes may come, or is to be left for the next time.
    pub(crate) fn next(
        &self,
        number: u64,
        most: usize,
        deadline: Deadline,
        fits: impl FnMut(usize) -> bool,
        take: impl FnMut(Event),
    ) -> Result<usize, Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(Missing::Unknown.error(number));
        }
        if inner.draining {
            return Err(Error::new(
                Status::Aborted,
                "DrainedAtOnce",
                format!("another thread is fetching from queue {number:#x}: one does at a time"),
            ));
        }
        inner.draining = true;
        let mut draining = Draining {
            queue: self,
            number,
            fetching: None,
        };
        self.drain(inner, &mut draining, (most, deadline), fits, take)
    }

    fn drain<'a>(
        &'a self,
        mut inner: MutexGuard<'a, Inner>,
        draining: &mut Draining<'_>,
        (most, deadline): (usize, Deadline),
        mut fits: impl FnMut(usize) -> bool,
        mut take: impl FnMut(Event),
    ) -> Result<usize, Error> {
        let number = draining.number;
        let mut taken = 0;
        loop {
            while taken < most
                && let Some(op) = inner.ready.pop_front()
            {
                draining.fetching = Some(op);
                drop(inner);
                let fetched = caller::fetch(op, number, &mut fits);
                draining.fetching = None;
                inner = self.lock();
                match fetched {
                    Fetched::Nothing => {}
                    Fetched::TooLarge => {
                        inner.ready.push_front(op);
                        break;
                    }
                    Fetched::Event { event, has_more } => {
                        if has_more {
                            inner.ready.push_front(op);
                        }
                        taken += 1;
                        drop(inner);
                        take(event);
                        inner = self.again().ok_or_else(|| Missing::Forked.error(number))?;
                    }
                }
            }
            if !self.is(number) && taken == 0 {
                return Err(Missing::Unknown.error(number));
            }
            if inner.ready.is_empty()
                && let Some(bell) = &inner.bell
            {
                // Silenced before it's armed, both under the lock: who comes now rings.
                bell.silence();
                inner.armed = true;
            }
            if taken > 0 || most == 0 || std::mem::take(&mut inner.nudged) || deadline.is_over() {
                return Ok(taken);
            }
            if !inner.ready.is_empty() {
                // What's at the front was left although nothing was taken: it fits nowhere.
                return Ok(taken);
            }
            inner.sleeping = true;
            inner = match deadline.left() {
                Some(left) => {
                    self.came
                        .wait_timeout(inner, left)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
                None => self
                    .came
                    .wait(inner)
                    .unwrap_or_else(PoisonError::into_inner),
            };
            inner.sleeping = false;
        }
    }

    /// What a loop watches: it rings when something has come since the queue was found empty.
    pub(crate) fn descriptor(&self, number: u64) -> Result<isize, Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(Missing::Unknown.error(number));
        }
        if let Some(bell) = &inner.bell {
            return Ok(bell.descriptor());
        }
        let bell = Bell::new()?;
        let descriptor = bell.descriptor();
        if inner.ready.is_empty() {
            inner.armed = true;
        } else {
            bell.ring();
        }
        inner.bell = Some(bell);
        Ok(descriptor)
    }

    /// Has the drainer return though nothing has come; if it doesn't wait, the next time it would.
    pub(crate) fn nudge(&self, number: u64) -> Result<(), Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(Missing::Unknown.error(number));
        }
        inner.nudged = true;
        self.call(inner);
        Ok(())
    }

    /// Closes it: all its operations are detached. A drainer that waits returns. Gives objects as [`detach`](caller::detach) does.
    pub(crate) fn close(&self, number: u64) -> Result<Vec<Object>, Error> {
        let mut inner = self.lock();
        if self
            .number
            .compare_exchange(number, 0, Ordering::SeqCst, Ordering::SeqCst)
            .is_err()
        {
            return Err(Missing::Unknown.error(number));
        }
        inner.ready.clear();
        inner.bell = None;
        inner.armed = false;
        inner.nudged = false;
        let is_drained = inner.draining;
        drop(inner);
        self.came.notify_all();
        fence(Ordering::SeqCst);
        let objects = caller::detach_all(number);
        // One that somebody is still in is left to them: its drainer must find it closed.
        if !is_drained {
            queues::give_back(self.index);
        }
        Ok(objects)
    }
}
