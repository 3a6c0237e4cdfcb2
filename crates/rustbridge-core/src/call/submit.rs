//! Begins calls that end later: what can be answered at once is, and the rest is told of by events.

use std::ffi::c_void;
use std::ptr;
use std::time::Instant;

use rustbridge_abi::{AsyncExtension, CallHeader, Op, RB_PENDING, Response, Status, StatusCode};

use super::inside::{inside, marked};
use super::sync::{self, LAST_STATUS, Ready, looked_at, refuse, settle};
use super::with::{self, Beside};
use crate::error::Error;
use crate::handle::slot::Slot;
use crate::handle::table::Handle;
use crate::instance::refusal::Refusal;
use crate::instance::target::{Extra, Target};
use crate::library::describe::{FLAG_ASYNC, FLAG_STREAM_IN, FLAG_STREAM_OUT};
use crate::operation::caller;
use crate::operation::event::Event;
use crate::operation::life::{self, Begin, Teller, Watchers};
use crate::operation::objects;
use crate::operation::queue::{self, Queue};
use crate::response::{Offer, write_error};

/// Where the events of an operation go.
#[derive(Clone, Copy)]
pub(crate) enum To {
    Queue(&'static Queue, u64),
    /// A task of a host in Rust, by a waker that it sets when it first looks.
    Task,
    Function(Callback),
}

impl To {
    /// A queue by its number.
    pub(crate) fn queue(number: u64) -> Result<To, Error> {
        Ok(To::Queue(queue::find(number)?, number))
    }

    fn teller(self) -> Teller {
        match self {
            To::Queue(queue, number) => Teller::Queue(queue, number),
            To::Task => Teller::Task(Watchers::default()),
            To::Function(Callback { tell, data }) => Teller::Function(life::Callback {
                tell,
                data,
                within: marked,
            }),
        }
    }
}

/// A function that is told of an operation's events, one at a time, on whatever thread they happen. Meanwhile that thread counts
/// as inside a call of the instance.
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    pub(crate) tell: unsafe fn(data: *mut c_void, event: Event),
    pub(crate) data: *mut c_void,
}

/// A call to be begun.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The instance.
    pub handle: Handle,
    /// What preparing gave.
    pub entry: u32,
    /// What the call carries besides.
    pub header: Option<&'a CallHeader>,
    /// The request.
    pub request: *const u8,
    /// Its length.
    pub request_len: usize,
    /// What its events say.
    pub user_data: u64,
    /// Of a stream: how many items, and bytes, are taken at first.
    pub demand: (u64, u64),
}

/// Begins a call. `RB_PENDING` means that its end is told later, and the number names it until then; any other status is its
/// end, and the response is as after [`call`](sync::call).
///
/// # Safety
/// As for [`call`](sync::call); what the header points to is readable until this returns, and a function that is told may be
/// called, from any thread, until it was told of the end.
pub(crate) unsafe fn submit(
    submission: Submission<'_>,
    to: To,
    response: *mut Response,
) -> (StatusCode, Op) {
    // SAFETY: the caller's promises.
    let begun = unsafe {
        with::read(submission.header.map_or(ptr::null(), ptr::from_ref)).and_then(|header| {
            let beside = Beside::offered(header.reply)?;
            let offer = Offer::of(response);
            let (status, op) = carry(&submission, &header, to, response)?;
            let asked = (submission.handle, submission.entry);
            let status = if op == 0 {
                beside.looked_at_with(status, response, offer, asked)
            } else {
                status
            };
            Ok((status, op))
        })
    };
    // SAFETY: as above.
    begun.unwrap_or_else(|error| (unsafe { write_error(&error, response) }, 0))
}

/// # Safety
/// As for [`submit`]; the header is the submission's, checked.
unsafe fn carry(
    submission: &Submission<'_>,
    header: &CallHeader,
    to: To,
    response: *mut Response,
) -> Result<(StatusCode, Op), Error> {
    let &Submission {
        handle,
        entry,
        request,
        request_len,
        ..
    } = submission;
    let carried = with::in_time(header)?;
    // SAFETY: checked.
    let lent = objects::lend(handle, unsafe { with::objects_of(header) })?;
    let mut header = CallHeader {
        metadata: header.metadata,
        metadata_len: header.metadata_len,
        objects: lent.addresses.as_ptr(),
        object_count: lent.addresses.len() as u32,
        reply: header.reply,
        ..carried.header()
    };
    let begun = carried.during(|| {
        inside(handle, entry, |slot| {
            // SAFETY: we are inside; the rest is the caller's promise.
            unsafe {
                let ready = sync::admit(slot, entry, request, request_len)?;
                let began = Began {
                    submission,
                    deadline: carried.deadline,
                    to,
                };
                run(began, &mut header, slot, ready, response)
            }
        })
    });
    Ok(match begun {
        Ok((status, op)) if status as u32 <= LAST_STATUS || op != 0 => (status, op),
        Ok((status, _)) => (settle(status, handle), 0),
        Err(refusal) => {
            // SAFETY: the caller's promise about the response.
            let status = unsafe { refuse(|| refusal, handle, entry, request_len, response) };
            (status, 0)
        }
    })
}

/// What a call is begun with.
struct Began<'a> {
    submission: &'a Submission<'a>,
    deadline: Option<Instant>,
    to: To,
}

/// # Safety
/// As for [`submit`], and the calling thread is inside the slot that has let this in.
unsafe fn run(
    began: Began<'_>,
    header: &mut CallHeader,
    slot: &'static Slot<Target>,
    ready: Ready,
    response: *mut Response,
) -> Result<(StatusCode, Op), Refusal> {
    let submission = began.submission;
    // SAFETY: we are inside, and the flags have a byte for each index that is admitted.
    let flags = unsafe { *slot.target().flags.add(ready.index as usize) };
    let later = FLAG_ASYNC | FLAG_STREAM_IN | FLAG_STREAM_OUT;
    let (plugin, address) = Extra::get(submission.handle).ok_or(Refusal::Shut)?;
    // SAFETY: the caller's promise.
    let offer = unsafe { Offer::of(response) };
    let asked = || (submission.handle, submission.entry);
    match &plugin.asynchronous {
        Some(table) if flags & later != 0 => {
            if let Err(refused) = check_size(plugin, ready.index, submission.request_len) {
                // SAFETY: the caller's promise about the response.
                return Ok((unsafe { write_error(&refused, response) }, 0));
            }
            // SAFETY: we are inside, and the address is the instance's.
            let (status, op) = unsafe {
                start(
                    began,
                    table,
                    address,
                    ready.index,
                    header,
                    flags & (FLAG_STREAM_IN | FLAG_STREAM_OUT) != 0,
                    response,
                )
            };
            if op != 0 {
                return Ok((status, op));
            }
            // SAFETY: the caller's promise about the response.
            Ok((unsafe { looked_at(status, response, offer, asked) }, 0))
        }
        _ => {
            // SAFETY: we are inside; the rest is the caller's promise.
            let status = unsafe {
                (ready.call)(
                    ready.instance,
                    ready.index,
                    header,
                    submission.request,
                    submission.request_len,
                    response,
                )
            };
            // SAFETY: the caller's promise about the response.
            Ok((unsafe { looked_at(status, response, offer, asked) }, 0))
        }
    }
}

/// The size of a pod, for a plugin that doesn't look itself: what calls have in front of the plugin's function.
fn check_size(
    plugin: &crate::library::negotiate::Negotiated,
    index: u32,
    found: usize,
) -> Result<(), Error> {
    match plugin.description.pod_size(index) {
        Some(size) if size != found => Err(crate::instance::checked::wrong_size(
            plugin, index, size, found,
        )),
        _ => Ok(()),
    }
}

/// Has the plugin begin it. An operation of 0 means that the status is its end.
///
/// # Safety
/// As for [`run`]; `address` is the instance's.
unsafe fn start(
    began: Began<'_>,
    table: &'static AsyncExtension,
    address: *mut c_void,
    index: u32,
    header: &mut CallHeader,
    streams: bool,
    response: *mut Response,
) -> (StatusCode, Op) {
    let Began {
        submission,
        deadline,
        to,
    } = began;
    let begun = life::begin(Begin {
        instance: submission.handle,
        entry: submission.entry,
        plugin: Some(table),
        teller: to.teller(),
        user_data: submission.user_data,
        deadline,
        demand: submission.demand,
        blocking: false,
        streams,
    });
    let (node, op) = match begun {
        Ok(begun) => begun,
        // SAFETY: the caller's promise about the response.
        Err(error) => return (unsafe { write_error(&error, response) }, 0),
    };
    header.op = op;
    header.cancelled = node.cancelled.as_ptr();
    let mut task = ptr::null_mut();
    let status = match table.start {
        // SAFETY: we are inside, the header lives until this returns and what it points to is the caller's promise, as are
        // request and response.
        Some(start) => unsafe {
            start(
                address,
                index,
                header,
                submission.request,
                submission.request_len,
                response,
                &mut task,
            )
        },
        None => Status::Unimplemented.code(),
    };
    if status != RB_PENDING {
        life::ended_at_once(node);
        return (status, 0);
    }
    life::started(node, task);
    if let To::Queue(queue, number) = to
        && !queue.is_open(number)
    {
        // Closed meanwhile. It's detached by whoever sees the other first, or both.
        let _ = caller::detach(op);
    }
    (status, op)
}
