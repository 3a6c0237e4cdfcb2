//! The limits that encodings apply to values, and the errors for values beyond them.

use std::fmt;

use serde::de::Error;

use crate::stack;

/// serde_json's limit, so that every encoding refuses the same values.
pub(super) const MAX_DEPTH: u32 = 128;

/// The number of levels for which the stack isn't checked. Requests rarely have more, so the check usually costs nothing.
const SHALLOW: u32 = 8;

/// The largest number of elements without bytes in a request, in all its sequences together. It's far above any real use,
/// and low enough for elements that take memory after decoding (fields that serde skips).
pub(super) const WEIGHTLESS: usize = 4096;

/// The limits that an encoding applies to values.
pub(super) trait Bounds: Copy {
    /// Whether lengths precede the elements that they count.
    const CLAIMS: bool;
    /// Whether a struct must be an object, never an array of its fields.
    const STRUCTS_ARE_OBJECTS: bool;
    /// Whether the path of an error is tracked. If not, the functions with a default body do nothing.
    const TRAILS: bool = false;
    /// Whether these are the limits of names, which are part of the path.
    const NAMES: bool = false;

    /// Counts the elements of a list, if the path is tracked.
    type Count: Default;
    /// The limits of names: keys, fields and variants.
    type OfNames: Bounds;

    /// Returns the limits one level further down. `besides` is the number of additional bytes of stack that must be left
    /// for each level.
    fn deeper<E: Error>(self, besides: usize) -> Result<Self, E>;

    /// Subtracts `elements` from the number of elements that are still allowed.
    fn claim<E: Error>(self, elements: usize) -> Result<(), E>;

    /// Returns the limits of a name.
    fn of_names(self) -> Self::OfNames;

    /// Records the name that was read.
    #[inline(always)]
    fn name(self, _name: &dyn fmt::Display) {}

    /// Enters the next element of a list, until [`leave`](Self::leave).
    #[inline(always)]
    fn enter_element(self, _count: &mut Self::Count) {}

    /// Enters the value of the last name, until [`leave`](Self::leave). `reached` is whether the value is already being
    /// read.
    #[inline(always)]
    fn enter_named(self, _reached: bool) {}

    /// Records that the entered value is being read.
    #[inline(always)]
    fn reach(self) {}

    /// Leaves the element or value.
    #[inline(always)]
    fn leave(self, _failed: bool) {}
}

/// Returns whether the stack has room for level `depth`, and for `besides` bytes for each level up to it.
#[inline(always)]
pub(super) fn has_room(depth: u32, besides: usize) -> bool {
    depth <= SHALLOW || stack::has_room(depth as usize * besides)
}

/// The limits of JSON. Its parser counts the levels, and all its values have bytes.
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

/// The reason why a value is refused.
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
                "a sequence or map has too many elements: expected at most one for each byte of the request, and {WEIGHTLESS} more"
            ),
            Refusal::Array => f.write_str("expected an object, found an array"),
        }
    }
}
