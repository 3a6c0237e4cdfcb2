//! The runtime of async handlers: one per instance, started when the first of them is called.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

use rustbridge_abi::Status;
use tokio::runtime::{Builder, EnterGuard, Handle, Runtime, RuntimeFlavor};

use crate::contain::contained;
use crate::logging::ambient;
use crate::slot::{Task, TaskAdmission};
use crate::{Error, Host, Result};

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
pub(crate) struct RuntimeGuard<'a>(Option<EnterGuard<'a>>);

impl RuntimeGuard<'_> {
    pub(crate) fn of(handle: &Handle) -> RuntimeGuard<'_> {
        RuntimeGuard(Some(handle.enter()))
    }
}

impl Drop for RuntimeGuard<'_> {
    fn drop(&mut self) {
        contained(|| drop(self.0.take()));
    }
}

/// Whether the system has so many threads. tokio panics where it hasn't, and waits for good for those that it has started by then.
fn has_threads(count: usize) -> io::Result<()> {
    let all = RwLock::new(());
    thread::scope(|scope| {
        // Each stays until all are there.
        let _all = all.write();
        for _ in 0..count {
            thread::Builder::new().spawn_scoped(scope, || drop(all.read()))?;
        }
        Ok(())
    })
}

fn start(host: &Host, workers: usize) -> Result<Runtime> {
    let workers = workers.max(1);
    let mut builder = Builder::new_multi_thread();
    builder
        .worker_threads(workers)
        .max_blocking_threads(host.threads())
        .thread_name(format!("{}-async", host.plugin_name()))
        .on_thread_start({
            // The runtime is a part of the host, which would never end otherwise.
            let host = host.downgrade();
            // Everything on the runtime's threads is this instance's.
            move || {
                if let Some(host) = Host::upgrade(&host) {
                    ambient::mark_thread(&host);
                }
                let _ = ON_RUNTIME.try_with(|on| on.set(true));
            }
        })
        .on_thread_stop(ambient::unmark_thread)
        .enable_all();
    let built = has_threads(workers).and_then(|()| {
        // Of a thread that's gone by now.
        catch_unwind(AssertUnwindSafe(|| builder.build()))
            .unwrap_or_else(|_| Err(io::ErrorKind::WouldBlock.into()))
    });
    built.map_err(|error| no_runtime(host, workers, &error))
}

/// The next call tries again.
#[cold]
fn no_runtime(host: &Host, workers: usize, error: &io::Error) -> Error {
    Error::new(
        Status::ResourceExhausted,
        format!(
            "the asynchronous runtime of plugin `{}` can't start: {error}. It needs {workers} threads and a few file descriptors, and is started again by the next call that needs it: raise the limits of the process (`ulimit -n`, `ulimit -u`) or of its container",
            host.plugin_name()
        ),
    )
    .with_type("rustbridge.NoRuntime")
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

/// The runtime of an instance, which is started if there's none yet.
#[inline]
pub(crate) fn of(host: &Host) -> Result<&Handle> {
    match host.runtime().handle() {
        Some(handle) => Ok(handle),
        None => host.runtime().started(|workers| start(host, workers)),
    }
}

/// The runtime's context, if there's a runtime.
pub(crate) fn entered(host: &Host) -> Option<RuntimeGuard<'_>> {
    host.runtime().handle().map(RuntimeGuard::of)
}

/// Sets what the author has chosen, the number of threads or a runtime, and starts the tasks that `create` has left.
pub(crate) fn configure(host: &Host, workers: usize, brought: Option<Handle>) -> Result<()> {
    for task in host.runtime().configure(workers, brought) {
        spawn(host, task)?;
    }
    Ok(())
}

fn spawn(host: &Host, task: Task) -> Result<()> {
    let task = InBackground {
        host: host.clone(),
        task,
    };
    let started = of(host)?.spawn(task);
    host.runtime().keep(started.abort_handle());
    Ok(())
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
    /// `tokio::spawn` panics in `create` and in handlers that aren't `async`, because they run on the host's threads.
    /// This function works everywhere. A task that `create` starts begins when the instance is complete. When the
    /// instance is closed, the plugin's value is dropped first. Then all tasks are dropped at their next await. A panic
    /// is logged and ends the task.
    ///
    /// On a [detached](Host::detached) host, in a unit test, the task runs on the test's runtime, or on a new one if
    /// the test has none.
    ///
    /// ```
    /// use std::time::Duration;
    /// use rustbridge::prelude::*;
    ///
    /// pub struct Cache;
    ///
    /// #[plugin(name = "cache", export = false)]
    /// impl Cache {
    ///     pub fn create(host: &Host) -> Result<Cache> {
    ///         host.spawn(async {
    ///             loop {
    ///                 tokio::time::sleep(Duration::from_secs(60)).await;
    ///                 debug!("removing old entries");
    ///             }
    ///         })?;
    ///         Ok(Cache)
    ///     }
    /// }
    /// # let _ = Cache::create(&Host::detached());
    /// ```
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`: the runtime can't start; of a task that `create` starts, `create` fails with it. `FAILED_PRECONDITION`: the instance
    /// is closed.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        match self.runtime().admit(Box::pin(task)) {
            TaskAdmission::Now(task) => {
                if let Ok(current) = Handle::try_current()
                    && self.is_detached()
                {
                    self.runtime().bring(current);
                }
                spawn(self, task)
            }
            TaskAdmission::Later => Ok(()),
            TaskAdmission::Refused => Err(Error::new(
                Status::FailedPrecondition,
                format!(
                    "instance `{}` is closed, so it starts no tasks",
                    self.instance_name()
                ),
            )
            .with_type("rustbridge.Closed")),
        }
    }
}

/// Runs an async handler on the caller's thread, with the instance's runtime for its timers, sockets and tasks. It ends
/// without a result when the call's deadline passes, or it's cancelled: after one more poll, for a handler that waits for that
/// itself, its future is dropped.
///
/// Not tokio's own `block_on`: that panics on a thread which is inside a runtime already, and a caller's thread may
/// well be: a handler that calls back into the host which calls another async method, or a plugin linked into a host
/// that uses the same tokio.
pub(crate) fn run<F: Future>(
    host: &Host,
    carried: Option<&crate::context::Context>,
    future: F,
) -> Result<F::Output> {
    let runtime = of(host)?;
    in_place(|| block_on(runtime, host, carried, future))
}

fn block_on<F: Future>(
    runtime: &Handle,
    host: &Host,
    carried: Option<&crate::context::Context>,
    future: F,
) -> Result<F::Output> {
    let _context = RuntimeGuard::of(runtime);
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
