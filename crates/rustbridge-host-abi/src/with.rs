//! Calls with a call context.

use rustbridge_abi::{CallContext, Op, Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary::{self, Refusal};
use crate::call::{refuse, unusable};
use crate::load::Instance;

/// Like `rb_call`, with a call context: deadline, metadata, trace, borrowed objects, and where to write the trailers and
/// objects of the response. A null `call_context` has no effect.
///
/// If the deadline has already passed, the plugin is not called and the result is `RB_DEADLINE_EXCEEDED`. If it passes during
/// the call, an asynchronous handler is dropped; a synchronous handler may check the deadline. A call that is made inside
/// another call on the same thread inherits that call's deadline as an upper limit, and its trace unless it has its own.
///
/// `op` may be null. Otherwise the library writes the ID of the call to it before the plugin runs, and another thread can
/// cancel the call with that ID until the function returns. The write is atomic. `op` must not point into the call context.
/// 0: the call was refused.
///
/// If `call_context->reply` is set, initialise its two responses (to null and 0, or with buffers), and release both by
/// `rb_response_release` whatever the status is. Trailers have the same layout as the metadata of the call context; the
/// library validates them.
///
/// Errors in addition to those of `rb_call`: `RB_INVALID_ARGUMENT` (`rustbridge.InvalidContext`) for an invalid call context:
/// wrong size, flags of a later version, malformed metadata, or trace IDs that are all zero. `RB_NOT_FOUND`: there is no such
/// object.
///
/// Thread: any, also inside another call. State: active.
///
/// # Safety
/// As for `rb_call`. `call_context` is null or has as many bytes as its `size` specifies. Until the function returns, its pointers are
/// readable and unchanged and its `reply` is writable. `op` is null or writable.
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
        handles::call_with(
            instance,
            entry,
            call_context,
            op,
            request,
            request_len,
            response,
        )
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
