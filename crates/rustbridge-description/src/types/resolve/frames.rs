//! How far what lies in each other is gone through.

use std::collections::HashSet;

use super::plan::{Case, Step};

/// What is gone through just now, and how far that is.
pub(super) enum Frame<'a> {
    Steps {
        steps: &'a [Step],
        next: usize,
    },
    /// Parts in another order, while they are gone through where they lie.
    Find {
        from: &'a [Step],
        to: &'a [(Option<u32>, Step)],
        /// Where each begins.
        places: Vec<usize>,
    },
    /// The same, while they are put where they go.
    Put {
        to: &'a [(Option<u32>, Step)],
        places: Vec<usize>,
        next: usize,
        end: usize,
    },
    Items {
        item: u32,
        next: u64,
        count: u64,
    },
    Pairs {
        key: u32,
        value: u32,
        pairs: Pairs<'a>,
    },
    DynamicItems {
        next: u64,
        count: u64,
    },
    DynamicPairs(Pairs<'a>),
    Variant(&'a Case),
    /// What ends here counts among those that lie in each other.
    Deep,
    /// What ends here isn't wanted.
    Muted,
}

/// How far a map is.
pub(super) struct Pairs<'a> {
    /// The pair that is gone through, or will be next.
    pub(super) index: u64,
    pub(super) count: u64,
    /// Where its key begins, which is what's gone through.
    pub(super) key_at: Option<usize>,
    pub(super) keys: HashSet<&'a [u8]>,
}

impl Pairs<'_> {
    pub(super) fn new(count: u64) -> Self {
        Pairs {
            index: 0,
            count,
            key_at: None,
            keys: HashSet::new(),
        }
    }
}

/// What of a map comes next.
pub(super) enum Part {
    Key,
    Value,
    End,
}

/// Where that is, for people: `items[1].name`.
#[cold]
pub(super) fn path(frames: &[Frame<'_>]) -> String {
    let mut path = String::new();
    let mut name = |name: &str| {
        if !path.is_empty() && !name.starts_with('[') {
            path.push('.');
        }
        path.push_str(name);
    };
    for frame in frames {
        match frame {
            Frame::Steps { steps, next } => {
                if let Some(step) = next.checked_sub(1).and_then(|at| steps.get(at)) {
                    name(&step.name);
                }
            }
            Frame::Find { from, places, .. } => {
                if let Some(step) = places.len().checked_sub(1).and_then(|at| from.get(at)) {
                    name(&step.name);
                }
            }
            Frame::Put { to, next, .. } => {
                if let Some((_, step)) = next.checked_sub(1).and_then(|at| to.get(at)) {
                    name(&step.name);
                }
            }
            Frame::Items { next, .. } | Frame::DynamicItems { next, .. } => {
                if let Some(index) = next.checked_sub(1) {
                    name(&format!("[{index}]"));
                }
            }
            Frame::Pairs { pairs, .. } | Frame::DynamicPairs(pairs) => {
                // Its value is gone through once its key is there.
                let index = match pairs.key_at {
                    Some(_) => Some(pairs.index),
                    None => pairs.index.checked_sub(1),
                };
                if let Some(index) = index {
                    name(&format!("[{index}]"));
                }
            }
            Frame::Variant(case) => name(&case.name),
            Frame::Deep | Frame::Muted => {}
        }
    }
    path
}
