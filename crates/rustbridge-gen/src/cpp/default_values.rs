//! Default values of fields and parameters.

use rustbridge_description::types::{Field, Shape, TypeRef};

use super::names::{Names, fields_of, named};
use super::text::quoted;
use crate::client_schema::{DefaultValue, float};
use crate::error::Error;
use crate::source::Source;

/// The function that returns the default value of a member whose type contains the member's struct.
struct BoxedDefault {
    function: String,
    ty: String,
    value: String,
}

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

    /// Writes the declarations of the functions that return the default values in boxes. The types of these values are complete only behind
    /// the structs that have them.
    pub(super) fn declare_boxed_defaults(&self, out: &mut Source) -> Result<(), Error> {
        let head = |one: &BoxedDefault| format!("inline {} {}();", one.ty, one.function);
        self.in_detail(out, head)
    }

    /// Writes these functions.
    pub(super) fn boxed_defaults(&self, out: &mut Source) -> Result<(), Error> {
        let whole = |one: &BoxedDefault| {
            let BoxedDefault {
                function,
                ty,
                value,
            } = one;
            format!("inline {ty} {function}() {{ return {ty}{{{value}}}; }}")
        };
        self.in_detail(out, whole)
    }

    fn in_detail(
        &self,
        out: &mut Source,
        line: impl Fn(&BoxedDefault) -> String,
    ) -> Result<(), Error> {
        let all = self.all_boxed_defaults()?;
        if all.is_empty() {
            return Ok(());
        }
        out.gap();
        out.line("namespace detail {");
        all.iter().for_each(|one| out.line(line(one)));
        out.line("}  // namespace detail");
        Ok(())
    }

    fn all_boxed_defaults(&self) -> Result<Vec<BoxedDefault>, Error> {
        let mut all = Vec::new();
        for &number in &self.order.numbers {
            let names = self.of(number);
            let structs = match self.shape(number) {
                Some(Shape::Record(fields)) => vec![(&names.name, named(fields))],
                Some(Shape::Enum(shape)) => {
                    let variants = shape.variants.iter().zip(&names.variants);
                    let of_variants = variants.map(|(it, (outside, _))| (outside, fields_of(it)));
                    of_variants.collect()
                }
                _ => Vec::new(),
            };
            for (name, fields) in structs {
                let fields: Vec<Field> = fields.into_iter().map(|(field, _)| field).collect();
                for (field, called) in fields.iter().zip(self.fields(name, &fields)?) {
                    let ty = self.ty_within(&field.ty, Some(number));
                    if is_boxed(&ty)
                        && let Some(value) = self.default_of(field)
                    {
                        let function = boxed_default(name, &called);
                        all.push(BoxedDefault {
                            function,
                            ty,
                            value,
                        });
                    }
                }
            }
        }
        Ok(all)
    }
}

/// Reports whether a type is in a box, because it contains the struct whose member it's the type of.
pub(super) fn is_boxed(ty: &str) -> bool {
    ty.starts_with("rustbridge::Box<")
}

/// Returns the name of the function that returns a member's default value in a box.
pub(super) fn boxed_default(name: &str, member: &str) -> String {
    format!("default_{name}_{member}")
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
