//! Services: functions of the host's that a plugin calls.

use core::ffi::c_void;

use crate::{CallContext, EncodingCode, Response, StatusCode, Text};

/// Told once how a service call ended that was pending. What `response` holds is the plugin's, to be released by it; on failure
/// it's the error's payload. Must not block.
///
/// Thread: any, also before `start` returns. State: any.
pub type ServiceDone =
    Option<unsafe extern "C" fn(data: *mut c_void, status: StatusCode, response: *mut Response)>;

/// What a host offers under [`RB_EXTENSION_SERVICES`] to a plugin: the functions that were registered when it was loaded.
///
/// Each function takes the `context` of the plugin's own host table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ServiceHost {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Finds a service by its name, for one encoding; `*service` is its number, valid as long as the instance. A plugin's
    /// `create` may use it.
    ///
    /// `RB_NOT_FOUND`: there's none of that name. `RB_UNIMPLEMENTED`: it's registered in another encoding.
    ///
    /// Thread: any. State: any.
    pub find: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            name: Text,
            encoding: EncodingCode,
            service: *mut u32,
        ) -> StatusCode,
    >,
    /// Calls a service and waits for its answer. `header` is null or what the call carries; its `op` says for which operation.
    /// `response` follows that struct's rules, with the plugin as the caller.
    ///
    /// Besides what the service answers: `RB_FAILED_PRECONDITION` from inside a leaf method, in a forked child, and where waiting
    /// would be waiting for itself; `RB_UNAVAILABLE` after the instance was closed; `RB_NOT_FOUND`: no such service;
    /// `RB_CANCELLED`, `RB_DEADLINE_EXCEEDED`; `RB_RESOURCE_EXHAUSTED`: more than 64 calls one inside the other.
    ///
    /// Thread: any but in a leaf method. State: any.
    pub call: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            service: u32,
            call_context: *const CallContext,
            request: *const u8,
            request_len: usize,
            response: *mut Response,
        ) -> StatusCode,
    >,
    /// Calls a service without waiting. A status other than `RB_PENDING` is its end, and `done` isn't called; with
    /// `RB_PENDING` nothing was written to `response`, `*call` names the call, and `done` is called once with `data`.
    /// Once it's pending, the host need not end it when its time is over: who doesn't wait any longer cancels it.
    ///
    /// Thread: any but in a leaf method. State: any.
    pub start: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            service: u32,
            call_context: *const CallContext,
            request: *const u8,
            request_len: usize,
            response: *mut Response,
            done: ServiceDone,
            data: *mut c_void,
            call: *mut u64,
        ) -> StatusCode,
    >,
    /// Wants a pending service call to end early; `done` is called all the same.
    ///
    /// Thread: any. State: any.
    pub cancel: Option<unsafe extern "C" fn(context: *mut c_void, call: u64) -> StatusCode>,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`ServiceHost`].
pub const RB_EXTENSION_SERVICES: &core::ffi::CStr = c"rb.services/1";

crate::growing!(ServiceHost, 40, reserved: 0, find: None, call: None, start: None, cancel: None);
