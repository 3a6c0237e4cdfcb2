//! Descriptions of types on the wire, as constants: a tree that the compiler builds, at no cost at run time.

/// How the values of a type are written.
///
/// Each type with a wire format has one as a constant. A named type is represented by a function that returns its definition,
/// so types can be recursive.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// No bytes.
    Unit,
    /// One byte, 0 or 1.
    Bool,
    /// A Unicode scalar value, as a `u32`.
    Char,
    /// A number of a fixed width.
    Number(Number),
    /// UTF-8, preceded by the number of bytes as a `u32`.
    String,
    /// Bytes, preceded by their number as a `u32`.
    Bytes,
    /// A decimal number as its text, as a string.
    Decimal,
    /// Seconds since 1970 as an `i64` and nanoseconds as a `u32`.
    Timestamp,
    /// Seconds as a `u64` and nanoseconds as a `u32`.
    Duration,
    /// Sixteen bytes.
    Uuid,
    /// A dynamic value.
    Any,
    /// The position of an object among those that accompany the message, as a `u32`. The field is the name of the object's
    /// type.
    Object(&'static str),
    /// Values one after the other, preceded by their number as a `u32`.
    List(&'static Type),
    /// A fixed number of values one after the other.
    Array(&'static Type, usize),
    /// Pairs one after the other, preceded by their number as a `u32`.
    Map(&'static Type, &'static Type),
    /// One byte, 0 or 1; 1 is followed by the value.
    Option(&'static Type),
    /// Values of different types one after the other.
    Tuple(&'static [Type]),
    /// A type that the author defines.
    Named(fn() -> &'static Definition),
}

/// The types of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the type of its name")]
pub enum Number {
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
}

impl Number {
    /// Returns the number of bytes that it takes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Number::U8 | Number::I8 => 1,
            Number::U16 | Number::I16 => 2,
            Number::U32 | Number::I32 | Number::F32 => 4,
            Number::U64 | Number::I64 | Number::F64 => 8,
            Number::U128 | Number::I128 => 16,
        }
    }

    /// Returns its name in descriptions, e.g. `u8`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Number::U8 => "u8",
            Number::U16 => "u16",
            Number::U32 => "u32",
            Number::U64 => "u64",
            Number::U128 => "u128",
            Number::I8 => "i8",
            Number::I16 => "i16",
            Number::I32 => "i32",
            Number::I64 => "i64",
            Number::I128 => "i128",
            Number::F32 => "f32",
            Number::F64 => "f64",
        }
    }
}

/// The definition of a type that the author defines.
#[derive(Debug)]
pub struct Definition {
    /// The name in JSON and in clients, without type arguments.
    pub name: &'static str,
    /// The location of the type in the source, which distinguishes types of the same name.
    pub path: &'static str,
    /// The type arguments.
    pub arguments: &'static [Type],
    /// The doc comment.
    pub doc: &'static str,
    /// The status of an error, e.g. `NOT_FOUND`; empty for other types, and for enums, whose variants have it.
    pub status: &'static str,
    /// The fields or variants.
    pub shape: Shape,
}

/// The structure of a named type.
#[derive(Debug)]
pub enum Shape {
    /// Its fields, one after the other.
    Record(&'static [Field]),
    /// Fields, with the same layout in memory and on the wire.
    Pod(&'static [Field]),
    /// The type inside, written without additions.
    Newtype(Type),
    /// Values without names, one after the other.
    Tuple(&'static [Type]),
    /// The position of the variant as a `u16`, followed by the variant's content.
    Enum(Enum),
}

/// The variants of an enum.
#[derive(Debug)]
pub struct Enum {
    /// The variants, in the order of their declaration.
    pub variants: &'static [Variant],
    /// Whether readers must expect unknown variants.
    pub open: bool,
    /// Whether this is the type of such a reader: its variant number 65535, without content, represents unknown variants.
    pub unknown: bool,
    /// The representation of the variant in JSON.
    pub tag: Tag,
}

/// The representation of an enum's variant in JSON. The wire format is the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// An object with one key, the variant's name.
    Outside,
    /// A field with this name, next to the variant's own fields.
    Inside(&'static str),
    /// One field for the variant's name, and one for its content.
    Beside(&'static str, &'static str),
    /// No tag.
    None,
}

/// A variant of an enum.
#[derive(Debug)]
pub struct Variant {
    /// The name in JSON.
    pub name: &'static str,
    /// The doc comment.
    pub doc: &'static str,
    /// The status of an error, e.g. `NOT_FOUND`; empty for other variants.
    pub status: &'static str,
    /// The content.
    pub content: Content,
}

/// The content of a variant.
#[derive(Debug)]
pub enum Content {
    /// Nothing.
    Unit,
    /// Values without names.
    Tuple(&'static [Type]),
    /// Fields.
    Fields(&'static [Field]),
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// The name in JSON.
    pub name: &'static str,
    /// The doc comment.
    pub doc: &'static str,
    /// The type.
    pub ty: Type,
    /// Whether it may be absent. If so, a byte in front reports whether it's present.
    pub default: bool,
    /// The value of the field if it's absent, if clients know it.
    pub default_value: Option<DefaultValue>,
    /// Whether its own fields take its place in JSON.
    pub flatten: bool,
}

/// The value of an absent field.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// A boolean.
    Bool(bool),
    /// An integer of at most 64 bits.
    Integer(i128),
    /// A finite number.
    Float(f64),
    /// A text or a character.
    Text(&'static str),
    /// A list or bytes, without items.
    EmptyList,
    /// A map without pairs.
    EmptyMap,
    /// A variant without content. The function returns its number.
    Variant(fn() -> u16),
}

impl Type {
    /// Returns whether it's an option.
    #[must_use]
    pub const fn is_option(&self) -> bool {
        matches!(self, Type::Option(_))
    }

    /// Returns the type of a list of these items: bytes if they are `u8`.
    #[must_use]
    pub const fn listed(item: &'static Type) -> Type {
        match item {
            Type::Number(Number::U8) => Type::Bytes,
            _ => Type::List(item),
        }
    }

    /// Returns whether lists of this type place their first item at a multiple of 8.
    #[must_use]
    pub fn is_aligned(&self) -> bool {
        match self {
            Type::Number(number) => number.size() > 1,
            Type::Named(definition) => matches!(definition().shape, Shape::Pod(_)),
            Type::Array(item, _) => item.is_aligned(),
            _ => false,
        }
    }
}

/// A type with a wire format.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be encoded in the wire format",
    label = "can't be part of a typed message",
    note = "derive `rustbridge::Message` for it, or convert a type of another crate by `#[message(via = T)]` above the field. The types of chrono 0.4, jiff 1, rust_decimal 1, time 0.3 and uuid 1 are supported by rustbridge's features of these names; other versions have other types",
    note = "if the message is for JSON alone, write `#[message(json_only)]` above it"
)]
pub trait Typed {
    /// The description of the type.
    const TYPE: Type;

    /// The fewest bytes that a value takes.
    const LEAST: usize;

    /// Whether every value takes exactly [`LEAST`](Self::LEAST) bytes.
    const EXACT: bool;

    /// Whether lists of this type place their first item at a multiple of 8.
    const ALIGNED: bool = false;
}

/// A type that the author defines, with its definition.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't an enum that derives `Message`",
    label = "a constant can't be its default value"
)]
pub trait Named {
    /// The definition.
    const DEFINITION: Definition;
}

/// Returns the description of the named type `T`.
#[must_use]
pub const fn named<T: Named>() -> Type {
    fn definition<T: Named>() -> &'static Definition {
        &T::DEFINITION
    }
    Type::Named(definition::<T>)
}

/// Reports whether `T` is an enum.
#[must_use]
pub const fn is_enum<T: Named>() -> bool {
    matches!(T::DEFINITION.shape, Shape::Enum(_))
}

/// Returns the description of a flattened field, which must be a type with fields of its own.
#[must_use]
pub const fn flattened<T: Typed>() -> Type {
    assert!(
        matches!(T::TYPE, Type::Named(_)),
        "only a record can be flattened in the wire format, because its fields are known: make the map an ordinary field, or mark the type `#[message(json_only)]`"
    );
    T::TYPE
}
