//! A log record on its way to the loop: its fields, copied.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use napi_sys::*;
use rustbridge_abi::{LogRecord, Text};

use crate::text::shown;
use crate::value::{self, big, small};

/// A record's fields, copied.
pub(crate) struct OwnedRecord {
    level: u32,
    kind: u32,
    line: u32,
    time_unix_ns: u64,
    duration_ns: u64,
    texts: [Vec<u8>; 7],
    /// How many were dropped before this one.
    dropped: u64,
    waiting: Arc<AtomicU32>,
}

impl OwnedRecord {
    /// A copy of a record, which counts as waiting until it's dropped.
    pub(crate) fn of(record: &LogRecord, dropped: u64, waiting: Arc<AtomicU32>) -> OwnedRecord {
        waiting.fetch_add(1, Ordering::Relaxed);
        let texts = [
            record.target,
            record.message,
            record.fields,
            record.spans,
            record.file,
            record.thread,
            record.instance,
        ];
        OwnedRecord {
            level: record.level,
            kind: record.kind,
            line: record.line,
            time_unix_ns: record.time_unix_ns,
            duration_ns: record.duration_ns,
            // SAFETY: the record's texts are valid while it is.
            texts: texts.map(|text: Text| unsafe { text.as_bytes() }.to_vec()),
            dropped,
            waiting,
        }
    }
}

impl Drop for OwnedRecord {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl OwnedRecord {
    /// `[level, kind, line, time, duration, target, message, fields, spans, file, thread, instance, dropped]`.
    ///
    /// # Safety
    /// In a callback of the environment.
    pub(crate) unsafe fn told(&self, env: napi_env) -> napi_value {
        // SAFETY: the caller's promise.
        unsafe {
            let mut values = vec![
                small(env, self.level),
                small(env, self.kind),
                small(env, self.line),
                big(env, self.time_unix_ns),
                value::number(env, self.duration_ns as f64),
            ];
            values.extend(self.texts.iter().map(|text| shown(env, text)));
            values.push(value::number(env, self.dropped as f64));
            value::array(env, &values)
        }
    }
}
