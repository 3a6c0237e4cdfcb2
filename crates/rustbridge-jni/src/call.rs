//! The calls. The hot path is `call_into`: six numbers in, one out.

use jni::errors::Error;
use jni::objects::{JByteArray, JByteBuffer, JClass};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};
use rustbridge_core::handles;

use crate::array;
use crate::numbers::{length, pointer};
use crate::thrown::{self, Failure};

/// `callInto`: as `rb_call_into`, with addresses as longs.
///
/// Leaves are called as all others: JNI has no cheaper kind of call for them.
#[expect(
    clippy::too_many_arguments,
    reason = "the parameters are those of the native method"
)]
pub(crate) fn call_into<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    handle: jlong,
    entry: jint,
    request: jlong,
    request_len: jlong,
    storage: jlong,
    capacity: jlong,
) -> jlong {
    thrown::bare(env, || {
        // SAFETY: the Java classes pass memory of a scratch that this call has borrowed, or of a direct buffer that they
        // keep reachable. The entry says of a request in such a buffer that others may write to it, unless the caller has
        // promised that nobody does and it doesn't overlap the storage. Or null and 0.
        Ok(unsafe {
            handles::call_into(
                handle as u64,
                entry as u32,
                pointer(request),
                length(request_len),
                pointer(storage),
                length(capacity),
            )
        })
    })
}

/// `callArray`: as `callInto`, with a copy of part of an array as the request.
#[expect(
    clippy::too_many_arguments,
    reason = "the parameters are those of the native method"
)]
pub(crate) fn call_array<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    entry: jint,
    request: JByteArray<'local>,
    offset: jint,
    request_len: jint,
    storage: jlong,
    capacity: jlong,
) -> Result<jlong, Failure> {
    let request = array::region(
        env,
        &request,
        length(offset.into()),
        length(request_len.into()),
    )?;
    // SAFETY: the request lives until the call is over, and for the storage as in `call_into`.
    Ok(unsafe {
        handles::call_into(
            handle as u64,
            entry as u32,
            request.as_ptr(),
            request.len(),
            pointer(storage),
            length(capacity),
        )
    })
}

/// `address`: where a direct buffer's memory is. By the function table, because the `jni` crate's checks cost more than
/// the rest.
pub(crate) fn address<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    buffer: JByteBuffer<'local>,
) -> jlong {
    let (raw, buffer) = (env.as_raw(), buffer.as_raw());
    thrown::bare(env, || {
        if buffer.is_null() {
            return Err(Failure::Jni(Error::NullPtr("buffer")));
        }
        // SAFETY: `raw` is the environment of this frame, and `buffer` one of its references.
        let address = unsafe { ((**raw).v1_4.GetDirectBufferAddress)(raw, buffer) };
        if address.is_null() {
            return Err(Failure::Argument("only direct buffers have an address"));
        }
        Ok(address.expose_provenance() as jlong)
    })
}
