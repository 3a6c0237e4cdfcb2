//! The interfaces that a host implements for its plugin, and what registers them.

use rustbridge_description::types::TypeRef;

use super::names::{KEYWORDS, MEMBERS, Names};
use super::requests::{both, written};
use super::text::{doc, list, quoted};
use crate::client_schema::{Group, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, alone};
use crate::source::Source;

/// What a method that loads has besides the implementations.
const LOCALS: &[&str] = &["config", "image", "path", "plugin", "services"];

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
    pub(super) parameters: Vec<Parameter>,
}

/// A parameter of such a function.
pub(super) struct Parameter {
    /// Without what C# puts before a keyword.
    name: String,
    /// As C# writes it.
    pub(super) written: String,
    pub(super) declared: String,
    pub(super) ty: String,
    doc: String,
}

impl<'c> Names<'c> {
    /// What the host implements, in the order of its parameters: what the plugin can do without comes last.
    pub(super) fn given(&self) -> Result<Vec<ServiceGroup<'_, 'c>>, Error> {
        let mut scope = Scope::new("the groups of services", LOCALS).renamed_by(SERVICE);
        let mut given = Vec::new();
        for (group, interface) in &self.groups {
            let name = scope.name(&group.name, Case::Camel)?;
            given.push(ServiceGroup {
                group,
                interface,
                name: match KEYWORDS.contains(&&*name) {
                    true => format!("@{name}"),
                    false => name,
                },
                functions: self.functions(&group.name, &group.services, MEMBERS)?,
            });
        }
        given.sort_by_key(|one| one.group.optional);
        Ok(given)
    }

    /// The interface of a group.
    pub(super) fn interface(&self, out: &mut Source, given: &ServiceGroup<'_, '_>) {
        let ServiceGroup {
            group, interface, ..
        } = given;
        doc(
            out,
            "summary",
            &format!(
                "The host's services `{}`, which the plugin calls.",
                group.name
            ),
        );
        doc(
            out,
            "remarks",
            "Implement one of the two methods of each function. A function without either fails with `Unimplemented`. Calls may run concurrently. A synchronous call of the plugin runs the function on the calling thread. An asynchronous one runs it on a thread of the library, where it may block. The plugin receives the exceptions as errors.",
        );
        out.line(format_args!("public interface {interface}"));
        out.line("{");
        out.indented(|out| self.members(out, &given.functions));
        out.line("}");
    }

    /// The functions of an interface.
    pub(super) fn members(&self, out: &mut Source, functions: &[Function<'_>]) {
        for (place, function) in functions.iter().enumerate() {
            if place > 0 {
                out.gap();
            }
            self.function(out, function);
        }
    }

    /// The functions of an interface, in their order. `taken` is what it has besides. Those that answer later get their names after
    /// all others.
    pub(super) fn functions(
        &self,
        of: &str,
        services: &[&'c Service],
        taken: &[&str],
    ) -> Result<Vec<Function<'c>>, Error> {
        let mut scope = Scope::new(format!("the services of `{of}`"), taken).renamed_by(SERVICE);
        let mut functions = Vec::new();
        for service in services {
            functions.push(Function {
                service,
                name: scope.name(&service.function, Case::Pascal)?,
                later: String::new(),
                parameters: self.function_parameters(service)?,
            });
        }
        for function in &mut functions {
            let later = format!("{}_async", function.service.function);
            function.later = scope.joined(&later, Case::Pascal);
        }
        Ok(functions)
    }

    fn function_parameters(&self, service: &Service) -> Result<Vec<Parameter>, Error> {
        const TOKEN: &[&str] = &["cancellationToken"];
        let parameter = |name: String, ty: &TypeRef, doc: String| Parameter {
            written: written(&name),
            declared: format!("{} {}", self.ty(ty), written(&name)),
            ty: self.ty(ty),
            doc,
            name,
        };
        let Some(fields) = &service.arguments else {
            let name = alone(&service.parameter, Case::Camel, &[TOKEN]);
            return Ok(match &service.request {
                TypeRef::Unit => Vec::new(),
                request => vec![parameter(name, request, "The request.".to_owned())],
            });
        };
        let mut scope = Scope::new(format!("the parameters of `{}`", service.name), TOKEN);
        let mut parameters = Vec::new();
        for field in fields {
            let doc = match &*field.doc {
                "" => format!("The parameter `{}`.", field.name),
                prose => prose.to_owned(),
            };
            parameters.push(parameter(
                scope.name(&field.name, Case::Camel)?,
                &field.ty,
                doc,
            ));
        }
        Ok(parameters)
    }

    fn function(&self, out: &mut Source, function: &Function<'_>) {
        let Function {
            service,
            name,
            later,
            parameters: all,
        } = function;
        let ty = self.ty(&service.response);
        let mut parameters: Vec<String> = all.iter().map(|one| one.declared.clone()).collect();
        let passed = function.passed();
        let about = |out: &mut Source| {
            for Parameter {
                name, doc: prose, ..
            } in all
            {
                doc(out, &format!("param name=\"{name}\""), prose);
            }
        };
        let prose = match &*service.doc {
            "" => format!("`{}`.", service.name),
            prose => prose.to_owned(),
        };
        doc(out, "summary", &prose);
        about(out);
        let is_void = service.response == TypeRef::Unit;
        if !is_void {
            out.line("/// <returns>The response.</returns>");
        }
        let answer = if is_void { "void" } else { &ty };
        list(out, &format!("{answer} {name}"), &parameters, " =>");
        out.indented(|out| {
            out.line(format_args!(
                "throw global::RustBridge.Wire.TypedServices.Missing({}, nameof({name}), nameof({later}));",
                quoted(&service.name)
            ));
        });
        out.gap();
        out.line(format_args!(
            "/// <summary>The asynchronous form of <see cref=\"{name}\"/>, which it calls by default.</summary>"
        ));
        about(out);
        out.line("/// <param name=\"cancellationToken\">Is cancelled when the plugin no longer waits for the response.</param>");
        out.line("/// <returns>The response.</returns>");
        parameters.push("CancellationToken cancellationToken".to_owned());
        if is_void {
            list(out, &format!("ValueTask {later}"), &parameters, "");
            out.line("{");
            out.indented(|out| {
                out.line(format_args!("{name}({passed});"));
                out.line("return default;");
            });
            out.line("}");
        } else {
            let head = format!("ValueTask<{ty}> {later}");
            let value = format!(" => new({name}({passed}));");
            list(out, &head, &parameters, &value);
        }
    }

    /// What registers the implementations that are there.
    pub(super) fn serving(
        &self,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        let mut parameters = vec!["PluginConfig? config".to_owned()];
        parameters.extend(given.iter().map(ServiceGroup::declared));
        out.gap();
        list(out, "private static PluginConfig Serving", &parameters, "");
        out.line("{");
        out.indented(|out| {
            out.line(format_args!(
                "var services = new TypedServices(config, {}.Text);",
                self.carried
            ));
            for one in given {
                if one.group.optional {
                    out.line(format_args!("if ({} is not null)", one.name));
                    out.line("{");
                    out.indented(|out| self.registered(out, one));
                    out.line("}");
                    out.gap();
                } else {
                    out.line(format_args!(
                        "global::System.ArgumentNullException.ThrowIfNull({});",
                        one.name
                    ));
                    self.registered(out, one);
                }
            }
            self.serving_callbacks(out)?;
            out.line("return services.Config;");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    fn registered(&self, out: &mut Source, given: &ServiceGroup<'_, '_>) {
        let name = &given.name;
        for function in &given.functions {
            let Function { service, later, .. } = function;
            if service.arguments.is_some() {
                let types: Vec<&str> = function.parameters.iter().map(|one| &*one.ty).collect();
                let request = format!("({}), {}", types.join(", "), function.codec(self));
                let passed = (1..=types.len()).map(|place| format!("request.Item{place}"));
                self.add(out, function, &request, name, &passed.collect::<Vec<_>>());
                continue;
            }
            let has_request = service.request != TypeRef::Unit;
            let passed = if has_request {
                "request, cancellationToken"
            } else {
                "cancellationToken"
            };
            let call = format!("{name}.{later}({passed})");
            let function = match (&service.request, &service.response) {
                (_, TypeRef::Unit) => format!(
                    "async (request, cancellationToken) =>\n{{\n    await {call}.ConfigureAwait(false);\n    return default;\n}}"
                ),
                (TypeRef::Unit, _) => format!("(_, cancellationToken) => {call}"),
                _ => format!("{name}.{later}"),
            };
            let types = [&service.request, &service.response];
            let types: Vec<String> = types
                .iter()
                .map(|ty| format!("{}, {}", self.ty(ty), self.codec(ty)))
                .collect();
            let head = format!("services.Add<{}>", types.join(", "));
            self.added(out, &head, service, function);
        }
    }
}

impl Names<'_> {
    /// What registers a function that has several parameters: these are passed on to a function of a receiver.
    pub(super) fn add(
        &self,
        out: &mut Source,
        function: &Function<'_>,
        request: &str,
        receiver: &str,
        passed: &[String],
    ) {
        let Function { service, later, .. } = function;
        let mut passed = passed.to_vec();
        passed.push("cancellationToken".to_owned());
        let call = format!("{receiver}.{later}({})", passed.join(", "));
        let function = match &service.response {
            TypeRef::Unit => format!(
                "async (request, cancellationToken) =>\n{{\n    await {call}.ConfigureAwait(false);\n    return default;\n}}"
            ),
            _ => format!("(request, cancellationToken) => {call}"),
        };
        let head = format!("services.Add<{request}, {}>", both(self, &service.response));
        self.added(out, &head, service, function);
    }

    fn added(&self, out: &mut Source, head: &str, service: &Service, function: String) {
        let mut arguments = vec![quoted(&service.name), function];
        let class = service.error.map(|error| self.exception_codec(error));
        arguments.extend(class.map(|class| format!("{class}.Write")));
        list(out, head, &arguments, ";");
    }
}

impl Function<'_> {
    /// The arguments that a function passes on to another with the same parameters.
    pub(super) fn passed(&self) -> String {
        let passed: Vec<&str> = self.parameters.iter().map(|one| &*one.written).collect();
        passed.join(", ")
    }

    /// What reads several parameters.
    pub(super) fn codec(&self, names: &Names<'_>) -> String {
        let fields = self.service.arguments.iter().flatten();
        let each: Vec<String> = fields.map(|field| both(names, &field.ty)).collect();
        format!("TupleCodec<{}>", each.join(", "))
    }
}

impl ServiceGroup<'_, '_> {
    /// What declares it.
    fn declared(&self) -> String {
        let optional = if self.group.optional { "?" } else { "" };
        format!("{}{optional} {}", self.interface, self.name)
    }

    /// What declares it where it may be left out, if it may.
    pub(super) fn declared_with_default(&self) -> String {
        let default = if self.group.optional { " = null" } else { "" };
        format!("{}{default}", self.declared())
    }

    /// What is said of it.
    pub(super) fn about(&self) -> String {
        let name = self.name.trim_start_matches('@');
        let absent = if self.group.optional {
            "; null if there is none"
        } else {
            ""
        };
        format!(
            "/// <param name=\"{name}\">The implementation of the services <c>{}</c>{absent}.</param>",
            self.group.name
        )
    }
}
