//! A plugin whose calls end later, and executors of several kinds that wait for them.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, MutexGuard, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use rustbridge_core::{Encoding, Error, Load, Method, OnPanic, Plugin, Status};

use crate::later;
use crate::submitted::alone;

pub const LONG: Duration = Duration::from_secs(60);

/// A running plugin. Tasks are counted for all, so one test at a time has one.
pub struct Later {
    pub plugin: Option<Plugin>,
    _alone: MutexGuard<'static, ()>,
}

pub fn later() -> Later {
    later_on(OnPanic::Continue)
}

pub fn later_on(panic: OnPanic) -> Later {
    let alone = alone();
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let load = unsafe { Load::linked(later::entry_point, "later") };
    Later {
        plugin: Some(load.on_panic(panic).open().unwrap()),
        _alone: alone,
    }
}

impl Later {
    pub fn raw(&self, method: &str) -> Method {
        self.plugin().method(method, Encoding::Raw).unwrap()
    }

    pub fn plugin(&self) -> &Plugin {
        self.plugin.as_ref().unwrap()
    }
}

impl Drop for Later {
    /// Whatever a test did, nothing is pending behind it.
    fn drop(&mut self) {
        let closed = self.plugin.take().map(|plugin| plugin.close(LONG));
        if !thread::panicking() {
            assert!(closed.is_none_or(|closed| closed.is_ok()));
            assert_eq!(later::TASKS.load(Ordering::SeqCst), 0, "tasks left");
        }
    }
}

/// Runs something that may hang, for so long at most.
pub fn limited(work: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let thread = thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    match is_done.recv_timeout(LONG) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        _ => thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// As bare as an executor can be.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

/// Runs the same task on each executor, as a task of its own where there are such.
pub fn on_each<F: Future<Output = ()> + Send + 'static>(task: impl Fn() -> F + Send + 'static) {
    limited(move || {
        for runtime in [
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_time()
                .build(),
            tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build(),
        ] {
            let runtime = runtime.unwrap();
            runtime.block_on(async { tokio::spawn(task()).await.unwrap() });
        }
        smol::block_on(smol::spawn(task()));
        block_on(task());
    });
}

pub fn status<T>(result: Result<T, Error>) -> Status {
    result.err().map_or(Status::Ok, |error| error.status())
}

/// Counts how often it's woken.
#[derive(Default)]
pub struct Counter(pub AtomicU32);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}
