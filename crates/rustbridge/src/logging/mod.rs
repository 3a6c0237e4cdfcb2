//! From the plugin's `tracing` to the log of the right instance.
//!
//! `tracing` has one subscriber per copy of its statics, which is one per mapped library, while instances have a level
//! and a sink each. [`live`] knows the instances, [`ambient`] which of them a thread works for.

use std::ffi::c_void;
use std::panic::Location;
use std::time::{SystemTime, UNIX_EPOCH};

use rustbridge_abi::{Level, LogExtension, LogRecord, RB_LOG_ERROR, RB_RECORD_EVENT, Text};
use serde_json::json;

use crate::Host;

pub(crate) mod ambient;
pub(crate) mod live;

/// The table of `rb.log/1`. Immutable.
pub(crate) static EXTENSION: LogExtension = LogExtension {
    size: size_of::<LogExtension>() as u32,
    level_changed: Some(level_changed),
};

unsafe extern "C" fn level_changed(_instance: *mut c_void) {}

pub(crate) fn install() {}

pub(crate) fn now_unix_ns() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
        })
}

/// Logs a panic as an error of the part `<plugin>::panic`. The answer is whether the host wanted it.
pub(crate) fn panic_record(
    host: &Host,
    message: &str,
    place: Option<&Location<'_>>,
    backtrace: Option<&str>,
) -> bool {
    if !host.log_enabled(Level::Error) {
        return false;
    }
    let mut fields = json!({});
    if let Some(place) = place {
        fields["column"] = place.column().into();
    }
    if let Some(backtrace) = backtrace {
        fields["backtrace"] = backtrace.into();
    }
    let fields = fields.to_string();
    let target = format!("{}::panic", host.plugin_name());
    let thread = std::thread::current();
    host.log(&LogRecord {
        size: size_of::<LogRecord>() as u32,
        level: RB_LOG_ERROR,
        kind: RB_RECORD_EVENT,
        line: place.map_or(0, Location::line),
        time_unix_ns: now_unix_ns(),
        duration_ns: 0,
        target: Text::new(&target),
        message: Text::new(message),
        fields: Text::new(&fields),
        spans: Text::empty(),
        file: place.map_or(Text::empty(), |place| Text::new(place.file())),
        thread: thread.name().map_or(Text::empty(), Text::new),
    });
    true
}
