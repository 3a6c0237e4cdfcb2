//! Services that go to a queue: a call is an event there, and who drains it answers by the call's number.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustbridge_abi::{Encoding, Op, RB_PENDING, Response, Status, StatusCode};

use super::deferred::{self, CancelListener, Pending};
use super::gate;
use super::refusal::cancelled;
use super::registered::{RawService, RegisteredService, ServiceCall};
use crate::async_call::caller;
use crate::async_call::event::FetchResult;
use crate::async_call::event::{Event, EventKind};
use crate::async_call::queue::{News, Queue};
use crate::async_call::queue_table;
use crate::async_call::service_request::ServiceRequest;
use crate::error::Error;
use crate::registry::table::Handle;
use crate::response::{Offer, write_error};

/// What the host has in `user_data`: kept until no event that isn't fetched has it.
pub(crate) type Owner = Arc<dyn Any + Send + Sync>;

/// A service that goes to a queue.
struct QueuedService {
    queue: u64,
    user_data: u64,
    owner: Owner,
    /// What is asked first, on the plugin's thread, and answers what it can there.
    first: Option<Arc<dyn RawService>>,
}

/// Registers a service that goes to a queue, whose events have this `user_data`, unless `first` has answered.
pub(crate) fn registered(
    name: String,
    encoding: Encoding,
    queue: u64,
    user_data: u64,
    owner: Owner,
    first: Option<Arc<dyn RawService>>,
) -> RegisteredService {
    let queued = QueuedService {
        queue,
        user_data,
        owner,
        first,
    };
    RegisteredService::queued(name, encoding, queue, Arc::new(queued))
}

impl QueuedService {
    fn put(&self, call: &ServiceCall<'_>) -> Result<(), Error> {
        let queue: &'static Queue =
            queue_table::find_queue(self.queue).map_err(|_| closed(&named(call.name())))?;
        if call.waits && queue.is_drained_here(self.queue) {
            return Err(for_itself(call.name()));
        }
        let pending = call.begin(self.queue)?;
        let news = Call {
            pending: Arc::clone(pending),
            user_data: self.user_data,
            _owner: Arc::clone(&self.owner),
            // SAFETY: what the header points to was checked as far as can be, and is readable by the ABI.
            asked: Some(unsafe { ServiceRequest::copy_of(call.request(), call.header()) }),
            until: call
                .timeout()
                .and_then(|timeout| Instant::now().checked_add(timeout)),
            op: call.op,
        };
        queue
            .put(self.queue, Box::new(news))
            .map_err(|_| closed(&named(call.name())))
    }
}

// SAFETY: the response is written by this crate.
unsafe impl RawService for QueuedService {
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        if let Some(first) = &self.first {
            // SAFETY: the plugin's response, of which the caller has made sure.
            let offer = unsafe { Offer::of(response) };
            let status = first.call(call, response);
            if status != RB_PENDING || call.pending.get().is_some() {
                return status;
            }
            // SAFETY: as above; a first one that left the call and has written all the same isn't believed.
            unsafe { *response = offer.response() };
        }
        match self.put(call) {
            Ok(()) => RB_PENDING,
            // SAFETY: the plugin's response, of which the caller has made sure.
            Err(error) => unsafe { write_error(&error, response) },
        }
    }
}

impl CancelListener for QueuedService {
    fn cancelled(&self, instance: Handle, call: u64) {
        let news = CancelledCall {
            call,
            instance,
            user_data: self.user_data,
            _owner: Arc::clone(&self.owner),
        };
        // One that's closed tells nothing.
        let _ =
            queue_table::find_queue(self.queue).map(|queue| queue.put(self.queue, Box::new(news)));
    }
}

/// A call that the host is to be told of.
struct Call {
    pending: Arc<Pending>,
    user_data: u64,
    _owner: Owner,
    asked: Option<ServiceRequest>,
    /// When its time is over.
    until: Option<Instant>,
    /// The operation that it's for, or 0.
    op: Op,
}

impl Call {
    fn event(&mut self, room: usize) -> Option<FetchResult> {
        if self.pending.is_over() {
            return None;
        }
        if self.op != 0 && caller::is_cancelled(self.op) {
            // Who asks gives it up, but may not have got to that yet.
            end_call(&self.pending, cancelled);
            return None;
        }
        let left = self
            .until
            .map(|until| until.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            end_call(&self.pending, |service| {
                Error::new(
                    Status::DeadlineExceeded,
                    "DeadlineExceeded",
                    format!("the deadline passed before {service} was received from its queue"),
                )
            });
            return None;
        }
        let asked = self.asked.as_mut()?;
        if asked.size() > room {
            return Some(FetchResult::TooLarge);
        }
        if let Some(left) = left {
            asked.set_left(left);
        }
        if !self.pending.make_known() {
            return None;
        }
        Some(FetchResult::Event {
            event: Event {
                op: self.pending.number,
                user_data: self.user_data,
                instance: self.pending.handle,
                kind: EventKind::Service {
                    asked: self.asked.take()?,
                },
            },
            has_more: false,
        })
    }
}

impl News for Call {
    fn fetch(&mut self, room: usize) -> FetchResult {
        self.event(room).unwrap_or(FetchResult::Nothing)
    }
}

/// A call whose answer nobody waits for any more.
struct CancelledCall {
    call: u64,
    user_data: u64,
    instance: Handle,
    _owner: Owner,
}

impl News for CancelledCall {
    fn fetch(&mut self, _: usize) -> FetchResult {
        FetchResult::Event {
            event: Event {
                op: self.call,
                user_data: self.user_data,
                instance: self.instance,
                kind: EventKind::ServiceCancel,
            },
            has_more: false,
        }
    }
}

/// Ends the calls that a queue tells of, once that was closed.
pub(crate) fn closed_queue(queue: u64) {
    for pending in deferred::in_queue(queue) {
        end_call(&pending, closed);
    }
}

/// Ends a call with an error that names its service.
fn end_call(pending: &Pending, why: impl FnOnce(&str) -> Error) {
    // One whose instance has ended needs nothing, nor one that is over.
    let _ = gate::within(pending.handle, pending.service, u32::MAX, |inside| {
        let why = why(&inside.services.name_of(pending.service));
        // SAFETY: inside, so the instance is alive.
        let _ = unsafe { pending.end(why.into()) };
    });
}

fn named(name: &str) -> String {
    format!("service {name}")
}

#[cold]
fn closed(service: &str) -> Error {
    Error::new(
        Status::Unavailable,
        "QueueClosed",
        format!("{service} isn't answered: its queue was closed"),
    )
}

#[cold]
fn for_itself(name: &str) -> Error {
    Error::new(
        Status::FailedPrecondition,
        "WaitsForItself",
        format!(
            "service `{name}` uses a queue that this thread polls, so the thread would wait for itself: call the plugin from another thread, or the service asynchronously"
        ),
    )
}
