//! Calls with the caller's buffer as an argument, and their results.

use std::mem::offset_of;

use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::load::Instance;

/// The result of `rb_call_into` if the call failed, or if the response is not in the caller's buffer.
#[repr(C)]
#[derive(Debug)]
pub struct Outcome {
    /// `sizeof(rb_call_result)` as the library knows it.
    pub size: u32,
    /// The status. `RB_OK` if the call succeeded and `response` is callee-allocated.
    pub status: StatusCode,
    /// The response, or the error payload. If `release` is null, `data` is null and the bytes are the first `len` bytes of the
    /// buffer that you passed. Otherwise the bytes are at `data` until you call `rb_call_result_release`; do not call `release`.
    pub response: Response,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

// The core's is aligned besides, which is nothing that C has to know: it never makes one.
const _: () = assert!(
    size_of::<Outcome>() == handles::Outcome::SIZE
        && offset_of!(Outcome, status) == offset_of!(handles::Outcome, status)
        && offset_of!(Outcome, response) == offset_of!(handles::Outcome, response)
);

/// Like `rb_call`, with the buffer as an argument in place of a response. For languages that can pass an array but cannot
/// store its address, because the garbage collector moves arrays between calls.
///
/// If the result is 0 or more, the call succeeded and the result is the length of the response in `buffer`. There is nothing
/// to release.
///
/// If the result is negative, `rb_call_result_of` converts it to an `rb_call_result`, which must be released once by
/// `rb_call_result_release`. (The struct's address is a multiple of 16, and the result is that address, divided by 16 and
/// negated. It cannot be confused with a length, even for pointers with tags in their upper bits.)
///
/// `buffer` may be null if `capacity` is 0; then every response that is not empty is callee-allocated. `RB_INVALID_ARGUMENT`:
/// `buffer` is null with another capacity, or `capacity` is above PTRDIFF_MAX. Nothing is allocated unless the result is negative.
///
/// If the entry has `RB_ENTRY_LEAF` added, the function never blocks and never calls back, even if it fails. It may then be
/// bound with a kind of call that holds off the garbage collector and passes arrays directly (`critical(true)` in Java).
///
/// Thread: any, also inside another call. State: active.
///
/// # Safety
/// `request` is readable and, unless the entry has `RB_ENTRY_SHARED` added, does not change during the call; or its length is
/// 0. `buffer` is writable and does not overlap the request. Neither is accessed after the function has returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_call_into(
    instance: Instance,
    entry: u32,
    request: *const u8,
    request_len: usize,
    buffer: *mut u8,
    capacity: usize,
) -> i64 {
    // SAFETY: the caller vouches for the pointers, and the core checks what can be.
    unsafe { handles::call_into(instance, entry, request, request_len, buffer, capacity) }
}

/// Frees a result of `rb_call_into` and, if its response is callee-allocated, the response. Does nothing if `result` is null.
///
/// Thread: any. State: any; also after the instance was closed.
///
/// # Safety
/// `result` is null, or was obtained by `rb_call_result_of` and has not been released.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_call_result_release(result: *mut Outcome) {
    // SAFETY: the same struct, and the caller vouches for the rest.
    unsafe { handles::release_call_result(result.cast()) };
}
