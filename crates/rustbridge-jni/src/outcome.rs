//! What a call came to when it isn't just bytes in the scratch: failures, and responses that were handed over.
//!
//! A negative result of `callInto` stands for an outcome. It belongs to whoever has the number; a function here that is
//! called `take` frees it, whatever else happens.

use core::{ptr, slice};

use jni::objects::{JByteArray, JByteBuffer, JClass, JLongArray};
use jni::refs::Reference as _;
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};
use rustbridge_abi::RB_OK;
use rustbridge_core::handles::{self, Outcome};

use crate::array;
use crate::numbers::pointer;
use crate::thrown::{self, Failure};

/// An outcome that is freed when this is dropped.
struct OwnedOutcome(*mut Outcome);

impl OwnedOutcome {
    /// # Safety
    /// `result` was given by a call, is taken once, and isn't used afterwards.
    unsafe fn new(result: jlong) -> Result<OwnedOutcome, Failure> {
        match Outcome::of(result) {
            outcome if outcome.is_null() => Err(NO_OUTCOME),
            outcome => Ok(OwnedOutcome(outcome)),
        }
    }

    fn get(&self) -> &Outcome {
        // SAFETY: alive until the drop below, by `new`'s contract.
        unsafe { &*self.0 }
    }
}

impl Drop for OwnedOutcome {
    fn drop(&mut self) {
        // SAFETY: once, by `new`'s contract.
        unsafe { handles::release_call_result(self.0) }
    }
}

const NO_OUTCOME: Failure = Failure::Argument("a result that isn't negative stands for no outcome");

/// The bytes of an outcome: where they were handed over, or at the start of the storage that the call was given.
///
/// # Safety
/// `storage` is what the call was given, and unchanged since.
unsafe fn bytes(outcome: &Outcome, storage: *const u8) -> &[u8] {
    let response = &outcome.response;
    let data = if response.release.is_some() {
        response.data
    } else {
        storage
    };
    if response.len == 0 || data.is_null() {
        return &[];
    }
    // SAFETY: a response has `len` readable bytes at `data`, or in the storage by the core's check.
    unsafe { slice::from_raw_parts(data, response.len) }
}

/// # Safety
/// `result` was given by a call and not taken yet.
unsafe fn borrowed<'a>(result: jlong) -> Result<&'a Outcome, Failure> {
    // SAFETY: alive, by the caller's promise.
    unsafe { Outcome::of(result).as_ref() }.ok_or(NO_OUTCOME)
}

/// `takeOutcome`: the bytes of an outcome, and its status in `status[0]`.
pub(crate) fn take<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    result: jlong,
    storage: jlong,
    status: JLongArray<'local>,
) -> Result<JByteArray<'local>, Failure> {
    // SAFETY: `JniMethod` takes each result once, with the storage of its call.
    unsafe {
        let outcome = OwnedOutcome::new(result)?;
        array::give(env, &status, &[outcome.get().status.into()])?;
        array::new(env, bytes(outcome.get(), pointer(storage)))
    }
}

/// `takeIntoArray`: copies a response that was handed over to an array and gives its length. If it's an error, or longer
/// than `capacity`, gives -1 and leaves the outcome alone.
pub(crate) fn take_into_array<'local>(
    env: &mut Env<'local>,
    _: JClass<'local>,
    result: jlong,
    array: JByteArray<'local>,
    offset: jint,
    capacity: jint,
) -> Result<jint, Failure> {
    // SAFETY: as for `take`; the outcome is taken only where it isn't left alone.
    unsafe {
        if !fits(borrowed(result)?, capacity) {
            return Ok(-1);
        }
        let outcome = OwnedOutcome::new(result)?;
        let bytes = bytes(outcome.get(), ptr::null());
        array::set(env, &array, offset, bytes)?;
        Ok(bytes.len() as jint)
    }
}

/// `takeIntoMemory`: as `takeIntoArray`, to an address.
pub(crate) fn take_into_memory<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    result: jlong,
    address: jlong,
    capacity: jint,
) -> jint {
    // SAFETY: as above, and `capacity` bytes can be written at `address`. What was handed over is the plugin's memory, so
    // the two don't overlap.
    thrown::bare(env, || unsafe {
        if !fits(borrowed(result)?, capacity) {
            return Ok(-1);
        }
        let outcome = OwnedOutcome::new(result)?;
        let bytes = bytes(outcome.get(), ptr::null());
        if !bytes.is_empty() {
            pointer(address).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Ok(bytes.len() as jint)
    })
}

/// Whether it's a response that was handed over and has no more than `capacity` bytes.
fn fits(outcome: &Outcome, capacity: jint) -> bool {
    outcome.status == RB_OK
        && outcome.response.release.is_some()
        && usize::try_from(capacity).is_ok_and(|capacity| outcome.response.len <= capacity)
}

/// `leaseLength`: the length of a response that was handed over, or -1 if the outcome is an error.
pub(crate) fn lease_length<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    result: jlong,
) -> jlong {
    thrown::bare(env, || {
        // SAFETY: `JniMethod` asks before it takes.
        let outcome = unsafe { borrowed(result)? };
        Ok(if outcome.status == RB_OK {
            outcome.response.len as jlong
        } else {
            -1
        })
    })
}

/// `leaseBytes`: a copy of a response that was handed over.
pub(crate) fn lease_bytes<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    result: jlong,
) -> JByteArray<'local> {
    let raw = env.as_raw();
    thrown::bare(env, || {
        // SAFETY: `JniResponse` asks only while it's open; its calls had no storage. The array is a new reference of this
        // frame, whose environment `raw` is.
        unsafe {
            let array = array::new_raw(raw, bytes(borrowed(result)?, ptr::null()))?;
            Ok(JByteArray::kind_from_raw(array))
        }
    })
}

/// `leaseBuffer`: a direct buffer over a response that was handed over.
pub(crate) fn lease_buffer<'local>(
    env: EnvUnowned<'local>,
    _: JClass<'local>,
    result: jlong,
) -> JByteBuffer<'local> {
    let raw = env.as_raw();
    thrown::bare(env, || {
        // SAFETY: as for `lease_bytes`. Java makes the buffer read-only before anybody sees it, and says how long it's
        // valid.
        unsafe {
            let bytes = bytes(borrowed(result)?, ptr::null());
            let Ok(len) = jint::try_from(bytes.len()) else {
                return Err(Failure::TooLong(bytes.len()));
            };
            let data = bytes.as_ptr().cast_mut().cast();
            let buffer = ((**raw).v1_4.NewDirectByteBuffer)(raw, data, len.into());
            // Null if an exception is pending.
            Ok(JByteBuffer::kind_from_raw(buffer))
        }
    })
}

/// `releaseOutcome`: frees it.
pub(crate) fn release<'local>(env: EnvUnowned<'local>, _: JClass<'local>, result: jlong) {
    thrown::bare(env, || {
        // SAFETY: `JniResponse` releases once.
        drop(unsafe { OwnedOutcome::new(result)? });
        Ok(())
    });
}
