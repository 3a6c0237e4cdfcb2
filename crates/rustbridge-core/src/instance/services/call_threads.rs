//! How many functions of an instance's services run on threads of the core's at once, and what waits for one.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::async_call::threads::{self, Job};

/// How many functions of an instance's services run so at once, and how many plain handlers of its plugin, unless loading says.
pub const DEFAULT_THREADS: u32 = 512;

/// The calls of an instance whose functions run on threads of the core's, and those that wait for one.
pub(super) struct CallThreads {
    most: u32,
    state: Mutex<State>,
}

struct State {
    running: u32,
    jobs: VecDeque<Box<dyn Job>>,
}

impl CallThreads {
    /// `most` is 0 for the default.
    pub(super) fn new(most: u32) -> CallThreads {
        let most = if most == 0 { DEFAULT_THREADS } else { most };
        CallThreads {
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

    /// Runs the job on a thread, as soon as fewer than the limit are running. Returns it if no thread can be created.
    ///
    /// The calling thread is inside a call of the instance.
    pub(super) fn begin(&self, job: Box<dyn Job>) -> Result<(), Box<dyn Job>> {
        let mut state = self.lock();
        if state.running >= self.most {
            state.jobs.push_back(job);
            return Ok(());
        }
        state.running += 1;
        drop(state);
        threads::run_service(job).inspect_err(|_| self.over())
    }

    /// A job that counted as running has ended, or no thread could be created for it. The next one gets its place, or is refused.
    pub(super) fn over(&self) {
        loop {
            let mut state = self.lock();
            let Some(next) = state.jobs.pop_front() else {
                state.running -= 1;
                return;
            };
            drop(state);
            match threads::run_service(next) {
                Ok(()) => return,
                Err(next) => next.refuse(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Counts how it ended.
    struct CountingJob(Arc<AtomicU32>);

    impl Job for CountingJob {
        fn run(self: Box<CountingJob>) {}

        fn refuse(self: Box<CountingJob>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_job_behind_one_without_a_thread_is_run_or_refused() {
        let refused = Arc::new(AtomicU32::new(0));
        let waiting = CallThreads::new(1);
        // One is about to get a thread, and another is queued behind it.
        waiting.lock().running = 1;
        let queued = Box::new(CountingJob(Arc::clone(&refused)));
        assert!(waiting.begin(queued).is_ok());
        // The first gets none.
        waiting.over();
        let state = waiting.lock();
        assert!(state.jobs.is_empty(), "it isn't left waiting");
        assert_eq!(state.running + refused.load(Ordering::Relaxed), 1);
    }
}
