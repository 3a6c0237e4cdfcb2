//! The parameter and return types of raw methods.

use std::borrow::Cow;
use std::ops::Range;

use bytes::Bytes;
use rustbridge_abi::StatusCode;
use rustbridge_wire::Type;

use crate::Error;
use crate::response::Reply;

/// The parameter types of a raw method: `&[u8]`, `&str` (checked to be UTF-8), `Vec<u8>` and [`Bytes`] (both copied),
/// or no parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a raw request",
    note = "a raw method accepts `&[u8]`, `&str`, `Vec<u8>`, `Bytes`, or nothing"
)]
pub trait RawRequest<'r>: Sized {
    /// Whether the type is for raw methods alone. Not so for `()`, which every encoding has.
    #[doc(hidden)]
    const ONLY_RAW: bool = true;

    /// What it is to clients with types.
    #[doc(hidden)]
    const TYPE: Type = Type::Bytes;

    #[doc(hidden)]
    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error>;
}

/// The return types of a raw method:
///
/// * `Vec<u8>` and [`Bytes`], which are returned without a copy if they don't fit into the caller's buffer
/// * `&[u8]` and `[u8; N]`, which are copied into that buffer without an allocation
/// * `Cow<[u8]>`, `String`, `&str`, or nothing
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Default)]
/// struct Text;
///
/// #[plugin(export = false)]
/// impl Text {
///     /// Bytes to bytes.
///     pub fn reverse(&self, request: &[u8]) -> Vec<u8> {
///         request.iter().rev().copied().collect()
///     }
///
///     /// Text to text, borrowed from the request.
///     pub fn trim<'r>(&self, request: &'r str) -> &'r str {
///         request.trim()
///     }
/// }
///
/// assert_eq!(Text.reverse(b"abc"), b"cba");
/// assert_eq!(Text.trim(" abc "), "abc");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a raw response",
    note = "a raw method returns `Vec<u8>`, `Bytes`, `&[u8]`, `[u8; N]`, `Cow<[u8]>`, `String`, `&str`, or nothing"
)]
pub trait RawResponse {
    /// Whether the type makes a method without a request raw. Not so for text and `()`, which JSON has as well.
    #[doc(hidden)]
    const ONLY_RAW: bool = true;

    /// What it is to clients with types.
    #[doc(hidden)]
    const TYPE: Type = Type::Bytes;

    #[doc(hidden)]
    fn write(self, reply: Reply) -> StatusCode;
}

/// The item types of a stream that a raw method accepts: `Vec<u8>` and `String` (copied), and [`Bytes`] (shared with
/// the other items of its batch).
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a raw item",
    note = "a raw method accepts `Items<Vec<u8>>`, `Items<Bytes>` or `Items<String>`"
)]
pub trait RawItem: Sized {
    /// Whether the type is for raw methods alone. Not so for text and for no items, which every encoding has.
    #[doc(hidden)]
    const ONLY_RAW: bool = true;

    /// What it is to clients with types.
    #[doc(hidden)]
    const TYPE: Type = Type::Bytes;

    #[doc(hidden)]
    fn from_batch(batch: &Bytes, range: Range<usize>) -> Result<Self, Error>;
}

impl RawItem for Vec<u8> {
    fn from_batch(batch: &Bytes, range: Range<usize>) -> Result<Self, Error> {
        Ok(batch[range].to_vec())
    }
}

impl RawItem for Bytes {
    fn from_batch(batch: &Bytes, range: Range<usize>) -> Result<Self, Error> {
        Ok(batch.slice(range))
    }
}

impl RawItem for String {
    const ONLY_RAW: bool = false;
    const TYPE: Type = Type::String;

    fn from_batch(batch: &Bytes, range: Range<usize>) -> Result<Self, Error> {
        <&str>::from_bytes(&batch[range]).map(str::to_owned)
    }
}

impl RawItem for () {
    const ONLY_RAW: bool = false;
    const TYPE: Type = Type::Unit;

    fn from_batch(batch: &Bytes, range: Range<usize>) -> Result<Self, Error> {
        <()>::from_bytes(&batch[range])
    }
}

impl<'r> RawRequest<'r> for &'r [u8] {
    #[inline(always)]
    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error> {
        Ok(bytes)
    }
}

impl<'r> RawRequest<'r> for &'r str {
    const TYPE: Type = Type::String;

    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error> {
        std::str::from_utf8(bytes).map_err(|error| {
            Error::invalid_argument(format!("the request must be UTF-8 text, but: {error}"))
                .with_type("rustbridge.InvalidRequest")
        })
    }
}

impl<'r> RawRequest<'r> for Vec<u8> {
    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error> {
        Ok(bytes.to_vec())
    }
}

impl<'r> RawRequest<'r> for Bytes {
    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error> {
        Ok(Bytes::copy_from_slice(bytes))
    }
}

impl<'r> RawRequest<'r> for () {
    const ONLY_RAW: bool = false;
    const TYPE: Type = Type::Unit;

    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(Error::invalid_argument(format!(
                "the method takes no request, but got {} bytes",
                bytes.len()
            ))
            .with_type("rustbridge.InvalidRequest"))
        }
    }
}

impl RawResponse for Vec<u8> {
    fn write(self, reply: Reply) -> StatusCode {
        reply.vec(self)
    }
}

impl RawResponse for Bytes {
    fn write(self, reply: Reply) -> StatusCode {
        reply.shared(self)
    }
}

impl RawResponse for &[u8] {
    fn write(self, reply: Reply) -> StatusCode {
        reply.bytes(self)
    }
}

impl<const N: usize> RawResponse for [u8; N] {
    #[inline]
    fn write(self, reply: Reply) -> StatusCode {
        reply.bytes(&self)
    }
}

impl RawResponse for Cow<'_, [u8]> {
    fn write(self, reply: Reply) -> StatusCode {
        match self {
            Cow::Borrowed(bytes) => reply.bytes(bytes),
            Cow::Owned(vec) => reply.vec(vec),
        }
    }
}

impl RawResponse for String {
    const ONLY_RAW: bool = false;
    const TYPE: Type = Type::String;

    fn write(self, reply: Reply) -> StatusCode {
        reply.vec(self.into_bytes())
    }
}

impl RawResponse for &str {
    const ONLY_RAW: bool = false;
    const TYPE: Type = Type::String;

    fn write(self, reply: Reply) -> StatusCode {
        reply.bytes(self.as_bytes())
    }
}

impl RawResponse for () {
    const ONLY_RAW: bool = false;
    const TYPE: Type = Type::Unit;

    fn write(self, reply: Reply) -> StatusCode {
        reply.bytes(&[])
    }
}
