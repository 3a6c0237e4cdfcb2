//! What the plugin calls of its host: a trait for each group of services.

use rustbridge_description::types::TypeRef;

use super::methods::parameter;
use super::names::{Group, Names};
use super::text::{self, CALL, OUTER, WIDTH, doc, head, quoted, width};
use crate::source::Source;

impl Names<'_> {
    pub(super) fn services(&self, out: &mut Source) {
        if self.groups.is_empty() {
            return;
        }
        for group in &self.groups {
            out.gap();
            self.group(out, group);
        }
        out.gap();
        out.line("/// What the plugin calls of its host: to be given when it's loaded.");
        let are_optional = self.groups.iter().all(|group| group.is_optional);
        out.line(if are_optional {
            "#[derive(Clone, Default)]"
        } else {
            "#[derive(Clone)]"
        });
        out.line("pub struct Services {");
        out.indented(|out| {
            for Group {
                name,
                field,
                is_optional,
                ..
            } in &self.groups
            {
                let (about, ty) = if *is_optional {
                    (
                        ", which it does without as well",
                        format!("Option<Arc<dyn {name}>>"),
                    )
                } else {
                    ("", format!("Arc<dyn {name}>"))
                };
                out.line(format_args!("/// [`{name}`]{about}."));
                text::field(out, &format!("pub {field}"), &ty);
            }
        });
        out.line("}");
        out.gap();
        out.line("impl Services {");
        out.indented(|out| self.register(out));
        out.line("}");
    }

    fn group(&self, out: &mut Source, group: &Group<'_>) {
        let Group { name, services, .. } = group;
        out.line(format_args!(
            "/// What the plugin calls of its host by the names of `{}`.",
            if services.iter().all(|(it, _)| it.group.is_empty()) {
                &self.contract.plugin
            } else {
                &services[0].0.group
            }
        ));
        out.line(OUTER);
        doc(
            out,
            OUTER,
            "Any number may run at once. Where the plugin waits for the answer, a function is called on the thread that asks; where it awaits the answer, on one of the library's, so that it may block. A panic is the plugin's error, with its message.",
        );
        out.line(format_args!("pub trait {name}: Send + Sync + 'static {{"));
        out.indented(|out| {
            for (position, (service, function)) in services.iter().enumerate() {
                if position > 0 {
                    out.gap();
                }
                doc(
                    out,
                    OUTER,
                    match &*service.doc {
                        "" => "Has no description in the plugin.",
                        prose => prose,
                    },
                );
                out.line(OUTER);
                doc(
                    out,
                    OUTER,
                    "# Errors\nWhat the plugin gets in place of an answer.",
                );
                let mut parameters = vec!["&self".to_owned()];
                if service.request != TypeRef::Unit {
                    let name = parameter(&service.parameter);
                    parameters.push(format!("{name}: {}", self.ty(&service.request)));
                }
                let result = format!(" -> Result<{}, Error>", self.ty(&service.response));
                head(out, &format!("fn {function}"), &parameters, &result, ";");
            }
        });
        out.line("}");
    }

    /// What registers all of them.
    fn register(&self, out: &mut Source) {
        out.line("/// Registers them with what loads the plugin, for who doesn't leave that to the client.");
        out.line("pub fn register<'l>(&self, load: Load<'l>) -> Load<'l> {");
        out.indented(|out| {
            out.line("let mut load = load.contract(CONTRACT);");
            for Group {
                field,
                is_optional,
                services,
                name,
            } in &self.groups
            {
                if !is_optional {
                    out.line(format_args!("let group = &self.{field};"));
                    self.serve(out, name, services);
                    continue;
                }
                out.line(format_args!("if let Some(group) = &self.{field} {{"));
                out.indented(|out| self.serve(out, name, services));
                out.line("}");
            }
            out.line("load");
        });
        out.line("}");
    }

    fn serve(
        &self,
        out: &mut Source,
        group: &str,
        services: &[(&crate::contract::Service, String)],
    ) {
        for (service, function) in services {
            let function = format!("{group}::{function}");
            let by = match &service.request {
                TypeRef::Unit => "serve_unasked",
                _ => "serve",
            };
            let arguments = format!("load, {}, group, {function}", quoted(&service.name));
            let line = format!("load = typed::{by}({arguments});");
            if width(&arguments) <= CALL && out.column() + width(&line) <= WIDTH {
                out.line(line);
                continue;
            }
            out.line(format_args!("load = typed::{by}("));
            out.indented(|out| {
                for argument in [
                    "load".to_owned(),
                    quoted(&service.name),
                    "group".to_owned(),
                    function,
                ] {
                    out.line(format_args!("{argument},"));
                }
            });
            out.line(");");
        }
    }
}
