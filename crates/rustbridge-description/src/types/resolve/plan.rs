//! What a plan consists of.

use std::fmt;

/// The number of a variant that a client of an open enum doesn't know. Nothing is behind it.
pub const UNKNOWN_VARIANT: u16 = u16::MAX;

/// How many bytes a message takes at most, as `docs/wire.md` says.
pub const MAX_BYTES: usize = 0x7fff_fff7;

/// How many types with names, dynamic lists and dynamic maps may lie in each other.
pub(super) const MAX_DEPTH: u32 = 128;

/// How many characters a decimal number has at most.
pub(super) const MAX_DECIMAL: usize = 1000;

/// How messages of one side become messages of the other.
///
/// There's one wherever [`compare`](crate::types::compare()) finds something that doesn't break: both follow the same rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) nodes: Vec<Node>,
    /// The first bytes of the default values that fields have on one side only.
    pub(super) default_values: Vec<Box<[u8]>>,
    pub(super) root: u32,
}

/// What is done with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// How many bytes it is on both sides, if those of one are just what the other has, whatever they are.
    pub(super) width: Option<u64>,
    /// Whether it counts among those that lie in each other.
    pub(super) is_deep: bool,
}

/// What a value is, to whoever reads it. Numbers are those of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// So many bytes, and what they are.
    Copy(u64, Box<str>),
    Bool,
    Char,
    String,
    Decimal,
    Bytes,
    /// Seconds and nanoseconds of what.
    Time(&'static str),
    Any,
    Option(u32),
    List {
        item: u32,
        /// The fewest bytes of an item, where it comes from.
        least: u64,
        /// Whether its items are aligned where it comes from, and where it goes.
        aligned: (bool, bool),
    },
    Array {
        item: u32,
        count: u64,
        least: u64,
    },
    Map {
        key: u32,
        value: u32,
        least: u64,
    },
    /// What is inside.
    Same(u32),
    /// Parts that lie in the same order on both sides.
    Steps(Box<[Step]>),
    /// Parts that don't: first all are gone through where they come from, then put where they go.
    Sorted {
        from: Box<[Step]>,
        /// Which of `from` each is.
        to: Box<[(Option<u32>, Step)]>,
    },
    Enum {
        name: Box<str>,
        cases: Box<[Case]>,
    },
}

/// A variant of where the value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) name: Box<str>,
    /// Its number where the value goes.
    pub(super) to: u16,
    /// What is behind it, if anything is.
    pub(super) body: Option<u32>,
    /// What becomes of the value.
    pub(super) fate: Fate,
}

/// What becomes of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It's one of the other side's.
    Known,
    /// The other side doesn't know it, and gets the unknown one.
    LeftOut,
    /// The other side doesn't know it, so the message is refused.
    Refused,
}

/// A part with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) name: Box<str>,
    pub(super) act: Act,
    /// How many bytes this and the following take up to the step of that number, if they are copied as they are.
    pub(super) run: (u64, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// A value that is always there.
    Value(u32),
    /// One that may be absent on both sides.
    Perhaps(u32),
    /// One that is always there, and goes where it may be absent.
    Add(u32),
    /// One that may be absent, and goes where it's always there.
    Must(u32),
    /// What there's nothing of: it's absent.
    Absent,
    /// The default value of that number, of a field that only the receiver has.
    Default {
        value: u32,
        /// Whether it's an empty list whose items are aligned.
        is_aligned: bool,
    },
    /// A value that isn't wanted.
    Skip(u32),
    /// One that isn't wanted, and may be absent.
    SkipPerhaps(u32),
    /// An option that the other side has no field for: it must be none.
    None,
    /// A field with a default that the other side has no field for: it must be absent, or an option that is none.
    NoneOrAbsent {
        /// Whether it's an option.
        is_option: bool,
    },
    /// A field that the other side has no field for: it must be absent, or have the default value of that number. The node goes through it.
    DefaultOrAbsent { node: u32, value: u32 },
}

/// Why a message can't be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field that it's in, e.g. `users[3].name`; empty for the message itself.
    pub path: String,
    /// How many bytes were right.
    pub position: usize,
    /// What was found and expected there.
    pub message: String,
    /// Whose fault it is.
    pub reason: Reason,
}

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bytes aren't a message of the side that they come from.
    Malformed,
    /// The message is right, and too large in the other side's words.
    TooLarge,
    /// The message is right, and uses what the other side lacks: a field, a variant, or a default.
    Lacking,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str("at ")?;
        } else {
            write!(f, "at `{}`, ", self.path)?;
        }
        write!(f, "byte {}: {}", self.position, self.message)
    }
}

impl std::error::Error for Problem {}

/// The kinds of dynamic values.
pub(super) mod tag {
    pub(in crate::types::resolve) const NULL: u8 = 0;
    pub(in crate::types::resolve) const TRUE: u8 = 2;
    pub(in crate::types::resolve) const I64: u8 = 3;
    pub(in crate::types::resolve) const U64: u8 = 4;
    pub(in crate::types::resolve) const F64: u8 = 5;
    pub(in crate::types::resolve) const STRING: u8 = 6;
    pub(in crate::types::resolve) const BYTES: u8 = 7;
    pub(in crate::types::resolve) const LIST: u8 = 8;
    pub(in crate::types::resolve) const MAP: u8 = 9;
}
