//! Calling with a header: what a call carries beside its request, and what comes back beside its response.

use rustbridge_abi::{CallContext, Op, Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary::{self, Refusal};
use crate::call::{refuse, unusable};
use crate::load::Instance;

/// As `rb_call`, with a header: how much time there is, metadata, the trace that the call is part of, objects that are lent to
/// it, and where trailers and objects of the answer go. Null in its place says nothing.
///
/// A call whose time is over isn't begun: `RB_DEADLINE_EXCEEDED`. An async handler is dropped when it is; a plain one can
/// look. A call from inside another one on the same thread has no more time than that, and is part of its trace unless it
/// says otherwise.
///
/// `op` is null, or where the number of the call goes before the plugin begins: another thread can cancel it by that, until
/// the function returns. It's written atomically, and is a place of its own, not a part of the header; 0: the call wasn't let in.
///
/// With `header->reply` set, its two responses are to be released by `rb_response_release`, whatever the status; set them to
/// null and 0, or to storage, before. Trailers are laid out as the header's metadata, and are checked to be.
///
/// Besides the refusals of `rb_call`: `RB_INVALID_ARGUMENT` (`rustbridge.InvalidContext`) for a header that can't be: its size,
/// flags of a later version, metadata that isn't laid out as it has to be, ids of a trace that are all zero. `RB_NOT_FOUND`:
/// no such object.
///
/// Thread: any, also inside another call. State: active.
///
/// # Safety
/// As for `rb_call`. `header` is null, or as long as it says; what it points to is readable and doesn't change, and its reply
/// is writable, until the function returns. `op` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_call_with(
    instance: Instance,
    entry: u32,
    call_context: *const CallContext,
    op: *mut Op,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for the pointers, and what can be checked has been.
    unsafe {
        if unusable(response) {
            return refuse(response);
        }
        if !op.is_aligned() {
            let refusal =
                Refusal::new("op isn't aligned to 8 bytes, expected the address of a uint64_t");
            return boundary::enter(response, || Err(refusal.into()));
        }
        handles::call_with(instance, entry, call_context, op, request, request_len, response)
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn a_place_for_the_number_that_is_not_aligned_is_not_written_to() {
        let mut places = [7_u64; 2];
        // SAFETY: inside the places; everything else is null.
        let status = unsafe {
            let op = places.as_mut_ptr().byte_add(4);
            rb_call_with(0, 0, ptr::null(), op, ptr::null(), 0, ptr::null_mut())
        };
        assert_eq!(
            (status, places),
            (rustbridge_abi::RB_INVALID_ARGUMENT, [7; 2])
        );
    }
}
