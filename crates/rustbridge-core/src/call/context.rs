//! Checks the call context before the plugin sees it, and what accompanies the response before the host sees it.

use std::mem::MaybeUninit;

use rustbridge_abi::{
    self as abi, CallContext, Growing, RB_CONTEXT_HEADERS, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE,
    RB_METADATA_LIMIT, RB_OK, Reply, ReplyHeaders, Response, Status, StatusCode, check_metadata,
};

use super::sync;
use crate::async_call::returned_objects::{ReturnedObjects, discard, take_answer};
use crate::error::Error;
use crate::registry::table::Handle;
use crate::response::{Offer, bytes_of, release, write_bytes};

/// What a null context means.
pub(super) const NO_CONTEXT: &CallContext = &CallContext::EMPTY;

/// Reads and checks a call context, so that no plugin has to. It's left where the host has it, or copied to `place` if the host uses an
/// earlier version of the struct.
///
/// # Safety
/// As for [`call_with`](super::with::call_with).
#[inline(always)]
pub(super) unsafe fn read(
    header: *const CallContext,
    place: &mut MaybeUninit<CallContext>,
) -> Result<&CallContext, Error> {
    if header.is_null() {
        return Ok(NO_CONTEXT);
    }
    if !header.is_aligned() {
        return Err(invalid(
            "the call context isn't aligned to 8 bytes: pass the address of a struct",
        ));
    }
    // SAFETY: not null, aligned; the caller promises that it has the size that it says, and that it doesn't change.
    let header = unsafe { abi::borrow(header, place) }.map_err(wrong_size)?;
    // SAFETY: the caller's promise.
    unsafe { check(header) }?;
    Ok(header)
}

#[cold]
fn wrong_size(size: usize) -> Error {
    invalid(format!(
        "the call context's size is {size}, expected {} at least: set it to sizeof(rb_call_context)",
        CallContext::SIZE_1_0
    ))
}

/// Checks everything that would harm a plugin.
///
/// # Safety
/// What the header points to is readable.
#[inline(always)]
pub(super) unsafe fn check(header: &CallContext) -> Result<(), Error> {
    let is_simple = header.flags & !RB_CONTEXT_TIMEOUT == 0 && header.metadata_len == 0;
    if !is_simple {
        // SAFETY: the caller's promise.
        unsafe { check_metadata_and_trace(header) }?;
    }
    if header.object_count > 0 && header.objects.is_null() {
        return Err(no_objects(header));
    }
    if !header.objects.is_aligned() || !header.reply.is_aligned() {
        return Err(invalid(
            "`objects` or `reply` of the call context isn't aligned to 8 bytes: pass the address of uint64_t values, and of a struct",
        ));
    }
    Ok(())
}

#[cold]
fn no_objects(header: &CallContext) -> Error {
    invalid(format!(
        "`objects` is null but `object_count` is {}: pass their address, or 0",
        header.object_count
    ))
}

/// Checks the flags, the metadata and the trace.
///
/// # Safety
/// What the header points to is readable.
#[inline(never)]
unsafe fn check_metadata_and_trace(header: &CallContext) -> Result<(), Error> {
    let known = RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE | RB_CONTEXT_HEADERS;
    if header.flags & !known != 0 {
        return Err(invalid(format!(
            "the call context's flags are {:#x}, expected bits of {known:#x}: clear the others, or use a later version of the library",
            header.flags
        )));
    }
    if header.flags & RB_CONTEXT_HEADERS != 0 && header.reply.is_null() {
        return Err(invalid(
            "the call context has RB_CONTEXT_HEADERS but its reply is null: pass the address of an rb_reply_headers",
        ));
    }
    // SAFETY: the caller's promise, after these checks.
    unsafe {
        let metadata = bytes("the metadata", header.metadata, header.metadata_len)?;
        check_metadata(metadata)
            .map_err(|problem| invalid(format!("the metadata is {problem}")))?;
        if header.flags & RB_CONTEXT_TRACE != 0 {
            let state = header.trace_state;
            let state = bytes("the trace's state", state.data.cast(), state.len)?;
            check_trace(header, state)?;
        }
    }
    Ok(())
}

fn check_trace(header: &CallContext, state: &[u8]) -> Result<(), Error> {
    if header.trace_id == [0; 16] || header.span_id == [0; 8] {
        return Err(invalid(
            "the trace ID or the span ID is all zero: clear RB_CONTEXT_TRACE for a call without a trace",
        ));
    }
    if header.trace_flags > 0xff {
        return Err(invalid(format!(
            "the trace flags are {:#x}, expected 8 bits",
            header.trace_flags
        )));
    }
    if state.len() > RB_METADATA_LIMIT || !state.is_ascii() {
        return Err(invalid(format!(
            "the trace state isn't ASCII, or its {} bytes are above the limit of {RB_METADATA_LIMIT}",
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
            "{what} has {len} bytes at {data:?}: pass its address, or length 0"
        )));
    }
    // SAFETY: not null, and the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data, len) })
}

/// # Safety
/// The header was checked by [`read`].
pub(super) unsafe fn objects_of(header: &CallContext) -> &[u64] {
    if header.object_count == 0 {
        &[]
    } else {
        // SAFETY: not null and aligned, and readable by the caller's promise.
        unsafe { std::slice::from_raw_parts(header.objects, header.object_count as usize) }
    }
}

#[cold]
fn invalid(message: impl Into<String>) -> Error {
    Error::new(Status::InvalidArgument, "InvalidContext", message)
}

/// The caller's place for what accompanies the response, and the one that the plugin fills in: the caller's buffer for trailers, and
/// memory of our own for objects, so that the host never sees an address.
pub(super) struct ReplyBuffers {
    reply: *mut Reply,
    trailers: Offer,
    objects: ReturnedObjects,
    /// For the plugin.
    filled: Reply,
    /// Whether there's a place for headers behind the reply.
    has_headers: bool,
}

impl ReplyBuffers {
    /// Remembers the buffers of a reply, and makes it empty.
    ///
    /// # Safety
    /// `reply` is a writable reply, and if it has headers a [`ReplyHeaders`].
    pub(super) unsafe fn new(reply: *mut Reply, has_headers: bool) -> Result<ReplyBuffers, Error> {
        if has_headers {
            // SAFETY: the caller's promise.
            let headers = unsafe { Offer::of(&raw mut (*reply.cast::<ReplyHeaders>()).headers) };
            if !headers.can_be() {
                return Err(no_storage());
            }
        }
        // SAFETY: the caller's promise.
        let [trailers, objects] = unsafe {
            [
                Offer::of(&raw mut (*reply).trailers),
                Offer::of(&raw mut (*reply).objects),
            ]
        };
        for offer in [trailers, objects] {
            if !offer.can_be() {
                return Err(no_storage());
            }
        }
        Ok(ReplyBuffers {
            reply,
            trailers,
            objects: ReturnedObjects::new(),
            filled: Reply::empty(),
            has_headers,
        })
    }

    /// The reply that the plugin fills in. Valid until this is moved.
    pub(super) fn for_plugin(&mut self) -> *mut Reply {
        self.filled = Reply {
            trailers: self.trailers.response(),
            objects: self.objects.response(),
        };
        &raw mut self.filled
    }

    /// Passes on what the plugin has filled in. If any part is invalid, all of it is discarded.
    ///
    /// # Safety
    /// The caller is inside the instance, whose plugin has filled in [`for_plugin`](ReplyBuffers::for_plugin).
    pub(super) unsafe fn take(
        &mut self,
        handle: Handle,
        entry: u32,
        status: StatusCode,
    ) -> Result<(), Error> {
        // SAFETY: a writable reply.
        let reply = unsafe { &mut *self.reply };
        let trailers = self.take_trailers(handle, entry, reply);
        let filled = &mut self.filled.objects;
        // SAFETY: the caller's promise.
        unsafe {
            if status == RB_OK && trailers.is_ok() {
                take_answer(
                    handle,
                    || sync::whose(handle, entry),
                    &mut self.objects,
                    filled,
                    &raw mut reply.objects,
                )?;
            } else {
                discard(handle, &mut self.objects, filled);
            }
        }
        trailers
    }

    /// Writes the headers of a call that has completed.
    ///
    /// # Safety
    /// As for [`take`](ReplyBuffers::take).
    pub(super) unsafe fn take_headers(&mut self, headers: Vec<u8>) {
        if self.has_headers && !headers.is_empty() {
            // SAFETY: `new` has checked the place and its buffer.
            unsafe {
                write_bytes(
                    headers,
                    &raw mut (*self.reply.cast::<ReplyHeaders>()).headers,
                )
            };
        }
    }

    fn take_trailers(
        &mut self,
        handle: Handle,
        entry: u32,
        reply: &mut Reply,
    ) -> Result<(), Error> {
        let part = &mut self.filled.trailers;
        if part.len == 0 && part.release.is_none() {
            return Ok(());
        }
        if !self.trailers.is_kept(part) {
            return Err(self
                .trailers
                .broken("trailers", part, &sync::whose(handle, entry)));
        }
        // SAFETY: the response is valid, and isn't released before.
        if let Err(problem) = check_metadata(unsafe { bytes_of(part) }) {
            // SAFETY: the response is valid, and released once.
            unsafe { release(part) };
            let whose = sync::whose(handle, entry);
            return Err(broken(format!(
                "{whose} returned trailers that aren't valid metadata: {problem}"
            )));
        }
        self.trailers.restore(part);
        reply.trailers = std::mem::replace(part, Response::empty());
        Ok(())
    }
}

#[cold]
fn no_storage() -> Error {
    invalid(
        "a buffer in the call context's reply is null but has a capacity: pass its address, or null and 0",
    )
}

#[cold]
fn broken(message: String) -> Error {
    Error::new(Status::Internal, "InvalidResponse", message)
}
