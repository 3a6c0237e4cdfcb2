//! Where a response goes, where it is, and how its memory is given back.

use core::ffi::c_void;
use core::ptr;

/// Where a response goes, and where it is.
///
/// It never grows: it stands inside other structs, and each call would pay for looking at a size. What else may come back
/// from a call has a place of its own.
///
/// Before the call the caller sets `data` and `capacity` to storage of its own (or null and 0). The callee answers in
/// one of two ways and sets `len` and `release` (the host has set them to 0 and null, so a callee that leaves them has
/// answered no bytes):
///
/// * the response fits: its bytes are at the caller's `data`, `len` is their number, `release` is null;
/// * it does not fit, or is handed over as it stands: `data`, `len` (and `capacity`, `owner`, for the callee's own
///   use) describe memory of the callee's, and `release` is not null.
///
/// Anything else can't be true, and the host gives such a response up without calling its `release`: bytes in the caller's
/// storage that are more than it holds or come with a release, bytes elsewhere without one, at null, or more than
/// PTRDIFF_MAX. Memory that nobody has to free, a constant say, is handed over with a release that does nothing.
///
/// What else the caller's storage holds afterwards is unspecified: the callee may have begun to write there.
///
/// Whoever holds the struct then calls `release` once, with a pointer to a bitwise copy of the struct, from any
/// thread, at any time, also after the instance was closed; the code that `release` lives in stays mapped. The bytes
/// are readable until then. On failure (status not `RB_OK`) the bytes are the error payload, one JSON object
/// (of an entry in `wire` whose error has a type, the wire form, which begins with a byte 1);
/// none at all, of a plugin that has nothing to say, is passed on as none.
#[repr(C)]
#[derive(Debug)]
pub struct Response {
    /// In: the caller's storage, or null. Out: the first byte of the response; may be null when `len` is 0.
    pub data: *mut u8,
    /// In: size of the caller's storage in bytes. Out: unchanged, or the callee's own when `release` is set.
    pub capacity: usize,
    /// Out: length of the response in bytes.
    pub len: usize,
    /// Out: null when the response is in the caller's storage, otherwise the function that frees it. Must not unwind.
    ///
    /// Thread: any. State: any, also after the instance was closed.
    pub release: Option<unsafe extern "C" fn(response: *mut Response)>,
    /// Out: for `release` alone; meaningless while `release` is null.
    pub owner: *mut c_void,
}

impl Response {
    /// A response with no caller's storage: whatever is answered, unless empty, is handed over.
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

    /// A response to be written into `capacity` bytes at `data` where it fits.
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
