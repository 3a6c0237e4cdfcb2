//! Calls that carry something: how much time there is, metadata, a trace, objects; and whose answer may have trailers.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rustbridge_abi::{CallHeader, Op, Response, StatusCode};

use super::header::{Beside, objects_of, read};
use super::inside::inside;
use super::shared::with_copy;
use super::sync::{self, LAST_STATUS};
use crate::carried::Carried;
use crate::error::Error;
use crate::handle::table::Handle;
use crate::instance::refusal::Refusal;
use crate::library::token;
use crate::operation::life::{self, Begin, Teller};
use crate::operation::node::Node;
use crate::operation::objects;
use crate::response::{Offer, release, write_error};

/// [`call`](crate::handles::call) with a header: what the call carries beside its request, and where what comes back beside the
/// response goes.
///
/// A null header says nothing, as does [`CallHeader::EMPTY`]. Its `op` and `cancelled` are ignored, the plugin gets others. A call
/// inside another one, on the same thread, has no more time than that, and is part of the same trace unless it says otherwise.
///
/// `op` is null, or where the number of the operation goes before the plugin begins, so that another thread can cancel it; 0 if
/// the call isn't let in. Aligned to 8 bytes; it's written atomically.
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
    let called = unsafe {
        if !op.is_null() {
            AtomicU64::from_ptr(op).store(0, Ordering::Relaxed);
        }
        read(header).and_then(|header| {
            let beside = Beside::offered(header.reply)?;
            // Those of a response that isn't there yet.
            let offer = Offer::of(response);
            let status = run(handle, entry, &header, op, request, request_len, response)?;
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
/// As for [`call_with`]; the header is checked.
unsafe fn run(
    handle: Handle,
    entry: u32,
    header: &CallHeader,
    op: *mut Op,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> Result<StatusCode, Error> {
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
    let attempt = |entry, request| {
        inside(handle, entry, |slot| {
            // SAFETY: we are inside; the rest is the caller's promise.
            let ready = unsafe { sync::admit(slot, entry, request, request_len) }?;
            let own = Own::begin(handle, entry, carried.deadline, op);
            let (node, number) = match &own {
                None => (ptr::null(), 0),
                Some(Ok(own)) => (own.node.cancelled.as_ptr().cast_const(), own.op),
                // SAFETY: as above.
                Some(Err(error)) => return Ok(unsafe { write_error(error, response) }),
            };
            let header = CallHeader {
                op: number,
                cancelled: node,
                ..header
            };
            // SAFETY: we are inside, and the header is of ours over what is good until this returns; the rest is the caller's
            // promise.
            unsafe {
                let offer = Offer::of(response);
                let status = (ready.call)(
                    ready.instance,
                    ready.index,
                    &raw const header,
                    request,
                    request_len,
                    response,
                );
                Ok(sync::looked_at(status, response, offer, || (handle, entry)))
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
    Ok(match attempted {
        Ok(status) if status as u32 <= LAST_STATUS => status,
        Ok(status) => sync::settle(status, handle),
        // SAFETY: the caller's promise about the response.
        Err(refusal) => unsafe { sync::refuse(|| refusal, handle, entry, request_len, response) },
    })
}

/// The operation that a call is whose caller wants to be able to cancel it.
struct Own {
    node: &'static Node,
    op: Op,
}

impl Own {
    /// Begins one if its number is wanted, and says it. The calling thread is inside the instance.
    fn begin(
        handle: Handle,
        entry: u32,
        deadline: Option<Instant>,
        wanted: *mut Op,
    ) -> Option<Result<Own, Error>> {
        if wanted.is_null() {
            return None;
        }
        let begun = life::begin(Begin {
            instance: handle,
            entry,
            plugin: None,
            teller: Teller::Nobody,
            user_data: 0,
            deadline,
            demand: (0, 0),
            blocking: true,
            streams: false,
        });
        Some(begun.map(|(node, op)| {
            // Others may be waiting for it, on other threads.
            // SAFETY: not null, and writable by the caller's promise.
            unsafe { AtomicU64::from_ptr(wanted) }.store(op, Ordering::Release);
            Own { node, op }
        }))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        life::ended_at_once(self.node);
    }
}
