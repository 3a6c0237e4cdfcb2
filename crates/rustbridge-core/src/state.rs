//! What is said of an instance and its methods in every room: states, what a panic does, a method made ready, deadlines.

use std::fmt;
use std::time::{Duration, Instant};

use rustbridge_abi::Encoding;

/// What an instance is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum State {
    /// It takes calls.
    Active = 1,
    /// A panic in it made it refuse calls, as [`OnPanic::Poison`] asks.
    Poisoned = 2,
    /// It takes no more calls; some may still run.
    Closing = 3,
    /// It's gone.
    Closed = 4,
    /// It was loaded before this process was forked, so it lives in the parent only.
    Forked = 5,
}

impl State {
    /// The state's name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Poisoned => "poisoned",
            State::Closing => "closing",
            State::Closed => "closed",
            State::Forked => "forked",
        }
    }

    /// How a slot stores it: one byte, 0 for what has no state yet.
    pub(crate) fn to_bits(state: Option<State>) -> u8 {
        state.map_or(0, |state| state as u8)
    }

    pub(crate) fn from_bits(bits: u8) -> Option<State> {
        match bits {
            1 => Some(State::Active),
            2 => Some(State::Poisoned),
            3 => Some(State::Closing),
            4 => Some(State::Closed),
            5 => Some(State::Forked),
            _ => None,
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a panic in a call does to the instance. The call answers `INTERNAL` either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnPanic {
    /// It goes on, as a `catch_unwind` around the handler would.
    #[default]
    Continue,
    /// It refuses further calls with `FAILED_PRECONDITION`, for plugins whose state a panic may leave half changed. Other
    /// instances of the same plugin go on.
    Poison,
}

/// Bit of [`Prepared::flags`]: the method is leaf, so its author has promised that it's short, doesn't block and doesn't
/// call back.
pub const LEAF: u32 = 1;
/// Bit of [`Prepared::flags`]: the handler is async; the call still returns when it's done.
pub const ASYNC: u32 = 2;

/// Bit of [`Prepared::flags`]: it returns a stream of items.
pub const STREAM_OUT: u32 = 4;
/// Bit of [`Prepared::flags`]: it takes a stream of items.
pub const STREAM_IN: u32 = 8;
/// Bit of [`Prepared::flags`]: objects may come with its answer.
pub const OBJECTS: u32 = 16;
/// Bit of [`Prepared::flags`]: it's a method of an object, which is lent to it first.
pub const RECEIVER: u32 = 32;

/// A method in one encoding, resolved for calling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// What [`handles::call`](crate::handles::call) takes, without [`ENTRY_LEAF`](crate::handles::ENTRY_LEAF) and
    /// [`ENTRY_SHARED`](crate::handles::ENTRY_SHARED). Good for every instance of the same mapped library.
    pub entry: u32,
    /// [`LEAF`], [`ASYNC`], [`STREAM_OUT`], [`STREAM_IN`], [`OBJECTS`] and [`RECEIVER`].
    pub flags: u32,
    /// Size of the request in bytes, where it's fixed (pod).
    pub request_size: Option<usize>,
    /// Size of the response in bytes, or of an item of a stream, where it's fixed (pod).
    pub response_size: Option<usize>,
    /// Size of an item of the stream that it takes, where it's fixed (pod).
    pub item_size: Option<usize>,
    /// The encoding that was resolved.
    pub encoding: Encoding,
    /// The most bytes of request, and of storage, with which a leaf call may hold off a garbage collector or keep a lock
    /// of the host's language. 0 if the method isn't leaf.
    pub leaf_limit: u32,
    /// How much storage to offer to a first call.
    pub storage: u32,
    /// How much storage is worth keeping from call to call: after a response that didn't fit, offer the next power of two
    /// from its length on, up to this.
    pub buffer_limit: u64,
}

/// When a timeout is over; never, if that's beyond what a clock can say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(timeout: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(timeout))
    }

    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// How long until then; `None` for never.
    pub(crate) fn left(self) -> Option<Duration> {
        self.0
            .map(|end| end.saturating_duration_since(Instant::now()))
    }
}
