//! Default values of fields and parameters.

use rustbridge_description::types::{Field, TypeRef};

use super::names::Names;
use super::text::quoted;
use crate::client_schema::{DefaultValue, float};

impl Names<'_> {
    /// Returns the default value of a field or parameter as an expression, if clients know it.
    pub(super) fn default_of(&self, field: &Field) -> Option<String> {
        let value = DefaultValue::of(&self.client_schema.types, field)?;
        Some(match value {
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Integer(value) => integer(value),
            DefaultValue::Float(value) => {
                let suffix = if field.ty == TypeRef::F32 { "f" } else { "" };
                format!("{}{suffix}", float(value))
            }
            DefaultValue::Char(value) => format!("U'\\x{:x}'", u32::from(value)),
            // A text alone would end there.
            DefaultValue::Text(text) if text.contains('\0') => {
                format!("std::string({}, {})", quoted(text), text.len())
            }
            DefaultValue::Text(text) => quoted(text),
            DefaultValue::EmptyBytes | DefaultValue::EmptyList | DefaultValue::EmptyMap => {
                "{}".to_owned()
            }
            DefaultValue::Variant {
                ty,
                place,
                is_plain,
            } => {
                let names = self.of(ty);
                let (_, variant) = names.variants.get(place)?;
                let braces = if is_plain { "" } else { "{}" };
                format!("{}::{variant}{braces}", names.name)
            }
        })
    }
}

/// C++ has no literal of the least number of 64 bits, and the largest ones are unsigned.
fn integer(value: i128) -> String {
    if value == i128::from(i64::MIN) {
        return format!("{} - 1", value + 1);
    }
    let suffix = if value > i128::from(i64::MAX) {
        "u"
    } else {
        ""
    };
    format!("{value}{suffix}")
}
