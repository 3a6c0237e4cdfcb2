//! Queues: where a host that has a loop of its own fetches what its operations tell of.
//!
//! Whoever completes an operation puts its number here and, if the drainer sleeps, rings once. It never waits for the host.

use std::collections::VecDeque;
use std::sync::PoisonError;

use rustbridge_abi::{Object, Op, Status};

use super::atomics::{
    AtomicU64, Condvar, Mutex, MutexGuard, Ordering, ThreadId, fence, this_thread,
};
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
    /// What has something to tell.
    ready: VecDeque<Ready>,
    draining: bool,
    /// Who drains it, or did last.
    drainer: Option<ThreadId>,
    /// The drainer waits for `came`.
    sleeping: bool,
    /// The drainer is to return, though nothing has come.
    nudged: bool,
    bell: Option<Bell>,
    /// The bell is to be rung for the next one that comes.
    armed: bool,
}

/// What is in a queue.
enum Ready {
    /// An operation that has something to tell.
    Op(Op),
    /// Something else.
    News(Box<dyn News>),
}

/// What is told of by a queue and isn't an operation's.
pub(crate) trait News: Send {
    /// Gives the event, if there's one still. `may_take` says of a payload of so many bytes whether it may come now; if not, it's
    /// asked again later. Called, and dropped, without the queue's lock.
    fn fetch(&mut self, may_take: &mut dyn FnMut(usize) -> bool) -> Fetched;
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
    /// What is being fetched from, to be put back if that doesn't end.
    fetching: Option<Ready>,
}

impl Drop for Draining<'_> {
    fn drop(&mut self) {
        let Some(mut inner) = self.queue.again() else {
            return;
        };
        inner.draining = false;
        let is_open = self.queue.is(self.number);
        let mut left = VecDeque::new();
        if is_open {
            if let Some(ready) = self.fetching.take() {
                inner.ready.push_front(ready);
            }
        } else {
            left = std::mem::take(&mut inner.ready);
        }
        drop(inner);
        drop(left);
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
        inner.ready.push_back(Ready::Op(op));
        self.call(inner);
    }

    /// Puts in what isn't an operation's; gives it back if the queue was closed.
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

    /// Whether the calling thread drains it, or was the last to: then it can't wait for what the queue tells of.
    pub(crate) fn is_drained_here(&self, number: u64) -> bool {
        if self.number.load(Ordering::Acquire) != number {
            return false;
        }
        let inner = self.lock();
        self.is(number) && inner.drainer == Some(this_thread())
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
        inner.drainer = Some(this_thread());
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
                && let Some(ready) = inner.ready.pop_front()
            {
                drop(inner);
                let fetched = match draining.fetching.insert(ready) {
                    Ready::Op(op) => caller::fetch(*op, number, &mut fits),
                    Ready::News(news) => news.fetch(&mut fits),
                };
                let mut ready = draining.fetching.take();
                if matches!(
                    fetched,
                    Fetched::Nothing
                        | Fetched::Event {
                            has_more: false,
                            ..
                        }
                ) {
                    // Without the lock: it may be the last that holds on to what is the host's.
                    ready = None;
                }
                inner = self.again().ok_or_else(|| Missing::Forked.error(number))?;
                if let Some(ready) = ready {
                    inner.ready.push_front(ready);
                }
                match fetched {
                    Fetched::Nothing => {}
                    Fetched::TooLarge => break,
                    Fetched::Event { event, .. } => {
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
        let left = std::mem::take(&mut inner.ready);
        inner.bell = None;
        inner.armed = false;
        inner.nudged = false;
        inner.drainer = None;
        let is_drained = inner.draining;
        drop(inner);
        drop(left);
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
