//! Default values of fields and parameters.

use rustbridge_description::types::{Field, TypeRef};

use super::names::Names;
use super::text::quoted;
use super::types::primitive_array;
use crate::client_schema::{DefaultValue, float};

impl Names<'_> {
    /// Returns the default value of a field or parameter as an expression, if clients know it. `is_nested` is whether it stands in a variant
    /// of an enum, beside which another variant may hide a type's name.
    pub(super) fn default_of(&self, field: &Field, is_nested: bool) -> Option<String> {
        let value = DefaultValue::of(&self.client_schema.types, field)?;
        Some(match value {
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Integer(value) => integer(&field.ty, value),
            DefaultValue::Float(value) => {
                let suffix = if field.ty == TypeRef::F32 { "f" } else { "" };
                format!("{}{suffix}", float(value))
            }
            DefaultValue::Char(value) => u32::from(value).to_string(),
            DefaultValue::Text(text) => quoted(text),
            DefaultValue::EmptyBytes => "new byte[0]".to_owned(),
            DefaultValue::EmptyList => match &field.ty {
                TypeRef::List(item) if primitive_array(item).is_some() => {
                    let array = self.ty(&field.ty, &[]);
                    format!("new {}[0]", array.trim_end_matches("[]"))
                }
                _ => "List.of()".to_owned(),
            },
            DefaultValue::EmptyMap => "Map.of()".to_owned(),
            DefaultValue::Variant {
                ty,
                place,
                is_plain,
            } => {
                let variant = self.of(ty).variants.get(place)?;
                let name = self.name_of(ty, is_nested);
                match is_plain {
                    true => format!("{name}.{variant}"),
                    false => format!("new {name}.{variant}()"),
                }
            }
        })
    }

    /// The name of an enum; with its package if another one may hide it.
    fn name_of(&self, ty: u32, is_nested: bool) -> String {
        let name = &self.of(ty).name;
        match is_nested {
            true => self.ty(&TypeRef::Ref(ty), std::slice::from_ref(name)),
            false => name.clone(),
        }
    }
}

/// An integer as an argument: narrow types have no literals, and an unsigned number of 64 bits is a `long` with the same bits.
fn integer(ty: &TypeRef, value: i128) -> String {
    match ty {
        TypeRef::U32 | TypeRef::U64 | TypeRef::I64 => format!("{}L", value as i64),
        TypeRef::I8 => format!("(byte) {value}"),
        TypeRef::I16 => format!("(short) {value}"),
        TypeRef::U128 | TypeRef::I128 => format!("new BigInteger(\"{value}\")"),
        _ => value.to_string(),
    }
}
