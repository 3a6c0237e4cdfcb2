//! Asynchronous calls: calls that are submitted, and whose completion a queue or a callback reports.

use core::ffi::c_void;
use core::ptr;

use rustbridge_abi::{
    Batch, CallContext, Op, RB_INVALID_ARGUMENT, Response, Status, StatusCode, growing,
};
use rustbridge_core::operations;

use crate::boundary::{self, Refusal};
use crate::call::{refuse, unusable};
use crate::load::Instance;
use crate::queue::{Arena, Event, Queue};

/// Bit of [`Submission::flags`]: no code of a method that is not leaf runs on the submitting thread, not even the part of an
/// asynchronous handler before its first wait. For event loops, which must not block.
pub const RB_SUBMIT_OFFLOAD: u32 = 1;
/// Bit of [`Submission::flags`]: a synchronous method that is not leaf runs on another thread. An asynchronous one starts on the
/// submitting thread, which is faster if it completes at once or soon waits. Has no effect together with `RB_SUBMIT_OFFLOAD`.
pub const RB_SUBMIT_OFFLOAD_PLAIN: u32 = 2;

const SUBMIT_BITS: u32 = RB_SUBMIT_OFFLOAD | RB_SUBMIT_OFFLOAD_PLAIN;

/// Converts the bits of a submission.
///
/// cbindgen:ignore
#[must_use]
pub fn offload(flags: u32) -> operations::Offload {
    if flags & RB_SUBMIT_OFFLOAD != 0 {
        operations::Offload::Everything
    } else if flags & RB_SUBMIT_OFFLOAD_PLAIN != 0 {
        operations::Offload::Plain
    } else {
        operations::Offload::Nothing
    }
}

/// A call to submit. Zero the struct, then set `size`, `instance`, `entry` and any other field you need.
#[repr(C)]
#[derive(Debug)]
pub struct Submission {
    /// `sizeof(rb_submission)`.
    pub size: u32,
    /// Out: `RB_PENDING` if events will report the completion. Any other status: the call has completed with it.
    pub status: StatusCode,
    /// The instance.
    pub instance: Instance,
    /// The entry of a prepared method.
    pub entry: u32,
    /// `RB_SUBMIT_` bits.
    pub flags: u32,
    /// The call context; null for none.
    pub call_context: *const CallContext,
    /// The request; borrowed until the function returns.
    pub request: *const u8,
    /// Number of bytes at `request`.
    pub request_len: usize,
    /// In and out: as for `rb_call` if the call has completed; unchanged if it is pending.
    pub response: Response,
    /// Copied into the call's events.
    pub user_data: u64,
    /// Of a stream: the initial credit in items.
    pub demand_items: u64,
    /// Of a stream: the initial credit in bytes.
    pub demand_bytes: u64,
    /// Out: the ID of the call, or 0 if it has completed.
    pub op: Op,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Size of a submission in version 1.0.
///
/// cbindgen:ignore
pub const SUBMISSION_1_0: usize = 120;

const _: () = assert!(SUBMISSION_1_0 <= size_of::<Submission>());

impl Submission {
    /// A submission with only its size set.
    pub const EMPTY: Submission = Submission {
        size: size_of::<Submission>() as u32,
        status: 0,
        instance: 0,
        entry: 0,
        flags: 0,
        call_context: ptr::null(),
        request: ptr::null(),
        request_len: 0,
        response: Response::empty(),
        user_data: 0,
        demand_items: 0,
        demand_bytes: 0,
        op: 0,
        #[cfg(feature = "grown")]
        grown: rustbridge_abi::GROWN,
    };
}

/// A function that receives events.
///
/// It is called on the thread on which the event happens: a thread of the plugin, of the library, or, until
/// `rb_submit_callback` has returned, the submitting thread. The events of one call arrive one at a time. It must not block or unwind.
/// `rb_close` of the instance is refused inside it. The event's pointers are valid until the function returns. To keep a
/// response, copy the struct and set its `release` to null in the event.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    /// `sizeof(rb_callback)`.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Handles one event. The event of kind `RB_EVENT_DONE` is the last.
    ///
    /// Thread: any, one event of a call at a time. State: any.
    pub notify: Option<unsafe extern "C" fn(user_data: *mut c_void, event: *mut Event)>,
    /// Passed to `notify`.
    pub user_data: *mut c_void,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(Callback, 24, reserved: 0, notify: None, user_data: ptr::null_mut());

/// Submits calls, in order, whose events go to a queue. After it returns, each submission's `status` reports whether the call
/// has completed or is pending; a pending call's ID is in `op`. A method that is not asynchronous runs before the function
/// returns.
///
/// The structs are `submissions[0].size` bytes apart. Release the response of a completed call as after `rb_call`.
///
/// The function's own status is about its arguments: after `RB_INVALID_ARGUMENT`, no call was submitted.
///
/// Thread: any, also inside a call. State: active.
///
/// # Safety
/// `submissions` has `count` structs of the size that the first one specifies. Their pointers are as for `rb_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_submit(
    queue: Queue,
    submissions: *mut Submission,
    count: usize,
) -> StatusCode {
    // SAFETY: the caller's promise.
    unsafe {
        each(submissions, count, |submission, response| {
            operations::submit(queue, submission, response)
        })
    }
}

/// Submits calls whose events go to a callback. Otherwise like `rb_submit`.
///
/// Thread: any, also inside a call. State: active.
///
/// # Safety
/// As for `rb_submit`. `callback` is readable. Its function can be called with its data until it has received the
/// `RB_EVENT_DONE` of each pending call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_submit_callback(
    callback: *const Callback,
    submissions: *mut Submission,
    count: usize,
) -> StatusCode {
    // SAFETY: the caller's promise.
    let callback = match unsafe { boundary::read("callback", "rb_callback", callback) } {
        Ok(Callback {
            notify: Some(notify),
            user_data,
            ..
        }) => operations::Callback::new(tell_c, [notify as *mut c_void, user_data]),
        _ => return RB_INVALID_ARGUMENT,
    };
    // SAFETY: the caller's promise.
    unsafe {
        each(submissions, count, |submission, response| {
            operations::start(callback, submission, response)
        })
    }
}

/// # Safety
/// `data` is a function of [`Callback::notify`]'s type, and that function's argument.
unsafe fn tell_c([notify, user_data]: [*mut c_void; 2], event: operations::Event) {
    let mut event = Event::of(event, &Arena::none());
    // SAFETY: the caller's promise; responses are ours again unless the function has taken their release out.
    unsafe {
        let notify: unsafe extern "C" fn(*mut c_void, *mut Event) = std::mem::transmute(notify);
        notify(user_data, &raw mut event);
        for response in [
            &mut event.response,
            &mut event.reply.trailers,
            &mut event.reply.objects,
        ] {
            rustbridge_core::handles::release(response);
        }
    }
}

/// # Safety
/// `submissions` has `count` structs of the size that the first one says, and what they point to is as for `rb_call`.
unsafe fn each(
    submissions: *mut Submission,
    count: usize,
    mut begin: impl FnMut(operations::Submission<'_>, *mut Response) -> (StatusCode, Op),
) -> StatusCode {
    if count == 0 {
        return rustbridge_abi::RB_OK;
    }
    if submissions.is_null() || !submissions.is_aligned() {
        return RB_INVALID_ARGUMENT;
    }
    // SAFETY: not null, aligned, and the caller's promise.
    let stride = unsafe { (*submissions).size } as usize;
    if stride < SUBMISSION_1_0 || !stride.is_multiple_of(align_of::<Submission>()) {
        return RB_INVALID_ARGUMENT;
    }
    for index in 0..count {
        // SAFETY: the caller's promise.
        unsafe {
            // Field by field, and never as a whole: the caller's may be shorter than ours.
            let one = submissions.byte_add(index * stride);
            let response = &raw mut (*one).response;
            (*one).op = 0;
            if unusable(response) {
                (*one).status = refuse(response);
                continue;
            }
            if (*one).flags & !SUBMIT_BITS != 0 {
                let refusal = Refusal::new(format!(
                    "submission.flags is {:#x}, expected RB_SUBMIT_ bits, {SUBMIT_BITS:#x} at most",
                    (*one).flags
                ));
                (*one).status = boundary::enter(response, || Err(refusal.into()));
                continue;
            }
            let mut submission = operations::Submission::raw(
                (*one).instance,
                (*one).entry,
                (*one).request,
                (*one).request_len,
            );
            submission.header = (*one).call_context;
            submission.user_data = (*one).user_data;
            submission.demand = ((*one).demand_items, (*one).demand_bytes);
            submission.offload = offload((*one).flags);
            ((*one).status, (*one).op) = begin(submission, response);
        }
    }
    rustbridge_abi::RB_OK
}

/// Requests the cancellation of a pending call. The call still completes, with `RB_CANCELLED` or with its result if that
/// came first, and an `RB_EVENT_DONE` reports it.
///
/// `RB_NOT_FOUND`: the call is over, or was never submitted. `RB_FAILED_PRECONDITION`: the call has completed, and its event is
/// waiting to be delivered.
///
/// Thread: any, also inside a call. State: any.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_op_cancel(op: Op, error: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe { boundary::enter(error, || Ok(operations::cancel(op)?)) }
}

/// Abandons a pending call. It is cancelled, there are no further events, and the library releases results that still arrive. A
/// callback that is running for this call at the moment finishes normally.
///
/// Thread: any, also inside a call. State: any.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_op_detach(op: Op, error: *mut Response) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe { boundary::enter(error, || Ok(operations::detach(op)?)) }
}

/// Adds to the credit of a call's output stream: `items` more items and `bytes` more bytes. Items are sent while both credits
/// are above zero, so the last item may exceed the bytes. If the plugin's stream is an iterator, it runs inside this function.
///
/// `RB_OK` also for a call that has completed, because its completion may be among the events that you have received but not
/// yet handled. `RB_NOT_FOUND`: the call was never submitted. `RB_UNIMPLEMENTED`: the method returns no stream.
///
/// Thread: any, also inside a call. State: any.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_op_demand(
    op: Op,
    items: u64,
    bytes: u64,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe { boundary::enter(error, || Ok(operations::demand(op, items, bytes)?)) }
}

/// Sends items into a call's input stream, within the credit that its `RB_EVENT_DEMAND` events grant. The items have no objects.
///
/// `RB_RESOURCE_EXHAUSTED`: the credit is too small; nothing was sent. `RB_UNIMPLEMENTED`: the method accepts no stream.
/// `RB_ABORTED`: another thread is sending to this call. `RB_FAILED_PRECONDITION`: the call or its input stream has ended.
/// `RB_UNIMPLEMENTED` and `RB_INVALID_ARGUMENT` also for an item in the wire format that cannot be resolved to the plugin's types.
/// The stream then ends with that error, and so does the call unless the plugin ignores it.
///
/// Thread: any, one at a time for each call. State: any.
///
/// # Safety
/// `batch` and its pointers are readable, `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_op_write(
    op: Op,
    batch: *const Batch,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both.
    unsafe {
        boundary::enter(error, || {
            let mut batch = boundary::read("batch", "rb_batch", batch)?;
            // The plugin gets the copy, which is as long as ours.
            batch.size = Batch::EMPTY.size;
            Ok(operations::write(op, &batch)?)
        })
    }
}

/// Ends a call's input stream. With `RB_OK` the stream is complete. With another status it failed; `payload` is the error
/// payload, or empty.
///
/// Thread: any, after the last `rb_op_write`. State: any.
///
/// # Safety
/// `payload` has `payload_len` readable bytes, or is null with 0. `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_op_end(
    op: Op,
    status: StatusCode,
    payload: *const u8,
    payload_len: usize,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both.
    unsafe {
        boundary::enter(error, || {
            let payload = boundary::bytes("payload", payload, payload_len)?;
            if Status::from_code(status).code() != status {
                return Err(Refusal::new(format!(
                    "status is {status}, expected an RB_ status code"
                ))
                .into());
            }
            Ok(operations::end_sending(op, status, payload)?)
        })
    }
}
