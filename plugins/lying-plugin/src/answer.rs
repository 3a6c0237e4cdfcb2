//! The honest answer.

use std::ptr;

use rustbridge_abi::Response;

/// A release that has nothing to release.
pub(crate) unsafe extern "C" fn harmless(_: *mut Response) {}

/// Answers honestly, in the storage or with what is there for good.
///
/// # Safety
/// `response` is null or writable, with its storage.
pub(crate) unsafe fn answer(response: *mut Response, bytes: &'static [u8]) {
    // SAFETY: the caller's promise.
    let Some(response) = (unsafe { response.as_mut() }) else {
        return;
    };
    response.len = bytes.len();
    if bytes.len() <= response.capacity {
        response.release = None;
        // SAFETY: the storage has room.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), response.data, bytes.len()) };
    } else {
        response.data = bytes.as_ptr().cast_mut();
        response.release = Some(harmless);
    }
}
