//! Calls that carry something: how much time there is, metadata, a trace, objects; and whose answer may have trailers.

use std::ptr;

use rustbridge_abi::{CallHeader, Op, RB_PENDING, Response, StatusCode};

use super::header::{Beside, objects_of, read};
use super::inside::inside;
use super::shared::with_copy;
use super::sync::{self, LAST_STATUS};
use crate::carried::Carried;
use crate::error::Error;
use crate::handle::table::Handle;
use crate::instance::refusal::Refusal;
use crate::library::token;
use crate::operation::life::{self, Begin};
use crate::operation::objects;
use crate::response::{Offer, release, write_error};

/// [`call`](crate::handles::call) with a header: what the call carries beside its request, and where what comes back beside the
/// response goes.
///
/// A null header says nothing, as does [`CallHeader::EMPTY`]. Its `op` and `cancelled` are ignored, the plugin gets others. A call
/// inside another one, on the same thread, has no more time than that, and is part of the same trace unless it says otherwise.
///
/// `op` is null, or where the number of the operation goes before the plugin begins, so that another thread can cancel it; 0 if
/// the call isn't let in.
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
        if let Some(op) = op.as_mut() {
            *op = 0;
        }
        carrying(
            handle,
            entry,
            header,
            (request, request_len),
            response,
            |entry, header, request| {
                let request = (request, request_len);
                match op.as_mut() {
                    None => sync::attempt(handle, entry, header, request.0, request.1, response),
                    Some(op) => attempt_named(handle, entry, header, op, request, response),
                }
                .map(Some)
            },
        )
    }
}

/// [`sync::attempt`] as an operation with a number, by which others can cancel it.
///
/// # Safety
/// As for [`sync::attempt`].
unsafe fn attempt_named(
    handle: Handle,
    entry: u32,
    header: &CallHeader,
    op: &mut Op,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
) -> Result<StatusCode, Refusal> {
    inside(handle, entry, |slot| {
        // SAFETY: we are inside; the rest is the caller's promise.
        unsafe {
            let ready = sync::admit(slot, entry, request, request_len)?;
            let begin = Begin {
                deadline: Carried::current().and_then(|carried| carried.deadline),
                ..Begin::blocking(handle, entry)
            };
            let (node, number) = match life::begin(begin) {
                Ok(begun) => begun,
                Err(error) => return Ok(write_error(&error, response)),
            };
            // Others look at it while we are in the call.
            ptr::from_mut(op).write_volatile(number);
            let header = CallHeader {
                op: number,
                cancelled: node.cancelled.as_ptr(),
                ..*header
            };
            let offer = Offer::of(response);
            let status = ready.run(&raw const header, request, request_len, response);
            life::ended_at_once(node);
            Ok(sync::looked_at(status, response, offer, || (handle, entry)))
        }
    })
}

/// Makes a call with what it carries: looks at the header, has `attempt` call with one for plugins, with the shared bit's copy of
/// the request, and looks at what comes back beside the response. If `attempt` gives none, nothing has come back yet, and this gives
/// `RB_PENDING`.
///
/// # Safety
/// As for [`call_with`]; `attempt` calls with what it's given.
pub(super) unsafe fn carrying(
    handle: Handle,
    entry: u32,
    header: *const CallHeader,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
    attempt: impl FnMut(u32, &CallHeader, *const u8) -> Result<Option<StatusCode>, Refusal>,
) -> StatusCode {
    // SAFETY: the caller's promises.
    let called = unsafe {
        read(header).and_then(|header| {
            let beside = Beside::offered(header.reply)?;
            // Those of a response that isn't there yet.
            let offer = Offer::of(response);
            let request = (request, request_len);
            let Some(status) = run(handle, entry, &header, request, response, attempt)? else {
                return Ok(RB_PENDING);
            };
            let checked = beside.check(handle, entry);
            Ok(checked.map_or_else(
                |error| {
                    release(response);
                    if let Some(response) = response.as_mut() {
                        *response = offer.response();
                    }
                    write_error(&error, response)
                },
                |()| status,
            ))
        })
    };
    // SAFETY: as above.
    called.unwrap_or_else(|error| unsafe { write_error(&error, response) })
}

/// # Safety
/// As for [`carrying`]; the header is checked.
unsafe fn run(
    handle: Handle,
    entry: u32,
    header: &CallHeader,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
    mut attempt: impl FnMut(u32, &CallHeader, *const u8) -> Result<Option<StatusCode>, Refusal>,
) -> Result<Option<StatusCode>, Error> {
    let carried = Carried::inheriting(header);
    carried.check()?;
    // SAFETY: checked.
    let lent = objects::lend(handle, unsafe { objects_of(header) })?;
    let header = CallHeader {
        metadata: header.metadata,
        metadata_len: header.metadata_len,
        objects: lent.addresses.as_ptr(),
        object_count: lent.addresses.len() as u32,
        reply: header.reply,
        ..carried.header()
    };
    let attempted = carried.during(|| match attempt(entry, &header, request) {
        Err(Refusal::Entry) if token::is_shared(entry) => {
            let entry = token::unshared(entry);
            // SAFETY: the request is readable, or it would have been refused for that.
            let copied =
                unsafe { with_copy(request, request_len, |copy| attempt(entry, &header, copy)) };
            copied.unwrap_or(Err(Refusal::Memory))
        }
        attempted => attempted,
    });
    Ok(match attempted {
        Ok(None) => None,
        Ok(Some(status)) if status as u32 <= LAST_STATUS => Some(status),
        Ok(Some(status)) => Some(sync::settle(status, handle)),
        // SAFETY: the caller's promise about the response.
        Err(refusal) => unsafe {
            Some(sync::refuse(
                || refusal,
                handle,
                entry,
                request_len,
                response,
            ))
        },
    })
}
