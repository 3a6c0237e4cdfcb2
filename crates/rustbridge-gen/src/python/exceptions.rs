//! The exceptions that calls raise when a handler fails with an error that has a type.

use rustbridge_description::types::Shape;

use super::names::Names;
use super::text::{WIDTH, doc, prose};
use crate::source::Source;

impl Names<'_> {
    /// An exception for each error, and perhaps one for each of its variants.
    pub(super) fn exception_classes(&self, out: &mut Source) {
        for (&error, class) in &self.exceptions {
            if self.client_schema.imported_exception(error).is_some() {
                continue;
            }
            let ty = &self.of(error).name;
            let definition = &self.client_schema.types.definitions()[error as usize];
            exception(out, class, "typed.Error", &prose(&definition.doc, ty), ty);
            let Some(classes) = self.variant_exceptions.get(&error) else {
                continue;
            };
            let Shape::Enum(shape) = &definition.shape else {
                continue;
            };
            let variants = shape.variants.iter().zip(classes);
            for ((variant, of_variant), value) in variants.zip(self.error_values(error)) {
                // The value of an enum without data is a member, whose type is the enum.
                let is_member = self.of(error).variants.is_empty();
                let ty = if is_member { ty } else { &value };
                exception(out, of_variant, class, &prose(&variant.doc, &value), ty);
            }
        }
    }

    /// The classes of an error's variants, or the members of an enum without data, in the order of the variants.
    fn error_values(&self, error: u32) -> Vec<String> {
        let names = self.of(error);
        let members = self.variant_exceptions.get(&error).map_or(0, Vec::len);
        match names.variants.is_empty() {
            true => (0..members)
                .map(|place| format!("{}.{}", names.name, self.member(error, place)))
                .collect(),
            false => names.variants.clone(),
        }
    }

    /// Which exceptions the errors have, for the client schema.
    pub(super) fn exceptions_of_schema(&self, out: &mut Source) {
        let numbers = self.exceptions.iter();
        let classes = numbers.map(|(number, class)| format!("{number}: {class}"));
        table(out, "exceptions", &classes.collect::<Vec<_>>());
        let variants = self.variant_exceptions.iter();
        let variants = variants.flat_map(|(&error, classes)| {
            let values = self.error_values(error);
            let pairs = values.into_iter().zip(classes);
            pairs.map(|(value, class)| format!("{value}: {class}"))
        });
        table(out, "variants", &variants.collect::<Vec<_>>());
    }
}

fn exception(out: &mut Source, class: &str, base: &str, about: &str, ty: &str) {
    out.gap();
    out.gap();
    out.line(format_args!("class {class}({base}):"));
    out.indented(|out| {
        doc(out, about);
        out.gap();
        out.line("#: The error's value.");
        out.line(format_args!("error: {ty}"));
    });
}

/// A dictionary as an argument; nothing if it's empty.
fn table(out: &mut Source, name: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let line = format!("{name}={{{}}},", entries.join(", "));
    if out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.line(format_args!("{name}={{"));
    out.indented(|out| {
        entries
            .iter()
            .for_each(|entry| out.line(format_args!("{entry},")))
    });
    out.line("},");
}
