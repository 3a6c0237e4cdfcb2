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
        out.line("/// The implementations of the host's services, for loading.");
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
                    (", optional", format!("Option<Arc<dyn {name}>>"))
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
            "/// The host's services `{}`, which the plugin calls.",
            if services.iter().all(|(it, _)| it.group.is_empty()) {
                &self.client_schema.plugin
            } else {
                &services[0].0.group
            }
        ));
        out.line(OUTER);
        doc(
            out,
            OUTER,
            "Calls may run concurrently. A synchronous call of the plugin runs the function on the calling thread. An asynchronous one runs it on a thread of the library, where it may block. If the function panics, the plugin receives an error with the panic's message.",
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
                        "" => "The plugin has no documentation of it.",
                        prose => prose,
                    },
                );
                out.line(OUTER);
                doc(out, OUTER, "# Errors\nThe error that the plugin receives.");
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
        out.line("/// Registers the services with the options of loading, if the client doesn't load the plugin itself.");
        out.line("pub fn register<'l>(&self, load: Load<'l>) -> Load<'l> {");
        out.indented(|out| {
            out.line("let mut load = load.client_schema(CLIENT_SCHEMA);");
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
        services: &[(&crate::client_schema::Service, String)],
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
