//! What a call carries beside its request, for as long as whoever serves it needs it.

use std::time::{Duration, Instant};

use rustbridge_abi::{self as abi, CallHeader, RB_HEADER_TIMEOUT, Status};

use crate::Error;

/// What a task keeps of its call's header.
pub(crate) struct Context {
    op: abi::Op,
    deadline: Option<Instant>,
}

impl Context {
    /// # Safety
    /// `header` is null or a header by the rules of [`CallHeader`].
    pub(crate) unsafe fn copy(header: *const CallHeader) -> Option<Context> {
        if header.is_null() {
            return None;
        }
        // SAFETY: not null, and as long as it says.
        let header = unsafe { abi::read(header) }.ok()?;
        let left = (header.flags & RB_HEADER_TIMEOUT != 0)
            .then(|| Duration::from_nanos(header.timeout_ns));
        Some(Context {
            op: header.op,
            deadline: left.and_then(|left| Instant::now().checked_add(left)),
        })
    }

    pub(crate) fn op(&self) -> abi::Op {
        self.op
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

/// The error of a call that ends early.
#[cold]
pub(crate) fn ended(status: Status) -> Error {
    match status {
        Status::DeadlineExceeded => {
            Error::new(status, "the call's time is over").with_type("rustbridge.DeadlineExceeded")
        }
        Status::Cancelled => {
            Error::new(status, "the call was cancelled").with_type("rustbridge.Cancelled")
        }
        other => Error::new(other, "the host ended the call").with_type("rustbridge.Cancelled"),
    }
}
