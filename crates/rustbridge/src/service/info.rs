//! The description of the services that a plugin calls.

use std::marker::PhantomData;

use rustbridge_abi::Encoding;
use rustbridge_wire::{Type, Typed};
use serde_json::Value;

use crate::pod::{Layout, Pod};
use crate::schema::{JsonSchema, incoming_schema, outgoing_schema};

/// The functions that create the schemas of a service's request, if it has one, and of its response.
type Schemas = (Option<fn() -> Value>, fn() -> Value);

/// A service that a plugin calls.
#[derive(Clone, Copy, Debug)]
pub struct ServiceInfo {
    /// The name under which it's registered.
    pub name: &'static str,
    /// The encoding of the request and the response.
    pub encoding: Encoding,
    /// Whether the plugin also works without it.
    pub optional: bool,
    /// The doc comment.
    pub doc: &'static str,
    /// The name of its only parameter, which is the whole request; empty if it has none or several.
    pub parameter: &'static str,
    /// Whether its request is a record of several parameters.
    pub arguments: bool,
    /// For a function of a callback: the callback's name. The number of the host's object is the first field of the request.
    pub receiver: &'static str,
    /// The schemas, in an encoding that uses serde, if there are no types.
    pub schemas: Option<Schemas>,
    /// The layouts, in the encoding `pod`.
    pub layouts: Option<(Layout, Layout)>,
    /// The types, if they have a wire format.
    pub types: Option<(Type, Type)>,
    /// The type of its error, if the error has a type.
    pub error: Option<Type>,
}

/// Detects the types of a service that uses serde; see [`Probe`](crate::probe::Probe) for how.
#[derive(Debug)]
pub struct ServiceProbe<Req, Res>(PhantomData<(Req, Res)>);

/// The result for types without a wire format.
pub trait NoServiceTypes {
    /// See [`ServiceProbe`].
    const TYPES: Option<(Type, Type)> = None;
}

impl<Req, Res> NoServiceTypes for ServiceProbe<Req, Res> {}

impl<Req: Typed, Res: Typed> ServiceProbe<Req, Res> {
    /// See [`ServiceProbe`].
    pub const TYPES: Option<(Type, Type)> = Some(types::<Req, Res>());
}

/// Returns the types of the request and the response.
#[must_use]
pub const fn types<Req: Typed, Res: Typed>() -> (Type, Type) {
    (Req::TYPE, Res::TYPE)
}

/// Returns the functions that create the schemas of the request and the response.
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

/// Returns the layouts of the request and the response.
#[must_use]
pub const fn layouts<Req: Pod, Res: Pod>() -> (Layout, Layout) {
    (Req::LAYOUT, Res::LAYOUT)
}
