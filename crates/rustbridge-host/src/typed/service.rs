//! Services with the types of a generated client.

use std::sync::Arc;

use rustbridge_core::{Encoding, Error, Load, ServiceCall, Status};
use rustbridge_wire::{Decode, Encode, Unwritable, to_vec};

/// Registers a service, a function of a group, that accepts a request.
pub fn serve<'l, G, Q, R>(
    load: Load<'l>,
    name: &'static str,
    group: &Arc<G>,
    function: fn(&G, Q) -> Result<R, Error>,
) -> Load<'l>
where
    G: ?Sized + Send + Sync + 'static,
    Q: for<'de> Decode<'de> + 'static,
    R: Encode + 'static,
{
    registered(load, name, group, function)
}

/// Registers a service, a function of a group, that accepts no request.
pub fn serve_unasked<'l, G, R>(
    load: Load<'l>,
    name: &'static str,
    group: &Arc<G>,
    function: fn(&G) -> Result<R, Error>,
) -> Load<'l>
where
    G: ?Sized + Send + Sync + 'static,
    R: Encode + 'static,
{
    registered(load, name, group, move |group: &G, ()| function(group))
}

fn registered<'l, G, Q, R>(
    load: Load<'l>,
    name: &'static str,
    group: &Arc<G>,
    function: impl Fn(&G, Q) -> Result<R, Error> + Send + Sync + 'static,
) -> Load<'l>
where
    G: ?Sized + Send + Sync + 'static,
    Q: for<'de> Decode<'de> + 'static,
    R: Encode + 'static,
{
    let group = Arc::clone(group);
    let service = move |request: &[u8], _: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
        let request = rustbridge_wire::read(request).map_err(|problem| {
            let message = format!("the request of service `{name}` can't be read: {problem}");
            Error::failure(Status::InvalidArgument, message).with_type("rustbridge.InvalidRequest")
        })?;
        let response = function(&group, request)?;
        to_vec(&response).map_err(|problem| unfit(name, &problem))
    };
    load.service(name, Encoding::Wire, service)
}

#[cold]
fn unfit(name: &str, problem: &Unwritable) -> Error {
    let message = format!("the answer of service `{name}` can't be sent: {problem}");
    Error::failure(Status::Internal, message).with_type("rustbridge.InvalidResponse")
}
