//! The classes of objects, which stay in the plugin.

use super::methods::{self, NamedMethod, Owner, Part};
use super::names::Names;
use super::text::{Doc, fits};
use crate::client_schema::Method;
use crate::error::Error;
use crate::form::is_constructor;
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
        Doc::of("", "")
            .replaced(&format!("A {{@code {object}}}: an object in the plugin."))
            .write(out);
        let interfaces = self.interfaces_of_traits(class, &named).join(", ");
        self.class_of_object(out, (object, class), &interfaces, &named, |_| Part::Own)
    }

    /// The class of the type `object` in the plugin, without its documentation. `interface` is empty if it implements none.
    pub(super) fn class_of_object(
        &self,
        out: &mut Source,
        (object, class): (&str, &str),
        interface: &str,
        named: &[NamedMethod<'_>],
        part: impl Fn(&Method) -> Part,
    ) -> Result<(), Error> {
        let client = &self.client;
        let keeps_client = self.keeps_client(object);
        let (constructors, methods): (Vec<_>, Vec<_>) =
            named.iter().partition(|one| is_constructor(one.method));
        let head = format!("public final class {class} extends TypedObject");
        let implements = match interface {
            "" => " {".to_owned(),
            interface => format!(" implements {interface} {{"),
        };
        let line = format!("{head}{implements}");
        match fits(out, &line) {
            true => out.line(line),
            false => {
                out.line(head);
                out.line(format_args!("   {implements}"));
            }
        }
        out.indented(|out| {
            if keeps_client {
                out.line(format_args!("private final {client} client;"));
                out.gap();
            }
            out.line(format_args!(
                "{class}({client} client, PluginObject untyped) {{"
            ));
            out.indented(|out| {
                out.line("super(untyped);");
                if keeps_client {
                    out.line("this.client = client;");
                }
            });
            out.line("}");
            for one in constructors {
                self.constructor(out, one, class)?;
            }
            for one in &methods {
                self.method(out, one, part(one.method))?;
            }
            for one in &methods {
                self.method_later(out, one, part(one.method))?;
            }
            self.operations(out, class, named);
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }
}
