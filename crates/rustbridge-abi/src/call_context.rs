//! The call context, and the data that accompanies a response.

use core::ptr;

use crate::{Response, StatusCode, Text};

/// The ID of an asynchronous call, or of a call that can be cancelled. 0 is none.
///
/// A plain number. A function that receives an ID that was never issued, or whose call is over, returns a status.
pub type Op = u64;

/// The number by which a host refers to an object of a plugin. 0 is none.
///
/// A plain number. A function that receives a number that was never issued, was released, or belongs to a closed instance
/// returns a status.
pub type Object = u64;

/// Bit of [`CallContext::flags`]: `timeout_ns` is set.
pub const RB_CONTEXT_TIMEOUT: u32 = 1;
/// Bit of [`CallContext::flags`]: the four fields of the trace are set.
pub const RB_CONTEXT_TRACE: u32 = 2;
/// Bit of [`CallContext::flags`], only for a plugin's `start`: do not run the handler on the calling thread but on a thread of the
/// plugin. A plugin without such threads returns `RB_UNIMPLEMENTED` before it runs anything. The library then runs a synchronous handler
/// on a thread of its own, and starts an asynchronous one again without this bit.
pub const RB_CONTEXT_OFFLOAD: u32 = 4;
/// Bit of [`CallContext::flags`]: the caller wants initial metadata (headers). From a host, it also means that `reply` points to
/// the first part of a [`ReplyHeaders`]. To a plugin, it means that [`CallHost::headers`] has an effect; its `reply` is a
/// plain [`Reply`]. Remove this bit before you pass the call context to another library.
pub const RB_CONTEXT_HEADERS: u32 = 8;

/// The largest size in bytes of a call's metadata, of its headers, and of its trailers.
pub const RB_METADATA_LIMIT: usize = 65536;

/// The data that a call carries in addition to its request. A null pointer means none.
///
/// Host and plugin use the same struct: the host sets the fields it needs, and the library passes a complete one to the plugin.
/// Except for `cancelled`, everything is borrowed until the function that receives it returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CallContext {
    /// `sizeof` this struct as the writer knows it.
    pub size: u32,
    /// `RB_CONTEXT_` bits.
    pub flags: u32,
    /// The time until the deadline, in nanoseconds from the moment of the call: a duration, so that no clock is shared. If it has
    /// passed already, the call does not start. If it passes while the call is pending, the plugin ends the call, or the library
    /// requests it. Handlers that ignore the deadline, and synchronous ones that do not check it, continue.
    pub timeout_ns: u64,
    /// To a plugin: the ID of the call, 0 if it cannot be cancelled. From a plugin that calls a service: the ID of the call for which
    /// it works. The service call inherits that call's deadline and cancellation.
    ///
    /// From a host: a number of the host's choice for the call, 0 for none. To a service: that number of the call for which the
    /// plugin works, so that the service can run in its caller's context. It is 0 after the call has ended, and if the plugin calls
    /// the service on a thread of its own without an ID. Calls that a service makes in turn do not inherit it.
    pub op: Op,
    /// To a plugin: becomes non-zero when the call is cancelled, and is then the status with which to end it. Null if the call is
    /// never cancelled. Read it by a relaxed atomic load. Valid until `call` returns or, after `start` has returned
    /// `RB_PENDING`, until `release` is called.
    pub cancelled: *const u32,
    /// The trace ID of W3C Trace Context: 16 bytes, not all zero.
    pub trace_id: [u8; 16],
    /// The ID of the caller's span: 8 bytes, not all zero.
    pub span_id: [u8; 8],
    /// The trace flags; bit 0: sampled.
    pub trace_flags: u32,
    /// Number of borrowed objects.
    pub object_count: u32,
    /// The `tracestate` of the trace, or empty.
    pub trace_state: Text,
    /// Metadata, or null for none. Layout: a count; then for each pair the key's length, the value's length, the key, the value. All
    /// numbers are `uint32_t` in the machine's byte order, unaligned. Keys are visible ASCII without capitals, at least one byte, and
    /// may repeat. Values are any bytes. At most `RB_METADATA_LIMIT` bytes.
    pub metadata: *const u8,
    /// Number of bytes at `metadata`.
    pub metadata_len: usize,
    /// The objects that the call borrows, in the order of their positions in the request; the receiver of an object's method is the
    /// first. From a host: their numbers. To a plugin: the values with which it returned them.
    pub objects: *const u64,
    /// Where to write the trailers and objects of the response, for a call that completes before the function returns. If it is
    /// null, they are discarded, and a method that returns objects fails. With `RB_CONTEXT_HEADERS` from a host, it also receives headers.
    pub reply: *mut Reply,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// The functions that a host offers a plugin under [`RB_EXTENSION_CALL`]: access to a thread's call without its call context, for
/// example while logging.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CallHost {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Writes the remaining time and the trace of the innermost call with a call context on the calling thread. `flags`, `timeout_ns` and the
    /// trace are set, up to `call_context->size`; the rest is zeroed. The text of `trace_state` is valid until that call returns.
    ///
    /// `RB_NOT_FOUND`: the thread is in no such call; nothing was written.
    ///
    /// Thread: any. State: any.
    pub current: Option<unsafe extern "C" fn(call_context: *mut CallContext) -> StatusCode>,
    /// Adds initial metadata (headers) to a call, given the `op` of its call context. The layout is that of [`CallContext::metadata`]. The
    /// pairs are copied, and delivered to the caller before the first item, or with the response or error, whichever comes first. Null
    /// if the host is of an earlier version.
    ///
    /// `RB_FAILED_PRECONDITION`: an item was sent already, or the call has ended. `RB_INVALID_ARGUMENT`: the metadata is malformed.
    /// `RB_RESOURCE_EXHAUSTED`: the total would exceed `RB_METADATA_LIMIT` bytes; nothing was added. `RB_NOT_FOUND`: there is no such
    /// call. If the call context lacks `RB_CONTEXT_HEADERS`, the function returns `RB_OK` and does nothing.
    ///
    /// Thread: any, also inside `start` and `call`. State: any.
    pub headers:
        Option<unsafe extern "C" fn(op: Op, headers: *const u8, headers_len: usize) -> StatusCode>,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`CallHost`].
pub const RB_EXTENSION_CALL: &core::ffi::CStr = c"rb.call/1";

/// The trailers and objects that accompany a response.
///
/// Both are responses by that struct's rules, except that they never hold an error payload.
#[repr(C)]
#[derive(Debug)]
pub struct Reply {
    /// Trailing metadata, with the layout of [`CallContext::metadata`].
    pub trailers: Response,
    /// The objects of the response, a `uint64_t` each, in the order of their positions in the response. From a plugin: the value
    /// that it wants to receive when a call borrows the object, not 0. To a host: their numbers, each to be released once.
    pub objects: Response,
}

impl Reply {
    /// Creates one without buffers: everything is callee-allocated.
    #[must_use]
    pub const fn empty() -> Reply {
        Reply {
            trailers: Response::empty(),
            objects: Response::empty(),
        }
    }
}

/// A [`Reply`] together with headers, for callers that set [`RB_CONTEXT_HEADERS`]; `reply` of their call context points to it.
///
/// Neither this struct nor [`Reply`], which is part of other structs, ever grows.
#[repr(C)]
#[derive(Debug)]
pub struct ReplyHeaders {
    /// Trailers and objects.
    pub reply: Reply,
    /// The initial metadata of a call that completes before the function returns, with the layout of [`CallContext::metadata`]; a
    /// response by that struct's rules. For a pending call, an event delivers it.
    pub headers: Response,
}

impl ReplyHeaders {
    /// Creates one without buffers: everything is callee-allocated.
    #[must_use]
    pub const fn empty() -> ReplyHeaders {
        ReplyHeaders {
            reply: Reply::empty(),
            headers: Response::empty(),
        }
    }
}

crate::growing!(
    CallContext, 112,
    flags: 0,
    timeout_ns: 0,
    op: 0,
    cancelled: ptr::null(),
    trace_id: [0; 16],
    span_id: [0; 8],
    trace_flags: 0,
    object_count: 0,
    trace_state: Text::empty(),
    metadata: ptr::null(),
    metadata_len: 0,
    objects: ptr::null(),
    reply: ptr::null_mut(),
);
crate::growing!(CallHost, 16, reserved: 0, current: None, headers: None);
