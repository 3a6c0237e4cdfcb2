//! An instance's log level and sink, and flushing its records.

use rustbridge_abi::{LevelCode, Response, StatusCode};
use rustbridge_core::handles;

use crate::boundary;
use crate::lifecycle::duration;
use crate::load::Instance;
use crate::sink::{ForeignSink, LogSink};

/// Sets the log level of an instance, `RB_LOG_OFF` to `RB_LOG_TRACE`. It takes effect at once.
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

/// Replaces the sink of an instance. Null, or a sink whose `log` is null, removes it. The old sink receives no further record.
///
/// If the old sink is handling a record, the function waits up to `timeout_ms` for it to return, and then calls its `drop`.
/// `UINT64_MAX` waits without a limit. If the function is called from any log sink, it does not wait; the old sink's `drop`
/// is called when that sink returns. Records that are waiting go to the new sink; if there is none, they are discarded.
///
/// `RB_DEADLINE_EXCEEDED`: the sink was replaced, but the old one has not returned in time. Its `drop` is called when it
/// has returned, and the new sink receives its first record after that. If the function fails otherwise, the new sink is dropped.
///
/// Thread: any. State: active, poisoned, closing while calls still run.
///
/// # Safety
/// `sink` is null or readable. Its functions can be called with its `user_data` from other threads until its `drop` is called.
/// `error` is null or a response.
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

/// Waits until all records logged before this call have been delivered, including the count of dropped records.
///
/// `RB_DEADLINE_EXCEEDED`: they were not delivered within `timeout_ms`, or the function was called from a log sink, where
/// waiting could never succeed. `UINT64_MAX` waits without a limit.
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
