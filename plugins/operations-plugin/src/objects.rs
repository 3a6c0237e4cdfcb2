//! The objects that the plugin gives.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rustbridge::prelude::*;

use crate::waiting::a_moment;

/// Counts, and how many of it there are.
pub struct Counter {
    count: AtomicI64,
    alive: Arc<AtomicI64>,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts.
#[object(encodings(json, raw, pod, msgpack, bincode, postcard, wire))]
impl Counter {
    /// One more.
    pub(crate) fn new(start: i64, alive: &Arc<AtomicI64>) -> Counter {
        alive.fetch_add(1, Ordering::Relaxed);
        Counter {
            count: start.into(),
            alive: Arc::clone(alive),
        }
    }

    /// Adds, and answers the sum.
    pub fn add(&self, more: i64) -> i64 {
        self.count.fetch_add(more, Ordering::Relaxed) + more
    }

    /// Adds a moment later, and answers the sum.
    pub async fn add_later(&self, more: i64) -> i64 {
        a_moment().await;
        self.add(more)
    }

    /// What was counted so far.
    pub fn get(&self) -> i64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Adds what another has counted, and answers the sum.
    #[method(takes_objects)]
    pub fn absorb(&self, other: Object<Counter>) -> i64 {
        self.add(other.get())
    }

    /// The numbers from there up to before another.
    pub fn upto(&self, end: i64) -> impl Iterator<Item = i64> {
        self.get()..end
    }
}

/// Its destructor panics.
pub struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the object's destructor panicked");
    }
}

/// Panics when it's let go of.
#[object(encodings(json, raw, pod, msgpack, bincode, postcard, wire))]
impl Bomb {
    /// Panics before that.
    pub fn touch(&self) {
        panic!("touched");
    }
}
