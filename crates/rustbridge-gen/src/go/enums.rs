//! Enums: constants where no variant has data, and otherwise an interface with a struct for each variant.

use rustbridge_description::types::{Enum, Tag, TypeRef, Variant};

use super::codec::Codec;
use super::names::{Names, fields_of, is_interface};
use super::records::prose;
use super::text::{doc, quoted};
use crate::error::Error;
use crate::names::ABOUT_UNKNOWN;
use crate::source::Source;

impl Names<'_> {
    /// A number with a name for each variant.
    pub(super) fn constants(&self, out: &mut Source, number: u32, shape: &Enum) {
        let names = self.of(number);
        let name = &names.name;
        out.line(format_args!("type {name} uint16"));
        if !names.variants.is_empty() {
            out.gap();
            out.line("const (");
            out.indented(|out| {
                for (place, (variant, constant)) in
                    shape.variants.iter().zip(&names.variants).enumerate()
                {
                    doc(out, &variant.doc);
                    match place {
                        0 => out.line(format_args!("{constant} {name} = iota")),
                        _ => out.line(constant),
                    }
                }
                if let (true, Some(unknown)) = (shape.open, names.variants.last()) {
                    doc(out, ABOUT_UNKNOWN);
                    out.line(format_args!("{unknown} {name} = wire.UnknownVariant"));
                }
            });
            out.line(")");
        }
        out.gap();
        out.line("// String returns the plugin's name of the variant.");
        out.line(format_args!("func (v {name}) String() string {{"));
        out.indented(|out| {
            out.line("switch v {");
            for (variant, constant) in shape.variants.iter().zip(&names.variants) {
                out.line(format_args!("case {constant}:"));
                out.indented(|out| out.line(format_args!("return {}", quoted(&variant.name))));
            }
            out.line("}");
            out.line("return \"unknown\"");
        });
        out.line("}");
        out.gap();
        out.line("// MarshalText writes the plugin's name of the variant.");
        out.line(format_args!(
            "func (v {name}) MarshalText() ([]byte, error) {{ return wire.VariantText(v, {}, {}) }}",
            shape.variants.len(),
            shape.open
        ));
        out.gap();
        out.line("// UnmarshalText reads the plugin's name of the variant.");
        out.line(format_args!(
            "func (v *{name}) UnmarshalText(text []byte) error {{"
        ));
        out.indented(|out| {
            let count = shape.variants.len();
            out.line(format_args!(
                "return wire.UnmarshalVariant(v, {count}, string(text))"
            ));
        });
        out.line("}");
    }

    /// An interface that the variants alone have.
    pub(super) fn sealed(&self, out: &mut Source, number: u32, shape: &Enum) -> Result<(), Error> {
        let names = self.of(number);
        let name = &names.name;
        let mark = format!("is{name}");
        out.line(format_args!("type {name} interface {{"));
        out.indented(|out| out.line(format_args!("{mark}()")));
        out.line("}");
        for (variant, called) in shape.variants.iter().zip(&names.variants) {
            out.gap();
            let about = prose(&variant.doc, || {
                format!("{called} is the variant `{}` of [{name}].", variant.name)
            });
            doc(out, &about);
            self.structure(out, called, &fields_of(variant))?;
        }
        if let (true, Some(unknown)) = (shape.open, names.variants.last()) {
            out.gap();
            doc(out, ABOUT_UNKNOWN);
            out.line(format_args!("type {unknown} struct{{}}"));
        }
        for called in &names.variants {
            out.gap();
            out.line(format_args!("func ({called}) {mark}() {{}}"));
        }
        for (variant, called) in shape.variants.iter().zip(&names.variants) {
            out.gap();
            in_json(out, shape, variant, called)?;
        }
        Ok(())
    }
}

/// What has `encoding/json` write a variant as the plugin does.
fn in_json(out: &mut Source, shape: &Enum, variant: &Variant, called: &str) -> Result<(), Error> {
    let name = quoted(&variant.name);
    let tag = match &shape.tag {
        Tag::Outside => "wire.Tag{}".to_owned(),
        Tag::Inside(tag) => format!("wire.Tag{{Name: {}}}", quoted(tag)),
        Tag::Beside(tag, content) => format!(
            "wire.Tag{{Name: {}, Content: {}}}",
            quoted(tag),
            quoted(content)
        ),
        Tag::None => "wire.Tag{IsNone: true}".to_owned(),
    };
    let fields = fields_of(variant);
    let names = super::names::fields(called, &fields)?;
    let content = match (&variant.tuple, &names[..]) {
        (_, []) => "nil".to_owned(),
        (Some(_), [one]) => format!("v.{one}"),
        (Some(_), several) => {
            let all: Vec<String> = several.iter().map(|name| format!("v.{name}")).collect();
            format!("[]any{{{}}}", all.join(", "))
        }
        (None, _) => "fields(v)".to_owned(),
    };
    out.line("// MarshalJSON writes the value as the plugin does.");
    out.line(format_args!(
        "func (v {called}) MarshalJSON() ([]byte, error) {{"
    ));
    out.indented(|out| {
        if content == "fields(v)" {
            out.line(format_args!("type fields {called}"));
        }
        out.line(format_args!(
            "return wire.MarshalVariant({tag}, {name}, {content})"
        ));
    });
    out.line("}");
    Ok(())
}

impl Codec<'_, '_> {
    pub(super) fn write_enum(
        &self,
        out: &mut Source,
        number: u32,
        shape: &Enum,
    ) -> Result<(), Error> {
        let count = shape.variants.len();
        if !is_interface(shape) {
            out.line(format_args!("w.Variant(uint16(v), {count})"));
            return Ok(());
        }
        let names = &self.names.of(number).variants;
        out.line("switch v := v.(type) {");
        for (place, (variant, called)) in shape.variants.iter().zip(names).enumerate() {
            out.line(format_args!("case {called}:"));
            out.indented(|out| {
                out.line(format_args!("w.Variant({place}, {count})"));
                self.write_fields(out, called, &fields_of(variant))
            })?;
        }
        if let (true, Some(unknown)) = (shape.open, names.last()) {
            out.line(format_args!("case {unknown}:"));
            out.indented(|out| out.line(format_args!("w.Variant(wire.UnknownVariant, {count})")));
        }
        out.line("default:");
        out.indented(|out| out.line("w.FailVariant(v)"));
        out.line("}");
        Ok(())
    }

    pub(super) fn read_enum(
        &self,
        out: &mut Source,
        number: u32,
        shape: &Enum,
    ) -> Result<(), Error> {
        let count = shape.variants.len();
        let function = if shape.open { "OpenVariant" } else { "Variant" };
        let name = self.names.ty(&TypeRef::Ref(number));
        if !is_interface(shape) {
            out.line(format_args!("v = {name}(r.{function}({count}))"));
            return Ok(());
        }
        let names = &self.names.of(number).variants;
        out.line(format_args!("switch r.{function}({count}) {{"));
        for (place, (variant, called)) in shape.variants.iter().zip(names).enumerate() {
            out.line(format_args!("case {place}:"));
            let fields = fields_of(variant);
            out.indented(|out| {
                if fields.is_empty() {
                    out.line(format_args!("v = {called}{{}}"));
                    return Ok(());
                }
                out.line(format_args!("var one {called}"));
                self.read_fields(out, called, "one", &fields)?;
                out.line("v = one");
                Ok::<(), Error>(())
            })?;
        }
        if let (true, Some(unknown)) = (shape.open, names.last()) {
            out.line("case wire.UnknownVariant:");
            out.indented(|out| out.line(format_args!("v = {unknown}{{}}")));
        }
        out.line("}");
        Ok(())
    }
}
