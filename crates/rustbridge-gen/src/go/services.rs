//! What a plugin asks of its host: an interface for each group of services.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{ExportedScope, Names, unexported};
use super::records::prose;
use super::text::{Column, columns, doc, quoted};
use crate::client_schema::{Group, Service};
use crate::error::Error;
use crate::source::Source;

/// A group, what its interface is called, and its functions.
pub(super) struct ServiceGroup<'n, 'c> {
    group: &'n Group<'c>,
    interface: &'n str,
    functions: Vec<(&'c Service, String)>,
}

impl<'c> Names<'c> {
    /// What the host implements.
    pub(super) fn given(&self) -> Result<Vec<ServiceGroup<'_, 'c>>, Error> {
        let mut given = Vec::new();
        for (group, interface) in &self.groups {
            let mut scope = ExportedScope::new(format!("the services of `{}`", group.name), &[]);
            let mut functions = Vec::new();
            for service in &group.services {
                functions.push((*service, scope.name(&service.function)?));
            }
            given.push(ServiceGroup {
                group,
                interface,
                functions,
            });
        }
        Ok(given)
    }

    /// The interfaces, and a struct of all of them.
    pub(super) fn interfaces(&self, out: &mut Source, given: &[ServiceGroup<'_, '_>]) {
        if given.is_empty() {
            return;
        }
        for ServiceGroup {
            group,
            interface,
            functions,
        } in given
        {
            out.gap();
            doc(
                out,
                &format!(
                    "{interface} has the host's services `{}`, which the plugin calls.\n\n\
                     They are called concurrently, on the goroutines of the plugin's calls. The plugin receives the errors.",
                    group.name
                ),
            );
            out.line(format_args!("type {interface} interface {{"));
            out.indented(|out| {
                for (service, function) in functions {
                    doc(
                        out,
                        &prose(&service.doc, || {
                            format!("{function} is `{}`.", service.name)
                        }),
                    );
                    let request = match &service.request {
                        TypeRef::Unit => String::new(),
                        ty => format!(", {} {}", unexported(&service.parameter), self.ty(ty)),
                    };
                    let answer = match &service.response {
                        TypeRef::Unit => "error".to_owned(),
                        ty => format!("({}, error)", self.ty(ty)),
                    };
                    out.line(format_args!(
                        "{function}(ctx context.Context{request}) {answer}"
                    ));
                }
            });
            out.line("}");
        }
        out.gap();
        out.line("// Services has the implementations of the host's services, for loading.");
        out.line("type Services struct {");
        out.indented(|out| {
            let all = given.iter().map(|one| Column {
                doc: match one.group.optional {
                    true => format!("{} is optional and may be nil.", one.interface),
                    false => format!("{} is required.", one.interface),
                },
                name: one.interface.to_owned(),
                ty: one.interface.to_owned(),
                tag: String::new(),
            });
            columns(out, &all.collect::<Vec<_>>());
        });
        out.line("}");
    }
}

impl Codec<'_, '_> {
    /// What registers the services that are given, as a part of what loads the plugin.
    pub(super) fn serving(&self, out: &mut Source, given: &[ServiceGroup<'_, '_>]) {
        out.line("served := typed.NewServices(options, clientSchema)");
        for ServiceGroup {
            group,
            interface,
            functions,
        } in given
        {
            let name = quoted(&group.name);
            let check = |out: &mut Source| {
                out.line(format_args!(
                    "if err := typed.CheckServices({name}, services.{interface}); err != nil {{"
                ));
                out.indented(|out| out.line("return nil, err"));
                out.line("}");
            };
            if group.optional {
                out.line(format_args!("if services.{interface} != nil {{"));
                out.indented(check);
            } else {
                check(out);
            }
            let each = |out: &mut Source| {
                for (service, function) in functions {
                    let function = format!("services.{interface}.{function}");
                    let function = match (&service.request, &service.response) {
                        (TypeRef::Unit, TypeRef::Unit) => format!("typed.Neither({function})"),
                        (TypeRef::Unit, _) => format!("typed.NoRequest({function})"),
                        (_, TypeRef::Unit) => format!("typed.NoAnswer({function})"),
                        _ => function,
                    };
                    let (read, write) = (
                        self.reader(&service.request),
                        self.writer(&service.response),
                    );
                    let name = quoted(&service.name);
                    out.line(format_args!(
                        "typed.Serve(served, {name}, {read}, {write}, {function})"
                    ));
                }
            };
            if group.optional {
                out.indented(each);
                out.line("}");
            } else {
                each(out);
            }
        }
    }
}
