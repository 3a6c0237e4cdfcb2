//! The exceptions that calls throw when a handler fails with an error that has a type.

use rustbridge_description::types::Shape;

use super::names::Names;
use super::text::{arrow, doc, quoted};
use crate::source::Source;

impl Names<'_> {
    /// The exception that carries an error of that type.
    pub(super) fn exception(&self, out: &mut Source, error: u32, class: &str) {
        let names = self.of(error);
        let (ty, codec) = (&names.name, &names.codec);
        let prose = &self.contract.types.definitions()[error as usize].doc;
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
    private {class}(PluginException failed, {ty} error)
        : base(failed) => Error = error;

    /// <summary>Creates the exception as a call throws it, for fakes in tests.</summary>
    /// <param name="error">The error.</param>
    /// <param name="status">The status with which the plugin reports it. The description doesn't contain it.</param>
    /// <param name="message">The plugin's message; null for the name of the error's type.</param>
    public {class}({ty} error, global::RustBridge.Status status, string? message = null)
        : base(status, message ?? TypeOf(error), TypeOf(error)) => Error = error;

    /// <summary>The error, which says by its fields what has failed.</summary>
    public {ty} Error {{ get; }}

    internal static {class} Read(PluginException failed, ref WireReader reader) => new(failed, {codec}.Read(ref reader));
"#
        ));
        out.indented(|out| self.type_of(out, error));
        out.line("}");
    }

    /// The function that returns the type of an error as the plugin sends it.
    fn type_of(&self, out: &mut Source, error: u32) {
        let names = self.of(error);
        let definition = &self.contract.types.definitions()[error as usize];
        // A module may precede the name.
        let name = definition.name.rsplit(':').next().unwrap_or_default();
        let head = format!("private static string TypeOf({} error)", names.name);
        let Shape::Enum(shape) = &definition.shape else {
            arrow(out, &head, &quoted(name));
            return;
        };
        out.line(format_args!("{head} => error switch"));
        out.line("{");
        out.indented(|out| {
            for (variant, member) in shape.variants.iter().zip(&names.variants) {
                let ty = quoted(&format!("{name}.{}", variant.name));
                out.line(format_args!("{}.{member} => {ty},", names.name));
            }
            out.line(format_args!("_ => {},", quoted(name)));
        });
        out.line("};");
    }
}
