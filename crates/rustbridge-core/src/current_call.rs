//! What the call carries that a thread is in: for a plugin that asks, and for calls inside it, which inherit it.

use std::cell::Cell as LocalCell;
use std::ptr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    CallContext, Op, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_INVALID_ARGUMENT, RB_NOT_FOUND,
    RB_OK, Status, StatusCode,
};

use crate::error::Error;
use crate::registry::guard::ThreadSlot;
use crate::registry::table::Handle;
use crate::registry::thread_slots;

/// What a call carries that others on its thread may see.
///
/// Invariant: the text of `trace_state` is readable as long as this value is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurrentCall {
    pub(crate) deadline: Option<Instant>,
    /// When this was found out, if the clock was looked at.
    now: Option<Instant>,
    /// Only the fields of the trace and its flag count.
    pub(crate) trace: CallContext,
    /// The host's number for the call, or 0: its services find it in their header's `op`. Calls inside it don't inherit it.
    pub(crate) number: Op,
    /// The instance that is called.
    instance: Handle,
    /// How many service calls the thread was in when the call was made.
    depth: u32,
}

thread_local! {
    // Of each thread of this copy of the library that has no cell for it, since it's ending: what its cell has otherwise.
    static WITHOUT_CELL: LocalCell<*const CurrentCall> = const { LocalCell::new(ptr::null()) };
}

/// What the innermost call carries that this thread is in, among those that carry anything. It lives as long as it's here: who
/// sets it takes it back.
fn current_in(cell: Option<&ThreadSlot>) -> *const CurrentCall {
    match cell {
        Some(cell) => cell.carried.load(Ordering::Relaxed).cast(),
        None => WITHOUT_CELL.get(),
    }
}

fn set_current(cell: Option<&ThreadSlot>, carried: *const CurrentCall) {
    match cell {
        Some(cell) => cell
            .carried
            .store(carried.cast_mut().cast(), Ordering::Relaxed),
        None => WITHOUT_CELL.set(carried),
    }
}

/// How many service calls this thread is in.
fn depth() -> u32 {
    thread_slots::existing().map_or(0, |cell| cell.upcalls.load(Ordering::Relaxed))
}

/// Puts back what was there before.
struct RestoreGuard(Option<&'static ThreadSlot>, *const CurrentCall);

impl Drop for RestoreGuard {
    fn drop(&mut self) {
        set_current(self.0, self.1);
    }
}

impl CurrentCall {
    /// Whether a header says anything of it, or the call does that this thread is in.
    #[inline(always)]
    pub(crate) fn is_any(header: &CallContext) -> bool {
        header.flags & (RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE) != 0
            || header.op != 0
            || !current_in(thread_slots::existing()).is_null()
    }

    /// What a header says, and what the call that this thread is in leaves to it: the smaller time, and the trace if it has none
    /// of its own.
    pub(crate) fn inheriting(instance: Handle, header: &CallContext) -> CurrentCall {
        // SAFETY: null, or alive while it's there, which is until further up on this thread's own stack somebody returns.
        let outer = unsafe { current_in(thread_slots::existing()).as_ref() };
        CurrentCall::within(outer, instance, header)
    }

    fn within(outer: Option<&CurrentCall>, instance: Handle, header: &CallContext) -> CurrentCall {
        let time = Duration::from_nanos(header.timeout_ns);
        let has_time = header.flags & RB_CONTEXT_TIMEOUT != 0;
        let outer_deadline = outer.and_then(|outer| outer.deadline);
        let now = (has_time || outer_deadline.is_some()).then(Instant::now);
        // A time that no clock can show is none.
        let own = now
            .filter(|_| has_time)
            .and_then(|now| now.checked_add(time));
        CurrentCall {
            deadline: match (own, outer_deadline) {
                (Some(own), Some(outer)) => Some(own.min(outer)),
                (own, outer) => own.or(outer),
            },
            now,
            trace: match outer {
                Some(outer) if header.flags & RB_CONTEXT_TRACE == 0 => outer.trace,
                _ => *header,
            },
            number: header.op,
            instance,
            depth: depth(),
        }
    }

    /// Whether there was time left to begin it when this was found out.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_at(self.now)
    }

    /// Whether there's time left to begin it now.
    pub(crate) fn check_again(&self) -> Result<(), Error> {
        self.check_at(self.deadline.map(|_| Instant::now()))
    }

    fn check_at(&self, now: Option<Instant>) -> Result<(), Error> {
        match (self.deadline, now) {
            (Some(deadline), Some(now)) if deadline <= now => Err(late()),
            _ => Ok(()),
        }
    }

    /// What the calling thread's call carries, if anything.
    pub(crate) fn current() -> Option<CurrentCall> {
        // SAFETY: null, or alive while it's there, which is until further up on this thread's own stack somebody returns.
        unsafe { current_in(thread_slots::existing()).as_ref() }.copied()
    }

    /// The host's number for the call of an instance that a service is called for on this thread, or 0. A call inside a service, or of
    /// another instance, that carries nothing isn't here, and the one around it is.
    pub(crate) fn number_for_service(instance: Handle) -> Op {
        // SAFETY: null, or alive while it's there, which is until further up on this thread's own stack somebody returns.
        let current = unsafe { current_in(thread_slots::existing()).as_ref() };
        current.map_or(0, |carried| {
            if carried.instance == instance && carried.depth + 1 == depth() {
                carried.number
            } else {
                0
            }
        })
    }

    /// The trace's id and that of the caller's span.
    pub(crate) fn trace_ids(&self) -> Option<([u8; 16], [u8; 8])> {
        (self.trace.flags & RB_CONTEXT_TRACE != 0)
            .then_some((self.trace.trace_id, self.trace.span_id))
    }

    /// Says that this thread makes the call, in place of the one that began it.
    pub(crate) fn move_here(&mut self) {
        self.depth = depth();
    }

    /// Runs what is part of the call.
    pub(crate) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        // Made if there's none, so that those inside look at the same one.
        let cell = thread_slots::existing().or_else(thread_slots::own);
        let _restored = RestoreGuard(cell, current_in(cell));
        set_current(cell, self);
        work()
    }

    /// As a header says it to who is called right away: how much time is left, and the trace.
    pub(crate) fn header(&self) -> CallContext {
        self.header_at(self.now)
    }

    /// As a header says it now.
    pub(crate) fn header_again(&self) -> CallContext {
        self.header_at(self.deadline.map(|_| Instant::now()))
    }

    fn header_at(&self, now: Option<Instant>) -> CallContext {
        let mut header = CallContext::EMPTY;
        if let (Some(deadline), Some(now)) = (self.deadline, now) {
            let left = deadline.saturating_duration_since(now);
            header.flags |= RB_CONTEXT_TIMEOUT;
            header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        }
        if self.trace.flags & RB_CONTEXT_TRACE != 0 {
            header.flags |= RB_CONTEXT_TRACE;
            header.trace_id = self.trace.trace_id;
            header.span_id = self.trace.span_id;
            header.trace_flags = self.trace.trace_flags;
            header.trace_state = self.trace.trace_state;
        }
        header
    }
}

#[cold]
fn late() -> Error {
    Error::new(
        Status::DeadlineExceeded,
        "DeadlineExceeded",
        "the deadline passed before the call started: allow more time, or find out where the time was spent",
    )
}

/// [`CallHost::current`](rustbridge_abi::CallHost::current).
pub(crate) unsafe extern "C" fn current(header: *mut CallContext) -> StatusCode {
    let Some(carried) = CurrentCall::current() else {
        return RB_NOT_FOUND;
    };
    if header.is_null() || !header.is_aligned() {
        return RB_INVALID_ARGUMENT;
    }
    // SAFETY: not null, and as long as it says, by the ABI.
    match unsafe { rustbridge_abi::write(header, &carried.header_again()) } {
        Ok(()) => RB_OK,
        Err(_) => RB_INVALID_ARGUMENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSTANCE: Handle = 5;

    fn timed(nanoseconds: u64) -> CallContext {
        CallContext {
            flags: RB_CONTEXT_TIMEOUT,
            timeout_ns: nanoseconds,
            ..CallContext::EMPTY
        }
    }

    #[test]
    fn a_call_inside_another_has_the_smaller_time_and_its_trace_unless_it_has_one() {
        let traced = CallContext {
            flags: RB_CONTEXT_TRACE,
            trace_id: [1; 16],
            span_id: [2; 8],
            ..CallContext::EMPTY
        };
        let hour = 3_600_000_000_000;
        assert!(CurrentCall::current().is_none());
        let outer = CurrentCall::inheriting(
            INSTANCE,
            &CallContext {
                flags: RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE,
                timeout_ns: hour,
                ..traced
            },
        );
        outer.during(|| {
            let inner = CurrentCall::inheriting(INSTANCE, &CallContext::EMPTY);
            assert_eq!(inner.deadline, outer.deadline);
            assert_eq!(inner.header().trace_id, [1; 16]);
            let shorter = CurrentCall::inheriting(INSTANCE, &timed(hour / 2));
            assert!(shorter.deadline < outer.deadline);
            assert_eq!(
                CurrentCall::inheriting(INSTANCE, &timed(hour * 2)).deadline,
                outer.deadline
            );
            let other = CallContext {
                trace_id: [9; 16],
                ..traced
            };
            assert_eq!(
                CurrentCall::inheriting(INSTANCE, &other).header().trace_id,
                [9; 16]
            );
        });
        assert!(CurrentCall::current().is_none());
    }

    #[test]
    fn only_a_service_of_the_called_instance_has_the_calls_number() {
        let header = CallContext {
            op: 7,
            ..CallContext::EMPTY
        };
        CurrentCall::inheriting(INSTANCE, &header).during(|| {
            let upcalls = &thread_slots::existing().unwrap().upcalls;
            // In a service.
            upcalls.store(1, Ordering::Relaxed);
            assert_eq!(CurrentCall::number_for_service(INSTANCE), 7);
            // The plugin is a host in turn, and has called a plugin of its own with nothing but a request.
            assert_eq!(CurrentCall::number_for_service(INSTANCE + 1), 0);
            // Of a call inside the service.
            upcalls.store(2, Ordering::Relaxed);
            assert_eq!(CurrentCall::number_for_service(INSTANCE), 0);
            upcalls.store(0, Ordering::Relaxed);
        });
    }

    #[test]
    fn a_plugin_is_told_as_much_as_it_has_room_for() {
        let mut header = CallContext::EMPTY;
        // SAFETY: a header of ours, or null, or one that says less.
        unsafe {
            assert_eq!(current(&raw mut header), RB_NOT_FOUND);
            CurrentCall::inheriting(INSTANCE, &timed(u64::MAX)).during(|| {
                assert_eq!(current(&raw mut header), RB_OK);
                assert_eq!(current(ptr::null_mut()), RB_INVALID_ARGUMENT);
                header.size = 8;
                assert_eq!(current(&raw mut header), RB_INVALID_ARGUMENT);
            });
        }
        assert!(header.flags == RB_CONTEXT_TIMEOUT && header.timeout_ns > 0);
    }
}
