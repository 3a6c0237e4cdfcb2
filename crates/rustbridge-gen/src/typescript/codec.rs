//! What writes and reads the plugin's types: a codec for each that has a name, and for what is made of others.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use rustbridge_description::types::{Enum, Field, Shape, TypeRef};

use super::names::{Names, is_plain, properties};
use super::text::{list, quoted};
use crate::error::Error;
use crate::names::{Case, UNKNOWN};
use crate::source::Source;

/// The codecs that are there or are asked for.
pub(super) struct Codec<'n, 'c> {
    pub(super) names: &'n Names<'c>,
    asked: RefCell<CodecState>,
}

/// A call that makes a codec, and its arguments.
type Made = (&'static str, Vec<String>);

/// How long the name of a constant is at most that says what it is.
const LONGEST: usize = 36;

#[derive(Default)]
struct CodecState {
    /// Types with names, and objects, in the order in which they were asked for.
    named: Vec<TypeRef>,
    known: HashSet<TypeRef>,
    /// Constants of types without a name: each behind those that it's made of.
    made: Vec<(String, Made)>,
    /// How many constants have a number in place of a long name.
    numbered: usize,
    /// What stands for such types in their names.
    words: HashMap<String, TypeRef>,
}

impl<'n, 'c> Codec<'n, 'c> {
    pub(super) fn new(names: &'n Names<'c>) -> Codec<'n, 'c> {
        Codec {
            names,
            asked: RefCell::default(),
        }
    }

    /// All codecs that have been asked for, and those that these ask for.
    pub(super) fn all(&self, out: &mut Source) -> Result<(), Error> {
        let mut place = 0;
        loop {
            let next = self.asked.borrow().named.get(place).cloned();
            let Some(ty) = next else {
                break;
            };
            place += 1;
            out.gap();
            match &ty {
                TypeRef::Ref(number) => self.named(out, *number)?,
                TypeRef::Object(name) => self.object(out, name),
                _ => {}
            }
        }
        let asked = self.asked.borrow();
        if !asked.made.is_empty() {
            out.gap();
        }
        for (name, (function, arguments)) in &asked.made {
            list(
                out,
                &format!("const {name} = wire.{function}("),
                arguments,
                ");",
            );
        }
        Ok(())
    }

    /// The codec of a request or a response, which may be raw.
    pub(super) fn side(&self, ty: &TypeRef, is_raw: bool) -> String {
        match (is_raw, ty) {
            (true, TypeRef::String) => "wire.rawText".to_owned(),
            (true, _) => "wire.rawBlob".to_owned(),
            (false, ty) => self.of(ty),
        }
    }

    /// The codec of a type.
    pub(super) fn of(&self, ty: &TypeRef) -> String {
        if let Some(name) = self.names.simple(ty) {
            return format!("wire.{name}");
        }
        let made = match ty {
            TypeRef::Unit => return "wire.unit".to_owned(),
            TypeRef::Ref(_) | TypeRef::Object(_) => {
                let mut asked = self.asked.borrow_mut();
                if asked.known.insert(ty.clone()) {
                    asked.named.push(ty.clone());
                }
                let name = match ty {
                    TypeRef::Ref(number) => &self.names.of(*number).name,
                    TypeRef::Object(name) => self.names.object(name),
                    _ => "",
                };
                return format!("{}Codec", small(name));
            }
            TypeRef::List(item) => match self.names.numbers(item) {
                Some((_, list)) => return format!("wire.{list}.list"),
                None if self.names.client_schema.types.is_aligned(item) => {
                    ("aligned", vec![self.of(item)])
                }
                None => ("list", vec![self.of(item)]),
            },
            TypeRef::Array(item, count) => match self.names.numbers(item) {
                Some((_, list)) => ("arrayOf", vec![format!("wire.{list}"), count.to_string()]),
                None => ("array", vec![self.of(item), count.to_string()]),
            },
            TypeRef::Map(key, item) => ("map", vec![self.of(key), self.of(item)]),
            TypeRef::Option(item) => (self.names.option(item), vec![self.of(item)]),
            TypeRef::Tuple(types) => ("tuple", types.iter().map(|ty| self.of(ty)).collect()),
            _ => return String::new(),
        };
        self.constant(&self.word(ty), ty, made)
    }

    /// The codec of a field that may be absent for the plugin's default.
    fn optional(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Option(item) => {
                let made = (
                    "optional",
                    vec![format!("wire.nullable({})", self.of(item))],
                );
                self.constant(
                    &format!("defaultOf{}", capital(&self.word(ty))),
                    &TypeRef::Option(Box::new(ty.clone())),
                    made,
                )
            }
            ty => self.of(&TypeRef::Option(Box::new(ty.clone()))),
        }
    }

    /// A constant that is there from now on.
    fn constant(&self, word: &str, ty: &TypeRef, made: Made) -> String {
        let mut asked = self.asked.borrow_mut();
        let known = asked.words.iter().find(|(_, known)| *known == ty);
        if let Some((name, _)) = known {
            return name.clone();
        }
        let mut name = word.to_owned();
        if name.len() > LONGEST {
            asked.numbered += 1;
            name = format!("codec{}", asked.numbered);
        }
        // A type may be called as another one is put together.
        while asked.words.contains_key(&name) {
            name.push('_');
        }
        asked.words.insert(name.clone(), ty.clone());
        asked.made.push((name.clone(), made));
        name
    }

    /// A type as a name.
    fn word(&self, ty: &TypeRef) -> String {
        let word = |ty: &TypeRef| capital(&self.word(ty));
        match ty {
            TypeRef::List(item) => format!("listOf{}", word(item)),
            TypeRef::Array(item, count) => format!("array{count}Of{}", word(item)),
            TypeRef::Map(key, item) => format!("mapOf{}To{}", word(key), word(item)),
            TypeRef::Option(item) => format!("optionOf{}", word(item)),
            TypeRef::Tuple(types) => {
                let words: Vec<String> = types.iter().map(word).collect();
                format!("tupleOf{}", words.join("And"))
            }
            TypeRef::Ref(number) => small(&self.names.of(*number).name),
            TypeRef::Object(name) => small(self.names.object(name)),
            ty => self.names.simple(ty).unwrap_or("unit").to_owned(),
        }
    }

    fn object(&self, out: &mut Source, name: &str) {
        if let Some(names) = self.names.callback(name) {
            self.callback_codec(out, names);
            return;
        }
        let class = self.names.object(name);
        out.line(format_args!(
            r#"const {}Codec: wire.Codec<{class}> = {{
  least: 4,
  write(w, v) {{
    w.check(v);
    wire.writeObject(w, v.untyped);
  }},
  read(r) {{
    const [object, methods] = wire.readObject<Methods>(r);
    return new {class}(object, methods);
  }},
}};"#,
            small(class)
        ));
    }

    fn named(&self, out: &mut Source, number: u32) -> Result<(), Error> {
        let names = self.names.of(number);
        let name = &names.name;
        let constant = format!("{}Codec", small(name));
        if let Shape::Enum(shape) = self.names.shape(number)
            && is_plain(shape)
        {
            let mut all: Vec<String> = shape.variants.iter().map(|it| quoted(&it.name)).collect();
            let unknown = if shape.open {
                format!(", {}", quoted(UNKNOWN))
            } else {
                String::new()
            };
            about(out, name);
            let head = format!("export const {constant} = wire.names<{name}>(");
            let line = format!("[{}]{unknown}", all.join(", "));
            if head.len() + line.len() < 78 {
                out.line(format_args!("{head}{line});"));
            } else if unknown.is_empty() {
                all.iter_mut().for_each(|one| *one = format!("  {one},"));
                out.line(format_args!("{head}[\n{}\n]);", all.join("\n")));
            } else {
                list(
                    out,
                    &head,
                    &[line, quoted(UNKNOWN)].map(|it| it.replace(&unknown, "")),
                    ");",
                );
            }
            return Ok(());
        }
        let types = &self.names.client_schema.types;
        let ty = TypeRef::Ref(number);
        let deep = types.exact(&ty).is_none();
        let export = if self.names.client_schema.is_taken_apart(number) {
            ""
        } else {
            about(out, name);
            "export "
        };
        out.line(format_args!(
            "{export}const {constant}: wire.Codec<{name}> = {{"
        ));
        out.indented(|out| {
            out.line(format_args!("least: {},", types.least(&ty)));
            out.line("write(w, v) {");
            out.indented(|out| {
                if !matches!(
                    self.names.shape(number),
                    Shape::Newtype(_) | Shape::Tuple(_)
                ) {
                    out.line("w.check(v);");
                }
                if deep {
                    out.line("w.enter();");
                }
                self.written(out, number)?;
                if deep {
                    out.line("w.leave();");
                }
                Ok::<(), Error>(())
            })?;
            out.line("},");
            out.line("read(r) {");
            out.indented(|out| {
                if deep {
                    out.line("r.enter();");
                }
                self.taken(out, number)?;
                if deep {
                    out.line("r.leave();");
                    out.line("return v;");
                }
                Ok::<(), Error>(())
            })?;
            out.line("},");
            Ok::<(), Error>(())
        })?;
        out.line("};");
        if let Shape::Enum(shape) = self.names.shape(number) {
            out.gap();
            self.read_enum(out, number, shape)?;
        }
        Ok(())
    }

    /// What writes `v`.
    fn written(&self, out: &mut Source, number: u32) -> Result<(), Error> {
        let name = &self.names.of(number).name;
        match self.names.shape(number) {
            Shape::Record(fields) | Shape::Pod(fields) => self.write_fields(out, name, fields, &[]),
            Shape::Newtype(inside) => {
                self.write(out, inside, "v");
                Ok(())
            }
            Shape::Tuple(types) => {
                self.write(out, &TypeRef::Tuple(types.clone()), "v");
                Ok(())
            }
            Shape::Enum(shape) => {
                let kind = &self.names.kind;
                out.line(format_args!("switch (v.{kind}) {{"));
                out.indented(|out| {
                    for (place, variant) in shape.variants.iter().enumerate() {
                        out.line(format_args!("case {}:", quoted(&variant.name)));
                        out.indented(|out| {
                            out.line(format_args!("w.variant({place});"));
                            match (&variant.tuple, &variant.fields) {
                                (Some(types), _) if types.is_empty() => {}
                                (Some(types), _) => self.write(out, &value_of(types), "v.value"),
                                (None, Some(fields)) => {
                                    self.write_fields(out, &variant.name, fields, &[kind])?
                                }
                                (None, None) => {}
                            }
                            out.line("break;");
                            Ok::<(), Error>(())
                        })?;
                    }
                    if shape.open {
                        out.line(format_args!("case {}:", quoted(UNKNOWN)));
                        out.indented(|out| {
                            out.line("w.variant(wire.UNKNOWN_VARIANT);");
                            out.line("break;");
                        });
                    }
                    out.line("default:");
                    let variants: Vec<String> = shape
                        .variants
                        .iter()
                        .map(|variant| quoted(&variant.name))
                        .collect();
                    let variants = variants.join(", ");
                    out.indented(|out| {
                        out.line(format_args!(
                            "w.noVariant((v as {{ {kind}: unknown }}).{kind}, [{variants}]);"
                        ))
                    });
                    Ok::<(), Error>(())
                })?;
                out.line("}");
                Ok(())
            }
        }
    }

    /// What reads `v`, or gives it back at once where nothing is to be left.
    fn taken(&self, out: &mut Source, number: u32) -> Result<(), Error> {
        let names = self.names.of(number);
        let (name, deep) = (
            &names.name,
            self.names
                .client_schema
                .types
                .exact(&TypeRef::Ref(number))
                .is_none(),
        );
        let begin = match deep {
            true => format!("const v: {name} = "),
            false => "return ".to_owned(),
        };
        match self.names.shape(number) {
            Shape::Record(fields) | Shape::Pod(fields) if fields.is_empty() => {
                out.line(format_args!("{begin}{{}};"))
            }
            Shape::Record(fields) | Shape::Pod(fields) => {
                out.line(format_args!("{begin}{{"));
                out.indented(|out| self.read_fields(out, name, fields, &[]))?;
                out.line("};");
            }
            Shape::Newtype(inside) => out.line(format_args!("{begin}{};", self.read(inside))),
            Shape::Tuple(types) => out.line(format_args!(
                "{begin}{};",
                self.read(&TypeRef::Tuple(types.clone()))
            )),
            Shape::Enum(_) => out.line(format_args!("{begin}read_{name}(r);")),
        }
        Ok(())
    }

    fn read_enum(&self, out: &mut Source, number: u32, shape: &Enum) -> Result<(), Error> {
        let name = &self.names.of(number).name;
        let tag = &self.names.kind;
        let count = shape.variants.len();
        out.line(format_args!(
            "function read_{name}(r: wire.Reader): {name} {{"
        ));
        out.indented(|out| {
            let open = if shape.open { ", true" } else { "" };
            out.line(format_args!("switch (r.variant({count}{open})) {{"));
            out.indented(|out| {
                for (place, variant) in shape.variants.iter().enumerate() {
                    match place + 1 == count && !shape.open {
                        true => out.line("default:"),
                        false => out.line(format_args!("case {place}:")),
                    }
                    let kind = format!("{tag}: {}", quoted(&variant.name));
                    out.indented(|out| match (&variant.tuple, &variant.fields) {
                        (Some(types), _) if !types.is_empty() => {
                            let value = self.read(&value_of(types));
                            object(out, &kind, &format!("value: {value}"));
                            Ok(())
                        }
                        (None, Some(fields)) if !fields.is_empty() => {
                            out.line("return {");
                            out.indented(|out| {
                                out.line(format_args!("{kind},"));
                                self.read_fields(out, &variant.name, fields, &[tag])
                            })?;
                            out.line("};");
                            Ok::<(), Error>(())
                        }
                        _ => {
                            out.line(format_args!("return {{ {kind} }};"));
                            Ok(())
                        }
                    })?;
                }
                if shape.open {
                    out.line("default:");
                    out.indented(|out| {
                        out.line(format_args!("return {{ {tag}: {} }};", quoted(UNKNOWN)))
                    });
                } else if count == 0 {
                    out.line("default:");
                    out.indented(|out| out.line("return r.fail(r.at, \"there are no variants\");"));
                }
                Ok::<(), Error>(())
            })?;
            out.line("}");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    fn write_fields(
        &self,
        out: &mut Source,
        of: &str,
        fields: &[Field],
        taken: &[&str],
    ) -> Result<(), Error> {
        for (field, name) in fields.iter().zip(properties(of, fields, taken)?) {
            let value = format!("v.{name}");
            if !field.default {
                self.write(out, &field.ty, &value);
                continue;
            }
            if let Some(default) = self.names.default_of(field) {
                // It's always sent. Only what is left out has the default value: null doesn't fit the type.
                out.line("w.present(true);");
                let value = format!("{value} === undefined ? {default} : {value}");
                self.write(out, &field.ty, &value);
                continue;
            }
            out.line(format_args!(
                "{}.write(w, {value});",
                self.optional(&field.ty)
            ));
        }
        Ok(())
    }

    fn read_fields(
        &self,
        out: &mut Source,
        of: &str,
        fields: &[Field],
        taken: &[&str],
    ) -> Result<(), Error> {
        for (field, name) in fields.iter().zip(properties(of, fields, taken)?) {
            let read = match field.default {
                true => {
                    let read = format!("{}.read(r)", self.optional(&field.ty));
                    match self.names.default_of(field) {
                        Some(default) => format!("{read} ?? {default}"),
                        None => read,
                    }
                }
                false => self.read(&field.ty),
            };
            out.line(format_args!("{name}: {read},"));
        }
        Ok(())
    }

    fn write(&self, out: &mut Source, ty: &TypeRef, value: &str) {
        match self.names.simple(ty).filter(|name| is_method(name)) {
            None => out.line(format_args!("{}.write(w, {value});", self.of(ty))),
            Some(name) => out.line(format_args!("w.{name}({value});")),
        }
    }

    fn read(&self, ty: &TypeRef) -> String {
        match self.names.simple(ty).filter(|name| is_method(name)) {
            None => format!("{}.read(r)", self.of(ty)),
            Some(name) => format!("r.{name}()"),
        }
    }
}

/// Whether a writer and a reader have a method that is called as the codec is.
fn is_method(codec: &str) -> bool {
    codec != "any" && !codec.contains("As")
}

/// What the values of a variant without names are as one.
pub(super) fn value_of(types: &[TypeRef]) -> TypeRef {
    match types {
        [one] => one.clone(),
        several => TypeRef::Tuple(several.to_vec()),
    }
}

/// An object of two properties that's given back.
fn object(out: &mut Source, one: &str, other: &str) {
    let line = format!("return {{ {one}, {other} }};");
    if out.column() + line.chars().count() <= 80 {
        out.line(line);
        return;
    }
    out.line("return {");
    out.indented(|out| {
        out.line(format_args!("{one},"));
        out.line(format_args!("{other},"));
    });
    out.line("};");
}

fn about(out: &mut Source, name: &str) {
    out.line(format_args!("/** Writes and reads {{@link {name}}}. */"));
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.as_str().chars()).collect()
}

pub(super) fn small(name: &str) -> String {
    Case::Camel.of(name)
}
