//! Service calls that nobody waits for on a thread, and whose time is over: they end all the same.

use std::time::{Duration, Instant};

use rustbridge_abi::Status;

use super::deferred;
use super::gate;
use crate::async_call::timer::{self, TimerHandle};
use crate::error::Error;

/// Ends a call when its time is over, unless the result is dropped before.
pub(super) fn end_after(time: Duration, number: u64) -> Option<TimerHandle> {
    timer::at(Instant::now().checked_add(time)?, expire, number)
}

/// Has the host be told on the core's thread that a call of this number is over.
pub(super) fn tell(number: u64) {
    match timer::at(Instant::now(), deferred::tell_over, number) {
        // It's done once, and never taken back.
        Some(armed) => std::mem::forget(armed),
        None => deferred::forget(number),
    }
}

/// What is said in place of an answer.
#[cold]
pub(super) fn over(service: &str) -> Error {
    Error::new(
        Status::DeadlineExceeded,
        "DeadlineExceeded",
        format!("{service} hasn't answered before the deadline of its call"),
    )
}

fn expire(number: u64) {
    let Ok(pending) = deferred::find_deferred(number) else {
        return;
    };
    // One whose instance has ended needs nothing, nor one that is over.
    let _ = gate::within(pending.handle, pending.service, u32::MAX, |inside| {
        let service = inside.services.name_of(pending.service);
        let why = over(&service);
        // SAFETY: inside, so the instance is alive.
        let _ = unsafe { pending.cancel(why) };
    });
}
