//! Codecs of types without a name: lists, arrays, maps, options, tuples.

use rustbridge_description::types::TypeRef;

use super::codec::{Codec, is_checked, read_function, statement, write_parameters};
use super::text::fits;
use crate::source::Source;

/// What Kotlin's own tuples call their values.
const PLACES: &[&str] = &["first", "second", "third"];

impl Codec<'_, '_> {
    pub(super) fn write_composite(&mut self, out: &mut Source, ty: &TypeRef) {
        let name = self.composites[ty].clone();
        let kotlin = self.names.ty(ty, &[]);
        let checked = is_checked(ty);
        write_parameters(out, &name, &kotlin, false, checked, |out| match ty {
            TypeRef::List(item) => {
                let aligned = self.names.client_schema.types.is_aligned(item);
                let count = if aligned { "alignedCount" } else { "count" };
                out.line(format_args!("output.{count}(value.size)"));
                self.write_items(out, item);
            }
            TypeRef::Array(item, count) => {
                out.line(format_args!("output.length(value.size, {count}, field)"));
                self.write_items(out, item);
            }
            TypeRef::Map(key, item) => {
                out.line("output.count(value.size)");
                out.line("for ((key, item) in value) {");
                out.indented(|out| {
                    let key = self.write(key, "key", "field");
                    let item = self.write(item, "item", "field");
                    for written in key.iter().chain(&item) {
                        statement(out, written);
                    }
                });
                out.line("}");
            }
            TypeRef::Option(item) => {
                out.line("output.bool(value != null)");
                if let Some(written) = self.write(item, "value", "field") {
                    out.line("if (value != null) {");
                    out.indented(|out| statement(out, &written));
                    out.line("}");
                }
            }
            TypeRef::Tuple(types) => {
                for (place, ty) in types.iter().enumerate() {
                    let of = match types.len() {
                        2 | 3 => format!("value.{}", PLACES[place]),
                        _ => format!("value.item{place}"),
                    };
                    if let Some(written) = self.write(ty, &of, "field") {
                        statement(out, &written);
                    }
                }
            }
            _ => {}
        });
    }

    fn write_items(&mut self, out: &mut Source, item: &TypeRef) {
        out.line("for (item in value) {");
        out.indented(|out| {
            if let Some(written) = self.write(item, "item", "field") {
                statement(out, &written);
            }
        });
        out.line("}");
    }

    pub(super) fn read_composite(&mut self, out: &mut Source, ty: &TypeRef) {
        let name = self.composites[ty].clone();
        let kotlin = self.names.ty(ty, &[]);
        let least = |ty: &TypeRef| self.names.client_schema.types.least(ty);
        let head = format!("fun read{name}(input: WireReader): {kotlin}");
        match ty {
            TypeRef::List(item) => {
                let least = least(item);
                let aligned = self.names.client_schema.types.is_aligned(item);
                let count = if aligned { "alignedCount" } else { "count" };
                block(out, &head, |out| {
                    self.read_items(out, item, &format!("input.{count}({least})"));
                });
            }
            TypeRef::Array(item, count) => {
                let least = least(item);
                block(out, &head, |out| {
                    out.line(format_args!("input.need({count}, {least})"));
                    self.read_items(out, item, &count.to_string());
                });
            }
            TypeRef::Map(key, item) => {
                let least = least(key) + least(item);
                let types = (self.names.ty(key, &[]), self.names.ty(item, &[]));
                let nulls = self.names.is_nullable(item);
                block(out, &head, |out| {
                    out.line(format_args!("val count = input.count({least})"));
                    let made = format!("input.map<{}, {}>(count)", types.0, types.1);
                    let line = format!("val pairs = {made}");
                    if fits(out, &line) {
                        out.line(line);
                    } else {
                        out.line("val pairs =");
                        out.indented(|out| out.line(made));
                    }
                    out.line("repeat(count) {");
                    out.indented(|out| {
                        let (key, item) = (self.read(key), self.read(item));
                        out.line(format_args!("val key = {key}"));
                        out.line(format_args!("pairs[key] = {item}"));
                    });
                    out.line("}");
                    out.line(format_args!("return input.filled(pairs, count, {nulls})"));
                });
            }
            TypeRef::Option(item) => {
                let read = format!("if (input.bool()) {} else null", self.read(item));
                let line = format!("{head} = {read}");
                if fits(out, &line) {
                    out.line(line);
                } else {
                    out.line(format_args!("{head} ="));
                    out.indented(|out| out.line(read));
                }
            }
            TypeRef::Tuple(types) => {
                let values: Vec<String> = types.iter().map(|ty| self.read(ty)).collect();
                let class = self
                    .names
                    .tuple_of(types.len())
                    .unwrap_or("Unit")
                    .to_owned();
                read_function(out, &name, &kotlin, &class, &values);
            }
            _ => {}
        }
    }

    fn read_items(&mut self, out: &mut Source, item: &TypeRef, count: &str) {
        let read = self.read(item);
        out.line(format_args!("val items = arrayOfNulls<Any>({count})"));
        let line = format!("for (i in items.indices) items[i] = {read}");
        if fits(out, &line) {
            out.line(line);
        } else {
            out.line("for (i in items.indices) {");
            out.indented(|out| out.line(format_args!("items[i] = {read}")));
            out.line("}");
        }
        let made = if self.names.is_nullable(item) {
            "listOfNullable"
        } else {
            "listOf"
        };
        out.line(format_args!("return Values.{made}(items)"));
    }
}

/// A function with a body. One whose head is too long is broken before its parameter.
fn block(out: &mut Source, head: &str, body: impl FnOnce(&mut Source)) {
    let line = format!("{head} {{");
    match head.split_once("(input: WireReader)") {
        Some((before, behind)) if !fits(out, &line) => {
            out.line(format_args!("{before}("));
            out.indented(|out| out.line("input: WireReader"));
            out.line(format_args!("){behind} {{"));
        }
        _ => out.line(line),
    }
    out.indented(body);
    out.line("}");
}
