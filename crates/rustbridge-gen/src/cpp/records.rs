//! The types of messages: structs, enums, and what enums with data consist of.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef};

use super::codecs::{Part, PartField};
use super::default_values::{boxed_default, is_boxed};
use super::names::{KEYWORDS, Names, TypeNames, fields_of, is_plain, named, unnamed};
use super::text::{doc, list};
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

/// What is written of a struct.
struct Struct<'s> {
    name: &'s str,
    doc: &'s str,
    /// The type that it's a part of, or is.
    number: u32,
    fields: Vec<(Field, String)>,
    /// Whether maps order their keys by it.
    is_key: bool,
}

impl Names<'_> {
    /// An enum without data, which everything else may have inside.
    pub(super) fn plain_enum(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
        shape: &Enum,
    ) {
        let TypeNames { name, variants, .. } = self.of(number);
        out.gap();
        doc(out, &prose(&definition.doc, &definition.name));
        out.line(format_args!("enum class {name} : std::uint16_t {{"));
        out.indented(|out| {
            for (place, (variant, (_, inside))) in shape.variants.iter().zip(variants).enumerate() {
                doc(out, &variant.doc);
                out.line(format_args!("{inside} = {place},"));
            }
            if shape.open {
                doc(
                    out,
                    "A value that this client doesn't know. It can't be sent.",
                );
                out.line("unknown = 0xFFFF,");
            }
        });
        out.line("};");
    }

    /// Says that there are such types, which then may be spoken of.
    pub(super) fn declarations(&self, out: &mut Source) {
        out.gap();
        if self
            .client_schema
            .methods
            .iter()
            .any(|it| !it.class.is_empty())
        {
            out.line(format_args!("class {};", self.client));
        }
        for (_, class) in &self.objects {
            out.line(format_args!("class {class};"));
        }
        for one in &self.callbacks {
            out.line(format_args!("class {};", one.class));
            out.line(format_args!("class {};", one.remote));
        }
        for &number in &self.order.numbers {
            if !matches!(self.shape(number), Some(Shape::Enum(shape)) if is_plain(shape)) {
                out.line(format_args!("struct {};", self.of(number).name));
            }
        }
    }

    /// The struct of a type, or the structs of its variants and the enum of them.
    pub(super) fn definition(&self, out: &mut Source, number: u32) -> Result<(), Error> {
        let definition = &self.client_schema.types.definitions()[number as usize];
        let TypeNames {
            name,
            variants,
            unknown,
        } = self.of(number);
        let fields = match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => named(fields),
            Shape::Newtype(inside) => unnamed(std::slice::from_ref(inside)),
            Shape::Tuple(types) => unnamed(types),
            Shape::Enum(shape) if is_plain(shape) => return Ok(()),
            Shape::Enum(shape) => {
                for (variant, (outside, _)) in shape.variants.iter().zip(variants) {
                    self.structure(
                        out,
                        &Struct {
                            name: outside,
                            doc: &prose(
                                &variant.doc,
                                &format!("{}::{}", definition.name, variant.name),
                            ),
                            number,
                            fields: fields_of(variant),
                            is_key: false,
                        },
                    )?;
                }
                if let Some(unknown) = unknown {
                    self.structure(
                        out,
                        &Struct {
                            name: unknown,
                            doc: "A variant that this client doesn't know. It can't be sent.",
                            number,
                            fields: Vec::new(),
                            is_key: false,
                        },
                    )?;
                }
                self.one_of(out, number, definition);
                return Ok(());
            }
        };
        self.structure(
            out,
            &Struct {
                name,
                doc: &prose(&definition.doc, &definition.name),
                number,
                fields,
                is_key: self.order.keys.contains(&number),
            },
        )?;
        if let (Shape::Pod(_), Some(size)) = (
            &definition.shape,
            self.client_schema.types.exact(&TypeRef::Ref(number)),
        ) {
            out.line(format_args!(
                "static_assert(sizeof({name}) == {size}, \"it lies in memory as it crosses\");"
            ));
        }
        Ok(())
    }

    fn structure(&self, out: &mut Source, structure: &Struct<'_>) -> Result<(), Error> {
        let Struct { name, number, .. } = *structure;
        let fields: Vec<Field> = structure
            .fields
            .iter()
            .map(|(field, _)| field.clone())
            .collect();
        let names = self.fields(name, &fields)?;
        out.gap();
        doc(out, structure.doc);
        out.line(format_args!("struct {name} {{"));
        out.indented(|out| {
            for (field, called) in fields.iter().zip(&names) {
                doc(out, &field.doc);
                let mut ty = self.ty_within(&field.ty, Some(number));
                if let Some(value) = self.default_of(field) {
                    let value = match is_boxed(&ty) {
                        true => format!(" = detail::{}()", boxed_default(name, called)),
                        false => initialized(&value),
                    };
                    out.line(format_args!("{ty} {called}{value};"));
                    continue;
                }
                if field.default {
                    if field.doc.is_empty() {
                        doc(out, "Without a value, the plugin uses its default.");
                    } else {
                        doc(out, "\nWithout a value, the plugin uses its default.");
                    }
                    ty = format!("std::optional<{ty}>");
                }
                out.line(format_args!("{ty} {called}{{}};"));
            }
            let mut types = fields.iter().map(|field| &field.ty);
            // Each goes through all that is in it, for nothing where there are no objects at all.
            if !self.objects.is_empty() && types.any(|ty| self.client_schema.holds_own_objects(ty))
            {
                return;
            }
            if !fields.is_empty() {
                out.gap();
            }
            out.line(format_args!(
                "friend bool operator==(const {name}&, const {name}&) = default;"
            ));
            if structure.is_key {
                out.line(format_args!(
                    "friend auto operator<=>(const {name}&, const {name}&) = default;"
                ));
            }
        });
        out.line("};");
        Ok(())
    }

    /// The enum of variants with data.
    fn one_of(&self, out: &mut Source, number: u32, definition: &Definition) {
        let TypeNames {
            name,
            variants,
            unknown,
        } = self.of(number);
        let mut all: Vec<String> = variants
            .iter()
            .map(|(outside, _)| outside.clone())
            .collect();
        all.extend(unknown.clone());
        out.gap();
        doc(out, &prose(&definition.doc, &definition.name));
        list(
            out,
            &format!("struct {name} : rustbridge::OneOf<"),
            &all,
            "> {",
        );
        out.indented(|out| {
            for (outside, inside) in variants {
                out.line(format_args!("using {inside} = {outside};"));
            }
            if let Some(unknown) = unknown {
                out.line(format_args!("using Unknown = {unknown};"));
            }
            out.gap();
            out.line("using OneOf::OneOf;");
        });
        out.line("};");
    }

    /// What each struct of a type is made of, for its codec.
    pub(super) fn parts(&self, number: u32) -> Result<Vec<Part>, Error> {
        let definition = &self.client_schema.types.definitions()[number as usize];
        let names = self.of(number);
        let part = |name: &str, fields: Vec<(Field, String)>| -> Result<Part, Error> {
            let all: Vec<Field> = fields.iter().map(|(field, _)| field.clone()).collect();
            let called = self.fields(name, &all)?;
            Ok(Part {
                name: name.to_owned(),
                fields: fields
                    .into_iter()
                    .zip(called)
                    .map(|((field, step), called)| PartField {
                        step,
                        name: called,
                        has_default: field.default_value.is_some(),
                    })
                    .collect(),
            })
        };
        match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => {
                Ok(vec![part(&names.name, named(fields))?])
            }
            Shape::Newtype(inside) => Ok(vec![part(
                &names.name,
                unnamed(std::slice::from_ref(inside)),
            )?]),
            Shape::Tuple(types) => Ok(vec![part(&names.name, unnamed(types))?]),
            Shape::Enum(shape) => shape
                .variants
                .iter()
                .zip(&names.variants)
                .map(|(variant, (outside, _))| part(outside, fields_of(variant)))
                .collect(),
        }
    }
}

/// Returns the initialization of a member with a default value.
fn initialized(value: &str) -> String {
    match value {
        "{}" => "{}".to_owned(),
        // A variant may be behind a pointer.
        value if value.ends_with("{}") => format!("{{{value}}}"),
        value => format!(" = {value}"),
    }
}

/// What is said of something, which may be no more than what the plugin calls it.
pub(super) fn prose(doc: &str, name: &str) -> String {
    match doc {
        "" => format!("`{name}`."),
        doc => doc.to_owned(),
    }
}

/// What a parameter is called.
pub(super) fn parameter_names(
    method: &str,
    fields: &[Field],
    reserved: &[&str],
) -> Result<Vec<String>, Error> {
    let reserved: Vec<&str> = KEYWORDS.iter().chain(reserved).copied().collect();
    let mut scope = crate::names::Scope::new(format!("the parameters of `{method}`"), &reserved);
    fields
        .iter()
        .map(|field| scope.name(&field.name, Case::Snake))
        .collect()
}
