//! The plugin's description, a JSON object; `docs/describe.md` gives its shape.

use rustbridge_abi::{ABI_MAJOR, ABI_MINOR, Encoding};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;

use crate::Plugin;
use crate::handler::{ENCODINGS, Handler, HandlerInfo, MethodInfo};
use crate::message::{Incoming, Outgoing};
use crate::pod::Layout;

#[derive(Serialize)]
pub(crate) struct Description {
    abi: String,
    name: &'static str,
    version: &'static str,
    description: &'static str,
    rustbridge: &'static str,
    config: Value,
    methods: Vec<Method>,
}

#[derive(Serialize)]
struct Method {
    name: &'static str,
    id: Option<u32>,
    doc: String,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    index: usize,
    encoding: &'static str,
    leaf: bool,
    #[serde(rename = "async")]
    is_async: bool,
    request: Shape,
    response: Shape,
}

#[derive(Serialize, Default, Clone)]
struct Shape {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<Layout>,
}

pub(crate) fn describe<P: Plugin>() -> Description {
    Description {
        abi: format!("{ABI_MAJOR}.{ABI_MINOR}"),
        name: P::NAME,
        version: P::VERSION,
        description: P::DOC,
        rustbridge: env!("CARGO_PKG_VERSION"),
        config: P::config_schema(),
        methods: P::METHODS
            .iter()
            .enumerate()
            .map(|(index, method)| describe_method(index, method))
            .collect(),
    }
}

fn describe_method(index: usize, method: &MethodInfo) -> Method {
    let mut entries: Vec<Entry> = method
        .handlers
        .iter()
        .flat_map(|handler| describe_handler(index, handler))
        .collect();
    entries.sort_by_key(|entry| entry.index);
    // Several handlers may share a method; each documents its own way of calling it.
    let mut doc = String::new();
    for part in method.handlers.iter().map(|handler| handler.doc) {
        if !part.is_empty() && !doc.is_empty() {
            doc.push_str("\n\n");
        }
        doc.push_str(part);
    }
    Method {
        name: method.name,
        id: method.id,
        doc,
        entries,
    }
}

fn describe_handler(method: usize, handler: &HandlerInfo) -> Vec<Entry> {
    let mut schemas = None;
    let mut shapes = |encoding| match encoding {
        Encoding::Raw => (Shape::default(), Shape::default()),
        Encoding::Pod => match handler.layouts {
            Some((request, response)) => (
                Shape {
                    schema: None,
                    layout: Some(request),
                },
                Shape {
                    schema: None,
                    layout: Some(response),
                },
            ),
            None => (Shape::default(), Shape::default()),
        },
        Encoding::Json | Encoding::Msgpack | Encoding::Bincode | Encoding::Postcard => schemas
            .get_or_insert_with(|| match handler.schemas {
                Some(make) => {
                    let (request, response) = make();
                    (
                        Shape {
                            schema: request,
                            layout: None,
                        },
                        Shape {
                            schema: Some(response),
                            layout: None,
                        },
                    )
                }
                None => (Shape::default(), Shape::default()),
            })
            .clone(),
    };
    Encoding::ALL
        .iter()
        .filter(|encoding| handler.entries[encoding.raw() as usize].is_some())
        .map(|&encoding| {
            let (request, response) = shapes(encoding);
            Entry {
                index: method * ENCODINGS + encoding.raw() as usize,
                encoding: encoding.name(),
                leaf: handler.leaf,
                is_async: handler.is_async,
                request,
                response,
            }
        })
        .collect()
}

/// The schemas of one handler: what the request is read as (none if it takes none), what the response is written as.
pub(crate) fn schemas<H: Handler>() -> (Option<Value>, Value)
where
    for<'r> H::Request<'r>: Incoming<'r>,
    for<'a> H::Response<'a>: Outgoing,
{
    let request = H::TAKES_REQUEST.then(incoming_schema::<H::Request<'static>>);
    (request, outgoing_schema::<H::Response<'static>>())
}

/// The schema of what `T` is read from.
pub fn incoming_schema<T: JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

fn outgoing_schema<T: JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    // One dialect for the whole description; saying so with every schema would be a tenth of its bytes.
    settings.meta_schema = None;
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
