//! What `tracing` calls.

use std::time::Instant;

use rustbridge_abi::{RB_RECORD_EVENT, RB_RECORD_SPAN};
use serde_json::{Value, json};
use tracing_core::span::{Attributes, Id, Record as Values};
use tracing_core::subscriber::Interest;
use tracing_core::{Event, LevelFilter, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::fields::Fields;
use super::record::{Record, level_code};
use super::{ambient, live};
use crate::Host;

/// Sends events and ended spans to the host of the instance that they belong to.
pub(super) struct HostLayer;

/// What is kept of an open span.
struct Open {
    /// The instance it was opened for. Work that moves to an unmarked thread inside its span stays attributed by it.
    host: Host,
    since: Instant,
    fields: Fields,
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
            let span = context.lookup_current()?;
            let host = span.extensions().get::<Open>()?.host.clone();
            Some(host)
        })
        .or_else(live::alone)
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
        span.extensions_mut().insert(Open {
            host,
            since: Instant::now(),
            fields,
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
        let spans = context
            .event_scope(event)
            .map_or_else(String::new, |scope| {
                let mut spans: Vec<Value> = Vec::new();
                for span in scope.from_root() {
                    let extensions = span.extensions();
                    // Not a span of another instance, in which the caller may have called.
                    if let Some(open) = extensions
                        .get::<Open>()
                        .filter(|open| open.host.same(&host))
                    {
                        spans.push(json!({"name": span.name(), "fields": &open.fields.values}));
                    }
                }
                texts(&spans)
            });
        Record {
            message: &fields.message,
            fields: &fields.to_json(),
            spans: &spans,
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
        let parents: Vec<Value> = span
            .scope()
            .from_root()
            .filter_map(|parent| {
                let extensions = parent.extensions();
                let open = extensions
                    .get::<Open>()
                    .filter(|parent| parent.host.same(&open.host))?;
                Some(json!({"name": parent.name(), "fields": &open.fields.values}))
            })
            .collect();
        Record {
            duration: open.since.elapsed(),
            message: metadata.name(),
            fields: &open.fields.to_json(),
            spans: &texts(&parents),
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
