//! The log records for the host.

use std::panic::Location;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustbridge_abi::{
    Level, LevelCode, LogRecord, RB_LOG_DEBUG, RB_LOG_ERROR, RB_LOG_INFO, RB_LOG_TRACE,
    RB_LOG_WARN, RB_RECORD_EVENT, RecordKindCode, Text,
};
use serde_json::json;
use tracing_core::Metadata;

use super::span::{self, SpanContext};
use crate::Host;

/// Returns the ABI's code of a `tracing` level.
pub(super) fn level_code(level: tracing_core::Level) -> LevelCode {
    match level {
        tracing_core::Level::ERROR => RB_LOG_ERROR,
        tracing_core::Level::WARN => RB_LOG_WARN,
        tracing_core::Level::INFO => RB_LOG_INFO,
        tracing_core::Level::DEBUG => RB_LOG_DEBUG,
        tracing_core::Level::TRACE => RB_LOG_TRACE,
    }
}

/// One record to send.
pub(super) struct Record<'a> {
    pub(super) level: LevelCode,
    pub(super) kind: RecordKindCode,
    pub(super) duration: Duration,
    pub(super) target: &'a str,
    pub(super) message: &'a str,
    pub(super) fields: &'a str,
    pub(super) spans: &'a str,
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) traced: Option<SpanContext>,
}

impl<'a> Record<'a> {
    pub(super) fn of(metadata: &'a Metadata<'a>, kind: RecordKindCode) -> Record<'a> {
        Record {
            level: level_code(*metadata.level()),
            kind,
            duration: Duration::ZERO,
            target: metadata.target(),
            message: "",
            fields: "",
            spans: "",
            file: metadata.file().unwrap_or_default(),
            line: metadata.line().unwrap_or_default(),
            traced: None,
        }
    }

    pub(super) fn send(&self, host: &Host) {
        let thread = thread::current();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        host.log(&LogRecord {
            level: self.level,
            kind: self.kind,
            line: self.line,
            time_unix_ns: now.map_or(0, nanoseconds),
            duration_ns: nanoseconds(self.duration),
            target: Text::new(self.target),
            message: Text::new(self.message),
            fields: Text::new(self.fields),
            spans: Text::new(self.spans),
            file: Text::new(self.file),
            thread: Text::new(thread.name().unwrap_or_default()),
            trace_id: self.traced.map_or([0; 16], |traced| traced.id),
            span_id: self.traced.map_or([0; 8], |traced| traced.span),
            parent_span_id: self.traced.map_or([0; 8], |traced| traced.parent),
            ..LogRecord::EMPTY
        });
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Logs a panic as an error with the target `<plugin>::panic`. Returns whether the host accepted it.
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
        // Sinks that show fields show where it was, even if they show no file and line of records.
        fields["location"] = place.to_string().into();
    }
    if let Some(backtrace) = backtrace {
        fields["backtrace"] = backtrace.into();
    }
    let record = Record {
        level: RB_LOG_ERROR,
        kind: RB_RECORD_EVENT,
        duration: Duration::ZERO,
        target: &format!("{}::panic", host.plugin_name()),
        message,
        fields: &fields.to_string(),
        spans: "",
        file: place.map_or("", Location::file),
        line: place.map_or(0, Location::line),
        traced: span::of_task(),
    };
    record.send(host);
    true
}
