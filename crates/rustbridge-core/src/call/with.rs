//! Calls that carry something: how much time there is, metadata, a trace, objects; and whose answer may have trailers.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use rustbridge_abi::{CallHeader, Op, RB_PANICKED, RB_PENDING, Response, StatusCode};

use super::header::{Beside, objects_of, read};
use super::inside::inside;
use super::shared::with_copy;
use super::sync::{self, LAST_STATUS, Ready};
use crate::carried::Carried;
use crate::error::Error;
use crate::handle::slot::Slot;
use crate::handle::table::Handle;
use crate::instance::refusal::Refusal;
use crate::instance::target::Target;
use crate::library::token;
use crate::operation::answered::Answered;
use crate::operation::lent::{Lent, lend};
use crate::operation::life::Begin;
use crate::operation::run;
use crate::response::{Offer, release, write_error};

/// [`call`](crate::handles::call) with a header: what the call carries beside its request, and where what comes back beside the
/// response goes.
///
/// A null header says nothing, as does [`CallHeader::EMPTY`]. Its `op` and `cancelled` are ignored, the plugin gets others. A call
/// inside another one, on the same thread, has no more time than that, and is part of the same trace unless it says otherwise.
///
/// `op` is null, or where the number of the operation goes before the plugin begins, so that another thread can cancel it; 0 if
/// the call isn't let in. It's aligned to 8 bytes, and written atomically.
///
/// `header->reply` is null, or where trailers and objects go. Both are responses: bytes in the storage that was offered, or
/// elsewhere with a release, so [`release`](crate::handles::release) must follow once for each, whatever the status. Trailers are checked as
/// they come: who reads them needn't.
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
    header: *const CallHeader,
    op: *mut Op,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promises.
    unsafe {
        if !op.is_null() {
            tell(op, 0);
        }
        carrying(
            (handle, entry),
            header,
            (request, request_len),
            response,
            |ready, call| {
                let run = |header: *const CallHeader| {
                    ready.1.run(header, call.request, request_len, response)
                };
                Some(if op.is_null() {
                    run(&raw const call.header)
                } else {
                    match named(&call, op, run) {
                        Ok(status) => status,
                        Err(error) => write_error(&error, response),
                    }
                })
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
    call: &Carrying<'_>,
    op: *mut Op,
    run: impl FnOnce(*const CallHeader) -> StatusCode,
) -> Result<StatusCode, Error> {
    let (node, number) = run::begin(Begin {
        deadline: call.carried.deadline,
        ..Begin::blocking(call.handle, call.entry)
    })?;
    // SAFETY: the caller's promise.
    unsafe { tell(op, number) };
    let header = CallHeader {
        op: number,
        cancelled: node.cancelled.as_ptr(),
        ..call.header
    };
    let status = run(&raw const header);
    run::ended_at_once(node);
    Ok(status)
}

/// A call that was let in, with what it carries.
pub(super) struct Carrying<'a> {
    pub(super) handle: Handle,
    pub(super) entry: u32,
    pub(super) carried: &'a Carried,
    /// For the plugin.
    pub(super) header: CallHeader,
    /// What is lent to the call, until this returns, or longer if it's taken out.
    pub(super) lent: &'a mut Lent,
    /// The request, or the copy of it.
    pub(super) request: *const u8,
}

/// Makes a call with what it carries: looks at the header, lends the objects, has `work` call inside the instance, and takes what
/// comes back beside the response. If `work` gives no status, nothing has come back yet, and this gives `RB_PENDING`.
///
/// # Safety
/// As for [`call_with`]; `work` calls with what it's given.
pub(super) unsafe fn carrying(
    (handle, entry): (Handle, u32),
    header: *const CallHeader,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
    mut work: impl FnMut((&'static Slot<Target>, Ready), Carrying<'_>) -> Option<StatusCode>,
) -> StatusCode {
    // SAFETY: the caller's promises.
    let (header, beside) = match unsafe { checked(header) } {
        Ok(checked) => checked,
        // SAFETY: the caller's promise about the response.
        Err(error) => return unsafe { write_error(&error, response) },
    };
    let carried = Carried::inheriting(&header);
    if let Err(error) = carried.check() {
        // SAFETY: as above.
        return unsafe { write_error(&error, response) };
    }
    let mut attempt = |entry, request| {
        inside(handle, entry, |slot| {
            // SAFETY: we are inside; the rest is the caller's promise.
            unsafe {
                let ready = sync::admit(slot, entry, request, request_len)?;
                let call = (handle, entry, request);
                Ok(within(call, &carried, &header, &beside, response, |call| {
                    work((slot, ready), call)
                }))
            }
        })
    };
    let attempted = carried.during(|| match attempt(entry, request) {
        Err(Refusal::Entry) if token::is_shared(entry) => {
            let entry = token::unshared(entry);
            // SAFETY: the request is readable, or it would have been refused for that.
            let copied = unsafe { with_copy(request, request_len, |copy| attempt(entry, copy)) };
            copied.unwrap_or(Err(Refusal::Memory))
        }
        attempted => attempted,
    });
    match attempted {
        Ok(None) => RB_PENDING,
        Ok(Some(status)) if status as u32 <= LAST_STATUS => status,
        Ok(Some(status)) => sync::settle(status, handle),
        // SAFETY: the caller's promise about the response.
        Err(refusal) => unsafe { sync::refuse(|| refusal, handle, entry, request_len, response) },
    }
}

/// # Safety
/// As for [`call_with`].
unsafe fn checked(header: *const CallHeader) -> Result<(CallHeader, Beside), Error> {
    // SAFETY: the caller's promises.
    unsafe {
        let header = read(header)?;
        let beside = Beside::offered(header.reply)?;
        Ok((header, beside))
    }
}

/// The call itself, with what is lent to it and what comes back.
///
/// # Safety
/// As for [`carrying`], and the calling thread is inside the slot that has let this in.
#[inline(always)]
unsafe fn within(
    (handle, entry, request): (Handle, u32, *const u8),
    carried: &Carried,
    header: &CallHeader,
    beside: &Beside,
    response: *mut Response,
    work: impl FnOnce(Carrying<'_>) -> Option<StatusCode>,
) -> Option<StatusCode> {
    // SAFETY: the objects are checked, and we are inside until after it's dropped, or counted.
    let mut lent = match unsafe { lend(handle, objects_of(header)) } {
        Ok(lent) => lent,
        // SAFETY: the caller's promise about the response.
        Err(error) => return Some(unsafe { write_error(&error, response) }),
    };
    let mut answered = Answered::new();
    let mut reply = beside.for_plugin(&mut answered);
    let header = CallHeader {
        metadata: header.metadata,
        metadata_len: header.metadata_len,
        objects: lent.as_ptr(),
        object_count: lent.len() as u32,
        reply: if beside.reply.is_null() {
            ptr::null_mut()
        } else {
            &raw mut reply
        },
        ..carried.header()
    };
    // SAFETY: the caller's promise about the response.
    let offer = unsafe { Offer::of(response) };
    let status = work(Carrying {
        handle,
        entry,
        carried,
        header,
        lent: &mut lent,
        request,
    })?;
    // SAFETY: the caller's promises.
    Some(unsafe {
        let status = sync::looked_at(status, response, offer, || (handle, entry));
        match beside.take(handle, entry, status, &mut reply, &mut answered) {
            Ok(()) => status,
            Err(error) => {
                release(response);
                if let Some(response) = response.as_mut() {
                    *response = offer.response();
                }
                // What a panic has for consequences it has all the same.
                write_error(&error, response) | if status >= 0 { status & RB_PANICKED } else { 0 }
            }
        }
    })
}
