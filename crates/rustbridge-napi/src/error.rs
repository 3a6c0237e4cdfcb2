//! Errors: a status and a payload become what JavaScript throws.

use core::ptr;

use napi_sys::*;
use rustbridge_abi::{Response, StatusCode};

use crate::environment::{Environment, Handler};
use crate::memory::{of, release, taken};
use crate::text;
use crate::value;

/// What a plugin, or who waits for one, is told where something is too long for a string of JavaScript's.
pub(crate) const TOO_LARGE: &str = r#"{"code":"RESOURCE_EXHAUSTED","message":"the text exceeds the maximum length of this runtime's strings","type":"rustbridge.TooLarge"}"#;

/// Throws what a failed function left in `response`, and releases it. Always null, to be returned.
///
/// # Safety
/// In a callback of the environment; the response is filled in.
#[cold]
#[inline(never)]
pub(crate) unsafe fn raise(
    environment: &Environment,
    status: StatusCode,
    response: &mut Response,
) -> napi_value {
    let env = environment.env;
    // SAFETY: the caller's promise.
    unsafe {
        let payload = payload(env, response);
        let error = environment.call(Handler::Fail, &[value::status(env, status), payload]);
        if !error.is_null() {
            napi_throw(env, error);
        }
    }
    ptr::null_mut()
}

/// An error's payload: a string of what's JSON, else bytes; released.
///
/// # Safety
/// As for [`raise`].
pub(crate) unsafe fn payload(env: napi_env, response: &mut Response) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        if of(response).first() == Some(&1) {
            return taken(env, response);
        }
        let text = text::string(env, of(response));
        release(response);
        text
    }
}
