//! Whether the services that a typed client registers have the types that the plugin calls them with, or can be brought together with them.

use rustbridge_abi::{Encoding, Status};
use rustbridge_description::types::{Effect, Table, compare_services, resolve_services};
use rustbridge_description::{self as description, Description, Service};
use serde_json::Value;

use super::method_types::{different, told};
use super::resolved_service::ResolvedService;
use crate::error::Error;

/// A service of a client that was written for another version of the plugin, or whose errors have a type.
pub(crate) struct Other {
    pub(crate) service: ResolvedService,
    /// For people: what differs, if the types do.
    pub(crate) what: Option<String>,
}

/// Returns the registered services whose types in the client schema differ from those in `text`, the description of `plugin`, and those
/// whose errors have a type.
pub(super) fn others(
    (plugin, text): (&str, &str),
    client_schema: &[u8],
    is_registered: impl Fn(&str) -> bool,
) -> Result<Vec<Other>, Error> {
    let unreadable = |error: description::Error| {
        Error::new(
            Status::InvalidArgument,
            "InvalidClientSchema",
            format!(
                "the client schema of the services can't be read: {}",
                error.what()
            ),
        )
    };
    let client: Description<'_, Value> = Description::read(client_schema).map_err(unreadable)?;
    let known = Table::of(&client).map_err(unreadable)?;
    let invalid = |error: description::Error| {
        Error::new(
            Status::FailedPrecondition,
            "InvalidDescription",
            error.to_string(),
        )
    };
    let ours: Description<'_, Value> = Description::read(text.as_bytes()).map_err(invalid)?;
    let table = Table::of(&ours).map_err(invalid)?;
    let mut others = Vec::new();
    for service in &client.services {
        let called = |other: &&Service<'_, Value>| other.name == service.name && is_typed(other);
        if !is_typed(service) || !is_registered(&service.name) {
            continue;
        }
        let Some(other) = ours.services.iter().find(called) else {
            // Registered for nobody, which does no harm.
            continue;
        };
        let (host, asks) = ((&known, service), (&table, other));
        let mut changes = compare_services(host, asks).map_err(unreadable)?;
        // Those need no resolution.
        changes.retain(|change| change.effect != Effect::Noted);
        if changes.is_empty() && service.error.is_none() {
            continue;
        }
        match resolve_services(host, asks).map_err(unreadable)? {
            Ok(resolution) => others.push(Other {
                service: ResolvedService::new(plugin, &service.name, resolution),
                what: (!changes.is_empty()).then(|| told(changes.iter())),
            }),
            Err(changes) => return Err(different(plugin, &service.name, &changes)),
        }
    }
    Ok(others)
}

fn is_typed(service: &Service<'_, Value>) -> bool {
    service.encoding == Encoding::Wire.name()
}
