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
            DefaultValue::EmptyBytes => "ByteArray(0)".to_owned(),
            DefaultValue::EmptyList => match &field.ty {
                TypeRef::List(item) if primitive_array(item).is_some() => {
                    format!("{}(0)", self.ty(&field.ty, &[]))
                }
                _ => "emptyList()".to_owned(),
            },
            DefaultValue::EmptyMap => "emptyMap()".to_owned(),
            // A variant without content is an object.
            DefaultValue::Variant { ty, place, .. } => {
                let variant = self.of(ty).variants.get(place)?;
                format!("{}.{variant}", self.name_of(ty, is_nested))
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

/// An integer. Kotlin has no literal of the least number of 64 bits.
fn integer(ty: &TypeRef, value: i128) -> String {
    match ty {
        TypeRef::U8 | TypeRef::U16 | TypeRef::U32 => format!("{value}u"),
        TypeRef::U64 => format!("{value}uL"),
        TypeRef::I64 if value == i128::from(i64::MIN) => "Long.MIN_VALUE".to_owned(),
        TypeRef::I64 => format!("{value}L"),
        TypeRef::U128 | TypeRef::I128 => format!("BigInteger(\"{value}\")"),
        _ => value.to_string(),
    }
}
