//! Services: a plugin's calls on their way to a Java object, on the plugin's threads.

use core::ffi::c_void;

use jni::Env;
use jni::errors::Error;
use jni::objects::{JByteArray, JIntArray, JObjectArray};
use jni::strings::JNIStr;
use jni::sys::{jlong, jvalue};
use jni::{jni_sig, jni_str};
use rustbridge_abi::{
    CallContext, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_UNAVAILABLE, Response, StatusCode, Text,
};
use rustbridge_host_abi as abi;

use crate::array;
use crate::numbers::length;
use crate::thrown::Failure;
use crate::upcall::{self, Callee};

/// `ServiceDelivery.deliver`.
const DELIVER: Callee = Callee {
    class: jni_str!("io/github/rustbridge/jni/ServiceDelivery"),
    name: jni_str!("deliver"),
    signature: jni_sig!((
        call: jlong, response: jlong, request: [jbyte], timeout: jlong, trace: [jbyte], state: [jbyte], metadata: [jbyte],
        number: jlong,
    ) -> jint),
};

/// What a plugin's threads are called in Java.
const THREAD: &JNIStr = jni_str!("rustbridge plugin");

/// Whether what is called is there; asked when the library is loaded.
pub(crate) fn check(env: &mut Env<'_>) -> Result<(), Error> {
    DELIVER.check(env)
}

/// The services of a load, whose names are part of what is given.
///
/// The core owns what they refer to from `rb_load` on; before that, what fails here gives it back.
pub(crate) struct Services(Vec<abi::Service>);

impl Services {
    /// Makes them of `facts`: the encoding, the length of the name and the flags of each.
    pub(crate) fn new(
        env: &mut Env<'_>,
        deliveries: &JObjectArray<'_>,
        names: &[u8],
        facts: &JIntArray<'_>,
    ) -> Result<Services, Failure> {
        let count = deliveries.len(env)?;
        let mut said = vec![0; 3 * count];
        facts.get_region(env, 0, &mut said)?;
        let mut services = Services(Vec::with_capacity(count));
        let mut rest = names;
        for (index, fact) in said.chunks_exact(3).enumerate() {
            let len = length(fact[1].into());
            if len > rest.len() {
                return Err(Failure::Argument("a service's name is beyond the names"));
            }
            let (name, behind) = rest.split_at(len);
            rest = behind;
            let delivery = deliveries.get_element(env, index)?;
            services.0.push(abi::Service {
                encoding: fact[0] as u32,
                name: Text {
                    data: name.as_ptr().cast(),
                    len,
                },
                call: Some(answer),
                cancel: Some(cancel),
                user_data: upcall::lend(env, &delivery, &DELIVER)?,
                drop: Some(drop_service),
                flags: fact[2] as u32,
                ..abi::Service::EMPTY
            });
        }
        Ok(services)
    }

    /// Hands them over: they are the core's from here on.
    pub(crate) fn hand_over(mut self) -> Vec<abi::Service> {
        core::mem::take(&mut self.0)
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        for service in &self.0 {
            // SAFETY: `new` has made it, and nobody else has got it.
            unsafe { upcall::release_target(service.user_data) }
        }
    }
}

/// Called by the core, on the plugin's thread.
///
/// # Safety
/// `user_data` is the reference that `new` made; the rest is valid until this returns.
unsafe extern "C" fn answer(
    user_data: *mut c_void,
    call: *const abi::ServiceCall,
    response: *mut Response,
) -> StatusCode {
    let mut status = RB_UNAVAILABLE;
    upcall::run(THREAD, |env| {
        // SAFETY: by the caller's promise.
        status = unsafe { pass_on(env, user_data, call, response)? };
        Ok(())
    });
    status
}

/// Called by the core when nobody waits for an answer any more, on any thread.
///
/// # Safety
/// `user_data` is the reference that `new` made.
unsafe extern "C" fn cancel(user_data: *mut c_void, number: u64) {
    upcall::run(THREAD, |env| {
        let none = || jvalue {
            l: core::ptr::null_mut(),
        };
        let arguments = [
            jvalue { j: number as jlong },
            jvalue { j: 0 },
            none(),
            jvalue { j: 0 },
            none(),
            none(),
            none(),
            jvalue { j: 0 },
        ];
        // SAFETY: the arguments are those of `ServiceDelivery.deliver`, and the reference is one to such an object.
        unsafe { upcall::call_for_int(env, user_data, &arguments) }.map(drop)
    });
}

/// Called by the core once the service isn't used any more, on any thread.
///
/// # Safety
/// `user_data` is the reference that `new` made; this is the last use of it.
unsafe extern "C" fn drop_service(user_data: *mut c_void) {
    upcall::run(THREAD, |_| {
        // SAFETY: by the caller's promise.
        unsafe { upcall::release_target(user_data) };
        Ok(())
    });
}

/// Calls `deliver` with a call.
///
/// # Safety
/// `delivery` is a reference to a `ServiceDelivery`, and the call is valid.
unsafe fn pass_on(
    env: &mut Env<'_>,
    delivery: *mut c_void,
    call: *const abi::ServiceCall,
    response: *mut Response,
) -> Result<StatusCode, Failure> {
    // SAFETY: by the caller's promise.
    let (request, header) = unsafe {
        let told = &*call;
        (
            bytes(told.request, told.request_len),
            told.call_context.as_ref(),
        )
    };
    let request = array::new(env, request)?;
    let (mut timeout, mut number) = (-1, 0);
    let [mut trace, mut state, mut metadata] = [const { JByteArray::null() }; 3];
    if let Some(header) = header {
        number = header.op as jlong;
        if header.flags & RB_CONTEXT_TIMEOUT != 0 {
            timeout = jlong::try_from(header.timeout_ns).unwrap_or(jlong::MAX);
        }
        if header.flags & RB_CONTEXT_TRACE != 0 {
            trace = array::new(env, &ids(header))?;
            // SAFETY: by the caller's promise.
            state = array::new(env, unsafe { header.trace_state.as_bytes() })?;
        }
        if header.metadata_len != 0 {
            // SAFETY: by the caller's promise.
            metadata = array::new(env, unsafe { bytes(header.metadata, header.metadata_len) })?;
        }
    }
    let object = |array: &JByteArray<'_>| jvalue {
        l: array.as_raw().cast(),
    };
    let arguments = [
        jvalue {
            j: call.expose_provenance() as jlong,
        },
        jvalue {
            j: response.expose_provenance() as jlong,
        },
        object(&request),
        jvalue { j: timeout },
        object(&trace),
        object(&state),
        object(&metadata),
        jvalue { j: number },
    ];
    // SAFETY: the arguments are those of `ServiceDelivery.deliver`, and the reference is one to such an object.
    unsafe { upcall::call_for_int(env, delivery, &arguments) }
}

/// The trace's ids and flags as Java's side has them.
fn ids(header: &CallContext) -> [u8; 28] {
    let mut ids = [0; 28];
    ids[..16].copy_from_slice(&header.trace_id);
    ids[16..24].copy_from_slice(&header.span_id);
    ids[24..].copy_from_slice(&header.trace_flags.to_ne_bytes());
    ids
}

/// # Safety
/// `data` has `len` readable bytes for `'a`, or that's 0.
unsafe fn bytes<'a>(data: *const u8, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: by the caller's promise.
    unsafe { core::slice::from_raw_parts(data, len) }
}
