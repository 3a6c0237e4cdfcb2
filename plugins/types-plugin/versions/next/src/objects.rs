//! An object whose methods take and give more than in the version before.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rustbridge::prelude::*;

use crate::messages::Person;

/// A number that stays in the plugin.
#[derive(Debug)]
pub struct Counter {
    count: AtomicI64,
    /// One of those by which the plugin knows how many counters there are.
    _alive: Arc<()>,
}

/// There's no half of it.
#[derive(Debug, thiserror::Error, StatusError)]
#[error("{count} is odd")]
#[status(FAILED_PRECONDITION)]
pub struct Odd {
    /// What is left, which is new.
    pub left: i64,
    /// What was counted.
    pub count: i64,
}

/// Counters, here and there.
#[derive(Message, Clone)]
pub struct Counters {
    /// One more, which is new.
    pub spare: Option<Object<Counter>>,
    /// What has nothing to do with them.
    pub name: String,
    /// Any number of them.
    pub others: Vec<Object<Counter>>,
    /// One that there needn't be.
    pub first: Option<Object<Counter>>,
}

/// A number that stays in the plugin.
#[object]
impl Counter {
    /// One that begins there.
    pub(crate) fn new(start: i64, alive: &Arc<()>) -> Counter {
        Counter {
            count: start.into(),
            _alive: Arc::clone(alive),
        }
    }

    /// Adds, and gives the sum.
    pub fn add(&self, more: i64) -> Result<i64> {
        let add = |count: i64| count.checked_add(more);
        match self
            .count
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add)
        {
            Ok(before) => Ok(before + more),
            Err(count) => Err(Error::new(
                Status::OutOfRange,
                format!("{count} and {more} don't fit together"),
            )),
        }
    }

    /// The same, from an `async fn`.
    pub async fn add_later(&self, more: i64) -> Result<i64> {
        self.add(more)
    }

    /// Half of what was counted, if that's a number.
    pub fn half(&self) -> Result<i64, Odd> {
        match self.get() {
            count if count % 2 == 0 => Ok(count / 2),
            count => Err(Odd {
                left: count % 2,
                count,
            }),
        }
    }

    /// Whether it's between two numbers, both included unless that's said, which is new.
    pub fn within(&self, most: i64, least: i64, excluding: Option<bool>) -> bool {
        let count = self.get();
        if excluding == Some(true) {
            least < count && count < most
        } else {
            (least..=most).contains(&count)
        }
    }

    /// What was counted so far.
    pub fn get(&self) -> i64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Adds what another has counted, and gives the sum.
    #[method(takes_objects)]
    pub fn absorb(&self, other: Object<Counter>) -> Result<i64> {
        self.add(other.get())
    }

    /// The numbers from there up to before another.
    pub fn upto(&self, end: i64) -> impl Iterator<Item = i64> {
        self.get()..end
    }

    /// Counts those who are sent.
    pub async fn admit(&self, mut items: Items<Person>) -> Result<i64> {
        while let Some(person) = items.next().await {
            person?;
            self.add(1)?;
        }
        Ok(self.get())
    }
}
