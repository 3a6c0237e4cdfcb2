//! The author's own errors: the traits that `#[derive(StatusError)]` implements.

use std::any::Any;
use std::fmt;

use rustbridge_abi::Status;
use rustbridge_wire::{Definition, Unwritable, Writer};
use serde_json::{Map, Value};

/// An error type with a status, defined by the author. `?` converts it to [`Error`](crate::Error).
///
/// ```
/// use rustbridge::{Result, Status, StatusError};
///
/// #[derive(Debug, thiserror::Error, StatusError)]
/// #[error("the quota of {limit} is used up")]
/// #[status(RESOURCE_EXHAUSTED)]
/// struct QuotaExceeded {
///     limit: u32,
/// }
///
/// fn spend() -> Result<()> {
///     Err(QuotaExceeded { limit: 5 })?
/// }
///
/// let error = spend().unwrap_err();
/// assert_eq!((error.status(), error.type_name()), (Status::ResourceExhausted, "QuotaExceeded"));
/// ```
///
/// Derive it with [`#[derive(StatusError)]`](macro@crate::StatusError) on an enum or struct that implements
/// `Display` (by `thiserror` or by hand).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be converted to a `rustbridge::Error`",
    label = "this error has no status",
    note = "derive it: `#[derive(Debug, thiserror::Error, rustbridge::StatusError)]` with `#[status(NOT_FOUND)]` on each variant",
    note = "or turn it into a `rustbridge::Error` by `.map_err(|error| Error::internal(error.to_string()))`"
)]
pub trait StatusError: fmt::Display {
    /// Returns the canonical status of this error.
    fn status(&self) -> Status;

    /// Returns the error type, e.g. `UserError.NotFound`.
    fn type_name(&self) -> &'static str;

    /// Returns the error's fields.
    fn details(&self) -> Map<String, Value>;

    /// The name of the host's exception that its source was made from; for the derive macro.
    #[doc(hidden)]
    fn host_cause(&self) -> Option<&str> {
        None
    }

    /// Whether it's another error, passed on as it is; for the derive macro.
    #[doc(hidden)]
    fn is_transparent(&self) -> bool {
        false
    }

    /// What becomes of them; for the derive macro.
    #[doc(hidden)]
    fn into_fields(self) -> Fields
    where
        Self: Sized,
    {
        Fields::now(&self)
    }
}

/// An error type whose fields have a wire form; for the derive macro.
pub trait TypedError: StatusError {
    /// What it looks like, unless one of its fields has no wire form.
    const DEFINITION: Option<Definition>;

    /// Writes it, as a value of that type.
    ///
    /// # Errors
    /// See [`Unwritable`].
    fn write(&self, writer: &mut Writer) -> Result<(), Unwritable>;
}

/// The error that an [`Error`] was made of, kept until somebody wants to know more than its message.
pub(crate) trait SourceError: Send + Sync {
    /// See [`StatusError::details`].
    fn details(&self) -> Map<String, Value>;

    /// See [`TypedError::write`].
    fn write(&self, writer: &mut Writer) -> Result<(), Unwritable>;
}

impl<E: TypedError + Send + Sync> SourceError for E {
    fn details(&self) -> Map<String, Value> {
        StatusError::details(self)
    }

    fn write(&self, writer: &mut Writer) -> Result<(), Unwritable> {
        TypedError::write(self, writer)
    }
}

/// What becomes of an error's fields when it's turned into an [`Error`](crate::Error); for the derive macro.
pub struct Fields(pub(crate) FieldsOf);

pub(crate) enum FieldsOf {
    /// They are JSON already.
    Json(Map<String, Value>),
    /// They are where they were.
    Kept(Box<dyn SourceError>),
    /// The whole is another [`Error`](crate::Error).
    Transparent(Box<dyn Any + Send + Sync>),
}

impl Fields {
    /// Turns them into JSON at once.
    pub fn now(error: &impl StatusError) -> Fields {
        Fields(FieldsOf::Json(error.details()))
    }

    /// Passes on the [`Error`](crate::Error) that a variant with `#[status(transparent)]` holds.
    pub fn transparent(error: impl Any + Send + Sync) -> Fields {
        Fields(FieldsOf::Transparent(Box::new(error)))
    }
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fields").finish_non_exhaustive()
    }
}
