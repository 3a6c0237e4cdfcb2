use std::slice;

use crate::{ABORTED, INVALID_ARGUMENT, OK, request_bytes};

/// The request's bytes once more, as `raw.echo` of conformance-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_raw_echo(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    if len > capacity {
        return INVALID_ARGUMENT;
    }
    // SAFETY: the caller vouches for both; there is room, as was just checked.
    unsafe {
        let request = request_bytes(request, len);
        slice::from_raw_parts_mut(response, len).copy_from_slice(request);
        response_len.write(len);
    }
    OK
}

/// Fails, with the request as the message in the response, as `raw.fail` of conformance-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_raw_fail(
    handle: *mut u8,
    id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    let status =
        unsafe { floor_raw_echo(handle, id, request, len, response, capacity, response_len) };
    if status == OK { ABORTED } else { status }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_an_answer_or_as_a_message() {
        let (request, mut response, mut len) = ([1, 2, 3], [0; 4], 0);
        for (function, expected) in [
            (
                floor_raw_echo as unsafe extern "C" fn(_, _, _, _, _, _, _) -> _,
                OK,
            ),
            (floor_raw_fail, ABORTED),
        ] {
            // SAFETY: all pointers are to live values of the sizes given.
            let status = unsafe {
                function(
                    std::ptr::null_mut(),
                    0,
                    request.as_ptr(),
                    request.len(),
                    response.as_mut_ptr(),
                    response.len(),
                    &mut len,
                )
            };
            assert_eq!((status, &response[..len]), (expected, &request[..]));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (request, mut response, mut len) = ([1, 2, 3], [0; 2], 0);
        // SAFETY: as above.
        let status = unsafe {
            floor_raw_echo(
                std::ptr::null_mut(),
                0,
                request.as_ptr(),
                request.len(),
                response.as_mut_ptr(),
                response.len(),
                &mut len,
            )
        };
        assert_eq!(status, INVALID_ARGUMENT);
    }
}
