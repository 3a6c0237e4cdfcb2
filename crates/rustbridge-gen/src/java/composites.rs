//! Codecs of types without a name: lists, arrays, maps, options, tuples.

use rustbridge_description::types::TypeRef;

use super::codec::{Codec, is_checked, read_method, write_method};
use super::text::{call, statement};
use crate::source::Source;

impl Codec<'_, '_> {
    pub(super) fn write_composite(&mut self, out: &mut Source, ty: &TypeRef) {
        let name = self.composites[ty].clone();
        let java = self.names.boxed(ty, &[]);
        let checked = is_checked(ty);
        write_method(out, &name, &java, checked, |out| match ty {
            TypeRef::List(item) => {
                let aligned = self.names.client_schema.types.is_aligned(item);
                let count = if aligned { "alignedCount" } else { "count" };
                out.line(format_args!("out.{count}(value.size());"));
                self.write_items(out, item);
            }
            TypeRef::Array(item, count) => {
                out.line(format_args!("out.length(value.size(), {count}, field);"));
                self.write_items(out, item);
            }
            TypeRef::Map(key, item) => {
                let types = (self.names.boxed(key, &[]), self.names.boxed(item, &[]));
                out.line("out.count(value.size());");
                out.line(format_args!(
                    "for (Map.Entry<{}, {}> pair : value.entrySet()) {{",
                    types.0, types.1
                ));
                out.indented(|out| {
                    let key = self.write(key, "pair.getKey()", "field");
                    let item = self.write(item, "pair.getValue()", "field");
                    for written in key.iter().chain(&item) {
                        statement(out, written);
                    }
                });
                out.line("}");
            }
            TypeRef::Option(item) => match self.write(item, "value", "field") {
                None => out.line("out.bool(value != null);"),
                Some(written) => {
                    out.line("if (out.present(value != null)) {");
                    out.indented(|out| statement(out, &written));
                    out.line("}");
                }
            },
            TypeRef::Tuple(types) => {
                for (place, ty) in types.iter().enumerate() {
                    if let Some(written) = self.write(ty, &format!("value.item{place}()"), "field")
                    {
                        statement(out, &written);
                    }
                }
            }
            _ => {}
        });
    }

    fn write_items(&mut self, out: &mut Source, item: &TypeRef) {
        let java = self.names.boxed(item, &[]);
        out.line(format_args!("for ({java} item : value) {{"));
        out.indented(|out| {
            if let Some(written) = self.write(item, "item", "field") {
                statement(out, &written);
            }
        });
        out.line("}");
    }

    pub(super) fn read_composite(&mut self, out: &mut Source, ty: &TypeRef) {
        let name = self.composites[ty].clone();
        let java = self.names.boxed(ty, &[]);
        let least = |ty: &TypeRef| self.names.client_schema.types.least(ty);
        match ty {
            TypeRef::List(item) => {
                let least = least(item);
                let aligned = self.names.client_schema.types.is_aligned(item);
                let count = if aligned { "alignedCount" } else { "count" };
                read_method(out, &name, &java, |out| {
                    let count = format!("in.{count}({least})");
                    self.read_items(out, item, &count);
                });
            }
            TypeRef::Array(item, count) => {
                let least = least(item);
                read_method(out, &name, &java, |out| {
                    out.line(format_args!("in.need({count}, {least});"));
                    self.read_items(out, item, &count.to_string());
                });
            }
            TypeRef::Map(key, item) => {
                let least = least(key) + least(item);
                let types = (self.names.ty(key, &[]), self.names.is_nullable(item));
                read_method(out, &name, &java, |out| {
                    out.line(format_args!("int count = in.count({least});"));
                    out.line(format_args!("{java} pairs = in.map(count);"));
                    out.line("for (int i = 0; i < count; i++) {");
                    out.indented(|out| {
                        let (key, item) = (self.read(key), self.read(item));
                        out.line(format_args!("{} key = {key};", types.0));
                        out.line(format_args!("pairs.put(key, {item});"));
                    });
                    out.line("}");
                    out.line(format_args!("return in.filled(pairs, count, {});", types.1));
                });
            }
            TypeRef::Option(item) => {
                let read = self.read(item);
                read_method(out, &name, &java, |out| {
                    out.line(format_args!("return in.bool() ? {read} : null;"));
                });
            }
            TypeRef::Tuple(types) => {
                let values: Vec<String> = types.iter().map(|ty| self.read(ty)).collect();
                let class = &self.names.tuples[&types.len()];
                let generic = if types.is_empty() { "" } else { "<>" };
                read_method(out, &name, &java, |out| {
                    call(out, &format!("return new {class}{generic}"), &values, ";");
                });
            }
            _ => {}
        }
    }

    fn read_items(&mut self, out: &mut Source, item: &TypeRef, count: &str) {
        let read = self.read(item);
        out.line(format_args!("Object[] items = new Object[{count}];"));
        out.line("for (int i = 0; i < items.length; i++) {");
        out.indented(|out| out.line(format_args!("items[i] = {read};")));
        out.line("}");
        let made = if self.names.is_nullable(item) {
            "listOfNullable"
        } else {
            "listOf"
        };
        out.line(format_args!("return Values.{made}(items);"));
    }
}
