//! Errors of plugins and of rustbridge, and their form at the boundary.

use std::any::Any;
use std::fmt::{self, Write};
use std::sync::Arc;

use rustbridge_abi::Status;
use rustbridge_description::types::ThrownErrors;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::causes::{self, Source};
use crate::metadata::Metadata;

/// An error: a status, a message for people, and optionally a type, details and a backtrace.
///
/// Errors of plugins and of rustbridge have the same form. [`type_name`](Error::type_name) distinguishes them:
/// rustbridge's own types begin with `rustbridge.`, a panic has the type `panic`, and a plugin's typed errors are
/// `Type.Variant`.
///
/// ```
/// use rustbridge_core::{Load, Status};
///
/// let error = Load::path("/no/such/plugin.so").open().unwrap_err();
/// assert_eq!(error.status(), Status::NotFound);
/// assert!(error.message().contains("/no/such/plugin.so"));
/// assert_eq!(error.type_name(), "rustbridge.NoSuchFile");
/// ```
#[derive(Clone)]
pub struct Error {
    // One pointer, so that `Result<Reply, Error>` costs the good case nothing.
    inner: Box<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    status: Status,
    message: String,
    type_name: String,
    details: Option<Value>,
    backtrace: Option<String>,
    headers: Metadata,
    trailers: Metadata,
    /// Of an error with a type of the plugin's: its value in the wire form.
    value: Option<Box<[u8]>>,
    /// The value is for a plugin that calls a service.
    is_thrown: bool,
    /// The host's own error behind it.
    source: Option<Source>,
    /// By which name that is kept while a plugin has it.
    cause: Option<String>,
}

/// The payload as it crosses the boundary; every field may be missing when a plugin is not ours.
#[derive(Deserialize)]
struct Payload {
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default, rename = "type")]
    type_name: Option<String>,
    #[serde(default)]
    details: Option<Value>,
    #[serde(default)]
    backtrace: Option<String>,
    /// A string if it's the name of an error of ours: other plugins may have something else under this name.
    #[serde(default)]
    cause: Option<Value>,
}

impl Error {
    /// An error of ours. `kind` is what follows `rustbridge.` in the type name.
    #[cold]
    pub(crate) fn new(status: Status, kind: &str, message: impl Into<String>) -> Error {
        Error {
            inner: Box::new(Inner {
                status,
                message: message.into(),
                type_name: format!("rustbridge.{kind}"),
                details: None,
                backtrace: None,
                headers: Metadata::default(),
                trailers: Metadata::default(),
                value: None,
                is_thrown: false,
                source: None,
                cause: None,
            }),
        }
    }

    /// Creates an error of the host, with which a service responds to a plugin. A status of [`Status::Ok`] isn't valid
    /// for an error and becomes [`Status::Unknown`].
    ///
    /// ```
    /// use rustbridge_core::{Error, Status};
    ///
    /// let error = Error::failure(Status::NotFound, "there's no price of 7").with_type("PriceError.Unknown");
    /// assert_eq!((error.status(), error.type_name()), (Status::NotFound, "PriceError.Unknown"));
    /// ```
    #[cold]
    #[must_use]
    pub fn failure(status: Status, message: impl Into<String>) -> Error {
        Error {
            inner: Box::new(Inner {
                status: if status == Status::Ok {
                    Status::Unknown
                } else {
                    status
                },
                message: message.into(),
                type_name: "Error".to_owned(),
                details: None,
                backtrace: None,
                headers: Metadata::default(),
                trailers: Metadata::default(),
                value: None,
                is_thrown: false,
                source: None,
                cause: None,
            }),
        }
    }

    /// Sets the error type, e.g. `PriceError.Unknown`.
    #[must_use]
    pub fn with_type(mut self, type_name: impl Into<String>) -> Error {
        self.inner.type_name = type_name.into();
        self
    }

    /// Sets the error that caused this one. If a service responds with it, and the plugin then fails with the same
    /// error, the call's error has the same [`source`](std::error::Error::source). The source doesn't cross the
    /// boundary: it's kept for up to a minute.
    ///
    /// ```
    /// use std::error::Error as _;
    /// use rustbridge_core::{Error, Status};
    ///
    /// let read = std::fs::read("/no/such/file").unwrap_err();
    /// let error = Error::failure(Status::Unavailable, "the prices can't be read").with_source(read);
    /// assert!(error.source().unwrap().is::<std::io::Error>());
    /// ```
    #[must_use]
    pub fn with_source(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        self.inner.source = Some(Arc::from(source.into()));
        self
    }

    /// Returns an error of a service with its value in the wire format. The service must be registered with a client schema that gives the
    /// type of its errors, which determines the status.
    #[must_use]
    pub fn thrown(message: impl Into<String>, value: Vec<u8>) -> Error {
        let mut error = Error::failure(Status::Unknown, message);
        error.inner.value = Some(value.into());
        error.inner.is_thrown = true;
        error
    }

    /// Returns the payload of an answer to a plugin that calls a service, if the error has a type.
    pub(crate) fn thrown_payload(&self) -> Option<Vec<u8>> {
        let value = self.inner.value.as_ref().filter(|_| self.inner.is_thrown)?;
        Some(ThrownErrors::payload(&self.inner.message, value))
    }

    /// The same as an answer to a plugin: the error behind it is kept, and found again by its name.
    pub(crate) fn for_plugin(mut self) -> Error {
        self.inner.cause = self.inner.source.clone().map(causes::keep);
        self
    }

    /// What a panic of the host's own code is to a plugin.
    #[cold]
    pub(crate) fn of_panic(payload: Box<dyn Any + Send>) -> Error {
        let message = if let Some(text) = payload.downcast_ref::<&str>() {
            (*text).to_owned()
        } else if let Some(text) = payload.downcast_ref::<String>() {
            text.clone()
        } else {
            "a panic with a payload that isn't text".to_owned()
        };
        forget_panic(payload);
        Error::failure(Status::Internal, message).with_type("panic")
    }

    /// What to do about it, behind the message.
    pub(crate) fn with_advice(mut self, advice: &str) -> Error {
        self.inner.message.push_str("; ");
        self.inner.message.push_str(advice);
        self
    }

    /// Sets the error's fields, a JSON object.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Error {
        self.inner.details = Some(details);
        self
    }

    /// Creates an error from a plugin's status other than `OK` and its payload.
    ///
    /// If the payload isn't a JSON object, which is possible with other plugins, it becomes the message unchanged. The
    /// status has precedence over the payload's `code`. An unknown status becomes `UNKNOWN`.
    ///
    /// ```
    /// use rustbridge_core::{Error, Status};
    ///
    /// let error = Error::from_payload(5, br#"{"code":"NOT_FOUND","message":"no such user","type":"UserError.NotFound"}"#);
    /// assert_eq!((error.status(), error.message()), (Status::NotFound, "no such user"));
    /// assert_eq!(Error::from_payload(13, b"oops").message(), "oops");
    /// ```
    #[cold]
    #[must_use]
    pub fn from_payload(status: i32, payload: &[u8]) -> Error {
        let status = match Status::from_code(status) {
            Status::Ok => Status::Unknown,
            failure => failure,
        };
        if let Some((message, type_name, value)) = typed(payload) {
            let mut error = Error::failure(status, message).with_type(type_name);
            error.inner.value = Some(value.into());
            return error;
        }
        let inner = match rustbridge_json::from_slice::<Payload>(payload) {
            Ok(payload) => Inner {
                status,
                message: payload.message.unwrap_or_else(|| {
                    payload
                        .code
                        .unwrap_or_else(|| "the plugin returned no message".to_owned())
                }),
                type_name: payload.type_name.unwrap_or_default(),
                details: payload.details,
                backtrace: payload.backtrace,
                headers: Metadata::default(),
                trailers: Metadata::default(),
                value: None,
                is_thrown: false,
                source: payload
                    .cause
                    .as_ref()
                    .and_then(Value::as_str)
                    .and_then(causes::take),
                cause: None,
            },
            Err(_) => Inner {
                status,
                message: if payload.is_empty() {
                    format!("the plugin returned {status} without a message")
                } else {
                    String::from_utf8_lossy(payload).into_owned()
                },
                type_name: String::new(),
                details: None,
                backtrace: None,
                headers: Metadata::default(),
                trailers: Metadata::default(),
                value: None,
                is_thrown: false,
                source: None,
                cause: None,
            },
        };
        Error {
            inner: Box::new(inner),
        }
    }

    /// Returns the canonical status.
    #[must_use]
    pub fn status(&self) -> Status {
        self.inner.status
    }

    /// Returns the message, which is for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// Returns the error type: `rustbridge.<Kind>`, `panic`, the plugin's `Type.Variant`, or an empty string.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.inner.type_name
    }

    /// Returns the error's fields, if it has any.
    #[must_use]
    pub fn details(&self) -> Option<&Value> {
        self.inner.details.as_ref()
    }

    pub(crate) fn with_trailers(mut self, trailers: Metadata) -> Error {
        self.inner.trailers = trailers;
        self
    }

    pub(crate) fn with_headers(mut self, headers: Metadata) -> Error {
        self.inner.headers = headers;
        self
    }

    /// Returns the plugin's initial metadata, if the call [requested](crate::CallOptions::headers) it.
    #[must_use]
    pub fn headers(&self) -> &Metadata {
        &self.inner.headers
    }

    /// Returns the plugin's trailing metadata.
    #[must_use]
    pub fn trailers(&self) -> &Metadata {
        &self.inner.trailers
    }

    /// Returns the fields in the wire format, for typed clients. Only errors whose type is in the plugin's description
    /// have them.
    #[must_use]
    pub fn typed_value(&self) -> Option<&[u8]> {
        self.inner.value.as_deref()
    }

    /// Returns the plugin's backtrace, if it was loaded with [`Load::backtrace`](crate::Load::backtrace).
    #[must_use]
    pub fn backtrace(&self) -> Option<&str> {
        self.inner.backtrace.as_deref()
    }

    /// Returns the error in its form at the boundary: a JSON object.
    ///
    /// ```
    /// use rustbridge_core::Load;
    ///
    /// let json = Load::path("/no/such/plugin.so").open().unwrap_err().to_json();
    /// assert!(json.starts_with(r#"{"code":"NOT_FOUND","message":"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        // A `String` takes everything.
        let _ = self.write_json(&mut json);
        json
    }

    /// [`to_json`](Error::to_json) without a `String`.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> fmt::Result {
        let inner = &*self.inner;
        begin_json(
            out,
            inner.status,
            |out| out.write_str(&inner.message),
            |out| out.write_str(&inner.type_name),
        )?;
        if let Some(details) = &inner.details {
            write!(out, ",\"details\":{details}")?;
        }
        if let Some(backtrace) = &inner.backtrace {
            out.write_str(",\"backtrace\":\"")?;
            JsonEscaper(out).write_str(backtrace)?;
            out.write_char('"')?;
        }
        if let Some(cause) = &inner.cause {
            write!(out, ",\"cause\":\"{cause}\"")?;
        }
        out.write_char('}')
    }

    pub(crate) fn detail(name: &str, value: impl Into<Value>) -> Value {
        let mut details = Map::new();
        details.insert(name.to_owned(), value.into());
        Value::Object(details)
    }
}

/// What the payload of an error with a type begins with, where others have a brace; a word with the status is behind it.
const TYPED: [u8; 4] = [1, 0, 0, 0];

/// Message, type name and value of an error in the wire form. The value is for who knows the type.
fn typed(payload: &[u8]) -> Option<(&str, &str, &[u8])> {
    fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (text, rest) = rest.split_at_checked(length)?;
        Some((std::str::from_utf8(text).ok()?, rest))
    }
    let (_status, rest) = payload.strip_prefix(&TYPED)?.split_first_chunk::<4>()?;
    let (message, rest) = text(rest)?;
    let (type_name, rest) = text(rest)?;
    let padding = (payload.len() - rest.len()).wrapping_neg() % 8;
    // Cut short, it's an error all the same, whose fields nobody can read.
    let value = rest.get(padding..).unwrap_or_default();
    Some((message, type_name, value))
}

/// The fields that each error has, without the brace at the end. Written by hand to keep their order, and so that what's
/// refused a thousand times in a row costs little: nothing is allocated.
pub(crate) fn begin_json(
    out: &mut dyn Write,
    status: Status,
    message: impl FnOnce(&mut dyn Write) -> fmt::Result,
    type_name: impl FnOnce(&mut dyn Write) -> fmt::Result,
) -> fmt::Result {
    out.write_str("{\"code\":\"")?;
    out.write_str(status.name())?;
    out.write_str("\",\"message\":\"")?;
    message(&mut JsonEscaper(out))?;
    out.write_str("\",\"type\":\"")?;
    type_name(&mut JsonEscaper(out))?;
    out.write_char('"')
}

/// Writes text as the inside of a JSON string.
struct JsonEscaper<'a>(&'a mut dyn Write);

impl Write for JsonEscaper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Without a way out early, so that many bytes are looked at in one instruction.
        let is_plain = text.bytes().fold(true, |is_plain, byte| {
            is_plain & (byte >= b' ') & (byte != b'"') & (byte != b'\\')
        });
        if is_plain {
            return self.0.write_str(text);
        }
        let quoted = Value::from(text).to_string();
        self.0.write_str(&quoted[1..quoted.len() - 1])
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.inner.status, self.inner.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.inner;
        let mut debug = f.debug_struct("Error");
        debug
            .field("status", &inner.status)
            .field("message", &inner.message)
            .field("type_name", &inner.type_name);
        if let Some(details) = &inner.details {
            debug.field("details", details);
        }
        if let Some(backtrace) = &inner.backtrace {
            debug.field("backtrace", backtrace);
        }
        if let Some(source) = &inner.source {
            debug.field("source", source);
        }
        debug.finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.inner.source.as_deref()? as _)
    }
}

/// Lets go of what somebody else's code has panicked with. Unless it's text it's leaked: its destructor could panic once more.
pub(crate) fn forget_panic(payload: Box<dyn Any + Send>) {
    if !payload.is::<&str>() && !payload.is::<String>() {
        std::mem::forget(payload);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn any_payload_becomes_an_error(status in any::<i32>(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
                let error = Error::from_payload(status, &bytes);
                prop_assert_ne!(error.status(), Status::Ok);
                prop_assert!(serde_json::from_str::<Value>(&error.to_json()).is_ok());
            }

            #[test]
            fn a_cut_error_with_a_type_is_an_error_all_the_same(length in 0_usize..40) {
                let whole = b"\x01\0\0\0\x05\0\0\0\x04\0\0\0none\x03\0\0\0A.B\0\x07";
                let cut = Error::from_payload(5, &whole[..length.min(whole.len())]);
                prop_assert_eq!(cut.status(), Status::NotFound);
                let whole = Error::from_payload(5, whole);
                prop_assert_eq!((whole.message(), whole.type_name()), ("none", "A.B"));
                prop_assert_eq!(whole.typed_value(), Some(&[7][..]));
            }

            #[test]
            fn an_error_survives_the_crossing(
                code in 1_i32..17,
                message in ".*",
                type_name in ".*",
                details in prop::option::of(".*"),
                backtrace in prop::option::of(".*"),
            ) {
                let error = Error {
                    inner: Box::new(Inner {
                        status: Status::from_code(code),
                        message,
                        type_name,
                        details: details.map(|text| Error::detail("text", text)),
                        backtrace,
                        headers: Metadata::default(),
                trailers: Metadata::default(),
    value: None,
    is_thrown: false,
    source: None,
    cause: None,
                    }),
                };
                let read = Error::from_payload(code, error.to_json().as_bytes());
                prop_assert_eq!(read.status(), error.status());
                prop_assert_eq!(read.message(), error.message());
                prop_assert_eq!(read.type_name(), error.type_name());
                prop_assert_eq!(read.details(), error.details());
                prop_assert_eq!(read.backtrace(), error.backtrace());
            }
        }
}
