//! The functions that `tracing` calls.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use rustbridge_abi::{RB_RECORD_EVENT, RB_RECORD_SPAN};
use serde_json::{Value, json};
use tracing_core::span::{Attributes, Current, Id, Record as Values};
use tracing_core::subscriber::Interest;
use tracing_core::{Event, LevelFilter, Metadata, Subscriber};

use super::fields::Fields;
use super::record::{Record, level_code};
use super::span::SpanContext;
use super::spans::{self, Open, Span};
use super::{ambient, live, span};
use crate::Host;

/// Sends events and ended spans to the host of the instance that they belong to.
pub(super) struct HostSubscriber;

/// Returns the instance to which an event on this thread belongs.
fn host_here() -> Option<Host> {
    ambient::marked()
        .or_else(|| {
            if !ambient::is_marking() {
                // One instance is alive, so there's nothing to tell apart.
                return None;
            }
            host_of_span(&*spans::current()?)
        })
        .or_else(live::alone)
}

fn host_of_span(span: &Span) -> Option<Host> {
    span.open.as_ref().map(|open| open.host.clone())
}

/// Returns the instance to which a record on this thread, inside `span`, belongs.
pub(super) fn host_of(span: Option<&Span>) -> Option<Host> {
    ambient::marked()
        .or_else(|| {
            span.filter(|_| ambient::is_marking())
                .and_then(host_of_span)
        })
        .or_else(live::alone)
}

/// The context of a record.
pub(super) struct Around {
    /// The spans as a JSON array; empty if there are none.
    pub(super) spans: String,
    /// The trace context of the innermost span, or of the task. The host knows that of a call.
    pub(super) traced: Option<SpanContext>,
}

impl Around {
    /// Returns the context of a record inside `span`. Spans of another instance, from which this one may have been
    /// called, are omitted.
    pub(super) fn of(span: Option<&Span>, host: &Host) -> Around {
        let mut spans: Vec<Value> = Vec::new();
        let mut traced = None;
        for span in span.into_iter().flat_map(Span::scope) {
            if let Some(open) = span.open.as_ref().filter(|open| open.host.same(host)) {
                let name = span.metadata.name();
                spans.push(json!({"name": name, "fields": &open.fields().values}));
                traced = open.traced;
            }
        }
        Around {
            spans: texts(&spans),
            traced: traced.or_else(span::of_task),
        }
    }
}

fn wanted(host: &Host, metadata: &Metadata<'_>) -> bool {
    level_code(*metadata.level()) <= host.level_code()
}

/// Logs that a span has ended.
fn ended(span: &Span) {
    let Some(open) = &span.open else {
        return;
    };
    let metadata = span.metadata;
    if !wanted(&open.host, metadata) {
        return;
    }
    let around = Around::of(span.parent().map(|parent| &**parent), &open.host);
    let fields = open.fields().to_json();
    Record {
        duration: open.since.elapsed(),
        message: metadata.name(),
        fields: &fields,
        spans: &around.spans,
        traced: open.traced,
        ..Record::of(metadata, RB_RECORD_SPAN)
    }
    .send(&open.host);
}

impl Subscriber for HostSubscriber {
    fn register_callsite(&self, _metadata: &'static Metadata<'static>) -> Interest {
        // Levels change while the plugin runs, and instances have different ones. What no instance wants is turned away
        // before by the maximum level.
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        host_here().is_some_and(|host| wanted(&host, metadata))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(live::max_level())
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let parent = around(
            attributes.is_root(),
            attributes.is_contextual(),
            attributes.parent(),
        );
        let open = host_here().map(|host| {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            let outer = parent.as_ref().and_then(|parent| {
                let open = parent.open.as_ref()?;
                open.traced.filter(|_| open.host.same(&host))
            });
            let traced = outer.or_else(|| span::here(&host)).map(SpanContext::child);
            Open {
                host,
                since: Instant::now(),
                fields: Mutex::new(fields),
                traced,
            }
        });
        spans::open(attributes.metadata(), parent, open)
    }

    fn record(&self, id: &Id, values: &Values<'_>) {
        // Before the span is locked: formatting a value runs the author's code, which may log inside this very span.
        let mut fields = Fields::default();
        values.record(&mut fields);
        if let Some(open) = spans::get(id).as_ref().and_then(|span| span.open.as_ref()) {
            open.fields().merge(fields);
        }
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let Some(host) = host_here() else {
            return;
        };
        let metadata = event.metadata();
        if !wanted(&host, metadata) {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let span = around(event.is_root(), event.is_contextual(), event.parent());
        let around = Around::of(span.as_deref(), &host);
        Record {
            message: &fields.message,
            fields: &fields.to_json(),
            spans: &around.spans,
            // Not the parent of the span that it's in: that is the span's.
            traced: around.traced.map(SpanContext::inside),
            ..Record::of(metadata, RB_RECORD_EVENT)
        }
        .send(&host);
    }

    fn enter(&self, id: &Id) {
        spans::enter(id);
    }

    fn exit(&self, id: &Id) {
        spans::exit(id);
    }

    fn clone_span(&self, id: &Id) -> Id {
        spans::refer(id);
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut closing = spans::release(&id);
        let is_closed = closing.is_some();
        // With a span its reference to the one around it goes. A loop, because spans may be in each other as deep as they like.
        while let Some(span) = closing {
            // Nobody finds it any more when the host hears of its end, and may call the plugin.
            spans::remove(&span);
            ended(&span);
            closing = span
                .parent()
                .and_then(|parent| spans::release(&parent.id()));
        }
        is_closed
    }

    fn current_span(&self) -> Current {
        spans::current().map_or_else(Current::none, |span| Current::new(span.id(), span.metadata))
    }
}

/// Returns the parent of a span or event: an explicit one, or this thread's current span.
fn around(is_root: bool, is_contextual: bool, parent: Option<&Id>) -> Option<Arc<Span>> {
    if is_root {
        None
    } else if is_contextual {
        spans::current()
    } else {
        parent.and_then(spans::get)
    }
}

/// Returns a JSON array, or an empty string in place of an empty array.
fn texts(spans: &[Value]) -> String {
    if spans.is_empty() {
        String::new()
    } else {
        serde_json::to_string(spans).unwrap_or_default()
    }
}
