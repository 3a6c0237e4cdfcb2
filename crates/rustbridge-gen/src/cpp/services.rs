//! What the host implements for the plugin to call.

use rustbridge_description::types::TypeRef;

use super::names::{Group, KEYWORDS, Names};
use super::records::prose;
use super::text::{doc, list, quoted};
use crate::client_schema::Service;
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope};
use crate::source::Source;

impl Names<'_> {
    /// The classes to derive from, and the struct by which they are given.
    pub(super) fn services(&self, out: &mut Source) -> Result<(), Error> {
        let mut named = Vec::new();
        for group in &self.groups {
            named.push(self.group(out, group)?);
        }
        out.gap();
        doc(
            out,
            "The host's services for the plugin. A null pointer registers none.",
        );
        out.line(format_args!("struct {} {{", self.services));
        out.indented(|out| {
            for Group {
                class,
                field,
                is_optional,
                ..
            } in &self.groups
            {
                doc(
                    out,
                    match is_optional {
                        true => "Optional.",
                        false => "Required: the plugin isn't loaded without it.",
                    },
                );
                out.line(format_args!("std::shared_ptr<{class}> {field}{{}};"));
            }
            out.gap();
            doc(
                out,
                "Adds the services to the configuration with which a plugin is loaded.",
            );
            out.line("void add_to(rustbridge::Config& config) const {");
            out.indented(|out| {
                out.line("config.client_schema = detail::client_schema;");
                for (group, names) in self.groups.iter().zip(&named) {
                    self.registered(out, group, names)?;
                }
                Ok::<(), Error>(())
            })?;
            out.line("}");
            Ok::<(), Error>(())
        })?;
        out.line("};");
        Ok(())
    }

    fn group(&self, out: &mut Source, group: &Group<'_>) -> Result<Vec<String>, Error> {
        let class = &group.class;
        let what = match &*group.services[0].group {
            "" => "services without a group".to_owned(),
            name => format!("services of the group `{name}`"),
        };
        out.gap();
        doc(
            out,
            &format!(
                "The {what}, for the host to implement. The plugin calls them on its threads, also concurrently. It receives\n\
                 exceptions as errors: a `rustbridge::Error` unchanged, others as `internal`."
            ),
        );
        out.line(format_args!("class {class} {{"));
        out.line(" public:");
        let reserved: Vec<&str> = KEYWORDS.iter().copied().chain([&**class]).collect();
        let mut scope = Scope::new(what, &reserved).renamed_by(SERVICE);
        let mut names = Vec::new();
        out.indented(|out| {
            out.line(format_args!("virtual ~{class}() = default;"));
            for service in &group.services {
                let name = scope.name(&service.function, Case::Snake)?;
                out.gap();
                doc(out, &prose(&service.doc, &service.name));
                let parameters = self.service_parameters(service)?;
                let parameters: Vec<String> = parameters
                    .into_iter()
                    .map(|(ty, name)| format!("const {ty}& {name}"))
                    .collect();
                let head = format!("virtual {} {name}(", self.answer(&service.response));
                list(out, &head, &parameters, ") = 0;");
                names.push(name);
            }
            Ok::<(), Error>(())
        })?;
        out.line("};");
        Ok(names)
    }

    /// The argument for the class of the errors that the plugin distinguishes, if it does.
    fn thrown(&self, service: &Service) -> String {
        let class = service.error.map(|error| &self.exceptions[&error]);
        class.map_or_else(String::new, |class| format!(", {class}"))
    }

    fn registered(
        &self,
        out: &mut Source,
        group: &Group<'_>,
        names: &[String],
    ) -> Result<(), Error> {
        let field = &group.field;
        out.line(format_args!("if ({field}) {{"));
        out.indented(|out| {
            for (service, name) in group.services.iter().zip(names) {
                if service.arguments.is_some() {
                    let parameters = self.service_parameters(service)?;
                    let types: Vec<String> = parameters.into_iter().map(|(ty, _)| ty).collect();
                    let request = format!("std::tuple<{}>", types.join(", "));
                    out.line(format_args!(
                        "config.services.push_back(rustbridge::typed_service<{request}, {}{}>(",
                        self.answer(&service.response),
                        self.thrown(service)
                    ));
                    let call = format!("return group->{name}(all...);");
                    out.indented(|out| {
                        out.indented(|out| {
                            out.line(format_args!(
                                "{}, [group = {field}](const {request}& request) {{",
                                quoted(&service.name)
                            ));
                            out.indented(|out| {
                                out.line(format_args!(
                                    "return std::apply([&](const auto&... all) {{ {call} }}, request);"
                                ));
                            });
                            out.line("}));");
                        });
                    });
                    continue;
                }
                let request = self.ty(&service.request);
                let given = match &service.request {
                    TypeRef::Unit => ("const std::monostate&".to_owned(), ""),
                    _ => (format!("const {request}& request"), "request"),
                };
                out.line(format_args!(
                    "config.services.push_back(rustbridge::typed_service<{request}, {}{}>(",
                    self.answer(&service.response),
                    self.thrown(service)
                ));
                let call = format!(
                    "[group = {field}]({}) {{ return group->{name}({}); }}));",
                    given.0, given.1
                );
                out.indented(|out| {
                    out.indented(|out| out.line(format_args!("{}, {call}", quoted(&service.name))));
                });
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }
}
