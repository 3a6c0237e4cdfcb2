//! Services: functions of the host that a plugin calls.

use core::ffi::c_void;

use crate::{CallContext, EncodingCode, Response, StatusCode, Text};

/// Called once when a pending service call has completed. The plugin owns `response` and must release it; on failure it holds the
/// error payload. Must not block.
///
/// Thread: any, also before `start` returns. State: any.
pub type ServiceDone =
    Option<unsafe extern "C" fn(data: *mut c_void, status: StatusCode, response: *mut Response)>;

/// The functions that a host offers a plugin under [`RB_EXTENSION_SERVICES`]: access to the services that were registered when the plugin
/// was loaded.
///
/// Pass the `context` of the plugin's own host table to each function.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ServiceHost {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Finds a service by name, for one encoding, and writes its number to `*service`. The number is valid as long as the instance. A
    /// plugin's `create` may call this function.
    ///
    /// `RB_NOT_FOUND`: there is no service with that name. `RB_UNIMPLEMENTED`: it is registered in another encoding.
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
    /// Calls a service and waits for its answer. `call_context` may be null; its `op` is the ID of the call for which the plugin works.
    /// `response` follows that struct's rules, with the plugin as the caller.
    ///
    /// Errors in addition to those of the service: `RB_FAILED_PRECONDITION` inside a leaf method, in a forked child, and if the thread would
    /// wait for itself; `RB_UNAVAILABLE` after the instance was closed; `RB_NOT_FOUND`: there is no such service; `RB_CANCELLED`,
    /// `RB_DEADLINE_EXCEEDED`; `RB_RESOURCE_EXHAUSTED`: more than 64 nested calls.
    ///
    /// Thread: any, except in a leaf method. State: any.
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
    /// Calls a service without waiting. A status other than `RB_PENDING` completes the call, and `done` is not called. With
    /// `RB_PENDING`, nothing was written to `response`, `*call` identifies the call, and `done` is called once with `data`. The host need
    /// not end a pending call when its deadline passes: a plugin that no longer waits cancels it.
    ///
    /// Thread: any, except in a leaf method. State: any.
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
    /// Requests the cancellation of a pending service call. `done` is called as usual.
    ///
    /// Thread: any. State: any.
    pub cancel: Option<unsafe extern "C" fn(context: *mut c_void, call: u64) -> StatusCode>,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`ServiceHost`].
pub const RB_EXTENSION_SERVICES: &core::ffi::CStr = c"rb.services/1";

crate::growing!(ServiceHost, 40, reserved: 0, find: None, call: None, start: None, cancel: None);
