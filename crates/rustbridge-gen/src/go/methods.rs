//! The methods of the plugin, and of its objects.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{ExportedScope, Names, crossing_field, letters, unexported};
use super::records::prose;
use super::text::{doc, quoted};
use super::trait_names;
use crate::client_schema::{Kind, Method};
use crate::error::Error;
use crate::names::{Case, METHOD};
use crate::source::Source;

/// The most values that a method gives one by one.
const RESULTS: usize = 3;

/// A method, and what it's called in Go.
pub(super) struct Callable<'c> {
    pub(super) method: &'c Method,
    /// The name of the method, or of the package's function.
    pub(super) name: String,
    /// The client's field of what is prepared.
    pub(super) kept: String,
}

/// Whose methods they are.
#[derive(Clone, Copy)]
pub(super) enum Owner<'o> {
    Plugin,
    /// An object's: what its struct is called.
    Object(&'o str),
    /// The same of a callback, whose methods are those of the interface.
    Callback(&'o str),
}

impl Names<'_> {
    /// The methods of the plugin, or of an object, in their order. `taken` is what there is besides, `kept` are the fields of all of them.
    pub(super) fn callables(
        &self,
        receiver: &str,
        taken: &[&str],
        kept: &mut Vec<String>,
    ) -> Result<Vec<Callable<'_>>, Error> {
        let what = match receiver {
            "" => "the plugin's methods".to_owned(),
            object => format!("the methods of `{object}`"),
        };
        let of_traits = trait_names::members(&self.client_schema.traits(receiver));
        let taken: Vec<&str> = taken.iter().copied().chain(of_traits).collect();
        let mut scope = ExportedScope::new(what, &taken).renamed_by(METHOD);
        let mut callables = Vec::new();
        let here = |method: &&Method| {
            method.is_of(receiver) && !self.client_schema.has_objects_in_items(method)
        };
        for method in self.client_schema.methods.iter().filter(here) {
            let mut field = unexported(&method.name);
            while kept.contains(&field) {
                field.push('_');
            }
            kept.push(field.clone());
            let name = match self.functions.get(&*method.name) {
                Some(function) => function.clone(),
                None => scope.name(method.own_name())?,
            };
            callables.push(Callable {
                method,
                name,
                kept: field,
            });
        }
        Ok(callables)
    }
}

impl Codec<'_, '_> {
    /// The type of what is prepared.
    pub(super) fn prepared_type(&self, method: &Method) -> String {
        let (request, response) = (
            self.names.ty(&method.request),
            self.names.ty(&method.response),
        );
        match &method.items {
            None => format!("*typed.Method[{request}, {response}]"),
            Some(items) => format!(
                "*typed.StreamingMethod[{request}, {}, {response}]",
                self.names.ty(items)
            ),
        }
    }

    /// What prepares a method.
    pub(super) fn prepared(&self, out: &mut Source, callable: &Callable<'_>) {
        let Callable { method, kept, .. } = callable;
        let mut arguments = vec![
            "p".to_owned(),
            quoted(&method.name),
            quoted(&method.fingerprint.to_string()),
            match (method.takes_raw(), &method.request) {
                (true, TypeRef::String) => "(*wire.Writer).RawText".to_owned(),
                (true, _) => "(*wire.Writer).Raw".to_owned(),
                (false, request) => self.writer(request),
            },
        ];
        arguments.extend(method.items.as_ref().map(|items| self.writer(items)));
        arguments.push(match (method.gives_raw(), &method.response) {
            (true, TypeRef::String) => "(*wire.Reader).RestText".to_owned(),
            (true, _) => "(*wire.Reader).Rest".to_owned(),
            (false, response) => self.reader(response),
        });
        let function = match method.items {
            None => "typed.Prepare",
            Some(_) => "typed.PrepareStreaming",
        };
        out.line(format_args!(
            "c.{kept} = {function}({})",
            arguments.join(", ")
        ));
        if self.names.client_schema.has_objects(method) {
            out.line(format_args!("c.{kept}.WithObjects()"));
        }
        if let Some(error) = method.error {
            let read = self.reader(&TypeRef::Ref(error));
            out.line(format_args!("c.{kept}.FailsWith(typed.Fails({read}))"));
        }
    }

    /// The type of a prepared method by which arguments or a result cross.
    pub(super) fn crossing_type(&self, method: &Method) -> String {
        match returned(method) {
            Some(result) => format!(
                "*typed.Method[typed.Returned[{}], struct{{}}]",
                self.names.ty(result)
            ),
            None => format!("*typed.Method[uint64, {}]", self.names.ty(&method.response)),
        }
    }

    /// What prepares such a method.
    pub(super) fn prepared_crossing(&self, out: &mut Source, method: &Method) {
        let (function, codec) = match returned(method) {
            Some(result) => ("PrepareReturn", self.writer(result)),
            None => ("PrepareArguments", self.reader(&method.response)),
        };
        out.line(format_args!(
            "c.{} = typed.{function}(p, {}, \"{}\", {codec})",
            crossing_field(&method.name),
            quoted(&method.name),
            method.fingerprint
        ));
    }

    /// What is called by a method's name.
    pub(super) fn methods(
        &self,
        out: &mut Source,
        of: Owner<'_>,
        callables: &[Callable<'_>],
    ) -> Result<(), Error> {
        for callable in callables {
            out.gap();
            self.method(out, of, callable)?;
        }
        Ok(())
    }

    fn method(
        &self,
        out: &mut Source,
        of: Owner<'_>,
        callable: &Callable<'_>,
    ) -> Result<(), Error> {
        let Callable { method, name, kept } = callable;
        let names = self.names;
        let mut about = prose(&method.doc, || {
            format!("{name} calls the plugin's method `{}`.", method.name)
        });
        let (mut parameters, request) = self.parameters(method, &mut about)?;
        let is_function = !method.class.is_empty();
        if is_function {
            parameters.insert(0, format!("client *{}", names.client));
        }
        parameters.insert(0, "ctx context.Context".to_owned());
        if let Some(items) = &method.items {
            parameters.push(format!("items iter.Seq2[{}, error]", names.ty(items)));
        }
        about.push_str(&names.about_failure(method));
        doc(out, &about);
        let (receiver, field, object) = match of {
            _ if is_function => (String::new(), format!("client.{kept}"), "nil"),
            Owner::Plugin => (
                format!("(c *{}) ", names.client),
                format!("c.{kept}"),
                "nil",
            ),
            Owner::Object(class) | Owner::Callback(class) => (
                format!("(c *{class}) "),
                format!("c.client.{kept}"),
                "c.object",
            ),
        };
        let head = format!("func {receiver}{name}({})", parameters.join(", "));
        let items = if method.items.is_some() {
            ", items"
        } else {
            ""
        };
        let response = names.ty(&method.response);
        let call = match method.kind {
            Kind::StreamOut | Kind::StreamBoth => {
                let function = if method.items.is_some() {
                    "Exchange"
                } else {
                    "Stream"
                };
                out.line(format_args!("{head} iter.Seq2[{response}, error] {{"));
                out.indented(|out| {
                    out.line(format_args!(
                        "return {field}.{function}(ctx, {object}, {request}{items})"
                    ));
                });
                out.line("}");
                return Ok(());
            }
            Kind::StreamIn => format!("{field}.Send(ctx, {object}, {request}, items)"),
            Kind::Unary if object == "nil" => format!("{field}.Call(ctx, {request})"),
            Kind::Unary => format!("{field}.CallOn(ctx, {object}, {request})"),
        };
        match &method.response {
            TypeRef::Unit => {
                out.line(format_args!("{head} error {{"));
                out.indented(|out| {
                    out.line(format_args!("_, err := {call}"));
                    out.line("return err");
                });
            }
            TypeRef::Tuple(types)
                if (2..=RESULTS).contains(&types.len()) && !matches!(of, Owner::Callback(_)) =>
            {
                let results: Vec<String> = types.iter().map(|ty| names.ty(ty)).collect();
                let values: Vec<String> = (1..=types.len())
                    .map(|place| format!("v.Item{place}"))
                    .collect();
                out.line(format_args!("{head} ({}, error) {{", results.join(", ")));
                out.indented(|out| {
                    out.line(format_args!("v, err := {call}"));
                    out.line(format_args!("return {}, err", values.join(", ")));
                });
            }
            _ => {
                out.line(format_args!("{head} ({response}, error) {{"));
                out.indented(|out| out.line(format_args!("return {call}")));
            }
        }
        out.line("}");
        Ok(())
    }

    /// What a method takes of the plugin's, and what becomes of it. What is said of parameters goes behind what is said of the method.
    fn parameters(
        &self,
        method: &Method,
        about: &mut String,
    ) -> Result<(Vec<String>, String), Error> {
        let names = self.names;
        // A package's function has the client among its parameters.
        let local = |name: &str| match (&*method.class, unexported(name)) {
            (class, name) if !class.is_empty() && name == "client" => "client_".to_owned(),
            (_, name) => name,
        };
        match (&method.request, &method.arguments) {
            (TypeRef::Ref(number), Some(fields)) => {
                let record = &names.of(*number).name;
                let mut scope =
                    crate::names::Scope::new(format!("the parameters of `{}`", method.name), &[]);
                let (mut parameters, mut passed) = (Vec::new(), Vec::new());
                for field in fields {
                    scope.name(&letters(&field.name), Case::Camel)?;
                    let mut name = local(&field.name);
                    if name == *record {
                        name.push('_');
                    }
                    parameters.push(format!("{name} {}", names.field(field)));
                    let mut said = field.doc.to_string();
                    if field.default {
                        let space = if said.is_empty() { "" } else { " " };
                        said.push_str(&format!("{space}{}", names.about_default(field)));
                    }
                    if !said.is_empty() {
                        about.push_str(&format!("\n\nThe parameter `{name}`: {said}"));
                    }
                    passed.push(name);
                }
                Ok((parameters, format!("{record}{{{}}}", passed.join(", "))))
            }
            (TypeRef::Unit, _) => Ok((Vec::new(), "struct{}{}".to_owned())),
            (request, _) => {
                let name = local(&method.parameter);
                Ok((vec![format!("{name} {}", names.ty(request))], name))
            }
        }
    }
}

impl Names<'_> {
    fn about_failure(&self, method: &Method) -> String {
        match method.error {
            None => String::new(),
            Some(error) => format!("\n\nThe error may be a *[{}].", self.failures[&error]),
        }
    }
}

/// The type of the result that a method accepts with the number of the call; none for one that returns arguments.
fn returned(method: &Method) -> Option<&TypeRef> {
    match &method.request {
        TypeRef::Tuple(types) => types.last(),
        _ => None,
    }
}
