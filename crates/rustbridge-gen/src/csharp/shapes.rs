//! The types of a plugin, and what writes and reads them.

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef, Variant};

use super::names::{Names, TypeNames, is_plain};
use super::records::{Record, unnamed};
use super::text::{arrow, doc, list};
use crate::error::Error;
use crate::names::ABOUT_UNKNOWN;
use crate::source::Source;

/// The number of the variant that stands for those that a client doesn't know.
const UNKNOWN_VARIANT: u16 = u16::MAX;

/// What reads which variant of an enum comes: of an open one, also that which stands for those that aren't known.
fn read_variant(shape: &Enum) -> &'static str {
    if shape.open {
        "ReadOpenVariant"
    } else {
        "ReadVariant"
    }
}

impl Names<'_> {
    /// A type, or only what writes and reads it if the class is another client's.
    pub(super) fn definition(
        &self,
        out: &mut Source,
        number: u32,
        definition: &Definition,
    ) -> Result<(), Error> {
        let name = &self.of(number).name;
        let about = prose(&definition.doc, &definition.name);
        let kind = if self.is_struct(number) {
            "readonly record struct"
        } else {
            "sealed record"
        };
        let is_own = self.client_schema.imported(number).is_none();
        let of_fields = |out: &mut Source, fields: &[Field]| {
            let record = Record {
                name,
                doc: &about,
                kind,
                base: "",
                fields,
                hidden: &[],
            };
            if is_own {
                self.record(out, &record)?;
            }
            self.record_codec(out, number, fields)
        };
        match &definition.shape {
            Shape::Record(fields) => of_fields(out, fields),
            Shape::Newtype(inside) => of_fields(out, &unnamed(std::slice::from_ref(inside))),
            Shape::Tuple(types) => of_fields(out, &unnamed(types)),
            Shape::Pod(fields) if is_own => self.pod(out, number, &about, fields),
            // It's read and written as it lies in memory.
            Shape::Pod(_) => Ok(()),
            Shape::Enum(shape) if is_plain(shape) => {
                if is_own {
                    self.plain_enum(out, number, &about, shape);
                }
                self.plain_enum_codec(out, number, shape);
                Ok(())
            }
            Shape::Enum(shape) => {
                if is_own {
                    self.closed(out, number, &about, shape)?;
                }
                self.closed_codec(out, number, shape)
            }
        }
    }

    /// A struct that lies in memory as on the wire.
    fn pod(
        &self,
        out: &mut Source,
        number: u32,
        about: &str,
        fields: &[Field],
    ) -> Result<(), Error> {
        let TypeNames { name, arrays, .. } = self.of(number);
        let names = self.fields(name, &[], fields)?;
        doc(out, "summary", about);
        let mut parameters = Vec::new();
        for ((field, name), arrays) in fields.iter().zip(&names).zip(arrays) {
            let about = prose_of_field(field);
            doc(out, &format!("param name=\"{name}\""), &about);
            let ty = arrays
                .first()
                .cloned()
                .unwrap_or_else(|| self.ty(&field.ty));
            parameters.push(format!("{ty} {name}"));
        }
        out.line("[StructLayout(LayoutKind.Sequential, Pack = 1)]");
        if fields.is_empty() {
            out.line(format_args!("public readonly record struct {name};"));
        } else {
            let head = format!("public readonly record struct {name}");
            list(out, &head, &parameters, ";");
        }
        for (field, arrays) in fields.iter().zip(arrays) {
            let mut ty = &field.ty;
            for (place, array) in arrays.iter().enumerate() {
                let TypeRef::Array(item, length) = ty else {
                    break;
                };
                let inside = arrays
                    .get(place + 1)
                    .cloned()
                    .unwrap_or_else(|| self.ty(item));
                if *length == 0 {
                    return Err(Error::new(format_args!(
                        "`{name}` has an array of no items, which C# has no struct for"
                    )));
                }
                out.gap();
                inline_array(out, array, &inside, *length, &field.name);
                ty = item;
            }
        }
        Ok(())
    }

    fn plain_enum(&self, out: &mut Source, number: u32, about: &str, shape: &Enum) {
        let TypeNames { name, variants, .. } = self.of(number);
        doc(out, "summary", about);
        out.line(format_args!("public enum {name}"));
        out.line("{");
        out.indented(|out| {
            for (place, (variant, member)) in shape.variants.iter().zip(variants).enumerate() {
                if place > 0 {
                    out.gap();
                }
                doc(out, "summary", &prose(&variant.doc, &variant.name));
                out.line(format_args!("{member} = {place},"));
            }
            if let (true, Some(unknown)) = (shape.open, variants.last()) {
                out.gap();
                doc(out, "summary", ABOUT_UNKNOWN);
                out.line(format_args!("{unknown} = {UNKNOWN_VARIANT},"));
            }
        });
        out.line("}");
    }

    fn plain_enum_codec(&self, out: &mut Source, number: u32, shape: &Enum) {
        let TypeNames { name, codec, .. } = self.of(number);
        let count = shape.variants.len();
        codec_of(out, codec, name, 2, |out| {
            out.line(format_args!("public static void Write(ref WireWriter writer, {name} value) => writer.WriteVariant((int)value, {count});"));
            out.gap();
            out.line(format_args!(
                "public static {name} Read(ref WireReader reader) => ({name})reader.{}({count});",
                read_variant(shape)
            ));
        });
    }

    /// An enum with data: a record for each variant, and no others.
    fn closed(
        &self,
        out: &mut Source,
        number: u32,
        about: &str,
        shape: &Enum,
    ) -> Result<(), Error> {
        let TypeNames { name, variants, .. } = self.of(number);
        doc(out, "summary", about);
        out.line(format_args!("public abstract record {name}"));
        out.line("{");
        let written: Result<(), Error> = out.indented(|out| {
            out.line(format_args!("private {name}()"));
            out.line("{");
            out.line("}");
            for (variant, class) in shape.variants.iter().zip(variants) {
                out.gap();
                self.record(
                    out,
                    &Record {
                        name: class,
                        doc: &prose(&variant.doc, &variant.name),
                        kind: "sealed record",
                        base: &format!(" : {name}"),
                        fields: &fields_of(variant),
                        hidden: variants,
                    },
                )?;
            }
            if let (true, Some(unknown)) = (shape.open, variants.last()) {
                out.gap();
                self.record(
                    out,
                    &Record {
                        name: unknown,
                        doc: ABOUT_UNKNOWN,
                        kind: "sealed record",
                        base: &format!(" : {name}"),
                        fields: &[],
                        hidden: variants,
                    },
                )?;
            }
            Ok(())
        });
        out.line("}");
        written
    }

    fn closed_codec(&self, out: &mut Source, number: u32, shape: &Enum) -> Result<(), Error> {
        let TypeNames {
            name,
            codec,
            variants,
            ..
        } = self.of(number);
        let count = shape.variants.len();
        let least = self.client_schema.types.least(&TypeRef::Ref(number));
        let deep = self.is_deep(number);
        let unknown = variants.last().filter(|_| shape.open);
        let mut cases = Vec::new();
        for (variant, class) in shape.variants.iter().zip(variants) {
            let fields = fields_of(variant);
            let names = self.fields(class, variants, &fields)?;
            cases.push((class, fields, names));
        }
        codec_of(out, codec, name, least, |out| {
            out.line(format_args!(
                "public static void Write(ref WireWriter writer, {name} value)"
            ));
            out.line("{");
            out.indented(|out| {
                out.line(if deep {
                    "writer.Enter(value);"
                } else {
                    "writer.CheckRecord(value);"
                });
                out.line("switch (value)");
                out.line("{");
                out.indented(|out| {
                    for (place, (class, fields, names)) in cases.iter().enumerate() {
                        let variable = if fields.is_empty() { "" } else { " one" };
                        out.line(format_args!("case {name}.{class}{variable}:"));
                        out.indented(|out| {
                            out.line(format_args!("writer.WriteVariant({place}, {count});"));
                            self.write_fields(out, "one", fields, names);
                            out.line("break;");
                        });
                    }
                    if let Some(unknown) = unknown {
                        out.line(format_args!("case {name}.{unknown}:"));
                        out.indented(|out| {
                            out.line(format_args!(
                                "writer.WriteVariant({UNKNOWN_VARIANT}, {count});"
                            ));
                            out.line("break;");
                        });
                    }
                });
                out.line("}");
                if deep {
                    out.gap();
                    out.line("writer.Leave();");
                }
            });
            out.line("}");
            out.gap();
            out.line(format_args!(
                "public static {name} Read(ref WireReader reader)"
            ));
            out.line("{");
            out.indented(|out| {
                if deep {
                    out.line("reader.Enter();");
                }
                out.line(format_args!(
                    "{name} value = reader.{}({count}) switch",
                    read_variant(shape)
                ));
                out.line("{");
                out.indented(|out| {
                    for (place, (class, fields, _)) in cases.iter().enumerate() {
                        let pattern = if place + 1 == count && unknown.is_none() {
                            "_".to_owned()
                        } else {
                            place.to_string()
                        };
                        let head = format!("{pattern} => new {name}.{class}");
                        list(out, &head, &self.read_fields(fields), ",");
                    }
                    if let Some(unknown) = unknown {
                        out.line(format_args!("_ => new {name}.{unknown}(),"));
                    }
                });
                out.line("};");
                if deep {
                    out.line("reader.Leave();");
                }
                out.line("return value;");
            });
            out.line("}");
        });
        Ok(())
    }

    fn record_codec(&self, out: &mut Source, number: u32, fields: &[Field]) -> Result<(), Error> {
        let TypeNames { name, codec, .. } = self.of(number);
        let names = self.fields(name, &[], fields)?;
        let least = self.client_schema.types.least(&TypeRef::Ref(number));
        let deep = self.is_deep(number);
        let is_struct = self.is_struct(number);
        codec_of(out, codec, name, least, |out| {
            out.line(format_args!(
                "public static void Write(ref WireWriter writer, {name} value)"
            ));
            out.line("{");
            out.indented(|out| {
                match (deep, is_struct) {
                    (true, true) => out.line("writer.Enter();"),
                    (true, false) => out.line("writer.Enter(value);"),
                    (false, true) => {}
                    (false, false) => out.line("writer.CheckRecord(value);"),
                }
                self.write_fields(out, "value", fields, &names);
                if deep {
                    out.line("writer.Leave();");
                }
            });
            out.line("}");
            out.gap();
            let head = format!("public static {name} Read(ref WireReader reader)");
            let reads = self.read_fields(fields);
            if reads.is_empty() {
                arrow(out, &head, "new()");
                return;
            }
            out.line(head);
            out.line("{");
            out.indented(|out| {
                if deep {
                    out.line("reader.Enter();");
                    list(out, &format!("var value = new {name}"), &reads, ";");
                    out.line("reader.Leave();");
                    out.line("return value;");
                } else {
                    list(out, &format!("return new {name}"), &reads, ";");
                }
            });
            out.line("}");
        });
        Ok(())
    }

    /// Whether values count as lying in each other.
    fn is_deep(&self, number: u32) -> bool {
        self.client_schema
            .types
            .exact(&TypeRef::Ref(number))
            .is_none()
    }
}

/// What writes and reads a type.
fn codec_of(
    out: &mut Source,
    codec: &str,
    name: &str,
    least: u64,
    members: impl FnOnce(&mut Source),
) {
    out.gap();
    out.line(format_args!(
        "/// <summary>Writes and reads <see cref=\"{name}\"/>.</summary>"
    ));
    out.line(format_args!(
        "internal readonly struct {codec} : IWireCodec<{name}>"
    ));
    out.line("{");
    out.indented(|out| {
        out.line(format_args!("public static long Least => {least};"));
        out.gap();
        members(out);
    });
    out.line("}");
}

/// An array in a struct.
fn inline_array(out: &mut Source, name: &str, item: &str, length: u64, field: &str) {
    doc(
        out,
        "summary",
        &format!("The {length} items of the field `{field}`."),
    );
    out.line(format_args!("[InlineArray({length})]"));
    out.line(format_args!("public struct {name} : IEquatable<{name}>"));
    out.line("{");
    out.indented(|out| {
        out.line(format_args!("private {item} _first;"));
        out.gap();
        out.line("/// <summary>Creates an array of its items.</summary>");
        out.line(format_args!("/// <param name=\"items\">They, {length}.</param>"));
        out.line(format_args!("public {name}(ReadOnlySpan<{item}> items)"));
        out.line("{");
        out.indented(|out| {
            out.line(format_args!("if (items.Length != {length})"));
            out.line("{");
            out.indented(|out| out.line(format_args!("throw new ArgumentException($\"{length} items are expected, not {{items.Length}}\", nameof(items));")));
            out.line("}");
            out.gap();
            out.line("items.CopyTo(this);");
        });
        out.line("}");
        for (operator, how) in [("==", "left.Equals(right)"), ("!=", "!left.Equals(right)")] {
            out.gap();
            out.line("/// <summary>Compares two.</summary>");
            out.line("/// <param name=\"left\">One.</param>");
            out.line("/// <param name=\"right\">The other.</param>");
            out.line("/// <returns>The response.</returns>");
            out.line(format_args!("public static bool operator {operator}({name} left, {name} right) => {how};"));
        }
        out.gap();
        out.line("/// <summary>Returns the items.</summary>");
        out.line("/// <returns>A new array.</returns>");
        out.line(format_args!("public readonly {item}[] ToArray() => ((ReadOnlySpan<{item}>)this).ToArray();"));
        out.gap();
        out.line("/// <inheritdoc/>");
        out.line(format_args!("public readonly bool Equals({name} other) => ((ReadOnlySpan<{item}>)this).SequenceEqual(other);"));
        out.gap();
        out.line("/// <inheritdoc/>");
        out.line(format_args!("public override readonly bool Equals(object? obj) => obj is {name} other && Equals(other);"));
        out.gap();
        out.line("/// <inheritdoc/>");
        out.line("public override readonly int GetHashCode()");
        out.line("{");
        out.indented(|out| {
            out.line("var hash = default(HashCode);");
            out.line(format_args!("foreach ({item} item in this)"));
            out.line("{");
            out.indented(|out| out.line("hash.Add(item);"));
            out.line("}");
            out.gap();
            out.line("return hash.ToHashCode();");
        });
        out.line("}");
        out.gap();
        out.line("/// <inheritdoc/>");
        out.line("public override readonly string ToString() => $\"[{string.Join(\", \", ToArray())}]\";");
    });
    out.line("}");
}

fn fields_of(variant: &Variant) -> Vec<Field> {
    match (&variant.tuple, &variant.fields) {
        (Some(types), _) => unnamed(types),
        (None, Some(fields)) => fields.clone(),
        (None, None) => Vec::new(),
    }
}

fn prose(doc: &str, name: &str) -> String {
    match doc {
        "" => format!("`{name}`."),
        doc => doc.to_owned(),
    }
}

fn prose_of_field(field: &Field) -> String {
    match &*field.doc {
        "" => format!("The field `{}`.", field.name),
        doc => doc.to_owned(),
    }
}
