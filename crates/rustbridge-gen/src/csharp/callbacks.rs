//! Callbacks: the interfaces that a host implements, what passes and receives implementations, and what registers their functions.

use rustbridge_description::types::TypeRef;

use super::methods::{Callable, about_options, end_of_prose, prose};
use super::names::{CallbackNames, MEMBERS, Names, ObjectNames};
use super::requests::both;
use super::services::Function;
use super::text::{doc, list, quoted};
use crate::client_schema::{Crossing, Kind, Service};
use crate::error::Error;
use crate::form::Form;
use crate::source::Source;

/// The most parameters of .NET's types of functions.
const MOST: usize = 16;

impl<'c> Names<'c> {
    /// The functions of a callback.
    fn callback_functions(&self, names: &CallbackNames<'c>) -> Result<Vec<Function<'c>>, Error> {
        let functions: Vec<&Service> = names.callback.functions.iter().collect();
        let reserved = [MEMBERS, &["Of"]].concat();
        self.functions(&names.callback.name, &functions, &reserved)
    }

    /// The interface of a callback, and the classes of functions that implement it.
    pub(super) fn callback_interface(
        &self,
        out: &mut Source,
        names: &CallbackNames<'c>,
    ) -> Result<(), Error> {
        let CallbackNames {
            callback,
            interface,
            class,
            adapters: [adapter, later_adapter],
            ..
        } = names;
        let functions = self.callback_functions(names)?;
        let about = match &*callback.doc {
            "" => format!("The callback `{}`.", callback.name),
            prose => prose.to_owned(),
        };
        doc(out, "summary", &about);
        doc(
            out,
            "remarks",
            &format!(
                "Pass an implementation to the plugin, which calls it. Implement one of the two methods of each function. A function without either fails with `Unimplemented`. Calls may run concurrently, on the calling thread or on threads of the library. The plugin receives the exceptions as errors. The client keeps an implementation until the plugin releases it. If the plugin returns it, it's the very object. The plugin's own implementations are a `{class}`, which must be disposed of."
            ),
        );
        out.line(format_args!("public interface {interface}"));
        out.line("{");
        out.indented(|out| {
            self.members(out, &functions);
            if let Some([function]) = self.single(&functions) {
                for (ty, adapter) in [
                    (self.function_type(function, false), adapter),
                    (self.function_type(function, true), later_adapter),
                ] {
                    out.gap();
                    out.line("/// <summary>Creates an implementation from a function.</summary>");
                    out.line("/// <param name=\"function\">The function.</param>");
                    out.line("/// <returns>The implementation.</returns>");
                    out.line(format_args!("static {interface} Of({ty} function)"));
                    out.line("{");
                    out.indented(|out| {
                        out.line("global::System.ArgumentNullException.ThrowIfNull(function);");
                        out.line(format_args!("return new {adapter}(function);"));
                    });
                    out.line("}");
                }
            }
        });
        out.line("}");
        let Some([function]) = self.single(&functions) else {
            return Ok(());
        };
        let ty = self.ty(&function.service.response);
        let is_void = function.service.response == TypeRef::Unit;
        for (is_later, adapter) in [(false, adapter), (true, later_adapter)] {
            let (answer, name) = match (is_later, is_void) {
                (false, true) => ("void".to_owned(), &function.name),
                (false, false) => (ty.clone(), &function.name),
                (true, true) => ("ValueTask".to_owned(), &function.later),
                (true, false) => (format!("ValueTask<{ty}>"), &function.later),
            };
            let parameters = function.parameters.iter();
            let mut parameters: Vec<String> = parameters.map(|one| one.declared.clone()).collect();
            let mut passed: Vec<&str> = vec![];
            passed.extend(function.parameters.iter().map(|one| &*one.written));
            if is_later {
                parameters.push("CancellationToken cancellationToken".to_owned());
                passed.push("cancellationToken");
            }
            out.gap();
            out.line(format_args!(
                "/// <summary>A function that implements <see cref=\"{interface}\"/>.</summary>"
            ));
            out.line(format_args!(
                "internal sealed class {adapter} : {interface}"
            ));
            out.line("{");
            out.indented(|out| {
                let function_type = self.function_type(function, is_later);
                out.line(format_args!("private readonly {function_type} _function;"));
                out.gap();
                out.line(format_args!(
                    "internal {adapter}({function_type} function) => _function = function;"
                ));
                out.gap();
                out.line("/// <inheritdoc/>");
                list(
                    out,
                    &format!("public {answer} {name}"),
                    &parameters,
                    &format!(" => _function({});", passed.join(", ")),
                );
            });
            out.line("}");
        }
        Ok(())
    }

    /// The only function, if a function of .NET's can implement it.
    fn single<'f>(&self, functions: &'f [Function<'c>]) -> Option<&'f [Function<'c>; 1]> {
        let one: &[Function<'c>; 1] = functions.try_into().ok()?;
        (one[0].parameters.len() < MOST).then_some(one)
    }

    /// The type of a function that implements another, or one that answers later.
    fn function_type(&self, function: &Function<'_>, is_later: bool) -> String {
        let mut types: Vec<String> = function.parameters.iter().map(|it| it.ty.clone()).collect();
        let response = match &function.service.response {
            TypeRef::Unit => None,
            ty => Some(self.ty(ty)),
        };
        if is_later {
            types.push("CancellationToken".to_owned());
            types.push(match response {
                None => "ValueTask".to_owned(),
                Some(ty) => format!("ValueTask<{ty}>"),
            });
            return format!("Func<{}>", types.join(", "));
        }
        match response {
            Some(ty) => {
                types.push(ty);
                format!("Func<{}>", types.join(", "))
            }
            None if types.is_empty() => "Action".to_owned(),
            None => format!("Action<{}>", types.join(", ")),
        }
    }

    /// Of a parameter: what declares a function in its place, and what makes an implementation of that. None if no function can be.
    pub(super) fn function_for(&self, ty: &TypeRef, parameter: &str) -> Option<(String, String)> {
        let TypeRef::Object(object) = ty else {
            return None;
        };
        let names = self.callback(object)?;
        let functions = self.callback_functions(names).ok()?;
        let [function] = self.single(&functions)?;
        let ty = self.function_type(function, false);
        Some((
            format!("{ty} {parameter}"),
            format!("{}.Of({parameter})", names.interface),
        ))
    }

    /// Writes the class that implements the interface by the methods of the plugin's object.
    pub(super) fn implementation(
        &self,
        out: &mut Source,
        names: &CallbackNames<'c>,
        callables: &[Callable<'_>],
    ) -> Result<(), Error> {
        let interface = &names.interface;
        for function in self.callback_functions(names)? {
            let found = callables
                .iter()
                .find(|it| it.own == function.service.function);
            let Some(Callable {
                name: Some(name),
                awaited,
                ..
            }) = found
            else {
                continue;
            };
            let ty = self.ty(&function.service.response);
            let is_void = function.service.response == TypeRef::Unit;
            let answer = if is_void { "void" } else { &ty };
            let parameters = function.parameters.iter();
            let mut parameters: Vec<String> = parameters.map(|one| one.declared.clone()).collect();
            let passed = function.passed();
            out.gap();
            out.line("/// <inheritdoc/>");
            let head = format!("{answer} {interface}.{}", function.name);
            list(out, &head, &parameters, &format!(" => {name}({passed});"));
            let Some(awaited) = awaited else {
                continue;
            };
            let answer = match is_void {
                true => "ValueTask".to_owned(),
                false => format!("ValueTask<{ty}>"),
            };
            parameters.push("CancellationToken cancellationToken".to_owned());
            let passed = match &*passed {
                "" => "cancellationToken".to_owned(),
                passed => format!("{passed}, cancellationToken"),
            };
            out.gap();
            out.line("/// <inheritdoc/>");
            let head = format!("{answer} {interface}.{}", function.later);
            list(
                out,
                &head,
                &parameters,
                &format!(" => {awaited}({passed});"),
            );
        }
        Ok(())
    }

    /// What passes and receives implementations.
    pub(super) fn callback_codec(&self, out: &mut Source, names: &CallbackNames<'_>, codec: &str) {
        let CallbackNames {
            interface,
            class,
            kept,
            ..
        } = names;
        let client = &self.client;
        out.line(format_args!(
            r#"
/// <summary>Passes and receives <see cref="{interface}"/>.</summary>
internal readonly struct {codec} : IWireCodec<{interface}>
{{
    public static long Least => 4;

    public static void Write(ref WireWriter writer, {interface} value)
    {{
        if (value is {class} own)
        {{
            writer.WriteObject(own.Untyped);
        }}
        else
        {{
            writer.WriteHostObject(value, (({client})writer.Client).{kept});
        }}
    }}

    public static {interface} Read(ref WireReader reader)
    {{
        PluginObject received = reader.ReadObject();
        var client = ({client})reader.Client;
        return client.{kept}.Host(received) ?? new {class}(received, client);
    }}
}}"#
        ));
    }

    /// What registers the functions of callbacks.
    pub(super) fn serving_callbacks(&self, out: &mut Source) -> Result<(), Error> {
        for names in &self.callbacks {
            let CallbackNames {
                callback,
                interface,
                hosts,
                ..
            } = names;
            out.line(format_args!(
                "var {hosts} = services.AddCallback<{interface}>({}, {});",
                quoted(&callback.name),
                quoted(&callback.release)
            ));
            for function in self.callback_functions(names)? {
                if let Some(crossing) = &function.service.crossing {
                    self.add_crossing(out, names, &function, crossing);
                    continue;
                }
                let types: Vec<&str> = function.parameters.iter().map(|one| &*one.ty).collect();
                // On the wire, a tuple inside another is the same as its values.
                let (request, object) = match (&types[..], function.codec(self)) {
                    ([], _) => ("ulong, PlainCodec<ulong>".to_owned(), "request"),
                    ([one], codec) => (
                        format!(
                            "(ulong, ValueTuple<{one}>), TupleCodec<ulong, PlainCodec<ulong>, ValueTuple<{one}>, {codec}>"
                        ),
                        "request.Item1",
                    ),
                    (several, codec) => {
                        let several = several.join(", ");
                        (
                            format!(
                                "(ulong, ({several})), TupleCodec<ulong, PlainCodec<ulong>, ({several}), {codec}>"
                            ),
                            "request.Item1",
                        )
                    }
                };
                let passed = (1..=types.len()).map(|place| format!("request.Item2.Item{place}"));
                let receiver = format!("{hosts}.Get({object})");
                let passed: Vec<String> = passed.collect();
                self.add(out, &function, &request, &receiver, &passed);
            }
        }
        Ok(())
    }

    /// Registers a function whose arguments, or whose result, cross by methods.
    fn add_crossing(
        &self,
        out: &mut Source,
        names: &CallbackNames<'_>,
        function: &Function<'_>,
        crossing: &Crossing,
    ) {
        let Function { service, later, .. } = function;
        let given = match &crossing.arguments {
            Some(method) => both(self, &method.response),
            None => both(self, &TypeRef::Unit),
        };
        let (parameter, mut passed) = match function.parameters.len() {
            0 => ("_", Vec::new()),
            1 => ("given", vec!["given".to_owned()]),
            count => (
                "given",
                (1..=count)
                    .map(|place| format!("given.Item{place}"))
                    .collect(),
            ),
        };
        passed.push("cancellationToken".to_owned());
        let call = format!("host.{later}({})", passed.join(", "));
        let head = format!("(host, {parameter}, cancellationToken) =>");
        let called = match &service.response {
            TypeRef::Unit => format!(
                "async {head}\n{{\n    await {call}.ConfigureAwait(false);\n    return default(ValueTuple);\n}}"
            ),
            _ => format!("{head} {call}"),
        };
        let add = match &crossing.result {
            Some(_) => "AddReturning",
            None => "AddTaking",
        };
        let types = [
            names.interface.clone(),
            given,
            both(self, &service.response),
        ];
        let head = format!("services.{add}<{}>", types.join(", "));
        let mut arguments = vec![names.hosts.clone(), quoted(&service.name), called];
        let class = service.error.map(|error| self.exception_codec(error));
        arguments.extend(class.map(|class| format!("{class}.Write")));
        list(out, &head, &arguments, ";");
    }

    /// What sets the methods by which arguments and results cross, in the client's constructor.
    pub(super) fn set_crossings(&self, out: &mut Source, names: &CallbackNames<'_>) {
        let schema = &self.carried;
        for service in &names.callback.functions {
            let Some(crossing) = &service.crossing else {
                continue;
            };
            let mut arguments = vec![quoted(&service.name)];
            for method in [&crossing.arguments, &crossing.result] {
                arguments.push(method.as_ref().map_or_else(
                    || "null".to_owned(),
                    |method| {
                        format!(
                            "plugin.TypedMethod({}, \"{}\", {schema}.Text, this)",
                            quoted(&method.name),
                            method.fingerprint
                        )
                    },
                ));
            }
            list(out, &format!("{}.Cross", names.kept), &arguments, ";");
        }
    }

    /// The class of the methods that accept functions in place of implementations; none if no method does.
    pub(super) fn functional(&self) -> Result<Option<String>, Error> {
        let mut inside = Source::new("    ");
        inside.indented(|out| {
            for callable in &self.client_callables()? {
                self.functional_methods(out, &self.interface, callable);
            }
            for (object, ObjectNames { class, .. }) in &self.objects {
                for callable in &self.object_callables(object, class)? {
                    self.functional_methods(out, class, callable);
                }
            }
            Ok::<(), Error>(())
        })?;
        let inside = inside.finish();
        if inside.is_empty() {
            return Ok(None);
        }
        let mut out = Source::new("    ");
        doc(
            &mut out,
            "summary",
            &format!(
                "Methods of `{}` that accept functions in place of objects.",
                self.client
            ),
        );
        out.line(format_args!("public static class {}", self.functional));
        out.line("{");
        out.raw(inside.trim_start_matches('\n'));
        out.line("}");
        Ok(Some(out.finish()))
    }

    /// A method, in its forms, with functions in place of implementations.
    fn functional_methods(&self, out: &mut Source, of: &str, callable: &Callable<'_>) {
        let method = callable.method;
        let is_method = callable.form == Form::Method && method.kind == Kind::Unary;
        if !is_method || callable.request.functional(false).is_none() {
            return;
        }
        let mut target = "target".to_owned();
        while callable.request.has(&target) {
            target.push('_');
        }
        let (ty, is_void) = (self.ty(&method.response), method.response == TypeRef::Unit);
        let (answer, later) = match is_void {
            true => ("void".to_owned(), "ValueTask".to_owned()),
            false => (ty.clone(), format!("ValueTask<{ty}>")),
        };
        let nullable = (
            "options",
            about_options(false),
            "CallOptions? options = null",
        );
        let needed = ("options", about_options(true), "CallOptions options");
        let token = (
            "cancellationToken",
            "Cancels the call.",
            "CancellationToken cancellationToken = default",
        );
        let mut forms = Vec::new();
        forms.extend(callable.name.iter().map(|name| (name, &answer, nullable)));
        if let Some(name) = &callable.awaited {
            forms.extend([(name, &later, token), (name, &later, needed)]);
        }
        for (name, answer, (beside, about_beside, declared)) in forms {
            let Some((parameters, mut passed)) =
                callable.request.functional(declared.contains('='))
            else {
                continue;
            };
            let mut all = vec![format!("this {of} {target}")];
            all.extend(parameters);
            all.push(declared.to_owned());
            passed.push(beside.to_owned());
            let mut about = prose(callable);
            about.line(format_args!(
                "/// <param name=\"{target}\">The object that has the method.</param>"
            ));
            about.line(format_args!(
                "/// <param name=\"{beside}\">{about_beside}</param>"
            ));
            end_of_prose(&mut about, (answer != "void").then_some("The response."));
            out.gap();
            out.line(about.finish().trim_end());
            list(out, &format!("public static {answer} {name}"), &all, " =>");
            out.indented(|out| {
                out.line(format_args!("{target}.{name}({});", passed.join(", ")));
            });
        }
    }
}
