//! The methods of the plugin, and of its objects.
//!
//! Constructors and associated functions are static functions of an object's class, named as in the plugin: `Sprite.new` returns a
//! promise, and `Sprite.newSync` blocks. There's no `new Sprite(..)`: a constructor of JavaScript can't return a promise, and what blocks
//! the event loop is called `..Sync` here.
//!
//! For the same reason properties are methods, `spot()` and `setSpot(..)` with `spotSync()` and `setSpotSync(..)`: an accessor would
//! block the event loop where it's least expected, and a setter couldn't return a promise whose error is to be awaited.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{
    CALLBACK_MEMBERS, MEMBERS, Names, own_parameter, parameters, properties, statics,
};
use super::text::{WIDTH, broken, doc, list, quoted, width};
use super::trait_names;
use crate::client_schema::{Kind, Method, first_optional};
use crate::error::Error;
use crate::names::{Case, METHOD, Scope};
use crate::source::Source;

/// A method, and what it's called in TypeScript.
pub(super) struct Callable<'c> {
    pub(super) method: &'c Method,
    /// What gives a promise, or a stream.
    name: String,
    /// What waits, if there's one.
    waits: Option<String>,
    /// The property of what is prepared.
    pub(super) kept: String,
}

impl<'c> Callable<'c> {
    /// A method that is prepared without being shown. `kept` are the properties of all of them.
    pub(super) fn hidden(method: &'c Method, kept: &mut Vec<String>) -> Callable<'c> {
        let mut field = Case::Camel.of(&method.name);
        while kept.contains(&field) {
            field.push('_');
        }
        kept.push(field.clone());
        Callable {
            method,
            name: String::new(),
            waits: None,
            kept: field,
        }
    }

    /// Reports whether it's a static function: a constructor or an associated function.
    pub(super) fn is_static(&self) -> bool {
        !self.method.class.is_empty()
    }
}

impl Names<'_> {
    /// The methods of the plugin, or of an object, in their order. `kept` are the properties of all of them.
    pub(super) fn callables(
        &self,
        receiver: &str,
        kept: &mut Vec<String>,
    ) -> Result<Vec<Callable<'_>>, Error> {
        let what = match receiver {
            "" => "the plugin's methods".to_owned(),
            object => format!("the methods of `{object}`"),
        };
        let mut reserved = match self.callback(receiver) {
            Some(_) => CALLBACK_MEMBERS.to_vec(),
            None => MEMBERS.to_vec(),
        };
        reserved.extend(trait_names::members(&self.client_schema.traits(receiver)));
        let scope = Scope::new(what, &reserved);
        let mut scope = scope.renamed_by(METHOD);
        let mut statics = statics(format!("the functions of `{receiver}`")).renamed_by(METHOD);
        let mut callables = Vec::new();
        let here = |method: &&Method| {
            method.is_of(receiver) && !self.client_schema.has_objects_in_items(method)
        };
        for method in self.client_schema.methods.iter().filter(here) {
            let own = method.own_name();
            let scope = if method.class.is_empty() {
                &mut scope
            } else {
                &mut statics
            };
            let name = scope.name(own, Case::Camel)?;
            let is_waited = method.kind == Kind::Unary && !method.is_async;
            let waits = is_waited.then(|| format!("{own}_sync"));
            let mut field = Case::Camel.of(&method.name);
            while kept.contains(&field) || field == "constructor" {
                field.push('_');
            }
            kept.push(field.clone());
            callables.push(Callable {
                method,
                name,
                waits,
                kept: field,
            });
        }
        for Callable { method, waits, .. } in &mut callables {
            if let Some(waits) = waits {
                let scope = if method.class.is_empty() {
                    &mut scope
                } else {
                    &mut statics
                };
                *waits = scope.joined(waits, Case::Camel);
            }
        }
        Ok(callables)
    }
}

impl Codec<'_, '_> {
    /// The class of what is prepared.
    pub(super) fn prepared<'c>(&self, out: &mut Source, all: &[&'c Callable<'c>]) {
        out.line("/** The methods, made ready. */");
        out.line("class Methods {");
        out.indented(|out| {
            for Callable { method, kept, .. } in all {
                let mut types = vec![self.names.ty(&method.request)];
                types.extend(method.items.as_ref().map(|items| self.names.ty(items)));
                types.push(self.names.ty(&method.response));
                let class = if method.items.is_some() {
                    "StreamingMethod"
                } else {
                    "Method"
                };
                let ty = format!("wire.Typed{class}<{}>", types.join(", "));
                broken(out, &format!("readonly {kept}: "), &ty, ";");
            }
            let has_callbacks = !self.names.callbacks.is_empty();
            if has_callbacks {
                out.line("readonly $callbacks: wire.Callbacks<Methods>;");
            }
            if !all.is_empty() || has_callbacks {
                out.gap();
            }
            if has_callbacks {
                let parameters = [
                    "plugin: wire.Plugin".to_owned(),
                    "objects?: wire.CallbackObjects".to_owned(),
                ];
                list(out, "constructor(", &parameters, ") {");
            } else {
                out.line(match all.is_empty() {
                    true => "constructor(_plugin: wire.Plugin) {}",
                    false => "constructor(plugin: wire.Plugin) {",
                });
            }
            if all.is_empty() && !has_callbacks {
                return;
            }
            out.indented(|out| {
                if has_callbacks {
                    let arguments = ["this", "plugin", "CLIENT_SCHEMA", "CALLBACKS", "objects"];
                    let arguments = arguments.map(str::to_owned);
                    list(out, "this.$callbacks = wire.callbacks(", &arguments, ");");
                }
                for Callable { method, kept, .. } in all {
                    let mut arguments = vec![
                        "plugin".to_owned(),
                        "CLIENT_SCHEMA".to_owned(),
                        quoted(&method.name),
                        quoted(&method.fingerprint.to_string()),
                        self.side(&method.request, method.takes_raw()),
                    ];
                    arguments.extend(method.items.as_ref().map(|items| self.of(items)));
                    arguments.push(self.side(&method.response, method.gives_raw()));
                    let mut also = Vec::new();
                    if self.names.client_schema.has_objects(method) {
                        also.push("client: this".to_owned());
                    }
                    if let Some(error) = method.error {
                        let codec = self.of(&TypeRef::Ref(error));
                        also.push(format!(
                            "raise: wire.fails({}, {codec})",
                            self.names.failures[&error]
                        ));
                    }
                    let class = if method.items.is_some() {
                        "StreamingMethod"
                    } else {
                        "Method"
                    };
                    if !also.is_empty() {
                        arguments.push(format!("{{ {} }}", also.join(", ")));
                    }
                    list(
                        out,
                        &format!("this.{kept} = new wire.Typed{class}("),
                        &arguments,
                        ");",
                    );
                }
            });
            out.line("}");
        });
        out.line("}");
    }

    /// What is called by a method's name.
    pub(super) fn methods(
        &self,
        out: &mut Source,
        callables: &[Callable<'_>],
        is_object: bool,
    ) -> Result<(), Error> {
        for callable in callables {
            out.gap();
            self.method(out, callable, &callable.name, false, is_object)?;
            if let Some(name) = &callable.waits {
                out.gap();
                self.method(out, callable, name, true, is_object)?;
            }
        }
        Ok(())
    }

    fn method(
        &self,
        out: &mut Source,
        callable: &Callable<'_>,
        name: &str,
        waits: bool,
        is_object: bool,
    ) -> Result<(), Error> {
        let Callable { method, kept, .. } = callable;
        let names = self.names;
        let (mut parameters, request) = self.parameters(method)?;
        let mut arguments = vec![request];
        if let Some(items) = &method.items {
            let item = names.ty(items);
            parameters.push(format!("items: Iterable<{item}> | AsyncIterable<{item}>"));
            arguments.push("items".to_owned());
        }
        let response = names.ty(&method.response);
        let (function, result, options) = match (method.kind, waits) {
            (Kind::Unary, true) => ("callSync", response, "CallOptions"),
            (Kind::Unary, false) => ("call", format!("Promise<{response}>"), "CallOptions"),
            (Kind::StreamIn, _) => ("send", format!("Promise<{response}>"), "CallOptions"),
            (Kind::StreamOut, _) => ("stream", format!("wire.Items<{response}>"), "StreamOptions"),
            (Kind::StreamBoth, _) => (
                "exchange",
                format!("wire.Items<{response}>"),
                "StreamOptions",
            ),
        };
        parameters.push(format!("options?: wire.{options}"));
        arguments.push("options".to_owned());
        let is_static = callable.is_static();
        if is_object && !is_static {
            arguments.push("this.untyped".to_owned());
        }
        let (head_name, methods) = match is_static {
            true => {
                parameters.insert(0, format!("client: {}", names.client));
                (format!("static {name}"), "methodsOf(client)")
            }
            false => (name.to_owned(), "this.#methods"),
        };
        let about = match (&*method.doc, waits) {
            ("", _) => format!("Calls the plugin's method `{}`.", method.name),
            (prose, _) => prose.to_owned(),
        };
        let about = match waits {
            true => format!("{about}\n\nBlocks the event loop until the call has completed."),
            false => about,
        };
        let about = match method.error {
            Some(error) => format!(
                "{about}\n\nMay fail with a {{@link {}}}.",
                names.failures[&error]
            ),
            None => about,
        };
        doc(out, &about);
        head(out, &head_name, &parameters, &result);
        out.indented(|out| {
            list(
                out,
                &format!("return {methods}.{kept}.{function}("),
                &arguments,
                ");",
            )
        });
        out.line("}");
        Ok(())
    }

    /// What a method takes of the plugin's, and what becomes of it.
    fn parameters(&self, method: &Method) -> Result<(Vec<String>, String), Error> {
        let names = self.names;
        match (&method.request, &method.arguments) {
            (TypeRef::Ref(number), Some(fields)) => {
                let of = &names.of(*number).name;
                let called = parameters(method, fields)?;
                // What may be left out is followed by nothing that may not.
                let first = match method.items {
                    None => first_optional(fields),
                    Some(_) => fields.len(),
                };
                let (mut declared, mut passed) = (Vec::new(), Vec::new());
                let both = called.iter().zip(properties(of, fields, &[])?);
                for (place, (field, (name, property))) in fields.iter().zip(both).enumerate() {
                    let declaration = names.property(name, field);
                    declared.push(match (names.default_of(field), place < first) {
                        (Some(_), true) => format!("{name}: {}", names.ty(&field.ty)),
                        (Some(value), false) => {
                            format!("{name}: {} = {value}", names.ty(&field.ty))
                        }
                        (None, true) => declaration.replacen("?: ", ": ", 1),
                        (None, false) => declaration,
                    });
                    passed.push(match *name == property {
                        true => property,
                        false => format!("{property}: {name}"),
                    });
                }
                Ok((declared, format!("{{ {} }}", passed.join(", "))))
            }
            (TypeRef::Unit, _) => Ok((Vec::new(), "undefined".to_owned())),
            (request, _) => {
                let name = own_parameter(method);
                let mark = match method.is_optional() && method.items.is_none() {
                    true => "?",
                    false => "",
                };
                Ok((vec![format!("{name}{mark}: {}", names.ty(request))], name))
            }
        }
    }
}

/// A method up to its body.
fn head(out: &mut Source, name: &str, parameters: &[String], result: &str) {
    let line = format!("{name}({}): {result} {{", parameters.join(", "));
    if out.column() + width(&line) <= WIDTH {
        out.line(line);
        return;
    }
    out.line(format_args!("{name}("));
    out.indented(|out| {
        parameters
            .iter()
            .for_each(|one| out.line(format_args!("{one},")))
    });
    broken(out, "): ", result, " {");
}
