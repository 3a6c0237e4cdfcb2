//! Services that plugins ask. A call goes to the loop's queue, unless the thread that asks is the loop's own and inside a call that
//! it waits for: then JavaScript's function runs at once.

use core::ffi::c_void;
use core::ptr;

use napi_sys::*;
use rustbridge_abi::{
    Encoding, RB_INTERNAL, RB_PENDING, RB_UNAVAILABLE, Response, StatusCode, Text,
};
use rustbridge_host_abi as abi;

use crate::call::within;
use crate::environment::{Environment, Handler};
use crate::header::beside;
use crate::memory::{self, Memory};
use crate::text;
use crate::value::{self, kind, small, word};

/// A service of an instance's, as one word. No address: an event may be looked at when its instance is closed already, and its service
/// given up.
#[derive(Clone, Copy)]
pub(crate) struct Registered {
    environment: u32,
    /// What JavaScript knows it by.
    pub(crate) number: u32,
    json: bool,
}

/// The lowest bit says whether it speaks JSON, those above it which one it is, and the upper half whose.
const NUMBER: u32 = 31;

// The library passes a word of its own back, and one of 32 bits isn't enough.
const _: () = assert!(size_of::<usize>() == size_of::<u64>());

impl Registered {
    fn word(self) -> u64 {
        let number = u64::from(self.number) << 1 | u64::from(self.json);
        u64::from(self.environment) << u32::BITS | number
    }

    pub(crate) fn of(word: u64) -> Registered {
        Registered {
            environment: (word >> u32::BITS) as u32,
            number: (word as u32) >> 1,
            json: word & 1 != 0,
        }
    }

    /// What it's asked: a string of what's JSON, else bytes.
    ///
    /// # Safety
    /// In a callback of the environment.
    pub(crate) unsafe fn request(self, env: napi_env, request: &[u8]) -> napi_value {
        // SAFETY: the caller's promise.
        unsafe {
            if self.json {
                text::string(env, request)
            } else {
                memory::bytes(env, request)
            }
        }
    }
}

/// Services to register, and the names that they point to.
#[derive(Default)]
pub(crate) struct Services {
    names: Vec<Vec<u8>>,
    read: Vec<abi::Service>,
}

impl Services {
    /// Reads an array of `[name, encoding, number]`. None with an exception.
    ///
    /// # Safety
    /// In a callback of the environment.
    pub(crate) unsafe fn read(environment: &Environment, services: napi_value) -> Option<Services> {
        let env = environment.env;
        let mut all = Services::default();
        // SAFETY: each element is looked at before it's used as what it has to be.
        unsafe {
            let mut count = 0;
            if napi_get_array_length(env, services, &mut count) != Status::napi_ok {
                value::throw(env, c"services are an array");
                return None;
            }
            let mut told = Vec::new();
            for index in 0..count {
                let mut one = ptr::null_mut();
                napi_get_element(env, services, index, &mut one);
                let [name, encoding, number] = value::elements(env, one)?;
                let number = word(env, number)?;
                if number >> NUMBER != 0 {
                    value::throw(env, c"too many services");
                    return None;
                }
                told.push((word(env, encoding)?, number));
                all.names.push(text::owned(env, name)?);
            }
            for (index, (encoding, number)) in told.into_iter().enumerate() {
                let registered = Registered {
                    environment: environment.number,
                    number,
                    json: encoding == Encoding::Json.code(),
                };
                all.read.push(abi::Service {
                    encoding,
                    name: Text {
                        data: all.names[index].as_ptr().cast(),
                        len: all.names[index].len(),
                    },
                    call: Some(ask),
                    queue: environment.queue(),
                    user_data: ptr::without_provenance_mut(registered.word() as usize),
                    ..abi::Service::EMPTY
                });
            }
        }
        Some(all)
    }

    /// What `rb_load` takes, which makes them the library's.
    pub(crate) fn all(&self) -> &[abi::Service] {
        &self.read
    }
}

/// Asked before the queue, on the thread that the plugin asks on.
///
/// # Safety
/// `user_data` is a service's; `call` and `response` are valid until this returns.
unsafe extern "C" fn ask(
    user_data: *mut c_void,
    call: *const abi::ServiceCall,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the call is valid. The environment is that of a call on this very thread, which waits.
    unsafe {
        let registered = Registered::of(user_data.addr() as u64);
        let Some(environment) = within().filter(|it| it.number == registered.environment) else {
            return RB_PENDING;
        };
        let env = environment.env;
        let call = &*call;
        let mut scope = ptr::null_mut();
        if napi_open_handle_scope(env, &mut scope) != Status::napi_ok {
            return RB_UNAVAILABLE;
        }
        let status = answered(environment, registered, call, response);
        napi_close_handle_scope(env, scope);
        status
    }
}

/// # Safety
/// As for [`ask`], on the environment's thread, with a scope open.
unsafe fn answered(
    environment: &Environment,
    registered: Registered,
    call: &abi::ServiceCall,
    response: *mut Response,
) -> StatusCode {
    let env = environment.env;
    // SAFETY: the caller's promise.
    unsafe {
        let request = Response {
            data: call.request.cast_mut(),
            len: call.request_len,
            ..Response::empty()
        };
        let arguments = [
            value::undefined(env),
            small(env, registered.number),
            beside(env, call.header.as_ref()),
            registered.request(env, memory::of(&request)),
        ];
        let answer = environment.call(Handler::Ask, &arguments);
        if answer.is_null() {
            // JavaScript is being ended. What isn't that must not be left behind, or the plugin's caller would throw it.
            let mut ignored = ptr::null_mut();
            napi_get_and_clear_last_exception(env, &mut ignored);
            return RB_UNAVAILABLE;
        }
        let Some([status, payload]) = value::elements(env, answer) else {
            return RB_INTERNAL;
        };
        let Some(status) = word(env, status) else {
            return RB_INTERNAL;
        };
        if status as StatusCode == RB_PENDING {
            return RB_INTERNAL;
        }
        let content = if kind(env, payload) == ValueType::napi_string {
            text::owned(env, payload)
        } else {
            Memory::of(env, payload).map(|memory| memory.to_vec())
        };
        let Some(content) = content else {
            return RB_INTERNAL;
        };
        abi::rb_respond(response, content.as_ptr(), content.len());
        status as StatusCode
    }
}
