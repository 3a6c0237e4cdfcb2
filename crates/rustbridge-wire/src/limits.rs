//! How much a message may be.

/// How many bytes a message takes at most: what the arrays of other languages hold.
pub const MAX_BYTES: usize = 0x7fff_fff7;

/// How many types with names, dynamic lists and dynamic maps may lie in each other.
pub const MAX_DEPTH: u32 = 128;
