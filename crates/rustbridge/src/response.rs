//! Writing responses: into the caller's buffer if they fit, otherwise into a callee-allocated `Vec` with a release function.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::{ptr, slice};

use bytes::Bytes;
use rustbridge_abi::{RB_OK, Response, Status, StatusCode};
use rustbridge_wire::{Encode, Unwritable, Writer, WriterOutput};
use serde::Serialize;

use crate::Error;
use crate::contain::contained;
use crate::error::Payload;
use crate::pod::Pod;
use crate::status_error::SourceError;

/// The first byte of the payload of a typed error; other payloads begin with a brace.
const TYPED: u8 = 1;

/// The place for one response, which is written exactly once.
///
/// Invariant: `response` points to a [`Response`] that no one else uses while this value lives. Its `data` points to `capacity`
/// writable bytes, and its `release` is null. The creators of a `Reply` (the entry shims) uphold this, except for `release`, which
/// may have any value in a host's struct.
#[derive(Debug)]
pub struct Reply {
    response: *mut Response,
}

impl Reply {
    /// # Safety
    /// `response` is valid for reads and writes until the value is dropped, and its buffer is as [`Response`] specifies.
    #[inline(always)]
    pub(crate) unsafe fn new(response: *mut Response) -> Reply {
        // SAFETY: the caller vouches for it. Null before anything is written rather than with it, so that a panic can be
        // told from where it left the response.
        unsafe { (*response).release = None };
        Reply { response }
    }

    /// Creates a place for the response after a panic. The first `Reply` may have been used before, because a value that is dropped
    /// after the response, such as the request, may have panicked. A callee-allocated response is then released, and the caller's
    /// buffer is no longer known.
    ///
    /// # Safety
    /// [`new`](Self::new) was called with this response, and the `Reply` that it returned is dropped.
    #[cold]
    pub(crate) unsafe fn after_panic(response: *mut Response) -> Reply {
        // SAFETY: as for `new`, which set `release` to null; so one that's there is of what was handed over since, and
        // nobody else has seen it.
        unsafe {
            if let Some(release) = (*response).release.take() {
                release(response);
                (*response).data = ptr::null_mut();
                (*response).capacity = 0;
            }
        }
        Reply { response }
    }

    /// Returns a writer that starts in the caller's buffer.
    #[inline(always)]
    pub(crate) fn writer(&mut self) -> Writer {
        // SAFETY: the invariant of `Reply`.
        let (start, capacity) = unsafe { ((*self.response).data, (*self.response).capacity) };
        // SAFETY: as above; a null pointer has no storage.
        unsafe { Writer::over(start, if start.is_null() { 0 } else { capacity }) }
    }

    /// Completes a response that a writer has written.
    #[inline(always)]
    pub(crate) fn finish(self, writer: Writer) -> StatusCode {
        // SAFETY: the invariant of `Reply`.
        let response = unsafe { &mut *self.response };
        match writer.finish() {
            WriterOutput::Stored(len) => response.len = len,
            WriterOutput::Spilled(vec) => hand_over(response, vec),
        }
        RB_OK
    }

    /// Responds with `value`, as it is in memory.
    #[inline(always)]
    pub(crate) fn pod<T: Pod>(self, value: T) -> StatusCode {
        // SAFETY: the invariant of `Reply`.
        let response = unsafe { &mut *self.response };
        let size = size_of::<T>();
        if size > 0 {
            if response.capacity < size || response.data.is_null() {
                // A copy, so that only this needs the value in memory.
                let copy = value;
                let bytes = bytemuck::bytes_of(&copy);
                // SAFETY: the invariant of `Reply`, which goes into it; the bytes are there until it returns.
                return unsafe { handed_over(self.response, bytes.as_ptr(), bytes.len()) };
            }
            // SAFETY: the storage has room for `size` bytes; it may be misaligned, which this write allows.
            unsafe { response.data.cast::<T>().write_unaligned(value) };
        }
        response.len = size;
        RB_OK
    }

    /// Responds with a copy of `bytes`.
    #[inline]
    pub(crate) fn bytes(mut self, bytes: &[u8]) -> StatusCode {
        let mut writer = self.writer();
        writer.push(bytes);
        self.finish(writer)
    }

    /// Returns whether `len` bytes fit into the caller's buffer.
    #[inline]
    fn fits(&self, len: usize) -> bool {
        // SAFETY: the invariant of `Reply`.
        let response = unsafe { &*self.response };
        len == 0 || (len <= response.capacity && !response.data.is_null())
    }

    /// Responds with `vec`. It's copied if it fits into the caller's buffer, and moved otherwise.
    pub(crate) fn vec(self, vec: Vec<u8>) -> StatusCode {
        if self.fits(vec.len()) {
            return self.bytes(&vec);
        }
        // SAFETY: the invariant of `Reply`.
        hand_over(unsafe { &mut *self.response }, vec);
        RB_OK
    }

    /// Responds with `bytes`. They're copied if they fit into the caller's buffer, and shared otherwise.
    pub(crate) fn shared(self, bytes: Bytes) -> StatusCode {
        if self.fits(bytes.len()) {
            return self.bytes(&bytes);
        }
        // SAFETY: the invariant of `Reply`.
        let response = unsafe { &mut *self.response };
        response.data = bytes.as_ptr().cast_mut();
        response.len = bytes.len();
        response.capacity = bytes.len();
        response.release = Some(release_bytes);
        response.owner = Box::into_raw(Box::new(bytes)).cast::<c_void>();
        RB_OK
    }

    /// Responds with the payload of `error`, and returns its status.
    #[cold]
    #[inline(never)]
    pub(crate) fn error(mut self, error: &Error) -> StatusCode {
        if let Some(typed) = error.typed() {
            let mut writer = self.writer();
            if typed_payload(error, typed, &mut writer).is_ok() {
                self.finish(writer);
                return error.status().code();
            }
        }
        let mut writer = self.writer();
        // A payload consists of text and JSON values, so writing it into memory can't fail.
        let _ = rustbridge_json::write(&Payload(error), &mut writer);
        self.finish(writer);
        error.status().code()
    }

    /// Responds with `value` as JSON.
    #[inline(always)]
    pub(crate) fn json<T: Serialize + ?Sized>(mut self, value: &T) -> StatusCode {
        let mut writer = self.writer();
        match rustbridge_json::write(value, &mut writer) {
            Ok(()) => self.finish(writer),
            Err(error) => {
                drop(writer);
                self.unwritable("JSON", &error)
            }
        }
    }

    /// Responds with `value` in the wire format.
    #[inline(always)]
    pub(crate) fn wire<T: Encode + ?Sized>(mut self, value: &T) -> StatusCode {
        let mut writer = self.writer();
        match writer.message(value) {
            Ok(()) => self.finish(writer),
            Err(why) => {
                drop(writer);
                self.not_wire(why)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn not_wire(self, why: Unwritable) -> StatusCode {
        if why != Unwritable::TooLarge {
            return self.unwritable("wire", &why);
        }
        let error = Error::new(
            Status::ResourceExhausted,
            format!("the response can't be written as wire: {why}"),
        );
        self.error(&error.with_type("rustbridge.ResponseTooLarge"))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn unwritable(self, encoding: &str, error: &dyn std::fmt::Display) -> StatusCode {
        self.error(
            &Error::internal(format!(
                "the response can't be written as {encoding}: {error}"
            ))
            .with_type("rustbridge.InvalidResponse"),
        )
    }
}

/// Writes a typed error: a head of eight bytes, then message and type name as text, then, from the next multiple of 8 on, the
/// value.
fn typed_payload(
    error: &Error,
    typed: &dyn SourceError,
    writer: &mut Writer,
) -> Result<(), Unwritable> {
    let status = error.status().code().to_le_bytes();
    writer.push(&[TYPED, 0, 0, 0, status[0], status[1], status[2], status[3]]);
    writer.message(error.message())?;
    writer.message(error.type_name())?;
    let length = writer.as_slice().len();
    writer.push(&[0; 8][..length.next_multiple_of(8) - length]);
    typed.write(writer)
}

/// Responds with a callee-allocated copy of bytes that don't fit into the caller's buffer. With C's calling convention no panic can
/// leave this function, so an entry needs no landing pad for it.
///
/// # Safety
/// The invariant of [`Reply`] holds for the response, and `bytes` points to `len` bytes.
#[cold]
#[inline(never)]
unsafe extern "C" fn handed_over(
    response: *mut Response,
    bytes: *const u8,
    len: usize,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice::from_raw_parts(bytes, len) };
    Reply { response }.vec(bytes.to_vec())
}

/// Makes the parts of a `Vec` the response.
#[inline(always)]
fn hand_over(response: &mut Response, vec: Vec<u8>) {
    let mut vec = ManuallyDrop::new(vec);
    response.data = vec.as_mut_ptr();
    response.len = vec.len();
    response.capacity = vec.capacity();
    response.owner = ptr::null_mut();
    response.release = Some(release_vec);
}

/// Frees a response whose bytes are the parts of a `Vec<u8>`.
unsafe extern "C" fn release_vec(response: *mut Response) {
    // SAFETY: the holder passes a bitwise copy of the struct that `finish` filled, once.
    let response = unsafe { &mut *response };
    // SAFETY: `finish` stored the parts of a forgotten `Vec` there.
    drop(unsafe { Vec::from_raw_parts(response.data, response.len, response.capacity) });
}

/// Frees a response whose bytes belong to a boxed `Bytes`.
unsafe extern "C" fn release_bytes(response: *mut Response) {
    // SAFETY: the holder passes a bitwise copy of the struct that `shared` filled, once.
    let response = unsafe { &mut *response };
    // SAFETY: `shared` stored a leaked box there.
    let bytes = unsafe { Box::from_raw(response.owner.cast::<Bytes>()) };
    // What the bytes belong to may be a value of the author's (`Bytes::from_owner`), whose destructor may panic.
    contained(|| drop(bytes));
}

/// Passes `body` the response, or a temporary one if it's null.
///
/// # Safety
/// `response` is null or a response that the caller owns.
#[inline(always)]
pub(crate) unsafe fn with_response(
    response: *mut Response,
    body: impl FnOnce(*mut Response) -> StatusCode,
) -> StatusCode {
    if !response.is_null() {
        return body(response);
    }
    let mut unwanted = Response::empty();
    let status = body(&raw mut unwanted);
    if let Some(release) = unwanted.release {
        // SAFETY: called once, with the struct itself.
        unsafe { release(&raw mut unwanted) };
    }
    status
}

#[cfg(test)]
mod tests {

    use super::*;

    fn reply_into(
        capacity: usize,
        write: impl FnOnce(Reply) -> StatusCode,
    ) -> (StatusCode, Vec<u8>, bool) {
        let mut storage = vec![0xaa_u8; capacity];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), capacity);
        // SAFETY: the response and its storage outlive the call.
        let status = write(unsafe { Reply::new(&raw mut response) });
        let bytes = if response.len == 0 {
            Vec::new()
        } else {
            // SAFETY: the response describes `len` readable bytes.
            unsafe { slice::from_raw_parts(response.data, response.len) }.to_vec()
        };
        let handed_over = response.release.is_some();
        if let Some(release) = response.release {
            // SAFETY: called once, with the struct itself.
            unsafe { release(&raw mut response) };
        }
        (status, bytes, handed_over)
    }

    #[test]
    fn a_response_that_fits_stays_in_the_callers_storage() {
        for capacity in [5, 6, 100] {
            let (status, bytes, handed_over) = reply_into(capacity, |reply| reply.bytes(b"hello"));
            assert_eq!(
                (status, bytes.as_slice(), handed_over),
                (RB_OK, &b"hello"[..], false)
            );
        }
    }

    #[test]
    fn a_response_that_does_not_fit_is_handed_over_whole() {
        for capacity in 0..5 {
            let (_, bytes, handed_over) = reply_into(capacity, |reply| reply.bytes(b"hello"));
            assert_eq!((bytes.as_slice(), handed_over), (&b"hello"[..], true));
            let (_, bytes, handed_over) =
                reply_into(capacity, |reply| reply.vec(b"hello".to_vec()));
            assert_eq!((bytes.as_slice(), handed_over), (&b"hello"[..], true));
            let (_, bytes, handed_over) =
                reply_into(capacity, |reply| reply.shared(Bytes::from_static(b"hello")));
            assert_eq!((bytes.as_slice(), handed_over), (&b"hello"[..], true));
        }
    }

    #[test]
    fn an_empty_response_needs_no_storage_and_no_release() {
        let (status, bytes, handed_over) = reply_into(0, |reply| reply.vec(Vec::with_capacity(9)));
        assert_eq!((status, bytes.len(), handed_over), (RB_OK, 0, false));
    }

    #[test]
    fn many_small_pieces_arrive_in_order_whatever_the_storage() {
        let numbers: Vec<u32> = (0..500).collect();
        let expected = serde_json::to_vec(&numbers).unwrap();
        for capacity in [0, 1, 7, expected.len() - 1, expected.len(), 4096] {
            let (status, bytes, handed_over) = reply_into(capacity, |reply| reply.json(&numbers));
            assert_eq!(status, RB_OK);
            assert_eq!(bytes, expected);
            assert_eq!(handed_over, capacity < expected.len());
        }
    }

    #[test]
    fn a_pod_may_land_on_a_misaligned_address() {
        let mut storage = [0_u64; 4];
        for offset in 0..8 {
            // SAFETY: the offset stays inside the array.
            let data = unsafe { storage.as_mut_ptr().cast::<u8>().add(offset) };
            let mut response = Response::with_buffer(data, 8);
            // SAFETY: the response and its storage outlive the call.
            let reply = unsafe { Reply::new(&raw mut response) };
            assert_eq!(reply.pod(0x0102_0304_0506_0708_u64), RB_OK);
            // SAFETY: eight bytes were written there.
            let read = unsafe { data.cast::<u64>().read_unaligned() };
            assert_eq!((response.len, read), (8, 0x0102_0304_0506_0708));
        }
    }

    #[test]
    fn an_unwritable_value_gives_an_error_and_not_half_a_response() {
        let bad = std::collections::HashMap::from([((1, 2), 3)]);
        let (status, bytes, _) = reply_into(256, |reply| reply.json(&bad));
        assert_eq!(status, rustbridge_abi::RB_INTERNAL);
        let payload: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(payload["type"], "rustbridge.InvalidResponse");
    }
}
