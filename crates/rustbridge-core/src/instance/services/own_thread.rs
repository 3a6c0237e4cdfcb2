//! Functions of the host's that may block, where the plugin doesn't wait for the answer on its thread: they run on threads of the core's.
//! So neither the thread that has begun a call is kept, an event loop's for one, nor the plugin's runtime.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Instant;

use rustbridge_abi::{
    CallContext, Op, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_PENDING, Response, Status,
    StatusCode, Text,
};

use super::deferred::{Answer, Pending};
use super::gate;
use super::registered::{RegisteredService, ServiceCall, Services};
use crate::async_call::threads::Job;
use crate::current_call::CurrentCall;
use crate::error::Error;
use crate::registry::table::Handle;
use crate::response::{Offer, bytes_of, release};

/// A call with copies of all that the plugin lent.
pub(crate) struct ThreadedCall {
    handle: Handle,
    number: u32,
    pending: Arc<Pending>,
    /// How deep the thread was that asked.
    depth: u32,
    request: Vec<u8>,
    op: Op,
    /// Its pointers are null, except the one to an operation's flag, which is never freed.
    header: Option<CallContext>,
    trace_state: Vec<u8>,
    metadata: Vec<u8>,
    until: Option<Instant>,
}

// SAFETY: the header has no pointers but that to an operation's flag, which is for any thread.
unsafe impl Send for ThreadedCall {}

/// Has a thread of the core's call the function. From here on the call is one that's answered later.
///
/// # Safety
/// What the header points to is readable.
pub(super) unsafe fn run_on_thread(
    services: &Services,
    service: &RegisteredService,
    call: &ServiceCall<'_>,
) -> Result<(), Error> {
    let pending = call.begin(0)?;
    let (mut trace_state, mut metadata) = (Vec::new(), Vec::new());
    let header = call.header.map(|header| {
        let state = header.trace_state;
        // SAFETY: the caller's promise.
        unsafe {
            trace_state = copied(state.data.cast(), state.len);
            metadata = copied(header.metadata, header.metadata_len);
        }
        CallContext {
            trace_state: Text::empty(),
            metadata: std::ptr::null(),
            ..*header
        }
    });
    let apart = Box::new(ThreadedCall {
        handle: call.handle,
        number: call.number,
        pending: Arc::clone(pending),
        depth: gate::depth().saturating_sub(1),
        request: call.request.to_vec(),
        op: call.op,
        header,
        trace_state,
        metadata,
        until: call
            .timeout()
            .and_then(|timeout| Instant::now().checked_add(timeout)),
    });
    services.apart.begin(apart).map_err(|_| {
        pending.withdraw();
        no_thread(&service.name)
    })
}

#[cold]
fn no_thread(service: &str) -> Error {
    Error::new(
        Status::ResourceExhausted,
        "NoThread",
        format!(
            "the system can't create a thread for service `{service}`: allow the process more threads or, if its function doesn't block, register it as a short one"
        ),
    )
}

/// # Safety
/// `data` is null or readable for `len` bytes.
unsafe fn copied(data: *const u8, len: usize) -> Vec<u8> {
    if data.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, len) }.to_vec()
}

impl Job for ThreadedCall {
    fn run(self: Box<ThreadedCall>) {
        // Once the gate is shut the calls have ended, and what waits goes with the services.
        let _ = gate::within_for(self.depth, self.handle, self.number, |inside| {
            if let Some(service) = inside.services.list.get(self.number as usize) {
                self.answer(inside.services, service);
            }
            inside.services.apart.over();
        });
    }

    fn refuse(self: Box<ThreadedCall>) {
        let _ = gate::within_for(self.depth, self.handle, self.number, |inside| {
            if let Some(service) = inside.services.list.get(self.number as usize) {
                // SAFETY: inside, so the instance is alive. One that is over by now needs nothing.
                let _ = unsafe { self.pending.end(no_thread(&service.name).into()) };
            }
        });
    }
}

impl ThreadedCall {
    /// The calling thread is inside the gate.
    fn answer(&self, services: &Services, service: &RegisteredService) {
        if self.pending.is_over() {
            return;
        }
        let header = self.header();
        let seen = ServiceCall {
            services,
            handle: self.handle,
            number: self.number,
            header: header.as_ref(),
            op: self.op,
            request: &self.request,
            pending: OnceCell::from(Arc::clone(&self.pending)),
            waits: false,
        };
        let mut storage = [0_u8; 512];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), storage.len());
        // SAFETY: a response of ours.
        let offer = unsafe { Offer::of(&raw mut response) };
        let mut call = || service.service.call(&seen, &raw mut response);
        // What the function calls has the deadline and the trace of the call that it's called for, as on the thread that has asked.
        let status = match &header {
            Some(header) if header.flags & (RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE) != 0 => {
                let header = CallContext { op: 0, ..*header };
                CurrentCall::inheriting(self.handle, &header).during(call)
            }
            _ => call(),
        };
        if let Some(answer) = self.answered(service, status, &mut response, offer) {
            // SAFETY: inside, so the instance is alive. One that is over by now needs nothing.
            let _ = unsafe { self.pending.end(answer) };
        }
    }

    /// What the function has answered; nothing if it answers later.
    fn answered(
        &self,
        service: &RegisteredService,
        status: StatusCode,
        response: &mut Response,
        offer: Offer,
    ) -> Option<Answer> {
        if status == RB_PENDING {
            return (!self.pending.is_known()).then(|| super::refusal::no_number(service).into());
        }
        if !offer.is_kept(response) {
            let error = offer.broken("response", response, &format!("service `{}`", service.name));
            return Some(error.into());
        }
        offer.restore(response);
        // SAFETY: looked at, read before it's released, and that once.
        let payload = unsafe {
            let payload = bytes_of(response).to_vec();
            release(response);
            payload
        };
        Some(Answer {
            status: Status::from_code(status).code(),
            payload,
        })
    }

    /// The header as it is now.
    fn header(&self) -> Option<CallContext> {
        let mut header = self.header?;
        header.trace_state = Text {
            data: self.trace_state.as_ptr().cast(),
            len: self.trace_state.len(),
        };
        if !self.metadata.is_empty() {
            header.metadata = self.metadata.as_ptr();
        }
        if let Some(until) = self.until {
            let left = until.saturating_duration_since(Instant::now());
            header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        }
        Some(header)
    }
}
