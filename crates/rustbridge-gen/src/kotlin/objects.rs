//! The classes of objects, which stay in the plugin: their constructor, properties and functions.

use super::methods::{NamedMethod, Owner, Part, caller, named};
use super::names::Names;
use super::text::{Doc, INDENT, assign, construct, fits};
use super::traits;
use crate::error::Error;
use crate::form::{Form, about};
use crate::names::Case;
use crate::source::Source;

impl Names<'_> {
    /// The class of an object.
    pub(super) fn object_class(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
    ) -> Result<(), Error> {
        let named = named(self.client_schema, Owner::Object(object, class))?;
        Doc::of("", "")
            .replaced(&format!(
                "A `{object}`: an object in the plugin. Close it, for example with `use`."
            ))
            .write(out);
        let client = match named.iter().any(|it| it.method.class.is_empty()) {
            true => "private val",
            false => "@Suppress(\"UNUSED_PARAMETER\")",
        };
        let parameters = format!("{client} client: {}, untyped: PluginObject", self.client);
        let before = format!("public class {class} internal constructor");
        let body = if named.is_empty() { "" } else { " {" };
        let interfaces = traits::interfaces(class, &named);
        let line = format!("{before}({parameters}) : TypedObject(untyped){interfaces}{body}");
        if fits(out, &line) {
            out.line(line);
        } else {
            out.line(format_args!("{before}({parameters}) :"));
            out.indented(|out| out.line(format_args!("TypedObject(untyped){interfaces}{body}")));
        }
        if named.is_empty() {
            return Ok(());
        }
        let mut inside = Source::new(INDENT);
        inside.indented(|out| self.members(out, class, &named))?;
        out.raw(inside.finish().trim_start_matches('\n'));
        out.line("}");
        Ok(())
    }

    fn members(
        &self,
        out: &mut Source,
        class: &str,
        named: &[NamedMethod<'_>],
    ) -> Result<(), Error> {
        for one in named.iter().filter(|it| it.form == Form::Constructor) {
            self.constructor(out, one)?;
        }
        self.properties(out, named);
        for one in named.iter().filter(|it| it.method.class.is_empty()) {
            self.method(out, one, Part::Own)?;
        }
        self.operations(out, class, named);
        let mut functions = Source::new(INDENT);
        functions.indented(|out| {
            out.indented(|out| {
                let mut functions = named.iter().filter(|it| it.form == Form::Static);
                functions.try_for_each(|one| self.method(out, one, Part::Own))
            })
        })?;
        let functions = functions.finish();
        if functions.is_empty() {
            return Ok(());
        }
        out.gap();
        Doc::of("", "")
            .replaced("The functions that need no object.")
            .write(out);
        out.line("public companion object {");
        out.raw(functions.trim_start_matches('\n'));
        out.line("}");
        Ok(())
    }

    /// The constructor that calls the plugin. If a lambda may stand behind the parentheses, a second one has no options.
    fn constructor(&self, out: &mut Source, named: &NamedMethod<'_>) -> Result<(), Error> {
        let method = named.method;
        let mut arguments = self.accepted(method)?;
        let document = |out: &mut Source, parameters: &[_]| {
            out.gap();
            let doc = self.documented(method, parameters);
            self.throws(doc, method.error).write(out);
        };
        if arguments.takes_lambda {
            document(out, &arguments.parameters);
            construct(
                out,
                &arguments.declared(),
                &arguments.with_default_options(),
            );
        }
        arguments.insert_options();
        arguments.inside.push("options".to_owned());
        document(out, &arguments.parameters);
        let created = format!(
            "client.{}.call({}).untyped()",
            named.kept,
            arguments.inside.join(", ")
        );
        construct(out, &arguments.declared(), &["client".to_owned(), created]);
        Ok(())
    }

    /// The properties. Their calls have no options.
    fn properties(&self, out: &mut Source, named: &[NamedMethod<'_>]) {
        for getter in named {
            let Form::Getter(property) = getter.form else {
                continue;
            };
            let mut all = named.iter();
            let setter = all.find(|it| it.form == Form::Setter(property));
            let (read, written) = (getter.method, setter.map(|it| it.method));
            let other = written.and_then(|it| it.error);
            let doc = Doc::of(&about(Some(read), written), &read.name);
            let doc = self.throws(doc, read.error);
            let doc = self.throws(doc, other.filter(|_| other != read.error));
            out.gap();
            doc.write(out);
            let name = &getter.name;
            let keyword = if setter.is_some() { "var" } else { "val" };
            if setter.is_some() && is_prefixed(name) {
                // On the JVM, the setter of `isOpen` would have the same name as that of `open`.
                let name = Case::Pascal.of(property);
                out.line(format_args!("@set:JvmName(\"set{name}\")"));
            }
            let ty = self.ty(&read.response, &[]);
            out.line(format_args!("public {keyword} {name}: {ty}"));
            let accessor = |out: &mut Source, left: &str, of: &NamedMethod<'_>, value: &str| {
                let before = format!("{}.{}.call", caller(of.method), of.kept);
                let options = "receiving(CallOptions.defaults())".to_owned();
                assign(out, left, &before, &[value.to_owned(), options]);
            };
            out.indented(|out| {
                accessor(out, "get()", getter, "Unit");
                if let Some(setter) = setter {
                    accessor(out, "set(value)", setter, "value");
                }
            });
        }
    }
}

/// Returns whether the JVM's accessors of a property are called as if its name had no `is`, as the compiler determines it.
fn is_prefixed(name: &str) -> bool {
    let rest = name.strip_prefix("is");
    rest.is_some_and(|rest| rest.starts_with(|letter: char| !letter.is_ascii_lowercase()))
}
