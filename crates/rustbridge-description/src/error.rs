//! Why a description is refused.

use std::fmt;

/// Why a description can't be used, in words for the plugin's author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    what: String,
}

impl Error {
    #[cold]
    pub(crate) fn new(what: impl fmt::Display) -> Error {
        Error {
            what: what.to_string(),
        }
    }

    /// What is wrong, as a clause: `two methods have the id 7`.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the plugin's description can't be used: {}; this has to be mended in the plugin",
            self.what
        )
    }
}

impl std::error::Error for Error {}
