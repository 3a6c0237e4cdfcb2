//! The exceptions that carry errors.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::Names;
use super::text::Doc;
use crate::source::Source;

impl Names<'_> {
    /// The exception that calls throw when a handler fails with an error of that type.
    pub(super) fn exception(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        error: u32,
        class: &str,
    ) {
        let ty = &self.of(error).name;
        let prose = &self.client_schema.types.definitions()[error as usize].doc;
        let doc = match &**prose {
            "" => Doc::of("", "").replaced(&format!("A call has failed with `{ty}`.")),
            prose => Doc::of(prose, ty),
        };
        doc.write(out);
        out.line(format_args!("public class {class} : PluginException {{"));
        out.indented(|out| {
            Doc::of("", "")
                .replaced("The error. A deserialized exception has none.")
                .write(out);
            out.line(format_args!("@Transient public val error: {ty}"));
            out.gap();
            Doc::of("", "")
                .replaced("Creates the exception of a failed call, for fakes in tests.")
                .tag(
                    "@param message",
                    "the message; the plugin derives it from the error",
                )
                .tag(
                    "@param error",
                    "the error, which determines status, type and details",
                )
                .write(out);
            let made = |out: &mut Source, head: &str, first: &str, supers: &str| {
                let parameters = [first.to_owned(), format!("error: {ty}")];
                let behind = format!(" : super({supers}) {{");
                super::text::call(out, &format!("{head} constructor"), &parameters, &behind);
                out.indented(|out| out.line("this.error = error"));
                out.line("}");
                out.gap();
            };
            made(out, "public", "message: String", "message, TYPE, error");
            Doc::of("", "")
                .replaced(
                    "Creates the exception from the one of a failed call. For generated clients.",
                )
                .tag("@param failed", "the exception of the failed call")
                .tag("@param error", "the error, which the call failed with")
                .write(out);
            made(out, "public", "failed: PluginException", "failed, TYPE");
            out.line("private companion object {");
            out.indented(|out| {
                out.line("private const val serialVersionUID = 1L");
                let inside = [
                    format!("{}.CLIENT_SCHEMA", self.client),
                    error.to_string(),
                    self.writes(codec, &TypeRef::Ref(error), "error"),
                ];
                let typed = format!("private val TYPE: TypedError<{ty}>");
                super::text::assign(out, &typed, "TypedError", &inside);
            });
            out.line("}");
        });
        out.line("}");
    }
}
