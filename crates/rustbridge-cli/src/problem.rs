//! Why a command has failed.

use std::fmt;

/// Why a command has failed, in words for who ran it.
#[derive(Debug)]
pub(crate) struct Problem(String);

impl Problem {
    pub(crate) fn new(what: impl fmt::Display) -> Problem {
        Problem(what.to_string())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
