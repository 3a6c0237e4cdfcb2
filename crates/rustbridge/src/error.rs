//! The error of a handler, and its payload.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use rustbridge_abi::Status;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::details::insert_detail;
use crate::status_error::{FieldsOf, SourceError, StatusError};
use crate::typed_payload::TypedPayload;

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a handler: a canonical status, a message, a type name and structured details.
///
/// Every host receives it as the same JSON object: `{"code":..,"message":..,"type":..,"details":{..}}`. If callers have
/// to distinguish errors, use an enum with [`#[derive(StatusError)]`](macro@crate::StatusError). It keeps the variant's
/// name and fields, and `?` converts it to this type.
///
/// ```
/// use rustbridge::{Error, Status};
///
/// let error = Error::new(Status::NotFound, "no user is called `ada`").with_detail("name", "ada");
/// assert_eq!(error.status(), Status::NotFound);
/// assert_eq!(
///     error.to_json(),
///     r#"{"code":"NOT_FOUND","message":"no user is called `ada`","type":"Error","details":{"name":"ada"}}"#
/// );
/// ```
pub struct Error {
    // Boxed so that `Result<Sum, Error>` stays small: the happy path moves it, the cold path pays.
    parts: Box<Parts>,
}

struct Parts {
    status: Status,
    message: Cow<'static, str>,
    type_name: Cow<'static, str>,
    /// The details as JSON. For an error that is kept as it is, they're created on first use.
    details: OnceLock<Map<String, Value>>,
    /// The author's error, if it has a wire format.
    kept: Option<Box<dyn SourceError>>,
    /// Whether the error is sent in the wire format: this is the handler's own error type, and the call uses the encoding
    /// `wire`.
    is_typed: bool,
    backtrace: Option<String>,
    /// For an error from the host: the name by which the host finds the exception that caused it.
    cause: Option<Box<str>>,
    /// For an error from the host with a type: the error in the wire format.
    value: Option<Box<[u8]>>,
}

/// The longest cause name that is kept, in bytes.
const CAUSE_LIMIT: usize = 64;

impl Error {
    /// Creates an error of the type `Error`. A status of [`Status::Ok`] isn't valid for an error and becomes
    /// [`Status::Unknown`].
    #[cold]
    pub fn new(status: Status, message: impl Into<Cow<'static, str>>) -> Error {
        Error {
            parts: Box::new(Parts {
                status: if status == Status::Ok {
                    Status::Unknown
                } else {
                    status
                },
                message: message.into(),
                type_name: Cow::Borrowed("Error"),
                details: OnceLock::new(),
                kept: None,
                is_typed: false,
                backtrace: None,
                cause: None,
                value: None,
            }),
        }
    }

    /// Creates an error with [`Status::InvalidArgument`]: an argument is invalid, whatever the state of the system.
    #[cold]
    pub fn invalid_argument(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(Status::InvalidArgument, message)
    }

    /// Creates an error with [`Status::NotFound`]: the requested item doesn't exist.
    #[cold]
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(Status::NotFound, message)
    }

    /// Creates an error with [`Status::Internal`]: an invariant is broken.
    #[cold]
    pub fn internal(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(Status::Internal, message)
    }

    /// Sets the error type, e.g. `UserError.NotFound`.
    #[must_use]
    pub fn with_type(mut self, type_name: impl Into<Cow<'static, str>>) -> Error {
        self.parts.type_name = type_name.into();
        self
    }

    /// Adds a structured detail. If the value can't be converted to JSON, the detail is the text of that error.
    #[must_use]
    pub fn with_detail(mut self, name: impl Into<String>, value: impl Serialize) -> Error {
        let mut details = self.details().clone();
        insert_detail(&mut details, &name.into(), &value);
        // It isn't what the author's type says any more.
        self.parts.kept = None;
        self.parts.details = details.into();
        self
    }

    /// Reads the error payload of a response from a host: the same object as [`to_json`](Self::to_json) writes. Other bytes
    /// become the message.
    #[cold]
    pub(crate) fn from_payload(status: i32, payload: &[u8]) -> Error {
        let mut error = Error::new(Status::from_code(status), "");
        let parts = &mut *error.parts;
        if let Some(typed) = TypedPayload::read(payload) {
            parts.message = typed.message.to_owned().into();
            parts.type_name = typed.type_name.to_owned().into();
            parts.value = Some(typed.value.into());
            return error;
        }
        match rustbridge_json::from_slice::<Read>(payload) {
            Ok(read) => {
                parts.message = read.message.unwrap_or_default().into();
                parts.type_name = read.type_name.unwrap_or_default().into();
                parts.details = OnceLock::from(match read.details {
                    Some(Value::Object(details)) => details,
                    None => Map::new(),
                    Some(other) => Map::from_iter([("details".to_owned(), other)]),
                });
                parts.backtrace = read.backtrace;
                parts.cause = read
                    .cause
                    .as_ref()
                    .and_then(Value::as_str)
                    .filter(|cause| cause.len() <= CAUSE_LIMIT)
                    .map(Into::into);
            }
            Err(_) => {
                parts.message = String::from_utf8_lossy(payload).into_owned().into();
                parts.type_name = Cow::Borrowed("");
            }
        }
        if parts.message.is_empty() {
            parts.message = format!("the host returned {} without a message", parts.status).into();
        }
        error
    }

    /// Returns the same error with [`Status::Internal`].
    pub(crate) fn into_internal(mut self) -> Error {
        self.parts.status = Status::Internal;
        self
    }

    pub(crate) fn with_backtrace(mut self, backtrace: Option<String>) -> Error {
        self.parts.backtrace = backtrace;
        self
    }

    /// Returns the canonical status.
    #[must_use]
    pub fn status(&self) -> Status {
        self.parts.status
    }

    /// Returns the message, which is for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.parts.message
    }

    /// Returns the error type, e.g. `UserError.NotFound`. The default is `Error`.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.parts.type_name
    }

    /// Returns the structured details.
    #[must_use]
    pub fn details(&self) -> &Map<String, Value> {
        let parts = &*self.parts;
        let make = || parts.kept.as_ref().map(|kept| kept.details());
        parts.details.get_or_init(|| make().unwrap_or_default())
    }

    /// Returns the error in the wire format, for an error with a type that the host has thrown.
    pub(crate) fn value(&self) -> Option<&[u8]> {
        self.parts.value.as_deref()
    }

    /// Returns the name of the host's exception that caused it.
    pub(crate) fn cause(&self) -> Option<&str> {
        self.parts.cause.as_deref()
    }

    /// Marks the error to be sent in the wire format, as the handler's own error type.
    pub(crate) fn set_typed(&mut self) {
        self.parts.is_typed = true;
    }

    /// Returns the author's error, if it's sent in the wire format.
    pub(crate) fn typed(&self) -> Option<&dyn SourceError> {
        let kept = self.parts.kept.as_deref();
        kept.filter(|_| self.parts.is_typed)
    }

    /// Returns the payload that hosts receive: a JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&Payload(self)).unwrap_or_default()
    }
}

/// The payload's JSON; every field may be missing.
#[derive(Deserialize)]
struct Read {
    message: Option<String>,
    #[serde(rename = "type")]
    type_name: Option<String>,
    details: Option<Value>,
    backtrace: Option<String>,
    /// A string, if it's the name of an error of the host.
    cause: Option<Value>,
}

/// Serialises an error as its payload.
pub(crate) struct Payload<'a>(pub(crate) &'a Error);

impl Serialize for Payload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = &*self.0.parts;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", parts.status.name())?;
        map.serialize_entry("message", &parts.message)?;
        map.serialize_entry("type", &parts.type_name)?;
        let details = self.0.details();
        if !details.is_empty() {
            map.serialize_entry("details", details)?;
        }
        if let Some(backtrace) = &parts.backtrace {
            map.serialize_entry("backtrace", backtrace)?;
        }
        if let Some(cause) = &parts.cause {
            map.serialize_entry("cause", cause)?;
        }
        map.end()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.parts.status, self.parts.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("status", &self.parts.status)
            .field("message", &self.parts.message)
            .field("type", &self.parts.type_name)
            .field("details", self.details())
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Error {}

impl<E: StatusError> From<E> for Error {
    #[cold]
    fn from(error: E) -> Error {
        let mut converted =
            Error::new(error.status(), error.to_string()).with_type(error.type_name());
        converted.parts.cause = error.host_cause().map(Into::into);
        match error.into_fields().0 {
            FieldsOf::Json(details) => converted.parts.details = details.into(),
            FieldsOf::Kept(kept) => converted.parts.kept = Some(kept),
            FieldsOf::Transparent(error) => {
                if let Ok(error) = error.downcast::<Error>() {
                    return *error;
                }
            }
        }
        converted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_has_details_and_backtrace_only_when_there_are_any() {
        assert_eq!(
            Error::internal("broken \"pipe\"").to_json(),
            r#"{"code":"INTERNAL","message":"broken \"pipe\"","type":"Error"}"#
        );
        assert_eq!(
            Error::internal("x")
                .with_type("rustbridge.X")
                .with_detail("n", 1)
                .with_backtrace(Some("0: main".into()))
                .to_json(),
            r#"{"code":"INTERNAL","message":"x","type":"rustbridge.X","details":{"n":1},"backtrace":"0: main"}"#
        );
    }

    #[test]
    fn a_payload_becomes_the_error_that_it_was() {
        let error = Error::not_found("no such user")
            .with_type("UserError.NotFound")
            .with_detail("name", "ada");
        let json = error.to_json();
        let again = Error::from_payload(error.status().code(), json.as_bytes());
        assert_eq!(again.to_json(), json);
        let text = Error::from_payload(Status::Internal.code(), b"not JSON");
        assert_eq!((text.message(), text.type_name()), ("not JSON", ""));
    }

    #[test]
    fn a_cause_of_the_hosts_goes_back_to_it_and_is_no_detail() {
        let json = r#"{"code":"INTERNAL","message":"x","type":"ValueError","cause":"3f-1"}"#;
        let error = Error::from_payload(Status::Internal.code(), json.as_bytes());
        assert_eq!(error.to_json(), json);
        assert!(error.details().is_empty());
        let long = json.replace("3f-1", &"x".repeat(CAUSE_LIMIT + 1));
        let error = Error::from_payload(Status::Internal.code(), long.as_bytes());
        assert!(!error.to_json().contains("cause"));
    }

    #[test]
    fn an_error_with_a_source_has_its_cause() {
        struct Outer(Error);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("outer")
            }
        }
        impl StatusError for Outer {
            fn status(&self) -> Status {
                Status::Unavailable
            }
            fn type_name(&self) -> &'static str {
                "Outer"
            }
            fn details(&self) -> Map<String, Value> {
                Map::new()
            }
            fn host_cause(&self) -> Option<&str> {
                self.0.cause()
            }
        }
        let inner = Error::from_payload(Status::Internal.code(), br#"{"cause":"3f-1"}"#);
        assert_eq!(
            Error::from(Outer(inner)).to_json(),
            r#"{"code":"UNAVAILABLE","message":"outer","type":"Outer","cause":"3f-1"}"#
        );
    }

    #[test]
    fn an_error_is_never_ok() {
        assert_eq!(Error::new(Status::Ok, "?").status(), Status::Unknown);
    }
}
