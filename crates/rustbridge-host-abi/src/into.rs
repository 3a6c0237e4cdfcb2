//! Calling with the caller's storage as an argument, and what such a call comes to.

use std::mem::offset_of;

use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::load::Instance;

/// What a call by `rb_call_into` came to when it isn't just bytes in the storage: it failed, or the response was handed
/// over.
#[repr(C)]
#[derive(Debug)]
pub struct Outcome {
    /// `sizeof(rb_call_result)` as the library knows it.
    pub size: u32,
    /// `RB_OK` when a response was handed over.
    pub status: StatusCode,
    /// The response, or the error payload. If `release` is null, the bytes are the first `len` of the storage that you
    /// passed, and `data` is null. Otherwise they are at `data`, until `rb_call_result_release`; don't call `release`.
    pub response: Response,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

// The core's is aligned besides, which is nothing that C has to know: it never makes one.
const _: () = assert!(
    size_of::<Outcome>() == handles::Outcome::SIZE
        && offset_of!(Outcome, status) == offset_of!(handles::Outcome, status)
        && offset_of!(Outcome, response) == offset_of!(handles::Outcome, response)
);

/// As `rb_call`, with the storage as an argument in place of a response. For languages in which an array can be passed
/// but its address can't be stored: one that the garbage collector moves has an address only while the call runs.
///
/// A result of 0 or more: the status is `RB_OK`, the response is that many bytes at `storage`, and there is nothing to
/// release. A negative result stands for an `rb_call_result` at the address `-result * 16`, see `rb_call_result_of`;
/// `rb_call_result_release` it once. (The address divided by 16 is below 2^60 even in pointers with tags in the upper bits,
/// so its negative can't be taken for a length. An outcome's address is a multiple of 16.)
///
/// `storage` may be null with `capacity` 0; a response that isn't empty is handed over then. `RB_INVALID_ARGUMENT`: it
/// is null with another capacity, or that is above PTRDIFF_MAX. Nothing is allocated unless the result is negative.
///
/// With `RB_ENTRY_LEAF` added to the entry it waits for nothing and calls nothing back, also when it
/// fails; so it may be bound with a kind of call that holds off the garbage collector and passes the arrays themselves
/// (`critical(true)` in Java).
///
/// Thread: any, also inside another call. State: active.
///
/// # Safety
/// `request` is readable and nobody changes it meanwhile unless the entry has `RB_ENTRY_SHARED` added, or its length
/// is 0; `storage` is writable and doesn't overlap the request. Neither is touched after the function has returned.
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

/// Frees an outcome, and its response if that was handed over. Does nothing to null.
///
/// Thread: any. State: any; also after the instance was closed.
///
/// # Safety
/// `outcome` is null or belongs to a result of `rb_call_into`, and wasn't released.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_call_result_release(outcome: *mut Outcome) {
    // SAFETY: the same struct, and the caller vouches for the rest.
    unsafe { handles::release_call_result(outcome.cast()) };
}
