//! What a type looks like on the wire, as constants: a tree that the compiler makes, and nobody at run time.

/// How the values of a type are written.
///
/// A constant of each type with a wire form. A type with a name stands as a function that gives its definition, which is why a
/// type may have itself in it.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// No bytes.
    Unit,
    /// One byte, 0 or 1.
    Bool,
    /// A Unicode scalar value, as a `u32`.
    Char,
    /// A number of a width.
    Number(Number),
    /// UTF-8, its count of bytes as a `u32` in front.
    String,
    /// Bytes, their count as a `u32` in front.
    Bytes,
    /// Seconds since 1970 as an `i64` and nanoseconds as a `u32`.
    Timestamp,
    /// Seconds as a `u64` and nanoseconds as a `u32`.
    Duration,
    /// Sixteen bytes.
    Uuid,
    /// A value that says itself what it is.
    Any,
    /// The position among the objects beside the message, as a `u32`; what they are called.
    Object(&'static str),
    /// Values one after the other, their count as a `u32` in front.
    List(&'static Type),
    /// So many values one after the other.
    Array(&'static Type, usize),
    /// Pairs one after the other, their count as a `u32` in front.
    Map(&'static Type, &'static Type),
    /// One byte, 0 or 1, and behind 1 the value.
    Option(&'static Type),
    /// Values of different types one after the other.
    Tuple(&'static [Type]),
    /// A type of the author's.
    Named(fn() -> &'static Definition),
}

/// The numbers.
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
    /// How many bytes it takes.
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

    /// What a description calls it, e.g. `u8`.
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

/// A type of the author's.
#[derive(Debug)]
pub struct Definition {
    /// What JSON and clients call it, without what stands in for its parameters.
    pub name: &'static str,
    /// Which type in the source it is, so that two of one name can be told apart.
    pub path: &'static str,
    /// What stands for its parameters.
    pub arguments: &'static [Type],
    /// The comment above it.
    pub doc: &'static str,
    /// The status of an error, e.g. `NOT_FOUND`; empty for other types, and for enums, whose variants have it.
    pub status: &'static str,
    /// What it consists of.
    pub shape: Shape,
}

/// What a named type consists of.
#[derive(Debug)]
pub enum Shape {
    /// Its fields, one after the other.
    Record(&'static [Field]),
    /// The same, and they lie in memory as they do on the wire.
    Pod(&'static [Field]),
    /// Exactly what is inside.
    Newtype(Type),
    /// Values without names, one after the other.
    Tuple(&'static [Type]),
    /// The position of the variant as a `u16`, and behind it what that has.
    Enum(Enum),
}

/// The variants of an enum.
#[derive(Debug)]
pub struct Enum {
    /// In the order of the declaration.
    pub variants: &'static [Variant],
    /// Whether readers are to expect others.
    pub open: bool,
    /// Whether this is such a reader, for which variant 65535, with nothing behind it, stands for those that it doesn't know.
    pub unknown: bool,
    /// How JSON says which variant it is.
    pub tag: Tag,
}

/// How JSON says which variant a value is; the wire form is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// An object with one key, the variant's name.
    Outside,
    /// A field of that name among the variant's own.
    Inside(&'static str),
    /// A field for the name, and one for what the variant has.
    Beside(&'static str, &'static str),
    /// Not at all.
    None,
}

/// One variant.
#[derive(Debug)]
pub struct Variant {
    /// Its name in JSON.
    pub name: &'static str,
    /// The comment above it.
    pub doc: &'static str,
    /// The status of an error, e.g. `NOT_FOUND`; empty for other variants.
    pub status: &'static str,
    /// What it has.
    pub content: Content,
}

/// What a variant has.
#[derive(Debug)]
pub enum Content {
    /// Nothing.
    Unit,
    /// Values without names.
    Tuple(&'static [Type]),
    /// Fields.
    Fields(&'static [Field]),
}

/// One field.
#[derive(Debug)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// The comment above it.
    pub doc: &'static str,
    /// What it holds.
    pub ty: Type,
    /// Whether it may be absent: then a byte stands in front that says so.
    pub default: bool,
    /// Whether JSON has its fields in place of it.
    pub flatten: bool,
}

impl Type {
    /// Whether it's an option.
    #[must_use]
    pub const fn is_option(&self) -> bool {
        matches!(self, Type::Option(_))
    }

    /// The type of a list of these: bytes, if they are.
    #[must_use]
    pub const fn listed(item: &'static Type) -> Type {
        match item {
            Type::Number(Number::U8) => Type::Bytes,
            _ => Type::List(item),
        }
    }

    /// Whether the items of a list of these begin at a multiple of 8.
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

/// A type that has a wire form.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire form",
    label = "can't be part of a typed message",
    note = "derive `rustbridge::Message` for it, or convert a type of another crate by `#[message(via = T)]` above the field. The types of chrono 0.4, jiff 1, time 0.3 and uuid 1 are supported by rustbridge's features of these names; other versions have other types",
    note = "if the message is for JSON alone, write `#[message(json_only)]` above it"
)]
pub trait Typed {
    /// What it looks like.
    const TYPE: Type;

    /// The fewest bytes that a value takes.
    const LEAST: usize;

    /// Whether every value takes exactly [`LEAST`](Self::LEAST) bytes.
    const EXACT: bool;

    /// Whether the items of a list of these begin at a multiple of 8.
    const ALIGNED: bool = false;
}

/// A type of the author's, by its definition.
pub trait Named {
    /// What it is.
    const DEFINITION: Definition;
}

/// What the type of `T` is.
#[must_use]
pub const fn named<T: Named>() -> Type {
    fn definition<T: Named>() -> &'static Definition {
        &T::DEFINITION
    }
    Type::Named(definition::<T>)
}

/// What a flattened field looks like: it's a type with fields of its own.
#[must_use]
pub const fn flattened<T: Typed>() -> Type {
    assert!(
        matches!(T::TYPE, Type::Named(_)),
        "only a record can be flattened in the wire form, whose fields are known: make the map an ordinary field, or mark the type `#[message(json_only)]`"
    );
    T::TYPE
}
