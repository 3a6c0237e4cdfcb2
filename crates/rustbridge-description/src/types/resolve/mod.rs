//! Messages of one side's types in the other's words: a plan, made once of what two tables have in common by names, and its
//! interpreter, which goes through a message by it.

mod compile;
mod default_values;
mod dynamic;
mod error;
mod frames;
mod plan;
mod run;
mod scalars;
#[cfg(test)]
mod tests;
mod thrown;

pub use error::{ErrorPlan, ResolvedPayload};
pub use plan::{MAX_BYTES, Plan, Problem, Reason, UNKNOWN_VARIANT};
pub use thrown::{ThrownError, ThrownErrors};

use compile::UnknownPolicy;

use super::method::Requests;
use super::{Change, Direction, Effect, Signature, Table, TypeRef, compare};

impl Plan {
    /// Makes the plan for messages of a client's and a plugin's type that go in that direction. `None` if they can go as they are.
    ///
    /// ```
    /// use rustbridge_description::types::{Definition, Direction, Plan, Table, TypeRef};
    ///
    /// let table = |text| Table::new(serde_json::from_str::<Vec<Definition>>(text).unwrap()).unwrap();
    /// let client = table(r#"[{"name": "P", "record": [{"name": "x", "type": "u8"}]}]"#);
    /// let plugin = table(r#"[{"name": "P", "record": [{"name": "y", "type": "u8", "default": true}, {"name": "x", "type": "u8"}]}]"#);
    /// let ty = TypeRef::Ref(0);
    /// let plan = Plan::new((&client, &ty), (&plugin, &ty), Direction::Request).unwrap().unwrap();
    /// assert_eq!(plan.resolve(&[7]).unwrap(), [0, 7]);
    /// ```
    ///
    /// # Errors
    /// What is different, if any of it [breaks](super::Effect::Breaks).
    pub fn new(
        client: (&Table, &TypeRef),
        plugin: (&Table, &TypeRef),
        direction: Direction,
    ) -> Result<Option<Plan>, Vec<Change>> {
        let changes = compare(client, plugin, direction);
        if changes.iter().all(|change| change.effect == Effect::Noted) {
            return Ok(None);
        }
        if changes.iter().any(Change::breaks) {
            return Err(changes);
        }
        Ok(Some(match direction {
            Direction::Request => compile::plan(client, plugin, UnknownPolicy::Refused),
            Direction::Response => compile::plan(plugin, client, UnknownPolicy::LeftOut),
        }))
    }

    /// A message in the other side's words.
    ///
    /// # Errors
    /// If the bytes don't hold a message of the side that it comes from, or one that the other side has no words for.
    pub fn resolve(&self, message: &[u8]) -> Result<Vec<u8>, Problem> {
        run::run(self, message, MAX_BYTES)
    }
}

/// How a client's calls of a method, or of a service, become those of the plugin's types, and their answers the client's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// From the client to the plugin.
    pub request: Option<Plan>,
    /// From the plugin to the client: the answer, or each item of a stream that it gives.
    pub response: Option<Plan>,
    /// From the client to the plugin: each item of a stream that it takes.
    pub items: Option<Plan>,
    /// From the plugin to the client.
    pub error: ErrorPlan,
}

impl Signature {
    /// Resolves a client's method to the plugin's.
    ///
    /// # Errors
    /// What is different, if any of it [breaks](super::Effect::Breaks).
    pub fn resolve(
        client: (&Table, &Signature),
        plugin: (&Table, &Signature),
    ) -> Result<Resolution, Vec<Change>> {
        let changes = Signature::compare(client, plugin);
        if changes.iter().any(Change::breaks) {
            return Err(changes);
        }
        let requests = Requests::of(client, plugin);
        let ((known, client), (table, plugin)) = (client, plugin);
        let plan = |one, other, direction| Plan::new((known, one), (table, other), direction);
        Ok(Resolution {
            request: Plan::new(requests.client(), requests.plugin(), Direction::Request)?,
            response: plan(&client.response, &plugin.response, Direction::Response)?,
            items: match (&client.items, &plugin.items) {
                (Some(one), Some(other)) => plan(one, other, Direction::Request)?,
                _ => None,
            },
            error: ErrorPlan::new(
                (known, client.error.as_ref()),
                (table, plugin.error.as_ref()),
            ),
        })
    }
}
