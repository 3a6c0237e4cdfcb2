//! Calls with bytes by hand: echoes, failures, blobs and packed numbers.

use std::slice;
use std::sync::LazyLock;

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

/// What every answer of [`floor_blob`] is the beginning of: byte `i` is `i` mod 251.
static BLOB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    (0..251)
        .collect::<Vec<u8>>()
        .into_iter()
        .cycle()
        .take(16 << 20)
        .collect()
});

/// A size as a little-endian `u32` → that many bytes of a cache, as `get_blob` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_blob(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for it.
    let Some(size) = number(unsafe { request_bytes(request, len) }) else {
        return INVALID_ARGUMENT;
    };
    if size > capacity || size > BLOB.len() {
        return INVALID_ARGUMENT;
    }
    // SAFETY: the caller vouches for the response; there is room, as was just checked.
    unsafe {
        slice::from_raw_parts_mut(response, size).copy_from_slice(&BLOB[..size]);
        response_len.write(size);
    }
    OK
}

/// Packed little-endian `i64` → their sum, as `sum` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_sum(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for it.
    let (numbers, rest) = unsafe { request_bytes(request, len) }.as_chunks::<8>();
    if !rest.is_empty() || capacity < 8 {
        return INVALID_ARGUMENT;
    }
    let numbers = numbers.iter().map(|&number| i64::from_le_bytes(number));
    let sum = numbers.fold(0, i64::wrapping_add);
    // SAFETY: the caller vouches for the response; there is room, as was just checked.
    unsafe {
        response.cast::<[u8; 8]>().write(sum.to_le_bytes());
        response_len.write(8);
    }
    OK
}

/// A count as a little-endian `u32` → as many packed `i64` from 1, as `numbers` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_numbers(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for it.
    let Some(count) = number(unsafe { request_bytes(request, len) }) else {
        return INVALID_ARGUMENT;
    };
    if count > capacity / 8 {
        return INVALID_ARGUMENT;
    }
    for index in 0..count {
        // SAFETY: the caller vouches for the response; there is room, as was just checked.
        unsafe {
            let place = response.cast::<[u8; 8]>().add(index);
            place.write((index as i64 + 1).to_le_bytes());
        }
    }
    // SAFETY: the caller vouches for it.
    unsafe { response_len.write(count * 8) };
    OK
}

/// The little-endian number that the request consists of.
fn number(request: &[u8]) -> Option<usize> {
    let bytes = request.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Floor =
        unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

    fn call(function: Floor, request: &[u8], capacity: usize) -> Result<Vec<u8>, i32> {
        let (mut response, mut len) = (vec![0; capacity], 0);
        // SAFETY: all pointers are to live values of the sizes given.
        let status = unsafe {
            function(
                std::ptr::null_mut(),
                0,
                request.as_ptr(),
                request.len(),
                response.as_mut_ptr(),
                capacity,
                &mut len,
            )
        };
        response.truncate(len);
        if status == OK {
            Ok(response)
        } else {
            Err(status)
        }
    }

    #[test]
    fn numbers_given_are_numbers_that_can_be_added_up() {
        let count = 10_000u32.to_le_bytes();
        let packed = call(floor_numbers, &count, 80_000).expect("there is room");
        assert_eq!(packed.len(), 80_000);
        assert_eq!(
            call(floor_sum, &packed, 8),
            Ok(50_005_000i64.to_le_bytes().to_vec())
        );
        assert_eq!(call(floor_numbers, &count, 79_999), Err(INVALID_ARGUMENT));
        assert_eq!(call(floor_numbers, &[0; 5], 8), Err(INVALID_ARGUMENT));
        assert_eq!(call(floor_sum, &packed[1..], 8), Err(INVALID_ARGUMENT));
        assert_eq!(call(floor_sum, &packed, 7), Err(INVALID_ARGUMENT));
    }

    #[test]
    fn a_blob_is_the_beginning_of_the_cache() {
        let blob = call(floor_blob, &300u32.to_le_bytes(), 300).expect("there is room");
        assert_eq!(
            (blob.len(), blob[250], blob[251], blob[299]),
            (300, 250, 0, 48)
        );
        assert_eq!(
            call(floor_blob, &300u32.to_le_bytes(), 299),
            Err(INVALID_ARGUMENT)
        );
        let large = (17u32 << 20).to_le_bytes();
        assert_eq!(call(floor_blob, &large, 17 << 20), Err(INVALID_ARGUMENT));
    }

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
