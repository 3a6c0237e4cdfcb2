//! Types where they are used: what TypeScript calls them.

use rustbridge_description::types::{Field, Shape, TypeRef};

use super::names::Names;
use super::text::quoted;
use crate::client::{Int64, Timestamps};
use crate::client_schema::{DefaultValue, float};

impl Names<'_> {
    /// A type in TypeScript.
    pub(super) fn ty(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Unit => "undefined".to_owned(),
            TypeRef::Bool => "boolean".to_owned(),
            TypeRef::Char | TypeRef::String | TypeRef::Decimal | TypeRef::Uuid => {
                "string".to_owned()
            }
            TypeRef::U8 | TypeRef::U16 | TypeRef::U32 => "number".to_owned(),
            TypeRef::I8 | TypeRef::I16 | TypeRef::I32 => "number".to_owned(),
            TypeRef::F32 | TypeRef::F64 => "number".to_owned(),
            TypeRef::U64 | TypeRef::I64 => match self.int64 {
                Int64::BigInt => "bigint".to_owned(),
                Int64::Number => "number".to_owned(),
                Int64::Text => "string".to_owned(),
            },
            TypeRef::U128 | TypeRef::I128 => "bigint".to_owned(),
            TypeRef::Timestamp if self.timestamps == Timestamps::Date => "Date".to_owned(),
            TypeRef::Timestamp | TypeRef::Duration => "bigint".to_owned(),
            TypeRef::Bytes => "Uint8Array".to_owned(),
            TypeRef::Any => "wire.Dynamic".to_owned(),
            TypeRef::List(item) | TypeRef::Array(item, _) => match self.numbers(item) {
                Some((array, _)) => array.to_owned(),
                None => match self.ty(item) {
                    item if is_union(&item) => format!("({item})[]"),
                    item => format!("{item}[]"),
                },
            },
            TypeRef::Map(key, value) => format!("Map<{}, {}>", self.ty(key), self.ty(value)),
            TypeRef::Option(item) => format!("{} | {}", self.ty(item), self.absent(item)),
            TypeRef::Tuple(types) => {
                let inside: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
                format!("[{}]", inside.join(", "))
            }
            TypeRef::Ref(number) => self.of(*number).name.clone(),
            TypeRef::Object(name) => self.object(name).to_owned(),
        }
    }

    /// What the codec of a type is called that everybody has.
    pub(super) fn simple(&self, ty: &TypeRef) -> Option<&'static str> {
        let (number, text) = match ty {
            TypeRef::U64 => ("u64AsNumber", "u64AsText"),
            TypeRef::I64 => ("i64AsNumber", "i64AsText"),
            TypeRef::Timestamp if self.timestamps == Timestamps::Date => {
                return Some("timestampAsDate");
            }
            ty => return simple(ty),
        };
        match self.int64 {
            Int64::BigInt => simple(ty),
            Int64::Number => Some(number),
            Int64::Text => Some(text),
        }
    }

    /// What keeps numbers of a type in one piece, and what writes and reads it.
    pub(super) fn numbers(&self, item: &TypeRef) -> Option<(&'static str, &'static str)> {
        match item {
            TypeRef::U64 | TypeRef::I64 if self.int64 != Int64::BigInt => None,
            item => numbers(item),
        }
    }

    /// What stands for a value that's absent.
    fn absent(&self, item: &TypeRef) -> &'static str {
        match self.has(item, &|ty| matches!(ty, TypeRef::Unit | TypeRef::Option(_))) {
            true => "null",
            false => "undefined",
        }
    }

    /// What makes the codec of a type's of what may be absent.
    pub(super) fn option(&self, item: &TypeRef) -> &'static str {
        match self.absent(item) {
            "null" => "nullable",
            _ if self.has(item, &|ty| matches!(ty, TypeRef::Any)) => "optional",
            _ => "option",
        }
    }

    /// Whether a type is one, or a new type of it.
    fn has(&self, ty: &TypeRef, is: &dyn Fn(&TypeRef) -> bool) -> bool {
        let mut ty = ty;
        for _ in 0..=self.client_schema.types.definitions().len() {
            match ty {
                ty if is(ty) => return true,
                TypeRef::Ref(number) => match self.shape(*number) {
                    Shape::Newtype(inside) => ty = inside,
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Returns the default value of a field as an expression, if clients know it.
    pub(super) fn default_of(&self, field: &Field) -> Option<String> {
        let value = DefaultValue::of(&self.client_schema.types, field)?;
        Some(match value {
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Integer(value) => match &*self.ty(&field.ty) {
                "bigint" => format!("{value}n"),
                "string" => quoted(&value.to_string()),
                _ => value.to_string(),
            },
            // As Biome writes it: without a fraction of 0.
            DefaultValue::Float(value) => float(value).trim_end_matches(".0").to_owned(),
            DefaultValue::Char(value) => quoted(&value.to_string()),
            DefaultValue::Text(text) => quoted(text),
            DefaultValue::EmptyBytes => "new Uint8Array()".to_owned(),
            DefaultValue::EmptyList => match self.ty(&field.ty) {
                ty if ty.ends_with("[]") => "[]".to_owned(),
                array => format!("new {array}()"),
            },
            DefaultValue::EmptyMap => "new Map()".to_owned(),
            DefaultValue::Variant {
                ty,
                place,
                is_plain,
            } => {
                let Shape::Enum(shape) = self.shape(ty) else {
                    return None;
                };
                let name = quoted(&shape.variants.get(place)?.name);
                match is_plain {
                    true => name,
                    false => format!("{{ {}: {name} }}", self.kind),
                }
            }
        })
    }

    /// A property: its name, whether it may be left out, its type.
    pub(super) fn property(&self, name: &str, field: &Field) -> String {
        let ty = match (&field.ty, field.default) {
            // What is absent there has the plugin's default, and null says that there's nothing.
            (TypeRef::Option(item), true) => format!("{} | null | undefined", self.ty(item)),
            (ty, true) => format!("{} | {}", self.ty(ty), self.absent(ty)),
            (ty, false) => self.ty(ty),
        };
        let may_be_left_out = matches!(&field.ty, TypeRef::Option(_)) || field.default;
        let mark = match may_be_left_out && ty.ends_with("| undefined") {
            true => "?",
            false => "",
        };
        format!("{name}{mark}: {ty}")
    }
}

fn numbers(item: &TypeRef) -> Option<(&'static str, &'static str)> {
    Some(match item {
        TypeRef::U8 => ("Uint8Array", "bytesOf"),
        TypeRef::U16 => ("Uint16Array", "u16s"),
        TypeRef::U32 => ("Uint32Array", "u32s"),
        TypeRef::U64 => ("BigUint64Array", "u64s"),
        TypeRef::I8 => ("Int8Array", "i8s"),
        TypeRef::I16 => ("Int16Array", "i16s"),
        TypeRef::I32 => ("Int32Array", "i32s"),
        TypeRef::I64 => ("BigInt64Array", "i64s"),
        TypeRef::F32 => ("Float32Array", "f32s"),
        TypeRef::F64 => ("Float64Array", "f64s"),
        _ => return None,
    })
}

/// Whether a type is one of several, and not what is between brackets in it.
fn is_union(ty: &str) -> bool {
    let mut depth = 0;
    ty.chars().any(|letter| {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && letter == '|'
    })
}

/// The method of a writer and of a reader for what has one, which is what its codec is called.
fn simple(ty: &TypeRef) -> Option<&'static str> {
    Some(match ty {
        TypeRef::Bool => "bool",
        TypeRef::Char => "char",
        TypeRef::U8 => "u8",
        TypeRef::U16 => "u16",
        TypeRef::U32 => "u32",
        TypeRef::U64 => "u64",
        TypeRef::U128 => "u128",
        TypeRef::I8 => "i8",
        TypeRef::I16 => "i16",
        TypeRef::I32 => "i32",
        TypeRef::I64 => "i64",
        TypeRef::I128 => "i128",
        TypeRef::F32 => "f32",
        TypeRef::F64 => "f64",
        TypeRef::String => "text",
        TypeRef::Decimal => "decimal",
        TypeRef::Bytes => "blob",
        TypeRef::Timestamp => "timestamp",
        TypeRef::Duration => "duration",
        TypeRef::Uuid => "uuid",
        TypeRef::Any => "any",
        _ => return None,
    })
}
