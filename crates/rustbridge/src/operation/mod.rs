//! Asynchronous calls and streams: the plugin's extension `rb.async/1`.
//!
//! | file | contents |
//! | --- | --- |
//! | `start.rs` | from the core's `start` to a task, for each kind of handler |
//! | `form.rs` | the encodings, as a start uses them |
//! | `task.rs` | access to a task from several threads |
//! | `bodies.rs` | the bodies of tasks: a future, an iterator, a stream, blocking work |
//! | `drive.rs`, `thread.rs` | running tasks on the runtime and on threads |
//! | `send.rs`, `credit.rs` | outgoing items; incoming ones are in `crate::items` |
//! | `plain.rs` | plain handlers, which have no task unless they run on another thread |
//! | `probe.rs` | the starts that a handler's types allow |
//! | `pool.rs` | the memory of tasks |

mod bodies;
mod credit;
#[cfg(feature = "async")]
mod drive;
pub(crate) mod form;
mod plain;
mod pool;
mod probe;
pub(crate) mod send;
pub(crate) mod start;
mod task;
mod thread;

use std::ffi::c_void;
use std::ptr::NonNull;
use std::task::{Context, Waker};

use rustbridge_abi::{
    self as abi, AsyncExtension, Batch, CallContext, RB_OK, Response, StatusCode,
};

use self::task::Head;
use crate::response::with_response;
use crate::{Error, Plugin};

pub use self::probe::*;

/// The table of plugin `P`.
pub(crate) struct Operations<P>(std::marker::PhantomData<P>);

impl<P: Plugin> Operations<P> {
    /// The table of the extension `rb.async/1`.
    pub(crate) const TABLE: &'static AsyncExtension = &AsyncExtension {
        flags: abi::RB_ASYNC_KEEPS_TIME,
        start: Some(start::<P>),
        cancel: Some(cancel),
        demand: Some(demand),
        push: Some(push),
        push_end: Some(push_end),
        release: Some(release),
        ..AsyncExtension::EMPTY
    };
}

unsafe extern "C" fn start<P: Plugin>(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode {
    let run = P::STARTS.get(entry as usize).copied().flatten();
    let run = run.unwrap_or(plain::start::<P>);
    // SAFETY: the parameters are the caller's, as the ABI says, and the start is of this plugin's table.
    unsafe {
        with_response(response, |response| {
            run(
                instance,
                entry,
                header,
                request,
                request_len,
                response,
                task,
            )
        })
    }
}

/// # Safety
/// `task` is from `start`, and isn't released.
unsafe fn head_of(task: *mut c_void) -> Option<NonNull<Head>> {
    NonNull::new(task.cast())
}

unsafe extern "C" fn cancel(task: *mut c_void, reason: StatusCode) {
    // SAFETY: the caller's task, which it holds while this runs.
    unsafe {
        let Some(head) = head_of(task) else { return };
        task::end_early(head, reason);
        // What polled it has nothing to do any more, or will have when it's done.
        #[cfg(feature = "async")]
        if let Some(driver) = &*head.as_ref().driver.get() {
            driver.abort();
        }
    }
}

unsafe extern "C" fn demand(task: *mut c_void, items: u64, bytes: u64) {
    // SAFETY: the caller's task, which it holds while this runs.
    unsafe {
        let Some(head) = head_of(task) else { return };
        let this = head.as_ref();
        crate::contain::contained(|| this.credit.add(items, bytes));
        if !this.is_pulled() {
            return;
        }
        let mut context = Context::from_waker(Waker::noop());
        // One who pulls already sees what was added when it's done, and pulls on.
        while this.credit.now().is_some() && !task::turn(head, &mut context) {}
    }
}

unsafe extern "C" fn push(task: *mut c_void, batch: *const Batch) {
    // SAFETY: the caller's task and batch.
    unsafe {
        let Some(head) = head_of(task) else { return };
        if let (Some(inbox), false) = (&head.as_ref().inbox, batch.is_null()) {
            match abi::read(batch) {
                Ok(batch) => inbox.push(&batch),
                Err(size) => inbox.end(Err(Error::internal(format!(
                    "the host's batch has {size} bytes, less than in any version"
                )))),
            }
        }
    }
}

unsafe extern "C" fn push_end(
    task: *mut c_void,
    status: StatusCode,
    payload: *const u8,
    payload_len: usize,
) {
    // SAFETY: the caller's task and payload.
    unsafe {
        let Some(head) = head_of(task) else { return };
        let Some(inbox) = &head.as_ref().inbox else {
            return;
        };
        let how = if status == RB_OK {
            Ok(())
        } else {
            let payload = if payload.is_null() || payload_len == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(payload, payload_len)
            };
            Err(Error::from_payload(status, payload))
        };
        inbox.end(how);
    }
}

unsafe extern "C" fn release(task: *mut c_void) {
    // SAFETY: the caller's task, given up here.
    unsafe {
        if let Some(head) = head_of(task) {
            task::release(head);
        }
    }
}
