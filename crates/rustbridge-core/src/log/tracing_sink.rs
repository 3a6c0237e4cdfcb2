//! A sink that forwards a plugin's records to the host's own `tracing`.

use rustbridge_abi::Level;

use super::record::{Record, RecordKind};
use super::sink::LogSink;

/// Forwards a plugin's records to this host's own `tracing`.
///
/// The metadata of `tracing` events is static, and a plugin's targets aren't known when the host is compiled. So there
/// is one callsite for each level, with the target `rustbridge::plugin`. The record's own data is in these fields:
///
/// * `instance`, `plugin.target`, and `plugin.fields` (the structured fields as JSON)
/// * if present: `plugin.spans`, `plugin.file`, `plugin.line`, `plugin.thread`, and `plugin.span_ms` (how long the span
///   that has ended was open)
/// * in a trace: `trace_id`, `span_id` and `parent_span_id`, in hexadecimal
///
/// Use these fields to filter by level or instance. To avoid the cost of unwanted records, set the plugin's own level,
/// for each instance.
///
/// ```
/// use rustbridge_core::{Level, Load, TracingSink};
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
///
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }
///     .log(Level::Debug, Box::new(TracingSink::new()))
///     .open()?;
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
///
/// Events occur on a log thread of the core. A subscriber that is set for single threads (`with_default`) doesn't receive
/// them. Use a global one, or [`TracingSink::with_dispatch`].
#[derive(Clone, Debug, Default)]
pub struct TracingSink {
    dispatch: Option<tracing::Dispatch>,
}

impl TracingSink {
    /// Returns a sink for the log thread's default subscriber, which is the global one.
    #[must_use]
    pub fn new() -> TracingSink {
        TracingSink::default()
    }

    /// Returns a sink for this subscriber.
    #[must_use]
    pub fn with_dispatch(dispatch: tracing::Dispatch) -> TracingSink {
        TracingSink {
            dispatch: Some(dispatch),
        }
    }
}

impl LogSink for TracingSink {
    fn log(&mut self, record: &Record<'_>) {
        match &self.dispatch {
            Some(dispatch) => tracing::dispatcher::with_default(dispatch, || forward(record)),
            None => forward(record),
        }
    }
}

fn forward(record: &Record<'_>) {
    macro_rules! emit {
        ($level:ident) => {
            tracing::event!(
                target: "rustbridge::plugin",
                tracing::Level::$level,
                instance = record.instance(),
                plugin.target = record.target(),
                plugin.fields = some(record.fields()),
                plugin.spans = some(record.spans()),
                plugin.file = some(record.file()),
                plugin.line = (record.line() != 0).then_some(record.line()),
                plugin.thread = some(record.thread()),
                trace_id = record.trace_id().map(|id| hex(u128::from_be_bytes(id), 32)),
                span_id = record.span_id().map(|id| hex(u64::from_be_bytes(id).into(), 16)),
                parent_span_id = record.parent_span_id().map(|id| hex(u64::from_be_bytes(id).into(), 16)),
                plugin.span_ms =
                    (record.kind() == RecordKind::Span).then(|| record.duration().as_secs_f64() * 1e3),
                "{}",
                record.message()
            )
        };
    }
    match record.level() {
        Level::Error => emit!(ERROR),
        Level::Warn => emit!(WARN),
        Level::Info => emit!(INFO),
        Level::Debug => emit!(DEBUG),
        Level::Trace | Level::Off => emit!(TRACE),
    }
}

/// An id as W3C's Trace Context writes it.
fn hex(id: u128, digits: usize) -> String {
    format!("{id:0digits$x}")
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
