//! What an instance keeps of its runtime: the handle, and what ends with the instance.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Handle, Runtime};
use tokio::task::AbortHandle;

use crate::Result;

/// How long `destroy` waits for blocking work that handlers left behind. No call runs by then; asynchronous tasks are
/// dropped at their next await without waiting.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// An instance's runtime, once there is one, and its tasks that belong to no call.
///
/// It ends with the instance, by [`end`](Slot::end): hosts may be kept for longer, and they hold it too.
pub(crate) struct Slot {
    handle: OnceLock<Handle>,
    workers: OnceLock<usize>,
    /// Held by the thread that starts it.
    starting: Mutex<()>,
    owned: Mutex<OwnedState>,
}

/// What ends with the instance.
struct OwnedState {
    /// The runtime, unless the author brought it.
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

/// What is to be done with a task.
pub(crate) enum TaskAdmission {
    /// It's to be started now.
    Now(Task),
    /// It starts as soon as the instance is complete.
    Later,
    /// The instance has ended.
    Refused,
}

impl Slot {
    /// The slot of an instance that is being created.
    pub(crate) fn new() -> Slot {
        Slot::with(Background::Waiting(Vec::new()))
    }

    /// That of a host without an instance, for unit tests.
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

    /// Sets what the author has chosen, the number of threads or a runtime, and returns the tasks that `create` has left.
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

    /// Takes a runtime that is somebody else's, unless there is one.
    pub(crate) fn bring(&self, handle: Handle) {
        let _ = self.handle.set(handle);
    }

    /// The runtime, if there is one.
    #[inline]
    pub(crate) fn handle(&self) -> Option<&Handle> {
        self.handle.get()
    }

    /// The runtime, which is started with so many threads if there's none yet. Nothing is kept of what fails, so that the next call
    /// tries again.
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

    /// Has a task ended with the instance.
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

    /// Ends the tasks, at their next await, and the runtime unless the author brought it.
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

/// Ends a runtime, waiting for blocking work.
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
