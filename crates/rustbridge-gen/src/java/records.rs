//! The types that users see: records, enums, sealed interfaces.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef, Variant};

use super::names::{KEYWORDS, Names, RECORD, is_plain};
use super::text::{Doc, call, escaped, fits, quoted};
use crate::client_schema::DefaultValue;
use crate::error::Error;
use crate::names::{ABOUT_UNKNOWN, Case, Scope};
use crate::source::Source;

/// What a record's constructor takes at most: numbers of 64 bits count twice, and the object itself once.
const SLOTS: usize = 254;

/// Where a record stands.
#[derive(Clone, Copy)]
enum Place<'n> {
    /// In a file of its own, for everybody.
    Public,
    /// In a file of its own, for the package alone.
    Inside,
    /// In the interface of that name.
    Of(&'n str),
}

/// A component of a record.
pub(super) struct Component {
    pub(super) name: String,
    pub(super) ty: TypeRef,
    /// Whether null stands for a default that only the plugin knows.
    pub(super) default: bool,
    /// The default value, if clients know it.
    pub(super) value: Option<String>,
    /// The sentence about that value.
    pub(super) about_value: String,
    pub(super) doc: String,
}

impl Component {
    /// Whether null means that it's left out, and so can't mean that there's none.
    pub(super) fn is_maybe(&self, names: &Names<'_>) -> bool {
        self.default && names.is_nullable(&self.ty)
    }

    pub(super) fn java(&self, names: &Names<'_>, hidden: &[String]) -> String {
        if self.is_maybe(names) {
            format!("Maybe<{}>", names.boxed(&self.ty, hidden))
        } else if self.default {
            names.boxed(&self.ty, hidden)
        } else {
            names.ty(&self.ty, hidden)
        }
    }

    pub(super) fn more(&self, names: &Names<'_>) -> String {
        let meaning = names.meaning(&self.ty).trim_start_matches("or null");
        let meaning = meaning.trim_start_matches("; ");
        let null = if self.value.is_some() {
            &*self.about_value
        } else if self.default {
            "null for the plugin's default"
        } else if names.is_nullable(&self.ty) {
            "or null"
        } else {
            ""
        };
        match (meaning, null) {
            ("", one) | (one, "") => one.to_owned(),
            (one, other) => format!("{one}; {other}"),
        }
    }

    /// What the constructor does with it, so that it's neither null nor somebody else's.
    fn checked(&self, names: &Names<'_>, record: &str) -> Option<String> {
        let name = &self.name;
        let label = names.label(record, name);
        let nullable = self.default || names.is_nullable(&self.ty);
        if self.is_maybe(names) {
            return None;
        }
        let inside = match &self.ty {
            TypeRef::Option(inside) => inside,
            ty => ty,
        };
        let by = match inside {
            TypeRef::List(item) | TypeRef::Array(item, _)
                if super::types::primitive_array(item).is_none() =>
            {
                if names.is_nullable(item) {
                    "nullableList"
                } else {
                    "list"
                }
            }
            TypeRef::Map(_, value) if names.is_nullable(value) => "nullableMap",
            TypeRef::Map(..) => "map",
            _ if nullable || names.is_primitive(inside) => return None,
            _ => return Some(format!("Objects.requireNonNull({name}, {label});")),
        };
        let frozen = format!("Values.{by}({name}, {label})");
        Some(if nullable {
            format!("{name} = {name} == null ? null : {frozen};")
        } else {
            format!("{name} = {frozen};")
        })
    }
}

/// Returns the place of the first of the parameters at the end that a shorter method leaves out: those with a default value, and options. None if
/// no default value is among them.
pub(super) fn first_left_out(parameters: &[Component]) -> Option<usize> {
    let may_be_left_out =
        |one: &Component| one.value.is_some() || matches!(one.ty, TypeRef::Option(_));
    let last_needed = parameters.iter().rposition(|one| !may_be_left_out(one));
    let first = last_needed.map_or(0, |place| place + 1);
    let mut left_out = parameters[first..].iter();
    left_out.any(|one| one.value.is_some()).then_some(first)
}

/// The components of a type with a name that is no enum.
pub(super) fn components(
    names: &Names<'_>,
    record: &str,
    shape: &Shape,
) -> Result<Vec<Component>, Error> {
    match shape {
        Shape::Record(fields) | Shape::Pod(fields) => of_fields(names, record, fields, false),
        Shape::Newtype(inside) => of_fields(
            names,
            record,
            &numbered(std::slice::from_ref(inside)),
            false,
        ),
        Shape::Tuple(types) => of_fields(names, record, &numbered(types), false),
        Shape::Enum(_) => Ok(Vec::new()),
    }
}

/// The components of a variant.
pub(super) fn of_variant(
    names: &Names<'_>,
    record: &str,
    variant: &Variant,
) -> Result<Vec<Component>, Error> {
    match (&variant.tuple, &variant.fields) {
        (Some(types), _) => of_fields(names, record, &numbered(types), true),
        (None, Some(fields)) => of_fields(names, record, fields, true),
        (None, None) => Ok(Vec::new()),
    }
}

fn about(names: &Names<'_>, field: &Field) -> String {
    let types = &names.client_schema.types;
    let value = DefaultValue::of(types, field);
    value.map_or_else(String::new, |value| {
        let shown = escaped(&value.shown(types));
        format!("the default value is {shown}")
    })
}

fn numbered(types: &[TypeRef]) -> Vec<Field> {
    let single = types.len() == 1;
    types
        .iter()
        .enumerate()
        .map(|(place, ty)| Field {
            name: if single {
                "value".into()
            } else {
                format!("item{place}").into()
            },
            ty: ty.clone(),
            doc: "".into(),
            default: false,
            default_value: None,
            flatten: false,
        })
        .collect()
}

fn of_fields(
    names: &Names<'_>,
    record: &str,
    fields: &[Field],
    is_nested: bool,
) -> Result<Vec<Component>, Error> {
    let reserved: Vec<&str> = KEYWORDS.iter().chain(RECORD).copied().collect();
    let mut scope = Scope::new(format!("`{record}`"), &reserved);
    let mut components = Vec::new();
    let mut slots = 0;
    for field in fields {
        let name = scope.name(&field.name, Case::Camel)?;
        if names.is_left_out(&field.ty, field.default) {
            continue;
        }
        let component = Component {
            name,
            ty: field.ty.clone(),
            default: field.has_unknown_default(),
            value: names.default_of(field, is_nested),
            about_value: about(names, field),
            doc: field.doc.to_string(),
        };
        slots += match &*component.java(names, &[]) {
            "long" | "double" => 2,
            _ => 1,
        };
        components.push(component);
    }
    if slots > SLOTS {
        return Err(Error::new(format_args!(
            "`{record}` has too many fields for a record in Java, which has room for {SLOTS}, and numbers of 64 bits count twice: put some of them into a record of their own"
        )));
    }
    Ok(components)
}

impl Names<'_> {
    /// Returns how messages name a field, quoted.
    pub(super) fn label(&self, class: &str, field: &str) -> String {
        let is_class = |number| {
            self.types
                .get(&number)
                .is_some_and(|names| names.name == class)
        };
        quoted(&self.client_schema.label(class, field, is_class))
    }

    /// The type of that number, as a file has it.
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
    ) -> Result<(), Error> {
        let name = &self.of(number).name;
        match &definition.shape {
            Shape::Enum(shape) if is_plain(shape) => {
                self.plain_enum(out, number, &definition.doc, shape);
                Ok(())
            }
            Shape::Enum(shape) => self.sealed(out, number, &definition.doc, shape),
            shape => {
                let components = components(self, name, shape)?;
                let doc = Doc::of(&definition.doc, &definition.name);
                let place = match self.client_schema.is_taken_apart(number) {
                    true => Place::Inside,
                    false => Place::Public,
                };
                self.record(out, doc, name, name, &components, place, &[]);
                Ok(())
            }
        }
    }

    fn plain_enum(&self, out: &mut Source, number: u32, prose: &str, shape: &Enum) {
        let names = self.of(number);
        Doc::of(prose, &names.name).write(out);
        out.line(format_args!("public enum {} {{", names.name));
        out.indented(|out| {
            let last = names.variants.len().saturating_sub(1);
            let constants = shape.variants.iter().zip(&names.variants);
            for (place, (variant, constant)) in constants.enumerate() {
                if place > 0 {
                    out.gap();
                }
                Doc::of(&variant.doc, &variant.name).write(out);
                let end = if place == last { "" } else { "," };
                out.line(format_args!("{constant}{end}"));
            }
            if let (true, Some(unknown)) = (shape.open, names.variants.last()) {
                out.gap();
                Doc::of(ABOUT_UNKNOWN, unknown).write(out);
                out.line(unknown);
            }
        });
        out.line("}");
    }

    fn sealed(
        &self,
        out: &mut Source,
        number: u32,
        prose: &str,
        shape: &Enum,
    ) -> Result<(), Error> {
        let names = self.of(number);
        Doc::of(prose, &names.name).write(out);
        out.line(format_args!("public sealed interface {} {{", names.name));
        out.indented(|out| {
            for (place, (variant, class)) in shape.variants.iter().zip(&names.variants).enumerate()
            {
                if place > 0 {
                    out.gap();
                }
                let full = format!("{}.{class}", names.name);
                let components = of_variant(self, &full, variant)?;
                let doc = Doc::of(&variant.doc, &variant.name);
                let hidden = &names.variants;
                let place = Place::Of(&names.name);
                self.record(out, doc, class, &full, &components, place, hidden);
            }
            if let (true, Some(unknown)) = (shape.open, names.variants.last()) {
                out.gap();
                Doc::of(ABOUT_UNKNOWN, unknown).write(out);
                out.line(format_args!(
                    "record {unknown}() implements {} {{}}",
                    names.name
                ));
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// A record. `full` is its name in messages, `hidden` are names that mean something else in it.
    #[allow(
        clippy::too_many_arguments,
        reason = "what a record's text consists of"
    )]
    fn record(
        &self,
        out: &mut Source,
        doc: Doc,
        name: &str,
        full: &str,
        components: &[Component],
        place: Place<'_>,
        hidden: &[String],
    ) {
        let doc = components.iter().fold(doc, |doc, component| {
            doc.param(&component.name, &component.doc, &component.more(self))
        });
        doc.write(out);
        let has_arrays = components
            .iter()
            .any(|component| self.has_arrays(&component.ty));
        let is_array = |component: &Component| component.java(self, hidden).ends_with("[]");
        if components.iter().any(is_array) {
            out.line("@SuppressWarnings(\"ArrayRecordComponent\")");
        }
        let header: Vec<String> = components
            .iter()
            .map(|component| format!("{} {}", component.java(self, hidden), component.name))
            .collect();
        let checks: Vec<String> = components
            .iter()
            .filter_map(|component| component.checked(self, full))
            .collect();
        let (public, implements) = match place {
            Place::Public => ("public ", String::new()),
            Place::Inside => ("", String::new()),
            // Nested ones in an interface are public anyway.
            Place::Of(interface) => ("", format!(" implements {interface}")),
        };
        let shorter = match place {
            Place::Inside => None,
            Place::Public | Place::Of(_) => shorter(self, components, hidden),
        };
        let before = format!("{public}record {name}");
        if checks.is_empty() && !has_arrays && shorter.is_none() {
            call(out, &before, &header, &format!("{implements} {{}}"));
            return;
        }
        call(out, &before, &header, &format!("{implements} {{"));
        out.indented(|out| {
            if !checks.is_empty() {
                out.line("/** Throws if a value is null. */");
                let public = match place {
                    Place::Inside => "",
                    Place::Public | Place::Of(_) => "public ",
                };
                out.line(format_args!("{public}{name} {{"));
                out.indented(|out| checks.iter().for_each(|check| broken(out, check)));
                out.line("}");
            }
            if let Some((parameters, arguments)) = shorter {
                if !checks.is_empty() {
                    out.gap();
                }
                out.line("/** Creates a value with the default values; options are null. */");
                call(out, &format!("public {name}"), &parameters, " {");
                out.indented(|out| call(out, "this", &arguments, ";"));
                out.line("}");
                if has_arrays {
                    out.gap();
                }
            } else if has_arrays && !checks.is_empty() {
                out.gap();
            }
            if has_arrays {
                by_content(out, name, components);
            }
        });
        out.line("}");
    }

    /// The record that tuples of so many values without names are.
    pub(super) fn tuple(&self, out: &mut Source, count: usize, name: &str) {
        let doc = (0..count).fold(
            Doc::of("", name).replaced("Values without names, in their order."),
            |doc, place| doc.param(&format!("item{place}"), "", ""),
        );
        let doc = (0..count).fold(doc, |doc, place| {
            doc.tag(
                format!("@param <T{place}>"),
                format!("the type of {{@code item{place}}}"),
            )
        });
        doc.write(out);
        let generics: Vec<String> = (0..count).map(|place| format!("T{place}")).collect();
        let header: Vec<String> = (0..count)
            .map(|place| format!("T{place} item{place}"))
            .collect();
        if count == 0 {
            out.line(format_args!("public record {name}() {{}}"));
            return;
        }
        let before = format!("public record {name}<{}>", generics.join(", "));
        call(out, &before, &header, " {");
        out.indented(|out| {
            let components: Vec<Component> = (0..count)
                .map(|place| Component {
                    name: format!("item{place}"),
                    ty: TypeRef::Any,
                    default: false,
                    value: None,
                    about_value: String::new(),
                    doc: String::new(),
                })
                .collect();
            let wild = format!("{name}<{}>", vec!["?"; count].join(", "));
            by_content_of(out, name, &wild, &components);
        });
        out.line("}");
    }
}

/// The parameters of a constructor without the components that have a default value or are options, and what it passes to the canonical one. None
/// if no component has a default value.
fn shorter(
    names: &Names<'_>,
    components: &[Component],
    hidden: &[String],
) -> Option<(Vec<String>, Vec<String>)> {
    if components.iter().all(|component| component.value.is_none()) {
        return None;
    }
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    for component in components {
        let is_option = matches!(component.ty, TypeRef::Option(_));
        match &component.value {
            Some(value) => arguments.push(value.clone()),
            None if component.default || is_option => arguments.push("null".to_owned()),
            None => {
                parameters.push(format!(
                    "{} {}",
                    component.java(names, hidden),
                    component.name
                ));
                arguments.push(component.name.clone());
            }
        }
    }
    Some((parameters, arguments))
}

/// What compares and shows arrays by their content.
fn by_content(out: &mut Source, name: &str, components: &[Component]) {
    by_content_of(out, name, name, components);
}

fn by_content_of(out: &mut Source, name: &str, wild: &str, components: &[Component]) {
    let all: Vec<&str> = components
        .iter()
        .map(|component| &*component.name)
        .collect();
    out.line("private Object[] components() {");
    out.indented(|out| {
        let line = format!("return new Object[] {{{}}};", all.join(", "));
        if fits(out, &line) {
            out.line(line);
        } else {
            out.line("return new Object[] {");
            // Between braces the formatter fills lines.
            out.indented(|out| filled(out, &all));
            out.line("};");
        }
    });
    out.line("}");
    out.gap();
    out.line("@Override");
    out.line("public boolean equals(Object other) {");
    out.indented(|out| {
        broken(
            out,
            &format!("return other instanceof {wild} that && Values.equal(components(), that.components());"),
        );
    });
    out.line("}");
    out.gap();
    out.line("@Override");
    out.line("public int hashCode() {");
    out.indented(|out| out.line("return Values.hash(components());"));
    out.line("}");
    out.gap();
    out.line("@Override");
    out.line("public String toString() {");
    out.indented(|out| {
        let mut inside = vec![quoted(name), "components()".to_owned()];
        inside.extend(all.iter().map(|name| quoted(name)));
        call(out, "return Values.text", &inside, ";");
    });
    out.line("}");
}

fn filled(out: &mut Source, items: &[&str]) {
    let mut line = String::new();
    for (place, item) in items.iter().enumerate() {
        let item = if place + 1 == items.len() {
            (*item).to_owned()
        } else {
            format!("{item},")
        };
        if line.is_empty() {
            line = item;
        } else if fits(out, &format!("{line} {item}")) {
            line = format!("{line} {item}");
        } else {
            out.line(std::mem::replace(&mut line, item));
        }
    }
    out.line(line);
}

/// A statement that may be too long for a line: broken before `&&`, behind `=`, before `?`.
fn broken(out: &mut Source, statement: &str) {
    if fits(out, statement) {
        out.line(statement);
        return;
    }
    let (first, second) = match (statement.split_once(" && "), statement.split_once(" = ")) {
        (Some((first, second)), _) => (first.to_owned(), format!("&& {second}")),
        (None, Some((first, second))) => (format!("{first} ="), second.to_owned()),
        (None, None) => (statement.to_owned(), String::new()),
    };
    out.line(first);
    if !second.is_empty() {
        out.indented(|out| out.indented(|out| out.line(second)));
    }
}
