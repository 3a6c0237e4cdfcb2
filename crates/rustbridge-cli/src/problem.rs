//! Why a command has failed.

use std::fmt;
use std::process::ExitCode;

/// Why a command has failed, in words for who ran it.
#[derive(Debug)]
pub(crate) struct Problem {
    what: String,
    is_answer: bool,
}

impl Problem {
    /// What was asked for couldn't be done.
    pub(crate) fn new(what: impl fmt::Display) -> Problem {
        Problem {
            what: what.to_string(),
            is_answer: false,
        }
    }

    /// It was done, and the answer is no: versions that don't go together, a client that isn't as it would be written.
    pub(crate) fn answer(what: impl fmt::Display) -> Problem {
        Problem {
            is_answer: true,
            ..Problem::new(what)
        }
    }

    /// 1 if the answer is no, and otherwise 2, as for a wrong command line: what `diff` and `grep` end with.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.is_answer { 1 } else { 2 })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}
