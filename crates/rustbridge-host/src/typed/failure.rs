//! What a call ends with whose handler fails with an error that has a type.

use std::fmt;

use rustbridge_core::Error;
use rustbridge_wire::Decode;

/// Why a call has failed whose handler has an error type of its own: an error of that type, or any other.
///
/// `?` makes an [`Error`] of it where a function gives one.
#[derive(Clone, Debug)]
pub enum Failure<E> {
    /// The handler has said why.
    Typed {
        /// What it has said.
        error: E,
        /// The same as the error that it is without its type: with status and message.
        cause: Error,
    },
    /// The handler has failed otherwise, or wasn't called.
    Other(Error),
}

impl<E> Failure<E> {
    /// The handler's error, if it's that.
    #[must_use]
    pub fn error(&self) -> Option<&E> {
        match self {
            Failure::Typed { error, .. } => Some(error),
            Failure::Other(_) => None,
        }
    }

    /// The error without its type, which has status and message.
    #[must_use]
    pub fn cause(&self) -> &Error {
        match self {
            Failure::Typed { cause, .. } | Failure::Other(cause) => cause,
        }
    }
}

impl<E: for<'de> Decode<'de>> From<Error> for Failure<E> {
    #[cold]
    fn from(cause: Error) -> Failure<E> {
        match cause.typed_value().map(rustbridge_wire::read) {
            Some(Ok(error)) => Failure::Typed { error, cause },
            // What can't be read has a status and a message still.
            Some(Err(_)) | None => Failure::Other(cause),
        }
    }
}

impl<E> From<Failure<E>> for Error {
    fn from(failure: Failure<E>) -> Error {
        match failure {
            Failure::Typed { cause, .. } | Failure::Other(cause) => cause,
        }
    }
}

impl<E> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause().fmt(f)
    }
}

impl<E: fmt::Debug> std::error::Error for Failure<E> {}
