//! A place for one call at a time: JavaScript writes the request into an `ArrayBuffer` that is made once, and reads the response
//! there, so a call has no arguments.

use core::ptr;
use std::rc::Rc;

use napi_sys::*;
use rustbridge_abi::{RB_OK, Response};

use crate::error::raise;
use crate::memory::release;
use crate::method::{Method, holding};
use crate::value::{self, arguments, throw};

/// The place.
struct Slot {
    method: Rc<Method>,
    /// The `ArrayBuffer`, which is kept as long as the slot's function is.
    buffer: napi_ref,
    data: *mut u8,
    len: usize,
    /// Where the response begins, a multiple of 8.
    response_at: usize,
    /// The call's own memory, where JavaScript may run meanwhile.
    aside: core::cell::RefCell<Vec<u64>>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        // SAFETY: dropped on the environment's thread, by its finalizer.
        unsafe { napi_delete_reference(self.method.environment.env, self.buffer) };
    }
}

/// `slot() -> [buffer, response_at, call]` of a method whose sizes are fixed.
pub(crate) unsafe extern "C" fn make(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the method.
    unsafe {
        let ([], this) = arguments::<0, Method>(env, info);
        Rc::increment_strong_count(this);
        let method = Rc::from_raw(this);
        let response_at = method.request_size.next_multiple_of(8);
        let len = response_at + method.response_size;
        let (mut data, mut buffer, mut reference) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        if napi_create_arraybuffer(env, len, &mut data, &mut buffer) != Status::napi_ok
            || napi_create_reference(env, buffer, 1, &mut reference) != Status::napi_ok
        {
            return ptr::null_mut();
        }
        let slot = Rc::new(Slot {
            method,
            buffer: reference,
            data: data.cast(),
            len,
            response_at,
            aside: core::cell::RefCell::default(),
        });
        value::array(
            env,
            &[
                buffer,
                value::number(env, response_at as f64),
                holding(env, c"call", call, slot),
            ],
        )
    }
}

impl Slot {
    /// Whether the memory is where it was: a buffer may be transferred, and is nobody's then.
    ///
    /// # Safety
    /// In a callback of the environment.
    #[inline(always)]
    unsafe fn is_there(&self, env: napi_env) -> bool {
        let (mut data, mut len, mut buffer) = (ptr::null_mut(), 0, ptr::null_mut());
        // SAFETY: the reference is the slot's.
        unsafe {
            napi_get_reference_value(env, self.buffer, &mut buffer);
            napi_get_arraybuffer_info(env, buffer, &mut data, &mut len);
        }
        data.cast() == self.data && len == self.len
    }
}

/// `call()`.
unsafe extern "C" fn call(env: napi_env, info: napi_callback_info) -> napi_value {
    let mut data = ptr::null_mut();
    // SAFETY: the data is the slot. Its memory is there, and an `ArrayBuffer` has no other thread, so nobody changes it until JavaScript
    // runs again.
    unsafe {
        napi_get_cb_info(
            env,
            info,
            ptr::null_mut(),
            ptr::null_mut(),
            ptr::null_mut(),
            &mut data,
        );
        let slot = &*data.cast::<Slot>();
        if !slot.is_there(env) {
            return throw(env, c"the slot's buffer was transferred: make another slot");
        }
        let method = &*slot.method;
        if method.reenters {
            return slot.call_aside(env);
        }
        let storage = slot.data.add(slot.response_at);
        let mut response = Response::with_storage(storage, method.response_size);
        let status = method.cross(slot.data, method.request_size, 0, &mut response);
        if status != RB_OK || response.data != storage || response.len != method.response_size {
            return slot.unusual(env, status, &mut response);
        }
        ptr::null_mut()
    }
}

impl Slot {
    /// # Safety
    /// As for `call`.
    #[cold]
    unsafe fn call_aside(&self, env: napi_env) -> napi_value {
        let method = &*self.method;
        let mut aside = self.aside.take();
        aside.clear();
        aside.resize(self.len.div_ceil(8), 0);
        let data = aside.as_mut_ptr().cast::<u8>();
        // SAFETY: the memory is as long as the buffer, which is looked at again before it's written to.
        unsafe {
            ptr::copy_nonoverlapping(self.data, data, method.request_size);
            let storage = data.add(self.response_at);
            let mut response = Response::with_storage(storage, method.response_size);
            let status = method.cross(data, method.request_size, 0, &mut response);
            if status != RB_OK || !self.is_there(env) {
                return self.unusual(env, status, &mut response);
            }
            let answer = self.unusual(env, status, &mut response);
            self.aside.replace(aside);
            answer
        }
    }

    /// An error, or a response that isn't where it's expected.
    ///
    /// # Safety
    /// As for `call`, after the call.
    #[cold]
    unsafe fn unusual(&self, env: napi_env, status: i32, response: &mut Response) -> napi_value {
        // SAFETY: the response is the call's.
        unsafe {
            if status != RB_OK {
                return raise(&self.method.environment, status, response);
            }
            if response.len != self.method.response_size {
                release(response);
                return throw(
                    env,
                    c"the response hasn't the size that the plugin describes",
                );
            }
            if !self.is_there(env) {
                release(response);
                return throw(env, c"the slot's buffer was transferred while the call ran");
            }
            ptr::copy(response.data, self.data.add(self.response_at), response.len);
            release(response);
        }
        ptr::null_mut()
    }
}
