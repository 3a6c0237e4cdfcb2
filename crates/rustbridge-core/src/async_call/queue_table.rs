//! The table of all queues.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustbridge_abi::Status;

use super::queue::{INDEX_BITS, NoSuchQueue, Queue};
use crate::error::Error;
use crate::registry::fork::{self, OverFork};

const QUEUES: usize = 1 << INDEX_BITS;

/// All queues of the process, by index.
static ALL: [AtomicPtr<Queue>; QUEUES] = [const { AtomicPtr::new(ptr::null_mut()) }; QUEUES];

/// The closed queues, and how many were ever created.
static CLOSED: FreeList = FreeList(Mutex::new((Vec::new(), 1)));

struct FreeList(Mutex<(Vec<usize>, usize)>);

impl FreeList {
    fn lock(&self) -> MutexGuard<'_, (Vec<usize>, usize)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for FreeList {
    type Held = MutexGuard<'static, (Vec<usize>, usize)>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    /// The queues and their wakeups belong to the parent: a signal would arrive there.
    fn in_child(&'static self, held: &mut Self::Held) {
        for index in 1..held.1 {
            if let Some(queue) = at(index) {
                queue.fork();
            }
        }
        held.0.clear();
    }
}

fn at(index: usize) -> Option<&'static Queue> {
    // SAFETY: null or a queue, which is never freed.
    unsafe { ALL.get(index)?.load(Ordering::Acquire).as_ref() }
}

/// Creates a queue and returns its number.
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
            let queue = Box::new(Queue::new(index));
            place.store(Box::into_raw(queue), Ordering::Release);
            closed.1 = index + 1;
            index
        }
    };
    drop(closed);
    let Some(queue) = at(index) else {
        return Err(Error::new(Status::Internal, "NoQueue", "a queue is gone"));
    };
    Ok(queue.open())
}

/// Recycles a closed queue that no thread polls.
pub(super) fn recycle(index: usize) {
    CLOSED.lock().0.push(index);
}

/// The queue with this number.
pub(crate) fn find_queue(number: u64) -> Result<&'static Queue, Error> {
    let Some(queue) = at(number as usize & (QUEUES - 1)) else {
        return Err(NoSuchQueue::Unknown.error(number));
    };
    queue
        .check(number)
        .map_err(|missing| missing.error(number))?;
    Ok(queue)
}
