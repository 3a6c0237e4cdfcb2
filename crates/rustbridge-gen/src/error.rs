//! Why a client can't be written.

use std::fmt;

/// Why a client can't be written, in words for who runs the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    what: String,
}

impl Error {
    pub(crate) fn new(what: impl fmt::Display) -> Error {
        Error {
            what: what.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}

impl From<rustbridge_description::Error> for Error {
    fn from(error: rustbridge_description::Error) -> Error {
        Error::new(error)
    }
}
