//! The error of a call whose handler has its own error type.

use std::fmt;

use rustbridge_core::{Error, Status};
use rustbridge_wire::{Decode, Encode};

/// The error of a call whose handler has its own error type: an error of that type, or any other error.
///
/// In a function that returns [`Error`], `?` converts it.
#[derive(Clone, Debug)]
pub enum Failure<E> {
    /// The handler returned an error of its own type.
    Typed {
        /// The handler's error.
        error: E,
        /// The same error as an [`Error`], with its status and message.
        cause: Error,
    },
    /// The handler failed with another error, or it wasn't called.
    Other(Error),
}

impl<E: Encode> Failure<E> {
    /// Returns an error with which a host's service fails. The plugin gets its value, and the status that the plugin declares for it. If the
    /// message is empty, the plugin gets the name of the error's type instead.
    ///
    /// An error that can't be encoded becomes one without a type.
    #[cold]
    pub fn thrown(error: E, message: impl Into<String>) -> Failure<E> {
        match rustbridge_wire::to_vec(&error) {
            Ok(value) => Failure::Typed {
                error,
                cause: Error::thrown(message, value),
            },
            Err(problem) => {
                let message = format!("the error of a service can't be sent: {problem}");
                Failure::Other(
                    Error::failure(Status::Internal, message)
                        .with_type("rustbridge.InvalidResponse"),
                )
            }
        }
    }
}

/// An error with which a service of the host may fail.
pub trait ServiceFailure {
    /// Returns the error for the plugin.
    fn into_error(self) -> Error;
}

impl ServiceFailure for Error {
    fn into_error(self) -> Error {
        self
    }
}

/// An error of a call that a service passes on has its type as well.
impl<E: Encode> ServiceFailure for Failure<E> {
    fn into_error(self) -> Error {
        match self {
            Failure::Typed { error, cause } => Failure::thrown(error, cause.message()).into(),
            Failure::Other(error) => error,
        }
    }
}

impl<E> Failure<E> {
    /// Returns the handler's error if it has the handler's own type.
    #[must_use]
    pub fn error(&self) -> Option<&E> {
        match self {
            Failure::Typed { error, .. } => Some(error),
            Failure::Other(_) => None,
        }
    }

    /// Returns the error as an [`Error`], with its status and message.
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
