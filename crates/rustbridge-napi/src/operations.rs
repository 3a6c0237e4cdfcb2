//! Calls that end later, and those that carry something.

use core::mem::MaybeUninit;
use core::ptr;

use napi_sys::*;
use rustbridge_abi::{Batch, RB_BATCH_ENDS, RB_OK, RB_PENDING, Response, StatusCode};
use rustbridge_core::handles;
use rustbridge_core::operations::{self, Submission};
use rustbridge_host_abi as abi;

use crate::call::inside;
use crate::environment::Environment;
use crate::error::{payload, raise};
use crate::header::CallData;
use crate::memory::{Memory, of, release, taken};
use crate::method::Method;
use crate::text;
use crate::value::{self, arguments, is_true, kind, long, undefined, word};

/// What most answers fit in, on the stack.
const STORAGE: usize = 4096;

/// The bytes of a request: of a string, or of a typed array, which may be shared. None with an exception.
///
/// # Safety
/// In a callback of the environment; no JavaScript runs inside `run`, but what's shared may be written to.
#[inline(always)]
unsafe fn request<T>(
    env: napi_env,
    value: napi_value,
    run: impl FnOnce(*const u8, usize, u32) -> T,
) -> Option<T> {
    // SAFETY: the caller's promise.
    unsafe {
        if kind(env, value) == ValueType::napi_string {
            return text::with(env, value, |text| run(text.as_ptr(), text.len(), 0));
        }
        let memory = Memory::expect(env, value)?;
        let shared = if memory.is_shared(env) {
            handles::ENTRY_SHARED
        } else {
            0
        };
        Some(run(memory.data, memory.len, shared))
    }
}

/// `submit(request, flags, header, items, bytes, target)`: the operation's small number if it's pending; else its answer, or if anything came
/// beside it `[status, payload, trailers, objects, headers]`. Bytes that fit the target, if there's one, are written there, and their length is
/// told as `-1 - length`: to make an array here costs more than all else does.
pub(crate) unsafe extern "C" fn submit(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the method; what's borrowed outlives the submission.
    unsafe {
        let ([given, flags, header, items, most, target], this) = arguments::<6, Method>(env, info);
        let this = &*this;
        let environment = &*this.environment;
        let (Some(flags), Some(mut carried)) = (word(env, flags), CallData::read(env, header))
        else {
            return ptr::null_mut();
        };
        let mut demand = (0, 0);
        if kind(env, items) == ValueType::napi_number {
            let (Some(items), Some(most)) = (long(env, items), long(env, most)) else {
                return ptr::null_mut();
            };
            demand = (items, most);
        }
        let queue = environment.queue();
        let token = environment.begun.borrow_mut().add(this.json);
        let mut storage = MaybeUninit::<[u8; STORAGE]>::uninit();
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), STORAGE);
        let begun = request(env, given, |data, len, shared| {
            let mut submission = Submission::raw(this.handle, this.entry | shared, data, len);
            submission.header = carried.pointer();
            submission.user_data = token.into();
            submission.demand = demand;
            submission.offload = abi::offload(flags);
            // What's asked meanwhile goes to the queue: whoever has called this isn't waiting.
            inside(ptr::null(), || {
                operations::submit(queue, submission, &mut response)
            })
        });
        let Some((status, op)) = begun else {
            environment.begun.borrow_mut().drop_unused(token);
            return ptr::null_mut();
        };
        if status == RB_PENDING {
            environment.begun.borrow_mut().set(token, op);
            environment.hold();
            return value::small(env, token);
        }
        environment.begun.borrow_mut().drop_unused(token);
        if !carried.has_reply() {
            carried.forget();
            if status != RB_OK {
                return raise(environment, status, &mut response);
            }
            if !this.json && response.release.is_none() && response.len <= STORAGE {
                // No JavaScript has run, and the storage is our own.
                if let Some(target) = Memory::of(env, target).filter(|to| to.len >= response.len) {
                    ptr::copy_nonoverlapping(response.data, target.data, response.len);
                    return value::status(env, -1 - response.len as i32);
                }
            }
            return answer(env, this.json, &mut response);
        }
        whole(env, this.json, status, &mut response, &mut carried)
    }
}

/// A good answer: a string of what's JSON, else bytes; released.
///
/// # Safety
/// In a callback of the environment.
unsafe fn answer(env: napi_env, json: bool, response: &mut Response) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        if !json {
            return taken(env, response);
        }
        let text = text::string(env, of(response));
        release(response);
        text
    }
}

/// `[status, payload, trailers, objects, headers]`; null with an exception if the payload can't be made.
///
/// # Safety
/// In a callback of the environment; response and reply are the call's.
unsafe fn whole(
    env: napi_env,
    json: bool,
    status: StatusCode,
    response: &mut Response,
    carried: &mut CallData,
) -> napi_value {
    // SAFETY: the caller's promise.
    unsafe {
        let content = if status == RB_OK {
            answer(env, json, response)
        } else {
            payload(env, response)
        };
        if content.is_null() {
            carried.drop_reply();
            return content;
        }
        let [trailers, objects, headers] = carried.reply(env);
        let status = value::status(env, status);
        value::array(env, &[status, content, trailers, objects, headers])
    }
}

/// `with(request, header) -> [status, payload, trailers, objects, headers]`.
pub(crate) unsafe extern "C" fn with(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: as in `submit`. Where JavaScript may run meanwhile, the core has a copy of the request.
    unsafe {
        let ([given, header], this) = arguments::<2, Method>(env, info);
        let this = &*this;
        let Some(mut carried) = CallData::read(env, header) else {
            return ptr::null_mut();
        };
        let mut storage = MaybeUninit::<[u8; STORAGE]>::uninit();
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), STORAGE);
        let again = if this.reenters {
            handles::ENTRY_SHARED
        } else {
            0
        };
        let status = request(env, given, |data, len, shared| {
            let entry = this.entry | shared | again;
            let header = carried.pointer();
            let call = || {
                abi::rb_call_with(
                    this.handle,
                    entry,
                    header,
                    ptr::null_mut(),
                    data,
                    len,
                    &mut response,
                )
            };
            let environment: *const Environment = if this.reenters {
                &*this.environment
            } else {
                ptr::null()
            };
            inside(environment, call)
        });
        match status {
            Some(status) => whole(env, this.json, status, &mut response, &mut carried),
            None => ptr::null_mut(),
        }
    }
}

/// `undefined`, or throws what the function left in its error.
///
/// # Safety
/// In a callback of the environment.
pub(crate) unsafe fn finish(
    environment: &Environment,
    run: impl FnOnce(&mut Response) -> StatusCode,
) -> napi_value {
    let mut error = Response::empty();
    match run(&mut error) {
        RB_OK => ptr::null_mut(),
        // SAFETY: the caller's promise.
        status => unsafe { raise(environment, status, &mut error) },
    }
}

/// `cancel(token)`.
pub(crate) unsafe extern "C" fn cancel(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([token], environment) = arguments::<1, Environment>(env, info);
        let Some(token) = word(env, token) else {
            return ptr::null_mut();
        };
        let op = (*environment).begun.borrow().get(token).op;
        finish(&*environment, |error| {
            inside(ptr::null(), || abi::rb_op_cancel(op, error))
        })
    }
}

/// `detach(token, strictly)`: gives it up, and its number with it. One that has ended meanwhile needs no more, unless that's to be told.
pub(crate) unsafe extern "C" fn detach(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([token, strictly], environment) = arguments::<2, Environment>(env, info);
        let Some(token) = word(env, token) else {
            return ptr::null_mut();
        };
        let environment = &*environment;
        let removed = environment.begun.borrow_mut().remove(token);
        if removed.is_some() {
            environment.let_go();
        }
        let op = removed.unwrap_or_default().op;
        if is_true(env, strictly) {
            return finish(environment, |error| {
                inside(ptr::null(), || abi::rb_op_detach(op, error))
            });
        }
        inside(ptr::null(), || abi::rb_op_detach(op, ptr::null_mut()));
        ptr::null_mut()
    }
}

/// `demand(token, items, bytes)`.
pub(crate) unsafe extern "C" fn demand(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([token, items, most], environment) = arguments::<3, Environment>(env, info);
        let (Some(token), Some(items), Some(most)) =
            (word(env, token), long(env, items), long(env, most))
        else {
            return ptr::null_mut();
        };
        let op = (*environment).begun.borrow().get(token).op;
        finish(&*environment, |error| {
            inside(ptr::null(), || abi::rb_op_demand(op, items, most, error))
        })
    }
}

/// `write(token, data, ends, strictly)`: sends items, of which the second says where each ends. Whether they were taken: 0 for yes, or the status,
/// unless that's to be thrown.
pub(crate) unsafe extern "C" fn write(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment. What's sent is a copy of our own.
    unsafe {
        let ([token, data, ends, strictly], environment) = arguments::<4, Environment>(env, info);
        let (Some(token), Some(data), Some(ends)) = (
            word(env, token),
            Memory::expect(env, data),
            Memory::expect(env, ends),
        ) else {
            return ptr::null_mut();
        };
        let mut bytes = data.to_vec();
        let ends = ends.to_vec();
        bytes.extend_from_slice(&ends);
        let batch = Batch {
            flags: RB_BATCH_ENDS,
            data: bytes.as_ptr(),
            len: bytes.len(),
            count: (ends.len() / 4) as u32,
            ..Batch::EMPTY
        };
        let op = (*environment).begun.borrow().get(token).op;
        if is_true(env, strictly) {
            return finish(&*environment, |error| {
                inside(ptr::null(), || abi::rb_op_write(op, &batch, error))
            });
        }
        let status = inside(ptr::null(), || {
            abi::rb_op_write(op, &batch, ptr::null_mut())
        });
        value::status(env, status)
    }
}

/// `end(token, status, payload)`.
pub(crate) unsafe extern "C" fn end(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([token, status, payload], environment) = arguments::<3, Environment>(env, info);
        let (Some(token), Some(status), Some(payload)) = (
            word(env, token),
            word(env, status),
            text::owned(env, payload),
        ) else {
            return ptr::null_mut();
        };
        let op = (*environment).begun.borrow().get(token).op;
        finish(&*environment, |error| {
            let (data, len) = (payload.as_ptr(), payload.len());
            inside(ptr::null(), || {
                abi::rb_op_end(op, status as StatusCode, data, len, error)
            })
        })
    }
}

/// `reply(number, status, payload)`: answers a service's call; nobody may be waiting any more. The payload is a string or a typed array.
pub(crate) unsafe extern "C" fn reply(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the bytes are copied before anybody gets them.
    unsafe {
        let ([number, status, given], _) = arguments::<3, Environment>(env, info);
        let (Some(number), Some(status)) = (long(env, number), word(env, status)) else {
            return ptr::null_mut();
        };
        let payload = request(env, given, |data, len, _| Memory::copied(data, len));
        if let Some(payload) = payload {
            let (data, len) = (payload.as_ptr(), payload.len());
            inside(ptr::null(), || {
                abi::rb_service_reply(number, status as StatusCode, data, len, ptr::null_mut())
            });
        }
        ptr::null_mut()
    }
}

/// `release(object)`: the plugin drops it.
pub(crate) unsafe extern "C" fn release_object(
    env: napi_env,
    info: napi_callback_info,
) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([number], environment) = arguments::<1, Environment>(env, info);
        match long(env, number) {
            // Its destructor may ask services.
            Some(number) => {
                value::status(env, inside(environment, || abi::rb_object_release(number)))
            }
            None => ptr::null_mut(),
        }
    }
}

/// `hold(yes)`: keeps the loop alive, or doesn't any more.
pub(crate) unsafe extern "C" fn hold(env: napi_env, info: napi_callback_info) -> napi_value {
    // SAFETY: the data is the environment.
    unsafe {
        let ([yes], environment) = arguments::<1, Environment>(env, info);
        if is_true(env, yes) {
            (*environment).hold();
        } else {
            (*environment).let_go();
        }
        undefined(env)
    }
}
