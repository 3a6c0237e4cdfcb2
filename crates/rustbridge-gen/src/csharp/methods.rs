//! The methods of a class: the plugin's own, or those of an object.

use std::collections::BTreeMap;

use rustbridge_description::types::TypeRef;

use super::names::{MEMBERS, Names};
use super::requests::{Request, both};
use super::text::{doc, list, quoted};
use crate::client_schema::{Kind, Method};
use crate::error::Error;
use crate::form::Form;
use crate::names::{Case, METHOD, Scope};
use crate::source::Source;

/// A method of the plugin, and what it's called in C#.
pub(super) struct Callable<'c> {
    pub(super) method: &'c Method,
    /// What the plugin calls it, without the object that it's of.
    pub(super) own: &'c str,
    /// The method that is waited for, or the property; streams and constructors have none.
    pub(super) name: Option<String>,
    pub(super) form: Form<'c>,
    /// What it takes.
    pub(super) request: Request,
    /// The method that is awaited, if there's one.
    pub(super) awaited: Option<String>,
    /// The client's field of what is prepared.
    pub(super) kept: String,
}

/// Whose methods they are.
#[derive(Clone, Copy)]
pub(super) enum Owner<'o> {
    Plugin,
    /// An object's: what the plugin calls its type, and what its class is called.
    Object(&'o str, &'o str),
}

/// Where a method is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// In a class without an interface.
    Own,
    /// In the interface of a class.
    Declaration,
    /// In a class with an interface, which has the documentation.
    Implementation,
}

impl Part {
    /// A method: its documentation, its head without what makes it public, and the expression that it returns.
    fn member(
        self,
        out: &mut Source,
        about: Source,
        form: Form<'_>,
        head: &str,
        parameters: &[String],
        expression: &str,
    ) {
        out.gap();
        match self {
            Part::Implementation => out.line("/// <inheritdoc/>"),
            Part::Own | Part::Declaration => out.line(about.finish().trim_end()),
        }
        if self == Part::Declaration {
            let head = head.strip_prefix("async ").unwrap_or(head);
            list(out, head, parameters, ";");
            return;
        }
        let modifier = match form {
            Form::Static => "static ",
            _ => "",
        };
        list(out, &format!("public {modifier}{head}"), parameters, " =>");
        out.indented(|out| out.line(format_args!("{expression};")));
    }
}

impl Names<'_> {
    /// The methods of a class, in their order. `taken` is what it has besides.
    pub(super) fn callables(
        &self,
        of: Owner<'_>,
        taken: &[&str],
    ) -> Result<Vec<Callable<'_>>, Error> {
        let (what, receiver) = match of {
            Owner::Plugin => ("the plugin's methods".to_owned(), ""),
            Owner::Object(object, _) => (format!("the methods of `{object}`"), object),
        };
        let reserved: Vec<&str> = MEMBERS.iter().chain(taken).copied().collect();
        let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
        let mut callables = Vec::new();
        let here = |method: &&Method| {
            method.is_of(receiver) && !self.client_schema.has_objects_in_items(method)
        };
        let methods: Vec<&Method> = self.client_schema.methods.iter().filter(here).collect();
        let mut properties: BTreeMap<&str, String> = BTreeMap::new();
        for method in &methods {
            let own = method.own_name();
            let form = Form::of(method, &methods);
            let name = match form {
                Form::Constructor => None,
                Form::Getter(property) | Form::Setter(property) => {
                    if !properties.contains_key(property) {
                        properties.insert(property, scope.name(property, Case::Pascal)?);
                    }
                    properties.get(property).cloned()
                }
                _ if method.kind == Kind::Unary => Some(scope.name(own, Case::Pascal)?),
                _ => None,
            };
            let kept = match of {
                Owner::Plugin => format!("m_{}", Case::Camel.of(own)),
                // No method's name contains two underscores.
                Owner::Object(_, class) => {
                    format!("m_{}__{}", Case::Camel.of(class), Case::Camel.of(own))
                }
            };
            callables.push(Callable {
                method,
                own,
                name,
                form,
                request: Request::of(self, method)?,
                awaited: None,
                kept,
            });
        }
        for callable in &mut callables {
            if callable.method.kind != Kind::Unary || callable.method.is_async {
                let name = format!("{}_async", callable.own);
                callable.awaited = Some(scope.joined(&name, Case::Pascal));
            }
        }
        Ok(callables)
    }

    /// What prepares a method.
    pub(super) fn prepared(&self, callable: &Callable<'_>) -> String {
        let Callable { method, kept, .. } = callable;
        let (name, fingerprint) = (quoted(&method.name), &method.fingerprint);
        // Objects of the response belong to the client, which also passes objects of the host.
        let holds = |ty| self.client_schema.holds_objects(ty);
        let passes_hosts = !self.callbacks.is_empty() && holds(&method.request);
        let client = if holds(&method.response) || passes_hosts {
            ", this"
        } else {
            ""
        };
        let raise = match &method.error {
            None => String::new(),
            Some(error) => format!(", raise: {}.Read", self.exception_codec(*error)),
        };
        let carried = &self.carried;
        format!(
            "{kept} = plugin.TypedMethod({name}, \"{fingerprint}\", {carried}.Text{client}{raise});"
        )
    }

    /// What is called by a method's name.
    pub(super) fn methods(
        &self,
        out: &mut Source,
        of: Owner<'_>,
        callables: &[Callable<'_>],
        part: Part,
    ) {
        for callable in callables {
            match (callable.form, &callable.name) {
                (Form::Constructor, _) => self.constructor(out, of, callable),
                (Form::Method | Form::Static, Some(name)) => {
                    self.waited(out, of, callable, name, part);
                }
                _ => {}
            }
        }
        for callable in callables {
            let Some(name) = &callable.awaited else {
                continue;
            };
            match callable.method.kind {
                Kind::Unary => self.awaited(out, of, callable, name, part),
                Kind::StreamOut => self.streamed(out, of, callable, name, None, part),
                Kind::StreamIn | Kind::StreamBoth => {
                    for source in ["IAsyncEnumerable", "IEnumerable"] {
                        self.streamed(out, of, callable, name, Some(source), part);
                    }
                }
            }
        }
    }

    /// A call that the caller waits for. One without anything beside it has a way of its own, which is the quickest.
    fn waited(
        &self,
        out: &mut Source,
        of: Owner<'_>,
        callable: &Callable<'_>,
        name: &str,
        part: Part,
    ) {
        let method = callable.method;
        let (before, kept) = of.before(callable);
        let argument = &callable.request.argument;
        let (response, returns) = match &method.response {
            TypeRef::Unit => ("void".to_owned(), false),
            response => (self.ty(response), true),
        };
        let head = format!("{response} {name}");
        let types = self.types(callable, None);
        let quick = before.is_none() && !self.client_schema.has_objects(method);
        let options = if quick {
            let mut about = prose(callable);
            end_of_prose(&mut about, returns.then_some("The response."));
            let parameters = callable.request.declared_with_defaults();
            let call = format!("{kept}.CallWire<{types}>({argument})");
            part.member(out, about, callable.form, &head, &parameters, &call);
            "CallOptions options"
        } else {
            "CallOptions? options = null"
        };
        let mut about = prose(callable);
        about.line(format_args!(
            "/// <param name=\"options\">{}</param>",
            about_options(quick)
        ));
        end_of_prose(&mut about, returns.then_some("The response."));
        about.line("/// <exception cref=\"OperationCanceledException\">The options' token cancelled the call.</exception>");
        let mut parameters = match quick {
            true => callable.request.declared(),
            false => callable.request.declared_with_defaults(),
        };
        parameters.push(options.to_owned());
        let receiver = before.unwrap_or("null");
        let call = format!("{kept}.CallWire<{types}>({receiver}, {argument}, options)");
        part.member(out, about, callable.form, &head, &parameters, &call);
    }

    /// A call that is awaited: with a token alone, or with options.
    fn awaited(
        &self,
        out: &mut Source,
        of: Owner<'_>,
        callable: &Callable<'_>,
        name: &str,
        part: Part,
    ) {
        let method = callable.method;
        let (before, kept) = of.before(callable);
        let argument = &callable.request.argument;
        let types = self.types(callable, None);
        let receiver = before.unwrap_or("null");
        let quick = before.is_none() && !self.client_schema.has_objects(method);
        let with_token = if quick {
            format!("{argument}, cancellationToken")
        } else {
            format!("{receiver}, {argument}, null, cancellationToken")
        };
        let token = (
            "cancellationToken",
            "Cancels the call.",
            "CancellationToken cancellationToken = default",
            with_token,
        );
        let options = (
            "options",
            about_options(true),
            "CallOptions options",
            format!("{receiver}, {argument}, options, default"),
        );
        for (beside, said, declared, arguments) in [token, options] {
            let mut about = prose(callable);
            about.line(format_args!("/// <param name=\"{beside}\">{said}</param>"));
            end_of_prose(&mut about, Some("The response. Await it once."));
            let mut parameters = match beside {
                "options" => callable.request.declared(),
                _ => callable.request.declared_with_defaults(),
            };
            parameters.push(declared.to_owned());
            let call = format!("{kept}.CallWireAsync<{types}>({arguments})");
            let (head, call) = self.answer(name, &method.response, call);
            part.member(out, about, callable.form, &head, &parameters, &call);
        }
    }

    /// A call with a stream: of items that come, or from a source.
    fn streamed(
        &self,
        out: &mut Source,
        of: Owner<'_>,
        callable: &Callable<'_>,
        name: &str,
        source: Option<&str>,
        part: Part,
    ) {
        let method = callable.method;
        let (before, kept) = of.before(callable);
        let request = &callable.request;
        let mut about = prose(callable);
        let mut parameters = match source {
            None => request.declared_with_defaults(),
            Some(_) => request.declared(),
        };
        let mut arguments = vec![before.unwrap_or("null"), &request.argument];
        let items = method.items.as_ref();
        if let (Some(source), Some(items)) = (source, items) {
            about.line(
                "/// <param name=\"items\">The items to send, enumerated as fast as the plugin accepts them.</param>",
            );
            parameters.push(format!("{source}<{}> items", self.ty(items)));
            arguments.push("items");
        }
        arguments.extend(["options", "cancellationToken"]);
        let call = |by: &str| {
            let types = self.types(callable, items);
            format!("{kept}.{by}<{types}>({})", arguments.join(", "))
        };
        if method.kind == Kind::StreamIn {
            beside(&mut about, &mut parameters, "Cancels the call");
            end_of_prose(&mut about, Some("The response. Await it once."));
            let (head, call) = self.answer(name, &method.response, call("SendWireAsync"));
            part.member(out, about, callable.form, &head, &parameters, &call);
            return;
        }
        beside(&mut about, &mut parameters, "Cancels the stream");
        let thrown = match &method.error {
            Some(error) => format!("<see cref=\"{}\"/> or another ", self.exceptions[error]),
            None => String::new(),
        };
        about.line(format_args!("/// <returns>The items that the plugin sends. The call starts with the enumeration, which throws {thrown}<see cref=\"PluginException\"/> if the call fails.</returns>"));
        let by = match source {
            Some(_) => "ExchangeWireAsync",
            None => "StreamWireAsync",
        };
        let head = format!("IAsyncEnumerable<{}> {name}", self.ty(&method.response));
        part.member(out, about, callable.form, &head, &parameters, &call(by));
    }

    /// The head of what gives an answer to be awaited, and the call.
    fn answer(&self, name: &str, response: &TypeRef, call: String) -> (String, String) {
        match response {
            TypeRef::Unit => (
                format!("async ValueTask {name}"),
                format!("await {call}.ConfigureAwait(false)"),
            ),
            response => (format!("ValueTask<{}> {name}", self.ty(response)), call),
        }
    }

    /// Request, items if some are sent, and response, each with its codec.
    pub(super) fn types(&self, callable: &Callable<'_>, items: Option<&TypeRef>) -> String {
        let method = callable.method;
        let mut all = vec![callable.request.types.clone()];
        all.extend(items.map(|ty| both(self, ty)));
        all.push(match (method.gives_raw(), &method.response) {
            (true, TypeRef::String) => "string, RawTextCodec".to_owned(),
            (true, _) => "byte[], RawBytesCodec".to_owned(),
            (false, response) => both(self, response),
        });
        all.join(", ")
    }
}

impl Owner<'_> {
    /// The object that a method is of, and where what is prepared is.
    pub(super) fn before(self, callable: &Callable<'_>) -> (Option<&'static str>, String) {
        match self {
            _ if !callable.method.class.is_empty() => (None, format!("client.{}", callable.kept)),
            Owner::Plugin => (None, callable.kept.clone()),
            Owner::Object(..) => (Some("Untyped"), format!("_client.{}", callable.kept)),
        }
    }
}

/// The beginning of a method's documentation.
pub(super) fn prose(callable: &Callable<'_>) -> Source {
    let method = callable.method;
    let mut out = Source::new("    ");
    let about = match &*method.doc {
        "" => format!("`{}`.", method.name),
        prose => prose.to_owned(),
    };
    doc(&mut out, "summary", &about);
    callable.request.prose(&mut out);
    out
}

/// What an asynchronous call takes beside its request.
fn beside(out: &mut Source, parameters: &mut Vec<String>, early: &str) {
    out.line(format_args!(
        "/// <param name=\"options\">{}</param>",
        about_options(false)
    ));
    out.line(format_args!(
        "/// <param name=\"cancellationToken\">{early}. If it's omitted, the options' token applies.</param>"
    ));
    parameters.push("CallOptions? options = null".to_owned());
    parameters.push("CancellationToken cancellationToken = default".to_owned());
}

pub(super) fn about_options(needed: bool) -> &'static str {
    if needed {
        "The deadline, the metadata and other options of the call."
    } else {
        "The deadline, the metadata and other options of the call; null for the defaults."
    }
}

pub(super) fn end_of_prose(out: &mut Source, returns: Option<&str>) {
    if let Some(returns) = returns {
        out.line(format_args!("/// <returns>{returns}</returns>"));
    }
    out.line("/// <exception cref=\"PluginException\">The call has failed.</exception>");
}
