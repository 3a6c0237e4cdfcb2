//! Calls up into Java from any thread: attaching it, the objects that are called, and exceptions, which end here.
//!
//! A thread that isn't the JVM's is attached at its first call and detached at its end. It's attached as a daemon, so
//! that an application that ends without closing its plugins ends. The `jni` crate attaches no daemons, so that one
//! function is called through the invocation interface.
//!
//! While the JVM shuts down a thread may be anywhere: HotSpot stops it for good when it next enters Java, and answers
//! with an error when it asks to be attached. So a call arrives or is lost, and nobody is told.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jni::errors::Error;
use jni::ids::JMethodID;
use jni::objects::JObject;
use jni::refs::Global;
use jni::signature::{MethodSignature, Primitive, ReturnType};
use jni::strings::JNIStr;
use jni::sys::{self, JNI_OK, JNI_VERSION_1_8, jint, jvalue};
use jni::{Env, EnvUnowned, JavaVM, Outcome};

use crate::thrown::{self, Failure};

/// A method of Java's that is called from here, by what it's called there.
pub(crate) struct Callee {
    pub(crate) class: &'static JNIStr,
    pub(crate) name: &'static JNIStr,
    pub(crate) signature: MethodSignature<'static, 'static>,
}

impl Callee {
    /// Fails if the classes that load this library lack it.
    pub(crate) fn check(&self, env: &mut Env<'_>) -> Result<(), Error> {
        let class = env.find_class(self.class)?;
        env.get_method_id(&class, self.name, &self.signature)?;
        Ok(())
    }
}

/// An object that native code holds, and the method of it that is called.
///
/// The id is the object's own, and no static: several class loaders may have loaded this library, each with a class of
/// that name. An id doesn't keep its class, but the reference to the object does.
struct UpcallTarget {
    object: Global<JObject<'static>>,
    method: JMethodID,
}

/// Makes a reference to an object for native code to hold, on any thread, until [`give_back`].
pub(crate) fn lend(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    callee: &Callee,
) -> Result<*mut c_void, Failure> {
    let class = env.get_object_class(object)?;
    let method = env.get_method_id(&class, callee.name, &callee.signature)?;
    let object = env.new_global_ref(object)?;
    Ok(Box::into_raw(Box::new(UpcallTarget { object, method })).cast())
}

/// Calls the method of a lent object, and forgets what it throws.
///
/// # Safety
/// `lent` was made by [`lend`], and the arguments are those of its callee's signature.
pub(crate) unsafe fn call(
    env: &mut Env<'_>,
    lent: *mut c_void,
    arguments: &[jvalue],
) -> Result<(), Failure> {
    // SAFETY: by the caller's promise; the id was looked up in the object's own class.
    unsafe {
        let lent = &*lent.cast::<UpcallTarget>();
        let called = env.call_method_unchecked(
            &lent.object,
            lent.method,
            ReturnType::Primitive(Primitive::Void),
            arguments,
        );
        if called.is_err() {
            // Methods that are called from here catch what the application throws, so this is no memory, or no stack,
            // left for that.
            env.exception_clear();
        }
    }
    Ok(())
}

/// Calls the method of a lent object, which returns an `int`, and forgets what it throws.
///
/// # Safety
/// As for [`call`].
pub(crate) unsafe fn call_for_int(
    env: &mut Env<'_>,
    lent: *mut c_void,
    arguments: &[jvalue],
) -> Result<jint, Failure> {
    // SAFETY: by the caller's promise; the id was looked up in the object's own class.
    let called = unsafe {
        let lent = &*lent.cast::<UpcallTarget>();
        env.call_method_unchecked(
            &lent.object,
            lent.method,
            ReturnType::Primitive(Primitive::Int),
            arguments,
        )
    };
    if called.is_err() {
        // As above.
        env.exception_clear();
    }
    Ok(called?.i()?)
}

/// Undoes [`lend`].
///
/// # Safety
/// `lent` was made by [`lend`]; this is the last use of it.
pub(crate) unsafe fn release_target(lent: *mut c_void) {
    // SAFETY: by the caller's promise.
    drop(unsafe { Box::from_raw(lent.cast::<UpcallTarget>()) });
}

/// Runs something with the calling thread attached, by this name if it isn't yet, in a frame of local references of its
/// own. Nobody waits for it: there is nobody to tell of a failure either.
pub(crate) fn run(thread: &JNIStr, run: impl FnOnce(&mut Env<'_>) -> Result<(), Failure>) {
    // What fails is the JVM, because it's shutting down or has no memory left. What Java throws has been dealt with.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| attached(thread, run))) {
        thrown::forget(panic);
    }
}

/// Detaches the calling thread, if it was attached here and has no Java frame below it. It may be attached again.
pub(crate) fn detach() {
    // A thread whose thread-locals are gone has been detached by that.
    let _ = ATTACHMENT.try_with(Attachment::give_up);
}

/// The attachment of a thread that isn't the JVM's, made at its first call up and given up at the thread's end.
struct Attachment(Cell<*mut sys::JNIEnv>);

thread_local! {
    // A thread is attached to the one JVM of the process, whatever instance it calls for.
    static ATTACHMENT: Attachment = const { Attachment(Cell::new(ptr::null_mut())) };
}

/// Local references per call: an array, and what the `jni` crate may need.
const FRAME: usize = 8;

fn attached(
    thread: &JNIStr,
    run: impl FnOnce(&mut Env<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let vm = JavaVM::singleton()?;
    let env = ATTACHMENT
        .try_with(|attachment| attachment.env(&vm, thread))
        .map_err(|_| Failure::Argument("the thread has ended"))??;
    // SAFETY: the environment is that of this thread, which stays attached as long as this function runs.
    let mut env = unsafe { EnvUnowned::from_raw(env) };
    match env
        .with_env_no_catch(|env| {
            env.with_local_frame(FRAME, run).inspect_err(|_| {
                // The JVM had no memory for the arguments, say. No Java frame below would ever see the exception, and
                // nothing could be called while it's pending.
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

impl Attachment {
    /// The thread's environment. A thread that was attached by others, such as one of Java's, is left as it is.
    fn env(&self, vm: &JavaVM, thread: &JNIStr) -> Result<*mut sys::JNIEnv, Failure> {
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
                name: thread.as_ptr().cast_mut(),
                group: ptr::null_mut(),
            };
            let arguments = (&raw mut arguments).cast();
            if ((**raw).v1_4.AttachCurrentThreadAsDaemon)(raw, &mut env, arguments) != JNI_OK {
                return Err(Failure::Argument("the JVM accepts no more threads"));
            }
        }
        self.0.set(env.cast());
        Ok(env.cast())
    }

    fn give_up(&self) {
        if self.0.get().is_null() {
            return;
        }
        if let Ok(vm) = JavaVM::singleton() {
            let raw = vm.get_raw();
            // SAFETY: the thread is attached. The JVM refuses if it's inside of Java.
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
