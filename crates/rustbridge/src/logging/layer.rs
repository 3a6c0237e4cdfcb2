//! What `tracing` calls.

use std::time::Instant;

use rustbridge_abi::{RB_RECORD_EVENT, RB_RECORD_SPAN};
use serde_json::{Value, json};
use tracing_core::span::{Attributes, Id, Record as Values};
use tracing_core::subscriber::Interest;
use tracing_core::{Event, LevelFilter, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use super::fields::Fields;
use super::record::{Record, level_code};
use super::traced::Traced;
use super::{ambient, live, traced};
use crate::Host;

/// Sends events and ended spans to the host of the instance that they belong to.
pub(super) struct HostLayer;

/// What is kept of an open span.
struct Open {
    /// The instance it was opened for. Work that moves to an unmarked thread inside its span stays attributed by it.
    host: Host,
    since: Instant,
    fields: Fields,
    /// Where in a trace it is, if in one.
    traced: Option<Traced>,
}

/// The instance that an event on this thread belongs to.
fn host_here<S>(context: &Context<'_, S>) -> Option<Host>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    ambient::marked()
        .or_else(|| {
            if !ambient::is_marking() {
                // One instance is alive, so there's nothing to tell apart.
                return None;
            }
            host_of_span(&context.lookup_current()?)
        })
        .or_else(live::alone)
}

fn host_of_span<R>(span: &SpanRef<'_, R>) -> Option<Host>
where
    R: for<'a> LookupSpan<'a>,
{
    let host = span.extensions().get::<Open>()?.host.clone();
    Some(host)
}

/// The instance that something on this thread belongs to, which is in that span.
pub(super) fn host_of<R>(span: Option<&SpanRef<'_, R>>) -> Option<Host>
where
    R: for<'a> LookupSpan<'a>,
{
    ambient::marked()
        .or_else(|| {
            span.filter(|_| ambient::is_marking())
                .and_then(host_of_span)
        })
        .or_else(live::alone)
}

/// What something logged is in.
pub(super) struct Around {
    /// A JSON array, or nothing if there's none.
    pub(super) spans: String,
    /// The innermost span's place in a trace, or the task's; a call's is known to the host.
    pub(super) traced: Option<Traced>,
}

impl Around {
    /// `span` is the innermost. Those of another instance, in which the caller may have called, are left out.
    pub(super) fn of<R>(span: Option<&SpanRef<'_, R>>, host: &Host) -> Around
    where
        R: for<'a> LookupSpan<'a>,
    {
        let mut spans: Vec<Value> = Vec::new();
        let mut traced = None;
        for span in span.into_iter().flat_map(|span| span.scope().from_root()) {
            let extensions = span.extensions();
            if let Some(open) = extensions.get::<Open>().filter(|open| open.host.same(host)) {
                spans.push(json!({"name": span.name(), "fields": &open.fields.values}));
                traced = open.traced;
            }
        }
        Around {
            spans: texts(&spans),
            traced: traced.or_else(traced::of_task),
        }
    }
}

fn wanted(host: &Host, metadata: &Metadata<'_>) -> bool {
    level_code(*metadata.level()) <= host.level_code()
}

impl<S> Layer<S> for HostLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn register_callsite(&self, _metadata: &'static Metadata<'static>) -> Interest {
        // Levels change while the plugin runs, and instances have different ones. What no instance wants is turned away
        // before by the maximum level.
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>, context: Context<'_, S>) -> bool {
        host_here(&context).is_some_and(|host| wanted(&host, metadata))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(live::max_level())
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let (Some(host), Some(span)) = (host_here(&context), context.span(id)) else {
            return;
        };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let outer = span.parent().and_then(|parent| {
            let extensions = parent.extensions();
            let open = extensions.get::<Open>()?;
            open.traced.filter(|_| open.host.same(&host))
        });
        let traced = outer.or_else(|| traced::here(&host)).map(Traced::child);
        span.extensions_mut().insert(Open {
            host,
            since: Instant::now(),
            fields,
            traced,
        });
    }

    fn on_record(&self, id: &Id, values: &Values<'_>, context: Context<'_, S>) {
        // Before the span is locked: formatting a value runs the author's code, which may log inside this very span.
        let mut fields = Fields::default();
        values.record(&mut fields);
        if let Some(span) = context.span(id) {
            if let Some(open) = span.extensions_mut().get_mut::<Open>() {
                open.fields.merge(fields);
            }
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let Some(host) = host_here(&context) else {
            return;
        };
        let metadata = event.metadata();
        if !wanted(&host, metadata) {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let around = Around::of(context.event_span(event).as_ref(), &host);
        Record {
            message: &fields.message,
            fields: &fields.to_json(),
            spans: &around.spans,
            // Not the parent of the span that it's in: that is the span's.
            traced: around.traced.map(Traced::inside),
            ..Record::of(metadata, RB_RECORD_EVENT)
        }
        .send(&host);
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let Some(open) = span.extensions_mut().remove::<Open>() else {
            return;
        };
        let metadata = span.metadata();
        if !wanted(&open.host, metadata) {
            return;
        }
        let around = Around::of(span.parent().as_ref(), &open.host);
        Record {
            duration: open.since.elapsed(),
            message: metadata.name(),
            fields: &open.fields.to_json(),
            spans: &around.spans,
            traced: open.traced,
            ..Record::of(metadata, RB_RECORD_SPAN)
        }
        .send(&open.host);
    }
}

/// A JSON array, or nothing if it would be empty.
fn texts(spans: &[Value]) -> String {
    if spans.is_empty() {
        String::new()
    } else {
        serde_json::to_string(spans).unwrap_or_default()
    }
}
