//! Operations: calls that are begun, and whose end is told later, by a queue or by a function.

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

/// Bit of [`Submission::flags`]: no code of a method that isn't leaf runs on this thread, neither a plain handler nor what an
/// asynchronous one does before it waits for the first time. For loops that mustn't stall.
pub const RB_SUBMIT_OFFLOAD: u32 = 1;
/// Bit of [`Submission::flags`]: a plain method that isn't leaf runs on another thread; an asynchronous one begins on this one, which is
/// faster where it answers at once or soon has to wait. Without meaning beside `RB_SUBMIT_OFFLOAD`.
pub const RB_SUBMIT_OFFLOAD_PLAIN: u32 = 2;

const SUBMIT_BITS: u32 = RB_SUBMIT_OFFLOAD | RB_SUBMIT_OFFLOAD_PLAIN;

/// What the bits of a submission say.
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

/// A call to be begun. Zero it, then set `size`, `instance`, `entry` and what else you need.
#[repr(C)]
#[derive(Debug)]
pub struct Submission {
    /// `sizeof(rb_submission)`.
    pub size: u32,
    /// Out: `RB_PENDING`: events tell how it goes on. Any other: it has ended so.
    pub status: StatusCode,
    /// The instance.
    pub instance: Instance,
    /// The entry of a prepared method.
    pub entry: u32,
    /// `RB_SUBMIT_` bits.
    pub flags: u32,
    /// What the call carries besides its request; null for nothing.
    pub call_context: *const CallContext,
    /// The request; borrowed until the function returns.
    pub request: *const u8,
    /// Its length.
    pub request_len: usize,
    /// In and out: as for `rb_call`, if it has ended; as it was, if it's pending.
    pub response: Response,
    /// What its events say.
    pub user_data: u64,
    /// Of a stream: how many items are taken at first.
    pub demand_items: u64,
    /// Of a stream: how many bytes are taken at first.
    pub demand_bytes: u64,
    /// Out: the operation, or 0 if it has ended.
    pub op: Op,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// How large a submission was in version 1.0.
///
/// cbindgen:ignore
pub const SUBMISSION_1_0: usize = 120;

const _: () = assert!(SUBMISSION_1_0 <= size_of::<Submission>());

impl Submission {
    /// One that says nothing but its size.
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

/// A function that is told of events.
///
/// It's called on whatever thread they happen, the plugin's too, one at a time for each operation; until `rb_submit_callback` has
/// returned also on the caller's. It must not block or unwind; `rb_close` of the instance is refused inside it. What the event
/// points to is lent until it returns, unless it takes a `release` out and leaves null there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    /// `sizeof(rb_callback)`.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Takes one event. The one of kind `RB_EVENT_DONE` is the last.
    ///
    /// Thread: any, one event of an operation at a time. State: any.
    pub notify: Option<unsafe extern "C" fn(user_data: *mut c_void, event: *mut Event)>,
    /// Passed back as it is.
    pub user_data: *mut c_void,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(Callback, 24, reserved: 0, notify: None, user_data: ptr::null_mut());

/// Begins calls, in order, whose events go to a queue. Each submission's `status` says whether it has ended, or is pending and
/// `op` names it. A method that isn't asynchronous runs before this returns.
///
/// All are `submissions[0].size` bytes apart. A response that has ended is released as after `rb_call`.
///
/// The function's own status is that of the arguments: `RB_INVALID_ARGUMENT` means that nothing was begun.
///
/// Thread: any, also inside a call. State: active.
///
/// # Safety
/// `submissions` has `count` structs of the size that the first one says, and what they point to is as for `rb_call`.
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

/// Begins calls whose events are told to a function; otherwise as `rb_submit`.
///
/// Thread: any, also inside a call. State: active.
///
/// # Safety
/// As for `rb_submit`; `callback` is readable, and its function may be called with its data until it was told of the end of
/// each that is pending.
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
            submission.call_context = (*one).call_context;
            submission.user_data = (*one).user_data;
            submission.demand = ((*one).demand_items, (*one).demand_bytes);
            submission.offload = offload((*one).flags);
            ((*one).status, (*one).op) = begin(submission, response);
        }
    }
    rustbridge_abi::RB_OK
}

/// Asks an operation to end early. It ends all the same, with `RB_CANCELLED` or with what it had done by then, and its last
/// event tells so.
///
/// `RB_NOT_FOUND`: it's over, or was never begun. `RB_FAILED_PRECONDITION`: it has ended, and the event is on its way.
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

/// Gives an operation up: it's cancelled, and what still comes of it is released for you, without an event. A function that is
/// being told of it just now goes on.
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

/// Takes so many items of an operation's stream more, and so many bytes more. Items come as long as both are above what has
/// come, so the last may go beyond the bytes. An iterator of the plugin's runs inside it.
///
/// `RB_OK` also for one that has ended or is over, whose end may be among the events that you have fetched and not looked at.
/// `RB_NOT_FOUND`: it was never begun. `RB_UNIMPLEMENTED`: it gives no stream.
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

/// Sends items into an operation's stream, within what its events of kind `RB_EVENT_DEMAND` allow. They have no objects.
///
/// `RB_RESOURCE_EXHAUSTED`: it hasn't asked for so many; nothing was sent. `RB_UNIMPLEMENTED`: it takes none. `RB_ABORTED`:
/// another thread is sending to it. `RB_FAILED_PRECONDITION`: it, or the stream, has ended.
/// `RB_UNIMPLEMENTED` and `RB_INVALID_ARGUMENT` also for an item in the wire format that can't be resolved to the plugin's types: the
/// stream is then ended with that error, and so is the operation unless the plugin ignores it.
///
/// Thread: any, one at a time for each operation. State: any.
///
/// # Safety
/// `batch` and what it points to are readable, `error` is null or a response.
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

/// Ends the stream into an operation: complete with `RB_OK`, otherwise with a status and the error's payload, which may be empty.
///
/// Thread: any, after the last `rb_op_write`. State: any.
///
/// # Safety
/// `payload` has `payload_len` readable bytes, or is null with 0; `error` is null or a response.
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
                return Err(
                    Refusal::new(format!("status is {status}, expected one of the table")).into(),
                );
            }
            Ok(operations::end(op, status, payload)?)
        })
    }
}
