//! Values of JavaScript: made from Rust's, and read.
//!
//! A function of Node-API that fails leaves an exception, or finds the environment ending. Either way there's nothing to be done but to
//! return, so what makes a value gives null then, which JavaScript sees as `undefined` if it sees it at all: Node-API itself takes no null.

use core::ffi::{CStr, c_char};
use core::ptr;

use napi_sys::*;

/// A function as Node-API calls it.
pub(crate) type Function = unsafe extern "C" fn(napi_env, napi_callback_info) -> napi_value;

/// The arguments of a call, `undefined` where there are fewer, and what the function was made with.
///
/// # Safety
/// Called inside a callback of this environment, with its own `info`.
#[inline(always)]
pub(crate) unsafe fn arguments<const N: usize, T>(
    env: napi_env,
    info: napi_callback_info,
) -> ([napi_value; N], *mut T) {
    let mut found = [ptr::null_mut(); N];
    let mut count = N;
    let mut data = ptr::null_mut();
    // SAFETY: there's room for `count` arguments.
    unsafe {
        napi_get_cb_info(
            env,
            info,
            &mut count,
            found.as_mut_ptr(),
            ptr::null_mut(),
            &mut data,
        );
    }
    (found, data.cast())
}

/// Calls a function of Node-API that makes a value.
macro_rules! made {
    ($function:ident, $env:expr $(, $argument:expr)*) => {{
        let mut value = core::ptr::null_mut();
        napi_sys::$function($env $(, $argument)*, &mut value);
        value
    }};
}
pub(crate) use made;

/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn undefined(env: napi_env) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { made!(napi_get_undefined, env) }
}

/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn number(env: napi_env, number: f64) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { made!(napi_create_double, env, number) }
}

/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn small(env: napi_env, number: u32) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { made!(napi_create_uint32, env, number) }
}

/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn status(env: napi_env, number: i32) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { made!(napi_create_int32, env, number) }
}

/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn big(env: napi_env, number: u64) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { made!(napi_create_bigint_uint64, env, number) }
}

/// The type of a value; -1 if there's none.
///
/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn kind(env: napi_env, value: napi_value) -> napi_valuetype {
    let mut kind = -1;
    // SAFETY: the caller's promise.
    unsafe { napi_typeof(env, value, &mut kind) };
    kind
}

/// A number that fits; none, with a `TypeError`, for anything else. One that a `number` holds exactly may come as that.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn long(env: napi_env, value: napi_value) -> Option<u64> {
    // SAFETY: the caller's promise.
    unsafe {
        let (mut long, mut lossless) = (0, false);
        if napi_get_value_bigint_uint64(env, value, &mut long, &mut lossless) == Status::napi_ok
            && lossless
        {
            return Some(long);
        }
        let mut double = 0.0;
        if napi_get_value_double(env, value, &mut double) == Status::napi_ok && double >= 0.0 {
            return Some(double as u64);
        }
        throw(
            env,
            c"expected a whole number from 0 up, as a number or a bigint",
        );
        None
    }
}

/// As [`long`], of up to 32 bits.
///
/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn word(env: napi_env, value: napi_value) -> Option<u32> {
    let mut word = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if napi_get_value_uint32(env, value, &mut word) == Status::napi_ok {
            return Some(word);
        }
        throw(env, c"expected a whole number");
        None
    }
}

/// Whether a value is `true`.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn is_true(env: napi_env, value: napi_value) -> bool {
    let mut answer = false;
    // SAFETY: the caller's promise.
    unsafe { napi_get_value_bool(env, value, &mut answer) };
    answer
}

/// Whether a value is `undefined` or `null`, or none at all.
///
/// # Safety
/// In a callback of the environment.
#[inline]
pub(crate) unsafe fn is_missing(env: napi_env, value: napi_value) -> bool {
    // SAFETY: the caller's promise.
    let kind = unsafe { kind(env, value) };
    kind == ValueType::napi_undefined || kind == ValueType::napi_null || kind == -1
}

/// The elements of an array; none, with a `TypeError`, if it isn't one or has too few.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn elements<const N: usize>(
    env: napi_env,
    array: napi_value,
) -> Option<[napi_value; N]> {
    // SAFETY: the caller's promise.
    unsafe {
        let mut count = 0;
        if napi_get_array_length(env, array, &mut count) != Status::napi_ok || (count as usize) < N
        {
            throw(env, c"expected an array of the addon's own");
            return None;
        }
        let mut found = [ptr::null_mut(); N];
        for (index, place) in found.iter_mut().enumerate() {
            if napi_get_element(env, array, index as u32, place) != Status::napi_ok {
                return None;
            }
        }
        Some(found)
    }
}

/// An array of values.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn array(env: napi_env, values: &[napi_value]) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        let array = made!(napi_create_array_with_length, env, values.len());
        for (index, value) in values.iter().enumerate() {
            // Not a hole, which what is inherited would be seen through.
            let value = if value.is_null() {
                undefined(env)
            } else {
                *value
            };
            napi_set_element(env, array, index as u32, value);
        }
        array
    }
}

/// Sets a property of an object that's being made.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn set(env: napi_env, object: napi_value, name: &CStr, value: napi_value) {
    // SAFETY: the caller's promise.
    unsafe { napi_set_named_property(env, object, name.as_ptr(), value) };
}

/// Throws a `TypeError`, and gives null, to be returned.
///
/// # Safety
/// In a callback of the environment.
#[cold]
pub(crate) unsafe fn throw(env: napi_env, message: &CStr) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe { napi_throw_type_error(env, ptr::null(), message.as_ptr()) };
    ptr::null_mut()
}

/// What was thrown and isn't caught, which it is now; null if nothing was.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn thrown(env: napi_env) -> napi_value {
    let (mut is_pending, mut error) = (false, ptr::null_mut());
    // SAFETY: the caller's promise.
    unsafe {
        napi_is_exception_pending(env, &mut is_pending);
        if is_pending {
            napi_get_and_clear_last_exception(env, &mut error);
        }
    }
    error
}

/// A function.
///
/// # Safety
/// In a callback of the environment; the data is what the function expects, for as long as it lives.
pub(crate) unsafe fn function<T>(
    env: napi_env,
    name: &CStr,
    function: Function,
    data: *mut T,
) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        made!(
            napi_create_function,
            env,
            name.as_ptr().cast::<c_char>(),
            name.count_bytes() as isize,
            Some(function),
            data.cast()
        )
    }
}
