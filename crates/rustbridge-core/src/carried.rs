//! What the call carries that a thread is in: for a plugin that asks, and for calls inside it, which inherit it.

use std::cell::Cell;
use std::ptr;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    CallHeader, CallHost, RB_HEADER_TIMEOUT, RB_HEADER_TRACE, RB_INVALID_ARGUMENT, RB_NOT_FOUND,
    RB_OK, Status, StatusCode, Text,
};

use crate::error::Error;

/// What a call carries that others on its thread may see.
///
/// Invariant: the text of `trace_state` is readable as long as this value is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    pub(crate) deadline: Option<Instant>,
    /// Only the fields of the trace and its flag count.
    pub(crate) trace: CallHeader,
}

thread_local! {
    // Of each thread of this copy of the library: what the innermost call carries that it's in, among those that carry
    // anything. It lives as long as it's here: who sets it takes it back.
    static CURRENT: Cell<*const Carried> = const { Cell::new(ptr::null()) };
}

/// Puts back what was there before.
struct Restored(*const Carried);

impl Drop for Restored {
    fn drop(&mut self) {
        let _ = CURRENT.try_with(|current| current.set(self.0));
    }
}

impl Carried {
    /// What a header says, and what the call that this thread is in leaves to it: the smaller time, and the trace if it has none
    /// of its own.
    pub(crate) fn inheriting(header: &CallHeader) -> Carried {
        let time = Duration::from_nanos(header.timeout_ns);
        let own = (header.flags & RB_HEADER_TIMEOUT != 0)
            // A time that no clock can show is none.
            .then(|| Instant::now().checked_add(time))
            .flatten();
        let carried = Carried {
            deadline: own,
            trace: *header,
        };
        match Carried::current() {
            None => carried,
            Some(outer) => Carried {
                deadline: match (own, outer.deadline) {
                    (Some(own), Some(outer)) => Some(own.min(outer)),
                    (own, outer) => own.or(outer),
                },
                trace: if header.flags & RB_HEADER_TRACE == 0 {
                    outer.trace
                } else {
                    *header
                },
            },
        }
    }

    /// Whether there's time left to begin it.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.deadline {
            Some(deadline) if deadline <= Instant::now() => Err(Error::new(
                Status::DeadlineExceeded,
                "DeadlineExceeded",
                "the call's time was over before it began: give it more, or find out where it went",
            )),
            _ => Ok(()),
        }
    }

    /// What the calling thread's call carries, if anything.
    pub(crate) fn current() -> Option<Carried> {
        let current = CURRENT.try_with(Cell::get).unwrap_or(ptr::null());
        // SAFETY: null, or alive while it's there, which is until further up on this thread's own stack somebody returns.
        unsafe { current.as_ref() }.copied()
    }

    /// The trace's id and that of the caller's span.
    pub(crate) fn trace_ids(&self) -> Option<([u8; 16], [u8; 8])> {
        (self.trace.flags & RB_HEADER_TRACE != 0)
            .then_some((self.trace.trace_id, self.trace.span_id))
    }

    /// Runs what is part of the call.
    pub(crate) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = CURRENT
            .try_with(|current| current.replace(self))
            .unwrap_or(ptr::null());
        let _restored = Restored(before);
        work()
    }

    /// As a header says it: how much time is left now, and the trace.
    pub(crate) fn header(&self) -> CallHeader {
        let mut header = CallHeader::EMPTY;
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            header.flags |= RB_HEADER_TIMEOUT;
            header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        }
        if self.trace.flags & RB_HEADER_TRACE != 0 {
            header.flags |= RB_HEADER_TRACE;
            header.trace_id = self.trace.trace_id;
            header.span_id = self.trace.span_id;
            header.trace_flags = self.trace.trace_flags;
            header.trace_state = self.trace.trace_state;
        } else {
            header.trace_state = Text::empty();
        }
        header
    }
}

/// The table of `rb.call/1`. Immutable.
pub(crate) static TABLE: CallHost = CallHost {
    current: Some(current),
    ..CallHost::EMPTY
};

/// [`CallHost::current`].
unsafe extern "C" fn current(header: *mut CallHeader) -> StatusCode {
    let Some(carried) = Carried::current() else {
        return RB_NOT_FOUND;
    };
    if header.is_null() || !header.is_aligned() {
        return RB_INVALID_ARGUMENT;
    }
    // SAFETY: not null, and as long as it says, by the ABI.
    match unsafe { rustbridge_abi::write(header, &carried.header()) } {
        Ok(()) => RB_OK,
        Err(_) => RB_INVALID_ARGUMENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(nanoseconds: u64) -> CallHeader {
        CallHeader {
            flags: RB_HEADER_TIMEOUT,
            timeout_ns: nanoseconds,
            ..CallHeader::EMPTY
        }
    }

    #[test]
    fn a_call_inside_another_has_the_smaller_time_and_its_trace_unless_it_has_one() {
        let traced = CallHeader {
            flags: RB_HEADER_TRACE,
            trace_id: [1; 16],
            span_id: [2; 8],
            ..CallHeader::EMPTY
        };
        let hour = 3_600_000_000_000;
        assert!(Carried::current().is_none());
        let outer = Carried::inheriting(&CallHeader {
            flags: RB_HEADER_TIMEOUT | RB_HEADER_TRACE,
            timeout_ns: hour,
            ..traced
        });
        outer.during(|| {
            let inner = Carried::inheriting(&CallHeader::EMPTY);
            assert_eq!(inner.deadline, outer.deadline);
            assert_eq!(inner.header().trace_id, [1; 16]);
            let shorter = Carried::inheriting(&timed(hour / 2));
            assert!(shorter.deadline < outer.deadline);
            assert_eq!(
                Carried::inheriting(&timed(hour * 2)).deadline,
                outer.deadline
            );
            let other = CallHeader {
                trace_id: [9; 16],
                ..traced
            };
            assert_eq!(Carried::inheriting(&other).header().trace_id, [9; 16]);
        });
        assert!(Carried::current().is_none());
    }

    #[test]
    fn a_plugin_is_told_as_much_as_it_has_room_for() {
        let mut header = CallHeader::EMPTY;
        // SAFETY: a header of ours, or null, or one that says less.
        unsafe {
            assert_eq!(current(&raw mut header), RB_NOT_FOUND);
            Carried::inheriting(&timed(u64::MAX)).during(|| {
                assert_eq!(current(&raw mut header), RB_OK);
                assert_eq!(current(ptr::null_mut()), RB_INVALID_ARGUMENT);
                header.size = 8;
                assert_eq!(current(&raw mut header), RB_INVALID_ARGUMENT);
            });
        }
        assert!(header.flags == RB_HEADER_TIMEOUT && header.timeout_ns > 0);
    }
}
