//! The methods of the plugin, and of its objects.

use rustbridge_description::types::{Field, TypeRef};

use super::names::{self, Names, raw};
use super::text::{Argument, OUTER, call, doc, head};
use super::trait_names;
use crate::client_schema::{Kind, Method, about_default};
use crate::error::Error;
use crate::names::{Case, METHOD, Scope, alone};
use crate::source::Source;

/// How long the name of a private field is at most.
const KEPT: usize = 40;

/// A method, and what it's called in Rust.
pub(super) struct Callable<'c> {
    pub(super) method: &'c Method,
    /// The method that waits.
    name: String,
    /// The one that is awaited, if there's one.
    awaited: Option<String>,
    /// The field of what is prepared.
    pub(super) kept: String,
}

/// A method's parameters, and what becomes of them.
struct Parameters {
    declared: Vec<String>,
    request: Argument,
}

impl<'c> Callable<'c> {
    /// A method that is prepared without being shown. `kept` are the fields of all of them.
    pub(super) fn kept(method: &'c Method, kept: &mut Vec<String>) -> Callable<'c> {
        let mut field: String = Case::Snake.of(&method.name).chars().take(KEPT).collect();
        while kept.contains(&field)
            || matches!(&*field, "_" | "self" | "super" | "crate" | "callbacks")
        {
            field.push('_');
        }
        kept.push(field.clone());
        Callable {
            method,
            name: String::new(),
            awaited: None,
            kept: raw(field),
        }
    }
}

impl Names<'_> {
    /// The methods of the plugin, or of an object, in their order. `kept` are the fields of all of them.
    pub(super) fn callables(
        &self,
        receiver: &str,
        kept: &mut Vec<String>,
    ) -> Result<Vec<Callable<'_>>, Error> {
        let what = match receiver {
            "" => "the plugin's methods".to_owned(),
            object => format!("the methods of `{object}`"),
        };
        let mut reserved = names::members(!receiver.is_empty());
        reserved.extend(trait_names::members(&self.client_schema.traits(receiver)));
        let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
        let mut callables = Vec::new();
        let here = |method: &&Method| {
            method.is_of(receiver) && !self.client_schema.has_objects_in_items(method)
        };
        for method in self.client_schema.methods.iter().filter(here) {
            let own = method.own_name();
            let name = scope.name(own, Case::Snake)?;
            let is_awaited = match method.kind {
                Kind::Unary => method.is_async,
                Kind::StreamOut => false,
                Kind::StreamIn | Kind::StreamBoth => true,
            };
            let awaited = is_awaited.then(|| format!("{own}_async"));
            callables.push(Callable {
                name: raw(name),
                awaited,
                ..Callable::kept(method, kept)
            });
        }
        for Callable { awaited, .. } in &mut callables {
            if let Some(awaited) = awaited {
                *awaited = scope.joined(awaited, Case::Snake);
            }
        }
        Ok(callables)
    }

    /// What is called by a method's name.
    pub(super) fn methods(
        &self,
        out: &mut Source,
        callables: &[Callable<'_>],
    ) -> Result<(), Error> {
        for callable in callables {
            let method = callable.method;
            let has_objects = self.client_schema.has_objects(method);
            let response = self.ty(&method.response);
            let result = format!(" -> Result<{response}, {}>", self.failure(method));
            let items = match method.error {
                Some(_) => format!(" -> typed::Items<{response}, {}>", self.failure(method)),
                None => format!(" -> typed::Items<{response}>"),
            };
            let source = |of: &str| match &method.items {
                Some(item) => vec![format!("items: impl {of}<Item = {}>", self.ty(item))],
                None => Vec::new(),
            };
            match method.kind {
                Kind::Unary => {
                    let (function, later) = match (method.is_raw, has_objects) {
                        (true, _) => ("call_raw", "call_raw_async"),
                        (false, true) => ("call_with_objects", "call_async"),
                        (false, false) => ("call", "call_async"),
                    };
                    self.method(
                        out,
                        callable,
                        ("fn", &callable.name),
                        &[],
                        &result,
                        function,
                    )?;
                    if let Some(name) = &callable.awaited {
                        self.method(out, callable, ("async fn", name), &[], &result, later)?;
                    }
                }
                Kind::StreamOut => {
                    self.method(out, callable, ("fn", &callable.name), &[], &items, "stream")?;
                }
                Kind::StreamIn => {
                    let sent = source("IntoIterator");
                    self.method(
                        out,
                        callable,
                        ("fn", &callable.name),
                        &sent,
                        &result,
                        "send",
                    )?;
                    if let Some(name) = &callable.awaited {
                        let sent = source("typed::Stream");
                        let kind = ("async fn", &**name);
                        self.method(out, callable, kind, &sent, &result, "send_async")?;
                    }
                }
                Kind::StreamBoth => {
                    let item = method
                        .items
                        .as_ref()
                        .map_or_else(String::new, |ty| self.ty(ty));
                    let iterated = vec![format!(
                        "items: impl Iterator<Item = {item}> + Send + 'static"
                    )];
                    self.method(
                        out,
                        callable,
                        ("fn", &callable.name),
                        &iterated,
                        &items,
                        "exchange",
                    )?;
                    if let Some(name) = &callable.awaited {
                        let mut sent = source("typed::Stream");
                        sent.iter_mut()
                            .for_each(|it| it.push_str(" + Send + 'static"));
                        let kind = ("fn", &**name);
                        self.method(out, callable, kind, &sent, &items, "exchange_async")?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What a method's errors are.
    pub(super) fn failure(&self, method: &Method) -> String {
        match method.error {
            Some(error) => format!("typed::Failure<{}>", self.of(error)),
            None => "Error".to_owned(),
        }
    }

    fn method(
        &self,
        out: &mut Source,
        callable: &Callable<'_>,
        (kind, name): (&str, &str),
        items: &[String],
        result: &str,
        function: &str,
    ) -> Result<(), Error> {
        let method = callable.method;
        let Parameters { declared, request } = self.parameters(method)?;
        out.gap();
        doc(
            out,
            OUTER,
            match &*method.doc {
                "" => "The plugin has no documentation of it.",
                prose => prose,
            },
        );
        self.about_defaults(out, method)?;
        if result.starts_with(" -> Result") {
            out.line(OUTER);
            doc(
                out,
                OUTER,
                "# Errors\nThe plugin's error; or the request can't be sent, or the response can't be read.",
            );
        }
        let (receiver, caller) = match &*method.class {
            "" => ("&self".to_owned(), "self"),
            _ => (format!("client: &{}", self.client), "client"),
        };
        let mut parameters = vec![receiver];
        parameters.extend(declared);
        parameters.extend_from_slice(items);
        head(
            out,
            &format!("pub {kind} {name}"),
            &parameters,
            result,
            " {",
        );
        out.indented(|out| {
            let mut arguments = vec![
                Argument::Plain(format!("&{caller}.0.methods.{}", callable.kept)),
                request,
            ];
            if !items.is_empty() {
                arguments.push(Argument::Plain("items".to_owned()));
            }
            let behind = if kind == "async fn" { ".await" } else { "" };
            call(out, caller, function, &arguments, behind);
        });
        out.line("}");
        Ok(())
    }

    /// The default values of parameters. Rust's callers pass all of them.
    fn about_defaults(&self, out: &mut Source, method: &Method) -> Result<(), Error> {
        let Some(fields) = &method.arguments else {
            return Ok(());
        };
        let types = &self.client_schema.types;
        let names = self.arguments(method, fields)?;
        let about: Vec<String> = fields
            .iter()
            .zip(names)
            .filter_map(|(field, name)| {
                Some(format!("* `{name}`: {}", about_default(types, field)?))
            })
            .collect();
        if !about.is_empty() {
            out.line(OUTER);
            doc(out, OUTER, &about.join("\n"));
        }
        Ok(())
    }

    fn parameters(&self, method: &Method) -> Result<Parameters, Error> {
        if let Some(fields) = &method.arguments {
            let names = self.arguments(method, fields)?;
            let declared = names
                .iter()
                .zip(fields)
                .map(|(name, field)| format!("{name}: {}", self.lent(&field.ty).ty));
            // A field with a default has the wire format of an option.
            let passed = names
                .iter()
                .zip(fields)
                .map(|(name, field)| match field.default {
                    true => format!("Some({name})"),
                    false => name.clone(),
                });
            return Ok(Parameters {
                declared: declared.collect(),
                request: Argument::Tuple(passed.collect()),
            });
        }
        if method.request == TypeRef::Unit {
            let nothing = if method.is_raw { "&[]" } else { "&()" };
            return Ok(Parameters {
                declared: Vec::new(),
                request: Argument::Plain(nothing.to_owned()),
            });
        }
        let lent = self.lent(&method.request);
        let name = match &*method.class {
            "" => parameter(&method.parameter),
            _ => raw(alone(
                &method.parameter,
                Case::Snake,
                &[RESERVED, &["client"]],
            )),
        };
        let declared = vec![format!("{name}: {}", lent.ty)];
        let request = if method.is_raw && method.request == TypeRef::String {
            format!("{name}.as_bytes()")
        } else if lent.is_reference {
            name
        } else {
            format!("&{name}")
        };
        Ok(Parameters {
            declared,
            request: Argument::Plain(request),
        })
    }

    fn arguments(&self, method: &Method, fields: &[Field]) -> Result<Vec<String>, Error> {
        let mut reserved = RESERVED.to_vec();
        if method.items.is_some() {
            reserved.push("items");
        }
        if !method.class.is_empty() {
            reserved.push("client");
        }
        let mut scope = Scope::new(format!("the parameters of `{}`", method.name), &reserved);
        let name = |field: &Field| Ok(raw(scope.name(&field.name, Case::Snake)?));
        fields.iter().map(name).collect()
    }
}

/// What no parameter can be called, not even as a raw identifier.
const RESERVED: &[&str] = &["self", "Self", "super", "crate", "_"];

/// What the only parameter is called.
pub(super) fn parameter(name: &str) -> String {
    raw(alone(name, Case::Snake, &[RESERVED, &["items"]]))
}
