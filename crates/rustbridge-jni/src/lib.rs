//! `rustbridge_jni`: the core with JNI entry points, behind the Java class `io.github.rustbridge.jni.Native`.
//!
//! The library marshals and nothing more: arrays and buffers to pointers on the way in, arrays and numbers on the way
//! out. What a Java user sees of it (arguments' checks, exceptions, loggers, lifecycle) is written once, in Java, for
//! this backend and for FFM.
//!
//! Three rules hold for every function here. It makes no exception of a plugin's failure: status and payload go to Java,
//! which knows how. It leaves no panic to the JVM, which would abort: a panic becomes a `RuntimeException`. And numbers
//! that stand for handles may be made up, while those that stand for memory are private to the Java classes, which are
//! the only callers.

mod answer;
mod array;
mod call;
mod lifecycle;
mod log;
mod numbers;
mod operation;
mod outcome;
mod service;
mod thrown;
mod upcall;

use core::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::errors::Error;
use jni::strings::JNIString;
use jni::sys::{self, JNI_ERR, JNI_VERSION_1_8, jint};
use jni::{Env, JavaVM, NativeMethod, jni_str, native_method};
use rustbridge_core::handles;

use crate::thrown::Throw;

/// What `Native` declares. A difference between the two is found when the library is loaded.
const NATIVES: &[NativeMethod<'static>] = &[
    native_method! {
        static raw fn call_into(
            handle: jlong, entry: jint, request: jlong, request_len: jlong, storage: jlong, capacity: jlong,
        ) -> jlong,
        fn = call::call_into,
    },
    native_method! {
        static fn call_array(
            handle: jlong, entry: jint, request: [jbyte], offset: jint, request_len: jint, storage: jlong,
            capacity: jlong,
        ) -> jlong,
        fn = call::call_array,
        error_policy = Throw,
    },
    native_method! {
        static raw fn address(buffer: java.nio.ByteBuffer) -> jlong,
        fn = call::address,
    },
    native_method! {
        static fn take_outcome(result: jlong, storage: jlong, status: [jlong]) -> [jbyte],
        fn = outcome::take,
        error_policy = Throw,
    },
    native_method! {
        static fn take_into_array(result: jlong, array: [jbyte], offset: jint, capacity: jint) -> jint,
        fn = outcome::take_into_array,
        error_policy = Throw,
    },
    native_method! {
        static raw fn take_into_memory(result: jlong, address: jlong, capacity: jint) -> jint,
        fn = outcome::take_into_memory,
    },
    native_method! {
        static raw fn lease_length(result: jlong) -> jlong,
        fn = outcome::lease_length,
    },
    native_method! {
        static raw fn lease_bytes(result: jlong) -> [jbyte],
        fn = outcome::lease_bytes,
    },
    native_method! {
        static raw fn lease_buffer(result: jlong) -> java.nio.ByteBuffer,
        fn = outcome::lease_buffer,
    },
    native_method! {
        static raw fn release_outcome(result: jlong) -> void,
        fn = outcome::release,
    },
    native_method! {
        static fn load(
            path: [jbyte], image: [jbyte], config: [jbyte], name: [jbyte], flags: jint, level: jint,
            log_capacity: jint, threads: jint, log: io.github.rustbridge.jni.LogDelivery,
            services: [io.github.rustbridge.jni.ServiceDelivery], service_names: [jbyte], service_facts: [jint],
            client_schema: [jbyte], out: [jlong],
        ) -> [jbyte],
        fn = lifecycle::load,
        error_policy = Throw,
    },
    native_method! {
        static fn describe(handle: jlong, out: [jlong]) -> [jbyte],
        fn = lifecycle::describe,
        error_policy = Throw,
    },
    native_method! {
        static fn name(handle: jlong, out: [jlong]) -> [jbyte],
        fn = lifecycle::name,
        error_policy = Throw,
    },
    native_method! {
        static fn prepare(handle: jlong, name: [jbyte], encoding: jint, out: [jlong]) -> [jbyte],
        fn = lifecycle::prepare,
        error_policy = Throw,
    },
    native_method! {
        static fn prepare_id(handle: jlong, id: jint, encoding: jint, out: [jlong]) -> [jbyte],
        fn = lifecycle::prepare_id,
        error_policy = Throw,
    },
    native_method! {
        static fn prepare_typed(
            handle: jlong, name: [jbyte], fingerprint: [jbyte], client_schema: [jbyte], out: [jlong],
        ) -> [jbyte],
        fn = lifecycle::prepare_typed,
        error_policy = Throw,
    },
    native_method! {
        static fn state(handle: jlong, out: [jlong]) -> [jbyte],
        fn = lifecycle::state,
        error_policy = Throw,
    },
    native_method! {
        static fn close(handle: jlong, timeout_millis: jlong, out: [jlong]) -> [jbyte],
        fn = lifecycle::close,
        error_policy = Throw,
    },
    native_method! {
        static fn inspect(out: [jlong]) -> [jbyte],
        fn = lifecycle::inspect,
        error_policy = Throw,
    },
    native_method! {
        static fn version() -> JString,
        fn = lifecycle::version,
        error_policy = Throw,
    },
    native_method! {
        static fn set_log_level(handle: jlong, level: jint, out: [jlong]) -> [jbyte],
        fn = log::set_level,
        error_policy = Throw,
    },
    native_method! {
        static fn set_log_sink(
            handle: jlong, log: io.github.rustbridge.jni.LogDelivery, timeout_millis: jlong, out: [jlong],
        ) -> [jbyte],
        fn = log::set_sink,
        error_policy = Throw,
    },
    native_method! {
        static fn flush_logs(handle: jlong, timeout_millis: jlong, out: [jlong]) -> [jbyte],
        fn = log::flush,
        error_policy = Throw,
    },
    native_method! {
        static raw fn queue_new(queue: jlong, error: jlong) -> jint,
        fn = operation::queue_new,
    },
    native_method! {
        static raw fn queue_poll(queue: jlong, events: jlong, capacity: jlong, arena: jlong, arena_length: jlong, timeout_millis: jlong, count: jlong) -> jint,
        fn = operation::queue_poll,
    },
    native_method! {
        static raw fn submit(queue: jlong, submissions: jlong, count: jlong) -> jint,
        fn = operation::submit,
    },
    native_method! {
        static raw fn call_with(handle: jlong, entry: jint, header: jlong, request: jlong, request_length: jlong, response: jlong) -> jint,
        fn = operation::call_with,
    },
    native_method! {
        static raw fn op_cancel(operation: jlong, error: jlong) -> jint,
        fn = operation::op_cancel,
    },
    native_method! {
        static raw fn op_detach(operation: jlong, error: jlong) -> jint,
        fn = operation::op_detach,
    },
    native_method! {
        static raw fn op_demand(operation: jlong, items: jlong, bytes: jlong, error: jlong) -> jint,
        fn = operation::op_demand,
    },
    native_method! {
        static raw fn op_write(operation: jlong, batch: jlong, error: jlong) -> jint,
        fn = operation::op_write,
    },
    native_method! {
        static raw fn op_end(operation: jlong, code: jint, payload: jlong, payload_length: jlong, error: jlong) -> jint,
        fn = operation::op_end,
    },
    native_method! {
        static raw fn close_with(handle: jlong, options: jlong, report: jlong) -> jint,
        fn = operation::close_with,
    },
    native_method! {
        static raw fn service_defer(call: jlong, number: jlong, error: jlong) -> jint,
        fn = operation::service_defer,
    },
    native_method! {
        static raw fn service_reply(number: jlong, code: jint, payload: jlong, payload_length: jlong, error: jlong) -> jint,
        fn = operation::service_reply,
    },
    native_method! {
        static raw fn respond(response: jlong, data: jlong, data_length: jlong) -> jint,
        fn = operation::respond,
    },
    native_method! {
        static raw fn object_release(object: jlong) -> jint,
        fn = operation::object_release,
    },
    native_method! {
        static raw fn response_release(response: jlong) -> void,
        fn = operation::response_release,
    },
    native_method! {
        static fn read(address: jlong, to: [jbyte]) -> void,
        fn = operation::read,
        error_policy = Throw,
    },
];

/// Called by the JVM when the library is loaded: registers the natives and looks for what callbacks need.
///
/// Once for each class loader: the JVM has one load a library by one name only, but the system gives the same library for
/// each of a file's names. So nothing here is kept for the next one.
///
/// Gives the JNI version we need, or leaves an `UnsatisfiedLinkError` that says what doesn't fit.
///
/// # Safety
/// `vm` is the JVM's invocation interface.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn JNI_OnLoad(vm: *mut sys::JavaVM, _: *mut c_void) -> jint {
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the JVM passes its own interface, which supports all that is newer than 1.4.
        let vm = unsafe { JavaVM::from_raw(vm) };
        vm.with_top_local_frame(|env| {
            register(env).inspect_err(|error| {
                let message = JNIString::from(format!(
                    "librustbridge_jni {} doesn't match the classes that load it ({error}): use the jar and the library of the same version",
                    env!("CARGO_PKG_VERSION")
                ));
                // Its own failure would be an exception as well.
                let _ = env.throw_new(jni_str!("java/lang/UnsatisfiedLinkError"), &message);
            })
        })
    }));
    match loaded {
        Ok(Ok(())) => JNI_VERSION_1_8,
        Ok(Err(_)) => JNI_ERR,
        Err(panic) => {
            thrown::forget(panic);
            JNI_ERR
        }
    }
}

/// Called by the JVM when the class loader of the Java classes is gone.
///
/// There is nothing to release: a sink's reference keeps the class loader, so there's no sink of its classes either.
///
/// # Safety
/// Called by the JVM, after the last call of a native.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn JNI_OnUnload(_: *mut sys::JavaVM, _: *mut c_void) {}

fn register(env: &mut Env<'_>) -> Result<(), Error> {
    let class = env.find_class(jni_str!("io/github/rustbridge/jni/Native"))?;
    // SAFETY: `native_method!` has made the signatures of the functions.
    unsafe { env.register_native_methods(&class, NATIVES)? };
    // On Windows a thread's own destructors run with the loader's lock held, which is no moment to ask the JVM for something.
    handles::at_log_thread_end(upcall::detach);
    log::check(env)?;
    service::check(env)
}
