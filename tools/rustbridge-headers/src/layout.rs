//! The layout of the ABI's structs on 64-bit systems, for languages that read and write them by offsets.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::header;

/// The class with the offsets for Java.
const JAVA: &str =
    "rustbridge-java/rustbridge/src/main/java/io/github/rustbridge/interop/AbiLayout.java";

/// The file with the structs for C#.
const CSHARP: &str = "rustbridge-csharp/RustBridge/Internal/Abi.g.cs";

/// The files with the constants for Python and Node, whose structs are those of ctypes and of the addon.
const PYTHON: &str = "rustbridge-python/src/rustbridge/_constants.py";
const NODE: &str = "rustbridge-node/src/constants.ts";

/// A struct of the headers.
struct Struct {
    name: String,
    size: usize,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    offset: usize,
    /// The whole declaration in C.
    declaration: String,
}

/// The structs and the numeric constants of both headers.
struct Abi {
    structs: Vec<Struct>,
    constants: Vec<(String, i64)>,
}

/// The files with the layout: where each belongs, relative to the workspace's root, and its text.
///
/// # Panics
/// If a header has a declaration that isn't understood.
#[must_use]
pub fn files() -> Vec<(PathBuf, String)> {
    let abi = abi();
    vec![
        (PathBuf::from(JAVA), java(&abi)),
        (PathBuf::from(CSHARP), csharp(&abi)),
        (PathBuf::from(PYTHON), python(&abi)),
        (PathBuf::from(NODE), node(&abi)),
    ]
}

fn abi() -> Abi {
    let text: String = header::generate()
        .into_iter()
        .map(|(_, text)| without_comments(&text))
        .collect();
    let mut sizes: BTreeMap<String, (usize, usize)> = [
        ("void", 1, 1),
        ("uint8_t", 1, 1),
        ("uint32_t", 4, 4),
        ("int32_t", 4, 4),
        ("uint64_t", 8, 8),
        ("size_t", 8, 8),
    ]
    .map(|(name, size, alignment)| (name.to_owned(), (size, alignment)))
    .into();
    let mut abi = Abi {
        structs: Vec::new(),
        constants: Vec::new(),
    };
    for line in text.lines() {
        if let Some((name, value)) = line
            .strip_prefix("#define ")
            .and_then(|it| it.split_once(' '))
            && let Ok(value) = value.trim_matches(['(', ')', ' ']).parse()
        {
            abi.constants.push((name.to_owned(), value));
        }
    }
    for part in text.split("typedef ").skip(1) {
        let Some(rest) = part.strip_prefix("struct ") else {
            let words: Vec<&str> = part
                .split(';')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect();
            if let [of, name] = words[..]
                && let Some(size) = sizes.get(of)
            {
                sizes.insert(name.to_owned(), *size);
            }
            continue;
        };
        let (name, rest) = rest.split_once('{').expect("a struct has fields");
        let (body, _) = rest.split_once('}').expect("a struct ends");
        let found = laid_out(name.trim(), body, &sizes);
        sizes.insert(found.name.clone(), (found.size, 8));
        abi.structs.push(found);
    }
    abi
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| {
        code + part.split_once("*/").map_or("", |(_, rest)| rest)
    })
}

/// Computes the offsets of a struct's fields. All structs of the ABI are aligned to 8 bytes.
fn laid_out(name: &str, body: &str, sizes: &BTreeMap<String, (usize, usize)>) -> Struct {
    let mut fields = Vec::new();
    let mut at: usize = 0;
    for field in body.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let function = field
            .split_once("(*")
            .and_then(|(_, rest)| rest.split_once(')'));
        let (field_name, (size, alignment)) = if let Some((name, _)) = function {
            (name, (8, 8))
        } else {
            let (declared, count) =
                field
                    .split_once('[')
                    .map_or((field, 1), |(declared, count)| {
                        (
                            declared,
                            count
                                .trim_end_matches(']')
                                .parse()
                                .expect("an array has a length"),
                        )
                    });
            let (of, field_name) = declared
                .rsplit_once([' ', '*'])
                .expect("a field has a type and a name");
            let of = of
                .trim()
                .trim_start_matches("const ")
                .trim_start_matches("struct ");
            let is_pointer = declared.contains('*');
            let (size, alignment) = if is_pointer {
                (8, 8)
            } else {
                *sizes
                    .get(of)
                    .unwrap_or_else(|| panic!("{name}.{field_name} has an unknown type: {of}"))
            };
            (field_name, (size * count, alignment))
        };
        at = at.next_multiple_of(alignment);
        let declaration = field.split_whitespace().collect::<Vec<_>>().join(" ");
        fields.push(Field {
            name: field_name.to_owned(),
            offset: at,
            declaration,
        });
        at += size;
    }
    Struct {
        name: name.to_owned(),
        size: at.next_multiple_of(8),
        fields,
    }
}

impl Abi {
    /// The structs that hosts use. The others are the plugin's side.
    fn of_hosts(&self) -> impl Iterator<Item = &Struct> {
        let of_plugins = ["extension", "_host", "plugin_table"];
        self.structs
            .iter()
            .filter(move |it| !of_plugins.iter().any(|part| it.name.contains(part)))
    }
}

fn java(abi: &Abi) -> String {
    let mut text = String::from(
        "// Written by `cargo xtask regen` from include/; do not edit.
package io.github.rustbridge.interop;

/**
 * The layout of the ABI's structs on 64-bit systems, and its constants, as in {@code rustbridge.h}:
 * for the backends, which read and write them by offsets. {@code SIZEOF_} is a struct's size.
 */
public final class AbiLayout {
",
    );
    let mut constant = |what: &str, name: &str, value: i64| {
        let _ = writeln!(
            text,
            "  /** {what}. */\n  public static final int {name} = {value};\n"
        );
    };
    for found in abi.of_hosts() {
        let upper = found.name.trim_start_matches("rb_").to_uppercase();
        let size = format!("The size of {{@code {}}}", found.name);
        constant(&size, &format!("SIZEOF_{upper}"), found.size as i64);
        for field in &found.fields {
            let what = format!(
                "The offset of {{@code {}}} in {{@code {}}}",
                field.name, found.name
            );
            constant(
                &what,
                &format!("{upper}_{}", field.name.to_uppercase()),
                field.offset as i64,
            );
        }
    }
    for (name, value) in abi
        .constants
        .iter()
        .filter(|(_, value)| i32::try_from(*value).is_ok())
    {
        constant(&format!("{{@code {name}}}"), name, *value);
    }
    text + "  private AbiLayout() {}\n}\n"
}

fn csharp(abi: &Abi) -> String {
    let mut text = String::from(
        "// <auto-generated>Written by `cargo xtask regen` from include/; do not edit.</auto-generated>
#nullable enable

using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary>The constants of <c>rustbridge.h</c>, without their prefix.</summary>
internal static class Rb
{
",
    );
    for (name, value) in &abi.constants {
        let ty = if *value < 0 { "int" } else { "uint" };
        let _ = writeln!(
            text,
            "    internal const {ty} {} = {value};",
            pascal(name.trim_start_matches("RB_"))
        );
    }
    text += "}\n";
    for found in abi.of_hosts() {
        let _ = write!(
            text,
            "\n/// <summary><c>{}</c>.</summary>\n[StructLayout(LayoutKind.Sequential)]\ninternal unsafe partial struct {}\n{{\n",
            found.name,
            csharp_struct(&found.name),
        );
        for field in &found.fields {
            let name = pascal(&field.name);
            let _ = match field.declaration.split_once('[') {
                Some((_, length)) => writeln!(text, "    internal fixed byte {name}[{length};"),
                None => writeln!(
                    text,
                    "    internal {} {name};",
                    csharp_field(&field.declaration)
                ),
            };
        }
        text += "}\n";
    }
    text
}

fn python(abi: &Abi) -> String {
    let mut text = String::from(
        "\"\"\"The constants of ``rustbridge.h``, without their prefix.\"\"\"

# Written by `cargo xtask regen` from include/; do not edit.

",
    );
    for (name, value) in &abi.constants {
        let _ = writeln!(text, "{} = {value}", name.trim_start_matches("RB_"));
    }
    text
}

fn node(abi: &Abi) -> String {
    let mut text = String::from(
        "// The constants of `rustbridge.h`, without their prefix. Written by `cargo xtask regen` from include/; do not edit.

",
    );
    for (name, value) in &abi.constants {
        let _ = writeln!(
            text,
            "export const {} = {value};",
            name.trim_start_matches("RB_")
        );
    }
    text
}

/// The type of a field's declaration, functions included.
fn csharp_field(declaration: &str) -> String {
    let Some((result, rest)) = declaration.split_once("(*") else {
        return csharp_type(declaration);
    };
    let (_, arguments) = rest.split_once(")(").expect("a function has arguments");
    let arguments = arguments.trim_end_matches(')').split(", ").map(csharp_type);
    let types: Vec<String> = arguments
        .chain([csharp_type(&format!("{result} result"))])
        .collect();
    format!("delegate* unmanaged[Cdecl]<{}>", types.join(", "))
}

/// The type of a declaration such as `const uint8_t *data`.
fn csharp_type(declaration: &str) -> String {
    let declaration = declaration.replace("const ", "").replace("struct ", "");
    let (of, name) = declaration.split_once(' ').expect("a type and a name");
    let pointers = "*".repeat(name.matches('*').count());
    let of = match of {
        "void" => "void",
        "uint8_t" | "char" => "byte",
        "uint32_t" | "rb_encoding" | "rb_level" | "rb_record_kind" => "uint",
        "int32_t" | "rb_status" => "int",
        "uint64_t" | "rb_instance" | "rb_op" | "rb_object" => "ulong",
        "size_t" => "nuint",
        of => return csharp_struct(of) + &pointers,
    };
    format!("{of}{pointers}")
}

fn csharp_struct(name: &str) -> String {
    format!("Rb{}", pascal(name.trim_start_matches("rb_")))
}

/// `time_unix_ns` or `EVENT_DONE` as `TimeUnixNs` and `EventDone`.
fn pascal(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            first.to_uppercase() + &rest.to_lowercase()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::mem::{offset_of, size_of};

    use rustbridge_abi::{
        AsyncExtension, Batch, CallContext, LogRecord, PluginTable, Reply, Response,
    };

    use super::*;

    #[test]
    fn sizes_and_offsets_are_those_of_the_compiler() {
        let abi = abi();
        let size = |name: &str| {
            abi.structs
                .iter()
                .find(|it| it.name == name)
                .map(|it| it.size)
        };
        for (name, expected) in [
            ("rb_response", size_of::<Response>()),
            ("rb_reply", size_of::<Reply>()),
            ("rb_call_context", size_of::<CallContext>()),
            ("rb_log_record", size_of::<LogRecord>()),
            ("rb_batch", size_of::<Batch>()),
            ("rb_plugin_table", size_of::<PluginTable>()),
            ("rb_async_extension", size_of::<AsyncExtension>()),
        ] {
            assert_eq!(size(name), Some(expected), "{name}");
        }
        let context = abi
            .structs
            .iter()
            .find(|it| it.name == "rb_call_context")
            .expect("it's there");
        let offset = |name: &str| {
            context
                .fields
                .iter()
                .find(|field| field.name == name)
                .map(|field| field.offset)
        };
        assert_eq!(
            offset("trace_flags"),
            Some(offset_of!(CallContext, trace_flags))
        );
        assert_eq!(offset("reply"), Some(offset_of!(CallContext, reply)));
    }
}
