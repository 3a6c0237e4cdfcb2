//! What writes and reads the plugin's types: a function for each that has a name, and for what has none where a function of it is asked for.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use rustbridge_description::types::{Field, Shape, TypeRef};

use super::names::{CallbackNames, Names, fields as names_of, unnamed};
use super::types::converted;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

/// Which way a value goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    Write,
    Read,
}

/// The functions that are there or are asked for.
pub(super) struct Codec<'n, 'c> {
    pub(super) names: &'n Names<'c>,
    asked: RefCell<CodecState>,
}

#[derive(Default)]
struct CodecState {
    known: HashSet<(Way, TypeRef)>,
    next: Vec<(Way, TypeRef)>,
    /// What stands for types without a name in names of functions.
    words: HashMap<String, TypeRef>,
}

impl<'n, 'c> Codec<'n, 'c> {
    pub(super) fn new(names: &'n Names<'c>) -> Codec<'n, 'c> {
        Codec {
            names,
            asked: RefCell::default(),
        }
    }

    /// All functions that have been asked for, and those that these ask for.
    pub(super) fn functions(&self, out: &mut Source) -> Result<(), Error> {
        let mut place = 0;
        loop {
            let next = self.asked.borrow().next.get(place).cloned();
            let Some((way, ty)) = next else {
                return Ok(());
            };
            place += 1;
            out.gap();
            self.function(out, way, &ty)?;
        }
    }

    fn function(&self, out: &mut Source, way: Way, ty: &TypeRef) -> Result<(), Error> {
        let name = self.asked_for(way, ty);
        let of = self.names.ty(ty);
        let deep = match ty {
            TypeRef::Ref(_) => self.names.client_schema.types.exact(ty).is_none(),
            _ => false,
        };
        match way {
            Way::Write => out.line(format_args!("func {name}(w *wire.Writer, v {of}) {{")),
            Way::Read => out.line(format_args!("func {name}(r *wire.Reader) (v {of}) {{")),
        }
        let letter = if way == Way::Write { "w" } else { "r" };
        out.indented(|out| {
            if deep {
                out.line(format_args!("if !{letter}.Enter() {{"));
                let back = if way == Way::Write {
                    "return"
                } else {
                    "return v"
                };
                out.indented(|out| out.line(back));
                out.line("}");
            }
            match way {
                Way::Write => self.written(out, ty)?,
                Way::Read => self.taken(out, ty)?,
            }
            if deep {
                out.line(format_args!("{letter}.Leave()"));
            }
            if way == Way::Read {
                out.line("return v");
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// What writes `v`, in a function of its type's.
    fn written(&self, out: &mut Source, ty: &TypeRef) -> Result<(), Error> {
        match ty {
            TypeRef::Ref(number) => match self.names.shape(*number) {
                Shape::Record(fields) | Shape::Pod(fields) => {
                    self.write_fields(out, &self.names.of(*number).name, fields)
                }
                Shape::Tuple(types) => {
                    self.write_fields(out, &self.names.of(*number).name, &unnamed(types))
                }
                Shape::Newtype(inside) => {
                    self.write(out, inside, &converted(&self.names.ty(inside), "v"));
                    Ok(())
                }
                Shape::Enum(shape) => self.write_enum(out, *number, shape),
            },
            TypeRef::Tuple(types) => {
                for (place, ty) in types.iter().enumerate() {
                    self.write(out, ty, &format!("v.Item{}", place + 1));
                }
                Ok(())
            }
            TypeRef::Object(name) => {
                if let Some(callback) = self.names.callback(name) {
                    self.write_callback(out, callback);
                    return Ok(());
                }
                out.line("if v == nil {");
                out.indented(|out| {
                    out.line("w.Fail(\"nil isn't allowed here\")");
                    out.line("return");
                });
                out.line("}");
                out.line("typed.WriteObject(w, v.object)");
                Ok(())
            }
            ty => {
                self.write(out, ty, "v");
                Ok(())
            }
        }
    }

    /// What reads `v`, in a function of its type's.
    fn taken(&self, out: &mut Source, ty: &TypeRef) -> Result<(), Error> {
        match ty {
            TypeRef::Ref(number) => match self.names.shape(*number) {
                Shape::Record(fields) | Shape::Pod(fields) => {
                    self.read_fields(out, &self.names.of(*number).name, "v", fields)
                }
                Shape::Tuple(types) => {
                    self.read_fields(out, &self.names.of(*number).name, "v", &unnamed(types))
                }
                Shape::Newtype(inside) => {
                    let read = converted(&self.names.of(*number).name, &self.read(inside));
                    out.line(format_args!("v = {read}"));
                    Ok(())
                }
                Shape::Enum(shape) => self.read_enum(out, *number, shape),
            },
            TypeRef::Tuple(types) => {
                for (place, ty) in types.iter().enumerate() {
                    out.line(format_args!("v.Item{} = {}", place + 1, self.read(ty)));
                }
                Ok(())
            }
            TypeRef::Array(item, _) if !self.names.is_in_memory(ty) => {
                let (least, read) = (self.least(item), self.reader(item));
                out.line(format_args!("wire.ReadItems(r, v[:], {least}, {read})"));
                Ok(())
            }
            TypeRef::Object(name) => {
                let (client, class) = (&self.names.client, self.names.object(name));
                let callback = self.names.callback(name);
                out.line(format_args!(
                    "if object, client := typed.ReadObject[*{client}](r); object != nil {{"
                ));
                out.indented(|out| {
                    if let Some(CallbackNames { kept, .. }) = callback {
                        out.line(format_args!(
                            "if host, is := client.{kept}.Host(r, object); is {{"
                        ));
                        out.indented(|out| out.line("return host"));
                        out.line("}");
                    }
                    out.line(format_args!("v = &{class}{{client, object}}"));
                });
                out.line("}");
                Ok(())
            }
            ty => {
                out.line(format_args!("v = {}", self.read(ty)));
                Ok(())
            }
        }
    }

    /// Passes an object of the plugin as itself, and an implementation of the host by an object that is created for the call.
    fn write_callback(&self, out: &mut Source, callback: &CallbackNames<'_>) {
        let CallbackNames { class, kept, .. } = callback;
        let client = &self.names.client;
        out.line(format_args!(
            "if own, is := v.(*{class}); is && own != nil {{"
        ));
        out.indented(|out| out.line("typed.WriteObject(w, own.object)"));
        out.line(format_args!(
            "}} else if client := typed.ClientOf[*{client}](w); client != nil {{"
        ));
        out.indented(|out| out.line(format_args!("client.{kept}.Write(w, v)")));
        out.line("}");
    }

    /// Writes the fields of what `v` is.
    pub(super) fn write_fields(
        &self,
        out: &mut Source,
        of: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        for (field, name) in fields.iter().zip(names_of(of, fields)?) {
            let value = format!("v.{name}");
            match (field.default, self.names.default_of(field)) {
                (true, Some(default)) => self.write_default(out, &field.ty, &value, &default),
                (true, None) => self.write_optional(out, &field.ty, &value),
                (false, _) => self.write(out, &field.ty, &value),
            }
        }
        Ok(())
    }

    /// Writes a field that may be nil for a default value, which is sent in its place.
    fn write_default(&self, out: &mut Source, ty: &TypeRef, value: &str, default: &str) {
        if !self.names.is_nilable(ty) {
            let value = format!("wire.Or({value}, {default})");
            self.write_optional(out, ty, &value);
            return;
        }
        if default != "nil" {
            out.line(format_args!("if {value} == nil {{"));
            out.indented(|out| out.line(format_args!("{value} = {default}")));
            out.line("}");
        }
        out.line("w.Present(true)");
        self.write(out, ty, value);
    }

    /// Reads the fields of what a variable is.
    pub(super) fn read_fields(
        &self,
        out: &mut Source,
        of: &str,
        variable: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        for (field, name) in fields.iter().zip(names_of(of, fields)?) {
            let read = match field.default {
                true => self.read_optional(&field.ty),
                false => self.read(&field.ty),
            };
            let read = match self.names.default_of(field) {
                Some(default) if !self.names.is_nilable(&field.ty) => {
                    format!("wire.Or({read}, {default})")
                }
                _ => read,
            };
            out.line(format_args!("{variable}.{name} = {read}"));
        }
        Ok(())
    }

    /// What writes a value.
    fn write(&self, out: &mut Source, ty: &TypeRef, value: &str) {
        let types = &self.names.client_schema.types;
        if let Some(name) = simple(ty) {
            out.line(format_args!("w.{name}({value})"));
            return;
        }
        match ty {
            TypeRef::Option(item) => self.write_optional(out, item, value),
            TypeRef::List(item) => match (types.is_aligned(item), self.names.is_in_memory(item)) {
                (true, true) => out.line(format_args!("wire.WriteBlock(w, {value})")),
                (false, true) => out.line(format_args!("wire.WritePacked(w, {value})")),
                (is_aligned, false) => {
                    let function = if is_aligned {
                        "WriteAligned"
                    } else {
                        "WriteList"
                    };
                    let item = self.writer(item);
                    out.line(format_args!("wire.{function}(w, {value}, {item})"));
                }
            },
            TypeRef::Map(key, item) => {
                let (key, item) = (self.writer(key), self.writer(item));
                out.line(format_args!("wire.WriteMap(w, {value}, {key}, {item})"));
            }
            ty if self.names.is_in_memory(ty) => {
                out.line(format_args!("wire.WritePlain(w, {value})"));
            }
            TypeRef::Array(item, _) if value.starts_with('v') => {
                out.line(format_args!(
                    "wire.WriteItems(w, {value}[:], {})",
                    self.writer(item)
                ));
            }
            ty => out.line(format_args!(
                "{}(w, {value})",
                self.asked_for(Way::Write, ty)
            )),
        }
    }

    fn write_optional(&self, out: &mut Source, item: &TypeRef, value: &str) {
        if !self.names.is_nilable(item) {
            out.line(format_args!(
                "wire.WriteOption(w, {value}, {})",
                self.writer(item)
            ));
            return;
        }
        out.line(format_args!("if w.Present({value} != nil) {{"));
        out.indented(|out| self.write(out, item, value));
        out.line("}");
    }

    /// What reads a value.
    fn read(&self, ty: &TypeRef) -> String {
        let types = &self.names.client_schema.types;
        if let Some(name) = simple(ty) {
            return format!("r.{name}()");
        }
        match ty {
            TypeRef::Option(item) => self.read_optional(item),
            TypeRef::List(item) => match (types.is_aligned(item), self.names.is_in_memory(item)) {
                (true, true) => format!("wire.ReadBlock[{}](r)", self.names.ty(item)),
                (false, true) => format!("wire.ReadPacked[{}](r)", self.names.ty(item)),
                (is_aligned, false) => {
                    let function = if is_aligned {
                        "ReadAligned"
                    } else {
                        "ReadList"
                    };
                    format!(
                        "wire.{function}(r, {}, {})",
                        self.least(item),
                        self.reader(item)
                    )
                }
            },
            TypeRef::Map(key, item) => {
                let least = types.least(key).saturating_add(types.least(item));
                let (key, item) = (self.reader(key), self.reader(item));
                format!("wire.ReadMap(r, {least}, {key}, {item})")
            }
            ty if self.names.is_in_memory(ty) => {
                format!("wire.ReadPlain[{}](r)", self.names.ty(ty))
            }
            ty => format!("{}(r)", self.asked_for(Way::Read, ty)),
        }
    }

    fn read_optional(&self, item: &TypeRef) -> String {
        let function = match self.names.is_nilable(item) {
            true => "ReadNilable",
            false => "ReadOption",
        };
        format!("wire.{function}(r, {})", self.reader(item))
    }

    /// The function that writes a type.
    pub(super) fn writer(&self, ty: &TypeRef) -> String {
        self.value(Way::Write, ty)
    }

    /// The function that reads a type.
    pub(super) fn reader(&self, ty: &TypeRef) -> String {
        self.value(Way::Read, ty)
    }

    fn value(&self, way: Way, ty: &TypeRef) -> String {
        let (of, verb) = match way {
            Way::Write => ("Writer", "Write"),
            Way::Read => ("Reader", "Read"),
        };
        if let Some(name) = simple(ty) {
            return format!("(*wire.{of}).{name}");
        }
        let plain = |kind: &str, ty: &TypeRef| format!("wire.{verb}{kind}[{}]", self.names.ty(ty));
        match ty {
            TypeRef::List(item) if self.names.is_in_memory(item) => {
                match self.names.client_schema.types.is_aligned(item) {
                    true => plain("Block", item),
                    false => plain("Packed", item),
                }
            }
            ty if self.names.is_in_memory(ty) => plain("Plain", ty),
            ty => self.asked_for(way, ty),
        }
    }

    fn least(&self, ty: &TypeRef) -> u64 {
        self.names.client_schema.types.least(ty)
    }

    /// The name of a function of the package's own, which is there from now on.
    fn asked_for(&self, way: Way, ty: &TypeRef) -> String {
        let mut asked = self.asked.borrow_mut();
        let mut word = self.word(ty);
        // A type may be called as another one is put together.
        while asked.words.get(&word).is_some_and(|known| known != ty) {
            word.push('_');
        }
        asked.words.insert(word.clone(), ty.clone());
        if asked.known.insert((way, ty.clone())) {
            asked.next.push((way, ty.clone()));
        }
        match way {
            Way::Write => format!("write{word}"),
            Way::Read => format!("read{word}"),
        }
    }

    /// A type as a part of a name.
    fn word(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::List(item) => format!("ListOf{}", self.word(item)),
            TypeRef::Array(item, length) => format!("Array{length}Of{}", self.word(item)),
            TypeRef::Map(key, item) => format!("MapOf{}To{}", self.word(key), self.word(item)),
            TypeRef::Option(item) => format!("OptionOf{}", self.word(item)),
            TypeRef::Tuple(types) => {
                let words: Vec<String> = types.iter().map(|ty| self.word(ty)).collect();
                format!("TupleOf{}", words.join("And"))
            }
            TypeRef::Ref(number) => capital(&self.names.of(*number).name),
            TypeRef::Object(name) => match self.names.callback(name) {
                Some(callback) => callback.interface.clone(),
                None => self.names.object(name).to_owned(),
            },
            ty => Case::Pascal.of(simple(ty).unwrap_or_default()),
        }
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.as_str().chars()).collect()
}

/// The method of a writer and of a reader for what has one.
fn simple(ty: &TypeRef) -> Option<&'static str> {
    Some(match ty {
        TypeRef::Unit => "Unit",
        TypeRef::Tuple(types) if types.is_empty() => "Unit",
        TypeRef::Bool => "Bool",
        TypeRef::Char => "Char",
        TypeRef::U8 => "Uint8",
        TypeRef::U16 => "Uint16",
        TypeRef::U32 => "Uint32",
        TypeRef::U64 => "Uint64",
        TypeRef::U128 => "Uint128",
        TypeRef::I8 => "Int8",
        TypeRef::I16 => "Int16",
        TypeRef::I32 => "Int32",
        TypeRef::I64 => "Int64",
        TypeRef::I128 => "Int128",
        TypeRef::F32 => "Float32",
        TypeRef::F64 => "Float64",
        TypeRef::String => "Text",
        TypeRef::Decimal => "Decimal",
        TypeRef::Bytes => "ByteSlice",
        TypeRef::Timestamp => "Time",
        TypeRef::Duration => "Duration",
        TypeRef::Uuid => "UUID",
        TypeRef::Any => "Any",
        _ => return None,
    })
}
