//! What an operation answered, ours until somebody takes it.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use rustbridge_abi::Response;

use crate::response::{Offer, bytes_of, release, write_bytes};

/// Up to this size an answer is in the operation's node, so that nobody allocates for it.
pub(crate) const INLINE: usize = 256;

/// An answer's bytes: up to `ROOM` in here, or still the plugin's memory. What is hardly ever there has no room, so that it isn't
/// moved about with the rest.
pub(crate) enum Payload<const ROOM: usize = INLINE> {
    /// The first so many bytes, which are written.
    Inline(usize, [MaybeUninit<u8>; ROOM]),
    /// Invariant: to be released once, by us.
    Lease(Response),
}

// SAFETY: by the ABI a lease may be released on any thread, and its bytes are only read until then.
unsafe impl<const ROOM: usize> Send for Payload<ROOM> {}

impl<const ROOM: usize> Payload<ROOM> {
    pub(crate) const EMPTY: Payload<ROOM> = Payload::Inline(0, [MaybeUninit::uninit(); ROOM]);

    /// Takes over what a plugin has answered without storage of ours: what it lends is copied, what it hands over is ours. The
    /// struct is emptied. `Err` says what it says that can't be true, and gives that up.
    ///
    /// # Safety
    /// `response` is a plugin's, which follows the rules of [`Response`] as far as [`Offer::is_kept`] can't see, but for bytes
    /// without a release, which are readable now.
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
            // SAFETY: handed over to us, released once.
            unsafe { release(&raw mut taken) };
            return Ok(payload);
        }
        Ok(Payload::Lease(taken))
    }

    #[inline]
    pub(crate) fn copy_of(bytes: &[u8]) -> Payload<ROOM> {
        if bytes.len() <= ROOM {
            let mut storage = [MaybeUninit::uninit(); ROOM];
            // SAFETY: it fits, and the storage is nobody else's.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), storage.as_mut_ptr().cast(), bytes.len());
            }
            return Payload::Inline(bytes.len(), storage);
        }
        Payload::of_vec(bytes.to_vec())
    }

    /// Hands bytes over as they are.
    pub(crate) fn of_vec(bytes: Vec<u8>) -> Payload<ROOM> {
        if bytes.len() <= ROOM {
            return Payload::copy_of(&bytes);
        }
        let mut response = Response::empty();
        // SAFETY: a response without storage, of our own.
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
            // SAFETY: so many are written.
            Payload::Inline(len, storage) => unsafe {
                slice::from_raw_parts(storage.as_ptr().cast(), *len)
            },
            // SAFETY: not released before this is dropped.
            Payload::Lease(response) => unsafe { bytes_of(response) },
        }
    }

    /// As a response to whoever wants one: in the storage if it fits there, else handed over.
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
            // SAFETY: the response is of our own, its storage the caller's promise.
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
