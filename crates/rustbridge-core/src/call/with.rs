//! Calls with a call context: a deadline, metadata, a trace, borrowed objects; and with trailers in the response.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rustbridge_abi::{
    CallContext, Op, RB_CONTEXT_HEADERS, RB_PANICKED, RB_PENDING, Reply, Response, StatusCode,
};

use super::context::{NO_CONTEXT, ReplyBuffers, objects_of, read};
use super::inside::inside;
use super::resolved::{self, Attempt, CallRequest};
use super::shared::with_copy;
use super::sync::{self, LAST_STATUS, Ready};
use crate::async_call::borrowed::BorrowedObjects;
use crate::async_call::call_state::{CallInfo, NewCall};
use crate::async_call::run;
use crate::current_call::CurrentCall;
use crate::error::Error;
use crate::instance::refusal::Refusal;
use crate::instance::target::Target;
use crate::library::resolved_method::ResolvedMethod;
use crate::library::token;
use crate::registry::slot::Slot;
use crate::registry::table::Handle;
use crate::response::{Offer, release, write_error};

/// [`call`](crate::handles::call) with a call context: what accompanies the request, and the place for what accompanies the response.
///
/// A null context is the same as [`CallContext::EMPTY`]. A context's `op` is a number of the host's choice, which services find in their
/// context if the plugin calls them during this call; `cancelled` is ignored. The plugin receives other values for these two. A call
/// inside another one, on the same thread, inherits its deadline unless its own is earlier, and its trace unless it has one.
///
/// `op` is null, or the place for the call's ID, which is written before the plugin starts, so that another thread can cancel the
/// call; 0 if the call is refused. It's aligned to 8 bytes, and written atomically.
///
/// `header->reply` is null, or the place for trailers and objects. Both are responses: bytes in the caller's buffer, or
/// callee-allocated, so [`release`](crate::handles::release) must follow once for each, whatever the status. With the flag
/// `RB_CONTEXT_HEADERS` it's a [`ReplyHeaders`](rustbridge_abi::ReplyHeaders), which has a place for headers as well. Both kinds of
/// metadata are validated.
///
/// The refusals, in addition to those of `call`: `DEADLINE_EXCEEDED` if the deadline has passed, `INVALID_ARGUMENT` for an invalid
/// context, `NOT_FOUND` for an object that doesn't exist.
///
/// # Safety
/// As for `call`. `header` is null, or has the size that it says; what it points to is readable and doesn't change until this returns;
/// `reply` and its buffers are writable; `op` is null or writable.
pub unsafe fn call_with(
    handle: Handle,
    entry: u32,
    header: *const CallContext,
    op: *mut Op,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises.
    unsafe {
        if !op.is_null() {
            with_cancellation(
                (handle, entry),
                header,
                op,
                (request, request_len),
                response,
            )
        } else if header.is_null() && !CurrentCall::is_any(NO_CONTEXT) {
            sync::call(handle, entry, request, request_len, response)
        } else {
            with_context(
                (handle, entry),
                |entry| entry,
                header,
                (request, request_len),
                response,
                |_, ready, call| {
                    if call.accepts_headers() {
                        return Some(with_headers((handle, entry), ready, call, response));
                    }
                    Some(ready.run(call.header, call.request, call.request_len, response))
                },
            )
        }
    }
}

/// A call whose caller accepts headers, for which the plugin needs an ID.
///
/// # Safety
/// As for the `work` of [`with_context`].
#[cold]
pub(super) unsafe fn with_headers(
    called: (Handle, u32),
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    response: *mut Response,
) -> StatusCode {
    let (request, request_len) = (call.request, call.request_len);
    let mut op = 0;
    // SAFETY: the caller's promises, and a place of our own for the ID.
    unsafe {
        with_id(called, call, &raw mut op, |header| {
            ready.run(header, request, request_len, response)
        })
        .unwrap_or_else(|error| write_error(&error, response))
    }
}

/// A call that other threads can cancel.
///
/// # Safety
/// As for [`call_with`]; `op` isn't null.
#[inline(never)]
unsafe fn with_cancellation(
    called: (Handle, u32),
    header: *const CallContext,
    op: *mut Op,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises.
    unsafe {
        store_op(op, 0);
        with_context(
            called,
            |entry| entry,
            header,
            (request, request_len),
            response,
            |_, ready, call| {
                let (request, request_len) = (call.request, call.request_len);
                let status = with_id(called, call, op, |header| {
                    ready.run(header, request, request_len, response)
                });
                Some(status.unwrap_or_else(|error| write_error(&error, response)))
            },
        )
    }
}

/// Writes a call's ID to where other threads may read it.
///
/// # Safety
/// `op` is writable and aligned.
unsafe fn store_op(op: *mut Op, number: Op) {
    // SAFETY: the caller's promise.
    unsafe { AtomicU64::from_ptr(op) }.store(number, Ordering::Release);
}

/// Runs a synchronous call with an ID.
///
/// # Safety
/// `op` is writable and aligned.
unsafe fn with_id(
    (handle, entry): (Handle, u32),
    call: &mut AdmittedCall<'_>,
    op: *mut Op,
    run: impl FnOnce(*const CallContext) -> StatusCode,
) -> Result<StatusCode, Error> {
    let (node, number) = run::open_call(NewCall {
        headers: call.accepts_headers(),
        ..NewCall::synchronous(CallInfo {
            instance: handle,
            entry,
            deadline: call.deadline(),
            host_number: call.host_number(),
            ..CallInfo::default()
        })
    })?;
    // SAFETY: the caller's promise.
    unsafe { store_op(op, number) };
    call.header.op = number;
    call.header.cancelled = node.cancelled.as_ptr();
    let status = run(call.header);
    call.headers = run::close_unstarted(node);
    Ok(status)
}

/// A call inside its instance, with its call context.
pub(super) struct AdmittedCall<'a> {
    /// The deadline, the trace and the host's number, if the call has any of them.
    pub(super) current: Option<&'a CurrentCall>,
    /// The call context for the plugin.
    pub(super) header: &'a mut CallContext,
    /// Returned at the end of this function, unless they are moved out.
    pub(super) borrowed: &'a mut BorrowedObjects,
    /// The request, a copy of it, or the request converted to the plugin's types.
    pub(super) request: *const u8,
    pub(super) request_len: usize,
    /// For a client of other types: the conversions of what arrives later.
    pub(super) resolved: Option<&'static ResolvedMethod>,
    /// The headers of a call that has completed.
    pub(super) headers: Vec<u8>,
}

impl AdmittedCall<'_> {
    /// Whether the caller has a place for headers.
    pub(super) fn accepts_headers(&self) -> bool {
        self.header.flags & RB_CONTEXT_HEADERS != 0
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.current?.deadline
    }

    /// The host's own number for the call, or 0.
    pub(super) fn host_number(&self) -> Op {
        self.current.map_or(0, |current| current.number)
    }
}

/// Makes a call with a call context: checks the context, enters the instance, borrows the objects, has `work` make the call, and takes
/// what accompanies the response. If `work` returns no status, the call is pending, and this returns `RB_PENDING`.
///
/// Most contexts have one thing, a deadline or an object, so whatever one doesn't have costs only a comparison. `marked` returns what
/// the thread's slot says about the call.
///
/// # Safety
/// As for [`call_with`]; `work` calls with what it's passed.
#[inline(always)]
pub(super) unsafe fn with_context(
    (handle, entry): (Handle, u32),
    marked: impl Fn(u32) -> u32,
    header: *const CallContext,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
    mut work: impl FnMut(&'static Slot<Target>, Ready, &mut AdmittedCall<'_>) -> Option<StatusCode>,
) -> StatusCode {
    // SAFETY: the caller's promise about the response.
    let refuse = |error| unsafe { write_error(&error, response) };
    let mut place = MaybeUninit::uninit();
    // SAFETY: the caller's promises.
    let header = match unsafe { read(header, &mut place) } {
        Ok(header) => header,
        Err(error) => return refuse(error),
    };
    // Both are large, and built where they stay.
    let mut own_reply;
    let mut reply = None;
    if !header.reply.is_null() {
        // SAFETY: the caller's promises.
        match unsafe { ReplyBuffers::new(header.reply, header.flags & RB_CONTEXT_HEADERS != 0) } {
            Ok(offered) => own_reply = offered,
            Err(error) => return refuse(error),
        }
        reply = Some(&mut own_reply);
    }
    let own_current;
    let mut current = None;
    if CurrentCall::is_any(header) {
        own_current = CurrentCall::inheriting(handle, header);
        if let Err(error) = own_current.check() {
            return refuse(error);
        }
        current = Some(&own_current);
    }
    let mut attempt = |sent: CallRequest| {
        inside(handle, marked(sent.entry), |slot| {
            // SAFETY: we are inside; the rest is the caller's promise.
            unsafe {
                let ready = sync::admit(slot, sent.entry, sent.request, sent.request_len)?;
                let with = (header, current, reply.as_deref_mut());
                Ok(call_inside(handle, sent, with, response, |call| {
                    work(slot, ready, call)
                }))
            }
        })
    };
    let sent = CallRequest {
        entry,
        request,
        request_len,
        resolved: None,
    };
    let mut attempted = match current {
        None => attempt(sent),
        Some(current) => current.during(|| attempt(sent)),
    };
    if let Err(Refusal::Entry) = attempted {
        let mut again = |sent| match current {
            None => attempt(sent),
            Some(current) => current.during(|| attempt(sent)),
        };
        // SAFETY: the request is readable, or it would have been refused for that; the rest is the caller's promise.
        attempted = unsafe { attempt_converted(&mut again, handle, sent, header.reply, response) };
    }
    match attempted {
        Ok(None) => RB_PENDING,
        Ok(Some(status)) if status as u32 <= LAST_STATUS => status,
        Ok(Some(status)) => sync::settle(status, handle),
        // SAFETY: the caller's promise about the response.
        Err(refusal) => unsafe { sync::refuse(|| refusal, handle, entry, request_len, response) },
    }
}

/// Attempts a call whose entry isn't one of the plugin's: with a copy of the request, if the entry says that it's shared; or with a
/// converted request, if the entry is that of a client of other types.
///
/// # Safety
/// The request is readable. `reply` is the context's, and `response` the one of the attempt, both as for [`with_context`].
#[cold]
#[inline(never)]
unsafe fn attempt_converted(
    attempt: &mut Attempt<'_>,
    handle: Handle,
    sent: CallRequest,
    reply: *mut Reply,
    response: *mut Response,
) -> Result<Option<StatusCode>, Refusal> {
    if !token::is_shared(sent.entry) {
        // SAFETY: the caller's promises.
        return unsafe { resolved::attempt(attempt, handle, sent, reply, response) };
    }
    let entry = token::unshared(sent.entry);
    let mut with = |request| {
        let sent = CallRequest {
            entry,
            request,
            ..sent
        };
        match attempt(sent) {
            // SAFETY: the caller's promises.
            Err(Refusal::Entry) => unsafe {
                resolved::attempt(attempt, handle, sent, reply, response)
            },
            attempted => attempted,
        }
    };
    // SAFETY: the caller's promise.
    unsafe { with_copy(sent.request, sent.request_len, &mut with) }.unwrap_or(Err(Refusal::Memory))
}

/// Makes a call inside the instance: borrows the objects, and takes what accompanies the response.
///
/// # Safety
/// As for [`with_context`], and the calling thread is inside the instance's slot.
#[inline(always)]
unsafe fn call_inside(
    handle: Handle,
    sent: CallRequest,
    (header, current, mut reply): (
        &CallContext,
        Option<&CurrentCall>,
        Option<&mut ReplyBuffers>,
    ),
    response: *mut Response,
    work: impl FnOnce(&mut AdmittedCall<'_>) -> Option<StatusCode>,
) -> Option<StatusCode> {
    let mut borrowed = BorrowedObjects::none();
    // SAFETY: the objects are checked, and we stay inside, or the call counts as pending, until they are returned.
    if let Err(error) = unsafe { borrowed.borrow(handle, objects_of(header)) } {
        // SAFETY: the caller's promise about the response.
        return Some(unsafe { write_error(&error, response) });
    }
    let mut given = match current {
        None => CallContext::EMPTY,
        Some(current) => current.header(),
    };
    (given.metadata, given.metadata_len) = (header.metadata, header.metadata_len);
    (given.objects, given.object_count) = (borrowed.as_ptr(), borrowed.len() as u32);
    if let Some(reply) = &mut reply {
        given.reply = reply.for_plugin();
        given.flags |= header.flags & RB_CONTEXT_HEADERS;
    }
    // SAFETY: the caller's promise about the response.
    let offer = unsafe { Offer::of(response) };
    let mut call = AdmittedCall {
        current,
        header: &mut given,
        borrowed: &mut borrowed,
        request: sent.request,
        request_len: sent.request_len,
        resolved: sent.resolved,
        headers: Vec::new(),
    };
    let status = work(&mut call)?;
    let headers = call.headers;
    // SAFETY: the caller's promises.
    unsafe {
        let status = sync::checked_status(status, response, offer, || (handle, sent.entry));
        match reply {
            None => Some(status),
            Some(reply) => {
                reply.take_headers(headers);
                Some(take_reply(
                    (handle, sent.entry),
                    reply,
                    status,
                    response,
                    offer,
                ))
            }
        }
    }
}

/// Takes what accompanies the response, and returns the call's status.
///
/// # Safety
/// As for [`call_inside`], after the call.
unsafe fn take_reply(
    (handle, entry): (Handle, u32),
    reply: &mut ReplyBuffers,
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
) -> StatusCode {
    // SAFETY: the caller's promises.
    unsafe {
        let Err(error) = reply.take(handle, entry, status) else {
            return status;
        };
        release(response);
        if let Some(response) = response.as_mut() {
            *response = offer.response();
        }
        // A panic keeps its consequences.
        write_error(&error, response) | if status >= 0 { status & RB_PANICKED } else { 0 }
    }
}
