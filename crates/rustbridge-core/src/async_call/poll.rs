//! Polling a queue, and closing it: what needs the calls whose IDs are in it.

use std::collections::VecDeque;
use std::sync::PoisonError;

use rustbridge_abi::{Object, Status};

use super::atomics::{MutexGuard, Ordering, fence, this_thread, yield_now};
use super::caller;
use super::event::{Event, FetchResult};
use super::queue::{Inner, NoSuchQueue, Queue, Ready};
use super::queue_table;
use crate::error::Error;
use crate::state::Deadline;

/// What a poller holds. Its drop restores the queue's order however the poller ends, also if the host's code panics.
struct PollSession<'a> {
    queue: &'a Queue,
    number: u64,
    /// What the poller fetches from, to be enqueued again if that fails.
    fetching: Option<Ready>,
    /// Whether the wakeup was reset, and isn't armed again yet.
    was_reset: bool,
}

impl Drop for PollSession<'_> {
    fn drop(&mut self) {
        let Some(mut inner) = self.queue.again() else {
            return;
        };
        inner.draining = false;
        let is_open = self.queue.is(self.number);
        let mut left = VecDeque::new();
        let mut wakeup = None;
        if is_open {
            if let Some(ready) = self.fetching.take() {
                inner.ready.push_front(ready);
            }
            // For events that didn't fit, or that a panic has left.
            if self.was_reset && !inner.armed {
                wakeup = inner.wakeup.clone();
            }
        } else {
            left = std::mem::take(&mut inner.ready);
        }
        drop(inner);
        drop(left);
        if let Some(wakeup) = wakeup {
            wakeup.signal();
        }
        if !is_open {
            // Closed meanwhile, and left to this poller to recycle. Checked under the lock, because otherwise the closing thread would
            // recycle it, too.
            queue_table::recycle(self.queue.index);
        }
    }
}

impl Queue {
    /// Delivers up to `most` events, and waits for the first one until the deadline. `take` receives each event. `room` returns how many
    /// bytes the next payload may have; a larger one is left for the next time.
    pub(crate) fn next(
        &self,
        number: u64,
        most: usize,
        deadline: Deadline,
        room: impl FnMut() -> usize,
        take: impl FnMut(Event),
    ) -> Result<usize, Error> {
        let mut inner = self.lock();
        if !self.is(number) {
            return Err(NoSuchQueue::Unknown.error(number));
        }
        if inner.draining {
            return Err(Error::new(
                Status::Aborted,
                "ConcurrentPoll",
                format!(
                    "another thread is polling queue {number:#x}: poll it from one thread at a time"
                ),
            ));
        }
        inner.draining = true;
        inner.poller = Some(this_thread());
        let mut draining = PollSession {
            queue: self,
            number,
            fetching: None,
            was_reset: false,
        };
        self.drain(inner, &mut draining, (most, deadline), room, take)
    }

    fn drain<'a>(
        &'a self,
        mut inner: MutexGuard<'a, Inner>,
        draining: &mut PollSession<'_>,
        (most, deadline): (usize, Deadline),
        mut room: impl FnMut() -> usize,
        mut take: impl FnMut(Event),
    ) -> Result<usize, Error> {
        let number = draining.number;
        let mut taken = 0;
        let mut has_yielded = false;
        loop {
            let left = most - taken;
            let count;
            (inner, count) = self.take_ready(inner, draining, left, &mut room, &mut take)?;
            taken += count;
            if !self.is(number) && taken == 0 {
                return Err(NoSuchQueue::Unknown.error(number));
            }
            if inner.ready.is_empty() {
                let is_reset;
                (inner, is_reset) = self.reset_wakeup(inner, draining)?;
                if is_reset {
                    continue;
                }
                // Reset before it's armed, and armed under the lock under which the queue was found empty: the next event signals.
                inner.armed = inner.wakeup.is_some() || inner.waker.is_some();
            }
            if taken > 0 || most == 0 || std::mem::take(&mut inner.nudged) || deadline.is_over() {
                return Ok(taken);
            }
            if !inner.ready.is_empty() {
                // The first event doesn't fit although nothing was delivered.
                return Ok(taken);
            }
            if !has_yielded {
                // Completing threads may be waiting for this core. Yielding once costs little compared with a sleep, and often
                // finds many completions, where a sleep would end at the first.
                has_yielded = true;
                drop(inner);
                yield_now();
                inner = self.lock_again(number)?;
                continue;
            }
            inner = self.sleep(inner, deadline);
        }
    }

    /// Delivers up to `most` events, until the queue is empty or the next event doesn't fit. Returns their number.
    fn take_ready<'a>(
        &'a self,
        mut inner: MutexGuard<'a, Inner>,
        draining: &mut PollSession<'_>,
        most: usize,
        room: &mut impl FnMut() -> usize,
        take: &mut impl FnMut(Event),
    ) -> Result<(MutexGuard<'a, Inner>, usize), Error> {
        let number = draining.number;
        let mut taken = 0;
        while taken < most
            && let Some(ready) = inner.ready.pop_front()
        {
            drop(inner);
            let fetching = draining.fetching.insert(ready);
            // A function of the host is called without the lock.
            let room = room();
            let fetched = match fetching {
                Ready::Op(op) => caller::fetch(*op, number, room),
                Ready::News(news) => news.fetch(room),
            };
            let mut ready = draining.fetching.take();
            if matches!(
                fetched,
                FetchResult::Nothing
                    | FetchResult::Event {
                        has_more: false,
                        ..
                    }
            ) {
                // Dropped without the lock, because it may hold the last reference to a value of the host.
                ready = None;
            }
            inner = self.lock_again(number)?;
            if let Some(ready) = ready {
                inner.ready.push_front(ready);
            }
            match fetched {
                FetchResult::Nothing => {}
                FetchResult::TooLarge => break,
                FetchResult::Event { event, .. } => {
                    taken += 1;
                    drop(inner);
                    take(event);
                    inner = self.lock_again(number)?;
                }
            }
        }
        Ok((inner, taken))
    }

    /// Resets a signalled wakeup, once for each poll. Returns whether it did; the queue may have received events meanwhile.
    fn reset_wakeup<'a>(
        &'a self,
        inner: MutexGuard<'a, Inner>,
        draining: &mut PollSession<'_>,
    ) -> Result<(MutexGuard<'a, Inner>, bool), Error> {
        if draining.was_reset {
            return Ok((inner, false));
        }
        let Some(wakeup) = inner.wakeup.clone().filter(|wakeup| wakeup.is_signaled()) else {
            return Ok((inner, false));
        };
        // Without the lock, which completing threads need.
        draining.was_reset = true;
        drop(inner);
        wakeup.reset();
        Ok((self.lock_again(draining.number)?, true))
    }

    /// Waits until an event arrives or the deadline passes.
    fn sleep<'a>(
        &'a self,
        mut inner: MutexGuard<'a, Inner>,
        deadline: Deadline,
    ) -> MutexGuard<'a, Inner> {
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
        inner
    }

    fn lock_again(&self, number: u64) -> Result<MutexGuard<'_, Inner>, Error> {
        self.again()
            .ok_or_else(|| NoSuchQueue::Forked.error(number))
    }

    /// Closes the queue: all its calls are abandoned, and a poller that waits returns. Returns objects as [`detach`](caller::detach) does.
    pub(crate) fn close(&self, number: u64) -> Result<Vec<Object>, Error> {
        let mut inner = self.lock();
        if self
            .number
            .compare_exchange(number, 0, Ordering::SeqCst, Ordering::SeqCst)
            .is_err()
        {
            return Err(NoSuchQueue::Unknown.error(number));
        }
        let left = std::mem::take(&mut inner.ready);
        inner.wakeup = None;
        let waker = inner.waker.take();
        inner.armed = false;
        inner.nudged = false;
        inner.poller = None;
        let is_drained = inner.draining;
        drop(inner);
        drop((left, waker));
        self.came.notify_all();
        fence(Ordering::SeqCst);
        let objects = caller::detach_all(number);
        // If a thread still polls the queue, that thread recycles it, after it has found it closed.
        if !is_drained {
            queue_table::recycle(self.index);
        }
        Ok(objects)
    }
}
