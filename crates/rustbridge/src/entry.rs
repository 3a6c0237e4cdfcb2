//! The monomorphised entries: one function per handler and encoding.
//!
//! Each entry reads the request into the handler's own type, runs the handler, and writes the response into the caller's buffer,
//! with a landing pad around everything that may panic. Entries look nothing up.
//!
//! Rare cases have their own functions, entered by a jump where possible. So an entry needs no stack space for values that only
//! these cases use.

use std::ffi::c_void;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use rustbridge_abi::{CallContext, Encoding, Response, StatusCode};

use crate::call::Call;
use crate::codec::Problem;
use crate::coding::HandlerCodec;
use crate::handler::{Handler, PassPod, Way};
use crate::instance::Core;
use crate::logging::ambient;
use crate::object;
use crate::pod::Pod;
use crate::raw::{RawRequest, RawResponse};
use crate::response::Reply;
use crate::signature::Entry;
use crate::{Error, panics};

/// Runs an entry, and marks this thread with the instance if calls must mark their threads.
///
/// # Safety
/// See [`Entry`]; the parameters are for it.
#[inline(always)]
pub(crate) unsafe fn run(
    entry_point: Entry,
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller's promise.
    unsafe {
        if ambient::is_marking() {
            return run_marked(
                instance,
                entry,
                header,
                request,
                request_len,
                response,
                entry_point,
            );
        }
        entry_point(instance, entry, header, request, request_len, response)
    }
}

/// The entry is the last parameter, so that callers pass their own parameters on without moving them.
///
/// # Safety
/// As for [`run`].
#[cold]
#[inline(never)]
unsafe extern "C" fn run_marked(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    entry_point: Entry,
) -> StatusCode {
    // SAFETY: the caller passes an instance of this plugin, which leads with its core.
    let mark = ambient::mark(unsafe { (*instance.cast::<Core>()).host() });
    // SAFETY: the caller's promise.
    let status = unsafe { entry_point(instance, entry, header, request, request_len, response) };
    ambient::unmark(mark);
    status
}

/// Runs `body` and catches panics.
///
/// # Safety
/// `response` is as for an [`Entry`].
#[inline(always)]
unsafe fn guarded(response: *mut Response, body: impl FnOnce(Reply) -> StatusCode) -> StatusCode {
    // SAFETY: the caller passes a response it owns.
    let reply = unsafe { Reply::new(response) };
    // Whether the author's value is sound after a panic is for the author to say; `on_panic = poison` is there for
    // plugins that can't. Nothing of ours is left half-changed.
    match catch_unwind(AssertUnwindSafe(|| body(reply))) {
        Ok(status) => status,
        Err(payload) => {
            // SAFETY: made above; the reply that went into the body is gone.
            let reply = unsafe { Reply::after_panic(response) };
            panics::report(payload, reply)
        }
    }
}

/// # Safety
/// `request` points to `len` bytes that outlive `'r`, or `len` is 0.
#[inline(always)]
unsafe fn request_bytes<'r>(request: *const u8, len: usize) -> &'r [u8] {
    if len == 0 {
        &[]
    } else {
        // SAFETY: the caller vouches for it.
        unsafe { slice::from_raw_parts(request, len) }
    }
}

/// Returns the value on which the handler is called. Returns an error if the response may have objects and the caller has no
/// place for them.
///
/// # Safety
/// As for [`Way::receive`].
#[inline(always)]
unsafe fn receive<'a, H: Handler>(
    instance: *mut c_void,
    header: *const CallContext,
) -> Result<&'a H::Plugin, Error> {
    // SAFETY: the caller's promise.
    unsafe {
        object::has_place::<H>(header)?;
        H::Way::receive(instance, header, H::METHOD)
    }
}

/// Writes a response, and the data that accompanies it.
///
/// # Safety
/// The call context is null or valid by the ABI's rules.
#[inline(always)]
unsafe fn answer<H: Handler>(
    header: *const CallContext,
    write: impl FnOnce() -> StatusCode,
) -> StatusCode {
    let (status, objects) = object::writing::<H>(write);
    if H::RETURNS_OBJECTS {
        // SAFETY: the caller's promise; that there's a place was seen before.
        unsafe { object::put(objects, object::place(header)) };
    }
    status
}

/// Runs `body` with the call that the handler receives.
///
/// # Safety
/// `header` is null, or a call context that is valid until this returns.
#[inline(always)]
unsafe fn with_call<H: Handler>(
    encoding: Encoding,
    core: &Core,
    header: *const CallContext,
    body: impl FnOnce(&Call<'_>) -> StatusCode,
) -> StatusCode {
    if H::USES_CALL {
        // SAFETY: the caller's promise.
        let call = unsafe { Call::new(H::METHOD, encoding, core, header) };
        let status = body(&call);
        call.conclude();
        return status;
    }
    // Nobody looks at it, nothing is to be written for it and nothing to be dropped; so such an entry has no code for it.
    // SAFETY: null.
    let call = unsafe { Call::new(H::METHOD, encoding, core, ptr::null()) };
    body(&ManuallyDrop::new(call))
}

#[cold]
#[inline(never)]
fn invalid_request(method: &str, encoding: Encoding, problem: Problem, reply: Reply) -> StatusCode {
    let error = problem.into_error(format_args!(
        "the {encoding} request of `{method}` doesn't match the method's type"
    ));
    reply.error(&error.with_type("rustbridge.InvalidRequest"))
}

/// The entry for an encoding of typed values.
///
/// # Safety
/// See [`Entry`].
pub(crate) unsafe extern "C" fn message<H: Handler, C: HandlerCodec<H>>(
    instance: *mut c_void,
    _entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode {
    // SAFETY: the caller passes an instance of this plugin, which leads with its core.
    let core = unsafe { &*instance.cast::<Core>() };
    let body = |reply: Reply| {
        // SAFETY: the caller's instance and header stay until the call returns, and the body ends before.
        let receiver = match unsafe { receive::<H>(instance, header) } {
            Ok(receiver) => receiver,
            Err(error) => return reply.error(&error),
        };
        // SAFETY: the caller's request stays until the call returns, and the body ends before.
        let bytes = unsafe { request_bytes(request, request_len) };
        // SAFETY: as above.
        let request = match unsafe { object::reading::<H, _>(header, || C::request(bytes)) } {
            Ok(request) => request,
            Err(problem) => return invalid_request(H::METHOD, C::ENCODING, problem, reply),
        };
        let run = |call: &Call<'_>| {
            H::call(receiver, request, call, |result| match result {
                // SAFETY: as above.
                Ok(value) => unsafe { answer::<H>(header, || C::write(&value, reply)) },
                Err(error) => reply.error(&error),
            })
        };
        // SAFETY: the caller's header stays until the call returns, and the body ends before.
        unsafe { with_call::<H>(C::ENCODING, core, header, run) }
    };
    // SAFETY: the caller passes a response it owns.
    unsafe { guarded(response, body) }
}

/// The entry for raw bytes.
///
/// # Safety
/// See [`Entry`].
pub(crate) unsafe extern "C" fn raw<H: Handler>(
    instance: *mut c_void,
    _entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode
where
    for<'r> H::Request<'r>: RawRequest<'r>,
    for<'a> H::Response<'a>: RawResponse,
{
    // SAFETY: the caller passes an instance of this plugin, which leads with its core.
    let core = unsafe { &*instance.cast::<Core>() };
    let body = |reply: Reply| {
        // SAFETY: the caller's instance and header stay until the call returns, and the body ends before.
        let receiver = match unsafe { receive::<H>(instance, header) } {
            Ok(receiver) => receiver,
            Err(error) => return reply.error(&error),
        };
        // SAFETY: the caller's request stays until the call returns, and the body ends before.
        let bytes = unsafe { request_bytes(request, request_len) };
        let read = || <H::Request<'_> as RawRequest<'_>>::from_bytes(bytes);
        // SAFETY: as above.
        let request = match unsafe { object::reading::<H, _>(header, read) } {
            Ok(request) => request,
            Err(error) => return reply.error(&error),
        };
        let run = |call: &Call<'_>| {
            H::call(receiver, request, call, |result| match result {
                // SAFETY: as above.
                Ok(value) => unsafe { answer::<H>(header, || value.write(reply)) },
                Err(error) => reply.error(&error),
            })
        };
        // SAFETY: the caller's header stays until the call returns, and the body ends before.
        unsafe { with_call::<H>(Encoding::Raw, core, header, run) }
    };
    // SAFETY: the caller passes a response it owns.
    unsafe { guarded(response, body) }
}

/// The entry for plain old data.
///
/// # Safety
/// See [`Entry`].
pub(crate) unsafe extern "C" fn pod<H: Handler>(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode
where
    H::Pass: PassPod<H>,
    H::Request<'static>: Pod,
    for<'a> H::Response<'a>: Pod,
{
    if request_len != size_of::<H::Request<'static>>() {
        // SAFETY: the parameters are the caller's.
        return unsafe { wrong_size::<H>(instance, entry, header, request, request_len, response) };
    }
    // SAFETY: the caller passes an instance of this plugin, which leads with its core.
    let core = unsafe { &*instance.cast::<Core>() };
    let body = |reply: Reply| {
        // SAFETY: the caller's instance and header stay until the call returns, and the body ends before.
        let receiver = match unsafe { receive::<H>(instance, header) } {
            Ok(receiver) => receiver,
            Err(error) => return reply.error(&error),
        };
        let mut request = request.cast::<H::Request<'static>>();
        let mut copy = MaybeUninit::<H::Request<'static>>::uninit();
        if request_len == 0 {
            // The pointer of an empty request may be null, which no reference is.
            request = ptr::dangling();
        } else if !request.is_aligned() {
            // SAFETY: the request is as long as the copy, and they don't overlap.
            unsafe {
                ptr::copy_nonoverlapping(
                    request.cast(),
                    copy.as_mut_ptr().cast::<u8>(),
                    request_len,
                )
            };
            request = copy.as_ptr();
        }
        // SAFETY: aligned, of the right size, readable until the call returns, and any bit pattern is a `Pod`.
        let request = unsafe { &*request };
        let run = |call: &Call<'_>| {
            H::Pass::call(receiver, request, call, |result| match result {
                Ok(value) => reply.pod(value),
                Err(error) => reply.error(&error),
            })
        };
        // SAFETY: the caller's header stays until the call returns, and the body ends before.
        unsafe { with_call::<H>(Encoding::Pod, core, header, run) }
    };
    // SAFETY: the caller passes a response it owns.
    unsafe { guarded(response, body) }
}

/// Returns the error for a request whose size isn't the type's, unless the receiver is refused already.
///
/// # Safety
/// See [`Entry`]. It has the same parameters, so that it's entered by a jump.
#[cold]
#[inline(never)]
unsafe extern "C" fn wrong_size<H: Handler>(
    instance: *mut c_void,
    _entry: u32,
    header: *const CallContext,
    _request: *const u8,
    request_len: usize,
    response: *mut Response,
) -> StatusCode
where
    H::Request<'static>: Pod,
{
    let body = |reply: Reply| {
        // SAFETY: the caller's instance and header stay until the call returns, and the body ends before.
        if let Err(error) = unsafe { receive::<H>(instance, header) } {
            return reply.error(&error);
        }
        let expected = size_of::<H::Request<'static>>();
        reply.error(&of_another_size(H::METHOD, request_len, expected))
    };
    // SAFETY: the caller passes a response it owns.
    unsafe { guarded(response, body) }
}

// Not generic, so that it's compiled once.
fn of_another_size(method: &str, found: usize, expected: usize) -> Error {
    Error::invalid_argument(format!(
        "the pod request of `{method}` must be {expected} bytes, but got {found}"
    ))
    .with_type("rustbridge.InvalidRequest")
}
