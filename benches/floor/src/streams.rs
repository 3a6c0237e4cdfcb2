//! Streams by hand: an iterator of the host's asking, of structs by the batch and of JSON by the item.

use std::slice;

use serde::Serialize;

use crate::{INVALID_ARGUMENT, OK, request_bytes};

/// An item, as that of `ticks` of bench-plugin.
#[derive(Serialize)]
struct Tick {
    number: u64,
    name: String,
    is_round: bool,
}

/// `{from: u64, end: u64}` → the numbers from the one to before the other, as many as there is room for; as `count` of
/// bench-plugin, a batch a call.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_count(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the request.
    let Some((from, end)) = (unsafe { range(request, len) }) else {
        return INVALID_ARGUMENT;
    };
    // SAFETY: the caller vouches for the response.
    let room = unsafe { slice::from_raw_parts_mut(response, capacity) };
    let (room, _) = room.as_chunks_mut::<8>();
    let mut count = 0;
    for (place, number) in room.iter_mut().zip(from..end) {
        *place = number.to_ne_bytes();
        count += 1;
    }
    // SAFETY: the caller vouches for it.
    unsafe { response_len.write(count * 8) };
    OK
}

/// `{from: u64, end: u64}` → the one of that number as JSON, nothing behind the last; as `ticks` of bench-plugin, an item a
/// call.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_ticks(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the request.
    let Some((number, end)) = (unsafe { range(request, len) }) else {
        return INVALID_ARGUMENT;
    };
    // SAFETY: the caller vouches for the response.
    let mut room = unsafe { slice::from_raw_parts_mut(response, capacity) };
    let tick = Tick {
        number,
        name: "tick".to_owned(),
        is_round: number % 10 == 9,
    };
    if number < end && serde_json::to_writer(&mut room, &tick).is_err() {
        return INVALID_ARGUMENT;
    }
    // SAFETY: the caller vouches for it.
    unsafe { response_len.write(capacity - room.len()) };
    OK
}

/// # Safety
/// `request` points to `len` readable bytes.
unsafe fn range(request: *const u8, len: usize) -> Option<(u64, u64)> {
    // SAFETY: the caller vouches for it.
    let (numbers, _) = unsafe { request_bytes(request, len) }.as_chunks::<8>();
    match numbers {
        [from, end] => Some((u64::from_ne_bytes(*from), u64::from_ne_bytes(*end))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use super::*;

    type Floor =
        unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

    fn call(function: Floor, from: u64, end: u64, room: usize) -> Vec<u8> {
        let request = [from.to_ne_bytes(), end.to_ne_bytes()].concat();
        let (mut response, mut len) = (vec![0; room], 0);
        // SAFETY: all pointers are to live values of the sizes given.
        let status = unsafe {
            let storage = response.as_mut_ptr();
            function(null_mut(), 1, request.as_ptr(), 16, storage, room, &mut len)
        };
        assert_eq!(status, OK);
        response.truncate(len);
        response
    }

    #[test]
    fn numbers_come_by_the_batch_and_stop_before_the_end() {
        let numbers =
            |range: std::ops::Range<u64>| -> Vec<u8> { range.flat_map(u64::to_ne_bytes).collect() };
        assert_eq!(call(floor_count, 3, 100, 32), numbers(3..7));
        assert_eq!(call(floor_count, 98, 100, 32), numbers(98..100));
        assert!(call(floor_count, 100, 100, 32).is_empty());
    }

    #[test]
    fn ticks_come_one_by_one() {
        let tick = br#"{"number":9,"name":"tick","is_round":true}"#;
        assert_eq!(call(floor_ticks, 9, 10, 64), tick);
        assert!(call(floor_ticks, 10, 10, 64).is_empty());
    }
}
