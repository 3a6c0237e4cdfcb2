//! The author's own errors: the traits that `#[derive(StatusError)]` implements.

use std::any::Any;
use std::fmt;

use rustbridge_abi::Status;
use rustbridge_wire::{Definition, Unwritable, Writer};
use serde_json::{Map, Value, json};

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

    /// Returns the name of the host's exception that caused its source; for the derive macro.
    #[doc(hidden)]
    fn host_cause(&self) -> Option<&str> {
        None
    }

    /// Returns whether it's another error, passed on as it is; for the derive macro.
    #[doc(hidden)]
    fn is_transparent(&self) -> bool {
        false
    }

    /// Returns an object with the members of the payload, of the other error if it's one; for the derive macro.
    #[doc(hidden)]
    fn payload(&self) -> Value {
        payload(self)
    }

    /// Converts the error to its fields; for the derive macro.
    #[doc(hidden)]
    fn into_fields(self) -> Fields
    where
        Self: Sized,
    {
        Fields::now(&self)
    }
}

/// An error type whose fields have a wire format; for the derive macro.
pub trait TypedError: StatusError {
    /// The definition of the type, unless a field has no wire format.
    const DEFINITION: Option<Definition>;

    /// Writes the error as a value of that type.
    ///
    /// # Errors
    /// See [`Unwritable`].
    fn write(&self, writer: &mut Writer) -> Result<(), Unwritable>;
}

/// The error from which an [`Error`] was created. It's kept until more than its message is needed.
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

/// The fields of an error that is converted to an [`Error`](crate::Error); for the derive macro.
pub struct Fields(pub(crate) FieldsOf);

pub(crate) enum FieldsOf {
    /// The fields as JSON.
    Json(Map<String, Value>),
    /// The error itself, unchanged.
    Kept(Box<dyn SourceError>),
    /// Another [`Error`](crate::Error), passed on as it is.
    Transparent(Box<dyn Any + Send + Sync>),
}

impl Fields {
    /// Converts the fields to JSON now.
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

/// Returns an object with the members of an error's payload; for an error that isn't another one, passed on.
pub fn payload<E: StatusError + ?Sized>(error: &E) -> Value {
    members(
        error.status(),
        &error.to_string(),
        error.type_name(),
        &error.details(),
    )
}

/// Returns an object with the members of an error's payload.
pub(crate) fn members(
    status: Status,
    message: &str,
    type_name: &str,
    details: &Map<String, Value>,
) -> Value {
    let mut all = json!({"code": status.name(), "message": message, "type": type_name});
    if !details.is_empty() {
        all["details"] = details.clone().into();
    }
    all
}
