//! Operations by their numbers: calls that end later, their streams, and the queues that tell of them; what the bindings for
//! other languages are made of, beside [`handles`](crate::handles).
//!
//! ```
//! # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
//! use rustbridge_core::operations::{self, Submission};
//! use rustbridge_core::{Encoding, Load, Response, handles};
//!
//! // SAFETY: this is our own plugin, whose entry point follows the ABI.
//! let plugin = handles::load(unsafe { Load::linked(my_plugin::entry_point, "tiny") })?;
//! let echo = handles::prepare(plugin, "echo", Encoding::Raw)?;
//! let queue = operations::new_queue()?;
//!
//! // A method that is answered at once is no event.
//! let mut response = Response::empty();
//! let submission = Submission::of(plugin, echo.entry, b"hi");
//! // SAFETY: request and response are valid for the call, and the response is released once.
//! unsafe {
//!     let (status, op) = operations::submit(queue, submission, &mut response);
//!     assert_eq!((status, op, response.len), (0, 0, 2));
//!     handles::release(&mut response);
//! }
//! operations::close_queue(queue)?;
//! handles::close(plugin, std::time::Duration::from_secs(1))?;
//! # Ok::<(), rustbridge_core::Error>(())
//! ```

use std::ffi::c_void;
use std::time::Duration;

use rustbridge_abi::{Batch, CallContext, Object, Op, Response, StatusCode};

pub use crate::async_call::event::{Answer, Event, EventKind};
pub use crate::async_call::service_request::ServiceRequest;
pub use crate::call::submission::{Callback, Offload, Submission};

use crate::async_call::{caller, queue_table};
use crate::call::objects::release_object;
use crate::call::submission::To;
use crate::call::submit;
use crate::error::Error;
use crate::instance::services::queued;
use crate::response::write_error;
use crate::state::Deadline;

/// Makes a queue and gives its number: never 0, and never that of another queue.
///
/// # Errors
/// `RESOURCE_EXHAUSTED`: too many are open.
pub fn new_queue() -> Result<u64, Error> {
    queue_table::new()
}

/// Closes a queue: its operations are detached, its services' calls end with `UNAVAILABLE`, and a thread that waits in [`next`]
/// returns.
///
/// # Errors
/// `INVALID_ARGUMENT`: there's none of that number. `FAILED_PRECONDITION`: it's of before a fork.
pub fn close_queue(queue: u64) -> Result<(), Error> {
    release_objects(&queue_table::find_queue(queue)?.close(queue)?);
    queued::closed_queue(queue);
    Ok(())
}

/// What a loop watches besides its sockets: readable (a descriptor), or set (Windows' event), when something has come since
/// [`next`] found nothing. Stays the queue's.
///
/// # Errors
/// As for [`close_queue`]; `RESOURCE_EXHAUSTED`: the system gives none.
pub fn queue_descriptor(queue: u64) -> Result<isize, Error> {
    queue_table::find_queue(queue)?.descriptor(queue)
}

/// Has a function called when something has come since [`next`] found nothing: for loops that watch no descriptors. Whoever
/// completes calls it, on any thread, so it mustn't block; it's dropped with the queue, or when the last call of it has returned.
///
/// # Errors
/// As for [`close_queue`].
pub fn wake_by(queue: u64, wake: impl Fn() + Send + Sync + 'static) -> Result<(), Error> {
    queue_table::find_queue(queue)?.wake_by(queue, std::sync::Arc::new(wake))
}

/// Has the thread that waits in [`next`], or that will, return once without an event.
///
/// # Errors
/// As for [`close_queue`].
pub fn wake_queue(queue: u64) -> Result<(), Error> {
    queue_table::find_queue(queue)?.nudge(queue)
}

/// Fetches up to `most` events, waiting for the first one up to `timeout`, and gives how many there were. `take` is called with
/// each; `room` says how many bytes the payload of the next may have: one that has more is left for the next time.
///
/// # Errors
/// As for [`close_queue`], also when it's closed meanwhile; `ABORTED`: another thread is fetching from it.
pub fn next(
    queue: u64,
    most: usize,
    timeout: Duration,
    room: impl FnMut() -> usize,
    take: impl FnMut(Event),
) -> Result<usize, Error> {
    queue_table::find_queue(queue)?.next(queue, most, Deadline::after(timeout), room, take)
}

/// Begins a call whose events go to a queue. `RB_PENDING` means that its end is told by an event, and the number names it until
/// then; any other status is its end, and the response is as after [`call`](crate::handles::call).
///
/// # Safety
/// As for [`call`](crate::handles::call), and what the submission points to is readable until this returns.
pub unsafe fn submit(
    queue: u64,
    submission: Submission<'_>,
    response: *mut Response,
) -> (StatusCode, Op) {
    // SAFETY: the caller's promises.
    unsafe {
        match To::queue(queue) {
            Ok(to) => submit::submit(submission, to, response),
            Err(error) => (write_error(&error, response), 0),
        }
    }
}

/// Begins a call whose events are told to a function, on whatever thread they happen, one at a time; otherwise as [`submit`]. If it
/// panics, that event is over with: nobody is there to be told.
///
/// # Safety
/// As for [`submit`], and the function may be called with its data on any thread until it was told of the end.
pub unsafe fn start(
    callback: Callback,
    submission: Submission<'_>,
    response: *mut Response,
) -> (StatusCode, Op) {
    // SAFETY: the caller's promises.
    unsafe { submit::submit(submission, To::Function(callback), response) }
}

/// Asks an operation to end early: it completes with `CANCELLED`, or with what it had done by then. Items that wait to be fetched
/// are discarded, and no more come.
///
/// # Errors
/// `NOT_FOUND`: it's over, or was never begun. `FAILED_PRECONDITION`: it has ended, or is of before a fork.
pub fn cancel(op: Op) -> Result<(), Error> {
    release_objects(&caller::cancel_and_discard(op)?);
    Ok(())
}

/// Gives an operation up: it's cancelled, and nothing is told of it any more, but for what a function is being told just now.
///
/// # Errors
/// As for [`cancel`].
pub fn detach(op: Op) -> Result<(), Error> {
    release_objects(&caller::detach(op)?);
    Ok(())
}

/// Takes so many items of an operation's stream more, and so many bytes. Items come as long as both are above what has come,
/// so the last may go beyond the bytes.
///
/// # Errors
/// As for [`cancel`], but none for one that has ended or is over.
pub fn demand(op: Op, items: u64, bytes: u64) -> Result<(), Error> {
    caller::demand(op, items, bytes)
}

/// Sends items into an operation's stream, as many as it has asked for by [`EventKind::Demand`].
///
/// # Errors
/// As for [`cancel`]; `RESOURCE_EXHAUSTED`: it hasn't asked for so many; `UNIMPLEMENTED`: it takes none; `ABORTED`: another
/// thread is sending; `INVALID_ARGUMENT`: the batch contradicts itself.
///
/// # Safety
/// What the batch points to is readable until this returns.
pub unsafe fn write(op: Op, batch: &Batch) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    unsafe { caller::write(op, batch) }
}

/// Ends the stream into an operation: complete with `RB_OK`, otherwise with an error's payload.
///
/// # Errors
/// As for [`write()`].
pub fn end_sending(op: Op, status: StatusCode, payload: &[u8]) -> Result<(), Error> {
    caller::end_sending(op, status, payload)
}

/// Releases objects that nobody gets.
fn release_objects(objects: &[Object]) {
    for &object in objects {
        // One whose instance is gone is gone with it.
        let _ = release_object(object);
    }
}

impl<'a> Submission<'a> {
    /// A call that carries nothing but its request.
    #[must_use]
    pub fn of(handle: crate::Handle, entry: u32, request: &'a [u8]) -> Submission<'a> {
        Submission::raw(handle, entry, request.as_ptr(), request.len())
    }

    /// As [`of`](Submission::of), of a request that isn't known to be one.
    #[must_use]
    pub fn raw(handle: crate::Handle, entry: u32, request: *const u8, request_len: usize) -> Self {
        Submission {
            handle,
            entry,
            header: std::ptr::null(),
            request,
            request_len,
            user_data: 0,
            demand: (0, 0),
            offload: Offload::Nothing,
            borrowed: std::marker::PhantomData,
        }
    }

    /// What it carries besides.
    #[must_use]
    pub fn header(mut self, header: &'a CallContext) -> Submission<'a> {
        self.header = header;
        self
    }
}

impl Callback {
    /// A function that is told of events, and what it's given: two words, so that who passes on to another function needs no
    /// memory for that one's data.
    pub fn new(
        tell: unsafe fn(data: [*mut c_void; 2], event: Event),
        data: [*mut c_void; 2],
    ) -> Callback {
        Callback { tell, data }
    }
}
