//! What a plugin's description says of the services that it calls.

use std::marker::PhantomData;

use rustbridge_abi::Encoding;
use rustbridge_wire::{Type, Typed};
use schemars::JsonSchema;
use serde_json::Value;

use crate::pod::{Layout, Pod};
use crate::schema::{incoming_schema, outgoing_schema};

/// How to make the schemas of a service's request, if it has one, and of its answer.
type Schemas = (Option<fn() -> Value>, fn() -> Value);

/// A service that a plugin calls.
#[derive(Clone, Copy, Debug)]
pub struct ServiceInfo {
    /// What it's registered as.
    pub name: &'static str,
    /// The encoding of request and answer.
    pub encoding: Encoding,
    /// Whether the plugin does without it, too.
    pub optional: bool,
    /// The doc comment.
    pub doc: &'static str,
    /// The name of the parameter; empty if there's none.
    pub parameter: &'static str,
    /// The schemas, in an encoding that serde writes, where there are no types.
    pub schemas: Option<Schemas>,
    /// The layouts, of pods.
    pub layouts: Option<(Layout, Layout)>,
    /// The types, in an encoding that has such.
    pub types: Option<(Type, Type)>,
}

/// The types of a service that serde writes, told from Rust's; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ServiceProbe<Req, Res>(PhantomData<(Req, Res)>);

/// The answer for those that aren't in the table of types.
pub trait NoServiceTypes {
    /// See [`ServiceProbe`].
    const TYPES: Option<(Type, Type)> = None;
}

impl<Req, Res> NoServiceTypes for ServiceProbe<Req, Res> {}

impl<Req: Typed, Res: Typed> ServiceProbe<Req, Res> {
    /// See [`ServiceProbe`].
    pub const TYPES: Option<(Type, Type)> = Some(types::<Req, Res>());
}

/// What types look like in the wire form: what is sent, and what is read.
#[must_use]
pub const fn types<Req: Typed, Res: Typed>() -> (Type, Type) {
    (Req::TYPE, Res::TYPE)
}

/// The schemas of types: what is sent, and what is read.
#[must_use]
pub const fn schemas<Req: JsonSchema, Res: JsonSchema>(takes_request: bool) -> Schemas {
    (
        if takes_request {
            Some(outgoing_schema::<Req>)
        } else {
            None
        },
        incoming_schema::<Res>,
    )
}

/// The layouts of types.
#[must_use]
pub const fn layouts<Req: Pod, Res: Pod>() -> (Layout, Layout) {
    (Req::LAYOUT, Res::LAYOUT)
}
