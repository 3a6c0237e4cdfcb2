//! A task: what a call that isn't over yet has of the plugin's, and who may touch it when.
//!
//! A task is one block of memory: the [`Head`], which is the same for all, and behind it the body, which is the handler's
//! future, iterator or thread's work with all that those hold. The state in the head says whose the body is. Whoever takes
//! the state from `IDLE` to `BUSY` has it, to poll it; who finds it `IDLE` when setting `CANCELLED` has it, to drop it; and
//! who polled and finds `CANCELLED` set when giving it back has it again, to drop it. So a cancelled future is dropped at
//! once, or right after the poll that runs, and by one thread alone.
//!
//! The block is counted: the core has it until `release`, and so has each of the plugin's threads or runtime's tasks that
//! may still look at the state, which outlive that by a moment if the task was cancelled.

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

/// Nobody is in the body.
const IDLE: u32 = 0;
/// Somebody is.
const BUSY: u32 = 1;
/// The body is gone, and the end was told or is about to be.
const ENDED: u32 = 2;
/// A bit beside the others: it's to end early.
const CANCELLED: u32 = 4;

/// The most bytes of an answer that lie in the task itself.
const STORAGE: usize = 256;

/// What a handler makes of a call that goes on.
///
/// It's dropped before the end is told.
pub(crate) trait Body: Send + 'static {
    /// Whether a poll may take long, and waits for what the host does meanwhile.
    const BLOCKS: bool = false;

    /// Whether the consumer's demand is what polls it.
    const PULLED: bool = false;

    /// Whether it has one answer, and sends nothing before.
    const ANSWERS: bool = false;

    /// Goes on as far as it can. At the end the answer is where [`Head::reply`] has it written.
    ///
    /// # Safety
    /// Nobody else is in the body of `head`, which this is, and it stays where it is.
    unsafe fn poll(&mut self, head: &Head, context: &mut task::Context<'_>) -> Poll<StatusCode>;
}

/// What is known of a body by its type alone.
pub(crate) struct Kind {
    poll: unsafe fn(NonNull<Head>, &mut task::Context<'_>) -> Poll<StatusCode>,
    drop: unsafe fn(NonNull<Head>),
    layout: Layout,
    blocks: bool,
    pulled: bool,
    answers: bool,
}

/// A block with a body.
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

/// What all tasks have.
///
/// Invariants: `core`, and what `call` borrows, is the instance's, which isn't destroyed before the task was released, so it's
/// there until the end was told. `target`, `answer`, `storage` and `buffers` are for whoever has the body.
#[repr(C)]
pub(crate) struct Head {
    /// First, because that's what a block of the pool begins with.
    buffers: UnsafeCell<Buffers>,
    kind: &'static Kind,
    state: AtomicU32,
    /// The status to end with early; 0 as long as it isn't to.
    reason: AtomicI32,
    holders: AtomicU32,
    op: Op,
    deadline: Option<Instant>,
    host: AsyncHost,
    core: NonNull<Core>,
    /// Where the answer goes: the caller's response until `start` returns, then the task's own.
    target: UnsafeCell<*mut Response>,
    answer: UnsafeCell<Response>,
    /// Where what comes back beside the answer goes: as for `target`, but null if the caller of `start` has no place for it.
    place: UnsafeCell<*mut abi::Reply>,
    beside: UnsafeCell<abi::Reply>,
    storage: UnsafeCell<[MaybeUninit<u8>; STORAGE]>,
    call: UnsafeCell<Option<Call<'static>>>,
    context: UnsafeCell<Option<Context>>,
    /// The header, when it isn't the host's any more.
    header: UnsafeCell<MaybeUninit<abi::CallContext>>,
    pub(super) credit: Credit,
    pub(super) inbox: Option<Arc<Inbox>>,
    /// The runtime's task that polls it.
    #[cfg(feature = "async")]
    pub(super) driver: UnsafeCell<Option<tokio::task::JoinHandle<()>>>,
}

impl Head {
    /// The place for the answer.
    ///
    /// # Safety
    /// The caller has the body, and nobody else has a reply that isn't used up.
    pub(crate) unsafe fn reply(&self) -> Reply {
        // SAFETY: the caller's own or the task's, by the invariant.
        unsafe { Reply::new(*self.target.get()) }
    }

    /// The buffers.
    ///
    /// # Safety
    /// The caller has the body, and no other reference to them.
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

    /// Whether it's to end early.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) & CANCELLED != 0
    }

    /// Whether demand is what polls it.
    pub(crate) fn is_pulled(&self) -> bool {
        self.kind.pulled
    }

    /// What it ends with if it's to end early.
    pub(crate) fn reason(&self) -> Status {
        match Status::from_code(self.reason.load(Ordering::Relaxed)) {
            Status::Ok | Status::Unknown => Status::Cancelled,
            reason => reason,
        }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether its time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn hold(&self) {
        self.holders.fetch_add(1, Ordering::Relaxed);
    }
}

/// Polls, and turns a panic into the answer. A body that has ended is dropped.
///
/// # Safety
/// The caller has the body.
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

/// Has what the author's code logs be part of the call's trace, whichever thread it's on, until the result is dropped.
///
/// # Safety
/// The caller has the body, and with it the context.
unsafe fn in_trace(head: &Head) -> Option<span::Scope> {
    // SAFETY: the caller's promise.
    unsafe { &*head.context.get() }.as_ref().map(Context::enter)
}

/// Drops the body.
///
/// # Safety
/// The caller has the body, which nobody uses afterwards.
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

/// Lets go of what the body borrowed, so that nothing of the instance is held.
///
/// # Safety
/// The body is gone, and the caller is who had it.
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

/// Goes on with the task, unless it's over or somebody else does. Says whether it needs no more of this.
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

/// Ends the task early, with that status, unless it's over. The first reason counts.
///
/// # Safety
/// The caller holds the block, and the instance is there unless the task has ended.
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

/// Ends a task that was cancelled.
///
/// # Safety
/// The caller has the body.
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

/// Tells the host how the task has ended.
///
/// # Safety
/// The caller had the body, which is gone, and holds the block. It doesn't touch the instance afterwards.
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

/// The core's own hold of the block, given up.
///
/// # Safety
/// Called once, and nobody else of those whom the core calls is in a function of the task's.
pub(crate) unsafe fn release(head: NonNull<Head>) {
    // SAFETY: the caller's promise.
    unsafe {
        #[cfg(feature = "async")]
        drop((*head.as_ref().driver.get()).take());
        drop_holder(head);
    }
}

/// Gives up one hold of the block, which goes back with the last.
///
/// # Safety
/// The caller held it, and doesn't touch it afterwards.
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

/// Why a task ends early.
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

/// A hold of a block by whoever polls it next: a task of the runtime's, or a thread.
pub(crate) struct Held {
    head: NonNull<Head>,
    /// What the task ends with if this is dropped before it has.
    dropped: StatusCode,
}

// SAFETY: what may be done with it may be done on any thread.
unsafe impl Send for Held {}

impl Held {
    /// As [`turn`].
    pub(crate) fn turn(&self, context: &mut task::Context<'_>) -> bool {
        // SAFETY: this is the hold.
        unsafe { turn(self.head, context) }
    }

    /// As [`end_early`].
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
