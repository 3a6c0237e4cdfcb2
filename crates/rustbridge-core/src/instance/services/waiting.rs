//! Work for threads of the core's, of which an instance has so many at once at most; what is beyond waits.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::operation::threads::{self, Job};

/// How many functions of an instance's services run so at once, and how many plain handlers of its plugin, unless loading says.
pub const DEFAULT_THREADS: u32 = 512;

/// One piece of the work.
pub(super) trait Step: Send {
    /// Does it, and returns what the thread does next.
    fn run(self: Box<Self>) -> Option<Box<dyn Step>>;
}

/// The pieces of an instance that run, and those that wait for a thread.
pub(super) struct Waiting {
    most: u32,
    state: Mutex<State>,
}

struct State {
    running: u32,
    steps: VecDeque<Box<dyn Step>>,
}

/// What a thread is given first.
struct Steps(Box<dyn Step>);

impl Job for Steps {
    fn run(self: Box<Steps>) {
        let mut next = Some(self.0);
        while let Some(step) = next {
            next = step.run();
        }
    }
}

impl Waiting {
    /// `most` is 0 for the default.
    pub(super) fn new(most: u32) -> Waiting {
        let most = if most == 0 { DEFAULT_THREADS } else { most };
        Waiting {
            most,
            state: Mutex::new(State {
                running: 0,
                steps: VecDeque::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it run on a thread, at once or later; false if the system has no thread for it.
    pub(super) fn begin(&self, step: Box<dyn Step>) -> bool {
        let mut state = self.lock();
        if state.running >= self.most {
            state.steps.push_back(step);
            return true;
        }
        state.running += 1;
        drop(state);
        let begun = threads::run_service(Box::new(Steps(step)));
        if begun.is_err() {
            self.lock().running -= 1;
        }
        begun.is_ok()
    }

    /// What a thread does next that has done what it was given.
    pub(super) fn next(&self) -> Option<Box<dyn Step>> {
        let mut state = self.lock();
        let next = state.steps.pop_front();
        if next.is_none() {
            state.running -= 1;
        }
        next
    }
}
