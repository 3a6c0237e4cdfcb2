//! The runtime of async handlers: one per instance, started when the first of them is called.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::logging::ambient;
use crate::{Host, Result};

/// How long `destroy` waits for blocking work that handlers left behind. No call runs by then; asynchronous tasks are
/// dropped at their next await without waiting.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// An instance's runtime, once there is one.
#[derive(Default)]
pub(crate) struct Slot {
    runtime: OnceLock<Runtime>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else {
            return;
        };
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
}

fn start(host: &Host) -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name(format!("{}-async", host.plugin_name()))
        .on_thread_start({
            let host = host.clone();
            // Everything on the runtime's threads is this instance's.
            move || ambient::mark_thread(&host)
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
    /// Runs an async handler on the caller's thread, with the instance's runtime for its timers, sockets and tasks. It ends
    /// without a result when the call's time is over, or it's cancelled: after one more poll, for a handler that waits for that
    /// itself, its future is dropped.
    ///
    /// Not tokio's own `block_on`: that panics on a thread which is inside a runtime already, and a caller's thread may
    /// well be: a handler that calls back into the host which calls another async method, or a plugin linked into a host
    /// that uses the same tokio.
    ///
    /// `Send` although nothing moves here: a call whose host doesn't wait is polled by the runtime's threads, so a handler
    /// whose future may not go there could be called in one way only.
    pub(crate) fn block_on<F: Future + Send>(
        &self,
        host: &Host,
        carried: Option<&crate::context::Context>,
        future: F,
    ) -> Result<F::Output> {
        let runtime = self.runtime.get_or_init(|| start(host));
        let _context = runtime.enter();
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
}
