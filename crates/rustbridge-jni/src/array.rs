//! Between Java arrays and bytes.

use core::slice;

use jni::Env;
use jni::errors::Error;
use jni::objects::{JByteArray, JLongArray};
use jni::sys::{JNIEnv, jbyte, jbyteArray, jlong, jsize};

use crate::thrown::Failure;

/// The bytes of an array, copied; None for null.
pub(crate) fn bytes(env: &Env<'_>, array: &JByteArray<'_>) -> Result<Option<Vec<u8>>, Failure> {
    if array.is_null() {
        return Ok(None);
    }
    Ok(Some(env.convert_byte_array(array)?))
}

/// Bytes of an array, copied to memory that isn't zeroed first: a request of megabytes takes a fifth longer otherwise.
pub(crate) fn region(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    at: usize,
    len: usize,
) -> Result<Vec<u8>, Failure> {
    let size = array.len(env)?;
    if at > size || len > size - at {
        return Err(Failure::Argument("the request extends beyond its array"));
    }
    let mut bytes = Vec::<u8>::with_capacity(len);
    let raw = env.get_raw();
    // SAFETY: the environment is valid as `env` is. The range is inside the array, so all `len` bytes are written and
    // nothing is thrown; arrays are no longer than `jsize` can say.
    unsafe {
        ((**raw).v1_1.GetByteArrayRegion)(
            raw,
            array.as_raw(),
            at as jsize,
            len as jsize,
            bytes.as_mut_ptr().cast(),
        );
        bytes.set_len(len);
    }
    Ok(bytes)
}

/// A new array with these bytes. By the function table, because the `jni` crate's checks cost as much as the copy of a
/// kilobyte.
pub(crate) fn new<'local>(
    env: &mut Env<'local>,
    bytes: &[u8],
) -> Result<JByteArray<'local>, Failure> {
    // SAFETY: the environment is that of this frame, and the reference is a new one of this frame.
    unsafe {
        let raw = new_raw(env.get_raw(), bytes)?;
        Ok(JByteArray::from_raw(env, raw))
    }
}

/// # Safety
/// `env` is the environment of the calling thread, and no exception is pending.
pub(crate) unsafe fn new_raw(env: *mut JNIEnv, bytes: &[u8]) -> Result<jbyteArray, Failure> {
    let Ok(len) = jsize::try_from(bytes.len()) else {
        return Err(Failure::TooLong(bytes.len()));
    };
    // SAFETY: the environment is valid. The array has room for all of the bytes, so nothing is thrown by the copy.
    unsafe {
        let functions = &(**env).v1_1;
        let array = (functions.NewByteArray)(env, len);
        if array.is_null() {
            // An OutOfMemoryError is pending.
            return Err(Failure::Jni(Error::JavaException));
        }
        (functions.SetByteArrayRegion)(env, array, 0, len, bytes.as_ptr().cast());
        Ok(array)
    }
}

/// Copies bytes into an array.
pub(crate) fn set(
    env: &Env<'_>,
    array: &JByteArray<'_>,
    at: jsize,
    bytes: &[u8],
) -> Result<(), Failure> {
    // SAFETY: i8 and u8 have the same layout.
    let bytes = unsafe { slice::from_raw_parts(bytes.as_ptr().cast::<jbyte>(), bytes.len()) };
    Ok(array.set_region(env, at, bytes)?)
}

/// Writes results to the array that Java has passed for them.
pub(crate) fn give(env: &Env<'_>, out: &JLongArray<'_>, values: &[jlong]) -> Result<(), Failure> {
    Ok(out.set_region(env, 0, values)?)
}
