//! What a service sees beside its request: what the plugin says, and what it inherits from the call that it's asked for.

use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use rustbridge_abi::{
    CallContext, Op, RB_CONTEXT_HEADERS, RB_CONTEXT_TIMEOUT, RB_METADATA_LIMIT, Status,
};

use super::registered::RegisteredService;
use crate::async_call::node_pool;
use crate::current_call::CurrentCall;
use crate::error::Error;
use crate::registry::table::Handle;

/// A header that says nothing but the host's number.
#[cold]
pub(super) fn numbered(number: Op) -> CallContext {
    CallContext {
        op: number,
        ..CallContext::EMPTY
    }
}

/// What a service sees of what the plugin says: nothing of objects, no place for trailers, and in `op` the host's own number for the call
/// that it's for. And the operation that it's for, or 0.
///
/// # Safety
/// `header` is as long as it says and what it points to is readable.
#[cold]
pub(super) unsafe fn context(
    header: *const CallContext,
    handle: Handle,
    service: &RegisteredService,
) -> Result<(CallContext, Op), Error> {
    let refuse = |why: String| {
        Error::new(
            Status::InvalidArgument,
            "InvalidContext",
            format!(
                "the call context of a call of service `{}` {why}",
                service.name
            ),
        )
    };
    if !header.is_aligned() {
        return Err(refuse(
            "isn't aligned to 8 bytes: pass the address of a struct".to_owned(),
        ));
    }
    // SAFETY: aligned, and as long as it says.
    let mut said = unsafe { rustbridge_abi::read(header) }
        .map_err(|size| refuse(format!("is {size} bytes long: set `size` to its sizeof")))?;
    let state = said.trace_state;
    if state.len > RB_METADATA_LIMIT || (state.data.is_null() && state.len != 0) {
        return Err(refuse(format!(
            "has a trace state of {} bytes, expected up to {RB_METADATA_LIMIT} at an address that isn't null",
            state.len
        )));
    }
    if said.metadata_len > RB_METADATA_LIMIT || (said.metadata.is_null() && said.metadata_len != 0)
    {
        return Err(refuse(format!(
            "has {} bytes of metadata, expected up to {RB_METADATA_LIMIT} at an address that isn't null",
            said.metadata_len
        )));
    }
    let asked_for = inherit(&mut said, handle);
    let (cancelled, number) = match asked_for {
        Some((cancelled, number)) => (Some(cancelled), number),
        // Without an operation the plugin works for a blocking call, which this thread is in. An operation that has ended has no number.
        None if said.op == 0 => (None, CurrentCall::number_for_service(handle)),
        None => (None, 0),
    };
    if cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed) != 0) {
        return Err(Error::new(
            Status::Cancelled,
            "Cancelled",
            format!(
                "the call for which service `{}` is called was cancelled before",
                service.name
            ),
        ));
    }
    if said.flags & RB_CONTEXT_TIMEOUT != 0 && said.timeout_ns == 0 {
        return Err(Error::new(
            Status::DeadlineExceeded,
            "DeadlineExceeded",
            format!(
                "the deadline passed before service `{}` was called",
                service.name
            ),
        ));
    }
    let op = cancelled.map_or(0, |_| said.op);
    let seen = CallContext {
        // A plugin may pass on what it was given, and nothing comes back before a service's answer.
        flags: said.flags & !RB_CONTEXT_HEADERS,
        timeout_ns: said.timeout_ns,
        op: number,
        cancelled: cancelled.map_or(ptr::null(), |flag| ptr::from_ref(flag).cast()),
        trace_id: said.trace_id,
        span_id: said.span_id,
        trace_flags: said.trace_flags,
        trace_state: said.trace_state,
        metadata: said.metadata,
        metadata_len: said.metadata_len,
        ..CallContext::EMPTY
    };
    Ok((seen, op))
}

/// Takes over what the operation has for which the call is made: the sooner of both ends of time, the flag that says whether it was
/// cancelled, and the host's number for it. One that's over by now, or another instance's, has nothing.
fn inherit(said: &mut CallContext, handle: Handle) -> Option<(&'static AtomicU32, Op)> {
    if said.op == 0 {
        return None;
    }
    let (node, state) = node_pool::find_call(said.op).ok()?;
    if state.info.instance != handle {
        return None;
    }
    let (deadline, number) = (state.info.deadline, state.info.host_number);
    drop(state);
    if let Some(deadline) = deadline {
        let left = deadline
            .saturating_duration_since(Instant::now())
            .as_nanos();
        let left = u64::try_from(left).unwrap_or(u64::MAX);
        if said.flags & RB_CONTEXT_TIMEOUT == 0 || left < said.timeout_ns {
            said.flags |= RB_CONTEXT_TIMEOUT;
            said.timeout_ns = left;
        }
    }
    Some((&node.cancelled, number))
}
