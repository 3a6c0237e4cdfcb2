//! What a call carries beside its request, and what comes back beside its response.

use core::ptr;

use crate::{Response, StatusCode, Text};

/// Names an operation: a call that was begun and whose end is told later, or that others may cancel. 0 is none.
///
/// A plain number. One that was never issued, is stale or over gets a status from every function that takes one.
pub type Op = u64;

/// Names an object of a plugin's to its host. 0 is none.
///
/// A plain number. One that was never issued, was released or belongs to a closed instance gets a status.
pub type Object = u64;

/// Bit of [`CallContext::flags`]: `timeout_ns` says how much time there is.
pub const RB_CONTEXT_TIMEOUT: u32 = 1;
/// Bit of [`CallContext::flags`]: the four fields of the trace say whose part the call is.
pub const RB_CONTEXT_TRACE: u32 = 2;
/// Bit of [`CallContext::flags`], to a plugin's `start` alone: don't run the handler on this thread, which must not be kept, but on one of the
/// plugin's own. A plugin that has none answers `RB_UNIMPLEMENTED` before it runs anything; then a plain handler runs on a thread of the
/// library's, and what isn't plain is begun once more without the bit.
pub const RB_CONTEXT_OFFLOAD: u32 = 4;
/// Bit of [`CallContext::flags`]: the caller takes response headers. From a host it says that `reply` is the first part of a
/// [`ReplyHeaders`]. To a plugin it says that [`CallHost::headers`] isn't in vain, and `reply` has no place behind it: whoever passes
/// the header on to another library leaves this bit out.
pub const RB_CONTEXT_HEADERS: u32 = 8;

/// The most bytes that the metadata of a call, its headers, or its trailers, may have.
pub const RB_METADATA_LIMIT: usize = 65536;

/// What a call carries beside its request. Null in place of it means that there's nothing to say.
///
/// Host and plugin use the same struct: the host fills in what it has to say, and the library hands the plugin one with the
/// rest filled in. All of it is borrowed until the function that takes it returns, but for `cancelled`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CallContext {
    /// `sizeof` this struct as the writer knows it.
    pub size: u32,
    /// `RB_CONTEXT_` bits.
    pub flags: u32,
    /// How much time there is, in nanoseconds, from when the function is called: a duration, so that no clock is shared. A call
    /// whose time is over isn't begun. One that is pending then is ended by its plugin, or else the library asks it to; one that
    /// doesn't listen goes on, as does a plain method that doesn't look.
    pub timeout_ns: u64,
    /// To a plugin: the operation that the call is, 0 if it can't be cancelled. From a plugin that calls a service: the
    /// operation it works for, whose deadline and cancellation the service call inherits.
    ///
    /// From a host: a number of its own for the call, 0 for none. To a service: that number of the call that the plugin works for, so
    /// that the service can run in its caller's context. It's 0 if the call has ended, and where a plugin asks on a thread of its own
    /// without saying for which operation. Calls that a service makes in turn don't inherit it.
    pub op: Op,
    /// To a plugin: not 0 as soon as the call is to end early, and then the status that it's to end with; null if it never will.
    /// Read it by a relaxed atomic load. Valid until `call` returns, or if `start` has answered that the call is pending,
    /// until `release` is called.
    pub cancelled: *const u32,
    /// The trace that the call is part of, as W3C's Trace Context says: 16 bytes, not all zero.
    pub trace_id: [u8; 16],
    /// The caller's span: 8 bytes, not all zero.
    pub span_id: [u8; 8],
    /// The trace's flags; bit 0: it's sampled.
    pub trace_flags: u32,
    /// How many objects are lent.
    pub object_count: u32,
    /// The trace's `tracestate`, or empty.
    pub trace_state: Text,
    /// Pairs of key and value: a count, then for each the key's length, the value's length, the key and the value, all numbers
    /// `uint32_t` in the machine's byte order, unaligned. Keys are visible ASCII without capitals, at least one byte; values are
    /// any bytes; keys may repeat. Up to `RB_METADATA_LIMIT` bytes. Null for none.
    pub metadata: *const u8,
    /// Number of bytes at `metadata`.
    pub metadata_len: usize,
    /// The objects that are lent to the call, in the order in which the request speaks of them; the receiver of an object's
    /// method is the first. From a host: their numbers. To a plugin: what it gave when it returned them.
    pub objects: *const u64,
    /// Where trailers and objects of the answer go, for a call that's answered by the time the function returns. Null: there's
    /// no place for them, and a method that returns objects refuses. With `RB_CONTEXT_HEADERS` from a host, headers go there, too.
    pub reply: *mut Reply,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// What a host offers under [`RB_EXTENSION_CALL`] to a plugin: what is known of a thread's call where no header is at hand, as
/// where something is logged.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CallHost {
    /// `sizeof` this struct as the host knows it.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Says of the innermost call that the calling thread is in, of those that carry something, how much time is left and
    /// whose part it is: `flags`, `timeout_ns` and the trace are filled in, up to `header->size`, and the rest is zero. The
    /// text of `trace_state` is valid until that call returns.
    ///
    /// `RB_NOT_FOUND`: it's in none, and nothing was written.
    ///
    /// Thread: any. State: any.
    pub current: Option<unsafe extern "C" fn(call_context: *mut CallContext) -> StatusCode>,
    /// Adds response headers to a call, by its header's `op`: pairs laid out as [`CallContext::metadata`]. They come to the caller
    /// before the first item, or with the answer or the error, whichever is first, and are copied until then. Null: the host is of
    /// an earlier version.
    ///
    /// `RB_FAILED_PRECONDITION`: an item has gone out, or the call has ended. `RB_INVALID_ARGUMENT`: this isn't metadata.
    /// `RB_RESOURCE_EXHAUSTED`: with these they are more than `RB_METADATA_LIMIT` bytes, and none was added. `RB_NOT_FOUND`: no
    /// such operation. A call whose header hasn't `RB_CONTEXT_HEADERS` gets `RB_OK`, and nothing is kept.
    ///
    /// Thread: any, also inside `start` and `call`. State: any.
    pub headers:
        Option<unsafe extern "C" fn(op: Op, headers: *const u8, headers_len: usize) -> StatusCode>,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`CallHost`].
pub const RB_EXTENSION_CALL: &core::ffi::CStr = c"rb.call/1";

/// What comes back beside a response.
///
/// Each of the two is a response by that struct's rules, but for an error's payload: bytes in the storage that was offered, or
/// elsewhere with a release.
#[repr(C)]
#[derive(Debug)]
pub struct Reply {
    /// Metadata at the end, laid out as that of [`CallContext`].
    pub trailers: Response,
    /// The objects of the answer, a `uint64_t` each, in the order in which the answer speaks of them. From a plugin: what it
    /// wants to be given when the object is lent to it, not 0. To a host: their numbers, each to be released once.
    pub objects: Response,
}

impl Reply {
    /// One without storage: whatever comes is handed over.
    #[must_use]
    pub const fn empty() -> Reply {
        Reply {
            trailers: Response::empty(),
            objects: Response::empty(),
        }
    }
}

/// What comes back beside a response to a caller that takes headers: a header's `reply` points to it where the flag
/// [`RB_CONTEXT_HEADERS`] says so.
///
/// It never grows, and neither does [`Reply`], which stands inside other structs.
#[repr(C)]
#[derive(Debug)]
pub struct ReplyHeaders {
    /// Trailers and objects.
    pub reply: Reply,
    /// The headers of a call that's answered by the time the function returns, laid out as the metadata of [`CallContext`]: a
    /// response by that struct's rules. Those of one that's pending come with an event.
    pub headers: Response,
}

impl ReplyHeaders {
    /// One without storage: whatever comes is handed over.
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
