//! What a function of the host ABI leaves in its response, on the way to Java.

use core::slice;

use jni::Env;
use jni::objects::{JByteArray, JLongArray};
use jni::sys::jlong;
use rustbridge_abi::{Response, StatusCode};
use rustbridge_core::handles;

use crate::array;
use crate::thrown::Failure;

/// A response that is released when this is dropped.
pub(crate) struct Answer(pub(crate) Response);

impl Answer {
    pub(crate) fn none() -> Answer {
        Answer(Response::empty())
    }

    /// Gives the status and `values` to `out`, and the bytes back; null for none, because a handle in `values` would be lost if
    /// the JVM had no memory left for an array.
    pub(crate) fn give<'local>(
        &self,
        env: &mut Env<'local>,
        status: StatusCode,
        values: &[jlong],
        out: &JLongArray<'_>,
    ) -> Result<JByteArray<'local>, Failure> {
        let mut all = vec![jlong::from(status)];
        all.extend_from_slice(values);
        array::give(env, out, &all)?;
        if self.0.len == 0 {
            return Ok(JByteArray::null());
        }
        // SAFETY: a function of the host ABI has filled the response in, so it has `len` bytes at `data` until it's
        // released.
        array::new(env, unsafe {
            slice::from_raw_parts(self.0.data, self.0.len)
        })
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // SAFETY: empty, or filled in by a function of the host ABI.
        unsafe { handles::release(&mut self.0) }
    }
}
