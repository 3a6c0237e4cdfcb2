//! Default values of fields and parameters.

use rustbridge_description::types::{Field, TypeRef};

use super::names::Names;
use super::text::quoted;
use crate::client_schema::{DefaultValue, float};

/// A default value in C#.
pub(super) enum Written {
    /// A constant, which may be the default of a parameter.
    Constant(String),
    /// An expression, which is evaluated where null is passed.
    Expression(String),
}

impl Written {
    /// Returns the expression of the value.
    pub(super) fn expression(&self) -> &str {
        match self {
            Written::Constant(value) | Written::Expression(value) => value,
        }
    }
}

impl Names<'_> {
    /// Returns the default value of a field or parameter, if clients know it.
    pub(super) fn default_of(&self, field: &Field) -> Option<Written> {
        let value = DefaultValue::of(&self.client_schema.types, field)?;
        let is_wide = matches!(field.ty, TypeRef::U128 | TypeRef::I128);
        Some(match value {
            DefaultValue::Integer(value) if is_wide => Written::Expression(value.to_string()),
            DefaultValue::Bool(value) => Written::Constant(value.to_string()),
            DefaultValue::Integer(value) => Written::Constant(value.to_string()),
            DefaultValue::Float(value) => {
                let suffix = if field.ty == TypeRef::F32 { "f" } else { "" };
                Written::Constant(format!("{}{suffix}", float(value)))
            }
            DefaultValue::Char(value) => {
                let code = u32::from(value);
                Written::Expression(format!("new {}({code})", self.ty(&field.ty)))
            }
            DefaultValue::Text(text) => Written::Constant(quoted(text)),
            DefaultValue::EmptyBytes | DefaultValue::EmptyList => {
                Written::Expression("[]".to_owned())
            }
            DefaultValue::EmptyMap => Written::Expression(format!("new {}()", self.ty(&field.ty))),
            DefaultValue::Variant {
                ty,
                place,
                is_plain,
            } => {
                let names = self.of(ty);
                let variant = names.variants.get(place)?;
                // A member or a variant could have the name alone.
                let name = format!("global::{}.{}", self.namespace, names.name);
                match is_plain {
                    true => Written::Constant(format!("{name}.{variant}")),
                    false => Written::Expression(format!("new {name}.{variant}()")),
                }
            }
        })
    }

    /// Reports whether a field of a record shows its default value. C# has no constant of a character or of a number of 128 bits, so such a
    /// field may be left to the plugin's default.
    pub(super) fn shows_default(&self, field: &Field) -> bool {
        let is_without_constant = matches!(field.ty, TypeRef::Char | TypeRef::U128 | TypeRef::I128);
        field.default_value.is_some() && !is_without_constant
    }

    /// The codec that writes a field with a default value, which is always sent. A value of null doesn't fit it.
    pub(super) fn present_codec(&self, ty: &str, codec: &str) -> String {
        format!("PresentCodec<{ty}, {codec}>")
    }

    /// The option with the wire format of a field that may be absent.
    pub(super) fn option_of(field: &Field) -> TypeRef {
        TypeRef::Option(Box::new(field.ty.clone()))
    }
}
