//! What an encoding holds its values to, and why it refuses one.

use std::fmt;

use serde::de::Error;

use crate::stack;

/// serde_json's limit, so that every encoding refuses the same values.
pub(super) const MAX_DEPTH: u32 = 128;

/// Levels for which the stack isn't looked at. What's written by hand has rarely more, so a usual request never pays.
const SHALLOW: u32 = 8;

/// How many elements without bytes a request may have, all its sequences together. Nobody has a use for as many, and with
/// this number even elements that take memory when they've been read (fields that serde skips) take little.
pub(super) const WEIGHTLESS: usize = 4096;

/// What an encoding holds its values to.
pub(super) trait Bounds: Copy {
    /// Whether lengths are claimed in front of what they count.
    const CLAIMS: bool;
    /// Whether a struct is an object, and never an array of its fields.
    const STRUCTS_ARE_OBJECTS: bool;
    /// Whether the place of an error is found. What doesn't, has no use for the functions that have a body here.
    const TRAILS: bool = false;
    /// Whether this is for names, which are steps on the way to a place.
    const NAMES: bool = false;

    /// Counts the elements of a list, where that's a step on the way to a place.
    type Count: Default;
    /// The bounds of names: keys, fields and variants.
    type OfNames: Bounds;

    /// One level further down, for each of which so many bytes of the stack must be left besides.
    fn deeper<E: Error>(self, besides: usize) -> Result<Self, E>;

    /// Takes `elements` off those that may still come.
    fn claim<E: Error>(self, elements: usize) -> Result<(), E>;

    /// The same for a name.
    fn of_names(self) -> Self::OfNames;

    /// Notes a name that is read.
    #[inline(always)]
    fn name(self, _name: &dyn fmt::Display) {}

    /// Goes to the next element of a list, until [`leave`](Self::leave).
    #[inline(always)]
    fn enter_element(self, _count: &mut Self::Count) {}

    /// Goes to what the name read last is of, until [`leave`](Self::leave). `reached`, if it's being read by now.
    #[inline(always)]
    fn enter_named(self, _reached: bool) {}

    /// Notes that what was gone to is being read.
    #[inline(always)]
    fn reach(self) {}

    /// Goes back.
    #[inline(always)]
    fn leave(self, _failed: bool) {}
}

/// Whether the stack has room for the level `depth`, and `besides` for each up to it.
#[inline(always)]
pub(super) fn has_room(depth: u32, besides: usize) -> bool {
    depth <= SHALLOW || stack::has_room(depth as usize * besides)
}

/// For JSON, whose parser counts the levels and whose values all have bytes.
#[derive(Clone, Copy)]
pub(super) struct OfJson {
    depth: u32,
}

impl OfJson {
    #[inline(always)]
    pub(super) fn new() -> OfJson {
        OfJson { depth: 0 }
    }
}

impl Bounds for OfJson {
    const CLAIMS: bool = false;
    const STRUCTS_ARE_OBJECTS: bool = true;

    type Count = ();
    type OfNames = OfJson;

    #[inline(always)]
    fn deeper<E: Error>(self, besides: usize) -> Result<Self, E> {
        let depth = self.depth + 1;
        if has_room(depth, besides) {
            Ok(OfJson { depth })
        } else {
            Err(Refusal::Stack(depth).error())
        }
    }

    #[inline(always)]
    fn claim<E: Error>(self, _elements: usize) -> Result<(), E> {
        Ok(())
    }

    #[inline(always)]
    fn of_names(self) -> OfJson {
        self
    }
}

/// Why something isn't read.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(feature = "msgpack", feature = "bincode", feature = "postcard")),
    expect(
        dead_code,
        reason = "JSON has no claims, and its parser counts the levels"
    )
)]
pub(super) enum Refusal {
    Depth,
    Stack(u32),
    Elements,
    Array,
}

impl Refusal {
    #[cold]
    #[inline(never)]
    pub(super) fn error<E: Error>(self) -> E {
        E::custom(self)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Depth => write!(f, "nested deeper than {MAX_DEPTH} levels"),
            Refusal::Stack(depth) => write!(
                f,
                "nested {depth} levels deep, for which the calling thread's stack is too small"
            ),
            Refusal::Elements => write!(
                f,
                "a sequence or map claims more elements than the request has bytes and {WEIGHTLESS} without any"
            ),
            Refusal::Array => f.write_str("expected an object, found an array"),
        }
    }
}
