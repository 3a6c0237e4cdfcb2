//! Log levels, records, and the extension that notifies a plugin of level changes.

use core::ffi::{c_char, c_void};
use core::{fmt, ptr};

/// UTF-8 text, not NUL-terminated, borrowed as its use documents. Null with `len` 0 is empty.
///
/// It never grows, because it is part of other structs and is passed by value.
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

    /// Returns the bytes of the text. They should be UTF-8, but only the other side can guarantee it.
    ///
    /// # Safety
    /// `data` points to `len` readable bytes that don't change for `'a`, or `len` is 0.
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

/// The level of a record or a sink: one of the `RB_LOG_` levels. Larger is more verbose.
pub type LevelCode = u32;
/// No logging.
pub const RB_LOG_OFF: LevelCode = 0;
/// A failure that needs attention.
pub const RB_LOG_ERROR: LevelCode = 1;
/// An unexpected event that was handled.
pub const RB_LOG_WARN: LevelCode = 2;
/// A milestone in normal work.
pub const RB_LOG_INFO: LevelCode = 3;
/// Details for debugging.
pub const RB_LOG_DEBUG: LevelCode = 4;
/// Every step.
pub const RB_LOG_TRACE: LevelCode = 5;

/// The log levels as a Rust enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Level {
    /// No records.
    Off = RB_LOG_OFF,
    /// Failures.
    Error = RB_LOG_ERROR,
    /// Also unexpected events.
    Warn = RB_LOG_WARN,
    /// Also milestones.
    Info = RB_LOG_INFO,
    /// Also details.
    Debug = RB_LOG_DEBUG,
    /// Also every step.
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

    /// Converts a level that crossed the boundary.
    #[must_use]
    pub const fn from_code(code: LevelCode) -> Option<Level> {
        if (code as usize) < Level::ALL.len() {
            Some(Level::ALL[code as usize])
        } else {
            None
        }
    }

    /// Returns the code that crosses the boundary.
    #[must_use]
    pub const fn code(self) -> LevelCode {
        self as LevelCode
    }

    /// Returns the level's name in capitals, for example `INFO`.
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

/// The kind of a log record: one of the `RB_RECORD_` kinds. A reader skips kinds that it does not know.
pub type RecordKindCode = u32;
/// An event; `message` describes it.
pub const RB_RECORD_EVENT: RecordKindCode = 0;
/// The end of a span; `message` is its name, `fields` its fields, `duration_ns` how long it was open.
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
    /// Time of the event, or of the span's end: nanoseconds since 1970-01-01 00:00 UTC.
    pub time_unix_ns: u64,
    /// How long a span was open, in nanoseconds; 0 for events.
    pub duration_ns: u64,
    /// The part of the plugin that logs, for example `hello::users`.
    pub target: Text,
    /// The message.
    pub message: Text,
    /// The structured fields: a JSON object, or empty.
    pub fields: Text,
    /// The enclosing spans, outermost first: a JSON array of `{"name": .., "fields": {..}}`, or empty.
    pub spans: Text,
    /// Source file, or empty.
    pub file: Text,
    /// Name of the logging thread, or empty.
    pub thread: Text,
    /// Name of the instance. Set for a sink; ignored from a plugin.
    pub instance: Text,
    /// The trace ID, or all zero. If the plugin does not set it, a sink receives that of the call on whose thread the record was
    /// made.
    pub trace_id: [u8; 16],
    /// The span ID: the span's own, if it has one; otherwise that of the enclosing span, which is the caller's if the plugin has
    /// opened none. All zero without a trace.
    pub span_id: [u8; 8],
    /// If a span has a `span_id` of its own, the ID of the enclosing span, which is the caller's if the plugin has opened no other.
    /// Otherwise all zero.
    pub parent_span_id: [u8; 8],
    /// The number of the instance in the host. Set for a sink; ignored from a plugin.
    pub instance_number: u64,
    /// Reserved; 0.
    pub generation: u64,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// The functions that a plugin offers under [`RB_EXTENSION_LOG`], to be notified when its log level changes.
///
/// A plugin that reads `Host::log_level` before each record does not need it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LogExtension {
    /// `sizeof` this struct as the plugin knows it.
    pub size: u32,
    /// The value at `Host::log_level` of that instance has changed. Must not block or unwind.
    ///
    /// Thread: any, also while calls run. State: created.
    pub level_changed: Option<unsafe extern "C" fn(instance: *mut c_void)>,
    /// A field that a later version appends, for the tests.
    #[cfg(feature = "grown")]
    pub grown: u64,
}

/// Name of the extension whose table is [`LogExtension`].
pub const RB_EXTENSION_LOG: &core::ffi::CStr = c"rb.log/1";
