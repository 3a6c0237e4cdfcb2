//! The exceptions that calls throw when a handler fails with an error that has a type.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::Names;
use super::text::{Doc, assign, call};
use crate::source::Source;

impl Names<'_> {
    /// The exception that carries an error of that type.
    pub(super) fn exception(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        error: u32,
        class: &str,
    ) {
        let ty = &self.of(error).name;
        let read = format!("{}.{}", self.codec, codec.read(&TypeRef::Ref(error)));
        let prose = &self.client_schema.types.definitions()[error as usize].doc;
        match &**prose {
            "" => Doc::of("", "").replaced(&format!("A call has failed with {{@code {ty}}}.")),
            prose => Doc::of(prose, ty),
        }
        .write(out);
        out.line(format_args!(
            "public final class {class} extends PluginException {{"
        ));
        out.indented(|out| {
            out.line("private static final long serialVersionUID = 1L;");
            out.gap();
            let number = TypeRef::Ref(error);
            let inside = [
                format!("{}.CLIENT_SCHEMA", self.client),
                error.to_string(),
                self.writes(codec, &number, "error"),
            ];
            let typed = format!("private static final TypedError<{ty}> TYPE");
            assign(out, &typed, "new TypedError<>", &inside, ";");
            out.gap();
            out.line(format_args!("private final transient {ty} error;"));
            out.gap();
            Doc::of("", "")
                .replaced(
                    "Creates the exception of a failed call, for fakes in tests.",
                )
                .tag(
                    "@param message",
                    "the message; the plugin derives it from the error",
                )
                .tag(
                    "@param error",
                    "the error, which determines status, type and details",
                )
                .write(out);
            let parameters = ["String message".to_owned(), format!("{ty} error")];
            call(out, &format!("public {class}"), &parameters, " {");
            out.indented(|out| {
                out.line("super(message, TYPE, error);");
                out.line("this.error = error;");
            });
            out.line("}");
            out.gap();
            Doc::of("", "")
                .replaced("Creates the exception from the one of a failed call. For generated clients.")
                .tag("@param failed", "the exception of the failed call")
                .tag("@param error", "the error, which the call failed with")
                .write(out);
            let parameters = [
                "PluginException failed".to_owned(),
                format!("{ty} error"),
            ];
            call(out, &format!("public {class}"), &parameters, " {");
            out.indented(|out| {
                out.line("super(failed, TYPE);");
                out.line("this.error = error;");
            });
            out.line("}");
            out.gap();
            let parameters = [
                "PluginException failed".to_owned(),
                "WireReader in".to_owned(),
            ];
            call(out, &format!("static {class} read"), &parameters, " {");
            out.indented(|out| {
                let inside = ["failed".to_owned(), read.clone()];
                call(out, &format!("return new {class}"), &inside, ";");
            });
            out.line("}");
            out.gap();
            Doc::of("", "")
                .replaced("Returns the error.")
                .tag(
                    "@return",
                    "the error; null if the exception was deserialized, because errors aren't serialized",
                )
                .write(out);
            out.line(format_args!("public {ty} error() {{"));
            out.indented(|out| out.line("return error;"));
            out.line("}");
        });
        out.line("}");
    }
}
