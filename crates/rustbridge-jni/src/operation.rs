//! What ends later: each function calls the one of the host ABI that it's named for, with the addresses that Java gives.
//!
//! Everything is at addresses, in direct buffers of Java's, so that what is written there is written once, for this backend and
//! for FFM. The status is what's returned.

use core::ptr;
use core::slice;

use jni::objects::{JByteArray, JClass};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};
use rustbridge_abi::StatusCode;
use rustbridge_host_abi as abi;

use crate::array;
use crate::numbers::{length, pointer};
use crate::thrown::{self, Failure};

/// Runs a function of the host ABI; should it panic, there's an exception of Java's.
fn status(env: EnvUnowned<'_>, run: impl FnOnce() -> StatusCode + std::panic::UnwindSafe) -> jint {
    thrown::bare(env, || Ok(run()))
}

/// `rb_queue_new`.
pub(crate) fn queue_new<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    queue: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_queue_new(pointer(queue).cast(), pointer(error).cast())
    })
}

/// `rb_queue_poll`.
#[expect(
    clippy::too_many_arguments,
    reason = "the parameters are those of the native method"
)]
pub(crate) fn queue_poll<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    queue: jlong,
    events: jlong,
    capacity: jlong,
    arena: jlong,
    arena_length: jlong,
    timeout_millis: jlong,
    count: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_queue_poll(
            queue as u64,
            pointer(events).cast(),
            length(capacity),
            pointer(arena).cast(),
            length(arena_length),
            timeout_millis as u64,
            pointer(count).cast(),
            ptr::null_mut(),
        )
    })
}

/// `rb_submit`.
pub(crate) fn submit<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    queue: jlong,
    submissions: jlong,
    count: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_submit(queue as u64, pointer(submissions).cast(), length(count))
    })
}

/// `rb_call_with`.
#[expect(
    clippy::too_many_arguments,
    reason = "the parameters are those of the native method"
)]
pub(crate) fn call_with<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    handle: jlong,
    entry: jint,
    header: jlong,
    request: jlong,
    request_length: jlong,
    response: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_call_with(
            handle as u64,
            entry as u32,
            pointer(header).cast(),
            ptr::null_mut(),
            pointer(request).cast(),
            length(request_length),
            pointer(response).cast(),
        )
    })
}

/// `rb_op_cancel`.
pub(crate) fn op_cancel<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    operation: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_op_cancel(operation as u64, pointer(error).cast())
    })
}

/// `rb_op_detach`.
pub(crate) fn op_detach<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    operation: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_op_detach(operation as u64, pointer(error).cast())
    })
}

/// `rb_op_demand`.
pub(crate) fn op_demand<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    operation: jlong,
    items: jlong,
    bytes: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_op_demand(
            operation as u64,
            items as u64,
            bytes as u64,
            pointer(error).cast(),
        )
    })
}

/// `rb_op_write`.
pub(crate) fn op_write<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    operation: jlong,
    batch: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_op_write(
            operation as u64,
            pointer(batch).cast(),
            pointer(error).cast(),
        )
    })
}

/// `rb_op_end`.
pub(crate) fn op_end<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    operation: jlong,
    code: jint,
    payload: jlong,
    payload_length: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_op_end(
            operation as u64,
            code,
            pointer(payload).cast(),
            length(payload_length),
            pointer(error).cast(),
        )
    })
}

/// `rb_close_with`.
pub(crate) fn close_with<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    handle: jlong,
    options: jlong,
    report: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_close_with(
            handle as u64,
            pointer(options).cast(),
            pointer(report).cast(),
        )
    })
}

/// `rb_service_defer`.
pub(crate) fn service_defer<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    call: jlong,
    number: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_service_defer(
            pointer(call).cast(),
            pointer(number).cast(),
            pointer(error).cast(),
        )
    })
}

/// `rb_service_reply`.
pub(crate) fn service_reply<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    number: jlong,
    code: jint,
    payload: jlong,
    payload_length: jlong,
    error: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_service_reply(
            number as u64,
            code,
            pointer(payload).cast(),
            length(payload_length),
            pointer(error).cast(),
        )
    })
}

/// `rb_respond`.
pub(crate) fn respond<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    response: jlong,
    data: jlong,
    data_length: jlong,
) -> jint {
    // SAFETY: the Java classes pass what the function asks for: structs, bytes and room in direct buffers that they keep reachable,
    // or what the native library has given.
    status(env, || unsafe {
        abi::rb_respond(
            pointer(response).cast(),
            pointer(data).cast(),
            length(data_length),
        )
    })
}

/// `rb_object_release`.
pub(crate) fn object_release<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    object: jlong,
) -> jint {
    status(env, || abi::rb_object_release(object as u64))
}

/// `rb_response_release`.
pub(crate) fn response_release<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    response: jlong,
) {
    thrown::bare(env, || {
        // SAFETY: it's a response that a function of the host ABI has filled in, and this its only release.
        unsafe { abi::rb_response_release(pointer(response).cast()) }
        Ok(())
    });
}

/// `read`: copies memory to an array.
pub(crate) fn read<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    address: jlong,
    to: JByteArray<'local>,
) -> Result<(), Failure> {
    let len = to.len(env)?;
    if len == 0 {
        // Nothing may be anywhere, also at null.
        return Ok(());
    }
    // SAFETY: the Java classes pass the address of a response that has as many bytes and isn't released yet.
    let bytes = unsafe { slice::from_raw_parts(pointer(address), len) };
    array::set(env, &to, 0, bytes)
}
