//! The exceptions that calls throw when a handler fails with an error that has a type.

use rustbridge_abi::Status;
use rustbridge_description::types::{Shape, TypeRef, Variant};

use super::names::Names;
use super::text::{arrow, doc, quoted};
use crate::source::Source;

/// Members of the exceptions: within them, such a name alone isn't a type of the plugin.
const HIDDEN: [&str; 26] = [
    "Backtrace",
    "Data",
    "Details",
    "Equals",
    "Error",
    "Finalize",
    "GetBaseException",
    "GetHashCode",
    "GetObjectData",
    "GetType",
    "HResult",
    "Headers",
    "HelpLink",
    "InnerException",
    "MemberwiseClone",
    "Message",
    "ReferenceEquals",
    "SerializeObjectState",
    "Source",
    "StackTrace",
    "Status",
    "StatusOf",
    "TargetSite",
    "ToString",
    "Type",
    "TypeOf",
];

impl Names<'_> {
    /// The exception that carries an error of that type.
    pub(super) fn exception(&self, out: &mut Source, error: u32, class: &str) {
        let names = self.of(error);
        let (ty, codec) = (self.error_type(error), &names.codec);
        let prose = &self.contract.types.definitions()[error as usize].doc;
        doc(
            out,
            "summary",
            &match &**prose {
                "" => format!("A call has failed with `{}`.", names.name),
                prose => prose.to_owned(),
            },
        );
        out.line(format_args!(
            r#"public sealed class {class} : PluginException
{{
    private {class}(PluginException failed, {ty} error)
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
        let definition = &self.contract.types.definitions()[error as usize];
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

    /// The type of an error within its exception.
    fn error_type(&self, error: u32) -> String {
        self.ty_among(&TypeRef::Ref(error), &HIDDEN.map(str::to_owned))
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
        let (names, ty) = (self.of(error), self.error_type(error));
        let Shape::Enum(shape) = &self.contract.types.definitions()[error as usize].shape else {
            arrow(out, head, &otherwise);
            return;
        };
        out.line(format_args!("{head} => error switch"));
        out.line("{");
        out.indented(|out| {
            for (variant, member) in shape.variants.iter().zip(&names.variants) {
                let value = value(variant);
                out.line(format_args!("{ty}.{member} => {value},"));
            }
            out.line(format_args!("_ => {otherwise},"));
        });
        out.line("};");
    }
}

/// A status of a description, e.g. `NOT_FOUND`, as a member of the binding's enum. Descriptions of other plugins may have none.
fn status(name: &str) -> String {
    let status = Status::from_name(name).unwrap_or(Status::Unknown);
    format!("global::RustBridge.Status.{status:?}")
}
