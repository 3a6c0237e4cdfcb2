//! A counter: an object, which a host holds and calls methods of.

use std::sync::atomic::{AtomicI64, Ordering};

use rustbridge::prelude::*;

/// Counts for whoever holds it.
#[derive(Debug)]
pub struct Counter {
    count: AtomicI64,
}

/// How much to add.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// May be below 0.
    pub by: i64,
}

/// Where to count to.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct CountTo {
    /// The last number.
    pub end: i64,
}

/// What was counted so far.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The sum.
    pub count: i64,
}

/// Counts for whoever holds it.
#[object]
impl Counter {
    /// One that begins there; what makes one is no method of it.
    pub(crate) fn new(start: i64) -> Counter {
        Counter {
            count: AtomicI64::new(start),
        }
    }

    /// Adds, and answers the sum.
    pub fn add(&self, step: Step) -> Result<Count> {
        let add = |count: i64| count.checked_add(step.by);
        match self
            .count
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add)
        {
            Ok(before) => Ok(Count {
                count: before + step.by,
            }),
            Err(count) => Err(Error::new(
                Status::OutOfRange,
                format!("{count} and {} don't fit together", step.by),
            )),
        }
    }

    /// What was counted so far.
    pub fn get(&self) -> Count {
        Count {
            count: self.count.load(Ordering::Relaxed),
        }
    }

    /// Counts on, one by one, as far as the host takes items.
    pub fn count_to(&self, request: CountTo) -> impl Iterator<Item = Count> {
        let before_end = move |count| (count < request.end).then_some(count + 1);
        std::iter::from_fn(move || {
            let counted = self
                .count
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, before_end);
            counted.ok().map(|before| Count { count: before + 1 })
        })
    }
}
