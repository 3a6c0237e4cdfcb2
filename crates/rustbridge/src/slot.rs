//! The runtime of an instance: its handle, and the parts that end with the instance.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Handle, Runtime};
use tokio::task::AbortHandle;

use crate::Result;

/// How long `destroy` waits for blocking work that handlers left behind. No call runs by then. Asynchronous tasks are dropped at
/// their next await without waiting.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// An instance's runtime, once it's started, and its tasks that belong to no call.
///
/// [`end`](Slot::end) ends it with the instance. `Host` values may be kept longer, and refer to it too.
pub(crate) struct Slot {
    handle: OnceLock<Handle>,
    workers: OnceLock<usize>,
    /// Held by the thread that starts the runtime.
    starting: Mutex<()>,
    owned: Mutex<OwnedState>,
}

/// The parts that end with the instance.
struct OwnedState {
    /// The runtime, unless the author supplied it.
    runtime: Option<Runtime>,
    background: Background,
}

/// The tasks that belong to no call.
enum Background {
    /// The instance is being created, so its runtime isn't known yet.
    Waiting(Vec<Task>),
    Running(Vec<AbortHandle>),
    Ended,
}

/// A task that belongs to no call.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The decision about a task.
pub(crate) enum TaskAdmission {
    /// Start it now.
    Now(Task),
    /// It starts as soon as the instance is created.
    Later,
    /// The instance has ended.
    Refused,
}

impl Slot {
    /// Creates the slot of an instance that is being created.
    pub(crate) fn new() -> Slot {
        Slot::with(Background::Waiting(Vec::new()))
    }

    /// Creates the slot of a host without an instance, for unit tests.
    pub(crate) fn detached() -> Slot {
        Slot::with(Background::Running(Vec::new()))
    }

    fn with(background: Background) -> Slot {
        Slot {
            handle: OnceLock::new(),
            workers: OnceLock::new(),
            starting: Mutex::new(()),
            owned: Mutex::new(OwnedState {
                runtime: None,
                background,
            }),
        }
    }

    /// Sets the author's number of threads or runtime, and returns the tasks that `create` started.
    pub(crate) fn configure(&self, workers: usize, brought: Option<Handle>) -> Vec<Task> {
        let _ = self.workers.set(workers);
        if let Some(handle) = brought {
            self.bring(handle);
        }
        let running = Background::Running(Vec::new());
        let before = mem::replace(&mut self.owned().background, running);
        match before {
            Background::Waiting(waiting) => waiting,
            Background::Running(_) | Background::Ended => Vec::new(),
        }
    }

    /// Uses a runtime that someone else owns, unless there is one already.
    pub(crate) fn bring(&self, handle: Handle) {
        let _ = self.handle.set(handle);
    }

    /// Returns the runtime, if there is one.
    #[inline]
    pub(crate) fn handle(&self) -> Option<&Handle> {
        self.handle.get()
    }

    /// Returns the runtime. If there is none, `start` starts it with the configured number of threads. A failure isn't stored, so
    /// that the next call tries again.
    #[cold]
    pub(crate) fn started(&self, start: impl FnOnce(usize) -> Result<Runtime>) -> Result<&Handle> {
        let _starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(handle) = self.handle.get() {
            return Ok(handle);
        }
        let runtime = start(self.workers.get().copied().unwrap_or(1))?;
        let handle = runtime.handle().clone();
        let mut owned = self.owned();
        if matches!(owned.background, Background::Ended) {
            drop(owned);
            shut_down(runtime);
        } else {
            owned.runtime = Some(runtime);
        }
        Ok(self.handle.get_or_init(|| handle))
    }

    /// Decides about a task that belongs to no call.
    pub(crate) fn admit(&self, task: Task) -> TaskAdmission {
        match &mut self.owned().background {
            Background::Waiting(waiting) => {
                waiting.push(task);
                TaskAdmission::Later
            }
            Background::Running(_) => TaskAdmission::Now(task),
            Background::Ended => TaskAdmission::Refused,
        }
    }

    /// Registers a task to be aborted when the instance ends.
    pub(crate) fn keep(&self, task: AbortHandle) {
        match &mut self.owned().background {
            Background::Running(tasks) => {
                // Those that are over are forgotten whenever the list would grow.
                if tasks.len() == tasks.capacity() {
                    tasks.retain(|task| !task.is_finished());
                }
                tasks.push(task);
            }
            Background::Waiting(_) | Background::Ended => task.abort(),
        }
    }

    /// Aborts the tasks at their next await, and shuts down the runtime unless the author supplied it.
    pub(crate) fn end(&self) {
        let ended = OwnedState {
            runtime: None,
            background: Background::Ended,
        };
        let OwnedState {
            runtime,
            background,
        } = mem::replace(&mut *self.owned(), ended);
        if let Background::Running(tasks) = background {
            tasks.iter().for_each(AbortHandle::abort);
        }
        if let Some(runtime) = runtime {
            shut_down(runtime);
        }
    }

    fn owned(&self) -> MutexGuard<'_, OwnedState> {
        self.owned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    // Only a host without an instance has a runtime by now. The last one to have the host may be one of the runtime's own tasks.
    fn drop(&mut self) {
        if let Some(runtime) = self.owned().runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Shuts down a runtime, and waits for blocking work.
fn shut_down(runtime: Runtime) {
    if Handle::try_current().is_err() {
        runtime.shutdown_timeout(SHUTDOWN);
    } else {
        // The caller is inside a runtime of the same tokio (the plugin is linked into a host that uses it), where
        // waiting is a panic. A thread of its own may wait.
        thread::scope(|scope| {
            scope.spawn(|| runtime.shutdown_timeout(SHUTDOWN));
        });
    }
}
