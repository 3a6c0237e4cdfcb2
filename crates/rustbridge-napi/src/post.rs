//! How other threads reach an environment's event loop: they put a letter here and signal the wakeup.
//!
//! The wakeup is a thread-safe function of Node-API, which every runtime has. It's signaled once for all letters that come until
//! the loop takes them.

use std::collections::VecDeque;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use napi_sys::*;

use crate::record::OwnedRecord;

/// What isn't an event of the queue's.
pub(crate) enum Letter {
    /// A record, for the sink of that number.
    Record(u32, Box<OwnedRecord>),
    /// What a thread waited for is over: its number, and how.
    Over(u32, i32, Vec<u8>),
    /// The plugin is loaded that a thread was asked for by that number: its handle.
    Loaded(u32, u64),
}

/// Where the letters of one environment wait.
pub(crate) struct Post {
    inner: Mutex<Inner>,
}

struct Inner {
    wakeup: napi_threadsafe_function,
    letters: VecDeque<Letter>,
    /// The loop was told to look, and hasn't yet.
    is_signaled: bool,
}

// SAFETY: a thread-safe function is called from any thread, and only under the lock until it's taken away.
unsafe impl Send for Inner {}

impl Post {
    pub(crate) fn new(wakeup: napi_threadsafe_function) -> Post {
        Post {
            inner: Mutex::new(Inner {
                wakeup,
                letters: VecDeque::new(),
                is_signaled: false,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the loop look. Never waits for it.
    pub(crate) fn ring(&self) {
        self.lock().ring();
    }

    /// Puts a letter in; whether there's a loop that will take it out.
    pub(crate) fn put(&self, letter: Letter) -> bool {
        let mut inner = self.lock();
        if inner.wakeup.is_null() {
            return false;
        }
        inner.letters.push_back(letter);
        inner.ring();
        true
    }

    /// The loop looks: gives what waits. Who rings from now on is heard.
    pub(crate) fn take(&self) -> VecDeque<Letter> {
        let mut inner = self.lock();
        inner.is_signaled = false;
        std::mem::take(&mut inner.letters)
    }

    /// Closes the box. Returns the function that wakes the event loop, and the letters not yet taken.
    pub(crate) fn shut(&self) -> (napi_threadsafe_function, VecDeque<Letter>) {
        let mut inner = self.lock();
        let letters = std::mem::take(&mut inner.letters);
        (
            std::mem::replace(&mut inner.wakeup, ptr::null_mut()),
            letters,
        )
    }
}

impl Inner {
    fn ring(&mut self) {
        if !self.is_signaled && !self.wakeup.is_null() {
            self.is_signaled = true;
            // SAFETY: it's ours until `shut`, which waits for the lock. Its queue has no limit, so it doesn't wait.
            unsafe {
                napi_call_threadsafe_function(
                    self.wakeup,
                    ptr::null_mut(),
                    ThreadsafeFunctionCallMode::nonblocking,
                );
            }
        }
    }
}
