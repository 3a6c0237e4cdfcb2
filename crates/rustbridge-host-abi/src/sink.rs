//! Where a C host wants the log records of an instance, and up to which level.

use core::ffi::c_void;
use core::ptr;

use rustbridge_abi::{Level, LevelCode, LogRecord, growing};
use rustbridge_core::Record;

use crate::boundary::{self, Refusal};

/// Where the log records of an instance go.
///
/// `log` is called on threads of the library's, one record at a time, in order. They are few and shared by all instances, so
/// the next record may come on another one. Only where none can be made, `rb_log_flush` and `rb_close` call it themselves.
///
/// It may call any function of this header, also `rb_close` of its own instance. It must not unwind. A slow sink costs
/// records of its own instance, never calls: the queue in between drops the newest when it's full and says so.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogSink {
    /// `sizeof(rb_log_sink)`.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Takes one record, valid until it returns. Null: no sink.
    ///
    /// Thread: the library's, one record at a time. State: any but closed.
    pub log: Option<unsafe extern "C" fn(user_data: *mut c_void, record: *const LogRecord)>,
    /// Passed back as it is. Used from the library's threads.
    pub user_data: *mut c_void,
    /// Told once that `user_data` isn't used any more: after the sink was replaced or its instance closed, or when the
    /// function it was passed to fails. Not when that fails for the `size` of a struct, or because one isn't aligned: then
    /// nobody knows what's in it. May be null.
    ///
    /// Thread: any. State: any.
    pub drop: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

growing!(LogSink, 32, reserved: 0, log: None, user_data: ptr::null_mut(), drop: None);

pub(crate) fn level(level: LevelCode) -> Result<Level, Refusal> {
    Level::from_code(level).ok_or_else(|| {
        Refusal::new(format!(
            "the log level is {level}, expected RB_LOG_OFF (0) to RB_LOG_TRACE (5)"
        ))
    })
}

/// A C sink as the core takes it; dropping it is what calls the C side's `drop`.
pub(crate) struct ForeignSink {
    log: unsafe extern "C" fn(*mut c_void, *const LogRecord),
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
