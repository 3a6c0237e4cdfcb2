//! Forwards the records of the `log` crate, which many libraries use, like those of `tracing`.

use std::time::Duration;

use rustbridge_abi::{Level, RB_RECORD_EVENT};
use tracing_core::dispatcher;

use super::record::Record;
use super::span::SpanContext;
use super::spans::{self, Span};
use super::subscriber::{Around, HostSubscriber, host_of};

/// The logger that `log` calls, one for each copy of its statics, like `tracing`'s subscriber.
pub(super) static FORWARD: Forward = Forward;

pub(super) struct Forward;

fn level_of(level: log::Level) -> Level {
    match level {
        log::Level::Error => Level::Error,
        log::Level::Warn => Level::Warn,
        log::Level::Info => Level::Info,
        log::Level::Debug => Level::Debug,
        log::Level::Trace => Level::Trace,
    }
}

/// Runs `work` with the current span of this thread, if it belongs to this copy's own subscriber.
fn in_span(work: &mut dyn FnMut(Option<&Span>)) {
    dispatcher::get_default(|dispatch| {
        let is_ours = dispatch.is::<HostSubscriber>();
        let span = is_ours.then(spans::current).flatten();
        work(span.as_deref());
    });
}

impl log::Log for Forward {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        let mut enabled = false;
        in_span(&mut |span| {
            enabled =
                host_of(span).is_some_and(|host| host.log_enabled(level_of(metadata.level())));
        });
        enabled
    }

    fn log(&self, record: &log::Record<'_>) {
        let level = level_of(record.level());
        in_span(&mut |span| {
            let Some(host) = host_of(span).filter(|host| host.log_enabled(level)) else {
                return;
            };
            let around = Around::of(span, &host);
            Record {
                level: level.code(),
                kind: RB_RECORD_EVENT,
                duration: Duration::ZERO,
                target: record.target(),
                message: &record.args().to_string(),
                fields: "",
                spans: &around.spans,
                file: record.file().unwrap_or_default(),
                line: record.line().unwrap_or_default(),
                traced: around.traced.map(SpanContext::inside),
            }
            .send(&host);
        });
    }

    fn flush(&self) {}
}
