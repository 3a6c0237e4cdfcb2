//! The response of an asynchronous call, until the host receives it.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use rustbridge_abi::Response;

use crate::response::{Offer, bytes_of, release, write_bytes};

/// Up to this size, a response is stored in the call's node, without an allocation.
pub(crate) const INLINE: usize = 256;

/// The bytes of a response: up to `ROOM` bytes inside, otherwise in memory that has a release. Rare parts have a `ROOM` of 0, which makes
/// moves cheaper.
pub(crate) enum Payload<const ROOM: usize = INLINE> {
    /// The first bytes of the array, of this number.
    Inline(usize, [MaybeUninit<u8>; ROOM]),
    /// Invariant: released once, by this.
    Lease(Response),
}

// SAFETY: the ABI allows the release on any thread, and until then the bytes are only read.
unsafe impl<const ROOM: usize> Send for Payload<ROOM> {}

impl<const ROOM: usize> Payload<ROOM> {
    pub(crate) const EMPTY: Payload<ROOM> = Payload::Inline(0, [MaybeUninit::uninit(); ROOM]);

    /// Takes a plugin's response to which no buffer was offered. Borrowed bytes are copied. Afterwards the struct is empty. The error is
    /// an invalid response, which is leaked.
    ///
    /// # Safety
    /// `response` is a plugin's. It follows the rules of [`Response`] that [`Offer::is_kept`] can't check; bytes without a release are
    /// readable now.
    #[inline]
    pub(crate) unsafe fn take(response: &mut Response) -> Result<Payload<ROOM>, Response> {
        let mut taken = std::mem::replace(response, Response::empty());
        if taken.release.is_none() {
            if taken.len == 0 {
                return Ok(Payload::EMPTY);
            }
            if taken.data.is_null() || taken.len > isize::MAX as usize {
                return Err(taken);
            }
            // SAFETY: the caller's promise.
            return Ok(Payload::copy_of(unsafe { bytes_of(&taken) }));
        }
        if !Offer::NOTHING.is_kept(&taken) {
            return Err(taken);
        }
        if taken.len <= ROOM {
            // SAFETY: by the rules, `len` bytes at `data` are readable until the release.
            let payload = Payload::copy_of(unsafe { bytes_of(&taken) });
            // SAFETY: it's ours now, and released once.
            unsafe { release(&raw mut taken) };
            return Ok(payload);
        }
        Ok(Payload::Lease(taken))
    }

    #[inline]
    pub(crate) fn copy_of(bytes: &[u8]) -> Payload<ROOM> {
        if bytes.len() <= ROOM {
            let mut storage = [MaybeUninit::uninit(); ROOM];
            // SAFETY: it fits, and the array is our own.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), storage.as_mut_ptr().cast(), bytes.len());
            }
            return Payload::Inline(bytes.len(), storage);
        }
        Payload::of_vec(bytes.to_vec())
    }

    /// Uses bytes without copying them.
    pub(crate) fn of_vec(bytes: Vec<u8>) -> Payload<ROOM> {
        if bytes.len() <= ROOM {
            return Payload::copy_of(&bytes);
        }
        let mut response = Response::empty();
        // SAFETY: our own response, without a buffer.
        unsafe { write_bytes(bytes, &raw mut response) };
        Payload::Lease(response)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Payload::Inline(len, _) => *len,
            Payload::Lease(response) => response.len,
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: these bytes were written.
            Payload::Inline(len, storage) => unsafe {
                slice::from_raw_parts(storage.as_ptr().cast(), *len)
            },
            // SAFETY: not released before this is dropped.
            Payload::Lease(response) => unsafe { bytes_of(response) },
        }
    }

    /// Converts it to a response: in `storage` if it fits, otherwise callee-allocated.
    ///
    /// # Safety
    /// `storage` is null or has `room` writable bytes.
    pub(crate) unsafe fn into_response(mut self, storage: *mut u8, room: usize) -> Response {
        let mut response = Response::with_buffer(storage, if storage.is_null() { 0 } else { room });
        if let Payload::Lease(lease) = &mut self
            && lease.len > response.capacity
        {
            return std::mem::replace(lease, Response::empty());
        }
        let bytes = self.bytes();
        if bytes.len() <= response.capacity {
            // SAFETY: the caller's promise, and it fits.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), storage, bytes.len()) };
            response.len = bytes.len();
        } else {
            // SAFETY: our own response, over a buffer that is the caller's promise.
            unsafe { write_bytes(bytes.to_vec(), &raw mut response) };
        }
        response
    }
}

impl<const ROOM: usize> Drop for Payload<ROOM> {
    fn drop(&mut self) {
        if let Payload::Lease(response) = self {
            // SAFETY: the invariant of `Lease`; releasing empties it.
            unsafe { release(response) };
        }
    }
}
