//! The messages of the methods.

use rustbridge::prelude::*;

/// A text.
#[derive(Message, Clone, Debug)]
pub struct Note {
    /// The text.
    pub text: String,
}

/// How long to sleep.
#[derive(Message, Clone, Debug)]
pub struct Pause {
    /// In milliseconds.
    pub ms: u64,
}

/// What a call carries.
#[derive(Message, Clone, Debug)]
pub struct Carried {
    /// Whether there's an end to its time.
    pub has_deadline: bool,
    /// Its metadata as texts.
    pub metadata: Vec<(String, String)>,
    /// Its trace as W3C's `traceparent`.
    pub trace: Option<String>,
    /// What else is said of the trace.
    pub state: Option<String>,
}

/// Numbers in a row.
#[derive(Message, Clone, Debug, Default)]
#[serde(default)]
pub struct Range {
    /// The first.
    pub from: u64,
    /// The one after the last.
    pub to: u64,
    /// Where there's an error in place of a number.
    pub fail_at: Option<u64>,
    /// Where there's a panic.
    pub panic_at: Option<u64>,
}

/// A number.
#[derive(Message, Pod, Debug)]
#[repr(C)]
pub struct Number {
    /// The number.
    pub value: u64,
}
