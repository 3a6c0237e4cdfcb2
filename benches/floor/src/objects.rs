//! Objects by hand: a box whose address the host keeps, and trusts.

use crate::{INVALID_ARGUMENT, OK, request_bytes};

/// What `Adder` of bench-plugin is.
struct Adder {
    by: i32,
}

/// Makes an object that adds 41; the response is its address.
///
/// # Safety
/// `response` points to `capacity` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_adder_new(
    _handle: *mut u8,
    _id: u32,
    _request: *const u8,
    _len: usize,
    response: *mut u8,
    capacity: usize,
    _response_len: *mut usize,
) -> i32 {
    if capacity != size_of::<usize>() {
        return INVALID_ARGUMENT;
    }
    let adder = Box::into_raw(Box::new(Adder { by: 41 }));
    // SAFETY: there is room for one.
    unsafe { response.cast::<*mut Adder>().write_unaligned(adder) };
    OK
}

/// `{value: i32}` → as much more as the object says.
///
/// # Safety
/// `handle` is the address of an object that wasn't dropped, `request` points to `len` readable bytes, `response` to
/// `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_adder_add(
    handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for both.
    let (adder, request) = unsafe { (&*handle.cast::<Adder>(), request_bytes(request, len)) };
    let Some(value) = request.first_chunk().filter(|_| capacity >= 4) else {
        return INVALID_ARGUMENT;
    };
    let sum = i32::from_ne_bytes(*value).wrapping_add(adder.by);
    // SAFETY: there is room for it, and the caller vouches for the length.
    unsafe {
        response.cast::<i32>().write_unaligned(sum);
        response_len.write(4);
    }
    OK
}

/// Drops an object.
///
/// # Safety
/// `handle` is the address of an object, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_adder_drop(
    handle: *mut u8,
    _id: u32,
    _request: *const u8,
    _len: usize,
    _response: *mut u8,
    _capacity: usize,
    _response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for it.
    drop(unsafe { Box::from_raw(handle.cast::<Adder>()) });
    OK
}

#[cfg(test)]
mod tests {
    use std::ptr::{null, null_mut};

    use super::*;

    #[test]
    fn an_object_is_made_used_and_dropped() {
        let (mut object, mut sum, mut len) = (null_mut::<u8>(), 0i32, 0);
        let request = 23i32.to_ne_bytes();
        // SAFETY: all pointers are to live values of the sizes given.
        unsafe {
            let made = (&raw mut object).cast();
            assert_eq!(
                floor_adder_new(null_mut(), 1, null(), 0, made, 8, null_mut()),
                OK
            );
            let answer = (&raw mut sum).cast();
            let status = floor_adder_add(object, 1, request.as_ptr(), 4, answer, 4, &mut len);
            assert_eq!((status, sum, len), (OK, 64, 4));
            assert_eq!(
                floor_adder_drop(object, 1, null(), 0, null_mut(), 0, null_mut()),
                OK
            );
        }
    }
}
