//! What writes and reads the types with names: which fields they have, for the codecs of `rustbridge_wire.hpp`.

use rustbridge_description::types::{Shape, TypeRef};

use super::names::{Names, is_plain};
use super::text::{list, quoted};
use crate::error::Error;
use crate::source::Source;

/// A struct.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) fields: Vec<PartField>,
}

/// A field of a struct.
pub(super) struct PartField {
    /// The step that leads to it in paths.
    pub(super) step: String,
    /// The member's name.
    pub(super) name: String,
    /// Whether the member has a default value.
    pub(super) has_default: bool,
}

impl Names<'_> {
    /// The codecs of all types and objects.
    pub(super) fn codecs(&self, out: &mut Source) -> Result<(), Error> {
        out.gap();
        out.line("namespace rustbridge::wire {");
        let space = &self.namespace;
        for (_, class) in &self.objects {
            codec(
                out,
                &format!("::{space}::{class}"),
                "BorrowedObject",
                &[
                    format!("::{space}::{class}"),
                    format!("::{space}::detail::Methods"),
                ],
            );
        }
        for one in &self.callbacks {
            codec(
                out,
                &format!("std::shared_ptr<::{space}::{}>", one.class),
                "CallbackObject",
                &[
                    format!("::{space}::{}", one.class),
                    format!("::{space}::{}", one.remote),
                    format!("::{space}::detail::Methods"),
                ],
            );
        }
        for &number in &self.order.numbers {
            self.codec(out, number)?;
        }
        out.gap();
        out.line("}  // namespace rustbridge::wire");
        Ok(())
    }

    fn codec(&self, out: &mut Source, number: u32) -> Result<(), Error> {
        let types = &self.client_schema.types;
        let (whole, names) = (TypeRef::Ref(number), self.of(number));
        let name = format!("::{}::{}", self.namespace, names.name);
        let size = match types.exact(&whole) {
            Some(_) => "Size::fixed",
            None => "Size::varies",
        };
        let sized = [
            name.clone(),
            types.least(&whole).to_string(),
            size.to_owned(),
        ];
        let open = |shape: &rustbridge_description::types::Enum| {
            shape.open.then(|| "Variants::open".to_owned())
        };
        match self.shape(number) {
            Some(Shape::Pod(_)) => codec(out, &name, "Pod", std::slice::from_ref(&name)),
            Some(Shape::Enum(shape)) if is_plain(shape) => {
                let mut arguments = vec![name.clone(), shape.variants.len().to_string()];
                arguments.extend(open(shape));
                codec(out, &name, "Choice", &arguments);
            }
            Some(Shape::Enum(shape)) => {
                for part in self.parts(number)? {
                    let name = format!("::{}::{}", self.namespace, part.name);
                    let arguments: Vec<String> = [name.clone()]
                        .into_iter()
                        .chain(fields(&name, &part))
                        .collect();
                    codec(out, &name, "Variant", &arguments);
                }
                let mut arguments = sized.to_vec();
                arguments.extend(open(shape));
                codec(out, &name, "Enum", &arguments);
            }
            _ => {
                for part in self.parts(number)? {
                    let arguments: Vec<String> =
                        sized.iter().cloned().chain(fields(&name, &part)).collect();
                    codec(out, &name, "Record", &arguments);
                }
            }
        }
        Ok(())
    }
}

fn fields(of: &str, part: &Part) -> Vec<String> {
    let field = |field: &PartField| {
        let codec = match field.has_default {
            true => "DefaultField",
            false => "Field",
        };
        format!("{codec}<{}, &{of}::{}>", quoted(&field.step), field.name)
    };
    part.fields.iter().map(field).collect()
}

fn codec(out: &mut Source, of: &str, base: &str, arguments: &[String]) {
    out.gap();
    out.line("template <>");
    let line = format!(
        "struct Codec<{of}> : {base}<{}> {{}};",
        arguments.join(", ")
    );
    if line.chars().count() <= super::text::WIDTH {
        out.line(line);
        return;
    }
    out.line(format_args!("struct Codec<{of}>"));
    out.indented(|out| out.indented(|out| list(out, &format!(": {base}<"), arguments, "> {};")));
}
