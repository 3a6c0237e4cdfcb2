//! Services that plugins ask. A call goes to the loop's queue, unless the thread that asks is the loop's own and inside a call that
//! it waits for: then JavaScript's function runs at once.

use core::ffi::{CStr, c_void};
use core::ptr;

use napi_sys::*;
use rustbridge_abi::{
    Encoding, RB_INTERNAL, RB_PENDING, RB_RESOURCE_EXHAUSTED, RB_UNAVAILABLE, Response, StatusCode,
    Text,
};
use rustbridge_core::Error;
use rustbridge_host_abi as abi;

use crate::call::within;
use crate::environment::{Environment, Handler};
use crate::error::TOO_LARGE;
use crate::header::beside;
use crate::memory::{self, Memory};
use crate::text;
use crate::value::{self, kind, small, thrown, word};

/// A service of an instance's, as one word. No address: an event may be looked at when its instance is closed already, and its service
/// given up.
#[derive(Clone, Copy)]
pub(crate) struct ServiceHandle {
    environment: u32,
    /// What JavaScript knows it by.
    pub(crate) number: u32,
    json: bool,
}

/// The lowest bit says whether it speaks JSON, those above it which one it is, and the upper half whose.
const NUMBER: u32 = 31;

// The library passes a word of its own back, and one of 32 bits isn't enough.
const _: () = assert!(size_of::<usize>() == size_of::<u64>());

impl ServiceHandle {
    fn word(self) -> u64 {
        let number = u64::from(self.number) << 1 | u64::from(self.json);
        u64::from(self.environment) << u32::BITS | number
    }

    pub(crate) fn of(word: u64) -> ServiceHandle {
        ServiceHandle {
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
                let registered = ServiceHandle {
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
        let registered = ServiceHandle::of(user_data.addr() as u64);
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
    registered: ServiceHandle,
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
            beside(env, call.call_context.as_ref()),
            registered.request(env, memory::of(&request)),
        ];
        if arguments.contains(&ptr::null_mut()) {
            thrown(env);
            abi::rb_respond(response, TOO_LARGE.as_ptr(), TOO_LARGE.len());
            return RB_RESOURCE_EXHAUSTED;
        }
        let answer = environment.call(Handler::Ask, &arguments);
        let read = || {
            let [status, payload] = value::elements(env, answer)?;
            let status = word(env, status)? as StatusCode;
            let content = if kind(env, payload) == ValueType::napi_string {
                text::owned(env, payload)?
            } else {
                Memory::expect(env, payload)?.to_vec()
            };
            Some((status, content))
        };
        let (status, content) = match answer.is_null() {
            true => failed(env),
            false => read().unwrap_or_else(|| failed(env)),
        };
        if status == RB_PENDING {
            return RB_INTERNAL;
        }
        abi::rb_respond(response, content.as_ptr(), content.len());
        status
    }
}

/// What a plugin is told where JavaScript's side of the service itself has thrown, which it does where there's no room left on the stack; or
/// where JavaScript is being ended. What was thrown isn't left behind, or the plugin's caller would throw it.
///
/// # Safety
/// As for [`answered`].
#[cold]
unsafe fn failed(env: napi_env) -> (StatusCode, Vec<u8>) {
    // SAFETY: the caller's promise. What isn't read is null, which has no type.
    unsafe {
        let error = thrown(env);
        let property = |name: &CStr| {
            let mut value = ptr::null_mut();
            let status = napi_get_named_property(env, error, name.as_ptr(), &mut value);
            let is_ended = status != Status::napi_ok
                && status != Status::napi_object_expected
                && thrown(env).is_null();
            let is_text = kind(env, value) == ValueType::napi_string;
            let text = is_text.then(|| text::owned(env, value)).flatten();
            (!is_ended).then(|| String::from_utf8_lossy(&text.unwrap_or_default()).into_owned())
        };
        let (Some(message), Some(name)) = (property(c"message"), property(c"name")) else {
            return (RB_UNAVAILABLE, Vec::new());
        };
        let message = if message.is_empty() {
            "the service threw a value without a message".to_owned()
        } else {
            message
        };
        // V8's error for an exhausted stack. By this type, a plugin releases objects again later.
        let name = match &*name {
            "RangeError" => "rustbridge.StackExhausted".to_owned(),
            _ => name,
        };
        let told = Error::failure(rustbridge_abi::Status::Internal, message).with_type(name);
        (RB_INTERNAL, told.to_json().into_bytes())
    }
}
