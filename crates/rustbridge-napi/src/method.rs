//! Prepared methods, and functions of JavaScript's that hold what they are made with.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use std::rc::Rc;

use napi_sys::*;
use rustbridge_abi::Encoding;
use rustbridge_host_abi as abi;

use crate::environment::Environment;
use crate::value::{self, Function};

/// What a method was prepared as. Belongs to its functions, each of which holds it.
pub(crate) struct Method {
    pub(crate) environment: Rc<Environment>,
    pub(crate) handle: u64,
    pub(crate) entry: u32,
    pub(crate) json: bool,
    /// JavaScript may run while it does: its instance has services, and it isn't leaf.
    pub(crate) reenters: bool,
    pub(crate) request_size: usize,
    pub(crate) response_size: usize,
    /// How much storage to offer the next call.
    pub(crate) storage: Cell<usize>,
    buffer_limit: usize,
}

impl Method {
    pub(crate) fn new(
        environment: Rc<Environment>,
        handle: u64,
        out: &abi::Method,
        has_services: bool,
    ) -> Method {
        Method {
            environment,
            handle,
            entry: out.entry,
            json: out.encoding == Encoding::Json.code(),
            reenters: has_services && out.flags & abi::RB_METHOD_LEAF == 0,
            request_size: out.request_size as usize,
            response_size: out.response_size as usize,
            storage: Cell::new(out.buffer_size as usize),
            buffer_limit: out.buffer_limit as usize,
        }
    }

    /// Offers more storage to the next call, by the core's rule, after a response that didn't fit.
    #[cold]
    pub(crate) fn grow(&self, len: usize) {
        let larger = len
            .checked_next_power_of_two()
            .filter(|size| *size <= self.buffer_limit);
        if let Some(larger) = larger {
            self.storage.set(larger.max(self.storage.get()));
        }
    }
}

/// A function that holds what it's made with, which is dropped with it.
///
/// # Safety
/// In a callback of the environment; the function takes a `*mut T` as its data.
pub(crate) unsafe fn holding<T>(
    env: napi_env,
    name: &core::ffi::CStr,
    callback: Function,
    held: Rc<T>,
) -> napi_value {
    let data = Rc::into_raw(held).cast_mut();
    // SAFETY: the finalizer gives the count back that was taken here.
    unsafe {
        let function = value::function(env, name, callback, data);
        let status = napi_add_finalizer(
            env,
            function,
            data.cast(),
            Some(dropped::<T>),
            ptr::null_mut(),
            ptr::null_mut(),
        );
        if status != Status::napi_ok {
            drop(Rc::from_raw(data));
            return ptr::null_mut();
        }
        function
    }
}

unsafe extern "C" fn dropped<T>(_: napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: `holding` has left a count with the function, which is gone.
    drop(unsafe { Rc::from_raw(data.cast::<T>()) });
}
