//! What a request in a binary encoding is held to: its depth, and the elements it claims.

use std::cell::Cell;
use std::fmt;

use serde::de::Error;

use super::bounds::{Bounds, MAX_DEPTH, Refusal, WEIGHTLESS, has_room};

/// What the parts of one binary request have in common.
pub(super) struct Limits {
    /// How many elements may still come.
    elements: Cell<usize>,
    /// Why the request is refused, because postcard's errors keep no text.
    refused: Cell<Option<Refusal>>,
}

impl Limits {
    /// For a request of `len` bytes. Each element that has bytes has a first one that's no other's, since a sequence inside
    /// begins with its length; so there are no more of them than bytes.
    pub(super) fn new(len: usize) -> Limits {
        Limits {
            elements: Cell::new(len.saturating_add(WEIGHTLESS)),
            refused: Cell::new(None),
        }
    }

    /// What's wrong, in our words if it was refused here.
    #[cold]
    pub(super) fn problem(&self, error: impl fmt::Display) -> String {
        match self.refused.get() {
            Some(refusal) => refusal.to_string(),
            None => error.to_string(),
        }
    }
}

/// For the binary encodings.
#[derive(Clone, Copy)]
pub(super) struct OfBinary<'l> {
    depth: u32,
    limits: &'l Limits,
}

impl<'l> OfBinary<'l> {
    pub(super) fn new(limits: &'l Limits) -> OfBinary<'l> {
        OfBinary { depth: 0, limits }
    }

    #[cold]
    #[inline(never)]
    fn refuse<E: Error>(self, refusal: Refusal) -> E {
        self.limits.refused.set(Some(refusal));
        refusal.error()
    }
}

impl Bounds for OfBinary<'_> {
    const CLAIMS: bool = true;
    const STRUCTS_ARE_OBJECTS: bool = false;

    type Count = ();
    type OfNames = Self;

    #[inline(always)]
    fn deeper<E: Error>(self, besides: usize) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(self.refuse(Refusal::Depth));
        }
        if !has_room(depth, besides) {
            return Err(self.refuse(Refusal::Stack(depth)));
        }
        Ok(OfBinary { depth, ..self })
    }

    #[inline(always)]
    fn claim<E: Error>(self, elements: usize) -> Result<(), E> {
        match self.limits.elements.get().checked_sub(elements) {
            Some(left) => {
                self.limits.elements.set(left);
                Ok(())
            }
            None => Err(self.refuse(Refusal::Elements)),
        }
    }

    #[inline(always)]
    fn of_names(self) -> Self {
        self
    }
}
