//! Calls that carry something: how much time there is, metadata, a trace, objects; and whose answer may have trailers.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rustbridge_abi::{
    CallContext, Op, RB_CONTEXT_HEADERS, RB_PANICKED, RB_PENDING, Reply, Response, StatusCode,
};

use super::context::{Beside, NOTHING, objects_of, read};
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

/// [`call`](crate::handles::call) with a header: what the call carries beside its request, and where what comes back beside the
/// response goes.
///
/// A null header says nothing, as does [`CallContext::EMPTY`]. Its `op` is a number of the host's own, which services that the plugin
/// calls for this call find in their header; `cancelled` is ignored. The plugin gets others. A call inside another one, on the same
/// thread, has no more time than that, and has the same trace unless it says otherwise.
///
/// `op` is null, or where the number of the operation goes before the plugin begins, so that another thread can cancel it; 0 if
/// the call isn't let in. It's aligned to 8 bytes, and written atomically.
///
/// `header->reply` is null, or where trailers and objects go. Both are responses: bytes in the storage that was offered, or
/// elsewhere with a release, so [`release`](crate::handles::release) must follow once for each, whatever the status. With the flag
/// `RB_CONTEXT_HEADERS` it's a [`ReplyHeaders`](rustbridge_abi::ReplyHeaders), and headers go there as well. Both kinds of metadata are
/// checked as they come: who reads them needn't.
///
/// The refusals of our own, besides those of `call`: `DEADLINE_EXCEEDED` if there's no time left, and the call isn't begun;
/// `INVALID_ARGUMENT` for a header that can't be, `NOT_FOUND` for an object that isn't there.
///
/// # Safety
/// As for `call`. `header` is null, or as long as it says, and what it points to is readable and doesn't change until this returns,
/// `reply` writable and its storages, too; `op` is null or writable.
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
            with_number(
                (handle, entry),
                header,
                op,
                (request, request_len),
                response,
            )
        } else if header.is_null() && !CurrentCall::is_any(NOTHING) {
            sync::call(handle, entry, request, request_len, response)
        } else {
            carrying(
                (handle, entry),
                |entry| entry,
                header,
                (request, request_len),
                response,
                |_, ready, call| {
                    if call.takes_headers() {
                        return Some(with_headers((handle, entry), ready, call, response));
                    }
                    Some(ready.run(call.header, call.request, call.request_len, response))
                },
            )
        }
    }
}

/// A call that nobody else may cancel, but whose headers have to find it.
///
/// # Safety
/// As for [`carrying`]'s `work`.
#[cold]
pub(super) unsafe fn with_headers(
    called: (Handle, u32),
    ready: Ready,
    call: &mut AdmittedCall<'_>,
    response: *mut Response,
) -> StatusCode {
    let (request, request_len) = (call.request, call.request_len);
    let mut op = 0;
    // SAFETY: the caller's promises, and a number of ours.
    unsafe {
        named(called, call, &raw mut op, |header| {
            ready.run(header, request, request_len, response)
        })
        .unwrap_or_else(|error| write_error(&error, response))
    }
}

/// A call that others may cancel.
///
/// # Safety
/// As for [`call_with`]; `op` isn't null.
#[inline(never)]
unsafe fn with_number(
    called: (Handle, u32),
    header: *const CallContext,
    op: *mut Op,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises.
    unsafe {
        tell(op, 0);
        carrying(
            called,
            |entry| entry,
            header,
            (request, request_len),
            response,
            |_, ready, call| {
                let (request, request_len) = (call.request, call.request_len);
                let status = named(called, call, op, |header| {
                    ready.run(header, request, request_len, response)
                });
                Some(status.unwrap_or_else(|error| write_error(&error, response)))
            },
        )
    }
}

/// Writes the number of an operation to where others may be looking at it.
///
/// # Safety
/// `op` is writable and aligned.
unsafe fn tell(op: *mut Op, number: Op) {
    // SAFETY: the caller's promise.
    unsafe { AtomicU64::from_ptr(op) }.store(number, Ordering::Release);
}

/// Runs a call as an operation with a number, by which others can cancel it.
///
/// # Safety
/// `op` is writable and aligned.
unsafe fn named(
    (handle, entry): (Handle, u32),
    call: &mut AdmittedCall<'_>,
    op: *mut Op,
    run: impl FnOnce(*const CallContext) -> StatusCode,
) -> Result<StatusCode, Error> {
    let (node, number) = run::open_call(NewCall {
        headers: call.takes_headers(),
        ..NewCall::synchronous(CallInfo {
            instance: handle,
            entry,
            deadline: call.deadline(),
            host_number: call.host_number(),
            ..CallInfo::default()
        })
    })?;
    // SAFETY: the caller's promise.
    unsafe { tell(op, number) };
    call.header.op = number;
    call.header.cancelled = node.cancelled.as_ptr();
    let status = run(call.header);
    call.headers = run::close_unstarted(node);
    Ok(status)
}

/// A call that was let in, with what it carries.
pub(super) struct AdmittedCall<'a> {
    pub(super) carried: Option<&'a CurrentCall>,
    /// For the plugin.
    pub(super) header: &'a mut CallContext,
    /// What is lent to the call, until this returns, or longer if it's taken out.
    pub(super) lent: &'a mut BorrowedObjects,
    /// The request, or the copy of it, or what it's in the plugin's words.
    pub(super) request: *const u8,
    pub(super) request_len: usize,
    /// For a client of other types: what becomes of what isn't answered at once.
    pub(super) resolved: Option<&'static ResolvedMethod>,
    /// The headers of one that was answered at once.
    pub(super) headers: Vec<u8>,
}

impl AdmittedCall<'_> {
    /// Whether the caller has a place for headers.
    pub(super) fn takes_headers(&self) -> bool {
        self.header.flags & RB_CONTEXT_HEADERS != 0
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.carried?.deadline
    }

    /// The host's own number for the call, or 0.
    pub(super) fn host_number(&self) -> Op {
        self.carried.map_or(0, |carried| carried.number)
    }
}

/// Makes a call with what it carries: looks at the header, lends the objects, has `work` call inside the instance, and takes what
/// comes back beside the response. If `work` gives no status, nothing has come back yet, and this gives `RB_PENDING`.
///
/// What a call doesn't carry costs it nothing but the question: most say one thing, a time or an object. `marked` says by what it's marked.
///
/// # Safety
/// As for [`call_with`]; `work` calls with what it's given.
#[inline(always)]
pub(super) unsafe fn carrying(
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
    // Both are large, and made where they stay.
    let mut own_beside;
    let mut beside = None;
    if !header.reply.is_null() {
        // SAFETY: the caller's promises.
        match unsafe { Beside::offered(header.reply, header.flags & RB_CONTEXT_HEADERS != 0) } {
            Ok(offered) => own_beside = offered,
            Err(error) => return refuse(error),
        }
        beside = Some(&mut own_beside);
    }
    let own_carried;
    let mut carried = None;
    if CurrentCall::is_any(header) {
        own_carried = CurrentCall::inheriting(handle, header);
        if let Err(error) = own_carried.check() {
            return refuse(error);
        }
        carried = Some(&own_carried);
    }
    let mut attempt = |sent: CallRequest| {
        inside(handle, marked(sent.entry), |slot| {
            // SAFETY: we are inside; the rest is the caller's promise.
            unsafe {
                let ready = sync::admit(slot, sent.entry, sent.request, sent.request_len)?;
                let with = (header, carried, beside.as_deref_mut());
                Ok(within(handle, sent, with, response, |call| {
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
    let mut attempted = match carried {
        None => attempt(sent),
        Some(carried) => carried.during(|| attempt(sent)),
    };
    if let Err(Refusal::Entry) = attempted {
        let mut again = |sent| match carried {
            None => attempt(sent),
            Some(carried) => carried.during(|| attempt(sent)),
        };
        // SAFETY: the request is readable, or it would have been refused for that; the rest is the caller's promise.
        attempted = unsafe { otherwise(&mut again, handle, sent, header.reply, response) };
    }
    match attempted {
        Ok(None) => RB_PENDING,
        Ok(Some(status)) if status as u32 <= LAST_STATUS => status,
        Ok(Some(status)) => sync::settle(status, handle),
        // SAFETY: the caller's promise about the response.
        Err(refusal) => unsafe { sync::refuse(|| refusal, handle, entry, request_len, response) },
    }
}

/// What an entry means that isn't one as it stands: the same with a copy of the request, for one that others may write to meanwhile, or the
/// plugin's entry that it stands for, with the request in the plugin's words.
///
/// # Safety
/// The request is readable. `reply` is the header's, and `response` what the attempt answers into, both as for [`carrying`].
#[cold]
#[inline(never)]
unsafe fn otherwise(
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

/// The call itself, with what is lent to it and what comes back.
///
/// # Safety
/// As for [`carrying`], and the calling thread is inside the slot that has let this in.
#[inline(always)]
unsafe fn within(
    handle: Handle,
    sent: CallRequest,
    (header, carried, mut beside): (&CallContext, Option<&CurrentCall>, Option<&mut Beside>),
    response: *mut Response,
    work: impl FnOnce(&mut AdmittedCall<'_>) -> Option<StatusCode>,
) -> Option<StatusCode> {
    let mut lent = BorrowedObjects::none();
    // SAFETY: the objects are checked, and we are inside until after it's dropped, or counted.
    if let Err(error) = unsafe { lent.lend(handle, objects_of(header)) } {
        // SAFETY: the caller's promise about the response.
        return Some(unsafe { write_error(&error, response) });
    }
    let mut given = match carried {
        None => CallContext::EMPTY,
        Some(carried) => carried.header(),
    };
    (given.metadata, given.metadata_len) = (header.metadata, header.metadata_len);
    (given.objects, given.object_count) = (lent.as_ptr(), lent.len() as u32);
    if let Some(beside) = &mut beside {
        given.reply = beside.for_plugin();
        given.flags |= header.flags & RB_CONTEXT_HEADERS;
    }
    // SAFETY: the caller's promise about the response.
    let offer = unsafe { Offer::of(response) };
    let mut carrying = AdmittedCall {
        carried,
        header: &mut given,
        lent: &mut lent,
        request: sent.request,
        request_len: sent.request_len,
        resolved: sent.resolved,
        headers: Vec::new(),
    };
    let status = work(&mut carrying)?;
    let headers = carrying.headers;
    // SAFETY: the caller's promises.
    unsafe {
        let status = sync::looked_at(status, response, offer, || (handle, sent.entry));
        match beside {
            None => Some(status),
            Some(beside) => {
                beside.take_headers(headers);
                Some(take_beside(
                    (handle, sent.entry),
                    beside,
                    status,
                    response,
                    offer,
                ))
            }
        }
    }
}

/// Takes what came back beside the response, and gives the call's status.
///
/// # Safety
/// As for [`within`], after the call.
unsafe fn take_beside(
    (handle, entry): (Handle, u32),
    beside: &mut Beside,
    status: StatusCode,
    response: *mut Response,
    offer: Offer,
) -> StatusCode {
    // SAFETY: the caller's promises.
    unsafe {
        let Err(error) = beside.take(handle, entry, status) else {
            return status;
        };
        release(response);
        if let Some(response) = response.as_mut() {
            *response = offer.response();
        }
        // What a panic has for consequences it has all the same.
        write_error(&error, response) | if status >= 0 { status & RB_PANICKED } else { 0 }
    }
}
