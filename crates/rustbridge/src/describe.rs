//! The plugin's description, a JSON object; `docs/describe.md` gives its shape.

use rustbridge_abi::{ABI_MAJOR, ABI_MINOR, Encoding};
use rustbridge_description::types::{Definition, TypeRef};
use rustbridge_description::{Description, Entry, Method, Service, Side};
use rustbridge_wire::Type;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use crate::Plugin;
use crate::config::Config;
use crate::handler::Handler;
use crate::message::{Incoming, Outgoing};
use crate::methods::{ENCODINGS, HandlerInfo, MethodInfo, Schemas};
use crate::schema::{incoming_schema, outgoing_schema};
use crate::service::ServiceInfo;
use crate::types::Types;

/// What a description holds that hosts read when they want to. A schema, of what has no type, is made when it's written, and gone then: describing is on the path of loading a plugin, where the
/// first touch of each page of memory costs more than the work, so at most one schema is held at a time.
pub(crate) enum Part {
    /// Anything goes.
    Anything,
    Schema(fn() -> Value),
    Type(TypeRef),
    Table(Vec<Definition>),
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Part::Anything => serializer.serialize_bool(true),
            Part::Schema(make) => make().serialize(serializer),
            Part::Type(ty) => ty.serialize(serializer),
            Part::Table(definitions) => definitions.serialize(serializer),
        }
    }
}

/// The description of `P`.
pub(crate) fn describe<P: Plugin>() -> Description<'static, Part> {
    let mut types = Types::default();
    let (config, config_type) = match &P::CONFIG {
        Config::Ignored => (Some(Part::Anything), None),
        Config::Type(ty) => (None, Some(Part::Type(types.reference(ty)))),
        Config::Schema(make) => (Some(Part::Schema(*make)), None),
    };
    Description {
        abi: format!("{ABI_MAJOR}.{ABI_MINOR}").into(),
        name: P::NAME.into(),
        version: P::VERSION.into(),
        description: P::DOC.into(),
        rustbridge: env!("CARGO_PKG_VERSION").into(),
        debug: P::DEBUG,
        config,
        config_type,
        methods: methods(P::METHODS, &mut types),
        services: services(P::SERVICES, &mut types),
        types: types.into_table().map(Part::Table),
    }
}

fn services(
    clients: &'static [&'static [ServiceInfo]],
    types: &mut Types,
) -> Vec<Service<'static, Part>> {
    let services = clients.iter().flat_map(|infos| infos.iter());
    services
        .map(|info| {
            let (request, response) = match (info.schemas, info.layouts, &info.types) {
                (Some((request, response)), ..) => (of_schema(request), of_schema(Some(response))),
                (_, Some((request, response)), _) => (of_layout(&request), of_layout(&response)),
                (.., Some((request, response))) => (
                    of_request(request, info.encoding, types),
                    of_type(response, types),
                ),
                (None, None, None) => (Side::bytes(), Side::bytes()),
            };
            Service {
                name: info.name.into(),
                encoding: info.encoding.name().into(),
                optional: info.optional,
                doc: info.doc.into(),
                parameter: match info.encoding {
                    Encoding::Wire => info.parameter.into(),
                    _ => "".into(),
                },
                arguments: info.arguments,
                receiver: info.receiver.into(),
                request,
                response,
                error: info
                    .error
                    .as_ref()
                    .filter(|_| info.encoding == Encoding::Wire)
                    .map(|error| of_type(error, types)),
            }
        })
        .collect()
}

// Not generic, so that it's compiled once.
fn methods(methods: &'static [MethodInfo], types: &mut Types) -> Vec<Method<'static, Part>> {
    methods
        .iter()
        .enumerate()
        .map(|(position, method)| {
            // Several handlers may share a method; each documents its own way of calling it.
            let docs: Vec<&'static str> = method
                .handlers
                .iter()
                .map(|handler| handler.doc)
                .filter(|doc| !doc.is_empty())
                .collect();
            Method {
                name: method.name.into(),
                id: method.id,
                doc: match docs[..] {
                    [doc] => doc.into(),
                    _ => docs.join("\n\n").into(),
                },
                entries: entries(position, method, types),
            }
        })
        .collect()
}

fn entries(
    position: usize,
    method: &'static MethodInfo,
    types: &mut Types,
) -> Vec<Entry<'static, Part>> {
    let mut entries = Vec::with_capacity(ENCODINGS);
    for &encoding in Encoding::ALL {
        let code = encoding.code() as usize;
        for handler in method.handlers {
            if handler.entries[code].is_some() {
                entries.push(entry(position * ENCODINGS + code, encoding, handler, types));
            }
        }
    }
    entries
}

fn entry(
    index: usize,
    encoding: Encoding,
    handler: &'static HandlerInfo,
    types: &mut Types,
) -> Entry<'static, Part> {
    let (request, response, items) = match encoding {
        Encoding::Raw => handler
            .raw_types
            .as_ref()
            .map_or_else(Default::default, |of| {
                (
                    of_type(&of.request, types),
                    of_type(&of.response, types),
                    of_type(&of.items, types),
                )
            }),
        Encoding::Pod => {
            handler
                .layouts
                .map_or_else(Default::default, |(request, response, items)| {
                    (of_layout(&request), of_layout(&response), of_layout(&items))
                })
        }
        _ => match (&handler.types, handler.schemas) {
            (Some(of), _) => (
                of_request(&of.request, encoding, types),
                of_type(&of.response, types),
                of_type(&of.items, types),
            ),
            (None, Some(schemas)) => (
                of_schema(schemas.request),
                of_schema(Some(schemas.response)),
                of_schema(Some(schemas.items)),
            ),
            (None, None) => Default::default(),
        },
    };
    Entry {
        index: index as u32,
        kind: handler.kind().into(),
        encoding: encoding.name().into(),
        leaf: handler.leaf,
        is_async: handler.is_async,
        request,
        response,
        items: handler.takes_items.then_some(items),
        objects: handler.objects,
        arguments: handler.arguments,
        parameter: match encoding {
            Encoding::Wire | Encoding::Raw => handler.parameter.into(),
            _ => "".into(),
        },
        error: handler
            .error
            .as_ref()
            .filter(|_| encoding == Encoding::Wire)
            .map(|error| of_type(error, types)),
        receiver: handler.receiver.into(),
        class: handler.class.into(),
        constructor: handler.constructor,
        property: handler.property.into(),
        implements: handler.implements.into(),
    }
}

fn of_schema(make: Option<fn() -> Value>) -> Side<'static, Part> {
    Side {
        schema: make.map(Part::Schema),
        layout: None,
        ty: None,
    }
}

/// Who takes nothing isn't sent anything, where that's no message either.
fn of_request(ty: &'static Type, encoding: Encoding, types: &mut Types) -> Side<'static, Part> {
    match ty {
        Type::Unit if encoding != Encoding::Wire => Side::bytes(),
        ty => of_type(ty, types),
    }
}

fn of_type(ty: &'static Type, types: &mut Types) -> Side<'static, Part> {
    Side {
        schema: None,
        layout: None,
        ty: Some(Part::Type(types.reference(ty))),
    }
}

fn of_layout(layout: &crate::pod::Layout) -> Side<'static, Part> {
    Side {
        schema: None,
        layout: Some(layout.described()),
        ty: None,
    }
}

pub(crate) const fn schemas<H: Handler>() -> Schemas
where
    for<'r> H::Request<'r>: Incoming<'r>,
    for<'a> H::Response<'a>: Outgoing,
    for<'r> H::Item: Incoming<'r>,
{
    Schemas {
        request: if H::TAKES_REQUEST {
            Some(incoming_schema::<H::Request<'static>>)
        } else {
            None
        },
        response: outgoing_schema::<H::Response<'static>>,
        items: incoming_schema::<H::Item>,
    }
}
