//! The types of a plugin's messages: the table that travels with its description, and references into it.

#[cfg(all(test, feature = "compare"))]
mod changes;
#[cfg(feature = "compare")]
mod compare;
#[cfg(feature = "read")]
mod default_value;
#[cfg(feature = "compare")]
mod fingerprint;
#[cfg(feature = "compare")]
mod method;
#[cfg(feature = "compare")]
mod mistakes;
#[cfg(feature = "read")]
mod print;
#[cfg(feature = "compare")]
mod resolve;
#[cfg(feature = "compare")]
mod schema;
#[cfg(feature = "compare")]
mod service;
#[cfg(feature = "read")]
mod table;
#[cfg(feature = "compare")]
mod traits;
#[cfg(feature = "compare")]
mod versions;

use std::borrow::Cow;

#[cfg(feature = "read")]
use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

#[cfg(feature = "compare")]
pub use compare::{Change, Direction, Effect, compare};
#[cfg(feature = "read")]
pub use default_value::MAX_DEFAULT_TEXT;
#[cfg(feature = "compare")]
pub use fingerprint::{Fingerprint, fingerprint};
#[cfg(feature = "compare")]
pub use method::{MOST_ARGUMENTS, Signature, typed_entries, typed_entry};
#[cfg(feature = "compare")]
pub use mistakes::mistakes;
#[cfg(feature = "compare")]
pub use resolve::{
    ErrorPlan, MAX_BYTES, Plan, Problem, Reason, Resolution, ResolvedPayload, ThrownError,
    ThrownErrors, UNKNOWN_VARIANT,
};
#[cfg(feature = "compare")]
pub use schema::{schema, with_schemas};
#[cfg(feature = "compare")]
pub use service::{ServiceResolution, compare_services, resolve_services};
#[cfg(feature = "read")]
pub use table::Table;
#[cfg(feature = "compare")]
pub use traits::{Trait, called_for, trait_of};
#[cfg(feature = "compare")]
pub use versions::{Difference, differences};

/// A name or prose: constant where it's written, in memory of its own where it's read.
pub type Text = Cow<'static, str>;

/// A type with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
pub struct Definition {
    /// What JSON and clients call it.
    pub name: Text,
    /// Prose.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub doc: Text,
    /// The status of an error, e.g. `NOT_FOUND`; empty for other types, and for enums, whose variants have it.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub status: Text,
    /// What it consists of.
    #[serde(flatten)]
    pub shape: Shape,
}

/// What a type with a name consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Its fields, one after the other.
    Record(Vec<Field>),
    /// The same, and they lie in memory as they do on the wire: lists of such begin at a multiple of 8.
    Pod(Vec<Field>),
    /// Exactly what is inside.
    Newtype(TypeRef),
    /// Values without names, one after the other.
    Tuple(Vec<TypeRef>),
    /// One of several variants.
    Enum(Enum),
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
pub struct Field {
    /// Its name in JSON.
    pub name: Text,
    /// What it holds.
    #[serde(rename = "type")]
    pub ty: TypeRef,
    /// Prose.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub doc: Text,
    /// Whether it may be absent: then a byte in front says so, 0 or 1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub default: bool,
    /// The value of the field if it's absent, in JSON, if clients know it: a boolean, a number, a text, the name of a variant without
    /// content, an empty list or an empty map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_value: Option<Value>,
    /// Whether JSON has its fields in place of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flatten: bool,
}

/// The variants of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
pub struct Enum {
    /// In the order of their numbers.
    pub variants: Vec<Variant>,
    /// Whether readers are to expect others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// How JSON says which variant it is.
    #[serde(default, skip_serializing_if = "Tag::is_outside")]
    pub tag: Tag,
}

/// How JSON says which variant a value is; the wire form is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// An object with one key, the variant's name.
    #[default]
    Outside,
    /// A field of that name among the variant's own.
    Inside(Text),
    /// A field for the name, and one for what the variant has.
    Beside(Text, Text),
    /// Not at all.
    None,
}

impl Tag {
    fn is_outside(&self) -> bool {
        *self == Tag::Outside
    }
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
pub struct Variant {
    /// Its name in JSON.
    pub name: Text,
    /// Prose.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub doc: Text,
    /// The status of an error, e.g. `NOT_FOUND`; empty for other variants.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub status: Text,
    /// Values without names that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuple: Option<Vec<TypeRef>>,
    /// Fields that it has. A variant with neither has nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<Field>>,
}

/// A type, where it's used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "read", derive(Deserialize))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the numbers are what they are called")]
pub enum TypeRef {
    /// Nothing.
    Unit,
    Bool,
    Char,
    U8,
    U16,
    U32,
    U64,
    U128,
    I8,
    I16,
    I32,
    I64,
    I128,
    F32,
    F64,
    /// Text.
    String,
    /// A decimal number, written as its text.
    Decimal,
    /// Bytes.
    Bytes,
    /// A point in time.
    Timestamp,
    /// A span of time.
    Duration,
    Uuid,
    /// A value that says itself what it is.
    Any,
    /// An object beside the message, by its type's name.
    Object(Text),
    /// A list.
    List(Box<TypeRef>),
    /// So many, always.
    Array(Box<TypeRef>, u64),
    /// Keys and values.
    Map(Box<TypeRef>, Box<TypeRef>),
    /// Perhaps one.
    Option(Box<TypeRef>),
    /// Several of different types.
    Tuple(Vec<TypeRef>),
    /// The type of that number.
    Ref(u32),
}

impl Field {
    /// Reports whether clients may leave the field to a default that only the plugin knows.
    #[must_use]
    pub fn has_unknown_default(&self) -> bool {
        self.default && self.default_value.is_none()
    }
}

#[cfg(feature = "read")]
impl Shape {
    /// Returns the fields of a record, or those of all variants of an enum in order.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        let (own, variants): (&[Field], &[Variant]) = match self {
            Shape::Record(fields) | Shape::Pod(fields) => (fields, &[]),
            Shape::Enum(of) => (&[], &of.variants),
            Shape::Newtype(_) | Shape::Tuple(_) => (&[], &[]),
        };
        let of_variants = variants.iter().flat_map(|it| it.fields.iter().flatten());
        own.iter().chain(of_variants)
    }

    /// Returns the fields as [`fields`](Shape::fields) does.
    fn fields_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        let (own, variants): (&mut [Field], &mut [Variant]) = match self {
            Shape::Record(fields) | Shape::Pod(fields) => (fields, &mut []),
            Shape::Enum(of) => (&mut [], &mut of.variants),
            Shape::Newtype(_) | Shape::Tuple(_) => (&mut [], &mut []),
        };
        let of_variants = variants
            .iter_mut()
            .flat_map(|it| it.fields.iter_mut().flatten());
        own.iter_mut().chain(of_variants)
    }

    /// What lies in each of its values, one after the other; nothing of an enum.
    pub(crate) fn parts(&self) -> Vec<&TypeRef> {
        match self {
            Shape::Record(fields) | Shape::Pod(fields) => {
                fields.iter().map(|field| &field.ty).collect()
            }
            Shape::Newtype(ty) => vec![ty],
            Shape::Tuple(types) => types.iter().collect(),
            Shape::Enum(_) => Vec::new(),
        }
    }
}
