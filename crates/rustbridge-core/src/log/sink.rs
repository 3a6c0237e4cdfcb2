//! Where an instance's log records go: what a host writes to get them.

use super::record::Record;

/// Where an instance's log records go.
///
/// Called on one thread at a time, in the order in which the records were made. The threads are the core's, few and shared by
/// all instances, so the next record may come on another one. Only where none can be made, whoever waits for records (by
/// flushing or closing) calls the sink itself.
///
/// It may block (only the records of this instance wait, and when the queue is full the newest are dropped and
/// counted) and it may use any instance, also change the level or sink of this one, or close it, after which it gets no
/// further record. A panic in it is caught and counted, and the next record is delivered as usual.
///
/// Any `FnMut(&Record)` that is `Send` is a sink:
///
/// ```
/// use rustbridge_core::{Level, Load, Record};
/// use std::sync::mpsc;
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
///
/// let (send, records) = mpsc::channel();
/// // SAFETY: a plugin of ours, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }
///     .log(Level::Info, Box::new(move |record: &Record<'_>| {
///         let _ = send.send(record.message().to_owned());
///     }))
///     .open()?;
/// assert_eq!(records.recv().unwrap(), "created");
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
pub trait LogSink: Send {
    /// Takes one record.
    fn log(&mut self, record: &Record<'_>);
}

impl<F: FnMut(&Record<'_>) + Send> LogSink for F {
    fn log(&mut self, record: &Record<'_>) {
        self(record);
    }
}
