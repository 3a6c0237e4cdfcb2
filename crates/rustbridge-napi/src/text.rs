//! Strings of JavaScript as UTF-8, and back.

use core::mem::MaybeUninit;
use core::ptr;

use napi_sys::*;

use crate::value::{made, throw, thrown};

/// Texts up to about this size are copied on the stack.
const STACK: usize = 4096;

/// How many bytes a character may have: one that doesn't fit any more is left out.
const CHARACTER: usize = 4;

/// Gives a string's UTF-8 to a function; none, with a `TypeError`, if the value isn't one. A surrogate without its other half becomes U+FFFD.
///
/// # Safety
/// In a callback of the environment.
#[inline(always)]
pub(crate) unsafe fn with<T>(
    env: napi_env,
    value: napi_value,
    run: impl FnOnce(&[u8]) -> T,
) -> Option<T> {
    let mut room = MaybeUninit::<[u8; STACK]>::uninit();
    let mut len = 0;
    // SAFETY: `len` bytes of the room are written, and a NUL.
    unsafe {
        let data = room.as_mut_ptr().cast();
        if napi_get_value_string_utf8(env, value, data, STACK, &mut len) != Status::napi_ok {
            throw(env, c"expected a string");
            return None;
        }
        if len < STACK - CHARACTER {
            return Some(run(core::slice::from_raw_parts(data.cast(), len)));
        }
        owned(env, value).map(|text| run(&text))
    }
}

/// A string's UTF-8; none, with a `TypeError`, if the value isn't one.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn owned(env: napi_env, value: napi_value) -> Option<Vec<u8>> {
    let mut len = 0;
    // SAFETY: without a place it's the length that is asked for.
    unsafe {
        if napi_get_value_string_utf8(env, value, ptr::null_mut(), 0, &mut len) != Status::napi_ok {
            throw(env, c"expected a string");
            return None;
        }
        let mut text = Vec::<u8>::with_capacity(len + 1);
        let data = text.as_mut_ptr().cast();
        napi_get_value_string_utf8(env, value, data, len + 1, &mut len);
        text.set_len(len);
        Some(text)
    }
}

/// A string of text that's UTF-8 or nearly so: what isn't is replaced. Null, with a `RangeError`, if strings may not be so long.
///
/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn string(env: napi_env, text: &[u8]) -> napi_value {
    let (data, len) = (text.as_ptr().cast(), text.len() as isize);
    // SAFETY: the bytes are copied.
    unsafe {
        let string = if text.is_ascii() {
            made!(napi_create_string_latin1, env, data, len)
        } else {
            made!(napi_create_string_utf8, env, data, len)
        };
        if string.is_null() {
            throw_too_long(env);
        }
        string
    }
}

/// # Safety
/// As for [`string`].
#[cold]
unsafe fn throw_too_long(env: napi_env) {
    // SAFETY: the caller's promise. Node-API itself throws nothing then.
    unsafe {
        napi_throw_range_error(
            env,
            ptr::null(),
            c"the text exceeds the maximum length of this runtime's strings".as_ptr(),
        );
    }
}

/// As [`string`], of what somebody is to read: one that's too long is left out, and nothing thrown.
///
/// # Safety
/// As for [`string`].
pub(crate) unsafe fn shown(env: napi_env, text: &[u8]) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        let shown = string(env, text);
        if shown.is_null() && !thrown(env).is_null() {
            return string(
                env,
                b"(exceeds the maximum length of this runtime's strings)",
            );
        }
        shown
    }
}
