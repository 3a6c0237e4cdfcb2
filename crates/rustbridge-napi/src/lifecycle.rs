//! The functions that aren't calls: each reads its arguments and calls the host ABI.

use core::ptr;
use std::rc::Rc;
use std::sync::Arc;

use napi_sys::*;
use rustbridge_abi::{RB_OK, Response, StatusCode, Text};
use rustbridge_core::handles::pin_this_library;
use rustbridge_host_abi as abi;

use crate::call::inside;
use crate::environment::{Environment, close_in_background};
use crate::error::raise;
use crate::functions;
use crate::memory::{Memory, of, release};
use crate::method::Method;
use crate::operations::finish;
use crate::post::Letter;
use crate::text;
use crate::value::{self, arguments, is_missing, is_true, kind, long, undefined, word};

/// The bytes of a string or a typed array, copied; empty if it's missing. None with an exception.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn content(env: napi_env, value: napi_value) -> Option<Vec<u8>> {
    // SAFETY: the caller's promise.
    unsafe {
        if is_missing(env, value) {
            return Some(Vec::new());
        }
        if kind(env, value) == ValueType::napi_string {
            return text::owned(env, value);
        }
        Memory::expect(env, value).map(|memory| memory.to_vec())
    }
}

pub(crate) fn as_text(bytes: &[u8]) -> Text {
    Text {
        data: bytes.as_ptr().cast(),
        len: bytes.len(),
    }
}

/// A text that a function gives, as a string, or the error.
///
/// # Safety
/// In a callback of the environment.
unsafe fn gives_text(
    environment: &Environment,
    run: impl FnOnce(&mut Response) -> StatusCode,
) -> napi_value {
    let mut response = Response::empty();
    // SAFETY: the response is ours.
    unsafe {
        match run(&mut response) {
            RB_OK => {
                let text = text::string(environment.env, of(&response));
                release(&mut response);
                text
            }
            status => raise(environment, status, &mut response),
        }
    }
}

/// `name(handle) -> text`.
pub(crate) unsafe extern "C" fn name(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle], environment) = arguments::<1, Environment>(env, info);
        match long(env, handle) {
            Some(handle) => gives_text(&*environment, |response| abi::rb_name(handle, response)),
            None => ptr::null_mut(),
        }
    }
}

/// `describe(handle) -> text`.
pub(crate) unsafe extern "C" fn describe(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle], environment) = arguments::<1, Environment>(env, info);
        match long(env, handle) {
            Some(handle) => {
                gives_text(&*environment, |response| abi::rb_describe(handle, response))
            }
            None => ptr::null_mut(),
        }
    }
}

/// `inspect() -> text`.
pub(crate) unsafe extern "C" fn inspect(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([], environment) = arguments::<0, Environment>(env, info);
        gives_text(&*environment, |response| abi::rb_inspect(response))
    }
}

/// `version() -> text`.
pub(crate) unsafe extern "C" fn version(env: napi_env, _: napi_callback_info) -> napi_value {
    // SAFETY: the version is a NUL-terminated constant.
    unsafe {
        let version = core::ffi::CStr::from_ptr(abi::rb_version());
        text::string(env, version.to_bytes())
    }
}

/// `prepare(handle, name | id, encoding, has_services)`, or `prepare(handle, name, undefined, has_services, fingerprint, client_schema)` for a typed
/// client; gives what `functions::told` does.
pub(crate) unsafe extern "C" fn prepare(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment; texts outlive the call.
    unsafe {
        let ([handle, name, encoding, services, fingerprint, client_schema], environment) =
            arguments::<6, Environment>(env, info);
        let Some(handle) = long(env, handle) else {
            return ptr::null_mut();
        };
        let mut out = abi::Method::EMPTY;
        let mut error = Response::empty();
        let status = if kind(env, name) == ValueType::napi_number {
            let (Some(id), Some(encoding)) = (word(env, name), word(env, encoding)) else {
                return ptr::null_mut();
            };
            abi::rb_prepare_id(handle, id, encoding, &mut out, &mut error)
        } else {
            let Some(name) = text::owned(env, name) else {
                return ptr::null_mut();
            };
            if is_missing(env, encoding) {
                let (Some(fingerprint), Some(client_schema)) = (
                    text::owned(env, fingerprint),
                    text::owned(env, client_schema),
                ) else {
                    return ptr::null_mut();
                };
                abi::rb_prepare_typed(
                    handle,
                    as_text(&name),
                    as_text(&fingerprint),
                    as_text(&client_schema),
                    &mut out,
                    &mut error,
                )
            } else {
                let Some(encoding) = word(env, encoding) else {
                    return ptr::null_mut();
                };
                abi::rb_prepare(handle, as_text(&name), encoding, &mut out, &mut error)
            }
        };
        if status != RB_OK {
            return raise(&*environment, status, &mut error);
        }
        Rc::increment_strong_count(environment);
        let environment = Rc::from_raw(environment.cast_const());
        let method = Method::new(environment, handle, &out, is_true(env, services));
        functions::told(env, method, &out)
    }
}

/// `state(handle) -> number`.
pub(crate) unsafe extern "C" fn state(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle], environment) = arguments::<1, Environment>(env, info);
        let Some(handle) = long(env, handle) else {
            return ptr::null_mut();
        };
        let mut state = 0;
        let mut error = Response::empty();
        match abi::rb_state(handle, &mut state, &mut error) {
            RB_OK => value::small(env, state),
            status => raise(&*environment, status, &mut error),
        }
    }
}

/// What a close waits for.
fn options(timeout: u64, cancel_after: Option<u64>) -> abi::CloseOptions {
    abi::CloseOptions {
        timeout_ms: timeout,
        flags: if cancel_after.is_some() {
            abi::RB_CLOSE_CANCEL
        } else {
            0
        },
        cancel_after_ms: cancel_after.unwrap_or(0),
        ..abi::CloseOptions::EMPTY
    }
}

/// `close(handle, timeout_ms, cancel_after_ms | undefined, number | undefined)`: on a thread of its own if there's a number, of which `Over` tells.
pub(crate) unsafe extern "C" fn close(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle, timeout, after, number], environment) =
            arguments::<4, Environment>(env, info);
        let environment = &*environment;
        let (Some(handle), Some(timeout)) = (long(env, handle), long(env, timeout)) else {
            return ptr::null_mut();
        };
        let mut cancel_after = None;
        if !is_missing(env, after) {
            cancel_after = long(env, after);
            if cancel_after.is_none() {
                return ptr::null_mut();
            }
        }
        let options = options(timeout, cancel_after);
        if is_missing(env, number) {
            let answer = finish(environment, |report| {
                inside(environment, || abi::rb_close_with(handle, &options, report))
            });
            forget_closed(environment, handle);
            return answer;
        }
        let Some(number) = word(env, number) else {
            return ptr::null_mut();
        };
        let wait = move || {
            waited(number, |report| {
                abi::rb_close_with(handle, &options, report)
            })
        };
        on_a_thread(environment, wait)
    }
}

/// `flush(handle, timeout_ms, number)`: likewise.
pub(crate) unsafe extern "C" fn flush(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle, timeout, number], environment) = arguments::<3, Environment>(env, info);
        let (Some(handle), Some(timeout), Some(number)) =
            (long(env, handle), long(env, timeout), word(env, number))
        else {
            return ptr::null_mut();
        };
        let wait = move || waited(number, |error| abi::rb_log_flush(handle, timeout, error));
        on_a_thread(&*environment, wait)
    }
}

/// Waits, and gives the letter that tells of it.
fn waited(number: u32, run: impl FnOnce(&mut Response) -> StatusCode) -> Letter {
    let mut report = Response::empty();
    let status = run(&mut report);
    // SAFETY: the response is ours.
    unsafe {
        let payload = of(&report).to_vec();
        release(&mut report);
        Letter::Over(number, status, payload)
    }
}

/// Waits on a thread, so that the loop doesn't; the loop stays alive until it's told.
///
/// # Safety
/// In a callback of the environment.
unsafe fn on_a_thread(
    environment: &Environment,
    wait: impl FnOnce() -> Letter + Send + 'static,
) -> napi_value {
    let post = Arc::clone(&environment.post);
    // SAFETY: the caller's promise.
    unsafe {
        beside_the_loop(environment, move || {
            post.put(wait());
        })
    }
}

/// Runs something on a thread of its own.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn beside_the_loop(
    environment: &Environment,
    run: impl FnOnce() + Send + 'static,
) -> napi_value {
    // A worker that is the only one that has loaded this may end before the thread does.
    pin_this_library();
    let begun = std::thread::Builder::new()
        .name("rustbridge-wait".to_owned())
        .spawn(run);
    // SAFETY: the caller's promise.
    unsafe {
        match begun {
            Ok(_) => undefined(environment.env),
            Err(_) => value::throw(
                environment.env,
                c"the system can't create a thread to wait on",
            ),
        }
    }
}

/// Forgets an instance that is closed.
fn forget_closed(environment: &Environment, handle: u64) {
    let mut state = 0;
    // SAFETY: the place is ours.
    unsafe { abi::rb_state(handle, &mut state, ptr::null_mut()) };
    if state == abi::RB_STATE_CLOSED {
        environment.forget_instance(handle);
    }
}

/// `forget(handle)`: the instance was closed on another thread.
pub(crate) unsafe extern "C" fn forget(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle], environment) = arguments::<1, Environment>(env, info);
        if let Some(handle) = long(env, handle) {
            forget_closed(&*environment, handle);
        }
        ptr::null_mut()
    }
}

/// `abandon(handle)`: nobody has the plugin any more, so it's closed, on a thread.
pub(crate) unsafe extern "C" fn abandon(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle], environment) = arguments::<1, Environment>(env, info);
        if let Some(handle) = long(env, handle) {
            (*environment).forget_instance(handle);
            close_in_background(handle, std::time::Duration::MAX, std::time::Duration::ZERO);
        }
        ptr::null_mut()
    }
}

/// `set_level(handle, level)`.
pub(crate) unsafe extern "C" fn set_level(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([handle, level], environment) = arguments::<2, Environment>(env, info);
        let (Some(handle), Some(level)) = (long(env, handle), word(env, level)) else {
            return ptr::null_mut();
        };
        finish(&*environment, |error| {
            abi::rb_log_set_level(handle, level, error)
        })
    }
}
