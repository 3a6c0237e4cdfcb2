//! The plugin's description, a JSON object; `docs/describe.md` gives its shape.

use std::marker::PhantomData;

use rustbridge_abi::{ABI_MAJOR, ABI_MINOR, Encoding};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::Plugin;
use crate::handler::{ENCODINGS, Handler, HandlerInfo, MethodInfo};
use crate::message::{Incoming, Outgoing};
use crate::pod::Layout;

/// The description of `P`. Everything in it is made while it's written, one schema at a time: it's on the path of
/// loading a plugin, where the first touch of each page of memory costs more than the work.
pub(crate) struct Description<P>(PhantomData<P>);

impl<P: Plugin> Description<P> {
    pub(crate) fn new() -> Self {
        Description(PhantomData)
    }
}

impl<P: Plugin> Serialize for Description<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("abi", &format_args!("{ABI_MAJOR}.{ABI_MINOR}"))?;
        map.serialize_entry("name", P::NAME)?;
        map.serialize_entry("version", P::VERSION)?;
        map.serialize_entry("description", P::DOC)?;
        map.serialize_entry("rustbridge", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("config", &P::config_schema())?;
        map.serialize_entry("methods", &Methods(P::METHODS))?;
        map.end()
    }
}

struct Methods(&'static [MethodInfo]);

impl Serialize for Methods {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0
                .iter()
                .enumerate()
                .map(|(index, method)| Method { index, method }),
        )
    }
}

struct Method {
    index: usize,
    method: &'static MethodInfo,
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Several handlers may share a method; each documents its own way of calling it.
        let docs: Vec<&str> = self
            .method
            .handlers
            .iter()
            .map(|handler| handler.doc)
            .filter(|doc| !doc.is_empty())
            .collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.method.name)?;
        map.serialize_entry("id", &self.method.id)?;
        map.serialize_entry("doc", &docs.join("\n\n"))?;
        map.serialize_entry("entries", &Entries(self))?;
        map.end()
    }
}

struct Entries<'a>(&'a Method);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let method = self.0;
        let entries = Encoding::ALL.iter().flat_map(|&encoding| {
            let handlers = method.method.handlers.iter();
            let owners =
                handlers.filter(move |handler| handler.entries[encoding.code() as usize].is_some());
            owners.map(move |handler| Entry {
                index: method.index * ENCODINGS + encoding.code() as usize,
                encoding,
                handler,
            })
        });
        serializer.collect_seq(entries)
    }
}

struct Entry {
    index: usize,
    encoding: Encoding,
    handler: &'static HandlerInfo,
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (request, response) = match self.encoding {
            Encoding::Raw => (Shape::Bytes, Shape::Bytes),
            Encoding::Pod => self
                .handler
                .layouts
                .map_or((Shape::Bytes, Shape::Bytes), |(request, response)| {
                    (Shape::Layout(request), Shape::Layout(response))
                }),
            _ => self
                .handler
                .schemas
                .map_or((Shape::Bytes, Shape::Bytes), |schemas| {
                    (
                        schemas.request.map_or(Shape::Bytes, Shape::Schema),
                        Shape::Schema(schemas.response),
                    )
                }),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("index", &self.index)?;
        map.serialize_entry("encoding", self.encoding.name())?;
        map.serialize_entry("leaf", &self.handler.leaf)?;
        map.serialize_entry("async", &self.handler.is_async)?;
        map.serialize_entry("request", &request)?;
        map.serialize_entry("response", &response)?;
        map.end()
    }
}

enum Shape {
    /// Nothing is known of it.
    Bytes,
    Schema(fn() -> Value),
    Layout(Layout),
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Shape::Bytes => {}
            Shape::Schema(make) => map.serialize_entry("schema", &make())?,
            Shape::Layout(layout) => map.serialize_entry("layout", layout)?,
        }
        map.end()
    }
}

/// How to make the schemas of one handler: what the request is read as (none if it takes none), what the response is
/// written as.
#[derive(Clone, Copy, Debug)]
pub struct Schemas {
    request: Option<fn() -> Value>,
    response: fn() -> Value,
}

impl Schemas {
    pub(crate) const fn of<H: Handler>() -> Schemas
    where
        for<'r> H::Request<'r>: Incoming<'r>,
        for<'a> H::Response<'a>: Outgoing,
    {
        Schemas {
            request: if H::TAKES_REQUEST {
                Some(incoming_schema::<H::Request<'static>>)
            } else {
                None
            },
            response: outgoing_schema::<H::Response<'static>>,
        }
    }
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
