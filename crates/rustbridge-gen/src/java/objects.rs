//! The classes of objects, which stay in the plugin.

use super::methods::{self, Owner, Part};
use super::names::Names;
use super::text::Doc;
use crate::error::Error;
use crate::source::Source;

impl Names<'_> {
    /// The class of an object.
    pub(super) fn object_class(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
    ) -> Result<(), Error> {
        let named = methods::named(self.client_schema, Owner::Object(object, class))?;
        let client = &self.client;
        Doc::of("", "")
            .replaced(&format!("A {{@code {object}}}: an object in the plugin."))
            .write(out);
        out.line(format_args!(
            "public final class {class} extends TypedObject {{"
        ));
        out.indented(|out| {
            if !named.is_empty() {
                out.line(format_args!("private final {client} client;"));
                out.gap();
            }
            out.line(format_args!(
                "{class}({client} client, PluginObject untyped) {{"
            ));
            out.indented(|out| {
                out.line("super(untyped);");
                if !named.is_empty() {
                    out.line("this.client = client;");
                }
            });
            out.line("}");
            for one in &named {
                self.method(out, one, Part::Own)?;
            }
            for one in &named {
                self.method_later(out, one, Part::Own)?;
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }
}
