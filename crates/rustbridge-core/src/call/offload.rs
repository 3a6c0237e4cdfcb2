//! Runs synchronous methods on threads of the core, for plugins that have none.

use std::ffi::c_void;

use rustbridge_abi::{
    CallContext, Op, RB_CANCELLED, RB_CONTEXT_HEADERS, RB_PENDING, Reply, Response, Status,
    StatusCode, Text,
};

use super::closing::end_if_closing;
use super::inside::marked;
use super::submission::{Submission, To};
use super::sync::Ready;
use super::with::AdmittedCall;
use crate::async_call::call_state::{CallState, NewCall};
use crate::async_call::node::Node;
use crate::async_call::threads::{self, Job};
use crate::async_call::{plugin, run};
use crate::current_call::CurrentCall;
use crate::error::Error;
use crate::instance::extension;
use crate::registry::table::Handle;
use crate::response::{write_error, write_text};

/// An admitted call, with copies of everything that belongs to its caller.
struct OffloadedCall {
    handle: Handle,
    entry: u32,
    op: Op,
    node: &'static Node<CallState>,
    ready: Ready,
    request: Vec<u8>,
    /// Its trace state points to the text below.
    current: Option<CurrentCall>,
    metadata: Vec<u8>,
    trace_state: Vec<u8>,
    objects: Vec<u64>,
    /// `RB_CONTEXT_HEADERS`, or 0.
    flags: u32,
}

// SAFETY: the ABI allows calls of an instance on any thread, and `current` gets new pointers where it's used.
unsafe impl Send for OffloadedCall {}

/// Starts a synchronous call on a thread of the core.
///
/// # Safety
/// As for [`submit`](super::submit::submit), and the calling thread is inside the instance's slot.
pub(super) unsafe fn offload(
    submission: &Submission<'_>,
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    let opened = run::open_call(NewCall {
        info: submission.info(call, None),
        delivery: to.delivery(),
        is_synchronous: false,
        output: None,
        input: false,
        headers: call.accepts_headers(),
    });
    let (node, op) = match opened {
        Ok(opened) => opened,
        // SAFETY: the caller's promise about the response.
        Err(error) => return (unsafe { write_error(&error, response) }, 0),
    };
    let CallContext {
        metadata,
        metadata_len,
        trace_state,
        objects,
        object_count,
        ..
    } = *call.header;
    // SAFETY: the header was checked: each is readable for so many, by the caller's promise.
    let offloaded = unsafe {
        OffloadedCall {
            handle: submission.handle,
            entry: submission.entry,
            op,
            node,
            ready,
            request: copy(call.request, call.request_len),
            current: call.current.copied(),
            metadata: copy(metadata, metadata_len),
            trace_state: copy(trace_state.data.cast(), trace_state.len),
            objects: copy(objects, object_count as usize),
            flags: call.header.flags & RB_CONTEXT_HEADERS,
        }
    };
    let queued = threads::run(Box::new(offloaded));
    let borrowed = std::mem::take(call.borrowed);
    run::start(node, std::ptr::null_mut::<c_void>(), borrowed);
    if queued.is_err() {
        end_with(
            op,
            &Error::new(
                Status::ResourceExhausted,
                "NoThread",
                "the system can't create a thread to run the call on: call it on a thread of your own",
            ),
        );
    }
    end_if_closing(submission.handle, op, to, false);
    (RB_PENDING, op)
}

/// # Safety
/// `at` is null, or has `count` readable elements.
unsafe fn copy<T: Copy>(at: *const T, count: usize) -> Vec<T> {
    if count == 0 || at.is_null() {
        Vec::new()
    } else {
        // SAFETY: the caller's promise. It's read byte by byte, because it needn't be aligned.
        unsafe {
            let mut copied = Vec::<T>::with_capacity(count);
            std::ptr::copy_nonoverlapping(
                at.cast::<u8>(),
                copied.as_mut_ptr().cast(),
                count * size_of::<T>(),
            );
            copied.set_len(count);
            copied
        }
    }
}

impl Job for OffloadedCall {
    fn run(self: Box<Self>) {
        let (handle, entry) = (self.handle, self.entry);
        let mut call = Some(self);
        marked(handle, entry, &mut || {
            if let Some(call) = call.take() {
                call.run_inside();
            }
        });
    }
}

impl OffloadedCall {
    fn run_inside(mut self) {
        let reason = self
            .node
            .cancelled
            .load(std::sync::atomic::Ordering::Acquire);
        if reason != 0 {
            let status = StatusCode::try_from(reason).unwrap_or(RB_CANCELLED);
            let error = Error::new(
                Status::from_code(status),
                "EndedEarly",
                "the call was cancelled before it started",
            );
            return end_with(self.op, &error);
        }
        let mut context = CallContext::EMPTY;
        if let Some(own) = &mut self.current {
            own.trace.trace_state = Text {
                data: self.trace_state.as_ptr().cast(),
                len: self.trace_state.len(),
            };
            own.move_here();
            // The call may have waited for a thread, and the deadline may have passed.
            if let Err(error) = own.check_again() {
                return end_with(self.op, &error);
            }
            context = own.header_again();
        }
        let mut storage = [0_u8; 256];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        let mut reply = Reply::empty();
        let header = CallContext {
            flags: context.flags | self.flags,
            op: self.op,
            cancelled: self.node.cancelled.as_ptr(),
            metadata: self.metadata.as_ptr(),
            metadata_len: self.metadata.len(),
            objects: self.objects.as_ptr(),
            object_count: self.objects.len() as u32,
            reply: &raw mut reply,
            ..context
        };
        // SAFETY: the call counts as pending, so the instance exists. Header and request are our copies, and the response has our
        // storage.
        let mut run = || unsafe {
            self.ready.run(
                &raw const header,
                self.request.as_ptr(),
                self.request.len(),
                &raw mut response,
            )
        };
        let status = match &self.current {
            None => run(),
            Some(current) => current.during(run),
        };
        // SAFETY: as the plugin left it.
        unsafe { extension::complete(self.op, status, &raw mut response, &raw mut reply) };
    }
}

fn end_with(op: Op, error: &Error) {
    let mut response = Response::empty();
    // SAFETY: our own response, without storage, and no reply.
    unsafe {
        write_text(&raw mut response, |out| error.write_json(out));
        let _ = plugin::complete(
            op,
            error.status().code(),
            &raw mut response,
            std::ptr::null_mut(),
            extension::drop_there,
        );
    }
}
