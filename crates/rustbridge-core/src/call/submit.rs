//! Submits asynchronous calls.
//!
//! The way of a call, and the files on it:
//!
//! 1. [`submit`] (here) passes the call context, the request and the place for a response to `with`, which checks the context,
//!    enters the instance (`instance/inside`), checks the entry (`sync`), and borrows the objects (`async_call/borrowed`).
//! 2. [`start_call`] (here), inside the instance, chooses who runs the method: the plugin's asynchronous part, a thread of the core
//!    (`offload`), or the submitting thread, as in a synchronous call.
//! 3. [`Start::start`] (here) opens a call (`async_call/run`), which takes a node (`async_call/node_pool`) and sets its state
//!    (`async_call/call_state`), and calls the plugin's `start`.
//! 4. If the plugin returns `RB_PENDING`, the call starts (`async_call/run`). With any other status it has completed: its node is
//!    recycled, and `with` checks the response as that of a synchronous call.
//!
//! From then on the plugin completes the call (`async_call/plugin`), and the host receives its events or cancels it
//! (`async_call/caller`).

use std::ffi::c_void;
use std::ptr;

use rustbridge_abi::{
    AsyncExtension, Op, RB_ASYNC_KEEPS_TIME, RB_CONTEXT_OFFLOAD, RB_PENDING, RB_UNIMPLEMENTED,
    Response, Status, StatusCode,
};

use super::closing::end_if_closing;
use super::offload;
use super::submission::{Offload, Submission, To};
use super::sync::Ready;
use super::with::{self, AdmittedCall};
use crate::async_call::call_state::NewCall;
use crate::async_call::caller;
use crate::async_call::run;
use crate::error::Error;
use crate::instance::checked_instance;
use crate::instance::target::{Extra, Target};
use crate::library::describe::{FLAG_ASYNC, FLAG_LEAF, FLAG_STREAM_IN, FLAG_STREAM_OUT};
use crate::library::negotiate::PluginFunctions;
use crate::library::token;
use crate::registry::slot::Slot;
use crate::response::{Offer, release, write_error};

/// Submits a call. `RB_PENDING` means that its result arrives later as an event, and that the returned ID names it until then. With
/// any other status the call has completed, and the response is as after [`call_with`](crate::handles::call_with).
///
/// # Safety
/// As for [`call_with`](crate::handles::call_with). A callback may be called, on any thread, until it has received the result.
pub(crate) unsafe fn submit(
    submission: Submission<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    let mut op = 0;
    // SAFETY: the caller's promises.
    let status = unsafe {
        with::with_context(
            (submission.handle, submission.entry),
            token::begun,
            submission.header,
            (submission.request, submission.request_len),
            response,
            |slot, ready, call| {
                let (status, pending) = start_call(&submission, slot, ready, call, to, response);
                op = pending;
                (pending == 0).then_some(status)
            },
        )
    };
    (status, op)
}

/// Starts a call where it has to run. Returns the call's ID if it's pending, and 0 if it has completed.
///
/// # Safety
/// As for [`submit`], and the calling thread is inside the slot.
unsafe fn start_call(
    submission: &Submission<'_>,
    slot: &'static Slot<Target>,
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    // SAFETY: we are inside, and there's a byte for each admitted index.
    let flags = unsafe { *slot.target().flags.add(ready.index as usize) };
    let output = flags & FLAG_STREAM_OUT != 0;
    let input = flags & FLAG_STREAM_IN != 0;
    if let Some((plugin, address)) = Extra::get(submission.handle)
        && let Some(table) = &plugin.asynchronous
        && (output || input || flags & FLAG_ASYNC != 0)
    {
        if let Err(refusal) = check_size(plugin, ready.index, call.request_len) {
            // SAFETY: the caller's promise about the response.
            return (unsafe { write_error(&refusal, response) }, 0);
        }
        let start = Start {
            table,
            address,
            index: ready.index,
            output,
            input,
        };
        if submission.offload == Offload::Everything {
            // SAFETY: we are inside, and the address is the instance's.
            let started = unsafe { start.start_elsewhere(submission, call, to, response) };
            if let Some(started) = started {
                return started;
            }
        }
        // SAFETY: we are inside, and the address is the instance's.
        return unsafe { start.start(submission, call, to, response) };
    }
    if submission.offload != Offload::Nothing && flags & FLAG_LEAF == 0 {
        // SAFETY: we are inside; the rest is the caller's promise.
        return unsafe { start_synchronous_elsewhere(submission, ready, call, to, response) };
    }
    // SAFETY: we are inside; the rest is the caller's promise.
    let status = unsafe {
        if call.accepts_headers() {
            with::with_headers((submission.handle, submission.entry), ready, call, response)
        } else {
            ready.run(call.header, call.request, call.request_len, response)
        }
    };
    (status, 0)
}

/// Starts a synchronous call on another thread: one of the plugin if it has any, otherwise one of the core.
///
/// # Safety
/// As for [`start_call`].
unsafe fn start_synchronous_elsewhere(
    submission: &Submission<'_>,
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    if let Some((plugin, address)) = Extra::get(submission.handle)
        && let Some(table) = &plugin.asynchronous
    {
        if let Err(refusal) = check_size(plugin, ready.index, call.request_len) {
            // SAFETY: the caller's promise about the response.
            return (unsafe { write_error(&refusal, response) }, 0);
        }
        let start = Start {
            table,
            address,
            index: ready.index,
            output: false,
            input: false,
        };
        // SAFETY: we are inside, and the address is the instance's.
        let started = unsafe { start.start_elsewhere(submission, call, to, response) };
        if let Some(started) = started {
            return started;
        }
    }
    // SAFETY: we are inside; the rest is the caller's promise.
    unsafe { offload::offload(submission, ready, call, to, response) }
}

/// Checks the size of a struct, as the plugin's function for synchronous calls does.
fn check_size(plugin: &PluginFunctions, index: u32, found: usize) -> Result<(), Error> {
    match plugin.description.pod_size(index) {
        Some(size) if size != found => {
            Err(checked_instance::wrong_size(plugin, index, size, found))
        }
        _ => Ok(()),
    }
}

/// A method to be started by the plugin's asynchronous part.
#[derive(Clone, Copy)]
struct Start {
    table: &'static AsyncExtension,
    /// The plugin's instance.
    address: *mut c_void,
    /// The entry's index.
    index: u32,
    /// Whether the method returns a stream.
    output: bool,
    /// Whether the method accepts a stream.
    input: bool,
}

impl Start {
    /// Has the plugin start the call on a thread of its own. Returns `None` if it has none: then nothing was run.
    ///
    /// # Safety
    /// As for [`start`](Start::start).
    unsafe fn start_elsewhere(
        self,
        submission: &Submission<'_>,
        call: &mut AdmittedCall<'_>,
        to: To,
        response: *mut Response,
    ) -> Option<(StatusCode, Op)> {
        // SAFETY: the caller's promise.
        let offer = unsafe { Offer::of(response) };
        call.header.flags |= RB_CONTEXT_OFFLOAD;
        // SAFETY: as above.
        let (status, op) = unsafe { self.start(submission, call, to, response) };
        if op != 0 || status != RB_UNIMPLEMENTED {
            return Some((status, op));
        }
        call.header.flags &= !RB_CONTEXT_OFFLOAD;
        // SAFETY: as the plugin left it.
        unsafe {
            if let Some(response) = response.as_mut() {
                // An invalid response is leaked.
                if offer.is_kept(response) {
                    release(response);
                }
                *response = offer.response();
            }
        }
        None
    }

    /// Has the plugin start the call. Returns the call's ID if it's pending, and 0 if it has completed.
    ///
    /// # Safety
    /// As for [`start_call`], and the address is the instance's.
    unsafe fn start(
        self,
        submission: &Submission<'_>,
        call: &mut AdmittedCall<'_>,
        to: To,
        response: *mut Response,
    ) -> (StatusCode, Op) {
        let opened = run::open_call(NewCall {
            info: submission.info(call, Some(self.table)),
            delivery: to.delivery(),
            is_synchronous: false,
            output: self.output.then_some(submission.demand),
            input: self.input,
            headers: call.accepts_headers(),
        });
        let (node, op) = match opened {
            Ok(opened) => opened,
            // SAFETY: the caller's promise about the response.
            Err(error) => return (unsafe { write_error(&error, response) }, 0),
        };
        call.header.op = op;
        call.header.cancelled = node.cancelled.as_ptr();
        if let Some(deadline) = call.deadline()
            && self.table.flags & RB_ASYNC_KEEPS_TIME == 0
        {
            caller::cancel_at(op, deadline);
        }
        let mut task = ptr::null_mut();
        let status = match self.table.start {
            // SAFETY: we are inside, the header lives until this returns, and what it points to is the caller's promise, as are
            // request and response.
            Some(start) => unsafe {
                start(
                    self.address,
                    self.index,
                    &raw const *call.header,
                    call.request,
                    call.request_len,
                    response,
                    &mut task,
                )
            },
            None => Status::Unimplemented.code(),
        };
        if status != RB_PENDING {
            call.headers = run::close_unstarted(node);
            return (status, 0);
        }
        let borrowed = std::mem::take(&mut *call.borrowed);
        run::start(node, task, borrowed);
        end_if_closing(submission.handle, op, to, self.output || self.input);
        (status, op)
    }
}
