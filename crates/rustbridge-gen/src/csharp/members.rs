//! The members of an object's class that aren't methods: its constructor and its properties.

use super::methods::{Callable, Owner, about_options, end_of_prose, prose};
use super::names::Names;
use super::text::{doc, list};
use crate::form::{Form, about};
use crate::source::Source;

impl Names<'_> {
    /// The constructor of an object's class.
    pub(super) fn constructor(&self, out: &mut Source, of: Owner<'_>, callable: &Callable<'_>) {
        let class = &self.object(&callable.method.class).class;
        let (_, kept) = of.before(callable);
        let (types, argument) = (self.types(callable, None), &callable.request.argument);
        let mut about = prose(callable);
        about.line(format_args!(
            "/// <param name=\"options\">{}</param>",
            about_options(false)
        ));
        end_of_prose(&mut about, None);
        about.line("/// <exception cref=\"OperationCanceledException\">The options' token cancelled the call.</exception>");
        let mut parameters = callable.request.declared_with_defaults();
        parameters.push("CallOptions? options = null".to_owned());
        out.gap();
        out.line(about.finish().trim_end());
        list(out, &format!("public {class}"), &parameters, "");
        out.indented(|out| {
            out.line(format_args!(
                ": this({kept}.CallWire<{types}>(null, {argument}, options).Untyped, client)"
            ));
        });
        out.line("{");
        out.line("}");
    }

    /// The properties of an object's class.
    pub(super) fn properties(&self, out: &mut Source, of: Owner<'_>, callables: &[Callable<'_>]) {
        for (place, first) in callables.iter().enumerate() {
            let (Form::Getter(property) | Form::Setter(property), Some(name)) =
                (first.form, &first.name)
            else {
                continue;
            };
            let find = |form| callables.iter().position(|it| it.form == form);
            let (getter, setter) = (find(Form::Getter(property)), find(Form::Setter(property)));
            // The first accessor writes both.
            if getter.into_iter().chain(setter).min() != Some(place) {
                continue;
            }
            let (getter, setter) = (
                getter.map(|place| &callables[place]),
                setter.map(|place| &callables[place]),
            );
            out.gap();
            let prose = about(getter.map(|it| it.method), setter.map(|it| it.method));
            match &*prose {
                "" => doc(out, "summary", &format!("`{}`.", first.method.name)),
                prose => doc(out, "summary", prose),
            }
            out.line("/// <exception cref=\"PluginException\">The call has failed.</exception>");
            let ty = match getter {
                Some(getter) => self.ty(&getter.method.response),
                None => self.ty(&first.method.request),
            };
            let call = |accessor: &Callable<'_>, argument: &str| {
                let (before, kept) = of.before(accessor);
                let (types, before) = (self.types(accessor, None), before.unwrap_or("null"));
                format!("{kept}.CallWire<{types}>({before}, {argument}, null);")
            };
            let Some(setter) = setter else {
                out.line(format_args!("public {ty} {name} =>"));
                out.indented(|out| out.line(call(first, "default")));
                continue;
            };
            out.line(format_args!("public {ty} {name}"));
            out.line("{");
            out.indented(|out| {
                if let Some(getter) = getter {
                    out.line(format_args!("get => {}", call(getter, "default")));
                }
                out.line(format_args!("set => {}", call(setter, "value")));
            });
            out.line("}");
        }
    }
}
