//! Requests and responses of the host's own types: JSON and plain structs.

use bytemuck::Pod;
use rustbridge_abi::Status;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;

/// A request as JSON. `name` is the method's, for the message.
pub(super) fn to_json<T: Serialize + ?Sized>(
    request: &T,
    name: impl FnOnce() -> String,
) -> Result<Vec<u8>, Error> {
    rustbridge_json::to_vec(request).map_err(|error| {
        Error::new(
            Status::InvalidArgument,
            "InvalidRequest",
            format!(
                "the request to {} can't be written as JSON: {error}",
                name()
            ),
        )
    })
}

/// An answer, or an item of one, that is JSON.
pub(super) fn from_json<T: DeserializeOwned>(
    bytes: &[u8],
    name: impl FnOnce() -> String,
) -> Result<T, Error> {
    rustbridge_json::from_slice(bytes).map_err(|error| {
        Error::new(
            Status::Internal,
            "UnexpectedResponse",
            format!(
                "the response of {} isn't a valid {}: {error}; compare it with the method's schema in the plugin's description",
                name(),
                std::any::type_name::<T>()
            ),
        )
    })
}

/// An answer, or an item of one, that is a plain struct.
#[inline]
pub(super) fn from_pod<T: Pod>(bytes: &[u8]) -> Result<T, Error> {
    if bytes.len() == size_of::<T>() {
        return Ok(bytemuck::pod_read_unaligned(bytes));
    }
    Err(wrong_size::<T>(bytes.len()))
}

#[cold]
pub(super) fn wrong_size<T>(len: usize) -> Error {
    Error::new(
        Status::Internal,
        "UnexpectedResponse",
        format!(
            "the response has {len} bytes, but {} has {}: compare it with the layout in the plugin's description",
            std::any::type_name::<T>(),
            size_of::<T>()
        ),
    )
}
