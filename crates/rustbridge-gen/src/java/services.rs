//! The interfaces that a host implements for its plugin, and what registers them.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{KEYWORDS, Names, TYPES};
use super::text::{Doc, call, quoted, said};
use crate::client_schema::{Group, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, alone};
use crate::source::Source;

/// What a method that loads has besides the implementations.
const LOCALS: &[&str] = &[
    "anchor", "config", "image", "library", "plugin", "resource", "services",
];

/// A group, and what the method that loads calls its implementation.
pub(super) struct ServiceGroup<'n, 'c> {
    pub(super) group: &'n Group<'c>,
    pub(super) interface: &'n str,
    pub(super) name: String,
    functions: Vec<Function<'c>>,
}

/// A function of the host's: one that gives its answer, and one that may do so later.
struct Function<'c> {
    service: &'c Service,
    name: String,
    later: String,
}

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
                functions: functions(group)?,
            });
        }
        Ok(given)
    }

    /// The interface of a group.
    pub(super) fn interface(&self, out: &mut Source, given: &ServiceGroup<'_, '_>) {
        let ServiceGroup {
            group, interface, ..
        } = given;
        Doc::of("", "")
            .replaced(&format!(
                "The host's services {{@code {}}}, which the plugin calls.",
                group.name
            ))
            .paragraph(
                "Calls may run concurrently. A synchronous call of the plugin runs the function on the calling thread. An asynchronous one runs it on a thread of the library, where it may block. The plugin receives the exceptions as errors.",
            )
            .write(out);
        out.line(format_args!("public interface {interface} {{"));
        out.indented(|out| {
            for (place, function) in given.functions.iter().enumerate() {
                if place > 0 {
                    out.gap();
                }
                self.function(out, function);
            }
        });
        out.line("}");
    }

    fn function(&self, out: &mut Source, function: &Function<'_>) {
        let Function {
            service,
            name,
            later,
        } = function;
        let (mut parameters, mut passed) = (Vec::new(), "");
        let parameter = alone(&service.parameter, Case::Camel, &[KEYWORDS]);
        let request = |doc: Doc| match &service.request {
            TypeRef::Unit => doc,
            ty => doc.param(&parameter, "", &said("the request", self.meaning(ty))),
        };
        if service.request != TypeRef::Unit {
            parameters.push(format!("{} {parameter}", self.ty(&service.request, &[])));
            passed = &parameter;
        }
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
        call(out, &before, &parameters, " throws Exception;");
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
        call(out, &before, &parameters, " throws Exception {");
        out.indented(|out| {
            // Qualified, since `yield` alone would be a statement.
            let mut inside = format!("this.{name}({passed})");
            if service.response == TypeRef::Unit {
                out.line(format_args!("{inside};"));
                inside = "null".to_owned();
            }
            call(
                out,
                "return CompletableFuture.completedFuture",
                &[inside],
                ";",
            );
        });
        out.line("}");
    }

    /// What registers the implementations that are there.
    pub(super) fn serving(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
    ) {
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
                    out.indented(|out| self.registered(codec, out, one));
                    out.line("}");
                } else {
                    self.registered(codec, out, one);
                }
            }
            out.line("return services.config();");
        });
        out.line("}");
    }

    fn registered(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        given: &ServiceGroup<'_, '_>,
    ) {
        let name = &given.name;
        if !given.group.optional {
            out.line(format_args!(
                "Objects.requireNonNull({name}, {});",
                quoted(name)
            ));
        }
        for Function { service, later, .. } in &given.functions {
            let function = match service.request {
                TypeRef::Unit => format!("none -> {name}.{later}()"),
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

/// The functions of a group, in their order; those that answer later get their names after all others.
fn functions<'c>(group: &Group<'c>) -> Result<Vec<Function<'c>>, Error> {
    let reserved: Vec<&str> = KEYWORDS.iter().chain(TYPES).copied().collect();
    let mut scope =
        Scope::new(format!("the services of `{}`", group.name), &reserved).renamed_by(SERVICE);
    let mut functions = Vec::new();
    for service in &group.services {
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
