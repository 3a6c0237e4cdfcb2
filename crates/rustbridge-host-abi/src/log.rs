//! Changing an instance's log level and sink, and waiting for its records.

use rustbridge_abi::{LevelCode, Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary;
use crate::lifecycle::duration;
use crate::load::Instance;
use crate::sink::{ForeignSink, LogSink};

/// Sets the level up to which records of an instance are wanted, `RB_LOG_OFF` to `RB_LOG_TRACE`. Takes effect at once.
///
/// Thread: any. State: active, poisoned, closing while calls still run.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_log_set_level(
    instance: Instance,
    level: LevelCode,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe {
        boundary::enter(error, || {
            Ok(handles::set_log_level(
                instance,
                crate::sink::level(level)?,
            )?)
        })
    }
}

/// Replaces the sink of an instance; null, or one whose `log` is null, means none. The old one gets no further record.
///
/// Waits up to `timeout_ms` for the old one to return from the record that it's in, after which its `drop` has been called;
/// `UINT64_MAX` waits for good. Called from a log sink, whosever, it doesn't wait, and the old one's `drop` comes when that
/// returns. Records that wait go to the new sink; without one they are discarded.
///
/// `RB_DEADLINE_EXCEEDED`: the sink is replaced, but the old one hasn't returned in time. Its `drop` comes when it has, and the
/// new one's first record after that. With any other failure it's the new one that is dropped.
///
/// Thread: any. State: active, poisoned, closing while calls still run.
///
/// # Safety
/// `sink` is null or readable; what's in it stays usable from other threads until its `drop` is called. `error` is
/// null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_log_set_sink(
    instance: Instance,
    sink: *const LogSink,
    timeout_ms: u64,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both pointers.
    unsafe {
        boundary::enter(error, || {
            let sink = ForeignSink::take("sink", sink)?;
            let sink = sink.map(|sink| Box::new(sink) as Box<dyn rustbridge_core::LogSink>);
            let timeout = duration(timeout_ms);
            Ok(handles::set_log_sink(instance, sink, timeout)?)
        })
    }
}

/// Waits until the records logged before this call have been delivered, and with them how many were dropped.
///
/// `RB_DEADLINE_EXCEEDED`: they haven't been within `timeout_ms`; or it was called from a log sink, which would wait for
/// itself and is told so at once. `UINT64_MAX` waits for good.
///
/// Thread: any. State: active, poisoned, closing.
///
/// # Safety
/// `error` is null or a response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_log_flush(
    instance: Instance,
    timeout_ms: u64,
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for `error`.
    unsafe {
        boundary::enter(error, || {
            Ok(handles::flush_logs(instance, duration(timeout_ms))?)
        })
    }
}
