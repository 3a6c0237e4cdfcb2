//! Changing an instance's log level and sink, and waiting for its records.

use core::ffi::c_void;

use rustbridge_abi::{Level, LevelCode, Response, StatusCode};
use rustbridge_core::{Record, handles};

use crate::boundary::{self, Refusal};
use crate::lifecycle::duration;
use crate::load::{Instance, LogSink};

/// Sets the level up to which records of an instance are wanted, `RB_LOG_OFF` to `RB_LOG_TRACE`. Takes effect at once.
///
/// Thread: any. State: active, poisoned.
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
            Ok(handles::set_log_level(instance, self::level(level)?)?)
        })
    }
}

/// Replaces the sink of an instance; null, or one whose `log` is null, means none.
///
/// When it returns the old sink isn't called any more and its `drop` has been; unless it's the old sink itself that
/// calls this, in which case that happens when the sink returns.
///
/// Thread: any. State: active, poisoned.
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
/// Thread: any. State: active, poisoned.
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

pub(crate) fn level(level: LevelCode) -> Result<Level, Refusal> {
    Level::from_code(level).ok_or_else(|| {
        Refusal::new(format!(
            "the log level is {level}, expected RB_LOG_OFF (0) to RB_LOG_TRACE (5)"
        ))
    })
}

/// A C sink as the core takes it; dropping it is what calls the C side's `drop`.
pub(crate) struct ForeignSink {
    log: unsafe extern "C" fn(*mut c_void, *const rustbridge_abi::LogRecord),
    owner: SinkOwner,
}

struct SinkOwner {
    user_data: *mut c_void,
    drop: Option<unsafe extern "C" fn(*mut c_void)>,
}

// SAFETY: the header says that both functions are called with `user_data` on threads of the library's.
unsafe impl Send for SinkOwner {}

impl Drop for SinkOwner {
    fn drop(&mut self) {
        if let Some(drop) = self.drop {
            // SAFETY: called once, as this is the owner, and nothing uses `user_data` afterwards.
            unsafe { drop(self.user_data) }
        }
    }
}

impl ForeignSink {
    /// Takes the sink of a parameter over. Null is none, and one without `log` is no sink, so it's dropped here. What is too
    /// short to be a sink isn't taken over: nobody can tell what's in it.
    ///
    /// # Safety
    /// `sink` is null or as long as it says, and its functions are callable with its `user_data` from any thread until
    /// `drop` was called.
    pub(crate) unsafe fn take(
        parameter: &str,
        sink: *const LogSink,
    ) -> Result<Option<ForeignSink>, Refusal> {
        if sink.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller vouches for the length.
        let sink = unsafe { boundary::read(parameter, "rb_log_sink", sink)? };
        let owner = SinkOwner {
            user_data: sink.user_data,
            drop: sink.drop,
        };
        Ok(sink.log.map(|log| ForeignSink { log, owner }))
    }
}

impl rustbridge_core::LogSink for ForeignSink {
    fn log(&mut self, record: &Record<'_>) {
        // SAFETY: as promised to `take`; the record is valid until this returns.
        unsafe { (self.log)(self.owner.user_data, &record.to_abi()) }
    }
}
