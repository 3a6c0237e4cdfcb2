//! The runtime of async handlers: one per instance, started when the first of them is called.

use std::cell::Cell;
use std::future::Future;
use std::mem;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, EnterGuard, Handle, Runtime, RuntimeFlavor};
use tokio::task::AbortHandle;

use crate::contain::contained;
use crate::logging::ambient;
use crate::{Host, Result};

/// How long `destroy` waits for blocking work that handlers left behind. No call runs by then; asynchronous tasks are
/// dropped at their next await without waiting.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// An instance's runtime, once there is one, and its tasks that belong to no call.
///
/// It ends with the instance, by [`end`](Slot::end): hosts may be kept for longer, and they hold it too.
pub(crate) struct Slot {
    handle: OnceLock<Handle>,
    workers: OnceLock<usize>,
    owned: Mutex<Owned>,
}

/// What ends with the instance.
struct Owned {
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

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

thread_local! {
    /// Whether this thread is one of a runtime of ours, or polls a task of ours for a runtime that was brought: one that
    /// tokio lets wait, after others took over what it had to do.
    static ON_RUNTIME: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body` with this thread known as one of a runtime.
pub(crate) fn on_runtime<R>(body: impl FnOnce() -> R) -> R {
    struct Before(bool);

    impl Drop for Before {
        fn drop(&mut self) {
            let _ = ON_RUNTIME.try_with(|on| on.set(self.0));
        }
    }

    let before = ON_RUNTIME.try_with(|on| on.replace(true));
    let _before = Before(before.unwrap_or(false));
    body()
}

/// Runs what waits. On a thread of a runtime of several, another takes over what this one had to do meanwhile. A thread that
/// merely entered such a runtime may be inside another, of one thread, where tokio would panic.
pub(crate) fn in_place<R>(body: impl FnOnce() -> R) -> R {
    let on_runtime = ON_RUNTIME.try_with(Cell::get).unwrap_or(false);
    let several = || Handle::try_current().map(|handle| handle.runtime_flavor());
    if on_runtime && several().is_ok_and(|flavor| flavor == RuntimeFlavor::MultiThread) {
        tokio::task::block_in_place(body)
    } else {
        body()
    }
}

/// A runtime's context, until this is dropped. To leave it is a panic of tokio's where an author's code has left another one behind
/// for good; that's contained, since who leaves has a task that's somebody else's by now.
pub(crate) struct Entered<'a>(Option<EnterGuard<'a>>);

impl Entered<'_> {
    pub(crate) fn of(handle: &Handle) -> Entered<'_> {
        Entered(Some(handle.enter()))
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        contained(|| drop(self.0.take()));
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

fn start(host: &Host, workers: usize) -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(workers.max(1))
        .thread_name(format!("{}-async", host.plugin_name()))
        .on_thread_start({
            let host = host.clone();
            // Everything on the runtime's threads is this instance's.
            move || {
                ambient::mark_thread(&host);
                let _ = ON_RUNTIME.try_with(|on| on.set(true));
            }
        })
        .on_thread_stop(ambient::unmark_thread)
        .enable_all()
        .build()
        .unwrap_or_else(|error| {
            panic!(
                "the async runtime of `{}` can't start: {error}",
                host.plugin_name()
            )
        })
}

/// A task that belongs to no call. Whatever it logs is the instance's, on the threads of a runtime that the author brought, too.
struct InBackground {
    host: Host,
    task: Task,
}

impl Future for InBackground {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let _scope = ambient::Scope::enter(self.host.clone());
        on_runtime(|| self.task.as_mut().poll(context))
    }
}

impl Host {
    /// Starts a task that belongs to no call, on the instance's runtime.
    ///
    /// `tokio::spawn` panics in `create` and in handlers that aren't `async`, since their threads are the host's. This works anywhere. A task
    /// that `create` starts begins once the instance is complete. When the instance is closed, all of them are dropped at their next await, after
    /// the plugin's value was. A panic is logged and ends the task.
    ///
    /// ```
    /// use std::time::Duration;
    /// use rustbridge::prelude::*;
    ///
    /// pub struct Cache;
    ///
    /// #[plugin(name = "cache", export = false)]
    /// impl Cache {
    ///     pub fn create(host: &Host) -> Cache {
    ///         host.spawn(async {
    ///             loop {
    ///                 tokio::time::sleep(Duration::from_secs(60)).await;
    ///                 debug!("removing old entries");
    ///             }
    ///         });
    ///         Cache
    ///     }
    /// }
    /// # let _ = Cache::create(&Host::detached());
    /// ```
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime().spawn(self, Box::pin(task));
    }
}

/// Wakes a thread that waits in [`block_on`].
struct Unpark {
    thread: Thread,
    woken: AtomicBool,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.woken.swap(true, Ordering::Release) {
            self.thread.unpark();
        }
    }
}

impl Slot {
    /// The slot of an instance that is being created.
    pub(crate) fn new() -> Slot {
        Slot::with(Background::Waiting(Vec::new()))
    }

    /// That of a host without an instance, for unit tests: tasks run on the runtime of the thread that starts the first one, if it's in one.
    pub(crate) fn detached() -> Slot {
        Slot::with(Background::Running(Vec::new()))
    }

    fn with(background: Background) -> Slot {
        Slot {
            handle: OnceLock::new(),
            workers: OnceLock::new(),
            owned: Mutex::new(Owned {
                runtime: None,
                background,
            }),
        }
    }

    /// Sets what the author has chosen, the number of threads or a runtime, and starts the tasks that `create` has left.
    pub(crate) fn configure(&self, host: &Host, workers: usize, brought: Option<Handle>) {
        let _ = self.workers.set(workers);
        if let Some(handle) = brought {
            let _ = self.handle.set(handle);
        }
        let running = Background::Running(Vec::new());
        let before = mem::replace(&mut self.owned().background, running);
        if let Background::Waiting(waiting) = before {
            for task in waiting {
                self.spawn(host, task);
            }
        }
    }

    /// The runtime, which is started if there's none yet.
    #[inline]
    pub(crate) fn get(&self, host: &Host) -> &Handle {
        self.handle.get_or_init(|| {
            let workers = self.workers.get().copied().unwrap_or(1);
            let runtime = start(host, workers);
            let handle = runtime.handle().clone();
            let mut owned = self.owned();
            if matches!(owned.background, Background::Ended) {
                drop(owned);
                shut_down(runtime);
            } else {
                owned.runtime = Some(runtime);
            }
            handle
        })
    }

    /// The runtime's context, if there's a runtime.
    pub(crate) fn entered(&self) -> Option<Entered<'_>> {
        self.handle.get().map(Entered::of)
    }

    /// Starts a task that belongs to no call. After the end it's dropped.
    fn spawn(&self, host: &Host, task: Task) {
        let mut owned = self.owned();
        match &mut owned.background {
            Background::Waiting(waiting) => return waiting.push(task),
            Background::Ended => return,
            Background::Running(_) => drop(owned),
        }
        if let Ok(current) = Handle::try_current()
            && host.is_detached()
        {
            let _ = self.handle.set(current);
        }
        let started = self.get(host).spawn(InBackground {
            host: host.clone(),
            task,
        });
        let mut owned = self.owned();
        match &mut owned.background {
            Background::Running(tasks) => {
                // Those that are over are forgotten whenever the list would grow.
                if tasks.len() == tasks.capacity() {
                    tasks.retain(|task| !task.is_finished());
                }
                tasks.push(started.abort_handle());
            }
            Background::Waiting(_) | Background::Ended => started.abort(),
        }
    }

    /// Ends the tasks, at their next await, and the runtime unless the author brought it.
    pub(crate) fn end(&self) {
        let Owned {
            runtime,
            background,
        } = mem::replace(
            &mut *self.owned(),
            Owned {
                runtime: None,
                background: Background::Ended,
            },
        );
        if let Background::Running(tasks) = background {
            tasks.iter().for_each(AbortHandle::abort);
        }
        if let Some(runtime) = runtime {
            shut_down(runtime);
        }
    }

    fn owned(&self) -> MutexGuard<'_, Owned> {
        self.owned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an async handler on the caller's thread, with the instance's runtime for its timers, sockets and tasks. It ends
    /// without a result when the call's time is over, or it's cancelled: after one more poll, for a handler that waits for that
    /// itself, its future is dropped.
    ///
    /// Not tokio's own `block_on`: that panics on a thread which is inside a runtime already, and a caller's thread may
    /// well be: a handler that calls back into the host which calls another async method, or a plugin linked into a host
    /// that uses the same tokio.
    pub(crate) fn block_on<F: Future>(
        &self,
        host: &Host,
        carried: Option<&crate::context::Context>,
        future: F,
    ) -> Result<F::Output> {
        let runtime = self.get(host);
        in_place(|| block_on(runtime, host, carried, future))
    }
}

fn block_on<F: Future>(
    runtime: &Handle,
    host: &Host,
    carried: Option<&crate::context::Context>,
    future: F,
) -> Result<F::Output> {
    let _context = Entered::of(runtime);
    let mut future = pin!(future);
    let unpark = Arc::new(Unpark {
        thread: thread::current(),
        woken: AtomicBool::new(false),
    });
    let waker = Waker::from(unpark.clone());
    let mut context = Context::from_waker(&waker);
    let deadline = carried.and_then(crate::context::Context::deadline);
    if let Some(carried) = carried {
        carried.on_cancel(host, &waker);
    }
    loop {
        // Asked before, so that the handler is polled after.
        let ended = carried.map_or(Ok(()), crate::context::Context::check);
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Ok(output);
        }
        ended?;
        // The flag, not the park token, says whether to poll again: the token may be used up by other code that parks
        // this thread inside the future.
        while !unpark.woken.swap(false, Ordering::Acquire) {
            let Some(deadline) = deadline else {
                thread::park();
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::park_timeout(left);
        }
    }
}
