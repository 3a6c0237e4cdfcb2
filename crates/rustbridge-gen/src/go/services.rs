//! What a plugin asks of its host: an interface for each group of services.

use rustbridge_description::types::{Shape, TypeRef};

use super::codec::Codec;
use super::names::{
    CallbackNames, ExportedScope, Names, OBJECT, crossing_field, fields, letters, unexported,
};
use super::records::prose;
use super::text::{Column, columns, doc, quoted};
use crate::client_schema::{Crossing, Group, Method, Service};
use crate::error::Error;
use crate::names::{Case, Scope};
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
    pub(super) fn interfaces(
        &self,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        if given.is_empty() {
            return Ok(());
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
            out.indented(|out| self.signatures(out, functions))?;
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
        Ok(())
    }

    /// The functions of an interface.
    fn signatures(&self, out: &mut Source, functions: &[(&Service, String)]) -> Result<(), Error> {
        for (service, function) in functions {
            let about = prose(&service.doc, || {
                format!("{function} is `{}`.", service.name)
            });
            doc(out, &about);
            let (parameters, answer) = self.signature(service)?;
            out.line(format_args!(
                "{function}({}) {answer}",
                parameters.join(", ")
            ));
        }
        Ok(())
    }

    /// What a function accepts, and what it returns.
    fn signature(&self, service: &Service) -> Result<(Vec<String>, String), Error> {
        let mut parameters = vec!["ctx context.Context".to_owned()];
        match (&service.arguments, &service.request) {
            (Some(fields), _) => {
                let mut scope = Scope::new(format!("the parameters of `{}`", service.name), &[]);
                for field in fields {
                    scope.name(&letters(&field.name), Case::Camel)?;
                    parameters.push(format!(
                        "{} {}",
                        unexported(&field.name),
                        self.ty(&field.ty)
                    ));
                }
            }
            (None, TypeRef::Unit) => {}
            (None, ty) => {
                parameters.push(format!(
                    "{} {}",
                    unexported(&service.parameter),
                    self.ty(ty)
                ));
            }
        }
        let answer = match &service.response {
            TypeRef::Unit => "error".to_owned(),
            ty => format!("({}, error)", self.ty(ty)),
        };
        Ok((parameters, answer))
    }

    /// The interfaces of callbacks, and the types of functions that implement them.
    pub(super) fn callback_interfaces(&self, out: &mut Source) -> Result<(), Error> {
        for callback in &self.callbacks {
            let CallbackNames {
                callback: of,
                interface,
                class,
                ..
            } = callback;
            let functions = self.functions(callback)?;
            let about = prose(&of.doc, || {
                format!("{interface} is the plugin's callback `{}`.", of.name)
            });
            out.gap();
            doc(
                out,
                &format!(
                    "{about}\n\nImplement it, and pass it to the plugin, which calls it concurrently, on goroutines. The plugin receives the errors.\n\
                     The client keeps an implementation until the plugin releases it. If the plugin returns it, it's the very value.\n\
                     The plugin's own implementations are a *[{class}]."
                ),
            );
            out.line(format_args!("type {interface} interface {{"));
            out.indented(|out| self.signatures(out, &functions))?;
            out.line("}");
            let (Some(adapter), [(service, function)]) = (&callback.function, &functions[..])
            else {
                continue;
            };
            let (parameters, answer) = self.signature(service)?;
            let passed: Vec<&str> = parameters
                .iter()
                .filter_map(|it| it.split(' ').next())
                .collect();
            let (passed, parameters) = (passed.join(", "), parameters.join(", "));
            out.line(format_args!(
                r#"
// {adapter} is a function that implements [{interface}].
type {adapter} func({parameters}) {answer}

// {function} calls the function.
func (c {adapter}) {function}({parameters}) {answer} {{
	return c({passed})
}}"#
            ));
        }
        Ok(())
    }

    /// The functions of a callback, by the names that its objects have for them.
    fn functions(&self, names: &CallbackNames<'c>) -> Result<Vec<(&'c Service, String)>, Error> {
        let what = format!("the functions of `{}`", names.callback.name);
        let mut scope = ExportedScope::new(what, OBJECT);
        let functions = names.callback.functions.iter();
        functions
            .map(|service| Ok((service, scope.name(&service.function)?)))
            .collect()
    }
}

impl Codec<'_, '_> {
    /// What registers the services that are given, as a part of what loads the plugin. `refused` returns the error of one that is nil.
    pub(super) fn serving(&self, out: &mut Source, given: &[ServiceGroup<'_, '_>], refused: &str) {
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
                out.indented(|out| out.line(refused));
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
                    if let Some(arguments) = &service.arguments {
                        self.serve_several(out, service, arguments.len(), &[], &function);
                        continue;
                    }
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
                    self.throws(out, service);
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

    /// What registers the services by which the plugin calls the host's objects.
    pub(super) fn serving_callbacks(&self, out: &mut Source) -> Result<(), Error> {
        let names = self.names;
        out.line("hosts := &hostObjects{");
        let connected = names.has_crossings().then_some("connection");
        out.indented(|out| {
            let kept = names.callbacks.iter().map(|it| &*it.kept);
            let width = kept.chain(connected).map(|it| it.chars().count());
            let width = width.max().unwrap_or(0) + 1;
            for it in &names.callbacks {
                let field = format!("{}:", it.kept);
                out.line(format_args!(
                    "{field:width$} typed.NewHostObjects[{}]({}),",
                    it.interface,
                    quoted(&it.callback.name)
                ));
            }
            if let Some(name) = connected {
                let field = format!("{name}:");
                out.line(format_args!(
                    "{field:width$} &typed.Connection[{}]{{}},",
                    names.client
                ));
            }
        });
        out.line("}");
        for callback in &names.callbacks {
            let kept = &callback.kept;
            for (service, function) in names.functions(callback)? {
                if let Some(crossing) = &service.crossing {
                    self.serve_crossing(out, callback, service, crossing, &function);
                    continue;
                }
                let count = service.arguments.as_ref().map_or(0, Vec::len);
                let found = [
                    format!("host, err := hosts.{kept}.Get(v.Object)"),
                    "if err != nil {".to_owned(),
                    "\treturn answer, err".to_owned(),
                    "}".to_owned(),
                ];
                self.serve_several(out, service, count, &found, &format!("host.{function}"));
            }
            out.line(format_args!(
                "typed.ServeRelease(served, {}, hosts.{kept})",
                quoted(&callback.callback.release)
            ));
        }
        Ok(())
    }

    /// What registers a function of a callback whose arguments, or whose result, cross by methods.
    fn serve_crossing(
        &self,
        out: &mut Source,
        callback: &CallbackNames<'_>,
        service: &Service,
        crossing: &Crossing,
        function: &str,
    ) {
        let names = self.names;
        let (client, kept) = (&names.client, &callback.kept);
        let response = names.ty(&service.response);
        let count = service.arguments.as_ref().map_or(0, Vec::len);
        let taken = crossing.arguments.as_ref().map_or_else(
            || "struct{}".to_owned(),
            |method| names.ty(&method.response),
        );
        // What returns a method of the client.
        let method = |of: &Method, ty: &str| {
            let field = crossing_field(&of.name);
            format!("func(c *{client}) *typed.Method[{ty}] {{\n\treturn c.{field}\n}}")
        };
        let arguments = crossing.arguments.as_ref().map_or_else(
            || format!("typed.NoArguments[{client}]"),
            |of| method(of, &format!("uint64, {taken}")),
        );
        let (serve, answer) = match &crossing.result {
            Some(of) => (
                "ServeReturning",
                method(of, &format!("typed.Returned[{response}], struct{{}}")),
            ),
            None => ("ServeTaking", self.writer(&service.response)),
        };
        out.line(format_args!(
            "typed.{serve}(served, {}, hosts.{kept}, hosts.connection,",
            quoted(&service.name)
        ));
        let mut passed = vec!["ctx".to_owned()];
        match count {
            0 => {}
            1 => passed.push("v".to_owned()),
            _ => passed.extend((1..=count).map(|place| format!("v.Item{place}"))),
        }
        let called = format!("host.{function}({})", passed.join(", "));
        let returned = match &service.response {
            TypeRef::Unit => format!("return struct{{}}{{}}, {called}"),
            _ => format!("return {called}"),
        };
        let v = if count == 0 { "_" } else { "v" };
        out.indented(|out| {
            let function = format!(
                "func(ctx context.Context, host {}, {v} {taken}) ({response}, error) {{\n\t{returned}\n}}",
                callback.interface
            );
            let all = format!("{arguments},\n{answer},\n{function})");
            all.lines().for_each(|line| out.line(line));
        });
        self.throws(out, service);
    }

    /// What registers a function whose parameters are the last fields of its request.
    fn serve_several(
        &self,
        out: &mut Source,
        service: &Service,
        count: usize,
        before: &[String],
        function: &str,
    ) {
        let names = self.names;
        let (read, write) = (
            self.reader(&service.request),
            self.writer(&service.response),
        );
        let request = names.ty(&service.request);
        let answer = match (&service.response, before) {
            (TypeRef::Unit, []) => "(struct{}, error)".to_owned(),
            (ty, []) => format!("({}, error)", names.ty(ty)),
            (ty, _) => format!("(answer {}, err error)", names.ty(ty)),
        };
        let of_request = match &service.request {
            TypeRef::Ref(number) => match names.shape(*number) {
                Shape::Record(of_request) => fields(&request, of_request).unwrap_or_default(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let mut passed = vec!["ctx".to_owned()];
        let first = of_request.len() - count.min(of_request.len());
        passed.extend(of_request[first..].iter().map(|field| format!("v.{field}")));
        let call = format!("{function}({})", passed.join(", "));
        out.line(format_args!(
            "typed.Serve(served, {}, {read}, {write}, func(ctx context.Context, v {request}) {answer} {{",
            quoted(&service.name)
        ));
        out.indented(|out| {
            before.iter().for_each(|line| out.line(line));
            match &service.response {
                TypeRef::Unit => out.line(format_args!("return struct{{}}{{}}, {call}")),
                _ => out.line(format_args!("return {call}")),
            }
        });
        out.line("})");
        self.throws(out, service);
    }

    /// What has a function's failures reach the plugin with their type.
    fn throws(&self, out: &mut Source, service: &Service) {
        if let Some(error) = service.error {
            out.line(format_args!(
                "typed.Throws(served, {}, {})",
                quoted(&service.name),
                self.writer(&TypeRef::Ref(error))
            ));
        }
    }
}
