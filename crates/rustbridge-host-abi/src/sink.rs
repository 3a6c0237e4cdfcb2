//! The log sink of a C host.

use core::ffi::c_void;
use core::ptr;

use rustbridge_abi::{Level, LevelCode, LogRecord, growing};
use rustbridge_core::Record;

use crate::boundary::{self, Refusal};

/// The receiver of an instance's log records.
///
/// The library calls `log` on its log threads, one record at a time for each instance, in order. These few threads serve all
/// instances, so consecutive records may arrive on different threads. If no such thread can be created, `rb_log_flush` and
/// `rb_close` call it on their own thread.
///
/// The sink may call any function of this header, also `rb_close` of its own instance. It must not unwind. A slow sink never
/// delays calls: if the queue of its instance is full, the newest records are dropped and their number is reported.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogSink {
    /// `sizeof(rb_log_sink)`.
    pub size: u32,
    /// Reserved so that the layout has no padding; 0.
    pub reserved: u32,
    /// Handles one record, which is valid until the function returns. Null: there is no sink.
    ///
    /// Thread: the library's, one record at a time. State: any but closed.
    pub log: Option<unsafe extern "C" fn(user_data: *mut c_void, record: *const LogRecord)>,
    /// Passed to `log` and `drop`, from the library's threads.
    pub user_data: *mut c_void,
    /// Called once when `user_data` is no longer used: after the sink was replaced, after its instance was closed, or when the
    /// function that received the sink fails. It is not called if that function refuses a struct for its `size` or its alignment,
    /// because then the struct cannot be read. May be null.
    ///
    /// Thread: any. State: any.
    pub drop: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    /// A field that a later version appends, for the tests.
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
