//! Services with the types of a generated client.

use std::sync::Arc;

use rustbridge_core::{Encoding, Error, Load, ServiceCall, Status};
use rustbridge_wire::{Decode, Encode, Unwritable, to_vec};

use super::failure::ServiceFailure;

/// Registers a service, a function of a group, that accepts a request.
pub fn serve<'l, G, Q, R, E>(
    load: Load<'l>,
    name: &'static str,
    group: &Arc<G>,
    function: fn(&G, Q) -> Result<R, E>,
) -> Load<'l>
where
    G: ?Sized + Send + Sync + 'static,
    Q: for<'de> Decode<'de> + 'static,
    R: Encode + 'static,
    E: ServiceFailure + 'static,
{
    let group = Arc::clone(group);
    registered(load, name, move |request| function(&group, request))
}

/// Registers a service, a function of a group, that accepts no request.
pub fn serve_unasked<'l, G, R, E>(
    load: Load<'l>,
    name: &'static str,
    group: &Arc<G>,
    function: fn(&G) -> Result<R, E>,
) -> Load<'l>
where
    G: ?Sized + Send + Sync + 'static,
    R: Encode + 'static,
    E: ServiceFailure + 'static,
{
    let group = Arc::clone(group);
    registered(load, name, move |()| function(&group))
}

pub(super) fn registered<'l, Q, R, E>(
    load: Load<'l>,
    name: &'static str,
    function: impl Fn(Q) -> Result<R, E> + Send + Sync + 'static,
) -> Load<'l>
where
    Q: for<'de> Decode<'de> + 'static,
    R: Encode + 'static,
    E: ServiceFailure + 'static,
{
    registered_bytes(load, name, move |request| {
        let response = function(request).map_err(ServiceFailure::into_error)?;
        encoded(name, &response)
    })
}

/// Registers a service that encodes its response itself.
pub(super) fn registered_bytes<'l, Q>(
    load: Load<'l>,
    name: &'static str,
    function: impl Fn(Q) -> Result<Vec<u8>, Error> + Send + Sync + 'static,
) -> Load<'l>
where
    Q: for<'de> Decode<'de> + 'static,
{
    let service = move |request: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
        let request = rustbridge_wire::read(request).map_err(|problem| {
            let message = format!("the request of service `{name}` can't be read: {problem}");
            Error::failure(Status::InvalidArgument, message).with_type("rustbridge.InvalidRequest")
        })?;
        function(request)
    };
    load.service(name, Encoding::Wire, service)
}

/// Encodes the response of a service.
///
/// # Errors
/// If it can't be encoded.
pub(super) fn encoded<R: Encode>(name: &str, response: &R) -> Result<Vec<u8>, Error> {
    to_vec(response).map_err(|problem| unfit(name, &problem))
}

#[cold]
fn unfit(name: &str, problem: &Unwritable) -> Error {
    let message = format!("the answer of service `{name}` can't be sent: {problem}");
    Error::failure(Status::Internal, message).with_type("rustbridge.InvalidResponse")
}
