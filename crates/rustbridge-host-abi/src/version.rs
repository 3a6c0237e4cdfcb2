//! Versions and the names of statuses.

use core::ffi::c_char;

use rustbridge_abi::{ABI_VERSION, Status, StatusCode};

/// Returns the ABI version of this library: major in the upper 16 bits, minor in the lower 16. If the library may differ from
/// the one you compiled against, compare the major version with `RB_ABI_MAJOR`.
///
/// Thread: any. State: none needed.
#[unsafe(no_mangle)]
pub extern "C" fn rb_abi_version() -> u32 {
    ABI_VERSION
}

/// Returns the version of this library, for example `0.1.0`: NUL-terminated, valid as long as the process lives.
///
/// Thread: any. State: none needed.
#[unsafe(no_mangle)]
pub extern "C" fn rb_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the canonical name of a status, for example `INVALID_ARGUMENT`: NUL-terminated, valid as long as the process lives.
/// `UNKNOWN` for a number that is not a status. Never null.
///
/// Thread: any. State: none needed.
#[unsafe(no_mangle)]
pub extern "C" fn rb_status_name(status: StatusCode) -> *const c_char {
    Status::from_code(status).c_name().as_ptr()
}
