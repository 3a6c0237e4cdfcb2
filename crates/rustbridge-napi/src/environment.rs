//! What belongs to one environment: the main thread's, or a worker's.

use core::cell::{Cell, RefCell};
use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use napi_sys::*;
use rustbridge_core::operations::Event;
use rustbridge_core::{handles, operations};

use crate::post::{Letter, Post};
use crate::started_calls::StartedCalls;

/// The functions that JavaScript gives when it begins, in this order.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// Makes an error of a status and a payload.
    Fail,
    /// An operation has ended.
    Done,
    /// Items have come.
    Items,
    /// Items may be sent.
    Demand,
    /// A plugin asks a service.
    Ask,
    /// Nobody waits for a service's answer any more.
    Forget,
    /// A record has come.
    Record,
    /// What a thread waited for is over.
    Over,
    /// An operation's headers have come.
    Headers,
}

/// How many there are.
pub(crate) const HANDLERS: usize = Handler::Headers as usize + 1;

/// How many arguments each takes at most.
const ARGUMENTS: usize = 5;

/// How long an environment's end waits for each instance that nobody has closed. Then a thread goes on waiting.
const AT_END: Duration = Duration::from_millis(200);

/// One environment's state. Used on its own thread only; `post` is what others have of it.
pub(crate) struct Environment {
    pub(crate) env: napi_env,
    /// Which one it is. Never that of another, so whoever has it may outlive this.
    pub(crate) number: u32,
    pub(crate) post: Arc<Post>,
    wakeup: napi_threadsafe_function,
    handlers: Cell<[napi_ref; HANDLERS]>,
    queue: Cell<u64>,
    /// How much keeps the loop alive.
    held: Cell<u32>,
    pub(crate) begun: RefCell<StartedCalls>,
    /// What has been fetched and isn't told yet. Who looks while something is told goes on from here, so all of it is told in order.
    pub(crate) events: RefCell<VecDeque<Event>>,
    /// Likewise.
    pub(crate) letters: RefCell<VecDeque<Letter>>,
    instances: RefCell<HashSet<u64>>,
    is_shut: Cell<bool>,
}

impl Environment {
    pub(crate) fn new(env: napi_env, wakeup: napi_threadsafe_function, post: Arc<Post>) -> Self {
        // How many there were in this process, whichever thread they are of.
        static MADE: AtomicU32 = AtomicU32::new(0);
        Environment {
            env,
            number: MADE.fetch_add(1, Ordering::Relaxed) + 1,
            post,
            wakeup,
            handlers: Cell::new([ptr::null_mut(); HANDLERS]),
            queue: Cell::new(0),
            held: Cell::new(0),
            begun: RefCell::default(),
            events: RefCell::default(),
            letters: RefCell::default(),
            instances: RefCell::default(),
            is_shut: Cell::new(false),
        }
    }

    pub(crate) fn set_handlers(&self, handlers: [napi_ref; HANDLERS]) {
        self.handlers.set(handlers);
    }

    /// Calls a function of JavaScript's, with `undefined` for what is null; what it gives, or null if it has thrown, or can't run any more.
    ///
    /// # Safety
    /// On the environment's thread, inside a callback, with a handle scope open.
    pub(crate) unsafe fn call(&self, handler: Handler, arguments: &[napi_value]) -> napi_value {
        let reference = self.handlers.get()[handler as usize];
        if reference.is_null() {
            return ptr::null_mut();
        }
        let (mut function, mut this, mut answer) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: the caller's promise; the reference is kept until the environment ends.
        unsafe {
            napi_get_reference_value(self.env, reference, &mut function);
            napi_get_undefined(self.env, &mut this);
            let mut given = [this; ARGUMENTS];
            for (place, argument) in given.iter_mut().zip(arguments) {
                if !argument.is_null() {
                    *place = *argument;
                }
            }
            let status = napi_call_function(
                self.env,
                this,
                function,
                arguments.len().min(ARGUMENTS),
                given.as_ptr(),
                &mut answer,
            );
            if status != Status::napi_ok {
                return ptr::null_mut();
            }
        }
        answer
    }

    /// The queue of this loop, made when it's first needed; 0 if there can't be one.
    pub(crate) fn queue(&self) -> u64 {
        let queue = self.queue.get();
        if queue != 0 || self.is_shut.get() {
            return queue;
        }
        let Ok(queue) = operations::new_queue() else {
            return 0;
        };
        self.queue.set(queue);
        // So that the core knows whose thread would wait for itself.
        let _ = operations::next(queue, 0, Duration::ZERO, || 0, |_| {});
        let post = Arc::clone(&self.post);
        let _ = operations::wake_by(queue, move || post.ring());
        queue
    }

    /// The queue if there's one.
    pub(crate) fn queue_now(&self) -> u64 {
        self.queue.get()
    }

    /// Keeps the loop alive until [`let_go`](Environment::let_go).
    pub(crate) fn hold(&self) {
        let held = self.held.get();
        self.held.set(held + 1);
        if held == 0 && !self.is_shut.get() {
            // SAFETY: on the loop's thread, and the wakeup is there until the environment is shut.
            unsafe { napi_ref_threadsafe_function(self.env, self.wakeup) };
        }
    }

    pub(crate) fn let_go(&self) {
        let held = self.held.get().saturating_sub(1);
        self.held.set(held);
        if held == 0 && !self.is_shut.get() {
            // SAFETY: as in `hold`.
            unsafe { napi_unref_threadsafe_function(self.env, self.wakeup) };
        }
    }

    pub(crate) fn add_instance(&self, handle: u64) {
        self.instances.borrow_mut().insert(handle);
    }

    pub(crate) fn forget_instance(&self, handle: u64) {
        self.instances.borrow_mut().remove(&handle);
    }

    /// Closes the queue: what's pending is given up.
    pub(crate) fn close_queue(&self) {
        let queue = self.queue.take();
        if queue != 0 {
            let _ = operations::close_queue(queue);
        }
    }

    /// The environment ends: nothing of it is called any more, and what's its own ends with it.
    ///
    /// # Safety
    /// On the environment's thread, before the wakeup ends.
    pub(crate) unsafe fn shut(&self) {
        if self.is_shut.replace(true) {
            return;
        }
        let (wakeup, untold) = self.post.shut();
        let known = std::mem::take(&mut *self.letters.borrow_mut());
        for letter in untold.into_iter().chain(known) {
            if let Letter::Loaded(_, handle) = letter {
                self.add_instance(handle);
            }
        }
        self.close_queue();
        // What they hold is the instances', which are closed next.
        let untold = std::mem::take(&mut *self.events.borrow_mut());
        drop(untold);
        let left = std::mem::take(&mut *self.instances.borrow_mut());
        for handle in left {
            let closed = handles::close_with(handle, AT_END, Duration::ZERO);
            if closed.is_err_and(|error| error.status() == rustbridge_abi::Status::DeadlineExceeded)
            {
                // A plugin that takes its time mustn't keep the program from ending.
                close_in_background(handle, Duration::MAX, Duration::ZERO);
            }
        }
        if !wakeup.is_null() {
            // SAFETY: nobody rings it any more.
            unsafe {
                napi_release_threadsafe_function(wakeup, ThreadsafeFunctionReleaseMode::abort);
            }
        }
    }
}

/// Closes an instance on a thread of its own, if there can be one.
pub(crate) fn close_in_background(handle: u64, timeout: Duration, cancel_after: Duration) {
    let _ = std::thread::Builder::new()
        .name("rustbridge-close".to_owned())
        .spawn(move || handles::close_with(handle, timeout, cancel_after));
}
