//! Responses: the buffer that a caller offers, and the memory that a callee allocates.

use core::ffi::c_void;
use core::ptr;

/// In: the caller's buffer. Out: the location of the response.
///
/// This struct never grows, because it is part of other structs, and because each call would have to check its size. Optional
/// results have structs of their own.
///
/// Before the call, the caller sets `data` and `capacity` to its buffer (or null and 0). The host sets `len` to 0 and `release`
/// to null, so a callee that leaves them answers with no bytes. The callee responds in one of two ways:
///
/// * The response is in the caller's buffer: it begins at the caller's `data`, `len` is its length, `release` is null.
/// * The response is callee-allocated: `data` and `len` describe memory of the callee, and `release` is not null. `capacity` and
///   `owner` are for the callee's own use.
///
/// Any other combination is invalid, and the host abandons such a response without calling its `release`: a length above the
/// capacity, bytes in the caller's buffer with a release, bytes elsewhere without a release, bytes at null, or more than PTRDIFF_MAX. For
/// memory that need not be freed, such as a constant, set a release that does nothing.
///
/// The rest of the caller's buffer is unspecified after the call, because the callee may have begun to write there.
///
/// The owner of a callee-allocated response calls `release` once, with a pointer to a bitwise copy of the struct: from any thread, at
/// any time, also after the instance was closed. The code of `release` stays mapped. The bytes are readable until then.
///
/// On failure (status not `RB_OK`) the bytes are the error payload, one JSON object. For an entry in `wire` whose error has a type,
/// they are the wire format, which begins with a byte 1. An empty payload is passed on as such.
#[repr(C)]
#[derive(Debug)]
pub struct Response {
    /// In: the caller's buffer, or null. Out: the first byte of the response; may be null when `len` is 0.
    pub data: *mut u8,
    /// In: size of the caller's buffer in bytes. Out: unchanged, or for the callee's own use when `release` is set.
    pub capacity: usize,
    /// Out: length of the response in bytes.
    pub len: usize,
    /// Out: null when the response is in the caller's buffer, otherwise the function that frees it. Must not unwind.
    ///
    /// Thread: any. State: any, also after the instance was closed.
    pub release: Option<unsafe extern "C" fn(response: *mut Response)>,
    /// Out: for `release` only; meaningless while `release` is null.
    pub owner: *mut c_void,
}

impl Response {
    /// Creates a response without a buffer: any answer that isn't empty is callee-allocated.
    #[must_use]
    pub const fn empty() -> Response {
        Response {
            data: ptr::null_mut(),
            capacity: 0,
            len: 0,
            release: None,
            owner: ptr::null_mut(),
        }
    }

    /// Creates a response with a buffer of `capacity` bytes at `data`.
    #[must_use]
    pub const fn with_buffer(data: *mut u8, capacity: usize) -> Response {
        Response {
            data,
            capacity,
            len: 0,
            release: None,
            owner: ptr::null_mut(),
        }
    }
}
