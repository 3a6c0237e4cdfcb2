//! The interfaces that a host implements for its plugin, and what registers them.

use rustbridge_description::types::{Field, Shape, TypeRef};

use super::codec::Codec;
use super::names::{KEYWORDS, Names, OBJECT, TYPES};
use super::records::components;
use super::text::{Doc, body, call, fits, quoted, said};
use crate::client_schema::{Callback, Group, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, alone};
use crate::source::Source;

/// What a method that loads has besides the implementations.
const LOCALS: &[&str] = &[
    "anchor", "config", "image", "library", "plugin", "request", "resource", "services",
];

/// A group, and what the method that loads calls its implementation.
pub(super) struct ServiceGroup<'n, 'c> {
    pub(super) group: &'n Group<'c>,
    pub(super) interface: &'n str,
    pub(super) name: String,
    functions: Vec<Function<'c>>,
}

/// A function of the host's: one that gives its answer, and one that may do so later.
pub(super) struct Function<'c> {
    pub(super) service: &'c Service,
    pub(super) name: String,
    pub(super) later: String,
}

/// A parameter of a function of the host.
struct Parameter {
    name: String,
    /// Its type.
    java: String,
    doc: String,
    /// The text that follows its documentation.
    more: String,
}

/// The documentation of the threads on which the plugin calls functions.
pub(super) const THREADS: &str = "Calls may run concurrently. A synchronous call of the plugin runs the function on the calling thread. An asynchronous one runs it on a thread of the library, where it may block. The plugin receives the exceptions as errors.";

impl<'c> Names<'c> {
    /// What the host implements.
    pub(super) fn given(&self) -> Result<Vec<ServiceGroup<'_, 'c>>, Error> {
        let reserved: Vec<&str> = KEYWORDS.iter().chain(LOCALS).copied().collect();
        let mut scope = Scope::new("the groups of services", &reserved).renamed_by(SERVICE);
        let mut given = Vec::new();
        for (group, interface) in &self.groups {
            given.push(ServiceGroup {
                group,
                interface,
                name: scope.name(&group.name, Case::Camel)?,
                functions: functions(
                    &format!("the services of `{}`", group.name),
                    group.services.iter().copied(),
                    &[],
                )?,
            });
        }
        Ok(given)
    }

    /// The interface of a group.
    pub(super) fn interface(
        &self,
        out: &mut Source,
        given: &ServiceGroup<'_, '_>,
    ) -> Result<(), Error> {
        let ServiceGroup {
            group, interface, ..
        } = given;
        Doc::of("", "")
            .replaced(&format!(
                "The host's services {{@code {}}}, which the plugin calls.",
                group.name
            ))
            .paragraph(THREADS)
            .write(out);
        out.line(format_args!("public interface {interface} {{"));
        out.indented(|out| {
            for (place, function) in given.functions.iter().enumerate() {
                if place > 0 {
                    out.gap();
                }
                self.function(out, function)?;
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// The parameters of a function.
    fn parameters(&self, service: &Service) -> Result<Vec<Parameter>, Error> {
        let method = self.client_schema.method_like(service);
        let (request, parameter) = method.map_or((&service.request, &service.parameter), |it| {
            (&it.request, &it.parameter)
        });
        let is_alone = method.is_some_and(|it| it.arguments.is_none());
        let arguments = service.arguments.as_ref().filter(|_| !is_alone);
        let (Some(arguments), TypeRef::Ref(number)) = (arguments, request) else {
            let ty = request;
            let one = Parameter {
                name: alone(parameter, Case::Camel, &[KEYWORDS]),
                java: self.ty(ty, &[]),
                doc: String::new(),
                more: said("the request", self.meaning(ty)),
            };
            return Ok(match ty {
                TypeRef::Unit => Vec::new(),
                _ => vec![one],
            });
        };
        let shape = self.shape(*number);
        // The number of a callback's object isn't an argument.
        let before = fields(shape).len() - arguments.len();
        let all = components(self, &self.of(*number).name, shape)?;
        let parameters = all.into_iter().skip(before).map(|component| Parameter {
            java: component.java(self, &[]),
            more: component.more(self),
            name: component.name,
            doc: component.doc,
        });
        Ok(parameters.collect())
    }

    /// Both forms of a function.
    pub(super) fn function(&self, out: &mut Source, function: &Function<'_>) -> Result<(), Error> {
        let Function {
            service,
            name,
            later,
        } = function;
        let each = self.parameters(service)?;
        let parameters: Vec<String> = each
            .iter()
            .map(|one| format!("{} {}", one.java, one.name))
            .collect();
        let passed: Vec<&str> = each.iter().map(|one| &*one.name).collect();
        let request = |doc: Doc| {
            each.iter()
                .fold(doc, |doc, one| doc.param(&one.name, &one.doc, &one.more))
        };
        let fails = "for the plugin: {@link io.github.rustbridge.PluginException} keeps its status, any other becomes {@code INTERNAL}";
        let mut doc = request(Doc::of(&service.doc, &service.name));
        let whole = self.whole(&service.response);
        let java = match &service.response {
            TypeRef::Unit => "void".to_owned(),
            ty => {
                doc = doc.tag("@return", said("the response", self.meaning(ty)));
                self.ty(ty, &[])
            }
        };
        doc.tag("@throws Exception", fails).write(out);
        let before = format!("{java} {name}");
        throwing(out, &before, &parameters, ";");
        out.gap();
        let also =
            format!("The asynchronous form of {{@link #{name}}}, which it calls by default.");
        request(Doc::of("", "").replaced(&also))
            .tag(
                "@return",
                "a stage of the response, cancelled if the plugin no longer waits for it",
            )
            .tag(
                "@throws Exception",
                "like the synchronous form; the stage may fail likewise",
            )
            .write(out);
        let before = format!("default CompletionStage<{whole}> {later}");
        throwing(out, &before, &parameters, " {");
        out.indented(|out| {
            // Qualified, since `yield` alone would be a statement.
            let own = format!("this.{name}");
            let mut inside = format!("{own}({})", passed.join(", "));
            if service.response == TypeRef::Unit {
                let passed: Vec<String> = passed.iter().map(|&it| it.to_owned()).collect();
                call(out, &own, &passed, ";");
                inside = "null".to_owned();
            }
            let line = format!("return CompletableFuture.completedFuture({inside});");
            if fits(out, &line) {
                out.line(line);
                return;
            }
            out.line("return CompletableFuture.completedFuture(");
            out.indented(|out| out.indented(|out| body(out, &format!("{inside});"))));
        });
        out.line("}");
        Ok(())
    }

    /// What registers the implementations that are there.
    pub(super) fn serving(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        let mut parameters = vec!["PluginConfig config".to_owned()];
        parameters.extend(given.iter().map(ServiceGroup::parameter));
        out.gap();
        call(
            out,
            "private static PluginConfig serving",
            &parameters,
            " {",
        );
        out.indented(|out| {
            out.line("TypedServices services = new TypedServices(config, CLIENT_SCHEMA);");
            for one in given {
                if one.group.optional {
                    out.line(format_args!("if ({} != null) {{", one.name));
                    out.indented(|out| self.registered(codec, out, one))?;
                    out.line("}");
                } else {
                    self.registered(codec, out, one)?;
                }
            }
            for callback in &self.callbacks {
                self.register_callback(codec, out, callback)?;
            }
            out.line("return services.config();");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    fn registered(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        given: &ServiceGroup<'_, '_>,
    ) -> Result<(), Error> {
        let name = &given.name;
        if !given.group.optional {
            out.line(format_args!(
                "Objects.requireNonNull({name}, {});",
                quoted(name)
            ));
        }
        for Function { service, later, .. } in &given.functions {
            let function = match (&service.request, &service.arguments) {
                (TypeRef::Unit, _) => format!("none -> {name}.{later}()"),
                (TypeRef::Ref(number), Some(_)) => format!(
                    "({} request) -> {name}.{later}({})",
                    self.of(*number).name,
                    self.taken_apart(service)?
                ),
                _ => format!("{name}::{later}"),
            };
            let inside = [
                quoted(&service.name),
                self.reads(codec, &service.request),
                self.writes(codec, &service.response, "response"),
                function,
            ];
            call(out, "services.add", &inside, ";");
        }
        Ok(())
    }

    /// The arguments of a function, from a record that is called `request`.
    pub(super) fn taken_apart(&self, service: &Service) -> Result<String, Error> {
        let parameters = self.parameters(service)?;
        let each = parameters
            .iter()
            .map(|one| format!("request.{}()", one.name));
        Ok(each.collect::<Vec<_>>().join(", "))
    }
}

/// The head of a function that throws. If it's too long, the formatter breaks it before `throws`, too.
fn throwing(out: &mut Source, before: &str, parameters: &[String], behind: &str) {
    let head = format!("{before}({})", parameters.join(", "));
    let line = format!("{head} throws Exception{behind}");
    if fits(out, &line) {
        out.line(line);
        return;
    }
    call(out, before, parameters, "");
    out.line(format_args!("    throws Exception{behind}"));
}

/// The fields of a record.
fn fields(shape: &Shape) -> &[Field] {
    match shape {
        Shape::Record(fields) => fields,
        _ => &[],
    }
}

impl ServiceGroup<'_, '_> {
    /// What declares it.
    pub(super) fn parameter(&self) -> String {
        format!("{} {}", self.interface, self.name)
    }

    /// What is said of it.
    pub(super) fn about(&self) -> String {
        let what = format!(
            "the implementation of the services {{@code {}}}",
            self.group.name
        );
        match self.group.optional {
            true => format!("{what}; null if there is none"),
            false => what,
        }
    }
}

/// The functions of a callback, as interface and class have them.
pub(super) fn of_callback(callback: &Callback) -> Result<Vec<Function<'_>>, Error> {
    functions(
        &format!("the functions of `{}`", callback.name),
        callback.functions.iter(),
        OBJECT,
    )
}

/// The functions of an interface, in their order; those that answer later get their names after all others. `taken` are names that it has
/// already.
fn functions<'c>(
    what: &str,
    services: impl Iterator<Item = &'c Service>,
    taken: &[&str],
) -> Result<Vec<Function<'c>>, Error> {
    let reserved: Vec<&str> = KEYWORDS.iter().chain(TYPES).chain(taken).copied().collect();
    let mut scope = Scope::new(what, &reserved).renamed_by(SERVICE);
    let mut functions = Vec::new();
    for service in services {
        functions.push(Function {
            service,
            name: scope.name(&service.function, Case::Camel)?,
            later: String::new(),
        });
    }
    for function in &mut functions {
        let later = format!("{}_async", function.service.function);
        function.later = scope.joined(&later, Case::Camel);
    }
    Ok(functions)
}
