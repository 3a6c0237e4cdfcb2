//! Log records on their way to a Java object, and the functions that change level and sink.
//!
//! A record arrives on a thread of the core's, which is attached to the JVM at its first record and detached at its end.
//! It's attached as a daemon, so that an application that ends without closing its plugins ends. The `jni` crate attaches
//! no daemons, so that one function is called through the invocation interface.
//!
//! While the JVM shuts down this thread may be anywhere: HotSpot stops it for good when it next enters Java, and answers
//! with an error when it asks to be attached, so a record is either delivered or lost.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jni::errors::Error;
use jni::ids::JMethodID;
use jni::objects::{JClass, JObject};
use jni::signature::{Primitive, ReturnType};
use jni::sys::{self, JNI_OK, JNI_VERSION_1_8, jint, jlong, jvalue};
use jni::{Env, EnvUnowned, JavaVM, Outcome, jni_sig, jni_str};
use rustbridge_abi::{LogRecord, StatusCode, Text};
use rustbridge_host_abi as abi;

use crate::array;
use crate::thrown::{self, Failure};

/// `LogDelivery.deliver`. One for the process is right because the JVM loads this library for one class loader only. An
/// id doesn't keep its class, but the reference that a sink holds to its object does.
static DELIVER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Looks up what callbacks need; done when the library is loaded.
pub(crate) fn look_up(env: &mut Env<'_>) -> Result<(), Error> {
    let class = env.find_class(jni_str!("io/github/rustbridge/jni/LogDelivery"))?;
    let method = env.get_method_id(
        &class,
        jni_str!("deliver"),
        jni_sig!((
            level: jint, kind: jint, line: jint, time: jlong, duration: jlong, texts: [jbyte],
            target_end: jint, message_end: jint, fields_end: jint, spans_end: jint, file_end: jint,
        ) -> void),
    )?;
    DELIVER.store(method.into_raw().cast(), Ordering::Release);
    Ok(())
}

/// A sink that calls `delivery`, and holds a reference to it until it's dropped; no sink for null.
pub(crate) fn sink(env: &mut Env<'_>, delivery: &JObject<'_>) -> Result<abi::LogSink, Failure> {
    if delivery.is_null() {
        return Ok(abi::LogSink::EMPTY);
    }
    Ok(abi::LogSink {
        log: Some(deliver),
        user_data: env.new_global_ref(delivery)?.into_raw().cast(),
        drop: Some(drop_sink),
        ..abi::LogSink::EMPTY
    })
}

/// Called by the core, on its log thread.
///
/// # Safety
/// `user_data` is the reference that `sink` made; `record` is valid until this returns.
unsafe extern "C" fn deliver(user_data: *mut c_void, record: *const LogRecord) {
    // SAFETY: by the caller's promise.
    unattended(|| attached(|env| unsafe { pass_on(env, user_data, &*record) }));
}

/// Called by the core once the sink isn't used any more, on any thread.
///
/// # Safety
/// `user_data` is the reference that `sink` made; this is the last use of it.
unsafe extern "C" fn drop_sink(user_data: *mut c_void) {
    unattended(|| {
        attached(|env| {
            // SAFETY: `sink` has given the reference away, and it comes back once.
            drop(unsafe { env.global_from_raw::<JObject<'_>>(user_data.cast()) });
            Ok(())
        })?;
        if cfg!(windows) {
            // There the thread's end comes with the loader's lock held, which is no moment to ask the JVM for something.
            // The last thing the log thread does before is to drop its sink.
            ATTACHMENT.with(Attachment::give_up);
        }
        Ok(())
    });
}

/// Runs what nobody waits for: there is nobody to tell of a failure either.
fn unattended(run: impl FnOnce() -> Result<(), Failure>) {
    // What fails is the JVM, because it's shutting down or has no memory left. What the sink throws has been dealt with.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
        thrown::forget(panic);
    }
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
    let method = DELIVER.load(Ordering::Acquire);
    // SAFETY: the texts are valid while the record is.
    let (texts, ends) = unsafe { join(record) };
    let texts = array::new(env, &texts)?;
    let int = |int: u32| jvalue { i: int as jint };
    let long = |long: u64| jvalue { j: long as jlong };
    let [target, message, fields, spans, file] = ends;
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
    ];
    // SAFETY: the id and the arguments are those of `LogDelivery.deliver`, and the reference is one to such an object.
    unsafe {
        let delivery = delivery.cast();
        let delivery = env.as_cast_raw::<JObject<'_>>(&delivery)?;
        let called = env.call_method_unchecked(
            &*delivery,
            JMethodID::from_raw(method.cast()),
            ReturnType::Primitive(Primitive::Void),
            &arguments,
        );
        if called.is_err() {
            // Java has caught what the sink threw, so this is no memory, or no stack, left for that.
            env.exception_clear();
        }
    }
    Ok(())
}

/// The texts of a record one behind the other, and where all but the last end.
///
/// # Safety
/// The texts are valid.
unsafe fn join(record: &LogRecord) -> (Vec<u8>, [u32; 5]) {
    let texts: [Text; 6] = [
        record.target,
        record.message,
        record.fields,
        record.spans,
        record.file,
        record.thread,
    ];
    let mut bytes = Vec::with_capacity(texts.iter().map(|text| text.len).sum());
    let mut ends = [0; 6];
    for (text, end) in texts.into_iter().zip(&mut ends) {
        // SAFETY: by the caller's promise.
        bytes.extend_from_slice(unsafe { text.as_bytes() });
        *end = bytes.len() as u32;
    }
    let [target, message, fields, spans, file, _] = ends;
    (bytes, [target, message, fields, spans, file])
}

/// The attachment of a thread of the core's, made at its first record and given up at the thread's end.
struct Attachment(Cell<*mut sys::JNIEnv>);

thread_local! {
    // A thread is attached to the one JVM of the process, whatever instance it delivers for.
    static ATTACHMENT: Attachment = const { Attachment(Cell::new(ptr::null_mut())) };
}

/// Runs something with the calling thread attached, in a frame of local references of its own.
fn attached(run: impl FnOnce(&mut Env<'_>) -> Result<(), Failure>) -> Result<(), Failure> {
    let vm = JavaVM::singleton()?;
    let env = ATTACHMENT
        .try_with(|attachment| attachment.env(&vm))
        .map_err(|_| Failure::Argument("the thread has ended"))??;
    // SAFETY: the environment is that of this thread, which stays attached as long as this function runs.
    let mut env = unsafe { EnvUnowned::from_raw(env) };
    match env
        .with_env_no_catch(|env| {
            env.with_local_frame(FRAME, run).inspect_err(|_| {
                // The JVM had no memory for the record, say. No Java frame below would ever see the exception, and no
                // record could be delivered while it's pending.
                env.exception_clear();
            })
        })
        .into_outcome()
    {
        Outcome::Ok(()) => Ok(()),
        Outcome::Err(failure) => Err(failure),
        Outcome::Panic(panic) => resume_unwind(panic),
    }
}

/// Local references per record: the array, and what the `jni` crate may need.
const FRAME: usize = 8;

impl Attachment {
    /// The thread's environment. A thread that was attached by others, such as one of Java's, is left as it is.
    fn env(&self, vm: &JavaVM) -> Result<*mut sys::JNIEnv, Failure> {
        if !self.0.get().is_null() {
            return Ok(self.0.get());
        }
        let raw = vm.get_raw();
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the interface lives as long as the process, and the arguments until the functions return.
        unsafe {
            if ((**raw).v1_2.GetEnv)(raw, &mut env, JNI_VERSION_1_8) == JNI_OK {
                return Ok(env.cast());
            }
            let mut arguments = sys::JavaVMAttachArgs {
                version: JNI_VERSION_1_8,
                name: jni_str!("rustbridge log").as_ptr().cast_mut(),
                group: ptr::null_mut(),
            };
            let arguments = (&raw mut arguments).cast();
            if ((**raw).v1_4.AttachCurrentThreadAsDaemon)(raw, &mut env, arguments) != JNI_OK {
                return Err(Failure::Argument("the JVM takes no threads any more"));
            }
        }
        self.0.set(env.cast());
        Ok(env.cast())
    }

    /// Detaches the thread, if it was attached here and has no Java frame below it.
    fn give_up(&self) {
        if self.0.get().is_null() {
            return;
        }
        if let Ok(vm) = JavaVM::singleton() {
            let raw = vm.get_raw();
            // SAFETY: the thread is attached. The JVM refuses if it's inside of Java: a sink that replaces the sink twice
            // drops the first of the two there.
            if unsafe { ((**raw).v1_1.DetachCurrentThread)(raw) } == JNI_OK {
                self.0.set(ptr::null_mut());
            }
        }
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// `setLogLevel`: gives the status.
pub(crate) fn set_level<'local>(
    _: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    level: jint,
) -> Result<StatusCode, Failure> {
    // SAFETY: no response.
    Ok(unsafe { abi::rb_log_set_level(handle as u64, level as u32, ptr::null_mut()) })
}

/// `setLogSink`: gives the status. Waits for the old sink, so it may take as long as that one's last record.
pub(crate) fn set_sink<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    delivery: JObject<'local>,
) -> Result<StatusCode, Failure> {
    let sink = sink(env, &delivery)?;
    // SAFETY: the sink is the core's from here on, also if it fails.
    Ok(unsafe { abi::rb_log_set_sink(handle as u64, &sink, ptr::null_mut()) })
}

/// `flushLogs`: gives the status. A timeout of -1 waits for good.
pub(crate) fn flush<'local>(
    _: &mut Env<'local>,
    _: JClass<'local>,
    handle: jlong,
    timeout_millis: jlong,
) -> Result<StatusCode, Failure> {
    // SAFETY: no response.
    Ok(unsafe { abi::rb_log_flush(handle as u64, timeout_millis as u64, ptr::null_mut()) })
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
            ..LogRecord::EMPTY
        };
        // SAFETY: the texts are constants.
        let (bytes, ends) = unsafe { join(&record) };
        assert_eq!(bytes, "a\0bgrüße 😀[]main".as_bytes());
        assert_eq!(ends, [3, 15, 15, 17, 17]);
    }
}
