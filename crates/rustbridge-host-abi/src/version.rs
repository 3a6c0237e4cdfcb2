//! Versions and the names of statuses.

use core::ffi::c_char;

use rustbridge_abi::{ABI_VERSION, Status, StatusCode};

/// The ABI version of this library: major in the upper 16 bits, minor in the lower 16. Compare the major with
/// `RB_ABI_MAJOR` of the header you compiled with when the library may be another one.
///
/// Thread: any. State: none needed.
#[unsafe(no_mangle)]
pub extern "C" fn rb_abi_version() -> u32 {
    ABI_VERSION
}

/// The version of this library, e.g. `0.1.0`: NUL-terminated, valid for good.
///
/// Thread: any. State: none needed.
#[unsafe(no_mangle)]
pub extern "C" fn rb_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The canonical name of a status, e.g. `INVALID_ARGUMENT`: NUL-terminated, valid for good. `UNKNOWN` for a number
/// that isn't a status; never null.
///
/// Thread: any. State: none needed.
#[unsafe(no_mangle)]
pub extern "C" fn rb_status_name(status: StatusCode) -> *const c_char {
    Status::from_code(status).c_name().as_ptr()
}
