//! Queues: where a host that has a loop of its own fetches what its operations tell of.
//!
//! Whoever completes an operation puts its number here and, if the drainer sleeps, rings once. It never waits for the host.

use std::collections::VecDeque;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering, fence};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rustbridge_abi::{Op, Status};

use super::bell::Bell;
use super::caller::{self, Fetched};
use super::event::Event;
use crate::error::Error;
use crate::handle::fork::{self, OverFork};
use crate::state::Deadline;

/// The low bits of a number say which queue, the rest which of its uses.
const INDEX_BITS: u32 = 16;
const QUEUES: usize = 1 << INDEX_BITS;
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

/// All queues of the process, by index. They hold no operation's state.
static ALL: [AtomicPtr<Queue>; QUEUES] = [const { AtomicPtr::new(ptr::null_mut()) }; QUEUES];

/// Those that were closed, and how many were ever made.
static CLOSED: Closed = Closed(Mutex::new((Vec::new(), 1)));

struct Closed(Mutex<(Vec<usize>, usize)>);

impl Closed {
    fn lock(&self) -> MutexGuard<'_, (Vec<usize>, usize)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Closed {
    type Held = MutexGuard<'static, (Vec<usize>, usize)>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    /// A queue is the parent's, and so is its bell: what rings there would be heard there.
    fn in_child(&'static self, held: &mut Self::Held) {
        for index in 1..held.1 {
            if let Some(queue) = at(index) {
                queue.number.store(FORKED, Ordering::Relaxed);
            }
        }
        held.0.clear();
    }
}

fn at(index: usize) -> Option<&'static Queue> {
    // SAFETY: null or a queue, which lives for good.
    unsafe { ALL.get(index)?.load(Ordering::Acquire).as_ref() }
}

/// Makes a queue and gives its number.
pub(crate) fn new() -> Result<u64, Error> {
    fork::watch(&CLOSED);
    let mut closed = CLOSED.lock();
    let index = match closed.0.pop() {
        Some(index) => index,
        None => {
            let index = closed.1;
            let Some(place) = ALL.get(index) else {
                return Err(Error::new(
                    Status::ResourceExhausted,
                    "TooManyQueues",
                    format!(
                        "{QUEUES} queues are open in this process, which is the limit: close some"
                    ),
                ));
            };
            let queue = Box::new(Queue {
                number: AtomicU64::new(0),
                uses: AtomicU64::new(0),
                index,
                inner: Mutex::new(Inner::default()),
                came: Condvar::new(),
            });
            place.store(Box::into_raw(queue), Ordering::Release);
            closed.1 = index + 1;
            index
        }
    };
    drop(closed);
    let Some(queue) = at(index) else {
        return Err(Error::new(Status::Internal, "NoQueue", "a queue is gone"));
    };
    let uses = queue.uses.fetch_add(1, Ordering::Relaxed) + 1;
    let number = (uses << INDEX_BITS) | index as u64;
    queue.number.store(number, Ordering::Release);
    Ok(number)
}

/// The queue with this number.
pub(crate) fn find(number: u64) -> Result<&'static Queue, Error> {
    let queue = at(number as usize & (QUEUES - 1));
    match queue.map(|queue| (queue, queue.number.load(Ordering::Acquire))) {
        Some((queue, open)) if open == number && number != 0 => Ok(queue),
        Some((_, FORKED)) => Err(Error::new(
            Status::FailedPrecondition,
            "Forked",
            format!(
                "queue {number:#x} was made before this process was forked and lives on in the parent only: make one in the child"
            ),
        )),
        _ => Err(no_queue(number)),
    }
}

fn no_queue(number: u64) -> Error {
    Error::new(
        Status::InvalidArgument,
        "InvalidQueue",
        format!("{number:#x} is not a queue that is open: it was closed, or never made"),
    )
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it's open still, for one who has begun an operation for it: either this says no, or closing finds the operation.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        fence(Ordering::SeqCst);
        self.number.load(Ordering::Relaxed) == number
    }

    /// Puts an operation in that has something to tell.
    pub(crate) fn push(&self, number: u64, op: Op) {
        if self.number.load(Ordering::Acquire) != number {
            return;
        }
        let mut inner = self.lock();
        // Closing empties it under the lock.
        if self.number.load(Ordering::Relaxed) != number {
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
        mut fits: impl FnMut(usize) -> bool,
        mut take: impl FnMut(Event),
    ) -> Result<usize, Error> {
        let mut inner = self.lock();
        if self.number.load(Ordering::Relaxed) != number {
            return Err(no_queue(number));
        }
        if inner.draining {
            return Err(Error::new(
                Status::Aborted,
                "DrainedAtOnce",
                format!("another thread is fetching from queue {number:#x}: one does at a time"),
            ));
        }
        inner.draining = true;
        let mut taken = 0;
        let result = loop {
            while taken < most
                && let Some(op) = inner.ready.pop_front()
            {
                drop(inner);
                let fetched = caller::fetch(op, &mut fits);
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
                        inner = self.lock();
                    }
                }
            }
            let is_closed = self.number.load(Ordering::Relaxed) != number;
            if is_closed && taken == 0 {
                break Err(no_queue(number));
            }
            if inner.ready.is_empty()
                && let Some(bell) = &inner.bell
            {
                // Silenced before it's armed, both under the lock: who comes now rings.
                bell.silence();
                inner.armed = true;
            }
            if taken > 0 || most == 0 || std::mem::take(&mut inner.nudged) || deadline.is_over() {
                break Ok(taken);
            }
            if inner.ready.is_empty() {
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
            } else {
                // What's at the front was left although nothing was taken: it fits nowhere.
                break Ok(taken);
            }
        };
        inner.draining = false;
        // Closed meanwhile, and left to us. Looked at under the lock: who closes it from here on puts it there himself.
        let is_ours = self.number.load(Ordering::Relaxed) == 0;
        drop(inner);
        if is_ours {
            CLOSED.lock().0.push(self.index);
        }
        result
    }

    /// What a loop watches: it rings when something has come since the queue was found empty.
    pub(crate) fn descriptor(&self, number: u64) -> Result<isize, Error> {
        let mut inner = self.lock();
        if self.number.load(Ordering::Relaxed) != number {
            return Err(no_queue(number));
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
        if self.number.load(Ordering::Relaxed) != number {
            return Err(no_queue(number));
        }
        inner.nudged = true;
        self.call(inner);
        Ok(())
    }

    /// Closes it: all its operations are detached. A drainer that waits returns.
    pub(crate) fn close(&self, number: u64) -> Result<(), Error> {
        let mut inner = self.lock();
        if self
            .number
            .compare_exchange(number, 0, Ordering::SeqCst, Ordering::SeqCst)
            .is_err()
        {
            return Err(no_queue(number));
        }
        inner.ready.clear();
        inner.bell = None;
        inner.armed = false;
        inner.nudged = false;
        let is_drained = inner.draining;
        drop(inner);
        self.came.notify_all();
        fence(Ordering::SeqCst);
        caller::detach_all(number);
        // One that somebody is still in is left to them: its drainer must find it closed.
        if !is_drained {
            CLOSED.lock().0.push(self.index);
        }
        Ok(())
    }
}
