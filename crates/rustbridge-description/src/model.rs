//! The parts of a description, under the names that they have in the text.

use std::borrow::Cow;
use std::fmt;

use rustbridge_abi::Encoding;
use serde::Serialize;
#[cfg(feature = "read")]
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The kind of an entry that says none: one request in, one response out.
pub const UNARY: &str = "unary";

/// The kind of an entry that answers with a stream of items and then ends, with an empty response.
pub const SERVER_STREAM: &str = "server_stream";

/// The kind of an entry that takes a stream of items besides its request.
pub const CLIENT_STREAM: &str = "client_stream";

/// The kind of an entry with a stream both ways.
pub const BIDI_STREAM: &str = "bidi_stream";

/// What a plugin says of itself.
///
/// `S` is what stands for a JSON Schema: whoever writes may give something that makes it while it's written, and who doesn't
/// look at schemas reads them as [`IgnoredAny`](serde::de::IgnoredAny). Reading through serde alone takes the
/// form and checks no rule; [`read`](Description::read) does both.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct Description<'a, S = Value> {
    /// The plugin ABI's version that the plugin was built for, e.g. `1.0`.
    #[serde(borrow, default, deserialize_with = "text_or_absent")]
    pub abi: Cow<'a, str>,
    /// The plugin's name.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The plugin's own version.
    #[serde(borrow, default, deserialize_with = "text_or_absent")]
    pub version: Cow<'a, str>,
    /// Prose.
    #[serde(borrow, default, deserialize_with = "text_or_absent")]
    pub description: Cow<'a, str>,
    /// The version of the author's crate; empty for a plugin that's written without.
    #[serde(borrow, default, deserialize_with = "text_or_absent")]
    pub rustbridge: Cow<'a, str>,
    /// Whether it was built with debug assertions, as a plugin is that `cargo build` makes without `--release`: its calls may
    /// take several times as long. Not written when it's false.
    #[serde(
        default,
        deserialize_with = "or_absent",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub debug: bool,
    /// The schema of the configuration.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub config: Option<S>,
    /// Its type, if that's in the table: then the schema is made of it.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub config_type: Option<S>,
    /// The methods.
    #[serde(borrow, default = "Vec::new", deserialize_with = "or_absent")]
    pub methods: Vec<Method<'a, S>>,
    /// The functions of its host's that it calls. Not written when there are none.
    #[serde(
        borrow,
        default = "Vec::new",
        deserialize_with = "or_absent",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub services: Vec<Service<'a, S>>,
    /// The types that messages in the wire form consist of: a [`Table`](crate::types::Table). Not written when there are none.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub types: Option<S>,
}

/// A function of the host's that a plugin calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct Service<'a, S = Value> {
    /// What it's registered as, e.g. `prices.get`. Unique in the plugin.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The encoding's name.
    #[serde(borrow)]
    pub encoding: Cow<'a, str>,
    /// Whether the plugin does without it, too. Otherwise it can't be loaded where it isn't registered.
    #[serde(default, deserialize_with = "or_absent")]
    pub optional: bool,
    /// Prose.
    #[serde(borrow, default, deserialize_with = "text_or_absent")]
    pub doc: Cow<'a, str>,
    /// The name of its parameter, as clients call it. Empty where there's none, and then not written.
    #[serde(
        borrow,
        default,
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub parameter: Cow<'a, str>,
    /// Whether its request is a record of several parameters. Not written if it isn't.
    #[serde(
        default,
        deserialize_with = "or_absent",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub arguments: bool,
    /// The name of the callback whose function it is; empty for other services, and then not written. The first parameter of such a
    /// function is `object`, the number by which the host knows the object.
    #[serde(
        borrow,
        default,
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub receiver: Cow<'a, str>,
    /// What the plugin sends.
    #[serde(borrow, default = "Side::bytes", deserialize_with = "or_absent")]
    pub request: Side<'a, S>,
    /// What it expects back.
    #[serde(borrow, default = "Side::bytes", deserialize_with = "or_absent")]
    pub response: Side<'a, S>,
    /// The type of the errors that the plugin distinguishes, whichever the encoding: the host answers with the type's name and details.
    /// Not written if there's none.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Side<'a, S>>,
}

/// A named operation of a plugin.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct Method<'a, S = Value> {
    /// Unique in the plugin.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Its number, unique in the plugin.
    #[serde(default)]
    pub id: Option<u32>,
    /// Prose.
    #[serde(borrow, default, deserialize_with = "text_or_absent")]
    pub doc: Cow<'a, str>,
    /// The ways of calling it, also those that a later version has added; [`callable`](Method::callable) gives the others.
    #[serde(borrow, default = "Vec::new", deserialize_with = "or_absent")]
    pub entries: Vec<Entry<'a, S>>,
}

/// A method in one encoding: what a plugin's `call` takes a number of.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct Entry<'a, S = Value> {
    /// Its number, at most [`MAX_INDEX`](crate::MAX_INDEX) and unique in the plugin, whatever its kind.
    pub index: u32,
    /// What calling it means. [`UNARY`] isn't written.
    #[serde(
        borrow,
        default = "unary",
        deserialize_with = "kind_or_absent",
        skip_serializing_if = "is_unary"
    )]
    pub kind: Cow<'a, str>,
    /// The encoding's name.
    #[serde(borrow)]
    pub encoding: Cow<'a, str>,
    /// Whether it's short, non-blocking and free of callbacks.
    #[serde(default, deserialize_with = "or_absent")]
    pub leaf: bool,
    /// Whether its handler is an `async fn`.
    #[serde(default, rename = "async", deserialize_with = "or_absent")]
    pub is_async: bool,
    /// What goes in.
    #[serde(borrow, default = "Side::bytes", deserialize_with = "or_absent")]
    pub request: Side<'a, S>,
    /// What comes out; of a stream, each item.
    #[serde(borrow, default = "Side::bytes", deserialize_with = "or_absent")]
    pub response: Side<'a, S>,
    /// What each item is that is sent to it; only of those that take a stream.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Side<'a, S>>,
    /// Whether its answer, or an item of it, has objects beside it. Not written when it hasn't.
    #[serde(
        default,
        deserialize_with = "or_absent",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub objects: bool,
    /// Whether its request is a record of what the handler takes one by one, as clients then do. Not written when it isn't.
    #[serde(
        default,
        deserialize_with = "or_absent",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub arguments: bool,
    /// The name of its only parameter, which is the whole request, as clients call it. Empty where there's none or several, and then not
    /// written.
    #[serde(
        borrow,
        default,
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub parameter: Cow<'a, str>,
    /// What its handler fails with, if that has a type of its own in the wire form.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Side<'a, S>>,
    /// The type of the object whose method it is: it has to be lent first. Empty for the plugin's own, and then not written.
    #[serde(
        borrow,
        default,
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub receiver: Cow<'a, str>,
    /// The type of the object whose class has this function, for a constructor or an associated function. Such a function has no receiver.
    /// Empty for other methods, and then not written.
    #[serde(
        borrow,
        default,
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub class: Cow<'a, str>,
    /// Whether it's a constructor of its class. Not written if it isn't.
    #[serde(
        default,
        deserialize_with = "or_absent",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub constructor: bool,
    /// `get` or `set`, for a method that reads or writes a property of its receiver. Empty for other methods, and then not written.
    #[serde(
        borrow,
        default,
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub property: Cow<'a, str>,
    /// The trait of the receiver's type for which clients call this method: `Display`, say. Empty for other methods, and then not
    /// written.
    #[serde(
        borrow,
        default,
        rename = "trait",
        deserialize_with = "text_or_absent",
        skip_serializing_if = "str::is_empty"
    )]
    pub implements: Cow<'a, str>,
}

/// A request or a response: a type in each encoding that writes what messages consist of, or a schema where the type isn't known, a layout
/// where it's `pod`, nothing where nothing is known of the bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct Side<'a, S = Value> {
    /// JSON Schema, draft 2020-12.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub schema: Option<S>,
    /// How the struct lies in memory.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout<'a>>,
    /// What it is: a [`TypeRef`](crate::types::TypeRef).
    #[serde(
        default = "none",
        rename = "type",
        skip_serializing_if = "Option::is_none"
    )]
    pub ty: Option<S>,
}

/// How a struct lies in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
pub struct Layout<'a> {
    /// The type's name in Rust.
    #[serde(borrow, default, rename = "type", deserialize_with = "text_or_absent")]
    pub type_name: Cow<'a, str>,
    /// Bytes.
    pub size: u64,
    /// Bytes; 0 if the plugin doesn't say.
    #[serde(default, deserialize_with = "or_absent")]
    pub align: u64,
    /// Its fields; none if the plugin doesn't say.
    #[serde(borrow, default, deserialize_with = "or_absent")]
    pub fields: Vec<Field<'a>>,
}

/// A field of a struct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
pub struct Field<'a> {
    /// Its name.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Its type in Rust: `i64`, `[u8; 64]`, or a struct's name.
    #[serde(borrow, rename = "type")]
    pub type_name: Cow<'a, str>,
    /// Bytes from the beginning of the struct that it's a field of.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// The fields of that struct, or of the array's elements, if it's one.
    #[serde(
        borrow,
        default,
        deserialize_with = "or_absent",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub fields: Vec<Field<'a>>,
}

impl<'a, S> Description<'a, S> {
    /// The method of that name.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<&Method<'a, S>> {
        self.methods.iter().find(|method| method.name == name)
    }
}

impl<'a, S> Method<'a, S> {
    /// The entries that this version can call, each with its encoding.
    pub fn callable(&self) -> impl Iterator<Item = (Encoding, &Entry<'a, S>)> {
        self.entries
            .iter()
            .filter_map(|entry| Some((entry.callable()?, entry)))
    }

    /// The callable entry in an encoding.
    #[must_use]
    pub fn entry(&self, encoding: Encoding) -> Option<&Entry<'a, S>> {
        self.callable()
            .find_map(|(its, entry)| (its == encoding).then_some(entry))
    }
}

impl<S> Entry<'_, S> {
    /// The encoding that it's used in, whatever of the kinds that this version knows it has.
    #[must_use]
    pub fn known(&self) -> Option<Encoding> {
        if is_unary(&self.kind) || self.is_stream_out() || self.is_stream_in() {
            Encoding::from_name(&self.encoding)
        } else {
            None
        }
    }

    /// Whether it answers with a stream.
    #[must_use]
    pub fn is_stream_out(&self) -> bool {
        self.kind == SERVER_STREAM || self.kind == BIDI_STREAM
    }

    /// Whether it takes a stream.
    #[must_use]
    pub fn is_stream_in(&self) -> bool {
        self.kind == CLIENT_STREAM || self.kind == BIDI_STREAM
    }

    /// The encoding to call it in; none if its kind or encoding belongs to a later version, and then it's as if it weren't
    /// there, except that no other entry has its index.
    #[must_use]
    pub fn callable(&self) -> Option<Encoding> {
        if is_unary(&self.kind) {
            Encoding::from_name(&self.encoding)
        } else {
            None
        }
    }
}

/// For people: `json`, or `server_stream in json` where the kind is another than [`UNARY`].
impl<S> fmt::Display for Entry<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !is_unary(&self.kind) {
            write!(f, "{} in ", self.kind)?;
        }
        f.write_str(&self.encoding)
    }
}

impl<S> Side<'_, S> {
    /// Nothing is known of it.
    #[must_use]
    pub const fn bytes() -> Self {
        Side {
            schema: None,
            layout: None,
            ty: None,
        }
    }
}

impl<S> Default for Side<'_, S> {
    fn default() -> Self {
        Side::bytes()
    }
}

#[cfg(feature = "read")]
fn none<T>() -> Option<T> {
    None
}

#[cfg(feature = "read")]
fn unary() -> Cow<'static, str> {
    Cow::Borrowed(UNARY)
}

fn is_unary(kind: &str) -> bool {
    kind == UNARY
}

/// What may be absent may be null as well: those who write a description by hand do either.
#[cfg(feature = "read")]
fn or_absent<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// `Option<Cow<str>>` would copy; this borrows where the text has no escapes.
#[cfg(feature = "read")]
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(feature = "read")]
fn text_or_absent<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Cow<'a, str>, D::Error> {
    Ok(Option::<Text<'a>>::deserialize(deserializer)?.map_or(Cow::Borrowed(""), |text| text.0))
}

#[cfg(feature = "read")]
fn kind_or_absent<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Cow<'a, str>, D::Error> {
    Ok(Option::<Text<'a>>::deserialize(deserializer)?.map_or(Cow::Borrowed(UNARY), |text| text.0))
}
