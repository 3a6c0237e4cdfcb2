//! Callbacks: the interfaces that the host implements and methods accept.

use super::methods::Callable;
use super::names::{CallbackNames, KEYWORDS, LOCALS, Names};
use super::records::{parameter_names, prose};
use super::text::{doc, list, quoted};
use crate::client_schema::Service;
use crate::error::Error;
use crate::names::{Case, alone};
use crate::source::Source;

/// The type of a parameter. An implementation owns the objects that it receives, which can be moved, but not copied.
fn accepted(service: &Service, ty: &str) -> String {
    match service.crossing {
        Some(_) => ty.to_owned(),
        None => format!("const {ty}&"),
    }
}

impl Names<'_> {
    /// The parameters of a function that the host implements: the type and the name of each.
    pub(super) fn service_parameters(
        &self,
        service: &Service,
    ) -> Result<Vec<(String, String)>, Error> {
        use rustbridge_description::types::TypeRef;
        if let Some(fields) = &service.arguments {
            let names = parameter_names(&service.name, fields, LOCALS)?;
            let types = fields.iter().map(|field| self.ty(&field.ty));
            return Ok(types.zip(names).collect());
        }
        Ok(match &service.request {
            TypeRef::Unit => Vec::new(),
            request => {
                let name = alone(&service.parameter, Case::Snake, &[KEYWORDS, LOCALS]);
                vec![(self.ty(request), name)]
            }
        })
    }

    /// The abstract classes.
    pub(super) fn interfaces(&self, out: &mut Source) -> Result<(), Error> {
        for one in &self.callbacks {
            out.gap();
            let about = match &*one.callback.doc {
                "" => "The plugin has no documentation of it.",
                prose => prose,
            };
            doc(
                out,
                &format!(
                    "{about}\n\nThe plugin calls an implementation of the host's on its threads, also concurrently, until it releases it. It\n\
                     receives exceptions as errors: a `rustbridge::Error` unchanged, others as `internal`."
                ),
            );
            let class = &one.class;
            out.line(format_args!("class {class} {{"));
            out.line(" public:");
            out.indented(|out| {
                out.line(format_args!("virtual ~{class}() = default;"));
                for (service, name) in &one.functions {
                    out.gap();
                    doc(out, &prose(&service.doc, &service.name));
                    self.function(out, service, ("virtual ", name, " = 0;"))?;
                }
                match &one.functions[..] {
                    [(service, name)] => self.by_function(out, one, service, name),
                    _ => Ok(()),
                }
            })?;
            out.line("};");
        }
        Ok(())
    }

    fn function(
        &self,
        out: &mut Source,
        service: &Service,
        (before, name, behind): (&str, &str, &str),
    ) -> Result<(), Error> {
        let parameters: Vec<String> = self
            .service_parameters(service)?
            .into_iter()
            .map(|(ty, name)| format!("{} {name}", accepted(service, &ty)))
            .collect();
        let head = format!("{before}{} {name}(", self.answer(&service.response));
        list(out, &head, &parameters, &format!("){behind}"));
        Ok(())
    }

    /// An implementation by a function, of an interface that has one alone.
    fn by_function(
        &self,
        out: &mut Source,
        one: &CallbackNames<'_>,
        service: &Service,
        name: &str,
    ) -> Result<(), Error> {
        let class = &one.class;
        let parameters = self.service_parameters(service)?;
        let types: Vec<String> = parameters
            .iter()
            .map(|(ty, _)| accepted(service, ty))
            .collect();
        let names: Vec<String> = parameters
            .into_iter()
            .map(|(_, name)| match service.crossing {
                Some(_) => format!("std::move({name})"),
                None => name,
            })
            .collect();
        let ty = format!(
            "std::function<{}({})>",
            self.answer(&service.response),
            types.join(", ")
        );
        out.gap();
        doc(out, "Returns an implementation that calls a function.");
        out.line(format_args!(
            "static std::shared_ptr<{class}> of({ty} function) {{"
        ));
        out.indented(|out| {
            out.line(format_args!("class Function final : public {class} {{"));
            out.line(" public:");
            out.indented(|out| {
                out.line(format_args!(
                    "explicit Function({ty} called) : called_(std::move(called)) {{}}"
                ));
                self.function(out, service, ("", name, " override {"))?;
                out.indented(|out| out.line(format_args!("return called_({});", names.join(", "))));
                out.line("}");
                Ok::<(), Error>(())
            })?;
            out.gap();
            out.line(" private:");
            out.indented(|out| out.line(format_args!("{ty} called_;")));
            out.line("};");
            out.line("if (!function) {");
            out.indented(|out| {
                out.line("throw rustbridge::Error(rustbridge::Status::invalid_argument, \"the function is empty\");");
            });
            out.line("}");
            out.line("return std::make_shared<Function>(std::move(function));");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// The host's objects, and the services by which the plugin calls them.
    pub(super) fn host_objects(&self, out: &mut Source) {
        out.gap();
        doc(out, "The host's objects that the plugin refers to.");
        out.line("struct Callbacks {");
        out.indented(|out| {
            for CallbackNames { class, field, .. } in &self.callbacks {
                out.line(format_args!(
                    "std::shared_ptr<rustbridge::HostObjects<{class}>> {field}{{}};"
                ));
            }
            out.line("std::shared_ptr<rustbridge::Connection> connection{};");
            out.gap();
            doc(
                out,
                "Adds the services to the configuration with which a plugin is loaded.",
            );
            out.line("static Callbacks add_to(rustbridge::Config& config);");
        });
        out.line("};");
    }

    /// Writes the function that adds the callbacks' services. It follows the class of the client's methods.
    pub(super) fn add_callbacks(
        &self,
        out: &mut Source,
        crossings: &[Callable<'_>],
    ) -> Result<(), Error> {
        out.gap();
        out.line("inline Callbacks Callbacks::add_to(rustbridge::Config& config) {");
        out.indented(|out| {
            out.line("Callbacks all;");
            out.line("config.client_schema = client_schema;");
            out.line("all.connection = std::make_shared<rustbridge::Connection>();");
            for one in &self.callbacks {
                let (class, field) = (&one.class, &one.field);
                out.line(format_args!(
                    "all.{field} = std::make_shared<rustbridge::HostObjects<{class}>>();"
                ));
                for (service, name) in &one.functions {
                    self.add_function(out, one, service, name, crossings)?;
                }
                out.line(format_args!(
                    "config.services.push_back(rustbridge::release_service({}, all.{field}));",
                    quoted(&one.callback.release)
                ));
            }
            out.line("return all;");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    fn add_function(
        &self,
        out: &mut Source,
        one: &CallbackNames<'_>,
        service: &Service,
        name: &str,
        crossings: &[Callable<'_>],
    ) -> Result<(), Error> {
        let (class, field) = (&one.class, &one.field);
        let failure = service.error.map(|error| &*self.exceptions[&error]);
        let failure = failure.unwrap_or("rustbridge::Error").to_owned();
        let mut types = vec![self.answer(&service.response), failure];
        let parameters = self.service_parameters(service)?;
        types.extend(parameters.into_iter().map(|(ty, _)| ty));
        let mut given = vec![
            quoted(&service.name),
            format!("all.{field}"),
            format!("&{class}::{name}"),
        ];
        let mut function = "callback_service";
        if let Some(crossing) = &service.crossing {
            function = "crossing_service";
            types.insert(0, "Methods".to_owned());
            given.push("all.connection".to_owned());
            for method in [&crossing.arguments, &crossing.result] {
                let name = method.as_ref().map(|it| &*it.name);
                let found = crossings
                    .iter()
                    .find(|it| name.is_some_and(|name| it.is_of(name)));
                given.push(found.map_or_else(
                    || "nullptr".to_owned(),
                    |callable| format!("&Methods::{}", callable.kept),
                ));
            }
        }
        let head = format!(
            "config.services.push_back(rustbridge::{function}<{}>(",
            types.join(", ")
        );
        list(out, &head, &given, "));");
        Ok(())
    }

    /// Writes the client's fields for the callbacks.
    pub(super) fn kept_callbacks(&self, out: &mut Source) {
        for one in &self.callbacks {
            let (class, kept) = (&one.class, &one.kept);
            let (create, number) = (&one.callback.create, &one.callback.number);
            let arguments = [
                "plugin".to_owned(),
                quoted(&create.name),
                quoted(&create.fingerprint.to_string()),
                quoted(&number.name),
                quoted(&number.fingerprint.to_string()),
                "client_schema".to_owned(),
            ];
            list(
                out,
                &format!("rustbridge::Callback<{class}> {kept}{{{{"),
                &arguments,
                &format!("}}, callbacks.{}}};", one.field),
            );
        }
        for one in &self.callbacks {
            out.line(format_args!(
                "const rustbridge::Callback<{class}>& of(std::type_identity<{class}>) const {{ return {}; }}",
                one.kept,
                class = one.class
            ));
        }
    }

    /// The classes that implement the interfaces by objects of the plugin.
    pub(super) fn remotes(
        &self,
        out: &mut Source,
        classes: &[Vec<Callable<'_>>],
    ) -> Result<(), Error> {
        for (one, callables) in self.callbacks.iter().zip(classes) {
            let (class, remote) = (&one.class, &one.remote);
            out.gap();
            doc(
                out,
                &format!("A `{class}` in the plugin, released with this object."),
            );
            out.line(format_args!(
                "class {remote} final : public {class}, public rustbridge::TypedObject<detail::Methods> {{"
            ));
            out.line(" public:");
            out.indented(|out| {
                out.line("using TypedObject::TypedObject;");
                for (service, name) in &one.functions {
                    self.function(out, service, ("", name, " override {"))?;
                    out.indented(|out| {
                        let called = callables.iter().find(|it| it.is_of(&service.name));
                        if let Some(callable) = called {
                            callable.forwarded(out, &service.response);
                        }
                    });
                    out.line("}");
                }
                Ok::<(), Error>(())
            })?;
            out.line("};");
        }
        Ok(())
    }
}
