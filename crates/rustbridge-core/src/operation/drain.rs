//! Fetching from a queue, and closing it: what needs the operations whose numbers are in it.

use std::sync::PoisonError;

use rustbridge_abi::{Object, Op, Status};

use super::atomics::{MutexGuard, Ordering, fence};
use super::caller::{self, Fetched};
use super::event::Event;
use super::queue::{Inner, Missing, Queue};
use super::queues;
use crate::error::Error;
use crate::state::Deadline;

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
