//! Types that several modules share: states, the effect of panics, prepared methods, deadlines.

use std::fmt;
use std::time::{Duration, Instant};

use rustbridge_abi::Encoding;

/// The state of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum State {
    /// It accepts calls.
    Active = 1,
    /// It refuses calls after a panic, because of [`OnPanic::Poison`].
    Poisoned = 2,
    /// It refuses new calls, and waits for running ones.
    Closing = 3,
    /// It's destroyed.
    Closed = 4,
    /// It was loaded before this process was forked, so it exists only in the parent.
    Forked = 5,
}

impl State {
    /// Returns the state's name in lower case.
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

/// The effect of a panic on the instance. The call returns `INTERNAL` in both cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnPanic {
    /// It continues, like a `catch_unwind` around the handler.
    #[default]
    Continue,
    /// It refuses further calls with `FAILED_PRECONDITION`, for plugins whose state a panic may leave half changed. Other
    /// instances of the same plugin go on.
    Poison,
}

/// Bit of [`PreparedMethod::flags`]: the method is a leaf method. Its author declares it short, non-blocking and free of
/// callbacks.
pub const LEAF: u32 = 1;
/// Bit of [`PreparedMethod::flags`]: the handler is async. The blocking call still returns when it's done.
pub const ASYNC: u32 = 2;

/// Bit of [`PreparedMethod::flags`]: the method returns a stream of items.
pub const STREAM_OUT: u32 = 4;
/// Bit of [`PreparedMethod::flags`]: the method accepts a stream of items.
pub const STREAM_IN: u32 = 8;
/// Bit of [`PreparedMethod::flags`]: the response may contain objects.
pub const OBJECTS: u32 = 16;
/// Bit of [`PreparedMethod::flags`]: it's a method of an object, which is the first borrowed object.
pub const RECEIVER: u32 = 32;

/// A method that was resolved in one encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreparedMethod {
    /// The entry for [`handles::call`](crate::handles::call), without [`ENTRY_LEAF`](crate::handles::ENTRY_LEAF) and
    /// [`ENTRY_SHARED`](crate::handles::ENTRY_SHARED). It's valid for every instance of the same mapped library.
    pub entry: u32,
    /// The flags: [`LEAF`], [`ASYNC`], [`STREAM_OUT`], [`STREAM_IN`], [`OBJECTS`] and [`RECEIVER`].
    pub flags: u32,
    /// The request's size in bytes, if it's fixed (pod).
    pub request_size: Option<usize>,
    /// The size of the response, or of a received item, in bytes, if it's fixed (pod).
    pub response_size: Option<usize>,
    /// The size of a sent item in bytes, if it's fixed (pod).
    pub item_size: Option<usize>,
    /// The encoding that was resolved.
    pub encoding: Encoding,
    /// The largest request and buffer, in bytes, with which a leaf call may delay a garbage collector or hold a lock of
    /// the host's language. 0 if the method isn't a leaf method.
    pub leaf_limit: u32,
    /// The buffer size to offer to a first call.
    pub storage: u32,
    /// The largest buffer to keep between calls. After a response that didn't fit, offer the next power of two from its
    /// length on, up to this limit.
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
