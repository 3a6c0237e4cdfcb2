//! The types that users see: data classes, enums, sealed interfaces.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef, Variant};

use super::names::{KEYWORDS, Names, is_plain};
use super::text::{Doc, assign, call, escaped, fits, quoted};
use crate::client_schema::{DefaultValue, first_optional};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

/// What a constructor takes at most: numbers of 64 bits count twice, and the object itself, the mask of what is left out and its marker
/// beside them.
const SLOTS: usize = 240;

/// A property of a class.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) ty: TypeRef,
    /// Whether null stands for a default that only the plugin knows.
    pub(super) default: bool,
    /// The default value, if clients know it.
    pub(super) value: Option<String>,
    /// The sentence about that value.
    about_value: String,
    /// Whether it may be left out where values are made.
    pub(super) optional: bool,
    pub(super) doc: String,
}

impl Property {
    /// Whether null means that it's left out, and so can't mean that there's none.
    pub(super) fn is_maybe(&self, names: &Names<'_>) -> bool {
        self.default && names.is_nullable(&self.ty)
    }

    pub(super) fn kotlin(&self, names: &Names<'_>, hidden: &[String]) -> String {
        let ty = names.ty(&self.ty, hidden);
        if self.is_maybe(names) {
            format!("Maybe<{ty}>?")
        } else if self.default {
            format!("{ty}?")
        } else {
            ty
        }
    }

    /// What it's declared as.
    pub(super) fn declared(&self, names: &Names<'_>, hidden: &[String]) -> String {
        let end = match self.optional {
            true => format!(" = {}", self.absent()),
            false => String::new(),
        };
        format!("{}: {}{end}", self.name, self.kotlin(names, hidden))
    }

    /// Its value if it's left out.
    pub(super) fn absent(&self) -> &str {
        self.value.as_deref().unwrap_or("null")
    }

    pub(super) fn more(&self, names: &Names<'_>) -> String {
        let null = match (&self.value, self.default) {
            (Some(_), _) => &*self.about_value,
            (None, true) => "null for the plugin's default",
            (None, false) => "",
        };
        match (names.meaning(&self.ty), null) {
            ("", one) | (one, "") => one.to_owned(),
            (one, other) => format!("{one}; {other}"),
        }
    }
}

/// The properties of a type with a name that is no enum.
pub(super) fn properties(
    names: &Names<'_>,
    class: &str,
    shape: &Shape,
) -> Result<Vec<Property>, Error> {
    match shape {
        Shape::Record(fields) | Shape::Pod(fields) => of_fields(names, class, fields, false),
        Shape::Newtype(inside) => {
            of_fields(names, class, &numbered(std::slice::from_ref(inside)), false)
        }
        Shape::Tuple(types) => of_fields(names, class, &numbered(types), false),
        Shape::Enum(_) => Ok(Vec::new()),
    }
}

/// The properties of a variant.
pub(super) fn of_variant(
    names: &Names<'_>,
    class: &str,
    variant: &Variant,
) -> Result<Vec<Property>, Error> {
    match (&variant.tuple, &variant.fields) {
        (Some(types), _) => of_fields(names, class, &numbered(types), true),
        (None, Some(fields)) => of_fields(names, class, fields, true),
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
    class: &str,
    fields: &[Field],
    is_nested: bool,
) -> Result<Vec<Property>, Error> {
    let mut scope = Scope::new(format!("`{class}`"), KEYWORDS);
    let first_optional = first_optional(fields);
    let mut properties = Vec::new();
    let mut slots = 0;
    for (place, field) in fields.iter().enumerate() {
        let name = scope.name(&field.name, Case::Camel)?;
        if names.is_left_out(&field.ty, field.default) {
            continue;
        }
        let property = Property {
            name,
            ty: field.ty.clone(),
            default: field.has_unknown_default(),
            value: names.default_of(field, is_nested),
            about_value: about(names, field),
            optional: field.default || place >= first_optional,
            doc: field.doc.to_string(),
        };
        slots += match &*property.kotlin(names, &[]) {
            "Long" | "ULong" | "Double" => 2,
            _ => 1,
        };
        properties.push(property);
    }
    if slots > SLOTS {
        return Err(Error::new(format_args!(
            "`{class}` has too many fields for a class in Kotlin, whose constructor has room for {SLOTS}, and numbers of 64 bits count twice: put some of them into a record of their own"
        )));
    }
    Ok(properties)
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

    /// The type of that number.
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
    ) -> Result<(), Error> {
        let names = self.of(number);
        let name = &names.name;
        match &definition.shape {
            Shape::Enum(shape) if is_plain(shape) => {
                self.plain_enum(out, number, &definition.doc, shape);
                Ok(())
            }
            Shape::Enum(shape) => self.sealed(out, number, &definition.doc, shape),
            shape if self.client_schema.is_taken_apart(number) => {
                let properties = properties(self, name, shape)?;
                let header: Vec<String> = properties
                    .iter()
                    .map(|one| format!("val {}: {}", one.name, one.kotlin(self, &[])))
                    .collect();
                Doc::of(&definition.doc, &definition.name).write(out);
                call(out, &format!("internal class {name}"), &header, "");
                Ok(())
            }
            shape => {
                let properties = properties(self, name, shape)?;
                let doc = Doc::of(&definition.doc, &definition.name);
                let single = matches!(shape, Shape::Newtype(_));
                self.class(out, doc, name, &properties, single, "", &[]);
                Ok(())
            }
        }
    }

    fn plain_enum(&self, out: &mut Source, number: u32, prose: &str, shape: &Enum) {
        let names = self.of(number);
        Doc::of(prose, &names.name).write(out);
        if names.variants.is_empty() && names.unknown.is_none() {
            out.line(format_args!("public enum class {}", names.name));
            return;
        }
        out.line(format_args!("public enum class {} {{", names.name));
        let single = names.variants.len() + usize::from(names.unknown.is_some()) == 1;
        let comma = if single { "" } else { "," };
        out.indented(|out| {
            for (variant, constant) in shape.variants.iter().zip(&names.variants) {
                Doc::of(&variant.doc, &variant.name).write(out);
                out.line(format_args!("{constant}{comma}"));
            }
            if let Some(unknown) = &names.unknown {
                Doc::of("", "").replaced(UNKNOWN).write(out);
                out.line(format_args!("{unknown}{comma}"));
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
        let mut hidden = names.variants.clone();
        hidden.extend(names.unknown.clone());
        out.indented(|out| {
            for (place, (variant, class)) in shape.variants.iter().zip(&names.variants).enumerate()
            {
                if place > 0 {
                    out.gap();
                }
                let full = format!("{}.{class}", names.name);
                let properties = of_variant(self, &full, variant)?;
                let doc = Doc::of(&variant.doc, &variant.name);
                let of = format!(" : {}", names.name);
                self.class(out, doc, class, &properties, false, &of, &hidden);
            }
            if let Some(unknown) = &names.unknown {
                out.gap();
                Doc::of("", "").replaced(UNKNOWN).write(out);
                out.line(format_args!(
                    "public data object {unknown} : {}",
                    names.name
                ));
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// A class of values. `hidden` are names that mean something else in it.
    #[allow(clippy::too_many_arguments, reason = "what a class's text consists of")]
    fn class(
        &self,
        out: &mut Source,
        doc: Doc,
        name: &str,
        properties: &[Property],
        single: bool,
        of: &str,
        hidden: &[String],
    ) {
        let doc = properties.iter().fold(doc, |doc, property| {
            doc.named(
                "property",
                &property.name,
                &property.doc,
                &property.more(self),
            )
        });
        doc.write(out);
        if properties.is_empty() {
            out.line(format_args!("public data object {name}{of}"));
            return;
        }
        let header: Vec<String> = properties
            .iter()
            .map(|property| format!("public val {}", property.declared(self, hidden)))
            .collect();
        let has_arrays = properties.iter().any(|one| self.has_arrays(&one.ty));
        if single && !has_arrays {
            call(
                out,
                &format!("@JvmInline public value class {name}"),
                &header,
                of,
            );
            return;
        }
        let before = format!("public data class {name}");
        if !has_arrays {
            call(out, &before, &header, of);
            return;
        }
        call(out, &before, &header, &format!("{of} {{"));
        out.indented(|out| {
            let all: Vec<&str> = properties.iter().map(|one| &*one.name).collect();
            by_content(out, name, &all, name);
        });
        out.line("}");
    }

    /// The class that tuples of so many values without names are.
    pub(super) fn tuple(&self, out: &mut Source, count: usize, name: &str) {
        let all: Vec<String> = (0..count).map(|place| format!("item{place}")).collect();
        let doc = (0..count).fold(
            Doc::of("", name).replaced("Values without names, in their order."),
            |doc, place| {
                doc.tag(
                    format!("@param T{place}"),
                    format!("the type of `item{place}`"),
                )
            },
        );
        let doc = all
            .iter()
            .fold(doc, |doc, item| doc.named("property", item, "", ""));
        doc.write(out);
        let generics: Vec<String> = (0..count).map(|place| format!("out T{place}")).collect();
        let header: Vec<String> = (0..count)
            .map(|place| format!("public val item{place}: T{place}"))
            .collect();
        let before = format!("public data class {name}<{}>", generics.join(", "));
        call(out, &before, &header, " {");
        out.indented(|out| {
            let all: Vec<&str> = all.iter().map(|name| &**name).collect();
            let wild = format!("{name}<{}>", vec!["*"; count].join(", "));
            by_content(out, name, &all, &wild);
        });
        out.line("}");
    }
}

/// What is said of the variant that stands for those that a client doesn't know.
const UNKNOWN: &str = "A value that this client doesn't know. It's only received.";

/// What compares and shows arrays by their content.
fn by_content(out: &mut Source, name: &str, all: &[&str], wild: &str) {
    let all: Vec<String> = all.iter().map(|name| (*name).to_owned()).collect();
    assign(out, "private fun content(): Array<Any?>", "arrayOf", &all);
    out.gap();
    let head = "override fun equals(other: Any?): Boolean =";
    let body = format!("other is {wild} && Content.equal(content(), other.content())");
    let line = format!("{head} {body}");
    if fits(out, &line) {
        out.line(line);
    } else {
        out.line(head);
        out.indented(|out| out.line(body));
    }
    out.gap();
    out.line("override fun hashCode(): Int = Content.hash(content())");
    out.gap();
    let mut inside = vec![quoted(name), "content()".to_owned()];
    inside.extend(all.iter().map(|name| quoted(name)));
    assign(
        out,
        "override fun toString(): String",
        "Content.text",
        &inside,
    );
}
