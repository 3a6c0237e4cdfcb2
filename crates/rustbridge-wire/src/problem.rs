//! What is wrong with a message.

use std::fmt;

/// What is wrong with a message, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    path: String,
    position: usize,
    message: String,
}

impl Problem {
    pub(crate) fn new(path: String, position: usize, message: String) -> Problem {
        Problem {
            path,
            position,
            message,
        }
    }

    /// Says where it is, for who has found it without knowing.
    pub(crate) fn set_path(&mut self, path: String) {
        self.path = path;
    }

    /// The field that it's in, e.g. `users[3].name`; empty for the message itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How many bytes were right.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// What was found and expected there.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "at `{}`, ", self.path)?;
        } else {
            f.write_str("at ")?;
        }
        write!(f, "byte {}: {}", self.position, self.message)
    }
}

impl std::error::Error for Problem {}
