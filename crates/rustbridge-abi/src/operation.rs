//! Operations: calls that end later, streams, and objects; what a plugin offers for them and what the host does.

use core::ffi::c_void;

use crate::{CallContext, Op, Reply, Response, StatusCode};

/// Bit of [`Batch::flags`]: the items end where the last `4 * count` bytes at `data` say: for each a `uint32_t`, unaligned, in
/// the machine's byte order, the offset behind its last byte. Without it all items are of one length, `len / count`.
pub const RB_BATCH_ENDS: u32 = 1;

/// Items of a stream, back to back.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// `sizeof` this struct as the writer knows it.
    pub size: u32,
    /// `RB_BATCH_` bits.
    pub flags: u32,
    /// The items' bytes, and their ends if `RB_BATCH_ENDS` is set; null if there are none.
    pub data: *const u8,
    /// Number of bytes at `data`, the ends among them.
    pub len: usize,
    /// How many items there are.
    pub count: u32,
    /// How many objects the items have together, each item as many as any other.
    pub object_count: u32,
    /// The objects, as in [`Reply`]; null if there are none.
    pub objects: *const u64,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Bit of [`AsyncExtension::flags`]: the plugin ends each task itself when the time of its call is over. Without it the host calls
/// `cancel` with `RB_DEADLINE_EXCEEDED` then.
pub const RB_ASYNC_KEEPS_TIME: u32 = 1;

/// What a plugin offers under [`RB_EXTENSION_ASYNC`]: calls that end later, and streams.
///
/// A task is what the plugin makes of a call that is pending: a pointer that means something to the plugin alone. Functions of
/// one task may run at the same time, on any threads. All three of `start`, `cancel` and `release` must be set; the others may
/// be null in a plugin without streams.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AsyncExtension {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// `RB_ASYNC_` bits.
    pub flags: u32,
    /// Begins an entry. The parameters are those of `call`; `header` is never null and has an `op`.
    ///
    /// A status other than `RB_PENDING` is the call's end, as with `call`, and there is no task. With `RB_PENDING` nothing was
    /// written to `response`, `*task` is set, and the end is told by the host's `complete`, once, on any thread, also before this
    /// returns. The request is borrowed until this returns, not longer.
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
    /// The caller wants the task to end early; `reason` is the status to complete it with: `RB_CANCELLED`,
    /// `RB_DEADLINE_EXCEEDED`, or another if the host ends it. A request: the task may as well complete as if nothing was.
    ///
    /// Called at most once for each reason. Must not block.
    ///
    /// Thread: any. State: created; the task isn't released.
    pub cancel: Option<unsafe extern "C" fn(task: *mut c_void, reason: StatusCode)>,
    /// The consumer takes so many items more, and so many bytes more; both add to what it had said. Items may be emitted as long
    /// as both are above zero, so the last may go beyond the bytes.
    ///
    /// A plugin may emit from inside it.
    ///
    /// Thread: any, one at a time for each task. State: created; the task isn't released.
    pub demand: Option<unsafe extern "C" fn(task: *mut c_void, items: u64, bytes: u64)>,
    /// Items that the caller sends, within what the plugin has asked for. Borrowed until this returns. Must not block.
    ///
    /// Thread: any, one at a time for each task. State: created; the task isn't released.
    pub push: Option<unsafe extern "C" fn(task: *mut c_void, batch: *const Batch)>,
    /// The caller sends no more items: with `RB_OK` they are complete, otherwise `payload` has the error's payload, which may be
    /// empty.
    ///
    /// Thread: any, after the last `push`. State: created; the task isn't released.
    pub push_end: Option<
        unsafe extern "C" fn(
            task: *mut c_void,
            status: StatusCode,
            payload: *const u8,
            payload_len: usize,
        ),
    >,
    /// Gives the task up: called once, when it has completed, `start` has returned, and no other function of it runs.
    ///
    /// Thread: any, also from inside `complete`. State: created.
    pub release: Option<unsafe extern "C" fn(task: *mut c_void)>,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// What a host offers under [`RB_EXTENSION_ASYNC`] to a plugin.
///
/// An operation that isn't pending (any more) gets `RB_NOT_FOUND` or `RB_FAILED_PRECONDITION` from each, never undefined
/// behaviour; one that has no such stream, `RB_UNIMPLEMENTED`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AsyncHost {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Ends an operation. What `response` has with a release is handed over: it's the host's from here on, whatever this
    /// answers. Without a release its bytes are borrowed until this returns. `reply` is null or likewise, and its objects are
    /// dropped if nobody takes them; but where this answers `RB_NOT_FOUND` nobody knows whose they are.
    ///
    /// Before this is called the plugin has let go of all that the task holds, and it doesn't touch the instance afterwards.
    ///
    /// `RB_FAILED_PRECONDITION`: it has ended before. `RB_NOT_FOUND`: no such operation.
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
    /// Sends items of an operation's stream to its consumer. The bytes are copied; the objects are the host's from here on,
    /// whatever this answers, and those of items that aren't taken are dropped; but where it's `RB_NOT_FOUND`, or the batch
    /// can't be read, nobody knows whose they are.
    ///
    /// `RB_CANCELLED`: the consumer wants no more. `RB_RESOURCE_EXHAUSTED`: more than was asked for; nothing was taken.
    ///
    /// Thread: any, one at a time for each operation, also inside `start`. State: any.
    pub emit: Option<unsafe extern "C" fn(op: Op, batch: *const Batch) -> StatusCode>,
    /// Asks the caller for items of its stream, so many more, and so many bytes more.
    ///
    /// Thread: any, also inside `start`. State: any.
    pub demand: Option<unsafe extern "C" fn(op: Op, items: u64, bytes: u64) -> StatusCode>,
    /// Has `wake` called once when an operation is to end early, at once if it is to already: for calls that block, whose
    /// thread waits for something else. There's one for each operation: another takes its place, and null takes it back. When
    /// this returns, the one before doesn't run and won't.
    ///
    /// `wake` must not block or call this.
    ///
    /// Thread: any. State: any.
    pub on_cancel: Option<
        unsafe extern "C" fn(
            op: Op,
            wake: Option<unsafe extern "C" fn(data: *mut c_void)>,
            data: *mut c_void,
        ) -> StatusCode,
    >,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// What a plugin offers under [`RB_EXTENSION_OBJECTS`]: it returns objects.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ObjectsExtension {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// The host doesn't need an object any more: called once for each that an answer had, when it isn't lent to any call.
    ///
    /// Thread: any, also inside a call. State: created.
    pub drop: Option<unsafe extern "C" fn(instance: *mut c_void, object: u64)>,
    /// What a later version appends, for the tests.
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
