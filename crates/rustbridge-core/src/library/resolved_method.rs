//! Entries of clients whose types aren't the plugin's but can become them: what is called through them is put into the plugin's words, and
//! its answer into the client's.
//!
//! They have indices behind those of the plugin's own entries, so a call through one of those isn't asked whether it's another.

use std::sync::{Mutex, OnceLock, PoisonError};

use rustbridge_abi::{RB_OK, Status, StatusCode};
use rustbridge_description::types::{
    Plan, Problem, Reason, Resolution, ResolvedPayload as ResolvedError,
};

use crate::error::Error;

/// How many are in a chunk.
const CHUNK: usize = 32;

/// One of them.
#[derive(Debug)]
pub(crate) struct ResolvedMethod {
    /// The plugin's entry.
    pub(crate) index: u16,
    /// Whether it returns a stream.
    gives: bool,
    /// The plugin and the method, for messages.
    plugin: String,
    method: String,
    /// How messages are resolved, or the error of a method that the plugin lacks.
    resolution: Result<Resolution, Error>,
}

impl ResolvedMethod {
    pub(crate) fn new(
        (index, gives): (u16, bool),
        (plugin, method): (&str, &str),
        resolution: Resolution,
    ) -> ResolvedMethod {
        ResolvedMethod {
            index,
            gives,
            plugin: plugin.to_owned(),
            method: method.to_owned(),
            resolution: Ok(resolution),
        }
    }

    /// Creates an entry for a method that the client knows and the plugin lacks. Calls fail with the error.
    pub(crate) fn absent((plugin, method): (&str, &str), error: Error) -> ResolvedMethod {
        ResolvedMethod {
            // No plugin has it: it's beyond what an entry's token has room for.
            index: u16::MAX,
            gives: false,
            plugin: plugin.to_owned(),
            method: method.to_owned(),
            resolution: Err(error),
        }
    }

    /// The method, if the plugin doesn't have it.
    pub(crate) fn absent_method(&self) -> Option<&str> {
        self.resolution.is_err().then_some(&self.method)
    }

    /// Whether it does the same as another.
    fn is_same(&self, other: &ResolvedMethod) -> bool {
        match (&self.resolution, &other.resolution) {
            (Ok(one), Ok(other_one)) => self.index == other.index && one == other_one,
            // Another client's version may be another.
            (Err(one), Err(other_one)) => {
                self.method == other.method && one.message() == other_one.message()
            }
            _ => false,
        }
    }

    /// The plan of a part of messages, of a method that there is.
    fn plan(&self, part: impl Fn(&Resolution) -> &Option<Plan>) -> Option<&Plan> {
        self.resolution
            .as_ref()
            .ok()
            .and_then(|it| part(it).as_ref())
    }

    /// A request in the plugin's words; `None` if it's the same there.
    pub(crate) fn request(&self, request: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if let Err(error) = &self.resolution {
            return Err(error.clone());
        }
        self.sent("request", self.plan(|it| &it.request), request)
    }

    /// An item that the client sends, in the plugin's words; `None` if it's the same there.
    pub(crate) fn item_in(&self, item: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.sent("item", self.plan(|it| &it.items), item)
    }

    /// Whether items that go to the plugin, or come from it, are the same in the other side's words.
    pub(crate) fn keeps_items(&self, are_sent: bool) -> bool {
        if are_sent {
            self.plan(|it| &it.items).is_none()
        } else {
            self.plan(|it| &it.response).is_none()
        }
    }

    /// An item that the plugin sends, in the client's words; `None` if it's the same there.
    pub(crate) fn item_out(&self, item: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.given("an item", self.plan(|it| &it.response), item)
    }

    /// What a call ended with, in the client's words; `None` if it's the same there.
    pub(crate) fn answer(
        &self,
        status: StatusCode,
        payload: &[u8],
    ) -> Result<Option<Vec<u8>>, Error> {
        if status != RB_OK {
            return self.error(status, payload);
        }
        // What comes of a stream are its items, and nothing at its end.
        if self.gives {
            return Ok(None);
        }
        self.given("an answer", self.plan(|it| &it.response), payload)
    }

    fn error(&self, status: StatusCode, payload: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Ok(resolution) = &self.resolution else {
            return Ok(None);
        };
        match resolution.error.resolve(payload) {
            Ok(ResolvedError::Same) => Ok(None),
            Ok(ResolvedError::Typed(bytes)) => Ok(Some(bytes)),
            Ok(ResolvedError::Untyped { message, type_name }) => {
                let error = Error::failure(Status::from_code(status), message).with_type(type_name);
                Ok(Some(error.to_json().into_bytes()))
            }
            Err(problem) => Err(self.broken("an error", &problem)),
        }
    }

    fn sent(
        &self,
        what: &str,
        plan: Option<&Plan>,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(plan) = plan else { return Ok(None) };
        plan.resolve(bytes).map(Some).map_err(|problem| {
            let (kind, message) = match problem.reason {
                Reason::Lacking => (
                    (Status::Unimplemented, "NotInPlugin"),
                    format!(
                        "`{}` of plugin `{}` can't accept the {what}, because the plugin is older than the client, or no longer has a type that the {what} uses: {problem}",
                        self.method, self.plugin
                    ),
                ),
                Reason::Malformed | Reason::TooLarge => (
                    REQUEST,
                    format!(
                        "the wire {what} of `{}` doesn't match the client's version of the method: {problem}",
                        self.method
                    ),
                ),
            };
            unresolved(kind, message, &problem)
        })
    }

    fn given(
        &self,
        what: &str,
        plan: Option<&Plan>,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(plan) = plan else { return Ok(None) };
        let resolved = plan.resolve(bytes);
        resolved
            .map(Some)
            .map_err(|problem| self.broken(what, &problem))
    }

    #[cold]
    fn broken(&self, what: &str, problem: &Problem) -> Error {
        let message = format!(
            "`{}` of plugin `{}` returned {what} that can't be resolved, because the client was generated for another version: {problem}",
            self.method, self.plugin
        );
        unresolved(ANSWER, message, problem)
    }
}

/// What a request is that can't be resolved, and what an answer is.
pub(super) const REQUEST: (Status, &str) = (Status::InvalidArgument, "InvalidRequest");
pub(super) const ANSWER: (Status, &str) = (Status::Internal, "InvalidResponse");

/// The error of a message that can't be put into the other side's words, with the path of what it's about. One that would be too large
/// there is that, whoever has sent it.
pub(super) fn unresolved(
    (status, kind): (Status, &str),
    message: String,
    problem: &Problem,
) -> Error {
    let error = match problem.reason {
        Reason::TooLarge => Error::new(Status::ResourceExhausted, "TooLarge", message),
        Reason::Lacking | Reason::Malformed => Error::new(status, kind, message),
    };
    if problem.path.is_empty() {
        return error;
    }
    error.with_details(Error::detail("path", problem.path.clone()))
}

/// Those of a plugin, which stay as long as it does: for good. They are read without a lock, which in a forked child nobody might give
/// back.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    first: Chunk,
    /// How many there are, for who adds one.
    count: Mutex<usize>,
}

#[derive(Debug, Default)]
struct Chunk {
    entries: [OnceLock<ResolvedMethod>; CHUNK],
    next: OnceLock<Box<Chunk>>,
}

impl Entries {
    /// The entry of that number.
    pub(crate) fn get(&self, number: usize) -> Option<&ResolvedMethod> {
        let mut chunk = &self.first;
        for _ in 0..number / CHUNK {
            chunk = chunk.next.get()?;
        }
        chunk.entries[number % CHUNK].get()
    }

    /// Adds an entry, unless there's one that does the same, and gives its number; `room` is how many there may be.
    pub(crate) fn add(&self, resolved: ResolvedMethod, room: usize) -> Result<usize, Error> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |number: &usize| {
            self.get(*number)
                .is_some_and(|known| known.is_same(&resolved))
        };
        if let Some(known) = (0..*count).find(is_same) {
            return Ok(known);
        }
        if *count >= room {
            return Err(Error::new(
                Status::ResourceExhausted,
                "TooManyClients",
                format!(
                    "{count} methods of clients for other versions of plugin `{}` are prepared in this process, which is the limit: regenerate the clients with `rustbridge gen`",
                    resolved.plugin
                ),
            ));
        }
        let number = *count;
        let mut chunk = &self.first;
        for _ in 0..number / CHUNK {
            chunk = chunk.next.get_or_init(Box::default);
        }
        chunk.entries[number % CHUNK].get_or_init(|| resolved);
        *count += 1;
        Ok(number)
    }
}
