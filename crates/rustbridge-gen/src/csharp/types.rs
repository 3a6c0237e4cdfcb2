//! Types where they are used: what C# calls them, and what writes and reads them.

use rustbridge_description::types::{Shape, TypeRef};

use super::names::Names;

impl Names<'_> {
    /// A type in C#.
    pub(super) fn ty(&self, ty: &TypeRef) -> String {
        self.ty_among(ty, &[])
    }

    /// A type in C#, where these names stand for something else.
    pub(super) fn ty_among(&self, ty: &TypeRef, hidden: &[String]) -> String {
        let system = |namespace: &str, name: &str| {
            if hidden.iter().any(|one| one == name) {
                format!("global::{namespace}.{name}")
            } else {
                name.to_owned()
            }
        };
        match ty {
            TypeRef::Unit => system("System", "ValueTuple"),
            TypeRef::Bool => "bool".to_owned(),
            TypeRef::Char => system("System.Text", "Rune"),
            TypeRef::U8 => "byte".to_owned(),
            TypeRef::U16 => "ushort".to_owned(),
            TypeRef::U32 => "uint".to_owned(),
            TypeRef::U64 => "ulong".to_owned(),
            TypeRef::U128 => system("System", "UInt128"),
            TypeRef::I8 => "sbyte".to_owned(),
            TypeRef::I16 => "short".to_owned(),
            TypeRef::I32 => "int".to_owned(),
            TypeRef::I64 => "long".to_owned(),
            TypeRef::I128 => system("System", "Int128"),
            TypeRef::F32 => "float".to_owned(),
            TypeRef::F64 => "double".to_owned(),
            TypeRef::String => "string".to_owned(),
            TypeRef::Decimal => "decimal".to_owned(),
            TypeRef::Bytes => "byte[]".to_owned(),
            TypeRef::Timestamp => system("System", "DateTimeOffset"),
            TypeRef::Duration => system("System", "TimeSpan"),
            TypeRef::Uuid => system("System", "Guid"),
            TypeRef::Any => system("RustBridge.Wire", "DynamicValue"),
            TypeRef::List(item) | TypeRef::Array(item, _) => {
                // The first brackets are those of the outermost array, but each of ours is an array of arrays: they read the same.
                format!("{}[]", self.ty_among(item, hidden))
            }
            TypeRef::Map(key, value) => format!(
                "{}<{}, {}>",
                system("System.Collections.Generic", "Dictionary"),
                self.ty_among(key, hidden),
                self.ty_among(value, hidden)
            ),
            TypeRef::Option(item) => format!("{}?", self.ty_among(item, hidden)),
            TypeRef::Tuple(types) => {
                let inside: Vec<String> =
                    types.iter().map(|ty| self.ty_among(ty, hidden)).collect();
                match &inside[..] {
                    [] => system("System", "ValueTuple"),
                    [one] => format!("{}<{one}>", system("System", "ValueTuple")),
                    several => format!("({})", several.join(", ")),
                }
            }
            TypeRef::Ref(number) => {
                let import = self.client_schema.imported(*number);
                let namespace = import.map_or(&self.namespace, |it| &it.namespace);
                system(namespace, &self.of(*number).name)
            }
            TypeRef::Object(name) => match self.callback(name) {
                Some(callback) => system(&self.namespace, &callback.interface),
                None => system(&self.namespace, &self.object(name).class),
            },
        }
    }

    /// What writes and reads a type.
    pub(super) fn codec(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Unit => "UnitCodec".to_owned(),
            TypeRef::Bool => "BoolCodec".to_owned(),
            TypeRef::Char => "CharCodec".to_owned(),
            TypeRef::String => "TextCodec".to_owned(),
            TypeRef::Decimal => "DecimalCodec".to_owned(),
            TypeRef::Bytes => "BytesCodec".to_owned(),
            TypeRef::Timestamp => "TimestampCodec".to_owned(),
            TypeRef::Duration => "DurationCodec".to_owned(),
            TypeRef::Uuid => "UuidCodec".to_owned(),
            TypeRef::Any => "DynamicCodec".to_owned(),
            TypeRef::List(item) if !self.client_schema.types.is_aligned(item) => {
                format!("ListCodec<{}, {}>", self.ty(item), self.codec(item))
            }
            TypeRef::List(item) if self.is_in_memory(item) => {
                format!("PlainListCodec<{}>", self.ty(item))
            }
            TypeRef::List(item) => {
                format!("AlignedListCodec<{}, {}>", self.ty(item), self.codec(item))
            }
            TypeRef::Array(item, length) => format!(
                "ArrayCodec<{}, {}, {}>",
                self.ty(item),
                self.codec(item),
                self.lengths[length]
            ),
            TypeRef::Map(key, value) => format!(
                "MapCodec<{}, {}, {}, {}>",
                self.ty(key),
                self.codec(key),
                self.ty(value),
                self.codec(value)
            ),
            TypeRef::Option(item) => {
                let kind = if self.is_value(item) {
                    "NullableCodec"
                } else {
                    "OptionCodec"
                };
                format!("{kind}<{}, {}>", self.ty(item), self.codec(item))
            }
            TypeRef::Tuple(types) if types.is_empty() => "UnitCodec".to_owned(),
            TypeRef::Tuple(types) => {
                let both: Vec<String> = types
                    .iter()
                    .map(|ty| format!("{}, {}", self.ty(ty), self.codec(ty)))
                    .collect();
                format!("TupleCodec<{}>", both.join(", "))
            }
            TypeRef::Ref(number) if !self.is_in_memory(ty) => self.of(*number).codec.clone(),
            TypeRef::Object(name) => self.object(name).codec.clone(),
            _ => format!("PlainCodec<{}>", self.ty(ty)),
        }
    }

    /// Whether it's a number or a pod, which lie in C#'s memory as on the wire.
    fn is_in_memory(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Ref(number) => matches!(self.shape(*number), Some(Shape::Pod(_))),
            TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => true,
            TypeRef::I8 | TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => true,
            TypeRef::F32 | TypeRef::F64 => true,
            _ => false,
        }
    }

    /// Whether it's a value in .NET, and no object.
    fn is_value(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::String | TypeRef::Bytes | TypeRef::Object(_) => false,
            TypeRef::List(_) | TypeRef::Array(..) | TypeRef::Map(..) => false,
            TypeRef::Ref(number) => self.is_struct(*number),
            _ => true,
        }
    }

    /// Whether a type with a name is a struct or an enum of C#'s.
    pub(super) fn is_struct(&self, number: u32) -> bool {
        match self.shape(number) {
            Some(Shape::Pod(_)) => true,
            Some(Shape::Newtype(inside)) => !self.reaches(inside, number, &mut Vec::new()),
            Some(Shape::Enum(shape)) => super::names::is_plain(shape),
            // Nothing that could be null by mistake.
            _ => self.client_schema.types.exact(&TypeRef::Ref(number)) == Some(0),
        }
    }

    /// Whether a struct would have itself inside, which C# doesn't take even behind an option.
    fn reaches(&self, ty: &TypeRef, wanted: u32, seen: &mut Vec<u32>) -> bool {
        match ty {
            TypeRef::Option(inside) => self.reaches(inside, wanted, seen),
            TypeRef::Tuple(inside) => inside.iter().any(|ty| self.reaches(ty, wanted, seen)),
            TypeRef::Ref(number) if *number == wanted => true,
            TypeRef::Ref(number) => match self.shape(*number) {
                Some(Shape::Newtype(inside)) if !seen.contains(number) => {
                    seen.push(*number);
                    self.reaches(inside, wanted, seen)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn shape(&self, number: u32) -> Option<&Shape> {
        self.client_schema.types.get(number).map(|it| &it.shape)
    }
}

/// Whether .NET compares such values by which object they are, or can't at all.
pub(super) fn is_compared_by_codec(ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Bytes | TypeRef::List(_) | TypeRef::Array(..) | TypeRef::Map(..) => true,
        TypeRef::Option(inside) => is_compared_by_codec(inside),
        TypeRef::Tuple(inside) => inside.iter().any(is_compared_by_codec),
        _ => false,
    }
}
