//! Responses as they cross the boundary: how one is checked, read, answered into and released, whoever filled it in.

use std::fmt;
use std::ptr;

use rustbridge_abi::{RB_OK, Response, Status, StatusCode};

use crate::error::Error;

/// Gives back what a response holds, and makes the struct empty. Does nothing to one that holds nothing, or to null.
///
/// # Safety
/// `response` is null or points to a response that a function of this crate or a plugin has filled in (or that is
/// [`Response::empty`]), and nobody uses its bytes any more.
#[inline]
pub unsafe fn release(response: *mut Response) {
    // SAFETY: null or valid, by the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        return;
    };
    let mut taken = std::mem::replace(place, Response::empty());
    if let Some(release) = taken.release {
        // SAFETY: the callee set `release` for exactly this; `taken` is the bitwise copy the ABI asks for, and the
        // struct was emptied first, so it happens once.
        unsafe { release(&mut taken) };
    }
}

/// Whether bytes at this address can be read as far as that can be told.
#[inline(always)]
pub(crate) fn is_bytes(data: *const u8, len: usize) -> bool {
    (!data.is_null() || len == 0) && len as isize >= 0
}

/// Answers with an error of this crate as a plugin would, and gives its status: into the caller's storage where the
/// payload fits, else handed over. For bindings that have errors to hand on.
///
/// # Safety
/// `response` is null, or points to a response whose `data` is null with `capacity` 0 or points to `capacity` writable
/// bytes; its other fields may hold anything.
pub unsafe fn write_error(error: &Error, response: *mut Response) -> StatusCode {
    // SAFETY: the caller's promise.
    unsafe { write_text(response, |out| error.write_json(out)) };
    error.status().code()
}

/// Answers with a text, written straight into the caller's storage if it fits there, else handed over.
///
/// # Safety
/// As for [`write_bytes`].
pub(crate) unsafe fn write_text(
    response: *mut Response,
    write: impl Fn(&mut dyn fmt::Write) -> fmt::Result,
) {
    // SAFETY: null or valid, by the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        return;
    };
    let mut storage = Storage {
        at: place.data,
        room: if place.data.is_null() {
            0
        } else {
            place.capacity
        },
        len: 0,
    };
    if write(&mut storage).is_ok() {
        place.len = storage.len;
        place.release = None;
        return;
    }
    let mut text = String::new();
    // A `String` takes everything.
    let _ = write(&mut text);
    // SAFETY: the caller's promise.
    unsafe { write_bytes(text.into_bytes(), response) };
}

/// What is left of a caller's storage: `room` bytes, the first `len` of which are written. Full when a text doesn't fit whole.
struct Storage {
    at: *mut u8,
    room: usize,
    len: usize,
}

impl fmt::Write for Storage {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() > self.room - self.len {
            return Err(fmt::Error);
        }
        // SAFETY: the storage is writable for `room` bytes, which hold the text too, by the caller's promise of `write_text`; where
        // it's null the text is empty.
        unsafe {
            ptr::copy_nonoverlapping(text.as_ptr(), self.at.wrapping_add(self.len), text.len())
        };
        self.len += text.len();
        Ok(())
    }
}

/// Answers with these bytes: into the caller's storage where they fit, else handed over.
///
/// # Safety
/// `response` is null, or points to a response whose `data` is null with `capacity` 0 or points to `capacity` writable
/// bytes; its other fields may hold anything.
pub unsafe fn write_bytes(bytes: Vec<u8>, response: *mut Response) -> StatusCode {
    // SAFETY: null or valid, by the caller's promise.
    let Some(response) = (unsafe { response.as_mut() }) else {
        return RB_OK;
    };
    response.len = bytes.len();
    response.release = None;
    if bytes.len() <= response.capacity && !response.data.is_null() {
        // SAFETY: the caller's storage has `capacity` writable bytes, and a fresh `Vec` doesn't overlap it.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), response.data, bytes.len()) };
    } else if !bytes.is_empty() {
        let boxed = Box::into_raw(bytes.into_boxed_slice());
        response.data = boxed.cast();
        response.capacity = response.len;
        response.owner = boxed.cast();
        response.release = Some(release_boxed);
    }
    RB_OK
}

/// Answers with a copy of these bytes: in the caller's storage where they fit, else in memory of this library's.
///
/// # Safety
/// As for [`write_bytes`].
#[inline]
pub unsafe fn respond(bytes: &[u8], response: *mut Response) {
    // SAFETY: null or valid, by the caller's promise.
    let Some(place) = (unsafe { response.as_mut() }) else {
        return;
    };
    if bytes.len() <= place.capacity && !place.data.is_null() {
        // SAFETY: the storage has `capacity` writable bytes. The bytes may be in it.
        unsafe { ptr::copy(bytes.as_ptr(), place.data, bytes.len()) };
        place.len = bytes.len();
        place.release = None;
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { write_bytes(bytes.to_vec(), response) };
}

unsafe extern "C" fn release_boxed(response: *mut Response) {
    // SAFETY: the ABI passes a copy of the struct that `write_bytes` filled in, once.
    unsafe {
        let response = &mut *response;
        drop(Box::from_raw(ptr::slice_from_raw_parts_mut(
            response.owner.cast::<u8>(),
            response.len,
        )));
    }
}

/// The storage that a plugin is offered, remembered while it answers: what it says of its answer is compared with this,
/// so that no host has to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    storage: *mut u8,
    capacity: usize,
}

impl Offer {
    /// No storage.
    pub(crate) const NOTHING: Offer = Offer {
        storage: ptr::null_mut(),
        capacity: 0,
    };

    /// Remembers a response's storage, and has it say nothing: a plugin that leaves it as it is has answered no bytes.
    ///
    /// # Safety
    /// `response` is null or writable.
    #[inline(always)]
    pub(crate) unsafe fn of(response: *mut Response) -> Offer {
        // SAFETY: the caller's promise.
        let Some(response) = (unsafe { response.as_mut() }) else {
            return Offer::NOTHING;
        };
        response.len = 0;
        response.release = None;
        Offer {
            storage: response.data,
            capacity: response.capacity,
        }
    }

    /// Whether the response is what most are: bytes in the storage, and no more than that holds. [`is_kept`](Offer::is_kept)
    /// knows the rest.
    ///
    /// The response's storage is then as it was offered, whatever the plugin wrote over it: who offers the same struct again
    /// has the next answer written into memory of its own.
    ///
    /// # Safety
    /// `response` is null or writable.
    #[inline(always)]
    pub(crate) unsafe fn is_filled(self, response: *mut Response) -> bool {
        // SAFETY: the caller's promise.
        let Some(response) = (unsafe { response.as_mut() }) else {
            return true;
        };
        // Three branches: put together, the comparisons are twice the instructions.
        if response.release.is_some() || response.data != self.storage {
            return false;
        }
        response.capacity = self.capacity;
        response.len <= self.capacity
    }

    /// Whether there can be such a storage.
    pub(crate) fn can_be(self) -> bool {
        (!self.storage.is_null() || self.capacity == 0) && self.capacity <= isize::MAX as usize
    }

    /// Puts the storage back as it was offered, unless the response was handed over.
    pub(crate) fn restore(self, response: &mut Response) {
        if response.release.is_none() {
            response.data = self.storage;
            response.capacity = self.capacity;
        }
    }

    /// Whether what the response says can be true: bytes in the storage and no more than that holds, or bytes elsewhere with a
    /// release, or none.
    ///
    /// What can't be seen: whether the bytes were written, and how much memory there is at an address of the plugin's.
    pub(crate) fn is_kept(self, response: &Response) -> bool {
        let is_elsewhere = || {
            !response.data.is_null()
                && response.len <= isize::MAX as usize
                && !self.is_inside(response.data)
        };
        response.len == 0
            || match response.release {
                Some(_) => is_elsewhere(),
                None => response.data == self.storage && response.len <= self.capacity,
            }
    }

    /// Also for the very address of storage without room.
    fn is_inside(self, data: *const u8) -> bool {
        data.addr().wrapping_sub(self.storage.addr()) < self.capacity.max(1)
    }

    /// What is said of a response that can't be true, or of `what` else is one; `whose` names the plugin and what it was asked.
    ///
    /// Whoever gets the error gets none of the response. Its release isn't called: it would free by the very length or address
    /// that can't be, and unmap who knows what. Better to leak.
    #[cold]
    pub(crate) fn broken(self, what: &str, response: &Response, whose: &str) -> Error {
        let len = response.len;
        let release = if response.release.is_some() {
            "with a release"
        } else {
            "without a release"
        };
        let problem = if len > isize::MAX as usize {
            format!("{len} bytes {release}, expected PTRDIFF_MAX at most")
        } else if response.data.is_null() {
            format!("{len} bytes at null {release}")
        } else if response.release.is_some() {
            format!(
                "{len} bytes with a release in the caller's buffer, which the plugin can't free"
            )
        } else if response.data == self.storage {
            format!(
                "{len} bytes in a buffer of {}: a response that doesn't fit must be callee-allocated, with a release",
                self.capacity
            )
        } else {
            format!(
                "{len} bytes outside the caller's buffer without a release: a callee-allocated response must have one, even if it does nothing"
            )
        };
        Error::new(
            Status::Internal,
            "InvalidResponse",
            format!("{whose} returned an invalid {what}: {problem}"),
        )
        .with_details(Error::detail("len", len))
    }

    /// The storage as it was offered, for an answer in place of the plugin's.
    pub(crate) fn response(self) -> Response {
        Response::with_buffer(self.storage, self.capacity)
    }
}

/// Runs a function of the plugin's that isn't a call, and takes what it answers; `whose` names plugin and function.
///
/// # Safety
/// `function` answers by the rules of [`Response`], as far as those can't be checked.
pub(crate) unsafe fn ask(
    whose: impl FnOnce() -> String,
    function: impl FnOnce(*mut Response) -> StatusCode,
) -> Result<Vec<u8>, Error> {
    let mut response = Response::empty();
    // SAFETY: of our own.
    let offer = unsafe { Offer::of(&raw mut response) };
    let status = function(&mut response);
    if !offer.is_kept(&response) {
        return Err(offer.broken("response", &response, &whose()));
    }
    // SAFETY: by the rules, `len` bytes at `data` are readable until the release.
    let bytes = unsafe { bytes_of(&response) }.to_vec();
    // SAFETY: filled in by the function, released once.
    unsafe { release(&mut response) };
    if status == RB_OK {
        Ok(bytes)
    } else {
        Err(Error::from_payload(status, &bytes))
    }
}

/// [`ask`] for a function whose answer is of interest only if it fails: what it did has been done, whatever it says of a
/// payload that there's no need for.
///
/// # Safety
/// As for [`ask`].
pub(crate) unsafe fn tell(
    whose: impl FnOnce() -> String,
    function: impl FnOnce(*mut Response) -> StatusCode,
) -> Result<(), Error> {
    let mut status = RB_OK;
    // SAFETY: the caller's promise.
    let answer = unsafe {
        ask(whose, |response| {
            status = function(response);
            status
        })
    };
    if status == RB_OK {
        return Ok(());
    }
    answer.map(drop)
}

/// The bytes a response holds.
///
/// # Safety
/// A plugin filled the response in, as [`Offer::is_kept`] says, and it isn't released for `'a`.
pub(crate) unsafe fn bytes_of<'a>(response: &Response) -> &'a [u8] {
    if response.len == 0 {
        &[]
    } else {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(response.data, response.len) }
    }
}
