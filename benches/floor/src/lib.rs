//! Foreign functions with nothing of a bridge: the time below which none can go.

mod jni;
mod json;
mod later;
mod objects;
mod pods;
mod raw;
mod streams;
mod typed;

use std::slice;

pub use json::{floor_echo_json, floor_join, floor_small_json};
pub use later::{Callback, floor_abort, floor_later, floor_never};
pub use objects::{floor_adder_add, floor_adder_drop, floor_adder_new};
pub use pods::{
    floor_add16, floor_answer, floor_big, floor_div, floor_nested, floor_pod8, floor_small,
};
pub use raw::{floor_blob, floor_numbers, floor_raw_echo, floor_raw_fail, floor_sum};
pub use streams::{floor_count, floor_ticks};
pub use typed::{floor_around, floor_discount, floor_greet, floor_next_reading, floor_twice};

/// The call worked.
const OK: i32 = 0;
/// A length is not what the function takes.
const INVALID_ARGUMENT: i32 = 3;
/// The call failed because it was told to.
const ABORTED: i32 = 10;
/// The sum doesn't fit.
const OUT_OF_RANGE: i32 = 11;

/// Does nothing: the price of getting there and back.
///
/// # Safety
/// Nothing is read or written, so any pointers will do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_empty(
    _handle: *mut u8,
    _id: u32,
    _request: *const u8,
    _len: usize,
    _response: *mut u8,
    _capacity: usize,
    _response_len: *mut usize,
) -> i32 {
    OK
}

/// The request's bytes.
///
/// # Safety
/// `request` points to `len` readable bytes that nobody changes for `'a`.
unsafe fn request_bytes<'a>(request: *const u8, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for it.
    unsafe { slice::from_raw_parts(request, len) }
}
