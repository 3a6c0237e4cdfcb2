//! Log levels, records, and the extension through which a plugin is told of levels.

use core::ffi::{c_char, c_void};
use core::{fmt, ptr};

/// A piece of UTF-8 text: not NUL-terminated, borrowed for as long as its context says. Null with `len` 0 is empty.
///
/// It never grows: it stands inside other structs and is passed by value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// First byte, or null when `len` is 0.
    pub data: *const c_char,
    /// Length in bytes.
    pub len: usize,
}

impl Text {
    /// The empty text.
    #[must_use]
    pub const fn empty() -> Text {
        Text {
            data: ptr::null(),
            len: 0,
        }
    }

    /// Borrows `text`; the result must not outlive it.
    #[must_use]
    pub const fn new(text: &str) -> Text {
        Text {
            data: text.as_ptr().cast(),
            len: text.len(),
        }
    }

    /// The bytes of the text. They are promised to be UTF-8, but the promise is the other side's.
    ///
    /// # Safety
    /// `data` points to `len` readable bytes that nobody changes for `'a`, or `len` is 0.
    #[must_use]
    pub const unsafe fn as_bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 || self.data.is_null() {
            &[]
        } else {
            // SAFETY: not null, and the caller vouches for the rest.
            unsafe { core::slice::from_raw_parts(self.data.cast(), self.len) }
        }
    }
}

/// How urgent a record is, or how much a sink wants: one of the `RB_LOG_` levels. Larger is chattier.
pub type LevelCode = u32;
/// Nothing is logged.
pub const RB_LOG_OFF: LevelCode = 0;
/// A failure somebody must look at.
pub const RB_LOG_ERROR: LevelCode = 1;
/// Something unexpected that was coped with.
pub const RB_LOG_WARN: LevelCode = 2;
/// A milestone in normal work.
pub const RB_LOG_INFO: LevelCode = 3;
/// Detail for somebody who debugs.
pub const RB_LOG_DEBUG: LevelCode = 4;
/// Every step.
pub const RB_LOG_TRACE: LevelCode = 5;

/// The log levels as a Rust enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Level {
    /// Nothing.
    Off = RB_LOG_OFF,
    /// Failures.
    Error = RB_LOG_ERROR,
    /// And the unexpected.
    Warn = RB_LOG_WARN,
    /// And milestones.
    Info = RB_LOG_INFO,
    /// And detail.
    Debug = RB_LOG_DEBUG,
    /// And every step.
    Trace = RB_LOG_TRACE,
}

impl Level {
    /// Every level, from `Off` to `Trace`.
    pub const ALL: &'static [Level] = &[
        Level::Off,
        Level::Error,
        Level::Warn,
        Level::Info,
        Level::Debug,
        Level::Trace,
    ];

    /// Reads a level that crossed the boundary.
    #[must_use]
    pub const fn from_code(code: LevelCode) -> Option<Level> {
        if (code as usize) < Level::ALL.len() {
            Some(Level::ALL[code as usize])
        } else {
            None
        }
    }

    /// The level as it crosses the boundary.
    #[must_use]
    pub const fn code(self) -> LevelCode {
        self as LevelCode
    }

    /// The level's name in capitals, e.g. `INFO`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "OFF",
            Level::Error => "ERROR",
            Level::Warn => "WARN",
            Level::Info => "INFO",
            Level::Debug => "DEBUG",
            Level::Trace => "TRACE",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a log record tells of: one of the `RB_RECORD_` kinds. A reader skips kinds it does not know.
pub type RecordKindCode = u32;
/// Something happened; `message` says what.
pub const RB_RECORD_EVENT: RecordKindCode = 0;
/// A span ended; `message` is its name, `fields` its fields, `duration_ns` how long it was open.
pub const RB_RECORD_SPAN: RecordKindCode = 1;

/// One log record. All texts are borrowed and valid only until the callback returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogRecord {
    /// `sizeof` this struct as the writer knows it.
    pub size: u32,
    /// `RB_LOG_ERROR` to `RB_LOG_TRACE`.
    pub level: LevelCode,
    /// `RB_RECORD_EVENT` or `RB_RECORD_SPAN`.
    pub kind: RecordKindCode,
    /// Line in `file`, or 0.
    pub line: u32,
    /// When it happened: nanoseconds since 1970-01-01 00:00 UTC. A span's is its end.
    pub time_unix_ns: u64,
    /// How long a span was open, in nanoseconds; 0 for events.
    pub duration_ns: u64,
    /// The part of the plugin that speaks, e.g. `hello::users`.
    pub target: Text,
    /// What it says.
    pub message: Text,
    /// The structured fields: a JSON object, or empty.
    pub fields: Text,
    /// The spans it happened in, outermost first: a JSON array of `{"name": .., "fields": {..}}`, or empty.
    pub spans: Text,
    /// Source file, or empty.
    pub file: Text,
    /// Name of the thread it happened on, or empty.
    pub thread: Text,
    /// Name of the instance it comes from. A sink is told it; what a plugin writes here isn't read.
    pub instance: Text,
    /// The trace that it's part of, or all zero. A sink is told that of the call during which the record was made, on the call's
    /// thread, where the plugin doesn't say.
    pub trace_id: [u8; 16],
    /// The span within the trace: a span's own, if it has one; otherwise that in which it happened, which is the caller's if the
    /// plugin has opened none. All zero without a trace.
    pub span_id: [u8; 8],
    /// Of a span with a `span_id` of its own: that of the one which it's in, the caller's if it's in no other. Otherwise all
    /// zero.
    pub parent_span_id: [u8; 8],
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// What a plugin offers under [`RB_EXTENSION_LOG`]: it wants to be told when its log level changes.
///
/// A plugin that reads `Host::log_level` before each record doesn't need it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogExtension {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// The value at `Host::log_level` of that instance has changed. Must not block or unwind.
    ///
    /// Thread: any, also while calls run. State: created.
    pub level_changed: Option<unsafe extern "C" fn(instance: *mut c_void)>,
    /// What a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`LogExtension`].
pub const RB_EXTENSION_LOG: &core::ffi::CStr = c"rb.log/1";
