//! The receiver of an instance's log records.

use super::record::Record;

/// The receiver of an instance's log records.
///
/// It's called on one thread at a time, in the order of the records. The threads belong to the core. They are few, and
/// all instances share them, so the next record may arrive on another thread. If no thread can be created, a thread
/// that waits for records (by flushing or closing) calls the sink itself.
///
/// It may block. Then only the records of this instance wait; when the queue is full, the newest are dropped and
/// counted. It may use any instance. It may also change this instance's level or sink, or close it; after that, it
/// receives no further record. A panic in it is caught and counted, and the next record is delivered as usual.
///
/// Any `FnMut(&Record)` that is `Send` is a sink:
///
/// ```
/// use rustbridge_core::{Level, Load, Record};
/// use std::sync::mpsc;
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
///
/// let (send, records) = mpsc::channel();
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }
///     .log(Level::Info, Box::new(move |record: &Record<'_>| {
///         let _ = send.send(record.message().to_owned());
///     }))
///     .open()?;
/// assert_eq!(records.recv().unwrap(), "created");
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
pub trait LogSink: Send {
    /// Receives one record.
    fn log(&mut self, record: &Record<'_>);
}

impl<F: FnMut(&Record<'_>) + Send> LogSink for F {
    fn log(&mut self, record: &Record<'_>) {
        self(record);
    }
}
