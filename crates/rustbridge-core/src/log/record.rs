//! Log records: in the queue, and as a sink receives them.

use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::current_call::CurrentCall;
use crate::registry::table::Handle;
use rustbridge_abi::{Level, LogRecord, RB_RECORD_EVENT, RB_RECORD_SPAN, Text};

/// The kind of a log record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// A log event.
    Event,
    /// A span has ended. [`Record::duration`] is how long it was open.
    Span,
}

impl RecordKind {
    pub(crate) fn from_code(code: u32) -> Option<RecordKind> {
        match code {
            RB_RECORD_EVENT => Some(RecordKind::Event),
            RB_RECORD_SPAN => Some(RecordKind::Span),
            _ => None,
        }
    }

    fn code(self) -> u32 {
        match self {
            RecordKind::Event => RB_RECORD_EVENT,
            RecordKind::Span => RB_RECORD_SPAN,
        }
    }
}

/// A record in the queue: its texts one after the other in one allocation.
#[derive(Clone, Debug)]
pub(crate) struct OwnedRecord {
    level: Level,
    kind: RecordKind,
    line: u32,
    time_unix_ns: u64,
    duration_ns: u64,
    trace: InTrace,
    texts: String,
    ends: [usize; TEXTS],
}

/// Where in a trace a record belongs; all zero if it's in none.
#[derive(Clone, Copy, Debug, Default)]
struct InTrace {
    id: [u8; 16],
    span: [u8; 8],
    parent: [u8; 8],
}

impl InTrace {
    /// What the plugin says, and where it doesn't, what the call carries that this thread is in.
    fn of(record: &LogRecord) -> InTrace {
        let said = InTrace {
            id: record.trace_id,
            span: record.span_id,
            parent: record.parent_span_id,
        };
        if said.id != [0; 16] {
            return said;
        }
        match CurrentCall::current().and_then(|carried| carried.trace_ids()) {
            Some((id, span)) => InTrace {
                id,
                span,
                parent: [0; 8],
            },
            None => InTrace::default(),
        }
    }
}

const TARGET: usize = 0;
const MESSAGE: usize = 1;
const FIELDS: usize = 2;
const SPANS: usize = 3;
const FILE: usize = 4;
const THREAD: usize = 5;
const TEXTS: usize = 6;

/// The bytes that an instance's records may take while they wait for its sink: thousands of ordinary ones, and some that carry
/// whole documents.
pub(crate) const QUEUE_BYTES: usize = 16 << 20;

/// Why a record isn't copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordRefusal {
    /// It's of a kind of a later version's, which older readers skip.
    UnknownKind,
    /// It's shorter than a record can be, or has no level of a record's.
    Malformed,
    /// It couldn't wait in a queue even if it were alone.
    TooLarge,
}

impl OwnedRecord {
    /// Copies a record that a plugin hands over. None of the texts is read if they are longer than can be: such lengths are
    /// a mistake of the plugin's, mostly.
    ///
    /// # Safety
    /// The record is as long as it says, and its texts are readable, as `Text` promises.
    pub(crate) unsafe fn copy(record: *const LogRecord) -> Result<OwnedRecord, RecordRefusal> {
        // SAFETY: the caller's promise.
        let record =
            unsafe { rustbridge_abi::read(record) }.map_err(|_| RecordRefusal::Malformed)?;
        let level = Level::from_code(record.level)
            .filter(|level| *level != Level::Off)
            .ok_or(RecordRefusal::Malformed)?;
        let kind = RecordKind::from_code(record.kind).ok_or(RecordRefusal::UnknownKind)?;
        let texts = [
            record.target,
            record.message,
            record.fields,
            record.spans,
            record.file,
            record.thread,
        ];
        let len = texts
            .iter()
            .fold(0_usize, |sum, text| sum.saturating_add(text.len));
        let mut all = String::new();
        if len > QUEUE_BYTES || all.try_reserve_exact(len).is_err() {
            return Err(RecordRefusal::TooLarge);
        }
        let ends = texts.map(|text| {
            // SAFETY: the caller's promise. That it's UTF-8 is the plugin's, which isn't relied on.
            all.push_str(&String::from_utf8_lossy(unsafe { text.as_bytes() }));
            all.len()
        });
        Ok(OwnedRecord {
            level,
            kind,
            line: record.line,
            time_unix_ns: record.time_unix_ns,
            duration_ns: record.duration_ns,
            trace: InTrace::of(&record),
            texts: all,
            ends,
        })
    }

    /// The bytes it takes.
    pub(crate) fn size(&self) -> usize {
        size_of::<OwnedRecord>() + self.texts.capacity()
    }

    /// A record of our own, made now.
    pub(crate) fn ours(level: Level, message: &str, fields: &str) -> OwnedRecord {
        let mut texts = String::new();
        let ends = ["rustbridge", message, fields, "", "", ""].map(|text| {
            texts.push_str(text);
            texts.len()
        });
        OwnedRecord {
            level,
            kind: RecordKind::Event,
            line: 0,
            time_unix_ns: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_nanos() as u64),
            duration_ns: 0,
            trace: InTrace::default(),
            texts,
            ends,
        }
    }

    fn text(&self, which: usize) -> &str {
        let start = if which == 0 { 0 } else { self.ends[which - 1] };
        &self.texts[Range {
            start,
            end: self.ends[which],
        }]
    }

    pub(crate) fn for_sink<'a>(&'a self, instance: &'a str, handle: Handle) -> Record<'a> {
        Record {
            record: self,
            instance,
            handle,
        }
    }
}

/// One log record, as a [`LogSink`](crate::LogSink) receives it.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    record: &'a OwnedRecord,
    instance: &'a str,
    handle: Handle,
}

impl<'a> Record<'a> {
    /// Returns the record's level. It's never [`Level::Off`].
    #[must_use]
    pub fn level(&self) -> Level {
        self.record.level
    }

    /// Returns the record's kind.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        self.record.kind
    }

    /// Returns the part of the plugin that logged it, e.g. `hello::users`. Records of rustbridge itself have the target
    /// `rustbridge`.
    #[must_use]
    pub fn target(&self) -> &'a str {
        self.record.text(TARGET)
    }

    /// Returns the message, or a span's name.
    #[must_use]
    pub fn message(&self) -> &'a str {
        self.record.text(MESSAGE)
    }

    /// Returns the structured fields: a JSON object, or empty.
    #[must_use]
    pub fn fields(&self) -> &'a str {
        self.record.text(FIELDS)
    }

    /// Returns the spans that contain it, outermost first: a JSON array of `{"name": .., "fields": {..}}`, or empty.
    #[must_use]
    pub fn spans(&self) -> &'a str {
        self.record.text(SPANS)
    }

    /// Returns the plugin's source file, or an empty string.
    #[must_use]
    pub fn file(&self) -> &'a str {
        self.record.text(FILE)
    }

    /// Returns the line in [`file`](Record::file), or 0.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.record.line
    }

    /// Returns the name of the thread that logged it, or an empty string.
    #[must_use]
    pub fn thread(&self) -> &'a str {
        self.record.text(THREAD)
    }

    /// Returns the time of the event, or of a span's end.
    #[must_use]
    pub fn time(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_nanos(self.record.time_unix_ns)
    }

    /// Returns how long a span was open; zero for events.
    #[must_use]
    pub fn duration(&self) -> Duration {
        Duration::from_nanos(self.record.duration_ns)
    }

    /// Returns the trace that it's part of, if any.
    #[must_use]
    pub fn trace_id(&self) -> Option<[u8; 16]> {
        Some(self.record.trace.id).filter(|id| *id != [0; 16])
    }

    /// Returns the span within the trace: a span's own ID, if it has one; otherwise the ID of the span that contains
    /// the record. That's the caller's span if the plugin has opened none.
    #[must_use]
    pub fn span_id(&self) -> Option<[u8; 8]> {
        Some(self.record.trace.span).filter(|id| *id != [0; 8])
    }

    /// Returns the ID of the parent of a span that has an ID of its own. It's the caller's span if no other span
    /// contains it.
    #[must_use]
    pub fn parent_span_id(&self) -> Option<[u8; 8]> {
        Some(self.record.trace.parent).filter(|id| *id != [0; 8])
    }

    /// Returns the name of the record's instance.
    #[must_use]
    pub fn instance(&self) -> &'a str {
        self.instance
    }

    /// Returns the number of the record's instance. It's unique in this process, whereas names may repeat.
    #[must_use]
    pub fn instance_number(&self) -> u64 {
        self.handle
    }

    /// Returns the record in its form at the boundary, which borrows from this one. It's for bindings.
    #[must_use]
    pub fn to_abi(&self) -> LogRecord {
        LogRecord {
            level: self.record.level.code(),
            kind: self.record.kind.code(),
            line: self.record.line,
            time_unix_ns: self.record.time_unix_ns,
            duration_ns: self.record.duration_ns,
            target: Text::new(self.target()),
            message: Text::new(self.message()),
            fields: Text::new(self.fields()),
            spans: Text::new(self.spans()),
            file: Text::new(self.file()),
            thread: Text::new(self.thread()),
            instance: Text::new(self.instance()),
            trace_id: self.record.trace.id,
            span_id: self.record.trace.span,
            parent_span_id: self.record.trace.parent,
            instance_number: self.handle,
            ..LogRecord::EMPTY
        }
    }
}
