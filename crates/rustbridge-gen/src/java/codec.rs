//! The class that writes and reads a plugin's types: a method each way for every type, so that none is too long for the JIT.

use std::collections::{HashMap, HashSet};

use rustbridge_description::types::{Enum, Shape, TypeRef};

use super::names::{Names, is_plain};
use super::records::{Component, components, of_variant};
use super::text::{assign, call, fits, quoted, statement};
use super::types::primitive_array;
use crate::error::Error;
use crate::names::{Case, numbered};
use crate::source::Source;

/// Writing and reading, as it's asked for.
pub(super) struct Codec<'n, 'c> {
    pub(super) names: &'n Names<'c>,
    /// What lists, maps, options and tuples are called here.
    pub(super) composites: HashMap<TypeRef, String>,
    /// Those that have no methods yet.
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
        let plain = |what: &str| Some(format!("out.{what}({value})"));
        let checked = |what: &str| Some(format!("out.{what}({value}, {field})"));
        match ty {
            TypeRef::Unit => None,
            TypeRef::Bool => plain("bool"),
            TypeRef::Char => checked("character"),
            TypeRef::U8 => checked("u8"),
            TypeRef::U16 => checked("u16"),
            TypeRef::U32 => checked("u32"),
            TypeRef::U64 | TypeRef::I64 => plain("i64"),
            TypeRef::U128 => checked("u128"),
            TypeRef::I8 => plain("i8"),
            TypeRef::I16 => plain("i16"),
            TypeRef::I32 => plain("i32"),
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
            TypeRef::Object(name) => Some(self.write_object(name, value, field)),
            TypeRef::Ref(number) => Some(format!(
                "write{}(out, {value})",
                self.names.of(*number).name
            )),
            TypeRef::List(item) if primitive_array(item).is_some() => {
                let array = primitive_array(item)?;
                if array.checked {
                    checked(array.call)
                } else {
                    plain(array.call)
                }
            }
            TypeRef::Array(item, count) if primitive_array(item).is_some() => {
                let array = primitive_array(item)?;
                Some(format!("out.{}({value}, {count}, {field})", array.call))
            }
            composite => {
                let name = self.composite(composite);
                Some(if is_checked(composite) {
                    format!("write{name}(out, {value}, {field})")
                } else {
                    format!("write{name}(out, {value})")
                })
            }
        }
    }

    /// The expression that reads a value.
    pub(super) fn read(&mut self, ty: &TypeRef) -> String {
        let call = match ty {
            TypeRef::Unit => return "UnitValue.UNIT".to_owned(),
            TypeRef::Bool => "bool",
            TypeRef::Char => "character",
            TypeRef::U8 => "u8",
            TypeRef::U16 => "u16",
            TypeRef::U32 => "u32",
            TypeRef::U64 | TypeRef::I64 => "i64",
            TypeRef::U128 => "u128",
            TypeRef::I8 => "i8",
            TypeRef::I16 => "i16",
            TypeRef::I32 => "i32",
            TypeRef::I128 => "i128",
            TypeRef::F32 => "f32",
            TypeRef::F64 => "f64",
            TypeRef::String => "string",
            TypeRef::Decimal => "decimal",
            TypeRef::Bytes => "bytes",
            TypeRef::Timestamp => "timestamp",
            TypeRef::Duration => "duration",
            TypeRef::Uuid => "uuid",
            TypeRef::Any => "any",
            TypeRef::Object(name) => return format!("read{}(in)", self.names.object(name)),
            TypeRef::Ref(number) => return format!("read{}(in)", self.names.of(*number).name),
            TypeRef::List(item) | TypeRef::Array(item, _) => match (primitive_array(item), ty) {
                (Some(array), TypeRef::Array(_, count)) => {
                    return format!("in.{}({count})", array.call);
                }
                (Some(array), _) => array.call,
                (None, _) => return format!("read{}(in)", self.composite(ty)),
            },
            TypeRef::Map(..) | TypeRef::Option(_) | TypeRef::Tuple(_) => {
                return format!("read{}(in)", self.composite(ty));
            }
        };
        format!("in.{call}()")
    }

    /// What stands for the variants of an open enum that aren't known.
    fn unknown(&self, number: u32) -> Option<String> {
        match self.names.shape(number) {
            Shape::Enum(shape) if shape.open => self.names.of(number).variants.last().cloned(),
            _ => None,
        }
    }

    /// What a composite type is called, which gets methods.
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
            simple => Case::Pascal.of(&format!("{simple:?}")),
        }
    }

    /// The methods of all types, and of what they consist of.
    pub(super) fn methods(&mut self, out: &mut Source) -> Result<(), Error> {
        let numbers: Vec<u32> = self.names.types.keys().copied().collect();
        for number in &numbers {
            if let Shape::Enum(shape) = self.names.shape(*number)
                && is_plain(shape)
            {
                let name = &self.names.of(*number).name;
                let constant = constants(name);
                out.line(format_args!(
                    "private static final {name}[] {constant} = {name}.values();"
                ));
            }
        }
        out.gap();
        out.line(format_args!("private {}() {{}}", self.names.codec));
        for number in numbers {
            self.named(out, number)?;
        }
        let client = &self.names.client;
        for (_, class) in &self.names.objects {
            read_method(out, class, class, |out| {
                let inside = [
                    format!("({client}) in.client()"),
                    "(PluginObject) in.object()".to_owned(),
                ];
                call(out, &format!("return new {class}"), &inside, ";");
            });
        }
        self.read_callbacks(out);
        while !self.missing.is_empty() {
            for ty in std::mem::take(&mut self.missing) {
                self.write_composite(out, &ty);
                self.read_composite(out, &ty);
            }
        }
        Ok(())
    }

    fn named(&mut self, out: &mut Source, number: u32) -> Result<(), Error> {
        let name = self.names.of(number).name.clone();
        let deep = self.names.is_deep(number);
        let shape = self.names.shape(number).clone();
        if let Shape::Enum(shape) = &shape {
            if is_plain(shape) {
                let count = shape.variants.len();
                let constant = constants(&name);
                write_method(out, &name, &name, false, |out| {
                    if let Some(unknown) = self.unknown(number) {
                        out.line(format_args!("if (value == {name}.{unknown}) {{"));
                        out.indented(|out| refuse_unknown(out, &name));
                        out.line("}");
                    }
                    out.line("out.variant(value.ordinal());");
                });
                let read = variant_read(shape);
                read_method(out, &name, &name, |out| {
                    let quoted = quoted(&name);
                    out.line(format_args!(
                        "return {constant}[in.{read}({count}, {quoted})];"
                    ));
                });
                return Ok(());
            }
            return self.data_enum(out, number, shape, &name, deep);
        }
        let components = components(self.names, &name, &shape)?;
        self.record(out, &name, &name, &components, deep);
        Ok(())
    }

    /// Both methods of what is a record in Java.
    fn record(
        &mut self,
        out: &mut Source,
        name: &str,
        class: &str,
        components: &[Component],
        deep: bool,
    ) {
        write_method(out, name, class, false, |out| {
            entered(out, deep, "out", |out| {
                for component in components {
                    self.write_component(out, class, component);
                }
            });
        });
        read_method(out, name, class, |out| {
            let values: Vec<String> = components
                .iter()
                .map(|component| self.read_component(component))
                .collect();
            if deep {
                out.line("in.enter();");
                let left = format!("{class} value");
                assign(out, &left, &format!("new {class}"), &values, ";");
                out.line("in.leave();");
                out.line("return value;");
            } else {
                call(out, &format!("return new {class}"), &values, ";");
            }
        });
    }

    fn write_component(&mut self, out: &mut Source, class: &str, component: &Component) {
        let value = format!("value.{}()", component.name);
        let field = self.names.label(class, &component.name);
        let inside = if component.is_maybe(self.names) {
            format!("{value}.value()")
        } else {
            value.clone()
        };
        let written = self.write(&component.ty, &inside, &field);
        if component.value.is_some() {
            out.line("out.bool(true);");
        }
        match (component.default, written) {
            (false, None) => {}
            (false, Some(written)) => statement(out, &written),
            (true, None) => out.line(format_args!("out.bool({value} != null);")),
            (true, Some(written)) => {
                out.line(format_args!("if (out.present({value} != null)) {{"));
                out.indented(|out| statement(out, &written));
                out.line("}");
            }
        }
    }

    fn read_component(&mut self, component: &Component) -> String {
        let read = self.read(&component.ty);
        match (&component.value, component.default) {
            (Some(value), _) => format!("in.bool() ? {read} : {value}"),
            (None, false) => read,
            _ if component.is_maybe(self.names) => format!("in.bool() ? Maybe.of({read}) : null"),
            _ => format!("in.bool() ? {read} : null"),
        }
    }

    fn data_enum(
        &mut self,
        out: &mut Source,
        number: u32,
        shape: &Enum,
        name: &str,
        deep: bool,
    ) -> Result<(), Error> {
        let variants = self.names.of(number).variants.clone();
        let mut each = Vec::new();
        for (variant, class) in shape.variants.iter().zip(&variants) {
            let full = format!("{name}.{class}");
            each.push(of_variant(self.names, &full, variant)?);
        }
        let called: Vec<String> = (0..each.len())
            .map(|place| self.variants[&(number, place)].clone())
            .collect();
        write_method(out, name, name, false, |out| {
            out.line(format_args!(
                "Objects.requireNonNull(value, {});",
                quoted(name)
            ));
            entered(out, deep, "out", |out| {
                for (place, (class, components)) in variants.iter().zip(&each).enumerate() {
                    let (binding, first) = if components.is_empty() {
                        ("", "")
                    } else {
                        (" variant", "write")
                    };
                    let otherwise = if place == 0 { "" } else { "} else " };
                    out.line(format_args!(
                        "{otherwise}if (value instanceof {name}.{class}{binding}) {{"
                    ));
                    out.indented(|out| {
                        out.line(format_args!("out.variant({place});"));
                        if !first.is_empty() {
                            let called = &called[place];
                            out.line(format_args!("{first}{called}(out, variant);"));
                        }
                    });
                }
                if let Some(unknown) = self.unknown(number) {
                    out.line(format_args!(
                        "}} else if (value instanceof {name}.{unknown}) {{"
                    ));
                    out.indented(|out| refuse_unknown(out, name));
                }
                out.line("}");
            });
        });
        read_method(out, name, name, |out| {
            if deep {
                out.line("in.enter();");
                out.line(format_args!("{name} value ="));
            } else {
                out.line("return");
            }
            let lines = |out: &mut Source| {
                let count = each.len();
                let unknown = self.unknown(number);
                out.line(format_args!(
                    "switch (in.{}({count}, {})) {{",
                    variant_read(shape),
                    quoted(name)
                ));
                out.indented(|out| {
                    for (place, (class, components)) in variants.iter().zip(&each).enumerate() {
                        let case = if place + 1 == count && unknown.is_none() {
                            "default".to_owned()
                        } else {
                            format!("case {place}")
                        };
                        if components.is_empty() {
                            out.line(format_args!("{case} -> new {name}.{class}();"));
                        } else {
                            out.line(format_args!("{case} -> read{}(in);", called[place]));
                        }
                    }
                    if let Some(unknown) = unknown {
                        out.line(format_args!("default -> new {name}.{unknown}();"));
                    }
                });
                out.line("};");
            };
            out.indented(|out| out.indented(lines));
            if deep {
                out.line("in.leave();");
                out.line("return value;");
            }
        });
        for ((class, components), called) in variants.iter().zip(&each).zip(&called) {
            if !components.is_empty() {
                let full = format!("{name}.{class}");
                self.record(out, called, &full, components, false);
            }
        }
        Ok(())
    }
}

/// Where the constants of an enum are kept. Its own name in capitals may be the enum's: `H264`.
fn constants(name: &str) -> String {
    format!("{}_CONSTANTS", Case::Screaming.of(name))
}

/// What reads which variant of an enum comes: of an open one, also those that there aren't.
fn variant_read(shape: &Enum) -> &'static str {
    if shape.open { "openVariant" } else { "variant" }
}

fn refuse_unknown(out: &mut Source, name: &str) {
    out.line(format_args!(
        "throw WireWriter.unknownVariant({});",
        quoted(name)
    ));
}

/// Whether writing a composite type takes the name of the field: something in it may not fit.
pub(super) fn is_checked(ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Char
        | TypeRef::U8
        | TypeRef::U16
        | TypeRef::U32
        | TypeRef::U128
        | TypeRef::I128
        | TypeRef::String
        | TypeRef::Decimal
        | TypeRef::Duration
        | TypeRef::Any
        | TypeRef::Object(_)
        | TypeRef::Array(..) => true,
        TypeRef::List(item) => match primitive_array(item) {
            Some(array) => array.checked,
            None => is_checked(item),
        },
        TypeRef::Option(item) => is_checked(item),
        TypeRef::Map(key, value) => is_checked(key) || is_checked(value),
        TypeRef::Tuple(types) => types.iter().any(is_checked),
        _ => false,
    }
}

pub(super) fn write_method(
    out: &mut Source,
    name: &str,
    java: &str,
    checked: bool,
    body: impl FnOnce(&mut Source),
) {
    let mut parameters = vec!["WireWriter out".to_owned(), format!("{java} value")];
    if checked {
        parameters.push("String field".to_owned());
    }
    let before = format!("static void write{name}");
    let mut inside = Source::new("  ");
    inside.indented(|inside| inside.indented(|inside| body(inside)));
    let inside = inside.finish();
    out.gap();
    if inside.is_empty() {
        call(out, &before, &parameters, " {}");
        return;
    }
    call(out, &before, &parameters, " {");
    out.raw(&inside);
    out.line("}");
}

pub(super) fn read_method(
    out: &mut Source,
    name: &str,
    java: &str,
    body: impl FnOnce(&mut Source),
) {
    out.gap();
    let parameter = ["WireReader in".to_owned()];
    let head = format!("static {java} read{name}");
    if fits(out, &format!("{head}(")) {
        call(out, &head, &parameter, " {");
    } else {
        out.line(format_args!("static {java}"));
        out.line(format_args!("    read{name}(WireReader in) {{"));
    }
    out.indented(body);
    out.line("}");
}

/// What counts as one more value in others, if it may.
fn entered(out: &mut Source, deep: bool, by: &str, body: impl FnOnce(&mut Source)) {
    if deep {
        out.line(format_args!("{by}.enter();"));
    }
    body(out);
    if deep {
        out.line(format_args!("{by}.leave();"));
    }
}
