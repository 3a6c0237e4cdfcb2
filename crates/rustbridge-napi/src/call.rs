//! The crossing itself, and where the response is written.

use core::cell::Cell;
use core::mem::MaybeUninit;

use napi_sys::*;
use rustbridge_abi::{RB_OK, Response, StatusCode};
use rustbridge_core::handles;

use crate::environment::Environment;
use crate::error::raise;
use crate::method::Method;

/// Storage up to this size lies on the stack.
const STACK: usize = 4096;

thread_local! {
    /// Storage above [`STACK`] that this thread lends to one call at a time.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };

    /// The environment whose JavaScript is waiting for a call on this thread, if services may be answered right here.
    static INSIDE: Cell<*const Environment> = const { Cell::new(core::ptr::null()) };
}

/// The environment whose JavaScript waits for a call on this thread.
pub(crate) fn within<'a>() -> Option<&'a Environment> {
    // SAFETY: null, or that of a call further up on this stack, which outlives whoever is called by it.
    unsafe { INSIDE.get().as_ref() }
}

/// Runs what may ask services of an environment's, which are answered right here if it's a synchronous call.
pub(crate) fn inside<T>(environment: *const Environment, run: impl FnOnce() -> T) -> T {
    let before = INSIDE.replace(environment);
    let answer = run();
    INSIDE.set(before);
    answer
}

impl Method {
    /// Crosses. `shared` is added to the entry.
    ///
    /// # Safety
    /// The request is readable and doesn't change, unless it's shared; the response is valid.
    #[inline(always)]
    pub(crate) unsafe fn cross(
        &self,
        request: *const u8,
        len: usize,
        shared: u32,
        response: &mut Response,
    ) -> StatusCode {
        // SAFETY: the caller's promise.
        let mut call =
            || unsafe { handles::call(self.handle, self.entry | shared, request, len, response) };
        if self.reenters {
            inside(&*self.environment, call)
        } else {
            call()
        }
    }

    /// Calls with storage of ours and makes a value of the response, which `take` releases.
    ///
    /// # Safety
    /// As for `cross`, in a callback of the environment.
    #[inline(always)]
    pub(crate) unsafe fn answered(
        &self,
        request: *const u8,
        len: usize,
        shared: u32,
        take: impl FnOnce(&mut Response) -> napi_value,
    ) -> napi_value {
        let wanted = self.storage.get();
        if wanted > STACK {
            // SAFETY: the caller's promise.
            return unsafe { self.answered_large(wanted, request, len, shared, take) };
        }
        let mut storage = MaybeUninit::<[u8; STACK]>::uninit();
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), wanted);
        // SAFETY: the storage outlives the response, which is converted and released in `finish`.
        unsafe {
            let status = self.cross(request, len, shared, &mut response);
            self.finish(status, response, take)
        }
    }

    /// # Safety
    /// As for `answered`.
    #[inline(never)]
    unsafe fn answered_large(
        &self,
        wanted: usize,
        request: *const u8,
        len: usize,
        shared: u32,
        take: impl FnOnce(&mut Response) -> napi_value,
    ) -> napi_value {
        // A call inside this one finds none and allocates its own.
        let mut scratch = SCRATCH.try_with(Cell::take).unwrap_or_default();
        scratch.reserve(wanted);
        let mut response = Response::with_buffer(scratch.as_mut_ptr(), wanted);
        // SAFETY: `wanted` bytes are reserved, and stay where they are until the response is converted.
        let value = unsafe {
            let status = self.cross(request, len, shared, &mut response);
            self.finish(status, response, take)
        };
        let _ = SCRATCH.try_with(|place| place.set(scratch));
        value
    }

    /// # Safety
    /// The response is that of a call, and its storage, if any, still there.
    #[inline(always)]
    unsafe fn finish(
        &self,
        status: StatusCode,
        mut response: Response,
        take: impl FnOnce(&mut Response) -> napi_value,
    ) -> napi_value {
        if status != RB_OK {
            // SAFETY: the caller's promise.
            return unsafe { raise(&self.environment, status, &mut response) };
        }
        if response.release.is_some() {
            self.grow(response.len);
        }
        take(&mut response)
    }
}
