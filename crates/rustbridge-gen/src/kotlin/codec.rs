//! The object that writes and reads a plugin's types: a function each way for every type, so that none is too long for the JIT.

use std::collections::{HashMap, HashSet};

use rustbridge_description::types::{Shape, TypeRef};

use super::names::{Names, is_plain};
use super::records::{Property, properties};
use super::text::{call, function, quoted};
use super::types::primitive_array;
use crate::error::Error;
use crate::names::{Case, numbered};
use crate::source::Source;

/// Writing and reading, as it's asked for.
pub(super) struct Codec<'n, 'c> {
    pub(super) names: &'n Names<'c>,
    /// What lists, maps, options and tuples are called here.
    pub(super) composites: HashMap<TypeRef, String>,
    /// Those that have no functions yet.
    missing: Vec<TypeRef>,
    /// What the variants of enums with data are called here, by the enum's number and the variant's place.
    pub(super) variants: HashMap<(u32, usize), String>,
    taken: HashSet<String>,
}

impl<'n, 'c> Codec<'n, 'c> {
    pub(super) fn new(names: &'n Names<'c>) -> Codec<'n, 'c> {
        let types = names.types.values().map(|ty| ty.name.clone());
        let objects = names.objects.iter().map(|(_, class)| class.clone());
        let callbacks = names.callbacks.iter().map(|it| it.interface.clone());
        let mut taken: HashSet<String> = types.chain(objects).chain(callbacks).collect();
        let mut variants = HashMap::new();
        for (number, ty) in &names.types {
            if let Shape::Enum(shape) = names.shape(*number)
                && !is_plain(shape)
            {
                for (place, variant) in ty.variants.iter().enumerate() {
                    let both = format!("{}{variant}", ty.name);
                    let unique = numbered(&both, |name| taken.contains(name));
                    taken.insert(unique.clone());
                    variants.insert((*number, place), unique);
                }
            }
        }
        Codec {
            names,
            composites: HashMap::new(),
            missing: Vec::new(),
            variants,
            taken,
        }
    }

    /// The expression that writes a value; none if there's nothing to write.
    pub(super) fn write(&mut self, ty: &TypeRef, value: &str, field: &str) -> Option<String> {
        let plain = |what: &str| Some(format!("output.{what}({value})"));
        let checked = |what: &str| Some(format!("output.{what}({value}, {field})"));
        match ty {
            TypeRef::Unit => None,
            TypeRef::Bool => plain("bool"),
            TypeRef::Char => checked("character"),
            TypeRef::U8 => Some(format!("output.i8({value}.toByte())")),
            TypeRef::U16 => Some(format!("output.i16({value}.toShort())")),
            TypeRef::U32 => Some(format!("output.i32({value}.toInt())")),
            TypeRef::U64 => Some(format!("output.i64({value}.toLong())")),
            TypeRef::U128 => checked("u128"),
            TypeRef::I8 => plain("i8"),
            TypeRef::I16 => plain("i16"),
            TypeRef::I32 => plain("i32"),
            TypeRef::I64 => plain("i64"),
            TypeRef::I128 => checked("i128"),
            TypeRef::F32 => plain("f32"),
            TypeRef::F64 => plain("f64"),
            TypeRef::String => checked("string"),
            TypeRef::Decimal => checked("decimal"),
            TypeRef::Bytes => plain("bytes"),
            TypeRef::Timestamp => plain("timestamp"),
            TypeRef::Duration => checked("duration"),
            TypeRef::Uuid => plain("uuid"),
            TypeRef::Any => checked("any"),
            TypeRef::Object(name) if self.names.callback(name).is_some() => Some(format!(
                "output.callback({value}, {}, {field})",
                quoted(name)
            )),
            TypeRef::Object(_) => checked("`object`"),
            TypeRef::Ref(number) => Some(format!(
                "write{}(output, {value})",
                self.names.of(*number).name
            )),
            TypeRef::List(item) | TypeRef::Array(item, _) if primitive_array(item).is_some() => {
                let array = primitive_array(item)?;
                let bits = match array.signed {
                    Some(signed) => format!("{value}.as{signed}()"),
                    None => value.to_owned(),
                };
                Some(match ty {
                    TypeRef::Array(_, count) => {
                        format!("output.{}({bits}, {count}, {field})", array.call)
                    }
                    _ if array.checked => format!("output.{}({bits}, {field})", array.call),
                    _ => format!("output.{}({bits})", array.call),
                })
            }
            TypeRef::Tuple(types) if types.is_empty() => None,
            composite => {
                let name = self.composite(composite);
                Some(if is_checked(composite) {
                    format!("write{name}(output, {value}, {field})")
                } else {
                    format!("write{name}(output, {value})")
                })
            }
        }
    }

    /// The expression that reads a value.
    pub(super) fn read(&mut self, ty: &TypeRef) -> String {
        let call = match ty {
            TypeRef::Unit => return "Unit".to_owned(),
            TypeRef::Tuple(types) if types.is_empty() => return "Unit".to_owned(),
            TypeRef::Bool => "bool()",
            TypeRef::Char => "character()",
            TypeRef::U8 => "i8().toUByte()",
            TypeRef::U16 => "i16().toUShort()",
            TypeRef::U32 => "i32().toUInt()",
            TypeRef::U64 => "i64().toULong()",
            TypeRef::U128 => "u128()",
            TypeRef::I8 => "i8()",
            TypeRef::I16 => "i16()",
            TypeRef::I32 => "i32()",
            TypeRef::I64 => "i64()",
            TypeRef::I128 => "i128()",
            TypeRef::F32 => "f32()",
            TypeRef::F64 => "f64()",
            TypeRef::String => "string()",
            TypeRef::Decimal => "decimal()",
            TypeRef::Bytes => "bytes()",
            TypeRef::Timestamp => "timestamp()",
            TypeRef::Duration => "duration()",
            TypeRef::Uuid => "uuid()",
            TypeRef::Any => "any()",
            TypeRef::Object(name) => return format!("read{}(input)", self.names.object(name)),
            TypeRef::Ref(number) => return format!("read{}(input)", self.names.of(*number).name),
            TypeRef::List(item) | TypeRef::Array(item, _) => {
                let Some(array) = primitive_array(item) else {
                    return format!("read{}(input)", self.composite(ty));
                };
                let count = match ty {
                    TypeRef::Array(_, count) => count.to_string(),
                    _ => String::new(),
                };
                let bits = match array.signed {
                    Some(_) => format!(".as{}()", array.kotlin),
                    None => String::new(),
                };
                return format!("input.{}({count}){bits}", array.call);
            }
            TypeRef::Map(..) | TypeRef::Option(_) | TypeRef::Tuple(_) => {
                return format!("read{}(input)", self.composite(ty));
            }
        };
        format!("input.{call}")
    }

    /// What a composite type is called, which gets functions.
    fn composite(&mut self, ty: &TypeRef) -> String {
        if let Some(known) = self.composites.get(ty) {
            return known.clone();
        }
        let name = numbered(&self.spelled(ty), |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        self.composites.insert(ty.clone(), name.clone());
        self.missing.push(ty.clone());
        name
    }

    fn spelled(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::List(item) => format!("ListOf{}", self.spelled(item)),
            TypeRef::Array(item, count) => format!("ArrayOf{count}{}", self.spelled(item)),
            TypeRef::Map(key, value) => {
                format!("MapOf{}To{}", self.spelled(key), self.spelled(value))
            }
            TypeRef::Option(item) => format!("OptionOf{}", self.spelled(item)),
            TypeRef::Tuple(types) => {
                let types: Vec<String> = types.iter().map(|ty| self.spelled(ty)).collect();
                format!("TupleOf{}", types.join("And"))
            }
            TypeRef::Ref(number) => self.names.of(*number).name.clone(),
            TypeRef::Object(name) => self.names.object(name).to_owned(),
            simple => Case::Pascal.of(&format!("{simple:?}")),
        }
    }

    /// The functions of all types, and of what they consist of.
    pub(super) fn functions(&mut self, out: &mut Source) -> Result<(), Error> {
        let numbers: Vec<u32> = self.names.types.keys().copied().collect();
        let mut first = true;
        let mut separated = |out: &mut Source| {
            if !std::mem::take(&mut first) {
                out.gap();
            }
        };
        for number in numbers {
            separated(out);
            self.named(out, number)?;
        }
        let client = &self.names.client;
        for (_, class) in &self.names.objects {
            separated(out);
            let inside = [
                format!("input.client() as {client}"),
                "input.`object`() as PluginObject".to_owned(),
            ];
            read_function(out, class, class, class, &inside);
        }
        for callback in &self.names.callbacks {
            separated(out);
            let (name, interface) = (quoted(&callback.callback.name), &callback.interface);
            if callback.class.is_none() {
                // Records with it have a function for reading, too.
                function(
                    out,
                    &format!("fun read{interface}"),
                    &["@Suppress(\"UNUSED_PARAMETER\") input: WireReader".to_owned()],
                    &format!(": {interface}"),
                    "throw WireReader.isOnlySent",
                    &[name],
                );
                continue;
            }
            out.line(format_args!(
                "fun read{interface}(input: WireReader): {interface} {{"
            ));
            out.indented(|out| {
                out.line(format_args!("val client = input.client() as {client}"));
                let before = format!("return client.{}.received", callback.kept());
                let inside = ["input.`object`() as PluginObject".to_owned()];
                call(out, &before, &inside, "");
            });
            out.line("}");
        }
        while !self.missing.is_empty() {
            for ty in std::mem::take(&mut self.missing) {
                separated(out);
                self.write_composite(out, &ty);
                out.gap();
                self.read_composite(out, &ty);
            }
        }
        Ok(())
    }

    fn named(&mut self, out: &mut Source, number: u32) -> Result<(), Error> {
        let names = self.names.of(number);
        let name = &*names.name;
        let deep = self.names.is_deep(number);
        let shape = self.names.shape(number);
        match shape {
            Shape::Enum(shape) if is_plain(shape) => {
                self.plain_enum(out, number, shape);
                Ok(())
            }
            Shape::Enum(shape) => self.data_enum(out, number, shape, deep),
            shape => {
                let properties = properties(self.names, name, shape)?;
                self.class(out, name, name, &properties, deep);
                Ok(())
            }
        }
    }

    /// Both functions of a class of values.
    pub(super) fn class(
        &mut self,
        out: &mut Source,
        name: &str,
        class: &str,
        properties: &[Property],
        deep: bool,
    ) {
        write_function(out, name, class, properties.is_empty(), |out| {
            entered(out, deep, "output", |out| {
                for property in properties {
                    self.write_property(out, class, property);
                }
            });
        });
        out.gap();
        let values: Vec<String> = properties
            .iter()
            .map(|property| self.read_property(property))
            .collect();
        if !deep {
            if properties.is_empty() {
                let unused = "@Suppress(\"UNUSED_PARAMETER\") input: WireReader";
                out.line(format_args!("fun read{name}({unused}): {class} = {class}"));
            } else {
                read_function(out, name, class, class, &values);
            }
            return;
        }
        out.line(format_args!(
            "fun read{name}(input: WireReader): {class} {{"
        ));
        out.indented(|out| {
            out.line("input.enter()");
            if values.is_empty() {
                out.line(format_args!("val value = {class}"));
            } else {
                super::text::assign(out, "val value", class, &values);
            }
            out.line("input.leave()");
            out.line("return value");
        });
        out.line("}");
    }

    fn write_property(&mut self, out: &mut Source, class: &str, property: &Property) {
        let value = format!("value.{}", property.name);
        let field = self.names.label(class, &property.name);
        let inside = if property.is_maybe(self.names) {
            format!("{value}.value")
        } else {
            value.clone()
        };
        let written = self.write(&property.ty, &inside, &field);
        if property.value.is_some() {
            out.line("output.bool(true)");
        }
        if property.default {
            out.line(format_args!("output.bool({value} != null)"));
            if let Some(written) = written {
                out.line(format_args!("if ({value} != null) {{"));
                out.indented(|out| statement(out, &written));
                out.line("}");
            }
        } else if let Some(written) = written {
            statement(out, &written);
        }
    }

    fn read_property(&mut self, property: &Property) -> String {
        let read = self.read(&property.ty);
        if let Some(value) = &property.value {
            format!("if (input.bool()) {read} else {value}")
        } else if property.is_maybe(self.names) {
            format!("if (input.bool()) Maybe.of({read}) else null")
        } else if property.default {
            format!("if (input.bool()) {read} else null")
        } else {
            read
        }
    }
}

/// Whether writing a composite type takes the name of the field: something in it may not fit.
pub(super) fn is_checked(ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Char
        | TypeRef::U128
        | TypeRef::I128
        | TypeRef::String
        | TypeRef::Decimal
        | TypeRef::Duration
        | TypeRef::Any
        | TypeRef::Object(_)
        | TypeRef::Array(..) => true,
        TypeRef::List(item) | TypeRef::Option(item) => is_checked(item),
        TypeRef::Map(key, value) => is_checked(key) || is_checked(value),
        TypeRef::Tuple(types) => types.iter().any(is_checked),
        _ => false,
    }
}

pub(super) fn write_function(
    out: &mut Source,
    name: &str,
    kotlin: &str,
    unused: bool,
    body: impl FnOnce(&mut Source),
) {
    write_parameters(out, name, kotlin, unused, false, body);
}

/// One that takes the field's name, if what it writes may not fit.
pub(super) fn write_parameters(
    out: &mut Source,
    name: &str,
    kotlin: &str,
    unused: bool,
    checked: bool,
    body: impl FnOnce(&mut Source),
) {
    let unused = if unused {
        "@Suppress(\"UNUSED_PARAMETER\") "
    } else {
        ""
    };
    let mut parameters = vec![
        format!("{unused}output: WireWriter"),
        format!("{unused}value: {kotlin}"),
    ];
    if checked {
        parameters.push("field: String".to_owned());
    }
    let before = format!("fun write{name}");
    let mut inside = Source::new(super::text::INDENT);
    inside.indented(|inside| inside.indented(|inside| body(inside)));
    let inside = inside.finish();
    if inside.is_empty() {
        call(out, &before, &parameters, " {}");
        return;
    }
    call(out, &before, &parameters, " {");
    out.raw(&inside);
    out.line("}");
}

/// A function that reads what a call makes.
pub(super) fn read_function(
    out: &mut Source,
    name: &str,
    kotlin: &str,
    made: &str,
    values: &[String],
) {
    function(
        out,
        &format!("fun read{name}"),
        &["input: WireReader".to_owned()],
        &format!(": {kotlin}"),
        made,
        values,
    );
}

/// What counts as one more value in others, if it may.
pub(super) fn entered(out: &mut Source, deep: bool, by: &str, body: impl FnOnce(&mut Source)) {
    if deep {
        out.line(format_args!("{by}.enter()"));
    }
    body(out);
    if deep {
        out.line(format_args!("{by}.leave()"));
    }
}

/// A call as a statement, in a line or more.
pub(super) fn statement(out: &mut Source, written: &str) {
    match written.split_once('(') {
        Some((before, inside)) => {
            let inside: Vec<String> = inside
                .strip_suffix(')')
                .unwrap_or(inside)
                .split(", ")
                .map(str::to_owned)
                .collect();
            if super::text::fits(out, written) {
                out.line(written);
            } else {
                call(out, before, &inside, "");
            }
        }
        None => out.line(written),
    }
}
