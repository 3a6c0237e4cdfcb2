//! Services: functions of the host that a plugin calls.

use core::ffi::c_void;
use core::{ptr, slice};
use std::sync::Arc;

use rustbridge_abi::{
    CallContext, Encoding, EncodingCode, RB_INTERNAL, RB_INVALID_ARGUMENT, RB_OK, Response,
    StatusCode, Text, growing,
};
use rustbridge_core::handles::{self, CancelListener, RawService};
use rustbridge_core::{Load, ServiceCall as Call};

use crate::boundary::{self, Failure, Refusal};

/// A service call, as its function receives it. All of it is borrowed until the function returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ServiceCall {
    /// `sizeof` this struct as the library knows it.
    pub size: u32,
    /// The encoding of request and response.
    pub encoding: EncodingCode,
    /// The calling instance.
    pub instance: u64,
    /// For the library: identifies the call to `rb_service_defer`.
    pub token: *const c_void,
    /// The call context; null if there is none. Its `op` is the number that the host gave to the call for which the plugin works, or 0.
    /// It has no objects and no `reply`.
    pub call_context: *const CallContext,
    /// The request; may be null when `request_len` is 0.
    pub request: *const u8,
    /// Number of bytes at `request`.
    pub request_len: usize,
    /// A field that a later version appends, for the tests.
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

/// Bit of [`Service::flags`]: `call` returns quickly and does not block; it answers at once or defers the answer. The library then
/// always calls it on the thread from which the plugin calls, even if that is the thread of an event loop. This saves a thread
/// switch.
pub const RB_SERVICE_SHORT: u32 = 1;

/// A service to register when a plugin is loaded. Zero the struct, then set `size`, `encoding`, `name`, `call` or `queue`, and any
/// other field you need.
///
/// A service is a function, which may take its time; or it is registered with a queue, for hosts whose code runs on an event loop's
/// thread. With a queue, each call is an event of kind `RB_EVENT_SERVICE`, and any thread answers it by `rb_service_reply`. If both
/// are set, the function is called first, and calls that it does not answer go to the queue.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Service {
    /// `sizeof(rb_service)`.
    pub size: u32,
    /// The encoding of request and response, `RB_ENCODING_JSON` and so on.
    pub encoding: EncodingCode,
    /// The name by which the plugin calls the service. Copied.
    pub name: Text,
    /// Answers a call. Returns `RB_OK` with a response by that struct's rules (`rb_respond` writes one), another status with an error
    /// payload, or `RB_PENDING` after `rb_service_defer` has returned a number with which `rb_service_reply` will answer. Must not unwind.
    ///
    /// May be null for a service with a queue. If a service has both, and the function returns `RB_PENDING` without a number and
    /// with the response unchanged, the call goes to the queue. This is for languages that cannot run on foreign threads.
    ///
    /// The library calls the function concurrently. If a plugin's thread waits for the answer, in a call whose caller also waits, the
    /// function runs on that thread. If an asynchronous method of the plugin awaits the answer, the function runs on a thread of the
    /// library, so that it blocks neither a submitting thread nor the plugin's runtime. With `RB_SERVICE_SHORT` or a queue, it always
    /// runs on the thread from which the plugin calls. It may call any function of this header, except `rb_close` of the calling
    /// instance.
    ///
    /// Thread: the plugin's or the library's. State: active, closing; also while `rb_load` creates the instance.
    pub call: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            call: *const ServiceCall,
            response: *mut Response,
        ) -> StatusCode,
    >,
    /// Called when a deferred answer is no longer needed, because the call was cancelled, its deadline has passed, or its instance is
    /// closing. A later reply is refused and does no harm. Must not block. May be null, and must be null for a service with a
    /// queue: there, `RB_EVENT_SERVICE_CANCEL` reports it, also for calls that `call` has deferred.
    ///
    /// Thread: any, also while `call` runs. State: any.
    pub cancel: Option<unsafe extern "C" fn(user_data: *mut c_void, number: u64)>,
    /// Passed to `call`, `cancel` and `drop`; an event carries it as a number. Used from any thread.
    pub user_data: *mut c_void,
    /// Called once when `user_data` is no longer used: after the instance was closed, or when `rb_load` fails. It is not called if
    /// `rb_load` refuses a struct for its `size` or its alignment, because then the struct cannot be read. With a queue, no event
    /// with this `user_data` is left in the queue; events that were already received may still have it. May be null.
    ///
    /// Thread: any. State: any.
    pub drop: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// The queue that receives the service's calls, or 0 for a function. The queue must stay open as long as the plugin may call the
    /// service.
    ///
    /// If a thread of the plugin waits for the answer, it waits until the deadline of its call, or 30 seconds. If that thread is the
    /// one that polls the queue (now, or the last one that did), the call fails at once with `RB_FAILED_PRECONDITION`, because it would
    /// wait for itself. The library detects only this case: a loop that waits for another thread, which waits for the loop's
    /// service, continues after the time above. An asynchronous service call is never refused for this reason.
    ///
    /// An asynchronous service call with a deadline ends when the deadline passes (`call_context->timeout_ns` is the remaining time).
    /// If its event was received before, an `RB_EVENT_SERVICE_CANCEL` follows.
    ///
    /// If the queue is closed, unanswered and future calls fail with `RB_UNAVAILABLE`.
    pub queue: u64,
    /// `RB_SERVICE_` bits.
    pub flags: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// A field that a later version appends, for the tests.
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

/// A C service as the core uses it; dropping it calls the C side's `drop`.
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

/// Takes ownership of the services of a parameter: each is as long as the first specifies.
///
/// # Safety
/// `services` is null or `count` structs as long as the first specifies. Their functions can be called with their `user_data` from
/// any thread until `drop` was called.
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
            "options.service_count is {count}, expected fewer than memory can hold"
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

/// Registers the services that [`take`] has returned.
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
                "{} isn't null, expected null for a service with a queue, where RB_EVENT_SERVICE_CANCEL reports it",
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

impl CancelListener for ForeignService {
    fn cancelled(&self, _: handles::Handle, call: u64) {
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

/// Defers the answer of a service call. Call it inside the service's function, which then returns `RB_PENDING`. `*number`
/// identifies the call for `rb_service_reply`. You may pass it to another thread at once, and answer before the function returns.
///
/// If a thread of the plugin waits for the answer, it waits until the deadline of its call, or 30 seconds.
///
/// `RB_UNAVAILABLE`: the instance is closing. `RB_FAILED_PRECONDITION`: the call is over, because it was cancelled or its deadline has
/// passed; return the status. `RB_INVALID_ARGUMENT`: `call` or `number` is null.
///
/// Thread: the one that runs the service's function, inside it. State: as for that function.
///
/// # Safety
/// `call` is the argument of the service's function, which has not returned. `number` is writable, `error` is null or a response.
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

/// Answers, once, a service call that was deferred or received from a queue: with `RB_OK` and the bytes of the answer, or with
/// another status and an error payload (a JSON object, an error with a type as `docs/wire.md` specifies it, or empty). The bytes are
/// copied.
///
/// `RB_FAILED_PRECONDITION`: the call is over, because it was answered before or cancelled, its deadline has passed, its instance
/// was closed, or it began before a fork. `RB_NOT_FOUND`: there was no such call.
///
/// Thread: any. State: any.
///
/// # Safety
/// `payload` points to `payload_len` readable bytes, or that is 0. `error` is null or a response.
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

/// Answers with a copy of `len` bytes at `data`, for use in the function of a service. The bytes go into the buffer of `response`
/// if they fit, otherwise into memory that the library allocates and the plugin releases. Returns `RB_OK`.
///
/// `RB_INVALID_ARGUMENT`: `response` is null, `data` is null, or `len` is above PTRDIFF_MAX.
///
/// Thread: any. State: any.
///
/// # Safety
/// `response` is the one that the service's function received. `data` points to `len` readable bytes, or that is 0.
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
