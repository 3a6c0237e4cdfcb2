//! The trace context of log records.
//!
//! In a sampled trace a span has its own ID, so that a host can export it as a span. In other traces only the trace's ID and the
//! caller's span are known; they suffice to find the records that belong together.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::process;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustbridge_abi::{CallContext, RB_CONTEXT_TRACE};

use crate::{Host, Trace};

/// A position in a trace: a span of the plugin, or the caller's span.
#[derive(Clone, Copy)]
pub(crate) struct SpanContext {
    pub(super) id: [u8; 16],
    pub(super) span: [u8; 8],
    /// The parent span; all zero if this is the caller's own span.
    pub(super) parent: [u8; 8],
    is_sampled: bool,
}

impl SpanContext {
    pub(crate) fn of(trace: &Trace<'_>) -> SpanContext {
        SpanContext {
            id: trace.id(),
            span: trace.span_id(),
            parent: [0; 8],
            is_sampled: trace.is_sampled(),
        }
    }

    /// Returns the context of a record inside this span that isn't a span itself.
    pub(super) fn inside(self) -> SpanContext {
        SpanContext {
            parent: [0; 8],
            ..self
        }
    }

    /// Returns the context of a span inside this one.
    pub(super) fn child(self) -> SpanContext {
        if !self.is_sampled {
            return self;
        }
        SpanContext {
            span: span_id(),
            parent: self.span,
            ..self
        }
    }
}

thread_local! {
    /// The trace context of the task that this thread polls. Blocking calls don't set it, because the host knows their trace.
    static HERE: Cell<Option<SpanContext>> = const { Cell::new(None) };
}

/// Whether a task of this copy of the library was ever part of a trace. Until then, threads needn't set their context.
static IS_USED: AtomicBool = AtomicBool::new(false);

/// Sets this thread's trace context, or clears it, until the value is dropped.
pub(crate) struct Scope(Option<Before>);

/// The thread's previous trace context.
struct Before(Option<SpanContext>);

impl Scope {
    #[inline]
    pub(crate) fn enter(traced: Option<SpanContext>) -> Scope {
        if traced.is_none() && !IS_USED.load(Ordering::Relaxed) {
            return Scope(None);
        }
        IS_USED.store(true, Ordering::Relaxed);
        Scope(HERE.try_with(|here| Before(here.replace(traced))).ok())
    }
}

impl Drop for Scope {
    #[inline]
    fn drop(&mut self) {
        if let Some(Before(before)) = self.0.take() {
            let _ = HERE.try_with(|here| here.set(before));
        }
    }
}

/// Returns the trace context of this thread's task, if it's part of a trace.
pub(super) fn of_task() -> Option<SpanContext> {
    HERE.try_with(Cell::get).ok().flatten()
}

/// Returns the trace context of this thread's task, or else of its call.
pub(super) fn here(host: &Host) -> Option<SpanContext> {
    of_task().or_else(|| {
        let header = host.current_call()?;
        let CallContext {
            trace_id, span_id, ..
        } = header;
        (header.flags & RB_CONTEXT_TRACE != 0)
            .then(|| SpanContext::of(&Trace::new(trace_id, span_id, header.trace_flags, "")))
    })
}

/// Returns a random ID that isn't all zero. The IDs of one trace must differ across processes, also in a forked child.
fn span_id() -> [u8; 8] {
    /// The seed of this copy of the library, which distinguishes it from other copies.
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(process::id()));
    /// The number of IDs from this copy.
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let process = u64::from(process::id()).rotate_left(40);
    // splitmix64: a bijection, so that different counts are different ids.
    let mut id = (*SEED ^ process).wrapping_add(count.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    id = (id ^ (id >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    id = (id ^ (id >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    id ^= id >> 31;
    id.max(1).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_an_id_of_its_own_where_the_trace_is_sampled() {
        let caller = SpanContext::of(&Trace::new([1; 16], [2; 8], 1, ""));
        let (one, two) = (caller.child(), caller.child());
        assert_ne!(one.span, two.span);
        assert_eq!((one.id, one.parent), ([1; 16], [2; 8]));
        assert_eq!(one.child().parent, one.span);
        let quiet = SpanContext::of(&Trace::new([1; 16], [2; 8], 0, "")).child();
        assert_eq!((quiet.span, quiet.parent), ([2; 8], [0; 8]));
    }

    #[test]
    fn scopes_end_in_order() {
        let traced = SpanContext::of(&Trace::new([1; 16], [2; 8], 1, ""));
        assert!(of_task().is_none());
        let outer = Scope::enter(Some(traced));
        {
            let _none = Scope::enter(None);
            assert!(of_task().is_none());
        }
        assert!(of_task().is_some());
        drop(outer);
        assert!(of_task().is_none());
    }
}
