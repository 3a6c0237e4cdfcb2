//! A type, where it's used: what Kotlin calls it, and what can be said of it.

use rustbridge_description::types::TypeRef;

use super::names::Names;

impl Names<'_> {
    /// What a value of it is. `hidden` are names that mean something else there.
    pub(super) fn ty(&self, ty: &TypeRef, hidden: &[String]) -> String {
        let simple = match ty {
            TypeRef::Unit => "Unit",
            TypeRef::Bool => "Boolean",
            TypeRef::Char | TypeRef::I32 => "Int",
            TypeRef::U8 => "UByte",
            TypeRef::U16 => "UShort",
            TypeRef::U32 => "UInt",
            TypeRef::U64 => "ULong",
            TypeRef::I8 => "Byte",
            TypeRef::I16 => "Short",
            TypeRef::I64 => "Long",
            TypeRef::U128 | TypeRef::I128 => "BigInteger",
            TypeRef::F32 => "Float",
            TypeRef::F64 => "Double",
            TypeRef::String => "String",
            TypeRef::Decimal => "BigDecimal",
            TypeRef::Bytes => "ByteArray",
            TypeRef::Timestamp => "Instant",
            TypeRef::Duration => "Duration",
            TypeRef::Uuid => "UUID",
            TypeRef::Any => "Any?",
            TypeRef::Object(name) => return self.qualified(self.object(name), hidden),
            TypeRef::Ref(number) => return self.qualified(&self.of(*number).name, hidden),
            // A dynamic value may be null as it is.
            TypeRef::Option(item) if self.is_nullable(item) => return self.ty(item, hidden),
            TypeRef::Option(item) => return format!("{}?", self.ty(item, hidden)),
            TypeRef::List(item) | TypeRef::Array(item, _) => {
                return match primitive_array(item) {
                    Some(array) => array.kotlin.to_owned(),
                    None => format!("List<{}>", self.ty(item, hidden)),
                };
            }
            TypeRef::Map(key, value) => {
                let (key, value) = (self.ty(key, hidden), self.ty(value, hidden));
                return format!("Map<{key}, {value}>");
            }
            TypeRef::Tuple(types) => {
                let Some(name) = self.tuple_of(types.len()) else {
                    return "Unit".to_owned();
                };
                let types: Vec<String> = types.iter().map(|ty| self.ty(ty, hidden)).collect();
                return format!("{name}<{}>", types.join(", "));
            }
        };
        simple.to_owned()
    }

    fn qualified(&self, name: &str, hidden: &[String]) -> String {
        if hidden.iter().any(|one| one == name) {
            format!("{}.{name}", self.package)
        } else {
            name.to_owned()
        }
    }

    /// The class of tuples of so many values without names; none if there's nothing in them.
    pub(super) fn tuple_of(&self, count: usize) -> Option<&str> {
        match count {
            0 => None,
            2 => Some("Pair"),
            3 => Some("Triple"),
            _ => Some(&self.tuples[&count]),
        }
    }

    /// What to say of a type whose Kotlin type says less.
    pub(super) fn meaning(&self, ty: &TypeRef) -> &'static str {
        match ty {
            TypeRef::Char => "a code point",
            TypeRef::List(item) | TypeRef::Array(item, _) if **item == TypeRef::Char => {
                "code points"
            }
            TypeRef::Option(item) => self.meaning(item),
            _ => "",
        }
    }

    /// Whether null is a value of it.
    pub(super) fn is_nullable(&self, ty: &TypeRef) -> bool {
        matches!(ty, TypeRef::Option(_) | TypeRef::Any)
    }

    /// Whether there are arrays in it, which Kotlin compares by which they are. Types with names see to theirs.
    pub(super) fn has_arrays(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Bytes | TypeRef::Any => true,
            TypeRef::List(item) | TypeRef::Array(item, _) => {
                primitive_array(item).is_some() || self.has_arrays(item)
            }
            TypeRef::Map(_, value) => self.has_arrays(value),
            TypeRef::Option(item) => self.has_arrays(item),
            TypeRef::Tuple(types) => types.iter().any(|ty| self.has_arrays(ty)),
            _ => false,
        }
    }

    /// Whether values of it take as many bytes each, so that it can't have itself inside.
    pub(super) fn is_deep(&self, number: u32) -> bool {
        self.client_schema
            .types
            .exact(&TypeRef::Ref(number))
            .is_none()
    }

    /// Whether there's nothing to say about values of a field: it has no property.
    pub(super) fn is_left_out(&self, ty: &TypeRef, default: bool) -> bool {
        *ty == TypeRef::Unit && !default
    }
}

/// An array of primitives.
pub(super) struct PrimitiveArray {
    /// Its type.
    pub(super) kotlin: &'static str,
    /// What reader and writer call it.
    pub(super) call: &'static str,
    /// The array that reader and writer have of it, if that's another one: the same bits with a sign.
    pub(super) signed: Option<&'static str>,
    /// Whether writing it takes the field's name: not everything fits.
    pub(super) checked: bool,
}

/// The array that lists of a type are, if they are one.
pub(super) fn primitive_array(item: &TypeRef) -> Option<PrimitiveArray> {
    let (kotlin, call, signed) = match item {
        TypeRef::U8 => ("UByteArray", "bytes", Some("ByteArray")),
        TypeRef::U16 => ("UShortArray", "i16s", Some("ShortArray")),
        TypeRef::U32 => ("UIntArray", "i32s", Some("IntArray")),
        TypeRef::U64 => ("ULongArray", "i64s", Some("LongArray")),
        TypeRef::I8 => ("ByteArray", "bytes", None),
        TypeRef::I16 => ("ShortArray", "i16s", None),
        TypeRef::I32 => ("IntArray", "i32s", None),
        TypeRef::I64 => ("LongArray", "i64s", None),
        TypeRef::F32 => ("FloatArray", "f32s", None),
        TypeRef::F64 => ("DoubleArray", "f64s", None),
        TypeRef::Bool => ("BooleanArray", "bools", None),
        TypeRef::Char => ("IntArray", "characters", None),
        _ => return None,
    };
    Some(PrimitiveArray {
        kotlin,
        call,
        signed,
        checked: *item == TypeRef::Char,
    })
}
