//! The messages of the methods.

use rustbridge::prelude::*;

/// A text.
#[derive(Message, Clone, Debug)]
pub struct Note {
    /// The text.
    pub text: String,
}

/// How to fail.
#[derive(Message, Clone, Debug)]
pub struct Refusal {
    /// The status as a number; 0 for not at all.
    pub status: i32,
    /// Why.
    pub why: String,
}

impl Refusal {
    /// The same as an error, unless it's none.
    pub(crate) fn check(&self) -> Result<()> {
        match Status::from_code(self.status) {
            Status::Ok => Ok(()),
            status => Err(Error::new(status, self.why.clone())
                .with_type("Refused.OnRequest")
                .with_detail("status", self.status)
                .with_detail("why", self.why.clone())),
        }
    }
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
