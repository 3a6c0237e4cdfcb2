//! Plain methods on another thread: the plugin's own if it has some, else one of the core's.

use std::ffi::c_void;

use rustbridge_abi::{
    CallContext, Op, RB_CANCELLED, RB_CONTEXT_HEADERS, RB_PENDING, Reply, Response, Status,
    StatusCode, Text,
};

use super::closing::look_again;
use super::inside::marked;
use super::submission::{Submission, To};
use super::sync::Ready;
use super::with::AdmittedCall;
use crate::async_call::call_state::{CallInfo, CallState, NewCall};
use crate::async_call::node::Node;
use crate::async_call::threads::{self, Job};
use crate::async_call::{plugin, run};
use crate::current_call::CurrentCall;
use crate::error::Error;
use crate::instance::extension;
use crate::registry::table::Handle;
use crate::response::{write_error, write_text};

/// A call that was let in, with copies of all that its caller lent.
struct OffloadedCall {
    handle: Handle,
    entry: u32,
    op: Op,
    node: &'static Node<CallState>,
    ready: Ready,
    request: Vec<u8>,
    /// Its text is the one below.
    carried: Option<CurrentCall>,
    metadata: Vec<u8>,
    trace_state: Vec<u8>,
    objects: Vec<u64>,
    /// `RB_CONTEXT_HEADERS`, or 0.
    flags: u32,
}

// SAFETY: the instance's address is for any thread, by the ABI, and what is carried gets its pointers anew where it's used.
unsafe impl Send for OffloadedCall {}

/// Begins a plain call on a thread of the core's.
///
/// # Safety
/// As for [`submit`](super::submit::submit), and the calling thread is inside the slot that has let this in.
pub(super) unsafe fn offload(
    submission: &Submission<'_>,
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    let begun = run::open_call(NewCall {
        info: CallInfo {
            instance: submission.handle,
            entry: submission.entry,
            plugin: None,
            resolved: call.resolved,
            user_data: submission.user_data,
            deadline: call.deadline(),
            host_number: call.host_number(),
        },
        delivery: to.delivery(),
        is_synchronous: false,
        output: None,
        input: false,
        headers: call.takes_headers(),
    });
    let (node, op) = match begun {
        Ok(begun) => begun,
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
            request: copied(call.request, call.request_len),
            carried: call.carried.copied(),
            metadata: copied(metadata, metadata_len),
            trace_state: copied(trace_state.data.cast(), trace_state.len),
            objects: copied(objects, object_count as usize),
            flags: call.header.flags & RB_CONTEXT_HEADERS,
        }
    };
    let refused = threads::run(Box::new(offloaded));
    let lent = std::mem::take(call.lent);
    run::start(node, std::ptr::null_mut::<c_void>(), lent);
    if refused.is_err() {
        end_with(
            op,
            &Error::new(
                Status::ResourceExhausted,
                "NoThread",
                "the system can't create a thread to run the call on: call it on a thread of your own",
            ),
        );
    }
    look_again(submission.handle, op, to, false);
    (RB_PENDING, op)
}

/// # Safety
/// `at` is readable for so many, or null, or that is 0.
unsafe fn copied<T: Copy>(at: *const T, count: usize) -> Vec<T> {
    if count == 0 || at.is_null() {
        Vec::new()
    } else {
        // SAFETY: the caller's promise; read bytewise, since it needn't be aligned.
        unsafe {
            let mut copy = Vec::<T>::with_capacity(count);
            std::ptr::copy_nonoverlapping(
                at.cast::<u8>(),
                copy.as_mut_ptr().cast(),
                count * size_of::<T>(),
            );
            copy.set_len(count);
            copy
        }
    }
}

impl Job for OffloadedCall {
    fn run(self: Box<Self>) {
        let (handle, entry) = (self.handle, self.entry);
        let mut call = Some(self);
        marked(handle, entry, &mut || {
            if let Some(call) = call.take() {
                call.run_marked();
            }
        });
    }
}

impl OffloadedCall {
    fn run_marked(mut self) {
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
        let mut carried = CallContext::EMPTY;
        if let Some(own) = &mut self.carried {
            own.trace.trace_state = Text {
                data: self.trace_state.as_ptr().cast(),
                len: self.trace_state.len(),
            };
            own.move_here();
            // It may have waited for the thread, and its time went on.
            if let Err(error) = own.check_again() {
                return end_with(self.op, &error);
            }
            carried = own.header_again();
        }
        let mut storage = [0_u8; 256];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        let mut reply = Reply::empty();
        let header = CallContext {
            flags: carried.flags | self.flags,
            op: self.op,
            cancelled: self.node.cancelled.as_ptr(),
            metadata: self.metadata.as_ptr(),
            metadata_len: self.metadata.len(),
            objects: self.objects.as_ptr(),
            object_count: self.objects.len() as u32,
            reply: &raw mut reply,
            ..carried
        };
        // SAFETY: the operation counts as running, so the instance is alive; header and request are copies of ours, and the
        // response has storage of ours.
        let mut run = || unsafe {
            self.ready.run(
                &raw const header,
                self.request.as_ptr(),
                self.request.len(),
                &raw mut response,
            )
        };
        let status = match &self.carried {
            None => run(),
            Some(carried) => carried.during(run),
        };
        // Ends the operation as a plugin does.
        // SAFETY: as the plugin left it.
        unsafe { extension::complete(self.op, status, &raw mut response, &raw mut reply) };
    }
}

fn end_with(op: Op, error: &Error) {
    let mut response = Response::empty();
    // SAFETY: a response of ours without storage, and none beside it.
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
