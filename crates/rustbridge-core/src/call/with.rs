//! Calls that carry something: how much time there is, metadata, a trace, objects; and whose answer may have trailers.

use std::time::Instant;

use rustbridge_abi::{
    self as abi, CallHeader, Growing, Op, RB_HEADER_TIMEOUT, RB_HEADER_TRACE, RB_METADATA_LIMIT,
    Reply, Response, Status, StatusCode, check_metadata,
};

use super::shared::with_copy;
use super::sync::{self, LAST_STATUS};
use crate::carried::Carried;
use crate::error::Error;
use crate::handle::table::Handle;
use crate::instance::refusal::Refusal;
use crate::library::token;
use crate::operation::objects;
use crate::response::{Offer, bytes_of, release, write_error};

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
    let called = unsafe {
        if let Some(op) = op.as_mut() {
            *op = 0;
        }
        read(header).and_then(|header| {
            let beside = Beside::offered(header.reply)?;
            // Those of a response that isn't there yet.
            let offer = Offer::of(response);
            let status = run(handle, entry, &header, request, request_len, response)?;
            Ok(beside.looked_at_with(status, response, offer, (handle, entry)))
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
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> Result<StatusCode, Error> {
    let carried = in_time(header)?;
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
    // SAFETY: the caller's promises about request and response, and a header of ours over what is good until this returns.
    let attempt = |entry, request| unsafe {
        sync::attempt(
            handle,
            entry,
            &raw const header,
            request,
            request_len,
            response,
        )
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

/// What a call carries, if its time isn't over before it's begun.
pub(super) fn in_time(header: &CallHeader) -> Result<Carried, Error> {
    let carried = Carried::inheriting(header);
    match carried.deadline {
        Some(deadline) if deadline <= Instant::now() => Err(Error::new(
            Status::DeadlineExceeded,
            "DeadlineExceeded",
            "the call's time was over before it began: give it more, or find out where it went",
        )),
        _ => Ok(carried),
    }
}

/// A header as it's read: checked, so that no plugin has to.
///
/// # Safety
/// As for [`call_with`].
pub(super) unsafe fn read(header: *const CallHeader) -> Result<CallHeader, Error> {
    if header.is_null() {
        return Ok(CallHeader::EMPTY);
    }
    if !header.is_aligned() {
        return Err(invalid(
            "the header isn't aligned to 8 bytes: pass the address of a struct",
        ));
    }
    // SAFETY: not null, aligned, and as long as it says by the caller's promise.
    let header = unsafe { abi::read(header) }.map_err(|size| {
        invalid(format!(
            "the header's size is {size}, and it's {} at least: set it to that of the struct",
            CallHeader::SIZE_1_0
        ))
    })?;
    let known = RB_HEADER_TIMEOUT | RB_HEADER_TRACE;
    if header.flags & !known != 0 {
        return Err(invalid(format!(
            "the header's flags are {:#x}, and this library knows {known:#x}: use a later one, or leave out what it doesn't know",
            header.flags
        )));
    }
    // SAFETY: the caller's promise, after these checks.
    unsafe {
        let metadata = bytes("the metadata", header.metadata, header.metadata_len)?;
        check_metadata(metadata)
            .map_err(|problem| invalid(format!("the metadata is {problem}")))?;
        if header.flags & RB_HEADER_TRACE != 0 {
            let state = header.trace_state;
            let state = bytes("the trace's state", state.data.cast(), state.len)?;
            check_trace(&header, state)?;
        }
        if header.object_count > 0 && header.objects.is_null() {
            return Err(invalid(format!(
                "the objects are null but {} in number: pass their address, or 0",
                header.object_count
            )));
        }
    }
    if !header.objects.is_aligned() || !header.reply.is_aligned() {
        return Err(invalid(
            "the header's objects, or its reply, aren't aligned to 8 bytes: pass the addresses of uint64_t and of a struct",
        ));
    }
    Ok(header)
}

fn check_trace(header: &CallHeader, state: &[u8]) -> Result<(), Error> {
    if header.trace_id == [0; 16] || header.span_id == [0; 8] {
        return Err(invalid(
            "the trace's id, or the span's, is all zero: leave out RB_HEADER_TRACE for a call without a trace",
        ));
    }
    if header.trace_flags > 0xff {
        return Err(invalid(format!(
            "the trace's flags are {:#x}, and they are 8 bits",
            header.trace_flags
        )));
    }
    if state.len() > RB_METADATA_LIMIT || !state.is_ascii() {
        return Err(invalid(format!(
            "the trace's state is {} bytes long, or not ASCII; it may have {RB_METADATA_LIMIT}",
            state.len()
        )));
    }
    Ok(())
}

/// # Safety
/// `data` is null or readable for `len` bytes.
unsafe fn bytes<'a>(what: &str, data: *const u8, len: usize) -> Result<&'a [u8], Error> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() || len > isize::MAX as usize {
        return Err(invalid(format!(
            "{what} is {len} bytes long and at {data:?}: pass its address, or length 0"
        )));
    }
    // SAFETY: not null, and the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}

/// # Safety
/// The header was checked by [`read`].
pub(super) unsafe fn objects_of(header: &CallHeader) -> &[u64] {
    if header.object_count == 0 {
        &[]
    } else {
        // SAFETY: not null and aligned, and readable by the caller's promise.
        unsafe { std::slice::from_raw_parts(header.objects, header.object_count as usize) }
    }
}

#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(Status::InvalidArgument, "InvalidHeader", message)
}

/// Where what comes back beside the response goes, as it was offered.
pub(super) struct Beside {
    reply: *mut Reply,
    trailers: Offer,
    objects: Offer,
}

impl Beside {
    /// Remembers it, and has it say nothing.
    ///
    /// # Safety
    /// `reply` is null or a writable reply.
    pub(super) unsafe fn offered(reply: *mut Reply) -> Result<Beside, Error> {
        // SAFETY: the caller's promise; null leads to null.
        let (trailers, objects) = unsafe {
            match reply.as_mut() {
                None => (std::ptr::null_mut(), std::ptr::null_mut()),
                Some(reply) => (&raw mut reply.trailers, &raw mut reply.objects),
            }
        };
        // SAFETY: null or writable.
        let beside = unsafe {
            Beside {
                reply,
                trailers: Offer::of(trailers),
                objects: Offer::of(objects),
            }
        };
        for offer in [beside.trailers, beside.objects] {
            if !offer.can_be() {
                return Err(invalid(
                    "a storage of the header's reply is null but has a capacity: pass its address, or null and 0",
                ));
            }
        }
        Ok(beside)
    }

    /// Looks at what came beside an answer that has been looked at, and gives both up if it can't be true.
    ///
    /// # Safety
    /// As for [`check`](Beside::check); the response was checked, and `offer` is what was offered for it.
    pub(super) unsafe fn looked_at_with(
        &self,
        status: StatusCode,
        response: *mut Response,
        offer: Offer,
        (handle, entry): (Handle, u32),
    ) -> StatusCode {
        // SAFETY: the caller's promises.
        unsafe {
            let Err(error) = self.check(handle, entry) else {
                return status;
            };
            release(response);
            if let Some(response) = response.as_mut() {
                *response = offer.response();
            }
            write_error(&error, response)
        }
    }

    /// Looks at what the plugin says of it, once it has answered. What can't be true is given up, and all else with it.
    ///
    /// # Safety
    /// The reply is as a plugin left it that was offered this.
    unsafe fn check(&self, handle: Handle, entry: u32) -> Result<(), Error> {
        // SAFETY: null or a writable reply.
        let Some(reply) = (unsafe { self.reply.as_mut() }) else {
            return Ok(());
        };
        let trailers = self.looked_at("trailers", self.trailers, &reply.trailers, handle, entry);
        let trailers = trailers.and_then(|bytes| {
            check_metadata(bytes).map_err(|problem| {
                let whose = sync::whose(handle, entry);
                broken(format!(
                    "{whose} says that its trailers are metadata, and that is {problem}"
                ))
            })
        });
        let objects = self
            .looked_at("objects", self.objects, &reply.objects, handle, entry)
            .and_then(|bytes| objects::take(handle, &words(bytes)));
        self.settle(
            self.trailers,
            &mut reply.trailers,
            trailers.is_ok() && objects.is_ok(),
        );
        self.settle(
            self.objects,
            &mut reply.objects,
            trailers.is_ok() && objects.is_ok(),
        );
        trailers.and(objects)
    }

    fn looked_at<'a>(
        &self,
        what: &str,
        offer: Offer,
        part: &'a Response,
        handle: Handle,
        entry: u32,
    ) -> Result<&'a [u8], Error> {
        if !offer.is_kept(part) {
            return Err(offer.broken(what, part, &sync::whose(handle, entry)));
        }
        // SAFETY: it can be true, and isn't released before.
        Ok(unsafe { bytes_of(part) })
    }

    /// Leaves what can be true as it is, and nothing of what is given up.
    fn settle(&self, offer: Offer, part: &mut Response, is_good: bool) {
        if is_good {
            offer.restore(part);
            return;
        }
        if offer.is_kept(part) {
            // SAFETY: what it says can be true, so its release can be called, once.
            unsafe { release(part) };
        }
        *part = offer.response();
    }
}

/// Numbers that may lie anywhere.
fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks_exact(8)
        .filter_map(|word| word.first_chunk().copied())
        .map(u64::from_ne_bytes)
        .collect()
}

#[cold]
fn broken(message: String) -> Error {
    Error::new(Status::Internal, "InvalidResponse", message)
}
