//! Default values of fields and parameters. Nil stands for them.

use rustbridge_description::types::{Field, TypeRef};

use super::names::Names;
use super::text::quoted;
use crate::client_schema::{DefaultValue, float};

impl Names<'_> {
    /// Returns the default value of a field or parameter as an expression, if clients know it. That of a list, a map or bytes is nil, which is
    /// sent as an empty one.
    pub(super) fn default_of(&self, field: &Field) -> Option<String> {
        let value = DefaultValue::of(&self.client_schema.types, field)?;
        Some(match value {
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Integer(value) => match field.ty {
                TypeRef::U128 => format!("wire.Uint128{{Low: {value}}}"),
                TypeRef::I128 => {
                    let (low, high) = (value as u64, (value >> 64) as i64);
                    format!("wire.Int128{{Low: {low}, High: {high}}}")
                }
                _ => value.to_string(),
            },
            DefaultValue::Float(value) => float(value),
            DefaultValue::Char(value) => format!("{}", u32::from(value)),
            DefaultValue::Text(text) => quoted(text),
            DefaultValue::EmptyBytes | DefaultValue::EmptyList | DefaultValue::EmptyMap => {
                "nil".to_owned()
            }
            DefaultValue::Variant {
                ty,
                place,
                is_plain,
            } => {
                let variant = self.of(ty).variants.get(place)?;
                let braces = if is_plain { "" } else { "{}" };
                format!("{variant}{braces}")
            }
        })
    }
}
