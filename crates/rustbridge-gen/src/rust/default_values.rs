//! Default values of fields, and the functions that create structs with them.

use rustbridge_description::types::{Field, Shape, TypeRef};

use super::names::{self, Names};
use super::text::{OUTER, doc, head, quoted, width};
use crate::client_schema::{DefaultValue, float};
use crate::error::Error;
use crate::source::Source;

/// How long the fields of a struct may be in one line.
const STRUCT: usize = 18;

impl Names<'_> {
    /// Returns the default value of a field as an expression, if clients know it.
    pub(super) fn default_of(&self, field: &Field) -> Option<String> {
        let value = DefaultValue::of(&self.client_schema.types, field)?;
        Some(match value {
            DefaultValue::Bool(value) => value.to_string(),
            DefaultValue::Integer(value) => value.to_string(),
            DefaultValue::Float(value) => float(value),
            DefaultValue::Char(value) => format!("'{}'", value.escape_debug()),
            DefaultValue::Text("") => "String::new()".to_owned(),
            DefaultValue::Text(text) => format!("{}.to_owned()", quoted(text)),
            DefaultValue::EmptyBytes | DefaultValue::EmptyList => "Vec::new()".to_owned(),
            DefaultValue::EmptyMap => "HashMap::new()".to_owned(),
            DefaultValue::Variant { ty, place, .. } => {
                let Shape::Enum(shape) = self.shape(ty) else {
                    return None;
                };
                // A name that can't be one is refused where the enum is written.
                let variants = names::variants("an enum", shape).ok()?;
                format!("{}::{}", self.of(ty), variants.get(place)?)
            }
        })
    }

    /// Writes the function that creates a struct from the fields without a default, if any field has a default value.
    pub(super) fn constructor(
        &self,
        out: &mut Source,
        number: u32,
        fields: &[Field],
    ) -> Result<(), Error> {
        if fields.iter().all(|field| field.default_value.is_none()) {
            return Ok(());
        }
        let name = self.of(number);
        let (mut parameters, mut values) = (Vec::new(), Vec::new());
        let called = names::fields(&format!("the record `{name}`"), fields)?;
        for (field, called) in fields.iter().zip(called) {
            if let Some(value) = self.default_of(field) {
                values.push(match self.is_boxed(number, field) {
                    true => format!("{called}: Box::new({value})"),
                    false => format!("{called}: {value}"),
                });
            } else if field.default || matches!(field.ty, TypeRef::Option(_)) {
                values.push(format!("{called}: None"));
            } else {
                parameters.push(format!("{called}: {}", self.field(number, field)));
                values.push(called);
            }
        }
        out.gap();
        out.line(format_args!("impl {name} {{"));
        out.indented(|out| {
            doc(
                out,
                OUTER,
                "Creates a value from the fields that have no default. Options are `None`.",
            );
            // Clippy counts up to seven.
            if parameters.len() > 7 {
                out.line("#[allow(clippy::too_many_arguments)]");
            }
            let result = format!(" -> {name}");
            head(out, "pub fn new", &parameters, &result, " {");
            out.indented(|out| {
                let line = values.join(", ");
                if width(&line) <= STRUCT {
                    out.line(format_args!("{name} {{ {line} }}"));
                    return;
                }
                out.line(format_args!("{name} {{"));
                out.indented(|out| {
                    values
                        .iter()
                        .for_each(|value| out.line(format_args!("{value},")));
                });
                out.line("}");
            });
            out.line("}");
        });
        out.line("}");
        Ok(())
    }

    fn is_boxed(&self, number: u32, field: &Field) -> bool {
        self.ty_in(&field.ty, Some(number)) != self.ty(&field.ty)
    }
}
