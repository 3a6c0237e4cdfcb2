//! How many functions of an instance's services run on threads of the core's at once, and what waits for one.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::async_call::threads::{self, Job};

/// How many functions of an instance's services run so at once, and how many plain handlers of its plugin, unless loading says.
pub const DEFAULT_THREADS: u32 = 512;

/// The calls of an instance whose functions run on threads of the core's, and those that wait for one.
pub(super) struct Waiting {
    most: u32,
    state: Mutex<State>,
}

struct State {
    running: u32,
    jobs: VecDeque<Box<dyn Job>>,
}

impl Waiting {
    /// `most` is 0 for the default.
    pub(super) fn new(most: u32) -> Waiting {
        let most = if most == 0 { DEFAULT_THREADS } else { most };
        Waiting {
            most,
            state: Mutex::new(State {
                running: 0,
                jobs: VecDeque::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a thread do it, when fewer than may run do. It's given back if there's no thread.
    pub(super) fn begin(&self, job: Box<dyn Job>) -> Result<(), Box<dyn Job>> {
        let mut state = self.lock();
        if state.running >= self.most {
            state.jobs.push_back(job);
            return Ok(());
        }
        state.running += 1;
        drop(state);
        threads::run_service(job).inspect_err(|_| self.lock().running -= 1)
    }

    /// One is over, on the thread that has done it: the next one's turn.
    pub(super) fn over(&self) {
        let mut state = self.lock();
        let Some(next) = state.jobs.pop_front() else {
            state.running -= 1;
            return;
        };
        drop(state);
        // This thread takes it if no other does.
        let _ = threads::run_service(next);
    }
}
