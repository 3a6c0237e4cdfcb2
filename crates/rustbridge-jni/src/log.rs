//! Log records on their way to a Java object, and the functions that change level and sink.
//!
//! A record arrives on a thread of the core's. While the JVM shuts down it's either delivered or lost.

use core::ffi::c_void;

use jni::Env;
use jni::errors::Error;
use jni::objects::{JByteArray, JClass, JLongArray, JObject};
use jni::strings::JNIStr;
use jni::sys::{jint, jlong, jvalue};
use jni::{jni_sig, jni_str};
use rustbridge_abi::{LogRecord, Text};
use rustbridge_host_abi as abi;

use crate::answer::Answer;
use crate::array;
use crate::thrown::Failure;
use crate::upcall::{self, Callee};

/// `LogDelivery.deliver`.
const DELIVER: Callee = Callee {
    class: jni_str!("io/github/rustbridge/jni/LogDelivery"),
    name: jni_str!("deliver"),
    signature: jni_sig!((
        level: jint, kind: jint, line: jint, time: jlong, duration: jlong, texts: [jbyte],
        target_end: jint, message_end: jint, fields_end: jint, spans_end: jint, file_end: jint, thread_end: jint,
    ) -> void),
};

/// What the core's log threads are called in Java.
const THREAD: &JNIStr = jni_str!("rustbridge log");

/// Whether what is called is there; asked when the library is loaded.
pub(crate) fn check(env: &mut Env<'_>) -> Result<(), Error> {
    DELIVER.check(env)
}

/// A sink that calls `delivery`, and holds a reference to it until it's dropped; no sink for null.
pub(crate) fn sink(env: &mut Env<'_>, delivery: &JObject<'_>) -> Result<abi::LogSink, Failure> {
    if delivery.is_null() {
        return Ok(abi::LogSink::EMPTY);
    }
    Ok(abi::LogSink {
        log: Some(deliver),
        user_data: upcall::lend(env, delivery, &DELIVER)?,
        drop: Some(drop_sink),
        ..abi::LogSink::EMPTY
    })
}

/// Called by the core, on one of its log threads.
///
/// # Safety
/// `user_data` is the reference that `sink` made; `record` is valid until this returns.
unsafe extern "C" fn deliver(user_data: *mut c_void, record: *const LogRecord) {
    // SAFETY: by the caller's promise.
    upcall::run(THREAD, |env| unsafe { pass_on(env, user_data, &*record) });
}

/// Called by the core once the sink isn't used any more, on any thread.
///
/// # Safety
/// `user_data` is the reference that `sink` made; this is the last use of it.
unsafe extern "C" fn drop_sink(user_data: *mut c_void) {
    upcall::run(THREAD, |_| {
        // SAFETY: by the caller's promise.
        unsafe { upcall::release_target(user_data) };
        Ok(())
    });
}

/// Calls `deliver` with a record. Every text goes into one array, as UTF-8, because JNI's own strings are of another
/// encoding and Java's decoder is the one that replaces what's invalid.
///
/// # Safety
/// `delivery` is a reference to a `LogDelivery`, and the record is valid.
unsafe fn pass_on(
    env: &mut Env<'_>,
    delivery: *mut c_void,
    record: &LogRecord,
) -> Result<(), Failure> {
    // SAFETY: the texts are valid while the record is.
    let (texts, ends) = unsafe { join(record) };
    let texts = array::new(env, &texts)?;
    let int = |int: u32| jvalue { i: int as jint };
    let long = |long: u64| jvalue { j: long as jlong };
    let [target, message, fields, spans, file, thread] = ends;
    let arguments = [
        int(record.level),
        int(record.kind),
        int(record.line),
        long(record.time_unix_ns),
        long(record.duration_ns),
        jvalue {
            l: texts.as_raw().cast(),
        },
        int(target),
        int(message),
        int(fields),
        int(spans),
        int(file),
        int(thread),
    ];
    // SAFETY: the arguments are those of `LogDelivery.deliver`, and the reference is one to such an object.
    unsafe { upcall::call(env, delivery, &arguments) }
}

/// The texts of a record one behind the other, and where all but the last end.
///
/// # Safety
/// The texts are valid.
unsafe fn join(record: &LogRecord) -> (Vec<u8>, [u32; 6]) {
    let texts: [Text; 7] = [
        record.target,
        record.message,
        record.fields,
        record.spans,
        record.file,
        record.thread,
        record.instance,
    ];
    let mut bytes = Vec::with_capacity(texts.iter().map(|text| text.len).sum());
    let mut ends = [0; 7];
    for (text, end) in texts.into_iter().zip(&mut ends) {
        // SAFETY: by the caller's promise.
        bytes.extend_from_slice(unsafe { text.as_bytes() });
        *end = bytes.len() as u32;
    }
    let [target, message, fields, spans, file, thread, _] = ends;
    (bytes, [target, message, fields, spans, file, thread])
}

/// `setLogLevel`: `out` is the status.
pub(crate) fn set_level<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    level: jint,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut answer = Answer::none();
    // SAFETY: the response is ours.
    let status = unsafe { abi::rb_log_set_level(handle as u64, level as u32, &mut answer.0) };
    answer.give(env, status, &[], &out)
}

/// `setLogSink`: `out` is the status. Waits for the old sink; a timeout of -1 waits for good.
pub(crate) fn set_sink<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    delivery: JObject<'local>,
    timeout_millis: jlong,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let sink = sink(env, &delivery)?;
    let mut answer = Answer::none();
    // SAFETY: the sink is the core's from here on, also if it fails; the response is ours.
    let status =
        unsafe { abi::rb_log_set_sink(handle as u64, &sink, timeout_millis as u64, &mut answer.0) };
    answer.give(env, status, &[], &out)
}

/// `flushLogs`: `out` is the status. A timeout of -1 waits for good.
pub(crate) fn flush<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    timeout_millis: jlong,
    out: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    let mut answer = Answer::none();
    // SAFETY: the response is ours.
    let status = unsafe { abi::rb_log_flush(handle as u64, timeout_millis as u64, &mut answer.0) };
    answer.give(env, status, &[], &out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_joined_with_their_ends() {
        let record = LogRecord {
            level: 3,
            kind: 0,
            line: 1,
            time_unix_ns: 0,
            duration_ns: 0,
            target: Text::new("a\0b"),
            message: Text::new("grüße 😀"),
            fields: Text::empty(),
            spans: Text::new("[]"),
            file: Text::empty(),
            thread: Text::new("main"),
            instance: Text::new("users"),
            ..LogRecord::EMPTY
        };
        // SAFETY: the texts are constants.
        let (bytes, ends) = unsafe { join(&record) };
        assert_eq!(bytes, "a\0bgrüße 😀[]mainusers".as_bytes());
        assert_eq!(ends, [3, 15, 15, 17, 17, 21]);
    }
}
