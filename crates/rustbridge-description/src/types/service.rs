//! The types of services: what is different between a host's and a plugin's, and how messages of one become the other's.
//!
//! It's a method the other way round: what the plugin sends is what the host reads.

use serde_json::Value;

use super::compare::compare_errors;
use super::{Change, Direction, Effect, Plan, Table, ThrownErrors, TypeRef, compare};
use crate::{Error, Service, Side};

/// How a plugin's calls of a service become those that its host knows, and the host's answers the plugin's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceResolution {
    /// From the plugin to the host.
    pub request: Option<Plan>,
    /// From the host to the plugin.
    pub response: Option<Plan>,
    /// What becomes of errors of the type that the host's client schema gives, if it gives one.
    pub thrown: Option<ThrownErrors>,
}

/// What is different between the types of a service in the wire form, as its host knows it and as the plugin calls it. See [`compare`].
///
/// # Errors
/// If a type isn't one, or isn't in its table.
pub fn compare_services(
    host: (&Table, &Service<'_, Value>),
    plugin: (&Table, &Service<'_, Value>),
) -> Result<Vec<Change>, Error> {
    let mut changes = Vec::new();
    for (side, direction) in SIDES {
        let (one, other) = (side.of(host)?, side.of(plugin)?);
        let found = compare((host.0, &one), (plugin.0, &other), direction);
        changes.extend(found.into_iter().map(|change| change.within(side.name())));
    }
    changes.extend(compare_thrown(host, plugin)?);
    Ok(changes)
}

/// What is different between the types of the errors that a host throws and a plugin distinguishes. None of it breaks: what the
/// plugin doesn't know, or can't read, becomes an error without a type.
fn compare_thrown(
    host: (&Table, &Service<'_, Value>),
    plugin: (&Table, &Service<'_, Value>),
) -> Result<Vec<Change>, Error> {
    let (Some(one), Some(other)) = (thrown(host)?, thrown(plugin)?) else {
        return Ok(Vec::new());
    };
    // The plugin is the one that reads.
    let found = compare_errors((plugin.0, &other), (host.0, &one));
    let seen_by_host = |change: Change| Change {
        effect: match change.effect {
            Effect::Breaks => Effect::FailsWhenUsed,
            effect => effect,
        },
        what: from_the_other_side(&change.what),
        ..change.within("error")
    };
    Ok(found.into_iter().map(seen_by_host).collect())
}

/// A text about both sides, in which they have changed places.
fn from_the_other_side(text: &str) -> String {
    const PLUGIN: &str = "the plugin";
    const CLIENT: &str = "the client";
    let parts = text.split(PLUGIN).map(|part| part.replace(CLIENT, PLUGIN));
    parts.collect::<Vec<_>>().join(CLIENT)
}

/// The type of the errors that a host throws, or that a plugin distinguishes.
fn thrown((table, service): (&Table, &Service<'_, Value>)) -> Result<Option<TypeRef>, Error> {
    let error = service.error.as_ref().and_then(|side| side.ty.as_ref());
    error.map(|ty| table.reference(ty)).transpose()
}

/// Resolves a host's service to the plugin's.
///
/// # Errors
/// If a type isn't one, or isn't in its table. What is different, if any of it [breaks](super::Effect::Breaks).
pub fn resolve_services(
    host: (&Table, &Service<'_, Value>),
    plugin: (&Table, &Service<'_, Value>),
) -> Result<Result<ServiceResolution, Vec<Change>>, Error> {
    let plan = |(side, direction): (Part, Direction)| {
        let (one, other) = (side.of(host)?, side.of(plugin)?);
        Ok(Plan::new((host.0, &one), (plugin.0, &other), direction))
    };
    let [request, response] = SIDES;
    Ok(match (plan(request)?, plan(response)?) {
        (Ok(request), Ok(response)) => Ok(ServiceResolution {
            request,
            response,
            thrown: match (thrown(host)?, thrown(plugin)?) {
                (None, _) => None,
                (Some(ty), own) => ThrownErrors::new((host.0, &ty), (plugin.0, own.as_ref())),
            },
        }),
        _ => Err(compare_services(host, plugin)?),
    })
}

/// What is compared, and which way it goes, as a method's would.
const SIDES: [(Part, Direction); 2] = [
    (Part::Request, Direction::Response),
    (Part::Response, Direction::Request),
];

#[derive(Clone, Copy)]
enum Part {
    Request,
    Response,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Request => "request",
            Part::Response => "response",
        }
    }

    /// What goes in or comes out, as a description has it: `unit` if it doesn't say.
    fn of(self, (table, service): (&Table, &Service<'_, Value>)) -> Result<TypeRef, Error> {
        let side: &Side<'_> = match self {
            Part::Request => &service.request,
            Part::Response => &service.response,
        };
        match &side.ty {
            Some(value) => table.reference(value),
            None => Ok(TypeRef::Unit),
        }
    }
}
