//! What is loaded in this process, for people and tests.

use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary;

/// Gives a JSON object that tells what is loaded: the mapped libraries with content hash and size, and the live
/// instances with name, state, running and pending calls, log level and dropped records. For people and tests, not for a hot loop.
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
