//! Limits of messages.

use std::fmt;

/// The largest size of a message in bytes. Arrays of other languages can't be larger.
pub const MAX_BYTES: usize = 0x7fff_fff7;

/// The largest nesting depth of named types, dynamic lists and dynamic maps.
pub const MAX_DEPTH: u32 = 128;

/// The number of levels that aren't checked, because the smallest stacks have room for them.
pub(crate) const UNASKED: u32 = 8;

/// The bytes of stack that must be left for one more level: its frames, those of the author's own types, and the error at the end. A
/// thread's stack may be 128 KB, and a JVM reserves 16 KB of it for itself.
const ROOM: usize = if cfg!(debug_assertions) {
    64 << 10
} else {
    40 << 10
};

/// The additional bytes of stack that must be left for each measured level: writing recurses as deep without checks, and needs more for
/// a level.
pub(crate) const WRITING: usize = if cfg!(debug_assertions) {
    4 << 10
} else {
    1 << 10
};

/// Returns the reason why nothing may be nested inside a value at `depth`, if there is one. `each` is the number of additional bytes of
/// stack that must be left for each level.
#[cold]
#[inline(never)]
pub(crate) fn too_deep(depth: u32, each: usize) -> Option<TooDeep> {
    let room = ROOM + depth as usize * each;
    if depth >= MAX_DEPTH {
        Some(TooDeep::Levels)
    } else if rustbridge_stack::stack().is_some_and(|stack| stack.left < room) {
        Some(TooDeep::Stack)
    } else {
        None
    }
}

/// The exceeded limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooDeep {
    /// [`MAX_DEPTH`].
    Levels,
    /// This thread's stack.
    Stack,
}

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooDeep::Levels => write!(f, "it's nested deeper than {MAX_DEPTH} levels"),
            TooDeep::Stack => f.write_str("it's nested too deep for this thread's stack"),
        }
    }
}
