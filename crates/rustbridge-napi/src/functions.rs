//! The functions that JavaScript gets for a prepared method, and what those that wait make of their arguments.

use core::mem::MaybeUninit;
use core::ptr;
use std::rc::Rc;

use napi_sys::*;
use rustbridge_abi::{RB_OK, Response};
use rustbridge_core::handles;
use rustbridge_host_abi as abi;

use crate::error::raise;
use crate::memory::{Memory, SMALL, of, release, taken};
use crate::method::{Method, holding};
use crate::text;
use crate::value::{self, arguments, made};
use crate::{operations, slot};

/// `[entry, flags, encoding, request_size, response_size, json, into, submit, with, slot]` of a method.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn told(env: napi_env, method: Method, out: &abi::Method) -> napi_value {
    let method = Rc::new(method);
    // SAFETY: each function takes the method as its data.
    unsafe {
        value::array(
            env,
            &[
                value::small(env, out.entry),
                value::small(env, out.flags),
                value::small(env, out.encoding),
                value::number(env, out.request_size as f64),
                value::number(env, out.response_size as f64),
                holding(env, c"json", json, Rc::clone(&method)),
                holding(env, c"into", into, Rc::clone(&method)),
                holding(env, c"submit", operations::submit, Rc::clone(&method)),
                holding(env, c"with", operations::with, Rc::clone(&method)),
                holding(env, c"slot", slot::make, method),
            ],
        )
    }
}

/// `json(text) -> text`.
unsafe extern "C" fn json(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the method; the request's bytes are ours.
    unsafe {
        let ([request], this) = arguments::<1, Method>(env, info);
        let this = &*this;
        let answer = text::with(env, request, |request| {
            this.answered(request.as_ptr(), request.len(), 0, |response| {
                let text = text::string(env, of(response));
                release(response);
                text
            })
        });
        answer.unwrap_or(ptr::null_mut())
    }
}

/// `into(request, target) -> length`, or all bytes of the response if they don't fit.
unsafe extern "C" fn into(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the method. What JavaScript could take away or change while the call runs isn't passed on.
    unsafe {
        let ([request, target], this) = arguments::<2, Method>(env, info);
        let this = &*this;
        let (Some(source), Some(mut to)) = (
            Memory::of_bytes(env, request),
            Memory::of_bytes(env, target),
        ) else {
            return ptr::null_mut();
        };
        // No larger than what a small response needs, so that one which doesn't fit is told as a large one's would be.
        let mut room = [const { MaybeUninit::<u64>::uninit() }; SMALL / 8];
        let is_aside = to.len <= SMALL || this.reenters || to.is_shared(env);
        let mut large = Vec::<u8>::new();
        let (storage, capacity) = if to.len <= SMALL {
            (room.as_mut_ptr().cast::<u8>(), to.len)
        } else if is_aside {
            large.reserve_exact(to.len);
            (large.as_mut_ptr(), to.len)
        } else {
            (to.data, to.len)
        };
        let mut response = Response::with_buffer(storage, capacity);
        let mut copy = [const { MaybeUninit::<u64>::uninit() }; SMALL / 8];
        let status = if source.len <= SMALL {
            let copy = copy.as_mut_ptr().cast::<u8>();
            ptr::copy_nonoverlapping(source.data, copy, source.len);
            this.cross(copy, source.len, 0, &mut response)
        } else {
            let is_shared = this.reenters || source.is_shared(env) || source.overlaps(&to);
            let shared = if is_shared { handles::ENTRY_SHARED } else { 0 };
            this.cross(source.data, source.len, shared, &mut response)
        };
        if status != RB_OK {
            return raise(&this.environment, status, &mut response);
        }
        if this.reenters {
            // It may be detached by now, or shorter.
            match Memory::of_bytes(env, target) {
                Some(now) => to = now,
                None => {
                    release(&mut response);
                    return ptr::null_mut();
                }
            }
        }
        let len = response.len;
        if len > to.len {
            return taken(env, &mut response);
        }
        if response.data != to.data && len != 0 {
            // Not twice the same memory: what was handed over is the plugin's, and all else is ours.
            ptr::copy_nonoverlapping(response.data, to.data, len);
        }
        release(&mut response);
        if len <= u32::MAX as usize {
            value::small(env, len as u32)
        } else {
            made!(napi_create_double, env, len as f64)
        }
    }
}
