//! The types of messages.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef};

use super::names::{Names, fields as names_of, is_interface, unnamed};
use super::text::{Column, columns, doc};
use crate::client_schema::DefaultValue;
use crate::error::Error;
use crate::source::Source;

/// What is said of a field with a default.
const DEFAULT: &str = "Nil for the plugin's default.";

impl Names<'_> {
    /// A type that a client sees.
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
    ) -> Result<(), Error> {
        let names = self.of(number);
        let name = &names.name;
        let mut about = prose(&definition.doc, || {
            format!("{name} is the plugin's type of that name.")
        });
        if let Shape::Enum(shape) = &definition.shape {
            about.push_str(&self.about_variants(number, shape));
        }
        doc(out, &about);
        match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => self.structure(out, name, fields),
            Shape::Tuple(types) => self.structure(out, name, &unnamed(types)),
            Shape::Newtype(inside) => {
                out.line(format_args!("type {name} {}", self.ty(inside)));
                Ok(())
            }
            Shape::Enum(shape) if is_interface(shape) => self.sealed(out, number, shape),
            Shape::Enum(shape) => {
                self.constants(out, number, shape);
                Ok(())
            }
        }
    }

    /// Which variants an interface has: Go's own documentation doesn't tell.
    fn about_variants(&self, number: u32, shape: &Enum) -> String {
        let links: Vec<String> = self
            .of(number)
            .variants
            .iter()
            .map(|it| format!("[{it}]"))
            .collect();
        match &links[..] {
            _ if !is_interface(shape) => String::new(),
            [] => String::new(),
            [one] => format!("\n\nIt's a {one}."),
            [others @ .., last] => format!("\n\nIt's one of {} and {last}.", others.join(", ")),
        }
    }

    /// A struct of these fields.
    pub(super) fn structure(
        &self,
        out: &mut Source,
        name: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        if fields.is_empty() {
            out.line(format_args!("type {name} struct{{}}"));
            return Ok(());
        }
        let mut all = Vec::new();
        for (field, called) in fields.iter().zip(names_of(name, fields)?) {
            let about = match (&*field.doc, field.default) {
                (prose, false) => prose.to_owned(),
                (prose, true) => format!("{prose}\n{}", self.about_default(field)),
            };
            all.push(Column {
                doc: about,
                name: called,
                ty: self.field(field),
                tag: tag(field),
            });
        }
        out.line(format_args!("type {name} struct {{"));
        out.indented(|out| columns(out, &all));
        out.line("}");
        Ok(())
    }

    /// Returns the documentation of nil, in a field or parameter with a default.
    pub(super) fn about_default(&self, field: &Field) -> String {
        let types = &self.client_schema.types;
        match DefaultValue::of(types, field) {
            Some(value) => format!("Nil for the default value, {}.", value.shown(types)),
            None => DEFAULT.to_owned(),
        }
    }

    /// A struct of the parameters of a method or a service.
    pub(super) fn parameters(&self, out: &mut Source, number: u32, of: &str) -> Result<(), Error> {
        let name = &self.of(number).name;
        out.line(format_args!("// {name} has the parameters of {of}."));
        match self.shape(number) {
            Shape::Record(fields) => {
                let mut fields = fields.clone();
                fields.iter_mut().for_each(|field| field.doc = "".into());
                self.structure(out, name, &fields)
            }
            _ => Ok(()),
        }
    }
}

/// What `encoding/json` calls a field: as the plugin does. Empty for a name that it can't have.
fn tag(field: &Field) -> String {
    let name = &field.name;
    let is_fit = |it: char| it.is_alphanumeric() || "!#$%&()*+-./:;<=>?@[]^_{|}~ ".contains(it);
    if name.is_empty() || &**name == "-" || !name.chars().all(is_fit) {
        return String::new();
    }
    let may_be_left_out = field.default || matches!(field.ty, TypeRef::Option(_));
    let end = if may_be_left_out { ",omitempty" } else { "" };
    format!("`json:\"{name}{end}\"`")
}

pub(super) fn prose(doc: &str, otherwise: impl FnOnce() -> String) -> String {
    match doc {
        "" => otherwise(),
        doc => doc.to_owned(),
    }
}
