//! The types of messages.

use rustbridge_description::types::{Definition, Enum, Field, Shape, Variant};

use super::codec::value_of;
use super::names::{Names, is_plain, properties};
use super::text::{doc, quoted, union};
use crate::client_schema::about_default;
use crate::error::Error;
use crate::names::{ABOUT_UNKNOWN, UNKNOWN};
use crate::source::Source;

/// What is said of a field with a default.
const DEFAULT: &str = "Omit it for the plugin's default.";

impl Names<'_> {
    /// A type that a client sees.
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
    ) -> Result<(), Error> {
        let name = &self.of(number).name;
        match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => {
                doc(out, &definition.doc);
                self.interface(out, &format!("export interface {name}"), name, fields)
            }
            Shape::Newtype(inside) => {
                doc(out, &definition.doc);
                out.line(format_args!("export type {name} = {};", self.ty(inside)));
                Ok(())
            }
            Shape::Tuple(types) => {
                doc(out, &definition.doc);
                let types: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
                out.line(format_args!("export type {name} = [{}];", types.join(", ")));
                Ok(())
            }
            Shape::Enum(shape) if is_plain(shape) => {
                doc(out, &about_names(&definition.doc, shape));
                let mut all: Vec<String> =
                    shape.variants.iter().map(|it| quoted(&it.name)).collect();
                if shape.open {
                    all.push(quoted(UNKNOWN));
                }
                if all.is_empty() {
                    all.push("never".to_owned());
                }
                union(out, &format!("export type {name}"), &all);
                Ok(())
            }
            Shape::Enum(shape) => self.variants(out, number, &definition.doc, shape),
        }
    }

    /// An interface for each variant, and the union of them.
    fn variants(
        &self,
        out: &mut Source,
        number: u32,
        about: &str,
        shape: &Enum,
    ) -> Result<(), Error> {
        let names = self.of(number);
        for (variant, called) in shape.variants.iter().zip(&names.variants) {
            self.variant(out, variant, called)?;
            out.gap();
        }
        if let (true, Some(unknown)) = (shape.open, names.variants.last()) {
            doc(out, ABOUT_UNKNOWN);
            out.line(format_args!("export interface {unknown} {{"));
            out.indented(|out| out.line(format_args!("{}: {};", self.kind, quoted(UNKNOWN))));
            out.line("}");
            out.gap();
        }
        doc(out, about);
        union(out, &format!("export type {}", names.name), &names.variants);
        Ok(())
    }

    fn variant(&self, out: &mut Source, variant: &Variant, called: &str) -> Result<(), Error> {
        doc(out, &variant.doc);
        out.line(format_args!("export interface {called} {{"));
        out.indented(|out| {
            out.line(format_args!("{}: {};", self.kind, quoted(&variant.name)));
            match (&variant.tuple, &variant.fields) {
                (Some(types), _) if !types.is_empty() => {
                    out.line(format_args!("value: {};", self.ty(&value_of(types))));
                    Ok(())
                }
                (None, Some(fields)) => self.properties(out, called, fields, &[&self.kind]),
                _ => Ok(()),
            }
        })?;
        out.line("}");
        Ok(())
    }

    /// An interface of these fields.
    pub(super) fn interface(
        &self,
        out: &mut Source,
        head: &str,
        of: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        if fields.is_empty() {
            out.line(format_args!("{head} {{}}"));
            return Ok(());
        }
        out.line(format_args!("{head} {{"));
        out.indented(|out| self.properties(out, of, fields, &[]))?;
        out.line("}");
        Ok(())
    }

    fn properties(
        &self,
        out: &mut Source,
        of: &str,
        fields: &[Field],
        taken: &[&str],
    ) -> Result<(), Error> {
        for (field, name) in fields.iter().zip(properties(of, fields, taken)?) {
            let value = about_default(&self.client_schema.types, field);
            let about = match (&*field.doc, value.as_deref(), field.default) {
                (prose, _, false) => prose.to_owned(),
                ("", value, true) => value.unwrap_or(DEFAULT).to_owned(),
                (prose, value, true) => format!("{prose}\n{}", value.unwrap_or(DEFAULT)),
            };
            doc(out, &about);
            out.line(format_args!("{};", self.property(&name, field)));
        }
        Ok(())
    }
}

/// What is said of an enum's variants stands above all of them.
fn about_names(about: &str, shape: &Enum) -> String {
    let mut about = about.trim().to_owned();
    let said = shape
        .variants
        .iter()
        .filter(|variant| !variant.doc.is_empty());
    let mut said: Vec<String> = said
        .map(|it| format!("- `{}`: {}", it.name, it.doc.replace('\n', "\n  ")))
        .collect();
    if shape.open {
        said.push(format!("- `{UNKNOWN}`: {ABOUT_UNKNOWN}"));
    }
    if !said.is_empty() {
        about.push_str(&format!("\n\n{}", said.join("\n")));
    }
    about
}
