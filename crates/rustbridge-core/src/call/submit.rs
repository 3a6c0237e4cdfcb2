//! Begins calls that end later: what can be answered at once is, and the rest is told of by events.

use std::ffi::c_void;
use std::ptr;

use rustbridge_abi::{
    AsyncExtension, Op, RB_ASYNC_KEEPS_TIME, RB_CONTEXT_OFFLOAD, RB_PENDING, RB_UNIMPLEMENTED,
    Response, Status, StatusCode,
};

use super::closing::look_again;
use super::offload;
use super::submission::{Offload, Submission, To};
use super::sync::Ready;
use super::with::{self, AdmittedCall};
use crate::async_call::call_state::{CallInfo, NewCall};
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

/// Begins a call. `RB_PENDING` means that its end is told later, and the number names it until then; any other status is its
/// end, and the response is as after [`call_with`](crate::handles::call_with).
///
/// # Safety
/// As for [`call_with`](crate::handles::call_with), and a function that is told may be called, from any thread, until it was told
/// of the end.
pub(crate) unsafe fn submit(
    submission: Submission<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    let mut op = 0;
    // SAFETY: the caller's promises.
    let status = unsafe {
        with::carrying(
            (submission.handle, submission.entry),
            token::begun,
            submission.header,
            (submission.request, submission.request_len),
            response,
            |slot, ready, call| {
                let (status, begun) = start_call(&submission, slot, ready, call, to, response);
                op = begun;
                (begun == 0).then_some(status)
            },
        )
    };
    (status, op)
}

/// # Safety
/// As for [`submit`], and the calling thread is inside the slot that has let this in.
unsafe fn start_call(
    submission: &Submission<'_>,
    slot: &'static Slot<Target>,
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    // SAFETY: we are inside, and the flags have a byte for each index that is admitted.
    let flags = unsafe { *slot.target().flags.add(ready.index as usize) };
    let gives = flags & FLAG_STREAM_OUT != 0;
    let takes = flags & FLAG_STREAM_IN != 0;
    let plugin = Extra::get(submission.handle);
    if let Some((plugin, address)) = plugin
        && let Some(table) = &plugin.asynchronous
        && (gives || takes || flags & FLAG_ASYNC != 0)
    {
        if let Err(refused) = check_size(plugin, ready.index, call.request_len) {
            // SAFETY: the caller's promise about the response.
            return (unsafe { write_error(&refused, response) }, 0);
        }
        let start = Start {
            table,
            address,
            index: ready.index,
            gives,
            takes,
        };
        if submission.offload == Offload::Everything {
            // SAFETY: we are inside, and the address is the instance's.
            let begun = unsafe { start.begin_elsewhere(submission, call, to, response) };
            if let Some(begun) = begun {
                return begun;
            }
        }
        // SAFETY: we are inside, and the address is the instance's.
        return unsafe { start.begin(submission, call, to, response) };
    }
    if submission.offload != Offload::Nothing && flags & FLAG_LEAF == 0 {
        // SAFETY: we are inside; the rest is the caller's promise.
        return unsafe { offloaded(submission, ready, call, to, response) };
    }
    // SAFETY: we are inside; the rest is the caller's promise.
    let status = unsafe {
        if call.takes_headers() {
            with::with_headers((submission.handle, submission.entry), ready, call, response)
        } else {
            ready.run(call.header, call.request, call.request_len, response)
        }
    };
    (status, 0)
}

/// Begins a plain call on another thread: the plugin's if it has some, else the core's.
///
/// # Safety
/// As for [`begin`].
unsafe fn offloaded(
    submission: &Submission<'_>,
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    if let Some((plugin, address)) = Extra::get(submission.handle)
        && let Some(table) = &plugin.asynchronous
    {
        if let Err(refused) = check_size(plugin, ready.index, call.request_len) {
            // SAFETY: the caller's promise about the response.
            return (unsafe { write_error(&refused, response) }, 0);
        }
        let start = Start {
            table,
            address,
            index: ready.index,
            gives: false,
            takes: false,
        };
        // SAFETY: we are inside, and the address is the instance's.
        let begun = unsafe { start.begin_elsewhere(submission, call, to, response) };
        if let Some(begun) = begun {
            return begun;
        }
    }
    // SAFETY: we are inside; the rest is the caller's promise.
    unsafe { offload::offload(submission, ready, call, to, response) }
}

/// The size of a pod, for a plugin that doesn't look itself: what calls have in front of the plugin's function.
fn check_size(plugin: &PluginFunctions, index: u32, found: usize) -> Result<(), Error> {
    match plugin.description.pod_size(index) {
        Some(size) if size != found => {
            Err(checked_instance::wrong_size(plugin, index, size, found))
        }
        _ => Ok(()),
    }
}

/// What is begun.
#[derive(Clone, Copy)]
struct Start {
    table: &'static AsyncExtension,
    address: *mut c_void,
    index: u32,
    gives: bool,
    takes: bool,
}

impl Start {
    /// Has the plugin begin it on a thread of its own, if it has any: otherwise it has run nothing, and all is as it was.
    ///
    /// # Safety
    /// As for [`begin`](Start::begin).
    unsafe fn begin_elsewhere(
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
        let (status, op) = unsafe { self.begin(submission, call, to, response) };
        if op != 0 || status != RB_UNIMPLEMENTED {
            return Some((status, op));
        }
        call.header.flags &= !RB_CONTEXT_OFFLOAD;
        // SAFETY: as the plugin left it.
        unsafe {
            if let Some(response) = response.as_mut() {
                // What can't be true is rather leaked.
                if offer.is_kept(response) {
                    release(response);
                }
                *response = offer.response();
            }
        }
        None
    }

    /// Has the plugin begin it. An operation of 0 means that the status is its end.
    ///
    /// # Safety
    /// As for [`begin`]; the address is the instance's.
    unsafe fn begin(
        self,
        submission: &Submission<'_>,
        call: &mut AdmittedCall<'_>,
        to: To,
        response: *mut Response,
    ) -> (StatusCode, Op) {
        let begun = run::open_call(NewCall {
            info: CallInfo {
                instance: submission.handle,
                entry: submission.entry,
                plugin: Some(self.table),
                resolved: call.resolved,
                user_data: submission.user_data,
                deadline: call.deadline(),
                host_number: call.host_number(),
            },
            delivery: to.delivery(),
            is_synchronous: false,
            output: self.gives.then_some(submission.demand),
            input: self.takes,
            headers: call.takes_headers(),
        });
        let (node, op) = match begun {
            Ok(begun) => begun,
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
            // SAFETY: we are inside, the header lives until this returns and what it points to is the caller's promise, as are
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
        let lent = std::mem::take(&mut *call.lent);
        run::start(node, task, lent);
        look_again(submission.handle, op, to, self.gives || self.takes);
        (status, op)
    }
}
