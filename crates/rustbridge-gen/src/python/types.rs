//! The classes of a plugin's types.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef, Variant};

use super::names::{KEYWORDS, Names, TYPES, TypeNames};
use super::text::{comment, doc, mentions, prose, quoted};
use crate::client_schema::{DefaultValue, first_optional, float};
use crate::error::Error;
use crate::names::{ABOUT_UNKNOWN, Case, Scope, UNKNOWN};
use crate::source::Source;

impl Names<'_> {
    /// The classes of a type. `names` gets what they are called.
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
        names: &mut Vec<String>,
    ) -> Result<(), Error> {
        let TypeNames { name, variants } = self.of(number);
        names.push(name.clone());
        out.gap();
        out.gap();
        match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => {
                self.class(out, name, &definition.doc, fields)
            }
            Shape::Newtype(inside) => {
                self.newtype(out, name, &definition.doc, inside);
                Ok(())
            }
            Shape::Tuple(types) => {
                out.line(format_args!("class {name}(NamedTuple):"));
                out.indented(|out| {
                    doc(out, &prose(&definition.doc, name));
                    out.gap();
                    for (place, ty) in types.iter().enumerate() {
                        out.line(format_args!("item{place}: {}", self.ty(ty)));
                    }
                });
                Ok(())
            }
            Shape::Enum(shape) if variants.is_empty() => {
                self.plain_enum(out, name, &definition.doc, shape)
            }
            Shape::Enum(shape) => {
                for (variant, class) in shape.variants.iter().zip(variants) {
                    names.push(class.clone());
                    self.variant(out, class, name, variant)?;
                    out.gap();
                    out.gap();
                }
                if let (true, Some(unknown)) = (shape.open, variants.last()) {
                    names.push(unknown.clone());
                    self.class(out, unknown, ABOUT_UNKNOWN, &[])?;
                    out.gap();
                    out.gap();
                }
                comment(out, &definition.doc);
                let union = variants.join(" | ");
                self.alias(out, name, &union);
                Ok(())
            }
        }
    }

    /// A dataclass. Fields with a default are keyword arguments; options at the end may be left out.
    fn class(
        &self,
        out: &mut Source,
        name: &str,
        prose_of_type: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        let first_optional = first_optional(fields);
        // Of classes every attribute `mro` is the method, which would be taken for the field's default.
        let reserved: Vec<&str> = KEYWORDS
            .iter()
            .chain(TYPES)
            .chain(&["mro"])
            .copied()
            .collect();
        let mut scope = Scope::new(format!("`{name}`"), &reserved);
        out.line("@dataclass(frozen=True, slots=True)");
        out.line(format_args!("class {name}:"));
        out.indented(|out| {
            doc(out, &prose(prose_of_type, name));
            if !fields.is_empty() {
                out.gap();
            }
            for (place, field) in fields.iter().enumerate() {
                let attribute = scope.name(&field.name, Case::Snake)?;
                let ty = self.ty(&field.ty);
                let default = if field.default {
                    let value = self.default_of_field(field);
                    format!(" = field({value}, kw_only=True)")
                } else if place >= first_optional {
                    " = None".to_owned()
                } else {
                    String::new()
                };
                out.line(format_args!("{attribute}: {ty}{default}"));
                if !field.doc.is_empty() {
                    doc(out, &field.doc);
                }
            }
            Ok(())
        })
    }

    /// The default of a dataclass's field. A class that may be defined further down is only named when an object is created, and objects
    /// don't share a list.
    fn default_of_field(&self, field: &Field) -> String {
        let Some(value) = DefaultValue::of(&self.client_schema.types, field) else {
            return "default=DEFAULT".to_owned();
        };
        match value {
            DefaultValue::EmptyList => "default_factory=list".to_owned(),
            DefaultValue::EmptyMap => "default_factory=dict".to_owned(),
            DefaultValue::Variant { .. } => {
                format!("default_factory=lambda: {}", self.default_value(value))
            }
            value => format!("default={}", self.default_value(value)),
        }
    }

    /// A default value as an expression.
    pub(super) fn default_value(&self, value: DefaultValue<'_>) -> String {
        match value {
            DefaultValue::Bool(true) => "True".to_owned(),
            DefaultValue::Bool(false) => "False".to_owned(),
            DefaultValue::Integer(value) => value.to_string(),
            DefaultValue::Float(value) => float(value),
            DefaultValue::Char(value) => quoted(&value.to_string()),
            DefaultValue::Text(text) => quoted(text),
            DefaultValue::EmptyBytes => "b\"\"".to_owned(),
            DefaultValue::EmptyList => "[]".to_owned(),
            DefaultValue::EmptyMap => "{}".to_owned(),
            DefaultValue::Variant { ty, place, .. } => {
                let names = self.of(ty);
                match names.variants.get(place) {
                    Some(class) => format!("{class}()"),
                    None => format!("{}.{}", names.name, self.member(ty, place)),
                }
            }
        }
    }

    /// The name of a plain enum's member.
    pub(super) fn member(&self, ty: u32, place: usize) -> String {
        let mut scope = Scope::new("an enum", KEYWORDS);
        let definition = self.client_schema.types.get(ty);
        let Some(Shape::Enum(shape)) = definition.map(|it| &it.shape) else {
            return String::new();
        };
        let names = shape.variants.iter().take(place + 1);
        // A name that can't be one was refused where the enum was written.
        let names = names.map(|variant| scope.name(&variant.name, Case::Screaming));
        names.last().and_then(Result::ok).unwrap_or_default()
    }

    fn variant(
        &self,
        out: &mut Source,
        class: &str,
        of: &str,
        variant: &Variant,
    ) -> Result<(), Error> {
        let prose_of_variant = match &*variant.doc {
            "" => format!("``{}`` of :data:`{of}`.", variant.name),
            prose => prose.to_owned(),
        };
        let named = |types: &[TypeRef]| -> Vec<Field> {
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
        };
        let fields = match (&variant.tuple, &variant.fields) {
            (Some(types), _) => named(types),
            (None, Some(fields)) => fields.clone(),
            (None, None) => Vec::new(),
        };
        self.class(out, class, &prose_of_variant, &fields)
    }

    fn plain_enum(
        &self,
        out: &mut Source,
        name: &str,
        prose_of_type: &str,
        shape: &Enum,
    ) -> Result<(), Error> {
        let mut scope = Scope::new(format!("`{name}`"), KEYWORDS);
        out.line(format_args!("class {name}(Enum):"));
        out.indented(|out| {
            doc(out, &prose(prose_of_type, name));
            out.gap();
            for variant in &shape.variants {
                let member = scope.name(&variant.name, Case::Screaming)?;
                out.line(format_args!("{member} = {}", quoted(&variant.name)));
                if !variant.doc.is_empty() {
                    doc(out, &variant.doc);
                }
            }
            if shape.open {
                let member = scope.joined(UNKNOWN, Case::Screaming);
                out.line(format_args!("{member} = None"));
                doc(out, ABOUT_UNKNOWN);
            }
            Ok(())
        })
    }

    /// A type of its own for the type checker, where it can be one.
    fn newtype(&self, out: &mut Source, name: &str, prose: &str, inside: &TypeRef) {
        comment(out, prose);
        if self.has_subtypes(inside) {
            let inside = self.ty_at_runtime(inside);
            out.line(format_args!("{name} = NewType(\"{name}\", {inside})"));
        } else {
            self.alias(out, name, &self.ty(inside));
        }
    }

    pub(super) fn alias(&self, out: &mut Source, name: &str, ty: &str) {
        out.line(format_args!("{name}: TypeAlias = {}", quoted(ty)));
    }

    /// Whether `NewType` takes it: what can have subclasses.
    fn has_subtypes(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Unit | TypeRef::Bool | TypeRef::Any | TypeRef::Option(_) => false,
            // Neither a protocol nor a union can be.
            TypeRef::Object(name) => self.client_schema.callback(name).is_none(),
            TypeRef::Ref(number) => match self.client_schema.types.get(*number).map(|it| &it.shape)
            {
                Some(Shape::Newtype(inside)) => self.has_subtypes(inside),
                Some(Shape::Enum(_)) | None => false,
                Some(_) => true,
            },
            _ => true,
        }
    }

    /// A type in a place that is evaluated: what is defined further down stands in quotes.
    fn ty_at_runtime(&self, ty: &TypeRef) -> String {
        let written = self.ty(ty);
        let types = self.all().map(|names| &names.name);
        let objects = self.objects().iter().map(|(_, class)| class);
        let protocols = self.callbacks.iter();
        let protocols = protocols.map(|it| it.like.as_ref().unwrap_or(&it.protocol));
        let mut defined = types.chain(objects).chain(protocols);
        if defined.any(|name| mentions(&written, name)) {
            quoted(&written)
        } else {
            written
        }
    }

    /// A type as an annotation has it.
    pub(super) fn ty(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Unit => "None".to_owned(),
            TypeRef::Bool => "bool".to_owned(),
            TypeRef::Char | TypeRef::String => "str".to_owned(),
            TypeRef::U8
            | TypeRef::U16
            | TypeRef::U32
            | TypeRef::U64
            | TypeRef::U128
            | TypeRef::I8
            | TypeRef::I16
            | TypeRef::I32
            | TypeRef::I64
            | TypeRef::I128 => "int".to_owned(),
            TypeRef::F32 | TypeRef::F64 => "float".to_owned(),
            TypeRef::Bytes => "bytes".to_owned(),
            TypeRef::Timestamp => "datetime".to_owned(),
            TypeRef::Duration => "timedelta".to_owned(),
            TypeRef::Decimal => "Decimal".to_owned(),
            TypeRef::Uuid => "UUID".to_owned(),
            TypeRef::Any => "Any".to_owned(),
            TypeRef::Object(name) => self.object(name).to_owned(),
            TypeRef::List(item) | TypeRef::Array(item, _) => format!("list[{}]", self.ty(item)),
            TypeRef::Map(key, value) => format!("dict[{}, {}]", self.ty(key), self.ty(value)),
            TypeRef::Option(item) => format!("{} | None", self.ty(item)),
            TypeRef::Tuple(types) if types.is_empty() => "tuple[()]".to_owned(),
            TypeRef::Tuple(types) => {
                let types: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
                format!("tuple[{}]", types.join(", "))
            }
            TypeRef::Ref(number) => self.of(*number).name.clone(),
        }
    }
}
