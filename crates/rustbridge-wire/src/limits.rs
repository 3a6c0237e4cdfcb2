//! How much a message may be.

use std::fmt;

/// How many bytes a message takes at most: what the arrays of other languages hold.
pub const MAX_BYTES: usize = 0x7fff_fff7;

/// How many types with names, dynamic lists and dynamic maps may lie in each other.
pub const MAX_DEPTH: u32 = 128;

/// How many of them nobody asks about: these the smallest of stacks has room for.
pub(crate) const UNASKED: u32 = 8;

/// What must be left of the stack for one level more: its frames, those of the author's own types, and the error at the end. A thread's
/// stack may be 128 KB, and a JVM keeps 16 KB of it for itself.
const ROOM: usize = if cfg!(debug_assertions) {
    64 << 10
} else {
    40 << 10
};

/// What must be left besides for each level that is measured: writing goes down as deep, without asking, and takes more for a level.
pub(crate) const WRITING: usize = if cfg!(debug_assertions) {
    4 << 10
} else {
    1 << 10
};

/// Why nothing may lie in what is so deep, if it may not; `each` is what of the stack must be left besides
/// for each level.
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

/// What there's too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooDeep {
    /// Of levels.
    Levels,
    /// Of this thread's stack.
    Stack,
}

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooDeep::Levels => write!(f, "it's nested deeper than {MAX_DEPTH} levels"),
            TooDeep::Stack => {
                f.write_str("it's nested deeper than this thread's stack has room for")
            }
        }
    }
}
