//! A task that is being made, and polled for the first time, inside `start`.

use std::cell::UnsafeCell;
use std::mem::{self, MaybeUninit};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
#[cfg(feature = "async")]
use std::task::{self, Poll};

use rustbridge_abi::{self as abi, AsyncHost, Response, StatusCode};

#[cfg(feature = "async")]
use super::poll;
use super::target::Target;
use super::{BUSY, Body, Head, Held, IDLE, STORAGE, Task, drop_of, let_go, release};
use crate::call::Call;
use crate::context::Context;
use crate::instance::Core;
use crate::items::Inbox;
use crate::operation::credit::Credit;
use crate::operation::pool::{self, Buffers};

/// What a task is made of.
pub(crate) struct Seed {
    pub(crate) core: NonNull<Core>,
    pub(crate) host: AsyncHost,
    /// The caller's, which is there until `start` returns.
    pub(crate) header: *const abi::CallContext,
    pub(crate) response: *mut Response,
    pub(crate) beside: *mut abi::Reply,
    /// Whether it takes items.
    pub(crate) takes_items: bool,
}

/// A task that is being made, or polled for the first time: `start` alone knows of it, and its state is `BUSY`.
pub(crate) struct NewTask {
    head: NonNull<Head>,
    has_body: bool,
}

impl NewTask {
    /// Makes a block for a body of type `B`, which isn't in it yet.
    ///
    /// # Safety
    /// The header is null or one by its rules, until this is dropped or pending.
    #[inline(always)]
    pub(crate) unsafe fn new<B: Body>(seed: Seed) -> NewTask {
        const { assert!(mem::offset_of!(Head, buffers) == 0) };
        let head = pool::take(Task::<B>::KIND.layout).cast::<Head>();
        let Seed {
            core,
            host,
            header,
            response,
            beside,
            takes_items,
        } = seed;
        // Made here and not by the caller, so that it's written where it stays and not moved about.
        // SAFETY: the caller's promise.
        let context = unsafe { Context::of_task(header) };
        let op = context.as_ref().map_or(0, Context::op);
        let deadline = context.as_ref().and_then(Context::deadline);
        let inbox = takes_items.then(|| Arc::new(Inbox::new(op, host, deadline)));
        // SAFETY: the block is ours, large enough, and begins with buffers.
        unsafe {
            let buffers = head.cast::<UnsafeCell<Buffers>>().read();
            head.write(Head {
                buffers,
                kind: Task::<B>::KIND,
                state: AtomicU32::new(BUSY),
                reason: AtomicI32::new(0),
                holders: AtomicU32::new(1),
                op,
                deadline,
                host,
                core,
                target: UnsafeCell::new(response),
                answer: UnsafeCell::new(Response::empty()),
                place: UnsafeCell::new(beside),
                beside: UnsafeCell::new(abi::Reply::empty()),
                storage: UnsafeCell::new([MaybeUninit::uninit(); STORAGE]),
                call: UnsafeCell::new(None),
                context: UnsafeCell::new(context),
                header: UnsafeCell::new(MaybeUninit::uninit()),
                credit: Credit::default(),
                inbox,
                #[cfg(feature = "async")]
                driver: UnsafeCell::new(None),
            });
        }
        NewTask {
            head,
            has_body: false,
        }
    }

    pub(crate) fn head(&self) -> &Head {
        // SAFETY: there until this value goes.
        unsafe { self.head.as_ref() }
    }

    /// A pointer to the task, for those parts of the body that write the answer.
    pub(crate) fn target(&self) -> Target {
        Target(self.head)
    }

    /// Keeps a copy of a request for the body to borrow.
    pub(crate) fn keep_request(&mut self, bytes: &[u8]) -> &'static [u8] {
        // SAFETY: the body is ours, and nobody borrows the buffer yet. It isn't touched again before the body is gone, and
        // the body is what the lifetime is for.
        unsafe {
            let request = &mut (*self.head().buffers.get()).request;
            request.clear();
            request.extend_from_slice(bytes);
            std::slice::from_raw_parts(request.as_ptr(), request.len())
        }
    }

    /// Keeps the call for the body to borrow.
    pub(crate) fn keep_call(
        &mut self,
        make: impl FnOnce(&'static Core, Option<&'static Context>) -> Call<'static>,
    ) -> &'static Call<'static> {
        // SAFETY: the call and what it borrows go after the body, which is what the lifetimes are for, and don't move before.
        unsafe {
            let head = self.head.as_ref();
            let context = (*head.context.get()).as_ref();
            (*head.call.get()).insert(make(head.core.as_ref(), context))
        }
    }

    /// Puts the body in.
    ///
    /// # Safety
    /// `B` is the type that the block was made for, and this is the first.
    pub(crate) unsafe fn put<B: Body>(&mut self, body: B) {
        let task = self.head.cast::<Task<B>>();
        // SAFETY: the caller's promise; nobody else has the body.
        unsafe { (*task.as_ref().body.get()).write(body) };
        self.has_body = true;
    }

    /// Polls for the first time, on the thread of the caller. The answer, if there is one, is in the caller's response.
    #[cfg(feature = "async")]
    pub(crate) fn poll(&mut self) -> Poll<StatusCode> {
        debug_assert!(self.has_body);
        // Whoever polls next does so without being woken, so nobody has to be told of anything until then.
        let mut context = task::Context::from_waker(task::Waker::noop());
        // SAFETY: the state is `BUSY`, and that's us. Nobody looks at a body that has ended.
        unsafe {
            let polled = poll(self.head, &mut context);
            self.has_body = polled.is_pending();
            polled
        }
    }

    /// Writes the trailers of an answer of `start` to the place that the caller has for them, when the body has ended.
    #[cfg(feature = "async")]
    pub(crate) fn write_beside(&self) {
        // SAFETY: the caller's place, good until `start` returns.
        unsafe {
            let place = *self.head().place.get();
            if let (Some(context), false) = (&*self.head().context.get(), place.is_null()) {
                context.write_trailers(&raw mut (*place).trailers);
            }
        }
    }

    /// A hold of it for whoever polls it next. If that's dropped before the task has ended, this is what it ends with.
    pub(crate) fn held(&self, dropped: StatusCode) -> Held {
        self.head().hold();
        Held {
            head: self.head,
            dropped,
        }
    }

    /// Lets others in: from here on it's a task, that the core releases.
    pub(crate) fn pending(self) -> NonNull<Head> {
        debug_assert!(self.has_body);
        let head = self.head;
        mem::forget(self);
        // SAFETY: the state is `BUSY`, and that's us until it's stored.
        unsafe {
            let this = head.as_ref();
            *this.answer.get() = Response::with_buffer(this.storage.get().cast(), STORAGE);
            *this.target.get() = this.answer.get();
            *this.place.get() = this.beside.get();
            if let Some(context) = &*this.context.get() {
                context.keep(this.header.get().cast());
            }
            this.state.store(IDLE, Ordering::Release);
        }
        head
    }
}

impl Drop for NewTask {
    /// The call was over before it was a task.
    fn drop(&mut self) {
        // SAFETY: nobody else knows of it.
        unsafe {
            if self.has_body {
                drop_of(self.head);
            }
            let_go(self.head);
            release(self.head);
        }
    }
}
