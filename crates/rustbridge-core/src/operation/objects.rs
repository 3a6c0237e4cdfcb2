//! Objects of plugins that hosts hold, by their numbers.

use rustbridge_abi::{Object, Status};

use crate::error::Error;
use crate::handle::table::Handle;

/// Objects that are lent to a call, which keeps them until this is dropped: what the plugin gave when it returned them.
#[derive(Debug, Default)]
pub(crate) struct Lent {
    pub(crate) addresses: Vec<u64>,
}

/// Lends objects to a call of that instance.
///
/// # Errors
/// `NOT_FOUND` for a number that isn't an object of the instance's (any more).
pub(crate) fn lend(_instance: Handle, objects: &[Object]) -> Result<Lent, Error> {
    // Nothing returns objects yet.
    match objects.first() {
        None => Ok(Lent::default()),
        Some(object) => Err(Error::new(
            Status::NotFound,
            "UnknownObject",
            format!("{object:#x} isn't an object of this instance: pass what a call has returned"),
        )),
    }
}

/// Takes what an answer says are its objects, as the plugin wrote them there, into the ledger: their numbers are what the host
/// gets in their place.
///
/// # Errors
/// `INTERNAL` if they can't be objects.
pub(crate) fn take(_instance: Handle, objects: &[u64]) -> Result<(), Error> {
    if objects.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        Status::Internal,
        "InvalidResponse",
        "the plugin returned objects, and offers nothing by which they could be dropped",
    ))
}
