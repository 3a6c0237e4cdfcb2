//! The exceptions that calls throw when a handler fails with an error that has a type.

use rustbridge_abi::Status;
use rustbridge_description::types::{Shape, Variant};

use super::names::Names;
use super::text::{arrow, doc, quoted};
use crate::source::Source;

impl Names<'_> {
    /// The exception that carries an error of that type.
    pub(super) fn exception(&self, out: &mut Source, error: u32, class: &str) {
        let names = self.of(error);
        let (ty, codec) = (&names.name, &names.codec);
        let prose = &self.client_schema.types.definitions()[error as usize].doc;
        doc(
            out,
            "summary",
            &match &**prose {
                "" => format!("A call has failed with `{ty}`."),
                prose => prose.to_owned(),
            },
        );
        out.line(format_args!(
            r#"public sealed class {class} : PluginException
{{
    /// <summary>Creates the exception from the one of a failed call. For generated clients.</summary>
    /// <param name="failed">The exception of the failed call.</param>
    /// <param name="error">The error, which the call failed with.</param>
    public {class}(PluginException failed, {ty} error)
        : base(failed) => Error = error;

    /// <summary>Creates the exception as a call throws it, for fakes in tests.</summary>
    /// <param name="error">The error, which determines status and type.</param>
    /// <param name="message">The message, which the plugin derives from the error; null for the name of the error's type.</param>
    public {class}({ty} error, string? message = null)
        : base(StatusOf(error), message ?? TypeOf(error), TypeOf(error)) => Error = error;

    /// <summary>The error, which says by its fields what has failed.</summary>
    public {ty} Error {{ get; }}

    internal static {class} Read(PluginException failed, ref WireReader reader) => new(failed, {codec}.Read(ref reader));
"#
        ));
        if self.client_schema.thrown().contains(&error) {
            out.indented(|out| {
                write(out, class, codec);
                out.gap();
            });
        }
        let definition = &self.client_schema.types.definitions()[error as usize];
        // A module may precede the name.
        let name = definition.name.rsplit(':').next().unwrap_or_default();
        out.indented(|out| {
            let head = format!("private static string TypeOf({ty} error)");
            self.by_variant(out, error, &head, quoted(name), |variant| {
                quoted(&format!("{name}.{}", variant.name))
            });
            out.gap();
            let head = format!("private static global::RustBridge.Status StatusOf({ty} error)");
            self.by_variant(out, error, &head, status(&definition.status), |variant| {
                status(&variant.status)
            });
        });
        out.line("}");
    }

    /// The class that reads an error's exception, and writes it if hosts throw it: the exception itself, if it's this client's.
    pub(super) fn exception_codec(&self, error: u32) -> String {
        let class = &self.exceptions[&error];
        match self.client_schema.imported_exception(error) {
            Some(_) => format!("{class}Codec"),
            None => class.clone(),
        }
    }

    /// What reads and writes an exception of another client.
    pub(super) fn imported_exception(&self, out: &mut Source, error: u32, class: &str) {
        let codec = &self.of(error).codec;
        let about = format!("Reads and writes <see cref=\"{class}\"/>.");
        out.line(format_args!("/// <summary>{about}</summary>"));
        out.line(format_args!("internal static class {class}Codec"));
        out.line("{");
        out.indented(|out| {
            out.line(format_args!("internal static {class} Read(PluginException failed, ref WireReader reader) => new(failed, {codec}.Read(ref reader));"));
            if self.client_schema.thrown().contains(&error) {
                out.gap();
                write(out, class, codec);
            }
        });
        out.line("}");
    }

    /// A function with a value for each variant of an error, and another one for all others and for errors that aren't enums.
    fn by_variant(
        &self,
        out: &mut Source,
        error: u32,
        head: &str,
        otherwise: String,
        value: impl Fn(&Variant) -> String,
    ) {
        let names = self.of(error);
        let Shape::Enum(shape) = &self.client_schema.types.definitions()[error as usize].shape
        else {
            arrow(out, head, &otherwise);
            return;
        };
        out.line(format_args!("{head} => error switch"));
        out.line("{");
        out.indented(|out| {
            for (variant, member) in shape.variants.iter().zip(&names.variants) {
                let value = value(variant);
                // Members of the exception could have the name alone.
                let (namespace, ty) = (&self.namespace, &names.name);
                out.line(format_args!(
                    "global::{namespace}.{ty}.{member} => {value},"
                ));
            }
            out.line(format_args!("_ => {otherwise},"));
        });
        out.line("};");
    }
}

/// What writes the error of an exception that the host throws.
fn write(out: &mut Source, class: &str, codec: &str) {
    out.line(format_args!(
        r#"internal static bool Write(PluginException thrown, ref WireWriter writer)
{{
    if (thrown is not {class} one)
    {{
        return false;
    }}

    {codec}.Write(ref writer, one.Error);
    return true;
}}"#
    ));
}

/// A status of a description, e.g. `NOT_FOUND`, as a member of the binding's enum. Descriptions of other plugins may have none.
fn status(name: &str) -> String {
    let status = Status::from_name(name).unwrap_or(Status::Unknown);
    format!("global::RustBridge.Status.{status:?}")
}
