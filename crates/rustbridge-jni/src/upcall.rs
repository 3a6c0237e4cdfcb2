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
use core::sync::atomic::{AtomicPtr, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jni::errors::Error;
use jni::ids::JMethodID;
use jni::objects::JObject;
use jni::signature::{MethodSignature, Primitive, ReturnType};
use jni::strings::JNIStr;
use jni::sys::{self, JNI_OK, JNI_VERSION_1_8, jvalue};
use jni::{Env, EnvUnowned, JavaVM, Outcome};

use crate::thrown::{self, Failure};

/// A method of Java's that returns nothing and is called from here. Its id is looked up when the library is loaded; one
/// for the process is right because the JVM loads this library for one class loader only. An id doesn't keep its class,
/// but a reference to an object of it does.
pub(crate) struct Callee(AtomicPtr<c_void>);

impl Callee {
    pub(crate) const fn new() -> Callee {
        Callee(AtomicPtr::new(ptr::null_mut()))
    }

    pub(crate) fn look_up(
        &self,
        env: &mut Env<'_>,
        class: &JNIStr,
        name: &JNIStr,
        signature: MethodSignature<'_, '_>,
    ) -> Result<(), Error> {
        let class = env.find_class(class)?;
        let method = env.get_method_id(&class, name, signature)?;
        self.0.store(method.into_raw().cast(), Ordering::Release);
        Ok(())
    }

    /// Calls it, and forgets what it throws.
    ///
    /// # Safety
    /// It was looked up. `object` is a reference that [`lend`] made to an object of its class, and the arguments are those
    /// of its signature.
    pub(crate) unsafe fn call(
        &self,
        env: &mut Env<'_>,
        object: *mut c_void,
        arguments: &[jvalue],
    ) -> Result<(), Failure> {
        let method = self.0.load(Ordering::Acquire);
        // SAFETY: by the caller's promise.
        unsafe {
            let object = object.cast();
            let object = env.as_cast_raw::<JObject<'_>>(&object)?;
            let called = env.call_method_unchecked(
                &*object,
                JMethodID::from_raw(method.cast()),
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
}

/// Makes a reference to an object for native code to hold, on any thread, until [`give_back`].
pub(crate) fn lend(env: &Env<'_>, object: &JObject<'_>) -> Result<*mut c_void, Failure> {
    Ok(env.new_global_ref(object)?.into_raw().cast())
}

/// Undoes [`lend`].
///
/// # Safety
/// `object` is a reference that [`lend`] made; this is the last use of it.
pub(crate) unsafe fn give_back(env: &Env<'_>, object: *mut c_void) {
    // SAFETY: by the caller's promise.
    drop(unsafe { env.global_from_raw::<JObject<'_>>(object.cast()) });
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
                return Err(Failure::Argument("the JVM takes no threads any more"));
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
