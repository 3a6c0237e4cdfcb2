//! A call, and what is expected of it, as the case files say it.

use rustbridge_abi::{Encoding, Status};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value;

use crate::payload::Payload;

/// One call, which is made once for each capacity and each misalignment.
#[derive(Clone, Debug)]
pub struct Call {
    /// How the method is found.
    pub method: Method,
    /// The encoding, or a number that is none.
    pub encoding: Result<Encoding, u32>,
    /// Whether through the call for leaf methods.
    pub leaf: bool,
    /// The request.
    pub request: Vec<u8>,
    /// Sizes of the caller's storage; none where any will do.
    pub capacity: Vec<usize>,
    /// Offsets of the request from an aligned address; none where any will do.
    pub misalign: Vec<usize>,
    /// What comes back.
    pub expect: Expect,
}

/// How a method is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// By name.
    Name(String),
    /// By a name that isn't UTF-8.
    Bytes(Vec<u8>),
    /// By number.
    Id(u32),
}

/// What is expected of a call, of closing or of loading.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The status.
    #[serde(deserialize_with = "status")]
    pub status: Status,
    /// Where a failure appears, if that matters.
    pub stage: Option<Stage>,
    /// What a success answers.
    pub response: Option<Response>,
    /// What a failure's payload says.
    pub error: Option<ExpectedError>,
}

/// Where a failure appears.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Making the instance.
    Load,
    /// Resolving method and encoding.
    Prepare,
    /// The call itself.
    Call,
}

/// An expected response.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Response {
    /// Exactly these bytes.
    Exact(Payload),
    /// This value as JSON.
    Json(JsonForm),
    /// JSON of which these things hold.
    Checks(ChecksForm),
}

/// `{"json": value}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonForm {
    /// The value.
    #[serde(deserialize_with = "any")]
    pub json: Value,
}

/// `{"checks": [..]}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChecksForm {
    /// All of them hold.
    pub checks: Vec<Check>,
}

/// An expected error payload.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExpectedError {
    /// Its `type`.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// Its `message`.
    pub message: Option<String>,
    /// Texts that occur in its `message`.
    pub message_contains: Vec<String>,
    /// Its `details`.
    pub details: Option<Value>,
    /// That it has none.
    pub no_details: bool,
    /// What else holds of it.
    pub checks: Vec<Check>,
}

/// One thing about a place in a JSON value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Names and indexes, with dots between.
    pub path: String,
    /// It is this.
    #[serde(default, deserialize_with = "some")]
    pub equals: Option<Value>,
    /// It has so many items, members or characters.
    pub length: Option<usize>,
    /// It is of this JSON type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// It is a number, and at least this.
    pub min: Option<f64>,
    /// It is a text in which this occurs.
    pub contains: Option<String>,
    /// It isn't there.
    #[serde(default)]
    pub absent: bool,
}

pub(crate) fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Status, D::Error> {
    let name = String::deserialize(deserializer)?;
    Status::from_name(&name).ok_or_else(|| D::Error::custom(format!("`{name}` is no status")))
}

/// A value that is there, also when it is null.
pub(crate) fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A value that must be there, also when it is null: a plain `Value` field may be left out.
fn any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Value::deserialize(deserializer)
}
