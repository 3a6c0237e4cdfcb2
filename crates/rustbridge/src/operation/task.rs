//! A task: the plugin's state of a pending call, and the rules for access to it.
//!
//! A task is one block of memory: the [`Head`], which is the same for all, followed by the body, which is the handler's
//! future, iterator or blocking work with everything these own. The state in the head determines which thread owns the body:
//! * The thread that changes the state from `IDLE` to `BUSY` owns it, to poll it.
//! * The thread that finds `IDLE` when it sets `CANCELLED` owns it, to drop it.
//! * The thread that has polled it, and finds `CANCELLED` set when it changes the state back, still owns it, to drop it.
//!
//! So a cancelled future is dropped at once, or right after the current poll, and by one thread only.
//!
//! The block is reference-counted. The core holds it until `release`. Each of the plugin's threads and each of the runtime's
//! tasks that may still read the state holds it too; if the task was cancelled, they may do so a moment longer than the core.

pub(crate) mod new_task;
pub(crate) mod target;

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::task::{self, Poll};
use std::time::Instant;

use rustbridge_abi::{
    self as abi, AsyncHost, Op, RB_CANCELLED, RB_OK, Response, Status, StatusCode,
};

use super::credit::Credit;
use super::pool::{self, Buffers};
use crate::call::Call;
use crate::contain::contained;
use crate::context::{self, Context};
use crate::instance::Core;
use crate::items::Inbox;
use crate::logging::{ambient, span};
use crate::response::Reply;
use crate::{Error, panics};

/// No thread uses the body.
const IDLE: u32 = 0;
/// A thread uses the body.
const BUSY: u32 = 1;
/// The body is dropped, and the completion was reported or is about to be.
const ENDED: u32 = 2;
/// An additional bit: the task was cancelled.
const CANCELLED: u32 = 4;

/// The largest response in bytes that fits into the task itself.
const STORAGE: usize = 256;

/// The part of a pending call that the handler determines.
///
/// It's dropped before the completion is reported.
pub(crate) trait Body: Send + 'static {
    /// Whether a poll may block while it waits for actions of the host.
    const BLOCKS: bool = false;

    /// Whether the consumer's demand polls it.
    const PULLED: bool = false;

    /// Whether it has one response and sends no items.
    const ANSWERS: bool = false;

    /// Runs as far as possible. When it's ready, the response has been written to [`Head::reply`].
    ///
    /// # Safety
    /// This is the body of `head`. No one else uses it, and it isn't moved.
    unsafe fn poll(&mut self, head: &Head, context: &mut task::Context<'_>) -> Poll<StatusCode>;
}

/// The properties of a body that depend on its type only.
pub(crate) struct Kind {
    poll: unsafe fn(NonNull<Head>, &mut task::Context<'_>) -> Poll<StatusCode>,
    drop: unsafe fn(NonNull<Head>),
    layout: Layout,
    blocks: bool,
    pulled: bool,
    answers: bool,
}

/// The block of a task with its body.
#[repr(C)]
struct Task<B> {
    head: Head,
    body: UnsafeCell<MaybeUninit<B>>,
}

impl<B: Body> Task<B> {
    const KIND: &'static Kind = &Kind {
        poll: poll_body::<B>,
        drop: drop_body::<B>,
        layout: Layout::new::<Task<B>>(),
        blocks: B::BLOCKS,
        pulled: B::PULLED,
        answers: B::ANSWERS,
    };
}

unsafe fn poll_body<B: Body>(
    head: NonNull<Head>,
    context: &mut task::Context<'_>,
) -> Poll<StatusCode> {
    let task = head.cast::<Task<B>>();
    // SAFETY: the caller has the body, which is there.
    unsafe {
        let body = (*task.as_ref().body.get()).assume_init_mut();
        body.poll(head.as_ref(), context)
    }
}

unsafe fn drop_body<B: Body>(head: NonNull<Head>) {
    let task = head.cast::<Task<B>>();
    // SAFETY: the caller has the body, which is there and isn't used afterwards.
    unsafe { (*task.as_ref().body.get()).assume_init_drop() };
}

/// The part that all tasks have.
///
/// Invariants: `core` and the data that `call` borrows belong to the instance. The instance isn't destroyed before the task is
/// released, so they are valid until the completion has been reported. Only the owner of the body uses `target`, `answer`,
/// `storage` and `buffers`.
#[repr(C)]
pub(crate) struct Head {
    /// The first field, because every block of the pool begins with it.
    buffers: UnsafeCell<Buffers>,
    kind: &'static Kind,
    state: AtomicU32,
    /// The status of the cancellation, or 0.
    reason: AtomicI32,
    holders: AtomicU32,
    op: Op,
    deadline: Option<Instant>,
    host: AsyncHost,
    core: NonNull<Core>,
    /// The address of the response: the caller's until `start` returns, then the task's own.
    target: UnsafeCell<*mut Response>,
    answer: UnsafeCell<Response>,
    /// The place for trailers and objects: as for `target`, but null if the caller of `start` has no place for them.
    place: UnsafeCell<*mut abi::Reply>,
    beside: UnsafeCell<abi::Reply>,
    storage: UnsafeCell<[MaybeUninit<u8>; STORAGE]>,
    call: UnsafeCell<Option<Call<'static>>>,
    context: UnsafeCell<Option<Context>>,
    /// A copy of the call context, when the host's is no longer valid.
    header: UnsafeCell<MaybeUninit<abi::CallContext>>,
    pub(super) credit: Credit,
    pub(super) inbox: Option<Arc<Inbox>>,
    /// The runtime's task that polls this one.
    #[cfg(feature = "async")]
    pub(super) driver: UnsafeCell<Option<tokio::task::JoinHandle<()>>>,
}

impl Head {
    /// Returns the place for the response.
    ///
    /// # Safety
    /// The caller owns the body, and there is no other unused reply.
    pub(crate) unsafe fn reply(&self) -> Reply {
        // SAFETY: the caller's own or the task's, by the invariant.
        unsafe { Reply::new(*self.target.get()) }
    }

    /// Returns the buffers.
    ///
    /// # Safety
    /// The caller owns the body, and has no other reference to the buffers.
    #[expect(clippy::mut_from_ref, reason = "the body's owner is the only one")]
    pub(crate) unsafe fn buffers(&self) -> &mut Buffers {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.buffers.get() }
    }

    pub(crate) fn op(&self) -> Op {
        self.op
    }

    pub(crate) fn host(&self) -> &AsyncHost {
        &self.host
    }

    /// Returns whether it was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) & CANCELLED != 0
    }

    /// Returns whether the consumer's demand polls it.
    pub(crate) fn is_pulled(&self) -> bool {
        self.kind.pulled
    }

    /// Returns the status of the cancellation.
    pub(crate) fn reason(&self) -> Status {
        match Status::from_code(self.reason.load(Ordering::Relaxed)) {
            Status::Ok | Status::Unknown => Status::Cancelled,
            reason => reason,
        }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns whether the deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn hold(&self) {
        self.holders.fetch_add(1, Ordering::Relaxed);
    }
}

/// Polls the body, and converts a panic to the response. A body that has ended is dropped.
///
/// # Safety
/// The caller owns the body.
#[inline]
unsafe fn poll(head: NonNull<Head>, context: &mut task::Context<'_>) -> Poll<StatusCode> {
    // SAFETY: the caller's promise, and the invariants of `Head`.
    unsafe {
        let this = head.as_ref();
        // Null before anything is written, so that a panic can be told from where it left the response.
        (**this.target.get()).release = None;
        let mark = ambient::mark(this.core.as_ref().host());
        let in_trace = in_trace(this);
        let result = catch_unwind(AssertUnwindSafe(|| (this.kind.poll)(head, context)));
        let polled = result.unwrap_or_else(|payload| {
            let reply = Reply::after_panic(*this.target.get());
            Poll::Ready(panics::report(payload, reply))
        });
        if polled.is_ready() {
            contained(|| (this.kind.drop)(head));
        }
        drop(in_trace);
        ambient::unmark(mark);
        polled
    }
}

/// Makes the log records of the author's code part of the call's trace, on any thread, until the result is dropped.
///
/// # Safety
/// The caller owns the body, and so the context.
unsafe fn in_trace(head: &Head) -> Option<span::Scope> {
    // SAFETY: the caller's promise.
    unsafe { &*head.context.get() }.as_ref().map(Context::enter)
}

/// Drops the body.
///
/// # Safety
/// The caller owns the body, which no one uses afterwards.
unsafe fn drop_of(head: NonNull<Head>) {
    // SAFETY: the caller's promise, and the invariants of `Head`.
    unsafe {
        let this = head.as_ref();
        let core = this.core.as_ref();
        let mark = ambient::mark(core.host());
        let in_trace = in_trace(this);
        contained(|| (this.kind.drop)(head));
        drop(in_trace);
        ambient::unmark(mark);
    }
}

/// Drops the data that the body borrowed, so that nothing of the instance is held.
///
/// # Safety
/// The body is dropped, and the caller owned it.
unsafe fn let_go(head: NonNull<Head>) {
    // SAFETY: the caller's promise.
    unsafe {
        let this = head.as_ref();
        *this.call.get() = None;
        *this.context.get() = None;
        if let Some(inbox) = &this.inbox {
            inbox.over();
        }
    }
}

/// Polls the task, unless it has ended or another thread polls it. Returns true if the caller needn't poll it again.
///
/// # Safety
/// The caller holds the block.
pub(crate) unsafe fn turn(head: NonNull<Head>, context: &mut task::Context<'_>) -> bool {
    // SAFETY: the caller's promise; the exchange gives us the body.
    unsafe {
        let state = &head.as_ref().state;
        if state
            .compare_exchange(IDLE, BUSY, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            return true;
        }
        match poll(head, context) {
            Poll::Ready(status) => {
                tell(head, status);
                true
            }
            Poll::Pending => {
                let left = state.compare_exchange(BUSY, IDLE, Ordering::AcqRel, Ordering::Acquire);
                if left.is_err() {
                    abandon(head);
                }
                left.is_err()
            }
        }
    }
}

/// Cancels the task with this status, unless it has ended. The first status counts.
///
/// # Safety
/// The caller holds the block, and the instance exists unless the task has ended.
pub(crate) unsafe fn end_early(head: NonNull<Head>, reason: StatusCode) {
    // SAFETY: the caller's promise.
    unsafe {
        let this = head.as_ref();
        let reason = if reason > RB_OK { reason } else { RB_CANCELLED };
        let (new, none) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = this.reason.compare_exchange(0, reason, new, none);
        match this.state.fetch_or(CANCELLED, Ordering::AcqRel) {
            IDLE => {
                // The core may release the task as soon as it's told.
                this.hold();
                #[cfg(feature = "async")]
                let entered = crate::runtime::entered(this.core.as_ref().host());
                abandon(head);
                #[cfg(feature = "async")]
                drop(entered);
                drop_holder(head);
            }
            BUSY if this.kind.blocks => {
                this.credit.void();
                if let Some(inbox) = &this.inbox {
                    inbox.end(Err(why(this.reason())));
                }
            }
            _ => {}
        }
    }
}

/// Completes a task that was cancelled.
///
/// # Safety
/// The caller owns the body.
unsafe fn abandon(head: NonNull<Head>) {
    // SAFETY: the caller's promise.
    unsafe {
        let this = head.as_ref();
        // One that waits to be told of this is polled once more, as where a thread waits for its end, and may answer.
        let is_awaited = (*this.context.get())
            .as_ref()
            .is_some_and(Context::is_awaited);
        if this.kind.answers && is_awaited {
            let last = poll(head, &mut task::Context::from_waker(task::Waker::noop()));
            if let Poll::Ready(status) = last {
                return tell(head, status);
            }
        }
        drop_of(head);
        let status = this.reply().error(&why(this.reason()));
        tell(head, status);
    }
}

/// Reports the completion of the task to the host.
///
/// # Safety
/// The caller owned the body, which is dropped, and holds the block. It doesn't use the instance afterwards.
unsafe fn tell(head: NonNull<Head>, status: StatusCode) {
    // SAFETY: the caller's promise.
    unsafe {
        let this = head.as_ref();
        if let Some(context) = &*this.context.get() {
            context.write_trailers(&raw mut (*this.beside.get()).trailers);
        }
        let_go(head);
        this.state.fetch_or(ENDED, Ordering::AcqRel);
        let beside = this.beside.get();
        let has_any = (*beside).trailers.len > 0 || (*beside).objects.len > 0;
        let beside = if has_any { beside } else { ptr::null_mut() };
        if let Some(complete) = this.host.complete {
            // Whatever it answers, what was handed over is the host's.
            complete(this.op, status, this.answer.get(), beside);
        }
    }
}

/// Releases the core's hold of the block.
///
/// # Safety
/// It's called once, while the core runs no other function of the task.
pub(crate) unsafe fn release(head: NonNull<Head>) {
    // SAFETY: the caller's promise.
    unsafe {
        #[cfg(feature = "async")]
        drop((*head.as_ref().driver.get()).take());
        drop_holder(head);
    }
}

/// Releases one hold of the block. The last one returns the block to the pool.
///
/// # Safety
/// The caller held the block, and doesn't use it afterwards.
pub(crate) unsafe fn drop_holder(head: NonNull<Head>) {
    // SAFETY: the caller's promise; the last one has it alone.
    unsafe {
        let this = head.as_ref();
        // Whoever finds that there's no other than their own needn't take it off.
        if this.holders.load(Ordering::Acquire) != 1
            && this.holders.fetch_sub(1, Ordering::AcqRel) != 1
        {
            return;
        }
        let layout = this.kind.layout;
        let this = head.as_ptr();
        // Call, context and driver are gone by now. The buffers stay.
        ptr::drop_in_place(&raw mut (*this).inbox);
        ptr::drop_in_place(&raw mut (*this).credit);
        let block = head.cast::<Buffers>();
        pool::give(block, layout);
    }
}

/// Returns the error of a task that was cancelled.
#[cold]
fn why(reason: Status) -> Error {
    match reason {
        Status::Aborted => Error::new(
            Status::Aborted,
            "the runtime of the plugin was shut down while the call was pending",
        )
        .with_type("rustbridge.RuntimeGone"),
        Status::ResourceExhausted => Error::new(
            Status::ResourceExhausted,
            "the system can't create a thread for the call",
        )
        .with_type("rustbridge.NoThread"),
        reason => context::ended(reason),
    }
}

/// A hold of a block for the task of the runtime, or the thread, that polls it next.
pub(crate) struct Held {
    head: NonNull<Head>,
    /// The status with which the task is cancelled if this is dropped before the task has ended.
    dropped: StatusCode,
}

// SAFETY: what may be done with it may be done on any thread.
unsafe impl Send for Held {}

impl Held {
    /// See [`turn`].
    pub(crate) fn turn(&self, context: &mut task::Context<'_>) -> bool {
        // SAFETY: this is the hold.
        unsafe { turn(self.head, context) }
    }

    /// See [`end_early`].
    pub(crate) fn end_early(&self, reason: StatusCode) {
        // SAFETY: this is the hold.
        unsafe { end_early(self.head, reason) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nothing, unless it's dropped in place of being polled to the end.
        self.end_early(self.dropped);
        // SAFETY: this is the hold.
        unsafe { drop_holder(self.head) };
    }
}
