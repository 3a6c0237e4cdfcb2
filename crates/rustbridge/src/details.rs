//! Functions that the expansion of `#[derive(StatusError)]` calls.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::status_error::StatusError;

/// Adds one field of an error; for the derive macro.
pub fn insert_detail<T: Serialize + ?Sized>(
    details: &mut Map<String, Value>,
    name: &str,
    value: &T,
) {
    let value = serde_json::to_value(value)
        .unwrap_or_else(|error| Value::String(format!("not representable as JSON: {error}")));
    details.insert(name.to_owned(), value);
}

/// The source of an error. Two methods named `detail` convert it: the inherent one for errors with a status, which the compiler prefers, and
/// the one of [`OtherSource`].
#[derive(Debug)]
pub struct SourceDetail<'e, E: ?Sized>(pub &'e E);

/// Converts other sources.
pub trait OtherSource {
    /// Returns the source's text.
    fn detail(self) -> Value;
}

impl<E: fmt::Display + ?Sized> OtherSource for SourceDetail<'_, E> {
    fn detail(self) -> Value {
        self.0.to_string().into()
    }
}

impl<E: StatusError> SourceDetail<'_, E> {
    /// Returns an object with the members of an error's payload.
    #[must_use]
    pub fn detail(self) -> Value {
        self.0.payload()
    }
}
