//! Calls that carry something: how much time there is, metadata, a trace, objects; and whose answer may have trailers.

use std::ptr;
use std::time::Instant;

use rustbridge_abi::{
    self as abi, CallHeader, Growing, Op, RB_HEADER_TIMEOUT, RB_HEADER_TRACE, RB_METADATA_LIMIT,
    RB_OK, RB_PANICKED, Reply, Response, Status, StatusCode, check_metadata,
};

use super::inside::inside;
use super::shared::with_copy;
use super::sync::{self, LAST_STATUS, Ready, admit};
use crate::carried::Carried;
use crate::error::Error;
use crate::handle::table::Handle;
use crate::instance::refusal::Refusal;
use crate::library::token;
use crate::operation::answered::{Answered, discard, take_answer};
use crate::operation::lent::lend;
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
            run(
                handle,
                entry,
                &header,
                &beside,
                request,
                request_len,
                response,
            )
        })
    };
    // SAFETY: as above.
    called.unwrap_or_else(|error| unsafe { write_error(&error, response) })
}

/// # Safety
/// As for [`call_with`]; the header is checked, and what's beside is its reply.
unsafe fn run(
    handle: Handle,
    entry: u32,
    header: &CallHeader,
    beside: &Beside,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> Result<StatusCode, Error> {
    let carried = Carried::inheriting(header);
    if carried
        .deadline
        .is_some_and(|deadline| deadline <= Instant::now())
    {
        return Err(Error::new(
            Status::DeadlineExceeded,
            "DeadlineExceeded",
            "the call's time was over before it began: give it more, or find out where it went",
        ));
    }
    let attempt = |entry, request| {
        inside(handle, entry, |slot| {
            // SAFETY: we are inside; the rest is the caller's promise.
            unsafe {
                let ready = admit(slot, entry, request, request_len)?;
                Ok(within(
                    (handle, entry),
                    ready,
                    &carried,
                    header,
                    beside,
                    (request, request_len),
                    response,
                ))
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

/// The call itself, with what is lent to it and what comes back.
///
/// # Safety
/// As for [`run`], and the calling thread is inside the slot that has let this in.
#[inline(always)]
unsafe fn within(
    (handle, entry): (Handle, u32),
    ready: Ready,
    carried: &Carried,
    header: &CallHeader,
    beside: &Beside,
    (request, request_len): (*const u8, usize),
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the objects are checked, and we are inside until after it's dropped.
    let lent = match unsafe { lend(handle, objects_of(header)) } {
        Ok(lent) => lent,
        // SAFETY: the caller's promise about the response.
        Err(error) => return unsafe { write_error(&error, response) },
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
    // SAFETY: the caller's promises about request and response, and a header of ours over what is good until this returns.
    unsafe {
        let offer = Offer::of(response);
        let status = ready.run(&raw const header, request, request_len, response);
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
    }
}

/// A header as it's read: checked, so that no plugin has to.
///
/// # Safety
/// As for [`call_with`].
unsafe fn read(header: *const CallHeader) -> Result<CallHeader, Error> {
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
unsafe fn objects_of(header: &CallHeader) -> &[u64] {
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
struct Beside {
    reply: *mut Reply,
    trailers: Offer,
    objects: Offer,
}

impl Beside {
    /// Remembers it, and has it say nothing.
    ///
    /// # Safety
    /// `reply` is null or a writable reply.
    unsafe fn offered(reply: *mut Reply) -> Result<Beside, Error> {
        // SAFETY: the caller's promise; null leads to null.
        let (trailers, objects) = unsafe {
            match reply.as_mut() {
                None => (ptr::null_mut(), ptr::null_mut()),
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

    /// What the plugin is offered in its place: the same for trailers, and for objects a place of our own.
    fn for_plugin(&self, answered: &mut Answered) -> Reply {
        Reply {
            trailers: self.trailers.response(),
            objects: answered.response(),
        }
    }

    /// Hands on what the plugin says in there, once it has answered. What can't be true is given up, and all else with it.
    ///
    /// # Safety
    /// The caller is inside the instance; the reply is as its plugin left it that was offered [`for_plugin`](Beside::for_plugin).
    #[inline(always)]
    unsafe fn take(
        &self,
        handle: Handle,
        entry: u32,
        status: StatusCode,
        given: &mut Reply,
        answered: &mut Answered,
    ) -> Result<(), Error> {
        // SAFETY: null or a writable reply.
        let Some(reply) = (unsafe { self.reply.as_mut() }) else {
            return Ok(());
        };
        let trailers = self.take_trailers(handle, entry, given, reply);
        // SAFETY: the caller's promise.
        unsafe {
            if status == RB_OK && trailers.is_ok() {
                take_answer(
                    handle,
                    || sync::whose(handle, entry),
                    answered,
                    &mut given.objects,
                    &raw mut reply.objects,
                )?;
            } else {
                discard(handle, answered, &mut given.objects);
            }
        }
        trailers
    }

    fn take_trailers(
        &self,
        handle: Handle,
        entry: u32,
        given: &mut Reply,
        reply: &mut Reply,
    ) -> Result<(), Error> {
        let part = &mut given.trailers;
        if part.len == 0 && part.release.is_none() {
            return Ok(());
        }
        if !self.trailers.is_kept(part) {
            return Err(self
                .trailers
                .broken("trailers", part, &sync::whose(handle, entry)));
        }
        // SAFETY: it can be true, and isn't released before.
        if let Err(problem) = check_metadata(unsafe { bytes_of(part) }) {
            // SAFETY: what it says can be true, so its release can be called, once.
            unsafe { release(part) };
            let whose = sync::whose(handle, entry);
            return Err(broken(format!(
                "{whose} says that its trailers are metadata, and that is {problem}"
            )));
        }
        self.trailers.restore(part);
        reply.trailers = std::mem::replace(part, Response::empty());
        Ok(())
    }
}

#[cold]
fn broken(message: String) -> Error {
    Error::new(Status::Internal, "InvalidResponse", message)
}
