//! The types of messages.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef, Variant};

use super::names::{self, Names, UNKNOWN, is_plain};
use super::text::{self, CALL, OUTER, WIDTH, doc, quoted, width};
use crate::client_schema::about_default;
use crate::error::Error;
use crate::source::Source;

/// How long the fields of a variant may be in one line.
const VARIANT: usize = 35;

impl Names<'_> {
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
    ) -> Result<(), Error> {
        let name = self.of(number);
        let plain = &*definition.name;
        if !definition.doc.is_empty() {
            doc(out, OUTER, &definition.doc);
        }
        match &definition.shape {
            Shape::Record(fields) => {
                derive(out, "Clone, Debug, PartialEq");
                renamed(out, name, plain);
                self.fields_of(out, number, fields)?;
                self.constructor(out, number, fields)
            }
            Shape::Pod(fields) => {
                self.check_pod(number, plain, fields)?;
                derive(out, "Clone, Copy, Debug, PartialEq");
                out.line("#[wire(pod)]");
                renamed(out, name, plain);
                out.line("#[repr(C)]");
                self.fields_of(out, number, fields)
            }
            Shape::Newtype(inside) => {
                derive(
                    out,
                    match inside {
                        _ if self.is_key(&TypeRef::Ref(number)) && self.is_copy_type(number) => {
                            "Clone, Copy, Debug, PartialEq, Eq, Hash"
                        }
                        _ if self.is_key(&TypeRef::Ref(number)) => {
                            "Clone, Debug, PartialEq, Eq, Hash"
                        }
                        _ if self.is_copy_type(number) => "Clone, Copy, Debug, PartialEq",
                        _ => "Clone, Debug, PartialEq",
                    },
                );
                renamed(out, name, plain);
                match inside {
                    TypeRef::Unit => out.line(format_args!("pub struct {name};")),
                    inside => {
                        let inside = self.ty_in(inside, Some(number));
                        self.tuple(out, &format!("pub struct {name}"), "pub ", &[inside], ";");
                    }
                }
                Ok(())
            }
            Shape::Tuple(types) => {
                derive(out, "Clone, Debug, PartialEq");
                renamed(out, name, plain);
                let inside: Vec<String> = types
                    .iter()
                    .map(|ty| self.ty_in(ty, Some(number)))
                    .collect();
                self.tuple(out, &format!("pub struct {name}"), "pub ", &inside, ";");
                Ok(())
            }
            Shape::Enum(shape) => {
                derive(
                    out,
                    match is_plain(shape) {
                        true => "Clone, Copy, Debug, PartialEq, Eq, Hash",
                        false => "Clone, Debug, PartialEq",
                    },
                );
                renamed(out, name, plain);
                self.variants(out, number, name, plain, shape)
            }
        }
    }

    /// Rust lays plain old data out as C does: a pod of other gaps can't be made there.
    fn check_pod(&self, number: u32, name: &str, fields: &[Field]) -> Result<(), Error> {
        let types = &self.client_schema.types;
        let sizes = |field: &Field| Some((types.exact(&field.ty)?, self.align(&field.ty)));
        let mut end = 0;
        let mut whole = 1;
        for (size, align) in fields.iter().filter_map(sizes) {
            if end % align != 0 {
                whole = 0;
                break;
            }
            end += size;
            whole = whole.max(align);
        }
        if whole == 0 || end % whole != 0 || types.exact(&TypeRef::Ref(number)) != Some(end) {
            return Err(Error::new(format_args!(
                "the plain old data `{name}` has gaps in Rust that it hasn't on the wire: order its fields by falling size in the plugin"
            )));
        }
        Ok(())
    }

    fn align(&self, ty: &TypeRef) -> u64 {
        match ty {
            TypeRef::Array(item, _) => self.align(item),
            TypeRef::Ref(number) => match self.shape(*number) {
                Shape::Pod(fields) | Shape::Record(fields) => fields
                    .iter()
                    .map(|field| self.align(&field.ty))
                    .max()
                    .unwrap_or(1),
                _ => 1,
            },
            ty => self.client_schema.types.exact(ty).unwrap_or(1).max(1),
        }
    }

    fn fields_of(&self, out: &mut Source, number: u32, fields: &[Field]) -> Result<(), Error> {
        let name = self.of(number);
        if fields.is_empty() {
            out.line(format_args!("pub struct {name} {{}}"));
            return Ok(());
        }
        out.line(format_args!("pub struct {name} {{"));
        let what = format!("the record `{name}`");
        out.indented(|out| self.fields(out, number, &what, "pub ", fields))?;
        out.line("}");
        Ok(())
    }

    /// Fields, a line or more for each.
    fn fields(
        &self,
        out: &mut Source,
        number: u32,
        what: &str,
        before: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        for (field, name) in fields.iter().zip(names::fields(what, fields)?) {
            if !field.doc.is_empty() {
                doc(out, OUTER, &field.doc);
            }
            if let Some(value) = self.default_of(field) {
                let about = about_default(&self.client_schema.types, field);
                doc(out, OUTER, &about.unwrap_or_default());
                let value = match self.field(number, field).starts_with("Box<") {
                    true => format!("Box::new({value})"),
                    false => value,
                };
                out.line(format_args!("#[wire(default = {value})]"));
            } else if field.default {
                doc(out, OUTER, DEFAULT);
                out.line("#[wire(default)]");
            }
            renamed(out, &name, &field.name);
            let ty = self.field(number, field);
            text::field(out, &format!("{before}{name}"), &ty);
        }
        Ok(())
    }

    pub(super) fn field(&self, number: u32, field: &Field) -> String {
        let ty = self.ty_in(&field.ty, Some(number));
        if field.has_unknown_default() {
            format!("Option<{ty}>")
        } else {
            ty
        }
    }

    /// Values without names, in one line or a line for each.
    fn tuple(&self, out: &mut Source, before: &str, each: &str, types: &[String], behind: &str) {
        let all: Vec<String> = types.iter().map(|ty| format!("{each}{ty}")).collect();
        let line = format!("{before}({}){behind}", all.join(", "));
        if out.column() + width(&line) <= WIDTH && is_short_tuple(&all) {
            out.line(line);
            return;
        }
        out.line(format_args!("{before}("));
        out.indented(|out| all.iter().for_each(|one| out.line(format_args!("{one},"))));
        out.line(format_args!("){behind}"));
    }

    fn variants(
        &self,
        out: &mut Source,
        number: u32,
        name: &str,
        plain: &str,
        shape: &Enum,
    ) -> Result<(), Error> {
        let names = names::variants(&format!("the enum `{plain}`"), shape)?;
        if names.is_empty() && !shape.open {
            out.line(format_args!("pub enum {name} {{}}"));
            return Ok(());
        }
        // Where one variant takes several lines, with what is said of it, and another doesn't, all with fields do.
        let mut short = Vec::new();
        let (mut any_long, mut any_short) = (shape.open, false);
        for (variant, called) in shape.variants.iter().zip(&names) {
            let line = match &variant.fields {
                Some(fields) => self.short(number, called, variant, fields)?,
                None => {
                    let types = variant.tuple.iter().flatten();
                    let types: Vec<_> = types.map(|ty| self.ty_in(ty, Some(number))).collect();
                    is_short_tuple(&types).then(String::new)
                }
            };
            let is_said = !variant.doc.is_empty() || *called != *variant.name;
            any_long |= is_said || line.is_none();
            any_short |= !is_said && line.is_some();
            short.push(line.filter(|_| variant.fields.is_some()));
        }
        let is_mixed = any_long && any_short;
        out.line(format_args!("pub enum {name} {{"));
        out.indented(|out| {
            for ((variant, called), short) in shape.variants.iter().zip(&names).zip(&short) {
                if !variant.doc.is_empty() {
                    doc(out, OUTER, &variant.doc);
                }
                renamed(out, called, &variant.name);
                if let (Some(line), false) = (short, is_mixed) {
                    out.line(format_args!("{line},"));
                    continue;
                }
                match (&variant.fields, &variant.tuple) {
                    (Some(fields), _) if fields.is_empty() => {
                        out.line(format_args!("{called} {{}},"));
                    }
                    (Some(fields), _) => {
                        out.line(format_args!("{called} {{"));
                        let what = format!("the variant `{plain}.{}`", variant.name);
                        out.indented(|out| self.fields(out, number, &what, "", fields))?;
                        out.line("},");
                    }
                    (None, Some(types)) => {
                        let inside: Vec<String> = types
                            .iter()
                            .map(|ty| self.ty_in(ty, Some(number)))
                            .collect();
                        self.tuple(out, called, "", &inside, ",");
                    }
                    (None, None) => out.line(format_args!("{called},")),
                }
            }
            if shape.open {
                doc(
                    out,
                    OUTER,
                    "A value that this client doesn't know. It's only received.",
                );
                out.line("#[wire(unknown)]");
                out.line(format_args!("{UNKNOWN},"));
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// A variant with fields in one line, if it may be.
    fn short(
        &self,
        number: u32,
        called: &str,
        variant: &Variant,
        fields: &[Field],
    ) -> Result<Option<String>, Error> {
        let what = format!("the variant `{}`", variant.name);
        let names = names::fields(&what, fields)?;
        if fields.is_empty() {
            return Ok(Some(format!("{called} {{}}")));
        }
        let mut inside = Vec::new();
        for (field, name) in fields.iter().zip(&names) {
            if !field.doc.is_empty() || field.default || plain_name(name) != field.name {
                return Ok(None);
            }
            inside.push(format!("{name}: {}", self.field(number, field)));
        }
        let inside = inside.join(", ");
        let is_short = width(&inside) <= VARIANT;
        Ok(is_short.then(|| format!("{called} {{ {inside} }}")))
    }
}

fn is_short_tuple(types: &[String]) -> bool {
    types.len() < 2 || width(&types.join(", ")) <= CALL
}

/// What is said of a field with a default.
const DEFAULT: &str = "`None`: the plugin uses its default.";

fn derive(out: &mut Source, traits: &str) {
    out.line(format_args!("#[derive({traits}, typed::Wire)]"));
}

/// Says what the plugin calls it, if that's something else.
fn renamed(out: &mut Source, name: &str, plain: &str) {
    if plain_name(name) != plain {
        out.line(format_args!("#[wire(rename = {})]", quoted(plain)));
    }
}

fn plain_name(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
