//! Asynchronous calls, streams and objects: the functions of plugin and host.

use core::ffi::c_void;

use crate::{CallContext, Op, Reply, Response, StatusCode};

/// Bit of [`Batch::flags`]: the last `4 * count` bytes at `data` are the ends of the items: for each a `uint32_t`, unaligned, in the
/// machine's byte order, the offset behind its last byte. Without this bit all items have the same length, `len / count`.
pub const RB_BATCH_ENDS: u32 = 1;

/// Items of a stream, one directly behind the other.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// `sizeof` this struct as the writer knows it.
    pub size: u32,
    /// `RB_BATCH_` bits.
    pub flags: u32,
    /// The bytes of the items, followed by their ends if `RB_BATCH_ENDS` is set; null if there are none.
    pub data: *const u8,
    /// Number of bytes at `data`, including the ends.
    pub len: usize,
    /// Number of items.
    pub count: u32,
    /// Number of objects of all items together; every item has the same number.
    pub object_count: u32,
    /// The objects, as in [`Reply`]; null if there are none.
    pub objects: *const u64,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Bit of [`AsyncExtension::flags`]: the plugin ends each task itself when its deadline passes. Without this bit, the host calls
/// `cancel` with `RB_DEADLINE_EXCEEDED`.
pub const RB_ASYNC_KEEPS_TIME: u32 = 1;

/// The functions that a plugin offers under [`RB_EXTENSION_ASYNC`]: asynchronous calls and streams.
///
/// A task is the plugin's side of a pending call: a pointer that only the plugin interprets. Functions of one task may run at the
/// same time, on any threads. `start`, `cancel` and `release` must be set; the others may be null in a plugin without streams.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AsyncExtension {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// `RB_ASYNC_` bits.
    pub flags: u32,
    /// Starts an entry. The parameters are those of `call`; `call_context` is never null and has an `op`.
    ///
    /// A status other than `RB_PENDING` completes the call, as with `call`, and there is no task. With `RB_PENDING`, nothing was
    /// written to `response` and `*task` is set. The plugin then completes the call by the host's `complete`, once, on any thread,
    /// possibly before this function returns. The request is borrowed until this function returns.
    ///
    /// Must not block for long.
    ///
    /// Thread: any, also inside another call. State: created.
    pub start: Option<
        unsafe extern "C" fn(
            instance: *mut c_void,
            entry: u32,
            call_context: *const CallContext,
            request: *const u8,
            request_len: usize,
            response: *mut Response,
            task: *mut *mut c_void,
        ) -> StatusCode,
    >,
    /// Requests the cancellation of a task. `reason` is the status to complete it with: `RB_CANCELLED`, `RB_DEADLINE_EXCEEDED`, or
    /// another one if the host ends it. The task may ignore the request and complete normally.
    ///
    /// Called at most once for each reason. Must not block.
    ///
    /// Thread: any. State: created; the task is not released.
    pub cancel: Option<unsafe extern "C" fn(task: *mut c_void, reason: StatusCode)>,
    /// Adds to the credit of the task's output stream. Items may be emitted while both credits are above zero, so the last item may
    /// exceed the bytes.
    ///
    /// The plugin may emit inside this function.
    ///
    /// Thread: any, one at a time for each task. State: created; the task is not released.
    pub demand: Option<unsafe extern "C" fn(task: *mut c_void, items: u64, bytes: u64)>,
    /// Delivers items from the caller, within the credit that the plugin has granted. Borrowed until this returns. Must not block.
    ///
    /// Thread: any, one at a time for each task. State: created; the task is not released.
    pub push: Option<unsafe extern "C" fn(task: *mut c_void, batch: *const Batch)>,
    /// Ends the caller's stream: complete with `RB_OK`; otherwise failed, and `payload` is the error payload or empty.
    ///
    /// Thread: any, after the last `push`. State: created; the task is not released.
    pub push_end: Option<
        unsafe extern "C" fn(
            task: *mut c_void,
            status: StatusCode,
            payload: *const u8,
            payload_len: usize,
        ),
    >,
    /// Frees the task. Called once, when the task has completed, `start` has returned, and none of its other functions runs.
    ///
    /// Thread: any, also from inside `complete`. State: created.
    pub release: Option<unsafe extern "C" fn(task: *mut c_void)>,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// The functions that a host offers a plugin under [`RB_EXTENSION_ASYNC`].
///
/// If the call is not pending (any longer), each returns `RB_NOT_FOUND` or `RB_FAILED_PRECONDITION`; this is never undefined
/// behaviour. If the call has no such stream, it returns `RB_UNIMPLEMENTED`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AsyncHost {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Completes a call. If `response` has a release, the host owns it from now on, whatever this function returns. Otherwise its bytes
    /// are borrowed until this function returns. The same applies to `reply`, which may be null. If no one accepts its objects, they are
    /// dropped; but if this function returns `RB_NOT_FOUND`, their owner is unknown and they are not.
    ///
    /// Before calling it, the plugin has released everything that the task holds, and it does not access the instance afterwards.
    ///
    /// `RB_FAILED_PRECONDITION`: the call has completed before. `RB_NOT_FOUND`: there is no such call.
    ///
    /// Thread: any, also inside `start`. State: any.
    pub complete: Option<
        unsafe extern "C" fn(
            op: Op,
            status: StatusCode,
            response: *mut Response,
            reply: *mut Reply,
        ) -> StatusCode,
    >,
    /// Sends items of a call's output stream to its consumer. The bytes are copied. The host owns the objects from now on, whatever this
    /// function returns, and drops those of items that are not accepted. If it returns `RB_NOT_FOUND`, or the batch cannot be read,
    /// the objects' owner is unknown and they are not dropped.
    ///
    /// `RB_CANCELLED`: the consumer wants no more items. If the call was cancelled for another reason, it's that reason:
    /// `RB_DEADLINE_EXCEEDED`, `RB_UNAVAILABLE` or `RB_FAILED_PRECONDITION`. The plugin completes the call with this status.
    /// `RB_RESOURCE_EXHAUSTED`: the credit is too small; nothing was accepted.
    ///
    /// Thread: any, one at a time for each call, also inside `start`. State: any.
    pub emit: Option<unsafe extern "C" fn(op: Op, batch: *const Batch) -> StatusCode>,
    /// Adds to the credit of the call's input stream: `items` more items and `bytes` more bytes from the caller.
    ///
    /// Thread: any, also inside `start`. State: any.
    pub demand: Option<unsafe extern "C" fn(op: Op, items: u64, bytes: u64) -> StatusCode>,
    /// Registers `wake`, to be called once when the call is cancelled, or at once if it is cancelled already. For handlers that block a
    /// thread in some other wait. Each call has one such function: registering another replaces it, and null removes it. After this
    /// function has returned, the previous one is not running and will not be called.
    ///
    /// `wake` must not block or call this function.
    ///
    /// Thread: any. State: any.
    pub on_cancel: Option<
        unsafe extern "C" fn(
            op: Op,
            wake: Option<unsafe extern "C" fn(data: *mut c_void)>,
            data: *mut c_void,
        ) -> StatusCode,
    >,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// The functions of a plugin that returns objects, offered under [`RB_EXTENSION_OBJECTS`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ObjectsExtension {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// The host no longer needs an object. Called once for each object of a response, when no call borrows it.
    ///
    /// Thread: any, also inside a call. State: created.
    pub drop: Option<unsafe extern "C" fn(instance: *mut c_void, object: u64)>,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`AsyncExtension`] from a plugin, and [`AsyncHost`] from a host.
pub const RB_EXTENSION_ASYNC: &core::ffi::CStr = c"rb.async/1";
/// Name of the extension whose table is [`ObjectsExtension`].
pub const RB_EXTENSION_OBJECTS: &core::ffi::CStr = c"rb.objects/1";

crate::growing!(
    Batch, 40,
    flags: 0,
    data: core::ptr::null(),
    len: 0,
    count: 0,
    object_count: 0,
    objects: core::ptr::null(),
);
crate::growing!(
    AsyncExtension, 56,
    flags: 0,
    start: None,
    cancel: None,
    demand: None,
    push: None,
    push_end: None,
    release: None,
);
crate::growing!(AsyncHost, 40, reserved: 0, complete: None, emit: None, demand: None, on_cancel: None);
crate::growing!(ObjectsExtension, 16, reserved: 0, drop: None);
