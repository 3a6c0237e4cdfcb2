//! The error of a message that can't be read.

use std::fmt;

/// The error of a message that can't be read, with its position.
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

    /// Sets the path, for a reader that found the problem without knowing it.
    pub(crate) fn set_path(&mut self, path: String) {
        self.path = path;
    }

    /// Returns the path of the field with the problem, e.g. `users[3].name`. It's empty for the message itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the number of valid bytes before the problem.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns a message with the value that was found and the one that was expected.
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
