//! Service calls whose function answers later: who waits for the answer, and how it gets there once.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Wake;
use std::time::Duration;

use rustbridge_abi::{Op, Response, Status, StatusCode};

use crate::async_call::caller;
use crate::async_call::run::catch_panic;
use crate::async_call::timer::TimerHandle;
use crate::async_call::waiters;
use crate::error::Error;
use crate::registry::fork::{self, OverFork};
use crate::registry::table::Handle;
use crate::response::write_bytes;
use crate::state::Deadline;

/// A service that answers later, and is told when an answer isn't needed any more.
pub trait CancelListener: Send + Sync {
    /// The answer of this call isn't needed any more: it was cancelled, its deadline has passed, or its instance is closing. A late
    /// answer does no harm. Must not block.
    ///
    /// Any thread may call it, also while the function of the service runs.
    fn cancelled(&self, instance: Handle, call: u64) {
        let _ = (instance, call);
    }
}

/// An answer on its way: a status and the bytes that go with it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) payload: Vec<u8>,
}

impl From<Error> for Answer {
    fn from(error: Error) -> Answer {
        Answer {
            status: error.status().code(),
            payload: error
                .thrown_payload()
                .unwrap_or_else(|| error.to_json().into()),
        }
    }
}

/// What a plugin gave to be told the end.
pub(crate) struct Done {
    pub(crate) function: unsafe extern "C" fn(*mut c_void, StatusCode, *mut Response),
    pub(crate) data: *mut c_void,
}

// SAFETY: the ABI says that the function is called with its data on any thread.
unsafe impl Send for Done {}

impl Done {
    /// # Safety
    /// Once, while the plugin's instance is alive.
    pub(crate) unsafe fn tell(self, answer: Answer) {
        let mut response = Response::empty();
        // SAFETY: of our own; what it holds is the plugin's from here on, by the ABI.
        unsafe {
            write_bytes(answer.payload, &raw mut response);
            (self.function)(self.data, answer.status, &raw mut response);
        }
    }
}

/// A service call that was begun and isn't over.
///
/// Invariant: it's over once, by whoever sets `over` under the lock; what was in `done` then is that one's to call.
pub(crate) struct Pending {
    pub(crate) number: u64,
    pub(crate) handle: Handle,
    pub(crate) service: u32,
    /// The queue that tells of it, or 0.
    queue: u64,
    told: Arc<dyn CancelListener>,
    inner: Mutex<Inner>,
    answered: Condvar,
}

struct Inner {
    over: bool,
    /// The host knows of it: its function was called, or its event fetched.
    known: bool,
    /// What it's for is to end early.
    cancelled: bool,
    /// For whoever waits, or asks when the function has returned.
    answer: Option<Answer>,
    done: Option<Done>,
    /// What ends it when its time is over, if no thread waits.
    timer: Option<TimerHandle>,
}

/// All that are pending, by their numbers, which aren't used twice. Of all instances of this copy of the library.
struct Table {
    calls: Mutex<BTreeMap<u64, Arc<Pending>>>,
    next: AtomicU64,
    /// Numbers below are of before a fork: their calls are the parent's.
    inherited: AtomicU64,
    is_watched: AtomicBool,
}

/// One for all instances, told apart by their handles: whoever answers knows nothing but a number.
static PENDING: Table = Table {
    calls: Mutex::new(BTreeMap::new()),
    next: AtomicU64::new(1),
    inherited: AtomicU64::new(0),
    is_watched: AtomicBool::new(false),
};

impl OverFork for Table {
    type Held = MutexGuard<'static, BTreeMap<u64, Arc<Pending>>>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    fn in_child(&'static self, held: &mut Self::Held) {
        // The parent's calls, whose locks may be held by threads that don't exist here.
        std::mem::forget(std::mem::take(&mut **held));
        self.inherited
            .store(self.next.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Pending>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a call one that's answered later, unless `is_ended` says that its instance takes no more of them. It's asked where
/// [`of`] can't miss the call.
pub(crate) fn defer_call(
    handle: Handle,
    service: u32,
    queue: u64,
    told: Arc<dyn CancelListener>,
    is_ended: &AtomicBool,
) -> Option<Arc<Pending>> {
    if !fork::is_looked_after() {
        return None;
    }
    if !PENDING.is_watched.load(Ordering::Acquire) {
        // Before anybody takes the lock; it does no harm twice.
        fork::watch(&PENDING);
        PENDING.is_watched.store(true, Ordering::Release);
    }
    let mut calls = PENDING.lock();
    if is_ended.load(Ordering::Relaxed) {
        return None;
    }
    let number = PENDING.next.fetch_add(1, Ordering::Relaxed);
    let pending = Arc::new(Pending {
        number,
        handle,
        service,
        queue,
        told,
        inner: Mutex::new(Inner {
            over: false,
            known: false,
            cancelled: false,
            answer: None,
            done: None,
            timer: None,
        }),
        answered: Condvar::new(),
    });
    calls.insert(number, Arc::clone(&pending));
    Some(pending)
}

/// The call with this number, or why there's none.
pub(crate) fn find_deferred(number: u64) -> Result<Arc<Pending>, Error> {
    let next = PENDING.next.load(Ordering::Relaxed);
    if number == 0 || number >= next {
        return Err(Error::new(
            Status::NotFound,
            "NoSuchServiceCall",
            format!(
                "{number} isn't the number of a service call: pass the number from rb_service_defer or the event"
            ),
        ));
    }
    if number < PENDING.inherited.load(Ordering::Relaxed) || !fork::is_looked_after() {
        return Err(Error::new(
            Status::FailedPrecondition,
            "Forked",
            format!(
                "service call {number} began before this process was forked: only the parent can answer it"
            ),
        ));
    }
    let found = PENDING.lock().get(&number).cloned();
    found.ok_or_else(|| over(number))
}

#[cold]
pub(crate) fn over(number: u64) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "ServiceCallOver",
        format!(
            "service call {number} is over: it was answered before, it was cancelled, its deadline has passed, or its instance was closed"
        ),
    )
}

/// Tells the host of a call that is over, and forgets it.
pub(crate) fn tell_over(number: u64) {
    let found = PENDING.lock().get(&number).cloned();
    if let Some(pending) = found {
        pending.tell_cancelled();
        pending.forget();
    }
}

/// Forgets a call that is over.
pub(crate) fn forget(number: u64) {
    // What it was comes to its end without the lock: it may be the last that holds on to the host's function.
    let known = PENDING.lock().remove(&number);
    catch_panic(|| drop(known));
}

/// The calls of an instance.
pub(crate) fn of(handle: Handle) -> Vec<Arc<Pending>> {
    PENDING
        .lock()
        .values()
        .filter(|pending| pending.handle == handle)
        .cloned()
        .collect()
}

/// The calls that a queue tells of.
pub(crate) fn in_queue(queue: u64) -> Vec<Arc<Pending>> {
    PENDING
        .lock()
        .values()
        .filter(|pending| pending.queue == queue)
        .cloned()
        .collect()
}

/// By who cancels what the call is for: whoever waits for its answer doesn't any more.
impl Wake for Pending {
    fn wake(self: Arc<Self>) {
        self.lock().cancelled = true;
        self.answered.notify_all();
    }
}

impl Pending {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self) {
        forget(self.number);
    }

    /// Ends the call with this answer, unless it's over.
    ///
    /// # Safety
    /// The plugin's instance is alive until this returns.
    pub(crate) unsafe fn end(&self, answer: Answer) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.end_and(answer, Pending::forget) }
    }

    /// # Safety
    /// As for [`end`](Pending::end). `then` is called if somebody was waiting to be told.
    unsafe fn end_and(&self, answer: Answer, then: fn(&Pending)) -> Result<(), Error> {
        let mut inner = self.lock();
        if inner.over {
            return Err(over(self.number));
        }
        inner.over = true;
        let timer = inner.timer.take();
        let Some(done) = inner.done.take() else {
            inner.answer = Some(answer);
            drop(inner);
            self.answered.notify_all();
            return Ok(());
        };
        drop(inner);
        drop(timer);
        then(self);
        // SAFETY: it's over by us, and the rest is the caller's promise.
        unsafe { done.tell(answer) };
        Ok(())
    }

    /// Ends the call from the plugin's side, and says so to the host.
    ///
    /// # Safety
    /// As for [`end`](Pending::end).
    pub(crate) unsafe fn cancel(&self, why: Error) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.end(why.into()) }?;
        self.tell_cancelled();
        Ok(())
    }

    /// As [`cancel`](Pending::cancel), but the host isn't told: it's found by its number until [`tell_over`] or [`forget`].
    ///
    /// # Safety
    /// As for [`end`](Pending::end).
    pub(crate) unsafe fn cancel_untold(&self, why: Error) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.end_and(why.into(), |_| {}) }
    }

    /// Tells the host that it's over, if the host knows of it.
    fn tell_cancelled(&self) {
        let is_known = self.lock().known;
        if is_known {
            // A plugin's thread may be above us, waiting for its answer.
            catch_panic(|| self.told.cancelled(self.handle, self.number));
        }
    }

    /// Whether nobody needs the answer any more.
    pub(super) fn is_over(&self) -> bool {
        self.lock().over
    }

    /// Whether the host has the number.
    pub(super) fn is_known(&self) -> bool {
        self.lock().known
    }

    /// Notes that the host gets to know of it, unless it's over.
    pub(super) fn make_known(&self) -> bool {
        let mut inner = self.lock();
        inner.known = !inner.over;
        inner.known
    }

    /// What was answered while the function ran; otherwise `done` is called with the answer. `timer` ends it when its time is
    /// over.
    pub(crate) fn tell_later(&self, done: Done, timer: Option<TimerHandle>) -> Option<Answer> {
        let mut inner = self.lock();
        if !inner.over {
            inner.done = Some(done);
            inner.timer = timer;
            return None;
        }
        let answer = inner.answer.take();
        drop(inner);
        self.forget();
        answer
    }

    /// Waits for the answer, unless the operation is cancelled that the call is for, if that isn't 0.
    pub(crate) fn wait(
        self: &Arc<Self>,
        limit: Duration,
        op: Op,
        why: impl FnOnce(bool) -> Error,
    ) -> Answer {
        let deadline = Deadline::after(limit);
        let _waiter = (op != 0).then(|| waiters::watch(op, Arc::clone(self).into()));
        let is_cancelled = op != 0 && caller::is_cancelled(op);
        let mut inner = self.lock();
        inner.cancelled |= is_cancelled;
        let answer = loop {
            if let Some(answer) = inner.answer.take() {
                break answer;
            }
            let is_cancelled = inner.cancelled;
            if is_cancelled || deadline.is_over() {
                inner.over = true;
                drop(inner);
                self.forget();
                self.tell_cancelled();
                return why(is_cancelled).into();
            }
            inner = match deadline.left() {
                Some(left) => {
                    self.answered
                        .wait_timeout(inner, left)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
                None => self
                    .answered
                    .wait(inner)
                    .unwrap_or_else(PoisonError::into_inner),
            };
        };
        drop(inner);
        self.forget();
        answer
    }

    /// The function has answered after all.
    pub(crate) fn withdraw(&self) {
        let mut inner = self.lock();
        inner.over = true;
        let unwanted = inner.answer.take();
        drop(inner);
        drop(unwanted);
        self.forget();
    }
}
