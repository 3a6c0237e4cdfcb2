//! A list of all that is loaded in this process, for people and tests.

use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary;

/// Returns a JSON object that lists the mapped libraries (content hash, size) and the live instances (name, state, running and
/// pending calls, log level, dropped records). For people and tests; too slow for a hot loop.
///
/// Thread: any. State: none needed.
///
/// # Safety
/// `response` is a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_inspect(response: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `response`.
    unsafe { boundary::answer(response, || Ok(handles::inspect())) }
}
