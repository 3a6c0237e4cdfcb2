//! Steps of a case about what ends later: begun calls, their streams, the objects that they give, and what services were asked.

use std::collections::BTreeMap;

use rustbridge_abi::{Encoding, Status};
use serde::Deserialize;
use serde_json::Value;

use crate::call::{self, Call, Expect, Response};
use crate::payload::Payload;

/// A service that the host registers before it loads, with its only answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// What the plugin asks for.
    pub name: String,
    /// The encoding of request and answer.
    #[serde(deserialize_with = "encoding")]
    pub encoding: Encoding,
    /// How it answers.
    #[serde(default)]
    pub mode: Mode,
    /// With what status.
    #[serde(default = "ok", deserialize_with = "call::status")]
    pub status: Status,
    /// With what bytes, an error's payload unless the status is `OK`.
    pub answer: Option<Payload>,
}

/// How a service answers.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Before its function returns.
    #[default]
    Now,
    /// From another thread, a moment after.
    Later,
    /// Never.
    Never,
    /// As an event of the host's queue, when that is looked at.
    Queue,
    /// By calling the method of the plugin's that `answer` names, with what it's asked.
    Back,
    /// By throwing what the host's language has for that.
    Throw,
    /// By closing the instance that asks, and passing on why that's refused.
    Close,
}

impl Mode {
    /// Its number in the protocol.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Mode::Now => 0,
            Mode::Later => 1,
            Mode::Never => 2,
            Mode::Queue => 3,
            Mode::Back => 4,
            Mode::Throw => 5,
            Mode::Close => 6,
        }
    }
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Work {
    /// Begins a call, which has that name from then on.
    Begin(String, Box<NewCall>),
    /// Makes a call that carries something, and waits for its end.
    With(Box<NewCall>, End),
    /// Waits for the end of a call.
    End(String, End),
    /// Waits for items of a call's stream: just these, and then these objects have come with them.
    Items(String, Vec<Response>, Vec<String>),
    /// Nothing comes of a call, for a moment.
    Quiet(String),
    /// Does something to a call.
    Act(String, Act, Expect),
    /// Releases an object.
    Release(ObjectRef, Expect),
    /// What services were asked since this was asked last, in order.
    Asked(Vec<(String, Response)>),
    /// Closes the queue that calls go to, and services; later ones have another.
    Abandon,
}

/// How a call is begun.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// By the host's queue.
    #[default]
    Queue,
    /// By the call that blocks.
    Blocks,
    /// By the queue, and a plain method runs on another thread.
    Offload,
    /// With a function that is told what comes.
    Callback,
}

impl How {
    /// Its number in the protocol.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            How::Queue => 0,
            How::Blocks => 1,
            How::Offload => 2,
            How::Callback => 3,
        }
    }
}

/// A call to be begun.
#[derive(Clone, Debug)]
pub struct NewCall {
    /// What is called; what is expected of it is said when it ends.
    pub call: Call,
    /// What it carries.
    pub header: Header,
    /// How many items and bytes of its stream are taken at first.
    pub demand: (u64, u64),
    /// In which way.
    pub how: How,
}

/// What a call carries.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// How much time there is.
    pub timeout_ns: Option<u64>,
    /// The trace that it's part of.
    pub trace: Option<Trace>,
    /// Metadata as the boundary has it.
    pub metadata: Vec<u8>,
    /// What's lent to it.
    pub objects: Vec<ObjectRef>,
}

/// A trace.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its id, the span's, and the flags, as the boundary has them.
    pub ids: Vec<u8>,
    /// What else is said of it.
    pub state: String,
}

/// An object: one that a step before was given, or a number that is made up.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum ObjectRef {
    /// By the name that the step gave it.
    Name(String),
    /// A number.
    Number(u64),
}

/// What is done to a call that was begun.
#[derive(Clone, Debug)]
pub enum Act {
    /// Asks it to end early.
    Cancel,
    /// Gives it up.
    Detach,
    /// Takes so many items more, and so many bytes.
    Demand(u64, u64),
    /// Sends items in one go; whether it waits until they're asked for.
    Send(Vec<Vec<u8>>, bool),
    /// Ends the stream into it.
    Finish(Status, Vec<u8>),
}

/// How a call is expected to end.
#[derive(Clone, Debug)]
pub struct End {
    /// Its status, and what it answers.
    pub expect: Expect,
    /// The trailers, if they matter.
    pub trailers: Option<Vec<(String, String)>>,
    /// Names for the objects that come with it, just so many.
    pub objects: Vec<String>,
}

/// The fields of a step that other steps don't have.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Form {
    #[serde(rename = "as")]
    name: Option<String>,
    of: Option<String>,
    header: HeaderForm,
    how: How,
    demand: (u64, u64),
    items: Option<Value>,
    bytes: Option<u64>,
    at_once: bool,
    object: Option<ObjectRef>,
    status: Option<String>,
    payload: Option<Payload>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct HeaderForm {
    timeout_ms: Option<u64>,
    trace: Option<TraceForm>,
    metadata: Option<Vec<(String, String)>>,
    metadata_bytes: Option<Payload>,
    objects: Vec<ObjectRef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceForm {
    id: Payload,
    span: Payload,
    flags: u32,
    #[serde(default)]
    state: String,
}

/// The names of the steps that are read here.
pub(crate) const OPS: &[&str] = &[
    "begin", "with", "end", "items", "quiet", "cancel", "detach", "demand", "send", "finish",
    "release", "asked", "abandon",
];

impl Form {
    /// Takes the fields that are read here out of those of a step.
    pub(crate) fn take(fields: &mut BTreeMap<String, Value>) -> Result<Form, String> {
        let mut own = serde_json::Map::new();
        let names = [
            "as", "of", "header", "how", "demand", "items", "bytes", "at_once", "object", "status",
            "payload",
        ];
        for name in names {
            if let Some(value) = fields.remove(name) {
                own.insert(name.to_owned(), value);
            }
        }
        serde_json::from_value(Value::Object(own)).map_err(|problem| problem.to_string())
    }

    /// The work of a step; `call` is what the fields for a call say, if it is one.
    pub(crate) fn work(
        self,
        op: &str,
        call: impl FnOnce(Expect) -> Result<Call, String>,
        expect: Option<Value>,
    ) -> Result<Work, String> {
        let of = || self.of.clone().ok_or("it's of no call");
        let act = |act| Ok::<_, String>(Work::Act(of()?, act, expected(expect.clone())?));
        Ok(match op {
            "begin" | "with" => {
                let begin = Box::new(NewCall {
                    call: call(fine())?,
                    header: self.header.header()?,
                    demand: self.demand,
                    how: if op == "with" { How::Blocks } else { self.how },
                });
                if op == "with" {
                    Work::With(begin, End::of(expect)?)
                } else {
                    Work::Begin(self.name.ok_or("it has no name: `as`")?, begin)
                }
            }
            "end" => Work::End(of()?, End::of(expect)?),
            "items" => {
                let expect = expect.ok_or("nothing is expected")?;
                let found: ItemsForm =
                    serde_json::from_value(expect).map_err(|problem| problem.to_string())?;
                Work::Items(of()?, found.items, found.objects)
            }
            "quiet" => Work::Quiet(of()?),
            "cancel" => act(Act::Cancel)?,
            "detach" => act(Act::Detach)?,
            "demand" => {
                let items = self.items.as_ref().and_then(Value::as_u64).unwrap_or(0);
                act(Act::Demand(items, self.bytes.unwrap_or(0)))?
            }
            "send" => {
                let items: Vec<Payload> =
                    serde_json::from_value(self.items.clone().ok_or("no items to send")?)
                        .map_err(|problem| problem.to_string())?;
                let items = items.iter().map(Payload::bytes).collect();
                act(Act::Send(items, !self.at_once))?
            }
            "finish" => {
                let status = match &self.status {
                    None => Status::Ok,
                    Some(name) => Status::from_name(name).ok_or("no such status")?,
                };
                let payload = self.payload.as_ref().map(Payload::bytes);
                act(Act::Finish(status, payload.unwrap_or_default()))?
            }
            "release" => Work::Release(self.object.ok_or("no object")?, expected(expect)?),
            "asked" => {
                let asked = expect.ok_or("nothing is expected")?;
                Work::Asked(serde_json::from_value(asked).map_err(|problem| problem.to_string())?)
            }
            "abandon" => Work::Abandon,
            other => return Err(format!("`{other}` is no op")),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemsForm {
    items: Vec<Response>,
    #[serde(default)]
    objects: Vec<String>,
}

impl HeaderForm {
    fn header(&self) -> Result<Header, String> {
        let metadata = match (&self.metadata, &self.metadata_bytes) {
            (Some(pairs), None) => metadata(pairs),
            (None, Some(bytes)) => bytes.bytes(),
            (None, None) => Vec::new(),
            (Some(_), Some(_)) => return Err("metadata and metadata_bytes at once".to_owned()),
        };
        let trace = self.trace.as_ref().map(|trace| {
            let mut ids = trace.id.bytes();
            ids.extend(trace.span.bytes());
            ids.extend(trace.flags.to_le_bytes());
            Trace {
                ids,
                state: trace.state.clone(),
            }
        });
        if trace.as_ref().is_some_and(|trace| trace.ids.len() != 28) {
            return Err("a trace has 16 bytes, and a span 8".to_owned());
        }
        Ok(Header {
            timeout_ns: self.timeout_ms.map(|ms| ms * 1_000_000),
            trace,
            metadata,
            objects: self.objects.clone(),
        })
    }
}

impl End {
    /// Reads an expectation with the two things more that the end of a call may have.
    fn of(value: Option<Value>) -> Result<End, String> {
        let mut value = value.ok_or("nothing is expected")?;
        let fields = value.as_object_mut().ok_or("no expectation")?;
        let mut read = |name: &str| fields.remove(name);
        let (trailers, objects) = (read("trailers"), read("objects"));
        let problem = |problem: serde_json::Error| problem.to_string();
        Ok(End {
            trailers: trailers
                .map(serde_json::from_value)
                .transpose()
                .map_err(problem)?,
            objects: objects
                .map(serde_json::from_value)
                .transpose()
                .map_err(problem)?
                .unwrap_or_default(),
            expect: serde_json::from_value(value).map_err(problem)?,
        })
    }
}

/// What is expected, which is success if nothing is said.
fn expected(value: Option<Value>) -> Result<Expect, String> {
    value.map_or_else(
        || Ok(fine()),
        |value| serde_json::from_value(value).map_err(|problem| problem.to_string()),
    )
}

fn fine() -> Expect {
    Expect {
        status: Status::Ok,
        stage: None,
        response: None,
        error: None,
    }
}

/// Metadata as the boundary has it.
#[must_use]
pub fn metadata(pairs: &[(String, String)]) -> Vec<u8> {
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = word(pairs.len()).to_vec();
    for (key, value) in pairs {
        bytes.extend(word(key.len()));
        bytes.extend(word(value.len()));
        bytes.extend(key.as_bytes());
        bytes.extend(value.as_bytes());
    }
    bytes
}

fn ok() -> Status {
    Status::Ok
}

fn encoding<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Encoding, D::Error> {
    let name = String::deserialize(deserializer)?;
    Encoding::from_name(&name)
        .ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no encoding")))
}
