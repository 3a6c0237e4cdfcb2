//! The class of the plugin, those of its objects, and what it asks of its host.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::methods::Callable;
use super::names::{arguments, functions, parameter};
use super::text::{WIDTH, doc, list, quoted, width};
use crate::client_schema::Service;
use crate::error::Error;
use crate::names::{Case, SERVICE};
use crate::source::Source;

/// A group of services: what its interface is called, and its functions.
struct ServiceGroup<'c> {
    functions: Vec<(&'c Service, String)>,
}

impl Codec<'_, '_> {
    pub(super) fn client(&self, out: &mut Source) -> Result<(), Error> {
        let names = self.names;
        let client_schema = names.client_schema;
        let client = &names.client;
        let mut kept = Vec::new();
        let own = names.callables("", &mut kept)?;
        let (mut of_objects, mut hidden) = (Vec::new(), Vec::new());
        for (object, _) in &names.objects {
            of_objects.push(names.callables(object, &mut kept)?);
        }
        for (object, _) in &names.objects {
            hidden.push(names.hidden(object, &mut kept));
        }
        let crossings = client_schema.crossings();
        let crossings: Vec<Callable<'_>> = crossings
            .map(|method| Callable::hidden(method, &mut kept))
            .collect();
        let given = self.given()?;
        let mut about = match &*client_schema.doc {
            "" => format!(
                "The typed methods of the plugin `{}`.",
                client_schema.plugin
            ),
            prose => prose.to_owned(),
        };
        let left_out = client_schema.left_out();
        if !left_out.is_empty() {
            about.push_str(&format!(
                "\n\nWithout a method here, because they have no types or are streams of objects: {}.",
                left_out.join(", ")
            ));
        }
        let has_statics = |callables: &Vec<Callable<'_>>| callables.iter().any(Callable::is_static);
        let has_functions = of_objects.iter().any(has_statics);
        if has_functions {
            out.line(
                "/** Returns a client's methods, for the static functions of objects' classes. */",
            );
            out.line(format_args!(
                "let methodsOf: (client: {client}) => Methods;"
            ));
            out.gap();
        }
        doc(out, &about);
        out.line(format_args!("export class {client} {{"));
        out.indented(|out| {
            if has_functions {
                out.line("static {");
                out.indented(|out| out.line("methodsOf = (client) => client.#methods;"));
                out.line("}");
                out.gap();
            }
            self.lifecycle(out, &given, has_functions || !own.is_empty());
            self.methods(out, &own, false)
        })?;
        out.line("}");
        for (((object, class), callables), hidden) in
            names.objects.iter().zip(&of_objects).zip(&hidden)
        {
            out.gap();
            let callback = names.callback(object);
            let about = match callback {
                None => "an object in the plugin, which messages can contain",
                Some(_) => "an implementation of the plugin",
            };
            doc(
                out,
                &format!("A `{object}`: {about}. Release it by `close` or `using`."),
            );
            let implements =
                callback.map_or_else(String::new, |it| format!("implements {} ", it.interface));
            out.line(format_args!("export class {class} {implements}{{"));
            out.indented(|out| {
                out.line("/** The object without its type. */");
                out.line("readonly untyped: wire.PluginObject;");
                // Functions of the class don't need it.
                let is_called = !callables.iter().chain(hidden).all(Callable::is_static);
                if is_called {
                    out.line("readonly #methods: Methods;");
                }
                out.gap();
                out.line("/** @internal */");
                let methods = if is_called { "methods" } else { "_methods" };
                out.line(format_args!(
                    "constructor(untyped: wire.PluginObject, {methods}: Methods) {{"
                ));
                out.indented(|out| {
                    out.line("this.untyped = untyped;");
                    if is_called {
                        out.line("this.#methods = methods;");
                    }
                });
                out.line(
                    r#"}

/** Releases the object. The plugin drops it when no call uses it any more. */
close(): void {
  this.untyped.close();
}

[Symbol.dispose](): void {
  this.close();
}"#,
                );
                self.methods(out, callables, true)?;
                let all: Vec<&Callable<'_>> = callables.iter().chain(hidden).collect();
                self.operations(out, object, class, &all);
                Ok::<(), Error>(())
            })?;
            out.line("}");
        }
        self.interfaces(out, &given)?;
        self.callback_interfaces(out)?;
        for (error, failure) in &names.failures {
            if names.client_schema.imported_exception(*error).is_some() {
                continue;
            }
            let of = &names.of(*error).name;
            out.gap();
            out.line(format_args!(
                "/** The error of a call that failed with a {{@link {of}}}, which is its `reason`. */"
            ));
            out.line(format_args!(
                "export class {failure} extends wire.Failure<{of}> {{}}"
            ));
        }
        out.gap();
        let of_objects = of_objects.iter().chain(&hidden).flatten();
        let all: Vec<_> = own.iter().chain(of_objects).chain(&crossings).collect();
        self.prepared(out, &all);
        self.callbacks(out, &crossings)?;
        if !given.is_empty() || !names.callbacks.is_empty() {
            out.gap();
            self.serving(out, &given)?;
        }
        Ok(())
    }

    fn given(&self) -> Result<Vec<ServiceGroup<'_>>, Error> {
        let mut given = Vec::new();
        for (group, _, _) in &self.names.groups {
            let mut scope =
                functions(format!("the services of `{}`", group.name)).renamed_by(SERVICE);
            let mut functions = Vec::new();
            for service in &group.services {
                functions.push((*service, scope.name(&service.function, Case::Camel)?));
            }
            given.push(ServiceGroup { functions });
        }
        Ok(given)
    }

    /// How a client begins and ends. If no method of it uses the plugin's methods, it only creates them, which checks the client schema.
    fn lifecycle(&self, out: &mut Source, given: &[ServiceGroup<'_>], keeps_methods: bool) {
        let client = &self.names.client;
        let is_asked = !given.is_empty();
        let has_callbacks = !self.names.callbacks.is_empty();
        let is_needed = self.names.groups.iter().any(|(group, ..)| !group.optional);
        let options = match (is_asked, is_needed) {
            (false, _) => "options: wire.LoadOptions = {}",
            (true, false) => "options: wire.LoadOptions & { host?: Services } = {}",
            (true, true) => "options: wire.LoadOptions & { host: Services }",
        };
        out.line(
            r#"/** The plugin's instance. */
readonly plugin: wire.Plugin;
readonly #isOwned: boolean;"#,
        );
        if keeps_methods {
            out.line("readonly #methods: Methods;");
        }
        out.gap();
        let mut parameters = vec![
            "plugin: wire.Plugin".to_owned(),
            "isOwned: boolean".to_owned(),
        ];
        let objects = match has_callbacks {
            true => {
                parameters.push("objects?: wire.CallbackObjects".to_owned());
                ", objects"
            }
            false => "",
        };
        list(out, "private constructor(", &parameters, ") {");
        let kept = if keeps_methods {
            "this.#methods = "
        } else {
            ""
        };
        out.line(format_args!(
            r#"  this.plugin = plugin;
  this.#isOwned = isOwned;
  {kept}new Methods(plugin{objects});
}}"#
        ));
        for (is_async, about) in [
            (false, "Loads the plugin. It's closed with the client."),
            (
                true,
                "Like `load`, on another thread, without blocking the event loop.",
            ),
        ] {
            out.gap();
            out.line(format_args!("/** {about} */"));
            let (head, wait, ending, function) = match is_async {
                false => ("static load(", "", client.clone(), "load"),
                true => (
                    "static async loadAsync(",
                    "await ",
                    format!("Promise<{client}>"),
                    "loadAsync",
                ),
            };
            out.line(head);
            out.indented(|out| {
                out.line(match self.names.packaged {
                    None => "source: string | URL | Uint8Array,",
                    Some(_) => "source: string | URL | Uint8Array = packagedLibrary(),",
                });
                out.line(format_args!("{options},"));
            });
            out.line(format_args!("): {ending} {{"));
            out.indented(|out| {
                let given = match (is_asked, has_callbacks) {
                    (false, false) => "options",
                    (true, false) => "serving(options, options.host)",
                    (false, true) => "serving(options, objects)",
                    (true, true) => "serving(options, objects, options.host)",
                };
                if has_callbacks {
                    out.line("const objects = new wire.CallbackObjects(CALLBACKS);");
                }
                let line = format!("const plugin = {wait}wire.{function}(source, {given});");
                if out.column() + line.len() <= WIDTH {
                    out.line(line);
                } else {
                    out.line(format_args!("const plugin = {wait}wire.{function}("));
                    out.indented(|out| {
                        out.line("source,");
                        out.line(format_args!("{given},"));
                    });
                    out.line(");");
                }
                out.line(format_args!(
                    r#"try {{
  return new {client}(plugin, true{objects});
}} catch (error) {{
  plugin.closeSync();
  throw error;
}}"#
                ));
            });
            out.line("}");
        }
        out.gap();
        out.line(format_args!(
            r#"/**
 * Creates a client of a loaded instance. Closing the client doesn't close the
 * instance. If the plugin doesn't match, the error names the differences.
 */
static of(plugin: wire.Plugin): {client} {{
  return new {client}(plugin, false);
}}

/** Closes the plugin if the client loaded it. */
async close(options?: wire.CloseOptions): Promise<void> {{
  if (this.#isOwned) {{
    await this.plugin.close(options);
  }}
}}

[Symbol.dispose](): void {{
  if (this.#isOwned) {{
    this.plugin.closeSync();
  }}
}}

async [Symbol.asyncDispose](): Promise<void> {{
  await this.close();
}}"#
        ));
    }

    /// What the host implements.
    fn interfaces(&self, out: &mut Source, given: &[ServiceGroup<'_>]) -> Result<(), Error> {
        if given.is_empty() {
            return Ok(());
        }
        for ((group, interface, _), ServiceGroup { functions }) in
            self.names.groups.iter().zip(given)
        {
            out.gap();
            doc(
                out,
                &format!(
                    "The host's services `{}`, which the plugin calls.\n\nThe plugin receives the exceptions as errors. A function that returns a promise is for asynchronous calls only.",
                    group.name
                ),
            );
            out.line(format_args!("export interface {interface} {{"));
            out.indented(|out| {
                for (service, function) in functions {
                    self.function(out, service, function, "call: wire.ServiceCall")?;
                }
                Ok::<(), Error>(())
            })?;
            out.line("}");
        }
        out.gap();
        out.line("/** The implementations of the host's services, for loading. */");
        out.line("export interface Services {");
        out.indented(|out| {
            for (group, interface, field) in &self.names.groups {
                match group.optional {
                    true => out.line(format_args!("{field}?: {interface} | undefined;")),
                    false => out.line(format_args!("{field}: {interface};")),
                }
            }
        });
        out.line("}");
        Ok(())
    }

    /// A function of an interface that the host implements.
    pub(super) fn function(
        &self,
        out: &mut Source,
        service: &Service,
        function: &str,
        call: &str,
    ) -> Result<(), Error> {
        let about = match &*service.doc {
            "" => format!("`{}`.", service.name),
            prose => prose.to_owned(),
        };
        doc(out, &about);
        let mut parameters = Vec::new();
        match &service.arguments {
            Some(fields) => {
                for (field, name) in fields.iter().zip(arguments(&service.name, fields)?) {
                    parameters.push(format!("{name}: {}", self.names.ty(&field.ty)));
                }
            }
            None if service.request == TypeRef::Unit => {}
            None => {
                let name = parameter(&service.parameter);
                parameters.push(format!("{name}: {}", self.names.ty(&service.request)));
            }
        }
        parameters.push(call.to_owned());
        let answer = match &service.response {
            TypeRef::Unit => "void | PromiseLike<void>".to_owned(),
            ty => {
                let ty = self.names.ty(ty);
                format!("{ty} | PromiseLike<{ty}>")
            }
        };
        list(
            out,
            &format!("{function}("),
            &parameters,
            &format!("): {answer};"),
        );
        Ok(())
    }

    /// A service that calls a function of `called`. A callback's function follows the number of the object.
    pub(super) fn served(
        &self,
        service: &Service,
        called: &str,
        is_callback: bool,
    ) -> Result<Vec<String>, Error> {
        let (read, pattern, passed) = match &service.arguments {
            Some(fields) => {
                let names = arguments(&service.name, fields)?;
                let number = is_callback.then_some(TypeRef::U64);
                let types = fields.iter().map(|field| field.ty.clone());
                let types: Vec<TypeRef> = number.into_iter().chain(types).collect();
                let object = is_callback.then(|| "object".to_owned());
                let pattern: Vec<String> = object.into_iter().chain(names.clone()).collect();
                let pattern = format!("[{}]", pattern.join(", "));
                (self.of(&TypeRef::Tuple(types)), pattern, names)
            }
            None if service.request == TypeRef::Unit => {
                ("wire.unit".to_owned(), "_".to_owned(), Vec::new())
            }
            None => {
                let request = "request".to_owned();
                (self.of(&service.request), request.clone(), vec![request])
            }
        };
        let passed: Vec<String> = passed.into_iter().chain(["call".to_owned()]).collect();
        let mut call = format!("{called}({})", passed.join(", "));
        if service.response == TypeRef::Unit {
            call = format!("wire.nothing({call})");
        }
        let call = format!("({pattern}, call) => {call}");
        let write = self.of(&service.response);
        let mut arguments = vec![quoted(&service.name), call, read, write];
        if let Some(error) = service.error {
            let codec = self.of(&TypeRef::Ref(error));
            arguments.push(format!("[{}, {codec}]", self.names.failures[&error]));
        }
        Ok(arguments)
    }

    /// What registers the services that are given, and those of callbacks.
    fn serving(&self, out: &mut Source, given: &[ServiceGroup<'_>]) -> Result<(), Error> {
        let mut parameters = vec!["options: wire.LoadOptions".to_owned()];
        if !self.names.callbacks.is_empty() {
            parameters.push("objects: wire.CallbackObjects".to_owned());
        }
        if !given.is_empty() {
            parameters.push("host: Services | undefined".to_owned());
        }
        list(
            out,
            "function serving(",
            &parameters,
            "): wire.LoadOptions {",
        );
        out.indented(|out| {
            out.line(match self.names.callbacks.is_empty() {
                true => "const all: wire.Served[] = [];",
                false => "const all: wire.Served[] = objects.served();",
            });
            for ((group, _, field), ServiceGroup { functions }) in
                self.names.groups.iter().zip(given)
            {
                if group.optional {
                    out.line(format_args!("const {field} = host?.{field};"));
                    out.line(format_args!("if ({field} !== undefined) {{"));
                } else {
                    out.line(format_args!("const {field} = host?.{field};"));
                    out.line(format_args!("if ({field} === undefined) {{"));
                    let text = quoted(&format!(
                        "the plugin requires the services `{}`: pass them when loading",
                        group.name
                    ));
                    out.indented(|out| out.line(format_args!("throw new TypeError({text});")));
                    out.line("}");
                }
                let each = |out: &mut Source| -> Result<(), Error> {
                    let names: Vec<String> =
                        functions.iter().map(|(_, name)| quoted(name)).collect();
                    list(
                        out,
                        &format!("wire.implemented({field}, {}, [", quoted(field)),
                        &names,
                        "]);",
                    );
                    for (service, function) in functions {
                        let called = format!("{field}.{function}");
                        let arguments = self.served(service, &called, false)?;
                        let line = format!("all.push(wire.served({}));", arguments.join(", "));
                        if out.column() + width(&line) <= WIDTH {
                            out.line(line);
                            continue;
                        }
                        out.line("all.push(");
                        out.indented(|out| list(out, "wire.served(", &arguments, "),"));
                        out.line(");");
                    }
                    Ok(())
                };
                match group.optional {
                    true => {
                        out.indented(each)?;
                        out.line("}");
                    }
                    false => each(out)?,
                }
            }
            out.line("return wire.serving(options, CLIENT_SCHEMA, all);");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }
}
