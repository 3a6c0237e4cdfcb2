//! A type, where it's used: what Java calls it, and what can be said of it.

use rustbridge_description::types::{Shape, TypeRef};

use super::names::Names;

/// A type's name where a value stands alone, and in angle brackets.
impl Names<'_> {
    /// What a value of it is: a primitive where there is one.
    pub(super) fn ty(&self, ty: &TypeRef, hidden: &[String]) -> String {
        match ty {
            TypeRef::Bool => "boolean".to_owned(),
            TypeRef::Char | TypeRef::U8 | TypeRef::U16 | TypeRef::I32 => "int".to_owned(),
            TypeRef::U32 | TypeRef::U64 | TypeRef::I64 => "long".to_owned(),
            TypeRef::I8 => "byte".to_owned(),
            TypeRef::I16 => "short".to_owned(),
            TypeRef::F32 => "float".to_owned(),
            TypeRef::F64 => "double".to_owned(),
            _ => self.boxed(ty, hidden),
        }
    }

    /// What a value of it is as an object. `hidden` are names that mean something else there.
    pub(super) fn boxed(&self, ty: &TypeRef, hidden: &[String]) -> String {
        match ty {
            TypeRef::Unit => "UnitValue".to_owned(),
            TypeRef::Bool => "Boolean".to_owned(),
            TypeRef::Char | TypeRef::U8 | TypeRef::U16 | TypeRef::I32 => "Integer".to_owned(),
            TypeRef::U32 | TypeRef::U64 | TypeRef::I64 => "Long".to_owned(),
            TypeRef::I8 => "Byte".to_owned(),
            TypeRef::I16 => "Short".to_owned(),
            TypeRef::F32 => "Float".to_owned(),
            TypeRef::F64 => "Double".to_owned(),
            TypeRef::U128 | TypeRef::I128 => "BigInteger".to_owned(),
            TypeRef::String => "String".to_owned(),
            TypeRef::Decimal => "BigDecimal".to_owned(),
            TypeRef::Bytes => "byte[]".to_owned(),
            TypeRef::Timestamp => "Instant".to_owned(),
            TypeRef::Duration => "Duration".to_owned(),
            TypeRef::Uuid => "UUID".to_owned(),
            TypeRef::Any => "Object".to_owned(),
            TypeRef::Object(name) => {
                let name = self.object(name);
                if hidden.iter().any(|one| one == name) {
                    format!("{}.{name}", self.package)
                } else {
                    name.to_owned()
                }
            }
            TypeRef::List(item) | TypeRef::Array(item, _) => match primitive_array(item) {
                Some(array) => array.java.to_owned(),
                None => format!("List<{}>", self.boxed(item, hidden)),
            },
            TypeRef::Map(key, value) => {
                let (key, value) = (self.boxed(key, hidden), self.boxed(value, hidden));
                format!("Map<{key}, {value}>")
            }
            TypeRef::Option(item) => self.boxed(item, hidden),
            TypeRef::Tuple(types) => {
                let name = &self.tuples[&types.len()];
                let types: Vec<String> = types.iter().map(|ty| self.boxed(ty, hidden)).collect();
                if types.is_empty() {
                    name.clone()
                } else {
                    format!("{name}<{}>", types.join(", "))
                }
            }
            TypeRef::Ref(number) => {
                let name = &self.of(*number).name;
                if hidden.contains(name) {
                    format!("{}.{name}", self.package)
                } else {
                    name.clone()
                }
            }
        }
    }

    /// What to say of a type whose Java type says less.
    pub(super) fn meaning(&self, ty: &TypeRef) -> &'static str {
        match ty {
            TypeRef::U64 => "its bits are those of an unsigned number",
            TypeRef::Char => "a code point",
            TypeRef::List(item) | TypeRef::Array(item, _) => match **item {
                TypeRef::U16 | TypeRef::U32 | TypeRef::U64 => {
                    "their bits are those of unsigned numbers"
                }
                TypeRef::Char => "code points",
                _ => "",
            },
            TypeRef::Option(item) => match **item {
                TypeRef::U64 => "or null; its bits are those of an unsigned number",
                _ => "or null",
            },
            _ => "",
        }
    }

    /// What a message is, as a type's argument.
    pub(super) fn whole(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Unit => "Void".to_owned(),
            ty => self.boxed(ty, &[]),
        }
    }

    /// Whether null is a value of it.
    pub(super) fn is_nullable(&self, ty: &TypeRef) -> bool {
        matches!(ty, TypeRef::Option(_) | TypeRef::Any)
    }

    /// Whether values of it are no objects.
    pub(super) fn is_primitive(&self, ty: &TypeRef) -> bool {
        matches!(
            ty,
            TypeRef::Bool
                | TypeRef::Char
                | TypeRef::U8
                | TypeRef::U16
                | TypeRef::U32
                | TypeRef::U64
                | TypeRef::I8
                | TypeRef::I16
                | TypeRef::I32
                | TypeRef::I64
                | TypeRef::F32
                | TypeRef::F64
        )
    }

    /// Whether there are arrays in it that Java would compare by which they are. Types with names see to theirs.
    pub(super) fn has_arrays(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Bytes | TypeRef::Any => true,
            TypeRef::List(item) | TypeRef::Array(item, _) => {
                primitive_array(item).is_some() || self.has_arrays(item)
            }
            TypeRef::Map(_, value) => self.has_arrays(value),
            TypeRef::Option(item) => self.has_arrays(item),
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

    /// Whether there's nothing to say about values of a field: it has no component.
    pub(super) fn is_left_out(&self, ty: &TypeRef, default: bool) -> bool {
        *ty == TypeRef::Unit && !default
    }

    /// The shape of a type with a name.
    pub(super) fn shape(&self, number: u32) -> &Shape {
        &self.client_schema.types.definitions()[number as usize].shape
    }
}

/// An array of primitives.
pub(super) struct PrimitiveArray {
    /// Its type.
    pub(super) java: &'static str,
    /// What reader and writer call it.
    pub(super) call: &'static str,
    /// Whether writing it takes the field's name: not everything fits.
    pub(super) checked: bool,
}

/// The array that lists of a type are, if they are one.
pub(super) fn primitive_array(item: &TypeRef) -> Option<PrimitiveArray> {
    let (java, call, checked) = match item {
        TypeRef::U8 | TypeRef::I8 => ("byte[]", "bytes", false),
        TypeRef::U16 | TypeRef::I16 => ("short[]", "i16s", false),
        TypeRef::U32 | TypeRef::I32 => ("int[]", "i32s", false),
        TypeRef::U64 | TypeRef::I64 => ("long[]", "i64s", false),
        TypeRef::F32 => ("float[]", "f32s", false),
        TypeRef::F64 => ("double[]", "f64s", false),
        TypeRef::Bool => ("boolean[]", "bools", false),
        TypeRef::Char => ("int[]", "characters", true),
        _ => return None,
    };
    Some(PrimitiveArray {
        java,
        call,
        checked,
    })
}
