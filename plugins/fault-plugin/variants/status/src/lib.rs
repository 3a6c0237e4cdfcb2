//! A library whose answers are unusual. The instance pointer is null and its name empty, which is legal. Its methods, all raw:
//!
//! | entry | method | answer |
//! | --- | --- | --- |
//! | 0 | `status` | fails with the status that the request's four little-endian bytes say, whatever it is, and no payload |
//! | 1 | `static` | success with a static text handed over, although the storage might hold it; `release` counts |
//! | 2 | `released` | how often `release` ran, as a little-endian u64 |
//! | 3 | `garbage` | fails with `ABORTED` and a payload that isn't JSON |
//! | 4 | `empty` | success, `data` null and `len` 0 |
//! | 5 | `released_empty` | success, `len` 0 and yet a `release`, which counts |
//! | 6 | `where` | success with `data` null and `len` 0 for an empty request; `static` handed over for `h`, named where it lies with nothing to release it for `c`, which the core refuses, and written to the storage, if there's room, for any other |

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use rustbridge_abi::{
    CallContext, Host, PluginTable, RB_ABORTED, RB_NOT_FOUND, RB_OK, Response, StatusCode,
};

/// Right with several instances because there's nothing else to tell them apart by: it counts for the library.
static RELEASED: AtomicU64 = AtomicU64::new(0);

const DESCRIPTION: &str = r#"{"abi":"1.0","name":"","version":"0.1.0","methods":[
{"name":"status","entries":[{"index":0,"encoding":"raw"}]},
{"name":"static","entries":[{"index":1,"encoding":"raw"}]},
{"name":"released","entries":[{"index":2,"encoding":"raw","leaf":true,"async":false}]},
{"name":"garbage","entries":[{"index":3,"encoding":"raw"}]},
{"name":"empty","entries":[{"index":4,"encoding":"raw"}]},
{"name":"released_empty","entries":[{"index":5,"encoding":"raw"}]},
{"name":"where","entries":[{"index":6,"encoding":"raw"}]}]}"#;

/// What every host gets: immutable, so right with any number of them.
static TABLE: PluginTable = PluginTable {
    describe: Some(describe),
    create: Some(create),
    call: Some(call),
    destroy: Some(destroy),
    extension: Some(extension),
    ..PluginTable::EMPTY
};

/// # Safety
/// `response` is null or writable.
unsafe fn hand_over(response: *mut Response, bytes: &'static [u8], len: usize) {
    // SAFETY: the caller vouches for it.
    if let Some(response) = unsafe { response.as_mut() } {
        response.data = bytes.as_ptr().cast_mut();
        response.len = len;
        response.capacity = bytes.len();
        response.release = Some(release);
    }
}

unsafe extern "C" fn release(_: *mut Response) {
    RELEASED.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn describe(_context: *mut c_void, response: *mut Response) -> StatusCode {
    // SAFETY: the host's response, null or writable.
    unsafe { hand_over(response, DESCRIPTION.as_bytes(), DESCRIPTION.len()) };
    // The description's own release isn't one a test would count.
    RELEASED.store(0, Ordering::SeqCst);
    RB_OK
}

unsafe extern "C" fn create(
    _context: *mut c_void,
    _: *const Host,
    _: *const u8,
    _: usize,
    instance: *mut *mut c_void,
    _: *mut Response,
) -> StatusCode {
    // SAFETY: the ABI says that it's writable.
    unsafe { instance.write(ptr::null_mut()) };
    RELEASED.store(0, Ordering::SeqCst);
    RB_OK
}

unsafe extern "C" fn call(
    _: *mut c_void,
    entry: u32,
    _: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the host's response, null or writable.
    if let Some(response) = unsafe { response.as_mut() } {
        response.len = 0;
        response.release = None;
    }
    match entry {
        0 if request_len == 4 => {
            // SAFETY: four bytes are readable, at whatever address.
            StatusCode::from_le_bytes(unsafe { request.cast::<[u8; 4]>().read_unaligned() })
        }
        1 => {
            // SAFETY: the host's response, null or writable.
            unsafe { hand_over(response, b"static", 6) };
            RB_OK
        }
        2 => {
            let count = RELEASED.load(Ordering::SeqCst).to_le_bytes();
            // SAFETY: the host's response, null or writable.
            match unsafe { response.as_mut() } {
                Some(response) if response.capacity >= count.len() => {
                    // SAFETY: the host's storage has room.
                    unsafe { ptr::copy_nonoverlapping(count.as_ptr(), response.data, count.len()) };
                    response.len = count.len();
                }
                Some(response) => {
                    let bytes = Box::leak(Box::new(count));
                    // SAFETY: the host's response.
                    unsafe { hand_over(response, bytes, bytes.len()) };
                    response.release = Some(ignore);
                }
                None => {}
            }
            RB_OK
        }
        3 => {
            // SAFETY: the host's response, null or writable.
            unsafe { hand_over(response, b"{\"code\": oops \xff", 15) };
            RB_ABORTED
        }
        4 => {
            // SAFETY: the host's response, null or writable.
            if let Some(response) = unsafe { response.as_mut() } {
                response.data = ptr::null_mut();
            }
            RB_OK
        }
        5 => {
            // SAFETY: the host's response, null or writable.
            unsafe { hand_over(response, b"", 0) };
            RB_OK
        }
        6 => {
            // SAFETY: the host's response, null or writable.
            match unsafe { response.as_mut() } {
                Some(response) if request_len == 0 => response.data = ptr::null_mut(),
                // SAFETY: the request isn't empty.
                Some(response) if unsafe { *request } == b'c' => {
                    response.data = b"static".as_ptr().cast_mut();
                    response.len = 6;
                }
                Some(response)
                    // SAFETY: the request isn't empty.
                    if response.capacity >= 6 && unsafe { *request } != b'h' =>
                {
                    // SAFETY: the host's storage has room. It isn't looked at whether there is any, as a plugin need not.
                    unsafe { ptr::copy_nonoverlapping(b"static".as_ptr(), response.data, 6) };
                    response.len = 6;
                }
                // SAFETY: the host's response, null or writable.
                _ => unsafe { hand_over(response, b"static", 6) },
            }
            RB_OK
        }
        _ => RB_NOT_FOUND,
    }
}

unsafe extern "C" fn ignore(_: *mut Response) {}

unsafe extern "C" fn destroy(_: *mut c_void, _: *mut Response) -> StatusCode {
    RB_OK
}

unsafe extern "C" fn extension(_context: *mut c_void, _: *const c_char) -> *const c_void {
    ptr::null()
}

/// The one symbol.
// SAFETY: no other symbol of this library has the name.
#[unsafe(no_mangle)]
pub extern "C" fn rustbridge_plugin(_host_abi_version: u32) -> *const PluginTable {
    &raw const TABLE
}
