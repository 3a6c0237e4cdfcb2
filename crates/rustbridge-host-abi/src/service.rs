//! Services: functions of the host's that a plugin calls.

use core::ffi::c_void;
use core::{ptr, slice};
use std::sync::Arc;

use rustbridge_abi::{
    CallContext, Encoding, EncodingCode, RB_INTERNAL, RB_INVALID_ARGUMENT, RB_OK, Response,
    StatusCode, Text, growing,
};
use rustbridge_core::handles::{self, RawService, Told};
use rustbridge_core::{Load, ServiceCall as Call};

use crate::boundary::{self, Failure, Refusal};

/// What a service's function is told of a call. All of it is borrowed until the function returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ServiceCall {
    /// `sizeof` this struct as the library knows it.
    pub size: u32,
    /// The encoding of request and response.
    pub encoding: EncodingCode,
    /// The instance that calls.
    pub instance: u64,
    /// The library's own: what `rb_service_defer` knows the call by.
    pub token: *const c_void,
    /// What came with the call; null if nothing did. Its `op` is the number that the host gave the call that the plugin works for, or 0.
    /// Has no objects and no `reply`.
    pub call_context: *const CallContext,
    /// The request; may be null when `request_len` is 0.
    pub request: *const u8,
    /// Number of bytes at `request`.
    pub request_len: usize,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(
    ServiceCall, 48,
    encoding: rustbridge_abi::RB_ENCODING_RAW,
    instance: 0,
    token: ptr::null(),
    call_context: ptr::null(),
    request: ptr::null(),
    request_len: 0,
);

/// Bit of [`Service::flags`]: `call` returns quickly and doesn't block; it answers at once, or later by a number. The library then always
/// calls it on the thread that the plugin calls from, even if that is an event loop's thread, which saves a thread switch.
pub const RB_SERVICE_SHORT: u32 = 1;

/// A service to register when a plugin is loaded. Zero it, then set `size`, `encoding`, `name`, `call` or `queue`, and what else
/// you need.
///
/// A service is a function, which may take its time, or goes to a queue, for hosts whose code runs on a loop's thread: a
/// call is an event of kind `RB_EVENT_SERVICE` there, and `rb_service_reply` answers it from any thread. With both, the function
/// is asked first, and what it leaves goes to the queue.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Service {
    /// `sizeof(rb_service)`.
    pub size: u32,
    /// The encoding of request and response, `RB_ENCODING_JSON` and so on.
    pub encoding: EncodingCode,
    /// What the plugin asks for. Copied.
    pub name: Text,
    /// Answers a call: with `RB_OK` and a response by that struct's rules (`rb_respond` writes one), with another status and
    /// an error's payload, or with `RB_PENDING` when `rb_service_defer` has given a number by which `rb_service_reply`
    /// answers. Must not unwind. Null for a service that goes to a queue, or what is asked first: where it answers `RB_PENDING`
    /// without a number and with the response as it was, the call goes to the queue. For languages whose code may run on those
    /// threads only on which it has begun.
    ///
    /// Called any number of times at once: on the thread that the plugin calls on, where that waits for the answer, in a call that its own
    /// caller waits for. Where it doesn't, because an asynchronous method of the plugin awaits the answer, on a thread of the library's,
    /// so that no thread is kept that has begun a call, and none of the plugin's runtime. With `RB_SERVICE_SHORT`, and for one that goes
    /// to a queue, always on the thread that the plugin calls on. It may call any function of this header, but `rb_close` of the instance
    /// that calls.
    ///
    /// Thread: the plugin's or the library's. State: active, closing; also while `rb_load` creates the instance.
    pub call: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            call: *const ServiceCall,
            response: *mut Response,
        ) -> StatusCode,
    >,
    /// Told that the answer of a call that's answered later isn't needed any more: the call was cancelled, its deadline has passed, or
    /// its instance is closing. A reply after that is refused and does no harm. Must not block. May be null, and is for a service that goes to a queue:
    /// `RB_EVENT_SERVICE_CANCEL` tells there, also of those to which `call` has given a number.
    ///
    /// Thread: any, also while `call` runs. State: any.
    pub cancel: Option<unsafe extern "C" fn(user_data: *mut c_void, number: u64)>,
    /// Passed back as it is, by an event as a number. Used from any thread.
    pub user_data: *mut c_void,
    /// Told once that `user_data` isn't used any more: after the instance was closed, or when `rb_load` fails. Not when that
    /// fails for the `size` of a struct, or because one isn't aligned: then nobody knows what's in it. With a queue, no event that
    /// has it is left to be fetched; who fetched one may have it still. May be null.
    ///
    /// Thread: any. State: any.
    pub drop: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// The queue that the service goes to, which stays open as long as the plugin may call it; 0 for a function.
    ///
    /// A thread of the plugin's that waits for the answer waits as long as its call has time, or 30 seconds. It gets
    /// `RB_FAILED_PRECONDITION` at once if it's the very thread that drains the queue, now or as the last one that did: it would
    /// wait for itself, as where a loop's thread calls a method that asks a service of the same loop. That is all that is
    /// looked at: a loop that waits for another thread, which waits for the loop's service, goes on after that time. A call that
    /// doesn't wait isn't refused.
    ///
    /// A call that doesn't wait and has a deadline ends when that is over, and an event says so if the call's was fetched:
    /// `header->timeout_ns` says how much is left.
    ///
    /// Closing the queue ends the calls that aren't answered, and those to come, with `RB_UNAVAILABLE`.
    pub queue: u64,
    /// `RB_SERVICE_` bits.
    pub flags: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(
    Service, 64,
    encoding: rustbridge_abi::RB_ENCODING_JSON,
    name: Text::empty(),
    call: None,
    cancel: None,
    user_data: ptr::null_mut(),
    drop: None,
    queue: 0,
    flags: 0,
    reserved: 0,
);

/// A C service as the core takes it; dropping it is what calls the C side's `drop`.
pub(crate) struct ForeignService {
    encoding: EncodingCode,
    name: Text,
    queue: u64,
    flags: u32,
    call:
        Option<unsafe extern "C" fn(*mut c_void, *const ServiceCall, *mut Response) -> StatusCode>,
    cancel: Option<unsafe extern "C" fn(*mut c_void, u64)>,
    owner: Owner,
}

struct Owner {
    user_data: *mut c_void,
    drop: Option<unsafe extern "C" fn(*mut c_void)>,
}

// SAFETY: the header says that the functions are called with `user_data` from any thread.
unsafe impl Send for ForeignService {}
// SAFETY: as above, any number at once.
unsafe impl Sync for ForeignService {}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(drop) = self.drop {
            // SAFETY: called once, as this is the owner, and nothing uses `user_data` afterwards.
            unsafe { drop(self.user_data) }
        }
    }
}

/// Takes the services of a parameter over: each is as long as the first says.
///
/// # Safety
/// `services` is null or `count` structs as long as the first says, whose functions are callable with their `user_data` from any
/// thread until `drop` was called.
pub(crate) unsafe fn take(
    services: *const Service,
    count: usize,
) -> Result<Vec<ForeignService>, Refusal> {
    let mut taken = Vec::new();
    if count == 0 {
        return Ok(taken);
    }
    // SAFETY: the caller vouches for the first.
    let stride = unsafe {
        boundary::check("options.services", "rb_service", services)?;
        services.cast::<u32>().read()
    } as usize;
    if count > isize::MAX as usize / stride {
        return Err(Refusal::new(format!(
            "options.service_count is {count}, which is more than any memory holds"
        )));
    }
    for position in 0..count {
        let parameter = format!("options.services[{position}]");
        // SAFETY: the caller vouches for as many.
        let service = unsafe {
            let at = services.byte_add(position * stride);
            let service = boundary::read(&parameter, "rb_service", at)?;
            if service.size as usize != stride {
                return Err(Refusal::new(format!(
                    "{parameter}.size is {}, expected {stride} as in the first",
                    service.size
                )));
            }
            service
        };
        taken.push(ForeignService {
            encoding: service.encoding,
            name: service.name,
            queue: service.queue,
            flags: service.flags,
            call: service.call,
            cancel: service.cancel,
            owner: Owner {
                user_data: service.user_data,
                drop: service.drop,
            },
        });
    }
    Ok(taken)
}

/// Registers what [`take`] has taken.
///
/// # Safety
/// The names are readable.
pub(crate) unsafe fn register<'a>(
    mut load: Load<'a>,
    services: Vec<ForeignService>,
) -> Result<Load<'a>, Refusal> {
    for (position, service) in services.into_iter().enumerate() {
        let field = |field: &str| format!("options.services[{position}].{field}");
        // SAFETY: the caller's promise.
        let name = unsafe { boundary::text(&field("name"), service.name)? }.to_owned();
        let encoding = Encoding::from_code(service.encoding).ok_or_else(|| {
            Refusal::new(format!(
                "{} is {}, expected an RB_ENCODING_ code",
                field("encoding"),
                service.encoding
            ))
        })?;
        if service.flags & !RB_SERVICE_SHORT != 0 {
            return Err(Refusal::new(format!(
                "{} is {:#x}, expected RB_SERVICE_ bits, {RB_SERVICE_SHORT:#x} at most",
                field("flags"),
                service.flags
            )));
        }
        if service.queue == 0 {
            if service.call.is_none() {
                return Err(Refusal::null(&field("call")));
            }
            load = load.service_raw(name, encoding, Arc::new(service));
            continue;
        }
        if service.cancel.is_some() {
            return Err(Refusal::new(format!(
                "{} isn't null, expected that for a service that goes to a queue: its events tell instead",
                field("cancel")
            )));
        }
        let (queue, user_data) = (service.queue, service.owner.user_data as usize as u64);
        let has_function = service.call.is_some();
        let service = Arc::new(service);
        load = if has_function {
            load.service_queue_first(name, encoding, queue, user_data, service)
        } else {
            load.service_queue_owned(name, encoding, queue, user_data, service)
        };
    }
    Ok(load)
}

impl Told for ForeignService {
    fn cancelled(&self, call: u64) {
        if let Some(cancel) = self.cancel {
            // SAFETY: as promised to `take`.
            unsafe { cancel(self.owner.user_data, call) }
        }
    }
}

// SAFETY: the header asks of C what the trait asks.
unsafe impl RawService for ForeignService {
    fn may_block(&self) -> bool {
        self.flags & RB_SERVICE_SHORT == 0
    }

    #[inline]
    fn call(&self, call: &Call<'_>, response: *mut Response) -> StatusCode {
        let Some(function) = self.call else {
            return RB_INTERNAL;
        };
        let request = call.request();
        let told = ServiceCall {
            encoding: self.encoding,
            instance: call.instance(),
            token: ptr::from_ref(call).cast(),
            call_context: call.header().map_or(ptr::null(), ptr::from_ref),
            request: request.as_ptr(),
            request_len: request.len(),
            ..ServiceCall::EMPTY
        };
        // SAFETY: as promised to `take`.
        unsafe { function(self.owner.user_data, &raw const told, response) }
    }
}

/// Has a service call be answered later, from inside its function, which then returns `RB_PENDING`: `*number` is what
/// `rb_service_reply` takes. It may be passed to another thread at once, and answered before the function has returned.
///
/// A thread of the plugin's that waits for the answer waits as long as the call has time, or 30 seconds.
///
/// `RB_UNAVAILABLE`: the instance is ending. `RB_INVALID_ARGUMENT`: `call` or `number` is null.
///
/// Thread: the one that the service's function runs on, from inside it. State: as for that.
///
/// # Safety
/// `call` is what the service's function was given, and that hasn't returned. `number` is writable, `error` is null or a
/// response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_service_defer(
    call: *const ServiceCall,
    number: *mut u64,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for all three.
    unsafe {
        boundary::enter(error, || {
            let told = boundary::read("call", "rb_service_call", call)?;
            if number.is_null() {
                return Err(Refusal::null("number").into());
            }
            number.write(0);
            let Some(call) = told.token.cast::<Call<'_>>().as_ref() else {
                return Err(Refusal::null("call.token").into());
            };
            number.write(call.later()?);
            Ok(())
        })
    }
}

/// Answers a service call that is answered later or was an event of a queue, once: with `RB_OK` and the answer's bytes, or
/// another status and an error's payload, a JSON object as everywhere, or empty. The bytes are copied.
///
/// `RB_FAILED_PRECONDITION`: it's over: it was answered before, cancelled, or its time or its instance has ended; or it was
/// begun before a fork. `RB_NOT_FOUND`: there was no such call.
///
/// Thread: any. State: any.
///
/// # Safety
/// `payload` points to `payload_len` readable bytes, or that's 0. `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_service_reply(
    number: u64,
    status: StatusCode,
    payload: *const u8,
    payload_len: usize,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both.
    unsafe {
        boundary::enter(error, || {
            let payload = boundary::bytes("payload", payload, payload_len)?;
            handles::service_reply(number, status, payload.to_vec()).map_err(Failure::from)
        })
    }
}

/// Answers with a copy of `len` bytes at `data`: in the response's own storage where they fit, else in memory of the library's
/// that is released as a plugin's is. For the function of a service, whose `response` it takes; gives `RB_OK`.
///
/// `RB_INVALID_ARGUMENT`: `response` is null, or the bytes are null or more than PTRDIFF_MAX.
///
/// Thread: any. State: any.
///
/// # Safety
/// `response` is one whose storage is as that struct says, `data` points to `len` readable bytes, or that's 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_respond(
    response: *mut Response,
    data: *const u8,
    len: usize,
) -> StatusCode {
    if response.is_null() || (data.is_null() && len != 0) || len > isize::MAX as usize {
        return RB_INVALID_ARGUMENT;
    }
    let bytes = if len == 0 {
        &[][..]
    } else {
        // SAFETY: checked, and the caller vouches for the rest.
        unsafe { slice::from_raw_parts(data, len) }
    };
    // SAFETY: not null, and the caller vouches for its storage.
    unsafe { handles::respond(bytes, response) };
    RB_OK
}
