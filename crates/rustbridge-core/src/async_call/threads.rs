//! The core's threads: for calls that mustn't run on the host's thread, and for services that may block.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::registry::fork::{self, OverFork};

/// The largest number of threads for calls. If all are busy, jobs wait.
const MOST_CALLS: usize = 64;

/// How long a thread waits for a job before it ends.
const PATIENCE: Duration = Duration::from_secs(10);

/// A job of a thread.
pub(crate) trait Job: Send + 'static {
    fn run(self: Box<Self>);

    /// Ends the job without running it, because no thread can be created.
    fn refuse(self: Box<Self>) {}
}

/// The jobs and threads of all instances. A thread that waits belongs to no instance, and each job keeps its instance from being
/// destroyed.
static CALLS: Pool = Pool::new("rustbridge-call", MOST_CALLS);

/// The same for services, for which each instance has a limit of its own. Separate, because calls may wait for services.
static SERVICES: Pool = Pool::new("rustbridge-service", usize::MAX);

struct Pool {
    name: &'static str,
    most: usize,
    state: Mutex<State>,
    /// Notified when a job was added.
    came: Condvar,
}

struct State {
    jobs: VecDeque<Box<dyn Job>>,
    /// How many threads wait for a job.
    idle: usize,
    threads: usize,
}

impl Pool {
    const fn new(name: &'static str, most: usize) -> Pool {
        Pool {
            name,
            most,
            state: Mutex::new(State {
                jobs: VecDeque::new(),
                idle: 0,
                threads: 0,
            }),
            came: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Pool {
    type Held = MutexGuard<'static, State>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    /// The threads and jobs belong to the parent. The jobs aren't dropped, because what they hold may be locked.
    fn in_child(&'static self, state: &mut Self::Held) {
        mem::forget(mem::take(&mut state.jobs));
        state.idle = 0;
        state.threads = 0;
    }
}

/// Runs a job on a thread. Returns it if there's no thread and none can be created.
pub(crate) fn run(job: Box<dyn Job>) -> Result<(), Box<dyn Job>> {
    CALLS.run(job)
}

/// The same for the function of a service.
pub(crate) fn run_service(job: Box<dyn Job>) -> Result<(), Box<dyn Job>> {
    SERVICES.run(job)
}

impl Pool {
    fn run(&'static self, job: Box<dyn Job>) -> Result<(), Box<dyn Job>> {
        fork::watch(self);
        let mut state = self.lock();
        let is_short = state.idle <= state.jobs.len();
        if is_short && state.threads < self.most {
            state.threads += 1;
            // Without the lock, because a fork acquires it.
            drop(state);
            let made = thread::Builder::new()
                .name(self.name.to_owned())
                .spawn(move || self.work());
            state = self.lock();
            if made.is_err() {
                state.threads -= 1;
                if state.threads == 0 {
                    return Err(job);
                }
            }
        }
        state.jobs.push_back(job);
        drop(state);
        self.came.notify_one();
        Ok(())
    }

    fn work(&self) {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                job.run();
                state = self.lock();
                continue;
            }
            state.idle += 1;
            let (again, waited) = self
                .came
                .wait_timeout(state, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner);
            state = again;
            state.idle -= 1;
            if waited.timed_out() && state.jobs.is_empty() {
                // In a forked child that the job has created, this thread isn't counted.
                state.threads = state.threads.saturating_sub(1);
                return;
            }
        }
    }
}
