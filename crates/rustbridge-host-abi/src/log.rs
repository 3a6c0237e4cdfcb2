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

/// Replaces the sink of an instance; null, or one whose `log` is null, means none.
///
/// When it returns the old sink isn't called any more and its `drop` has been; unless it's the old sink itself that
/// calls this, in which case that happens when the sink returns.
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
    error: *mut Response,
) -> StatusCode {
    // SAFETY: the caller vouches for both pointers.
    unsafe {
        boundary::enter(error, || {
            let sink = ForeignSink::take("sink", sink)?;
            let sink = sink.map(|sink| Box::new(sink) as Box<dyn rustbridge_core::LogSink>);
            Ok(handles::set_log_sink(instance, sink)?)
        })
    }
}

/// Waits until the records logged before this call have been delivered.
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
