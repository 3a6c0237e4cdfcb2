//! The spans that are open, and which of them each thread is in.
//!
//! `tracing-subscriber` has a registry that does the same, for any number of layers. This has one reader and one kind of
//! data per span, so that an author's first build has less to compile.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::iter;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tracing_core::Metadata;
use tracing_core::span::Id;

use super::fields::Fields;
use super::span::SpanContext;
use crate::Host;

/// A span of `tracing`.
pub(super) struct Span {
    id: u64,
    pub(super) metadata: &'static Metadata<'static>,
    parent: Option<Arc<Span>>,
    /// How often it is referred to: by the author's handles, and by the spans in it. It closes at 0.
    references: AtomicUsize,
    /// Nothing if no instance was known when it was opened.
    pub(super) open: Option<Open>,
}

/// The data of a span that belongs to an instance.
pub(super) struct Open {
    /// The instance it was opened for. Work that moves to an unmarked thread inside its span stays attributed by it.
    pub(super) host: Host,
    pub(super) since: Instant,
    pub(super) fields: Mutex<Fields>,
    /// Where in a trace it is, if in one.
    pub(super) traced: Option<SpanContext>,
}

impl Open {
    pub(super) fn fields(&self) -> MutexGuard<'_, Fields> {
        self.fields.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Span {
    pub(super) fn id(&self) -> Id {
        Id::from_u64(self.id)
    }

    pub(super) fn parent(&self) -> Option<&Arc<Span>> {
        self.parent.as_ref()
    }

    /// The spans that it is in, the outermost first, and itself.
    pub(super) fn scope(&self) -> impl Iterator<Item = &Span> {
        let outwards = iter::successors(Some(self), |span| span.parent.as_deref());
        let mut spans: Vec<&Span> = outwards.collect();
        spans.reverse();
        spans.into_iter()
    }
}

/// How many parts the table has, so that threads rarely wait for each other. A power of two.
const PARTS: usize = 16;

/// The open spans by their numbers. Per copy of this crate, like the subscriber that `tracing` keeps per library.
static SPANS: [Mutex<BTreeMap<u64, Arc<Span>>>; PARTS] =
    [const { Mutex::new(BTreeMap::new()) }; PARTS];

/// The number of the next span, never used again: a stale number finds nothing. Per copy of this crate, like the table.
static NEXT: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The spans that this thread has entered and not left, the innermost last. One can be there several times.
    static ENTERED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

fn part(id: u64) -> MutexGuard<'static, BTreeMap<u64, Arc<Span>>> {
    SPANS[id as usize % PARTS]
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Adds a reference to a span. Returns whether that was possible: one whose last reference was released is closing.
fn refer_to(span: &Span) -> bool {
    let more = |references| (references > 0).then_some(references + 1);
    let added = span
        .references
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    added.is_ok()
}

/// Opens a span with one reference. A parent that is closing isn't one.
pub(super) fn open(
    metadata: &'static Metadata<'static>,
    parent: Option<Arc<Span>>,
    open: Option<Open>,
) -> Id {
    let parent = parent.filter(|parent| refer_to(parent));
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let span = Arc::new(Span {
        id,
        metadata,
        parent,
        references: AtomicUsize::new(1),
        open,
    });
    part(id).insert(id, span);
    Id::from_u64(id)
}

/// Returns an open span.
pub(super) fn get(id: &Id) -> Option<Arc<Span>> {
    let id = id.into_u64();
    part(id).get(&id).cloned()
}

/// Adds a reference to a span.
pub(super) fn refer(id: &Id) {
    // The caller has a reference, so none is the last one while this is added.
    if let Some(span) = get(id) {
        refer_to(&span);
    }
}

/// Takes a reference off a span. Returns the span if that was the last one, for [`remove`].
pub(super) fn release(id: &Id) -> Option<Arc<Span>> {
    let span = get(id)?;
    // What others did with the span happens before it closes.
    let before = span.references.fetch_sub(1, Ordering::AcqRel);
    (before == 1).then_some(span)
}

/// Removes a span whose last reference was released.
pub(super) fn remove(span: &Span) {
    // Dropped outside the lock: the host in it may have its last owner here.
    let removed = part(span.id).remove(&span.id);
    drop(removed);
}

/// Has this thread be in a span.
pub(super) fn enter(id: &Id) {
    let _ = ENTERED.try_with(|entered| entered.borrow_mut().push(id.into_u64()));
}

/// Has this thread leave a span, which need not be the innermost.
pub(super) fn exit(id: &Id) {
    let _ = ENTERED.try_with(|entered| {
        let mut entered = entered.borrow_mut();
        let place = entered.iter().rposition(|one| *one == id.into_u64());
        place.map(|place| entered.remove(place))
    });
}

/// Returns the innermost span that this thread is in, unless it has closed. A span that is entered again inside itself doesn't count
/// a second time: the innermost is then the one that was entered between.
pub(super) fn current() -> Option<Arc<Span>> {
    let id = ENTERED.try_with(|entered| {
        let entered = entered.borrow();
        let first = |place: &usize| !entered[..*place].contains(&entered[*place]);
        let place = (0..entered.len()).rev().find(first)?;
        Some(entered[place])
    });
    get(&Id::from_u64(id.ok().flatten()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered() -> Vec<u64> {
        ENTERED.with(|entered| entered.borrow().clone())
    }

    #[test]
    fn a_span_is_left_from_the_middle_and_the_innermost_of_its_entries_first() {
        let [one, two] = [1, 2].map(Id::from_u64);
        for id in [&one, &two, &one] {
            enter(id);
        }
        exit(&one);
        assert_eq!(entered(), [1, 2]);
        exit(&one);
        assert_eq!(entered(), [2]);
        exit(&one);
        assert_eq!(entered(), [2]);
        exit(&two);
        assert!(entered().is_empty());
    }
}
