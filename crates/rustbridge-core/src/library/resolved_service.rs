//! Services of clients whose types aren't the plugin's but can become them: what the plugin asks is put into the client's words, and the
//! answer into the plugin's.

use rustbridge_abi::{RB_OK, Status, StatusCode};
use rustbridge_description::types::{Plan, Problem, ServiceResolution, ThrownError};

use super::resolved_method::{ANSWER, REQUEST, unresolved};
use crate::error::Error;

/// One of them.
#[derive(Debug)]
pub(crate) struct ResolvedService {
    /// The plugin and the service, for messages.
    plugin: String,
    name: String,
    resolution: ServiceResolution,
}

impl ResolvedService {
    pub(crate) fn new(plugin: &str, name: &str, resolution: ServiceResolution) -> ResolvedService {
        ResolvedService {
            plugin: plugin.to_owned(),
            name: name.to_owned(),
            resolution,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What the plugin asks, in the client's words; `None` if it's the same there.
    pub(crate) fn request(&self, request: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        resolved(self.resolution.request.as_ref(), request)
            .map_err(|problem| self.refused(REQUEST, "is asked something", &problem))
    }

    /// What the client answers, in the plugin's words, with its status; `None` if it's the same there, as errors without a type are.
    pub(crate) fn answer(
        &self,
        status: StatusCode,
        payload: &[u8],
    ) -> Result<Option<(StatusCode, Vec<u8>)>, Error> {
        if status != RB_OK {
            return self.error(payload);
        }
        resolved(self.resolution.response.as_ref(), payload)
            .map(|bytes| bytes.map(|bytes| (RB_OK, bytes)))
            .map_err(|problem| self.refused(ANSWER, "answers something", &problem))
    }

    #[cold]
    fn error(&self, payload: &[u8]) -> Result<Option<(StatusCode, Vec<u8>)>, Error> {
        let Some(thrown) = &self.resolution.thrown else {
            return Ok(None);
        };
        let thrown = thrown.resolve(payload).map_err(|problem| {
            let message = format!(
                "service `{}` fails with something that is no error of its type: {problem}",
                self.name
            );
            unresolved(ANSWER, message, &problem)
        })?;
        Ok(thrown.map(|thrown| match thrown {
            ThrownError::Typed(status, bytes) => (status.code(), bytes),
            ThrownError::Untyped {
                status,
                message,
                type_name,
            } => {
                let error = Error::failure(status, message).with_type(type_name);
                (status.code(), error.to_json().into_bytes())
            }
        }))
    }

    #[cold]
    fn refused(&self, kind: (Status, &str), does: &str, problem: &Problem) -> Error {
        let message = format!(
            "service `{}` {does} that can't be resolved, because the host's client was generated for another version of plugin `{}`: {problem}",
            self.name, self.plugin
        );
        unresolved(kind, message, problem)
    }
}

fn resolved(plan: Option<&Plan>, bytes: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
    plan.map(|plan| plan.resolve(bytes)).transpose()
}
