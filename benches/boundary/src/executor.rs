//! What awaits, ours and by hand alike, and the runtime of what waits by hand.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::runtime::{Builder, Runtime};

/// Runs one future at a time on the thread that has made it, which is parked meanwhile.
pub struct Executor {
    woken: Arc<Woken>,
    waker: Waker,
}

struct Woken {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::Release) {
            self.thread.unpark();
        }
    }
}

impl Executor {
    /// One for this thread.
    pub fn new() -> Executor {
        let woken = Arc::new(Woken {
            thread: thread::current(),
            is_woken: AtomicBool::new(false),
        });
        Executor {
            waker: Waker::from(Arc::clone(&woken)),
            woken,
        }
    }

    /// Waits for a future.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let mut context = Context::from_waker(&self.waker);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            while !self.woken.is_woken.swap(false, Ordering::Acquire) {
                thread::park();
            }
        }
    }
}

/// A runtime of one worker, as an instance of a plugin has.
///
/// # Panics
/// When the system gives no thread.
pub fn runtime() -> &'static Runtime {
    // One per process, as a program has that spawns by hand.
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let build = || Builder::new_multi_thread().worker_threads(1).build();
    RUNTIME.get_or_init(|| build().expect("the system gives a thread"))
}
