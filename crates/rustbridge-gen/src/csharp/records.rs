//! Records, whatever they come from: a type's fields, a variant's, a tuple's.

use rustbridge_description::types::{Field, TypeRef};

use super::default_values::Written;
use super::names::Names;
use super::text::{doc, list};
use super::types::is_compared_by_codec;
use crate::client_schema::{about_default, first_optional};
use crate::error::Error;
use crate::source::Source;

/// What is written of a record.
pub(super) struct Record<'r> {
    pub(super) name: &'r str,
    pub(super) doc: &'r str,
    /// `sealed record`, `readonly record struct`
    pub(super) kind: &'r str,
    /// What it derives from.
    pub(super) base: &'r str,
    pub(super) fields: &'r [Field],
    /// Names that stand for something else in its place.
    pub(super) hidden: &'r [String],
}

impl Names<'_> {
    /// A record. What may be left out at the end has a default.
    pub(super) fn record(&self, out: &mut Source, record: &Record<'_>) -> Result<(), Error> {
        let Record {
            name,
            kind,
            base,
            fields,
            ..
        } = *record;
        let names = self.fields(name, record.hidden, fields)?;
        let first_optional = first_optional(fields);
        doc(out, "summary", record.doc);
        let mut parameters = Vec::new();
        // Properties whose defaults aren't constants.
        let mut initialized = Vec::new();
        for (place, (field, name)) in fields.iter().zip(&names).enumerate() {
            let mut about = match &*field.doc {
                "" => format!("The field `{}`.", field.name),
                prose => prose.to_owned(),
            };
            if let Some(value) = about_default(&self.client_schema.types, field) {
                about.push_str(&format!("\n{value}"));
            }
            doc(out, &format!("param name=\"{name}\""), &about);
            let ty = self.ty_among(&field.ty, record.hidden);
            let may_be_left_out = place >= first_optional;
            parameters.push(match (self.shown_default(field), may_be_left_out) {
                (Some(Written::Constant(value)), true) => format!("{ty} {name} = {value}"),
                (Some(Written::Constant(_)), false) => format!("{ty} {name}"),
                (Some(Written::Expression(value)), _) => {
                    initialized.push(format!(
                        "public {ty} {name} {{ get; init; }} = {name} ?? {value};"
                    ));
                    let end = if may_be_left_out { " = null" } else { "" };
                    format!("{ty}? {name}{end}")
                }
                (None, true) if field.default => format!("Optional<{ty}> {name} = default"),
                (None, false) if field.default => format!("Optional<{ty}> {name}"),
                (None, true) => format!("{ty} {name} = null"),
                (None, false) => format!("{ty} {name}"),
            });
        }
        let by_codec = fields.iter().any(|field| is_compared_by_codec(&field.ty));
        let has_body = by_codec || !initialized.is_empty();
        let end = if has_body { "" } else { ";" };
        let head = format!("public {kind} {name}");
        if fields.is_empty() {
            out.line(format_args!("{head}{base};"));
        } else {
            list(out, &head, &parameters, &format!("{base}{end}"));
        }
        if has_body {
            out.line("{");
            out.indented(|out| {
                for property in &initialized {
                    out.line("/// <inheritdoc/>");
                    out.line(property);
                    out.gap();
                }
                if by_codec {
                    self.equality(out, record, &names);
                }
            });
            out.line("}");
        }
        Ok(())
    }

    /// Equality of what lists and maps hold.
    fn equality(&self, out: &mut Source, record: &Record<'_>, names: &[String]) {
        let is_struct = record.kind.ends_with("struct");
        let (nullable, mut terms) = if is_struct {
            ("", Vec::new())
        } else {
            ("?", vec!["other is not null".to_owned()])
        };
        for (field, name) in record.fields.iter().zip(names) {
            terms.push(if is_compared_by_codec(&field.ty) {
                let codec = self.compared_by(field);
                format!("{codec}.Equal({name}, other.{name})")
            } else {
                let ty = self.field_type(field, record.hidden);
                format!("EqualityComparer<{ty}>.Default.Equals({name}, other.{name})")
            });
        }
        out.line(
            "/// <summary>Compares all fields, including the items of lists and maps.</summary>",
        );
        out.line("/// <param name=\"other\">The other.</param>");
        out.line("/// <returns>Whether they are equal.</returns>");
        out.line(format_args!(
            "public bool Equals({}{nullable} other) =>",
            record.name
        ));
        out.indented(|out| out.line(format_args!("{};", terms.join("\n&& "))));
        out.gap();
        out.line("/// <summary>Returns a hash of all fields.</summary>");
        out.line("/// <returns>The hash.</returns>");
        out.line("public override int GetHashCode()");
        out.line("{");
        out.indented(|out| {
            out.line("var hash = default(global::System.HashCode);");
            for (field, name) in record.fields.iter().zip(names) {
                if is_compared_by_codec(&field.ty) {
                    out.line(format_args!(
                        "hash.Add({}.Hash({name}));",
                        self.compared_by(field)
                    ));
                } else {
                    out.line(format_args!("hash.Add({name});"));
                }
            }
            out.line("return hash.ToHashCode();");
        });
        out.line("}");
    }

    fn field_type(&self, field: &Field, hidden: &[String]) -> String {
        let ty = self.ty_among(&field.ty, hidden);
        if field.default && !self.shows_default(field) {
            format!("Optional<{ty}>")
        } else {
            ty
        }
    }

    /// The default value that a record's field shows.
    fn shown_default(&self, field: &Field) -> Option<Written> {
        self.default_of(field).filter(|_| self.shows_default(field))
    }

    /// The codec that compares the values of a field.
    fn compared_by(&self, field: &Field) -> String {
        match self.shows_default(field) {
            true => self.codec(&field.ty),
            false => self.field_codec(field),
        }
    }

    /// The codec of a field on the wire.
    fn field_codec(&self, field: &Field) -> String {
        if self.shows_default(field) {
            return self.codec(&Names::option_of(field));
        }
        let codec = self.codec(&field.ty);
        if field.default {
            format!("OptionalCodec<{}, {codec}>", self.ty(&field.ty))
        } else {
            codec
        }
    }

    /// Writes the fields of what `value` holds.
    pub(super) fn write_fields(
        &self,
        out: &mut Source,
        value: &str,
        fields: &[Field],
        names: &[String],
    ) {
        for (field, name) in fields.iter().zip(names) {
            let codec = match self.shows_default(field) {
                true => self.present_codec(&self.ty(&field.ty), &self.codec(&field.ty)),
                false => self.field_codec(field),
            };
            out.line(format_args!("{codec}.Write(ref writer, {value}.{name});"));
        }
    }

    /// What makes a record of what is read.
    pub(super) fn read_fields(&self, fields: &[Field]) -> Vec<String> {
        fields
            .iter()
            .map(|field| {
                let read = format!("{}.Read(ref reader)", self.field_codec(field));
                match self.shown_default(field) {
                    Some(value) => format!("{read} ?? {}", value.expression()),
                    None => read,
                }
            })
            .collect()
    }
}

/// Values without names as fields.
pub(super) fn unnamed(types: &[TypeRef]) -> Vec<Field> {
    types
        .iter()
        .enumerate()
        .map(|(place, ty)| Field {
            name: if types.len() == 1 {
                "value".into()
            } else {
                format!("item{}", place + 1).into()
            },
            ty: ty.clone(),
            doc: "".into(),
            default: false,
            default_value: None,
            flatten: false,
        })
        .collect()
}
