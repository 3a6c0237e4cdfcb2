//! What the plugin calls of its host: a trait for each group of services.

use rustbridge_description::types::{Field, TypeRef};

use super::methods::parameter;
use super::names::{Group, Names, fields};
use super::text::{self, CALL, OUTER, WIDTH, doc, head, quoted, width};
use crate::client_schema::Service;
use crate::error::Error;
use crate::source::Source;

/// A parameter of a function that the host implements.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) ty: String,
}

impl Names<'_> {
    pub(super) fn services(&self, out: &mut Source) -> Result<(), Error> {
        if self.groups.is_empty() {
            return Ok(());
        }
        for group in &self.groups {
            out.gap();
            self.group(out, group)?;
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
        out.indented(|out| self.register(out))?;
        out.line("}");
        Ok(())
    }

    fn group(&self, out: &mut Source, group: &Group<'_>) -> Result<(), Error> {
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
                self.service_doc(out, service);
                let mut parameters = vec!["&self".to_owned()];
                for Parameter { name, ty } in self.service_parameters(service)? {
                    parameters.push(format!("{name}: {ty}"));
                }
                let result = self.service_result(service);
                head(out, &format!("fn {function}"), &parameters, &result, ";");
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// What a function that the host implements returns.
    pub(super) fn service_result(&self, service: &Service) -> String {
        let error = match service.error {
            Some(error) => format!("typed::Failure<{}>", self.of(error)),
            None => "Error".to_owned(),
        };
        format!(" -> Result<{}, {error}>", self.ty(&service.response))
    }

    /// The conversion of an error to what a function that the host implements returns.
    pub(super) fn thrown(&self, out: &mut Source) {
        for error in self.client_schema.thrown() {
            if let Some(import) = self.client_schema.imported(error)
                && let Some(their) = import.types.get(&error)
                && import.client_schema.thrown().contains(their)
            {
                continue;
            }
            let name = self.of(error);
            out.gap();
            out.line(format_args!(
                "impl From<{name}> for typed::Failure<{name}> {{"
            ));
            out.indented(|out| {
                out.line(format_args!("fn from(error: {name}) -> Self {{"));
                out.indented(|out| out.line("typed::Failure::thrown(error, \"\")"));
                out.line("}");
            });
            out.line("}");
        }
    }

    pub(super) fn service_doc(&self, out: &mut Source, service: &Service) {
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
    }

    /// The parameters of a function that the host implements.
    pub(super) fn service_parameters(&self, service: &Service) -> Result<Vec<Parameter>, Error> {
        if let Some(arguments) = &service.arguments {
            let names = fields(&format!("the parameters of `{}`", service.name), arguments)?;
            let parameter = |(name, field): (String, &Field)| Parameter {
                name,
                ty: self.ty(&field.ty),
            };
            return Ok(names.into_iter().zip(arguments).map(parameter).collect());
        }
        if service.request == TypeRef::Unit {
            return Ok(Vec::new());
        }
        Ok(vec![Parameter {
            name: parameter(&service.parameter),
            ty: self.ty(&service.request),
        }])
    }

    /// What registers all of them.
    fn register(&self, out: &mut Source) -> Result<(), Error> {
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
                    self.serve(out, name, services)?;
                    continue;
                }
                out.line(format_args!("if let Some(group) = &self.{field} {{"));
                out.indented(|out| self.serve(out, name, services))?;
                out.line("}");
            }
            out.line("load");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    fn serve(
        &self,
        out: &mut Source,
        group: &str,
        services: &[(&Service, String)],
    ) -> Result<(), Error> {
        for (service, function) in services {
            if service.arguments.is_some() {
                let parameters = self.service_parameters(service)?;
                let names: Vec<&str> = parameters.iter().map(|it| &*it.name).collect();
                let all = names.join(", ");
                out.line(format_args!(
                    "load = typed::serve(load, {}, group, |it, all| {{",
                    quoted(&service.name)
                ));
                out.indented(|out| {
                    out.line(format_args!("let ({all}) = all;"));
                    out.line(format_args!("{group}::{function}(it, {all})"));
                });
                out.line("});");
                continue;
            }
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
        Ok(())
    }
}
