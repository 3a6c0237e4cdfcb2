//! Calls with plain structs by hand, and the structs.

use std::mem;

use crate::{INVALID_ARGUMENT, OK, OUT_OF_RANGE};

/// Request of [`floor_pod8`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Pair {
    a: i32,
    b: i32,
}

/// Response of [`floor_pod8`].
#[repr(C)]
#[derive(Clone, Copy)]
struct PairAnswer {
    sum: i32,
    xor: i32,
}

/// Request of [`floor_add16`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Add {
    a: i64,
    b: i64,
}

/// Response of [`floor_add16`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Sum {
    result: i64,
}

/// Request of [`floor_div`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Division {
    a: i64,
    b: i64,
}

/// Response of [`floor_div`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Quotient {
    quotient: f64,
}

/// Request and response of [`floor_answer`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Value {
    value: i32,
}

/// A point in [`Shape`].
#[repr(C)]
#[derive(Clone, Copy)]
struct Point {
    x: i32,
    y: i32,
}

/// Request and response of [`floor_nested`], 32 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct Shape {
    origin: Point,
    corners: [Point; 2],
    id: u64,
}

/// Request of [`floor_small`], 76 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct SmallRequest {
    version: u8,
    reserved: [u8; 3],
    key: [u8; 64],
    key_len: u32,
    flags: u32,
}

/// Response of [`floor_small`], 80 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct SmallResponse {
    version: u8,
    reserved: [u8; 3],
    value: [u8; 64],
    value_len: u32,
    ttl_seconds: u32,
    cache_hit: u8,
    padding: [u8; 3],
}

/// Request of [`floor_big`], 268 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct BigRequest {
    tag: u32,
    values: [u32; 66],
}

/// Response of [`floor_big`], 272 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct BigResponse {
    tag: u32,
    count: u32,
    values: [u32; 66],
}

/// Checks both lengths, and has `work` read the request and write the response where they lie.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`. All
/// bytes are valid values of both types.
#[inline(always)]
unsafe fn answer<Request: Copy, Response: Copy>(
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
    work: impl FnOnce(&Request, &mut Response) -> i32,
) -> i32 {
    if len != size_of::<Request>() || capacity < size_of::<Response>() {
        return INVALID_ARGUMENT;
    }
    let (request, response) = (request.cast::<Request>(), response.cast::<Response>());
    let status = if request.is_aligned() && response.is_aligned() {
        // SAFETY: there is room for one; zeros are a valid value, so that what follows may borrow it.
        unsafe { response.write_bytes(0, 1) };
        // SAFETY: size and alignment were checked, and the caller vouches for the rest.
        unsafe { work(&*request, &mut *response) }
    } else {
        // SAFETY: the size was checked, and zeros are a valid value.
        let (request, mut local) = unsafe { (request.read_unaligned(), mem::zeroed::<Response>()) };
        let status = work(&request, &mut local);
        // SAFETY: there is room for one.
        unsafe { response.write_unaligned(local) };
        status
    };
    // SAFETY: the caller vouches for it.
    unsafe { response_len.write(size_of::<Response>()) };
    status
}

/// `{a, b: i32}` → `{sum, xor: i32}`, as `pod.add32` of conformance-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_pod8(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        answer(
            request,
            len,
            response,
            capacity,
            response_len,
            |pair: &Pair, answer: &mut PairAnswer| {
                answer.sum = pair.a.wrapping_add(pair.b);
                answer.xor = pair.a ^ pair.b;
                OK
            },
        )
    }
}

/// `{a, b: i64}` → `{result: i64}`, checked, as `math.add` of hello-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_add16(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        answer(
            request,
            len,
            response,
            capacity,
            response_len,
            |add: &Add, sum: &mut Sum| match add.a.checked_add(add.b) {
                Some(result) => {
                    sum.result = result;
                    OK
                }
                None => OUT_OF_RANGE,
            },
        )
    }
}

/// `{a, b: i64}` → `{quotient: f64}`, as `div` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_div(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        answer(
            request,
            len,
            response,
            capacity,
            response_len,
            |division: &Division, answer: &mut Quotient| {
                if division.b == 0 {
                    return INVALID_ARGUMENT;
                }
                answer.quotient = division.a as f64 / division.b as f64;
                OK
            },
        )
    }
}

/// `{value: i32}` → `{value: i32}`, 41 more, as `get_answer` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_answer(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        answer(
            request,
            len,
            response,
            capacity,
            response_len,
            |question: &Value, answer: &mut Value| {
                answer.value = question.value.wrapping_add(41);
                OK
            },
        )
    }
}

/// Three points and a number → the points with x and y swapped, as `pod.nested` of conformance-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_nested(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    let swapped = |point: Point| Point {
        x: point.y,
        y: point.x,
    };
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        answer(
            request,
            len,
            response,
            capacity,
            response_len,
            |shape: &Shape, answer: &mut Shape| {
                *answer = Shape {
                    origin: swapped(shape.origin),
                    corners: shape.corners.map(swapped),
                    id: shape.id,
                };
                OK
            },
        )
    }
}

/// A key of up to 64 bytes → `value_for_KEY`, as `bench.small` of hello-plugin in its pod encoding.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_small(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, small) }
}

fn small(request: &SmallRequest, response: &mut SmallResponse) -> i32 {
    const PREFIX: &[u8] = b"value_for_";
    let Some(key) = request.key.get(..request.key_len as usize) else {
        return INVALID_ARGUMENT;
    };
    if request.version != 1 || key.len() > 64 - PREFIX.len() || std::str::from_utf8(key).is_err() {
        return INVALID_ARGUMENT;
    }
    response.version = 1;
    response.value[..PREFIX.len()].copy_from_slice(PREFIX);
    response.value[PREFIX.len()..PREFIX.len() + key.len()].copy_from_slice(key);
    response.value_len = (PREFIX.len() + key.len()) as u32;
    response.ttl_seconds = 3600;
    response.cache_hit = (request.flags & 1) as u8;
    OK
}

/// A tag and 66 numbers → the tag, the count, and each number plus the tag, as `pod.big` of conformance-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_big(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        answer(
            request,
            len,
            response,
            capacity,
            response_len,
            |big: &BigRequest, answer: &mut BigResponse| {
                answer.tag = big.tag;
                answer.count = big.values.len() as u32;
                for (sum, value) in answer.values.iter_mut().zip(&big.values) {
                    *sum = value.wrapping_add(big.tag);
                }
                OK
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Floor =
        unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

    #[repr(align(8))]
    struct Aligned([u8; 512]);

    /// The same answer at any address.
    fn call(function: Floor, bytes: &[u8], capacity: usize) -> Result<Vec<u8>, i32> {
        let answers = [0, 1, 4].map(|offset| call_at(offset, function, bytes, capacity));
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
        answers[0].clone()
    }

    fn call_at(
        offset: usize,
        function: Floor,
        bytes: &[u8],
        capacity: usize,
    ) -> Result<Vec<u8>, i32> {
        let (mut request, mut response) = (Aligned([0; 512]), Aligned([0xaa; 512]));
        request.0[offset..offset + bytes.len()].copy_from_slice(bytes);
        let mut len = 0;
        // SAFETY: all three pointers are to live values of the sizes given.
        let status = unsafe {
            function(
                std::ptr::null_mut(),
                0,
                request.0[offset..].as_ptr(),
                bytes.len(),
                response.0[offset..].as_mut_ptr(),
                capacity,
                &mut len,
            )
        };
        if status == OK {
            Ok(response.0[offset..offset + len].to_vec())
        } else {
            Err(status)
        }
    }

    fn pair(a: i32, b: i32) -> Vec<u8> {
        [a.to_ne_bytes(), b.to_ne_bytes()].concat()
    }

    #[test]
    fn a_pair_gives_its_sum_and_xor() {
        assert_eq!(call(floor_pod8, &pair(2, 3), 8), Ok(pair(5, 1)));
        assert_eq!(
            call(floor_pod8, &pair(i32::MAX, 1), 8),
            Ok(pair(i32::MIN, i32::MAX ^ 1))
        );
    }

    #[test]
    fn points_are_swapped_and_the_number_stays() {
        let shape = |points: [i32; 6], id: u64| {
            let mut bytes: Vec<u8> = points.iter().flat_map(|n| n.to_ne_bytes()).collect();
            bytes.extend(id.to_ne_bytes());
            bytes
        };
        assert_eq!(
            call(floor_nested, &shape([1, 2, 3, 4, 5, 6], 7), 32),
            Ok(shape([2, 1, 4, 3, 6, 5], 7))
        );
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_error() {
        let add =
            |a: i64, b: i64| call(floor_add16, &[a.to_ne_bytes(), b.to_ne_bytes()].concat(), 8);
        assert_eq!(add(40, 2), Ok(42i64.to_ne_bytes().to_vec()));
        assert_eq!(add(i64::MAX, 1), Err(OUT_OF_RANGE));
    }

    #[test]
    fn a_quotient_is_a_double_and_nothing_is_divided_by_zero() {
        let div = |a: i64, b: i64| call(floor_div, &[a.to_ne_bytes(), b.to_ne_bytes()].concat(), 8);
        assert_eq!(div(10, 2), Ok(5f64.to_ne_bytes().to_vec()));
        assert_eq!(div(10, 0), Err(INVALID_ARGUMENT));
    }

    #[test]
    fn the_answer_to_23_is_64() {
        let answer = call(floor_answer, &23i32.to_ne_bytes(), 4);
        assert_eq!(answer, Ok(64i32.to_ne_bytes().to_vec()));
    }

    #[test]
    fn a_key_gives_its_value() {
        let mut request = vec![0; 76];
        request[0] = 1;
        request[4..7].copy_from_slice(b"abc");
        request[68..72].copy_from_slice(&3u32.to_ne_bytes());
        request[72..76].copy_from_slice(&1u32.to_ne_bytes());
        let response = call(floor_small, &request, 80).expect("the key is fine");
        assert_eq!(&response[4..17], b"value_for_abc");
        assert_eq!(&response[68..72], 13u32.to_ne_bytes());
        assert_eq!(&response[72..76], 3600u32.to_ne_bytes());
        assert_eq!(response[76], 1);
        request[68..72].copy_from_slice(&65u32.to_ne_bytes());
        assert_eq!(call(floor_small, &request, 80), Err(INVALID_ARGUMENT));
    }

    #[test]
    fn wrong_lengths_are_refused_before_anything_is_read() {
        assert_eq!(call(floor_pod8, &[0; 7], 8), Err(INVALID_ARGUMENT));
        assert_eq!(call(floor_pod8, &[0; 8], 7), Err(INVALID_ARGUMENT));
        assert_eq!(call(floor_big, &[0; 268], 271), Err(INVALID_ARGUMENT));
        assert_eq!(
            call(floor_big, &[0; 268], 272).map(|response| response.len()),
            Ok(272)
        );
    }
}
