//! The limits of a request in a binary encoding: its depth, and the number of its elements.

use std::cell::Cell;
use std::fmt;

use serde::de::Error;

use super::bounds::{Bounds, MAX_DEPTH, Refusal, WEIGHTLESS, has_room};

/// The state that all parts of one binary request share.
pub(super) struct Limits {
    /// The number of elements that are still allowed.
    elements: Cell<usize>,
    /// The reason for a refusal. It's kept because postcard's errors have no text.
    refused: Cell<Option<Refusal>>,
}

impl Limits {
    /// Creates the limits of a request of `len` bytes. Elements that take bytes can't be more than `len`: each has a first
    /// byte that belongs to no other element, because a nested sequence begins with its length.
    pub(super) fn new(len: usize) -> Limits {
        Limits {
            elements: Cell::new(len.saturating_add(WEIGHTLESS)),
            refused: Cell::new(None),
        }
    }

    /// Returns the error message: the reason for the refusal if there was one, otherwise the text of `error`.
    #[cold]
    pub(super) fn problem(&self, error: impl fmt::Display) -> String {
        match self.refused.get() {
            Some(refusal) => refusal.to_string(),
            None => error.to_string(),
        }
    }
}

/// The limits of the binary encodings.
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
