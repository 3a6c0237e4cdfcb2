//! Codecs of enums.

use rustbridge_description::types::Enum;

use super::codec::{Codec, entered, read_function, write_function};
use super::records::of_variant;
use super::text::{fits, quoted};
use crate::error::Error;
use crate::source::Source;

impl Codec<'_, '_> {
    /// Both functions of an enum whose variants have no data.
    pub(super) fn plain_enum(&mut self, out: &mut Source, number: u32, shape: &Enum) {
        let names = self.names.of(number);
        let (name, count) = (&*names.name, shape.variants.len());
        write_function(out, name, name, false, |out| {
            if let Some(unknown) = &names.unknown {
                out.line(format_args!("if (value == {name}.{unknown}) {{"));
                out.indented(|out| out.line(refused(name)));
                out.line("}");
            }
            out.line("output.variant(value.ordinal)");
        });
        out.gap();
        // What isn't known is the last constant.
        let which = variant(names.unknown.is_some());
        let inside = [format!("input.{which}({count}, {})", quoted(name))];
        read_function(out, name, name, &format!("{name}.entries.get"), &inside);
    }

    /// Both functions of an enum whose variants have data, and those of each variant.
    pub(super) fn data_enum(
        &mut self,
        out: &mut Source,
        number: u32,
        shape: &Enum,
        deep: bool,
    ) -> Result<(), Error> {
        let names = self.names.of(number);
        let (name, variants) = (&*names.name, &names.variants);
        let mut each = Vec::new();
        for (variant, class) in shape.variants.iter().zip(variants) {
            let full = format!("{name}.{class}");
            each.push(of_variant(self.names, &full, variant)?);
        }
        let called: Vec<String> = (0..each.len())
            .map(|place| self.variants[&(number, place)].clone())
            .collect();
        write_function(out, name, name, false, |out| {
            entered(out, deep, "output", |out| {
                out.line("when (value) {");
                out.indented(|out| {
                    for (place, (class, properties)) in variants.iter().zip(&each).enumerate() {
                        if properties.is_empty() {
                            out.line(format_args!("is {name}.{class} -> output.variant({place})"));
                            continue;
                        }
                        out.line(format_args!("is {name}.{class} -> {{"));
                        out.indented(|out| {
                            out.line(format_args!("output.variant({place})"));
                            out.line(format_args!("write{}(output, value)", called[place]));
                        });
                        out.line("}");
                    }
                    if let Some(unknown) = &names.unknown {
                        let head = format!("is {name}.{unknown} ->");
                        let refused = refused(name);
                        if fits(out, &format!("{head} {refused}")) {
                            out.line(format_args!("{head} {refused}"));
                        } else {
                            out.line(head);
                            out.indented(|out| out.line(refused));
                        }
                    }
                });
                out.line("}");
            });
        });
        out.gap();
        let count = variants.len();
        let which = variant(names.unknown.is_some());
        let which = format!("when (input.{which}({count}, {})) {{", quoted(name));
        let branches = |out: &mut Source| {
            out.indented(|out| {
                let unknown = names.unknown.iter().map(|unknown| (unknown, true));
                let known = variants.iter().zip(&each);
                let known = known.map(|(class, properties)| (class, properties.is_empty()));
                let all: Vec<_> = known.chain(unknown).collect();
                for (place, (class, is_empty)) in all.iter().enumerate() {
                    let case = if place + 1 == all.len() {
                        "else".to_owned()
                    } else {
                        place.to_string()
                    };
                    if *is_empty {
                        out.line(format_args!("{case} -> {name}.{class}"));
                    } else {
                        out.line(format_args!("{case} -> read{}(input)", called[place]));
                    }
                }
            });
            out.line("}");
        };
        let head = format!("fun read{name}(input: WireReader): {name}");
        if deep {
            out.line(format_args!("{head} {{"));
            out.indented(|out| {
                out.line("input.enter()");
                out.line("val value =");
                out.indented(|out| {
                    out.line(&which);
                    branches(out);
                });
                out.line("input.leave()");
                out.line("return value");
            });
            out.line("}");
        } else {
            out.line(format_args!("{head} ="));
            out.indented(|out| {
                out.line(&which);
                branches(out);
            });
        }
        for ((class, properties), called) in variants.iter().zip(&each).zip(&called) {
            if !properties.is_empty() {
                let full = format!("{name}.{class}");
                out.gap();
                self.class(out, called, &full, properties, false);
            }
        }
        Ok(())
    }
}

/// What reads which variant comes: of an open enum one past the last, for those that aren't known.
fn variant(is_open: bool) -> &'static str {
    if is_open { "openVariant" } else { "variant" }
}

/// What isn't known was never meant to be sent.
fn refused(name: &str) -> String {
    let why = quoted(&format!("{name}: an unknown variant can't be sent"));
    format!("throw EncodeException({why})")
}
