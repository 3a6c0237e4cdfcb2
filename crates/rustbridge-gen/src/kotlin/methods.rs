//! A client's methods: what it keeps of each, and what users call.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{CLIENT, KEYWORDS, Names, OBJECT, calls};
use super::parameters::{Arguments, Parameter};
use super::text::{Doc, function, property, quoted, said};
use super::trait_names;
use crate::client_schema::{ClientSchema, Kind, Method};
use crate::error::Error;
use crate::form::Form;
use crate::names::{Case, METHOD, Scope};
use crate::source::Source;

/// A method, and what its class calls it.
pub(super) struct NamedMethod<'c> {
    pub(super) method: &'c Method,
    pub(super) form: Form<'c>,
    /// The function that waits or has to do with a stream, or the property. A constructor and a setter have none.
    pub(super) name: String,
    /// What suspends in place of waiting, if anything does.
    await_name: Option<String>,
    /// The client's property of what is prepared.
    pub(super) kept: String,
}

/// Whose methods they are.
#[derive(Clone, Copy)]
pub(super) enum Owner<'o> {
    Plugin,
    /// An object's: what the plugin calls its type, and what its class is called.
    Object(&'o str, &'o str),
}

/// The methods of a class, in their order; those that suspend beside another get their names after all others.
pub(super) fn named<'c>(
    client_schema: &'c ClientSchema,
    of: Owner<'_>,
) -> Result<Vec<NamedMethod<'c>>, Error> {
    let (what, receiver, taken) = match of {
        Owner::Plugin => ("the plugin's methods".to_owned(), "", CLIENT),
        Owner::Object(object, _) => (format!("the methods of `{object}`"), object, OBJECT),
    };
    let mut reserved: Vec<&str> = KEYWORDS.iter().chain(taken).copied().collect();
    reserved.extend(trait_names::members(&client_schema.traits(receiver)));
    let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
    let methods: Vec<&Method> = calls(client_schema)
        .filter(|method| method.is_of(receiver) && !method.is_hidden())
        .collect();
    let mut all = Vec::new();
    for method in &methods {
        // Also of a setter: the JVM's method of the property has this name.
        let name = scope.name(method.own_name(), Case::Camel)?;
        let kept = match of {
            Owner::Plugin => name.clone(),
            // No method's name contains two underscores.
            Owner::Object(_, class) => format!("{}__{name}", Case::Camel.of(class)),
        };
        all.push(NamedMethod {
            method,
            form: Form::with_getter(method, &methods),
            name,
            await_name: None,
            kept,
        });
    }
    for one in &mut all {
        if one.method.kind == Kind::Unary && one.method.is_async {
            let name = format!("await_{}", one.method.own_name());
            one.await_name = Some(scope.joined(&name, Case::Camel));
        }
    }
    let hidden = match of {
        Owner::Plugin => Vec::new(),
        Owner::Object(object, class) => {
            let traits = client_schema.traits(object);
            traits.hidden_with_names(&Case::Camel.of(class))
        }
    };
    for (method, kept) in hidden {
        all.push(NamedMethod {
            method,
            name: String::new(),
            form: Form::Method,
            await_name: None,
            kept,
        });
    }
    Ok(all)
}

/// Where a method is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// In a class without an interface.
    Own,
    /// In the interface of a class.
    Declaration,
    /// In a class with an interface, which has the documentation and the defaults.
    Implementation,
    /// In the class of a callback's objects, whose interface has functions that suspend, and no options.
    Callback,
}

/// One of the ways to call a method.
pub(super) struct Way<'w> {
    /// What is declared: `suspend fun`.
    pub(super) keyword: &'static str,
    /// Its name.
    pub(super) name: &'w str,
    /// What it gives.
    pub(super) gives: String,
    /// What is said of that; nothing if it's nothing.
    pub(super) about: String,
    /// What the prepared method has for it.
    pub(super) verb: &'static str,
    /// Whether the exception of an error's type may come of it.
    pub(super) throws: bool,
}

impl Names<'_> {
    /// What the client keeps of a method.
    pub(super) fn prepare(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        visibility: &str,
        named: &NamedMethod<'_>,
    ) {
        let method = named.method;
        let (request, response) = (
            self.ty(&method.request, &[]),
            self.ty(&method.response, &[]),
        );
        let ty = match &method.items {
            None => format!("TypedMethod<{request}, {response}>"),
            Some(items) => {
                format!(
                    "TypedStreamingCall<{request}, {}, {response}>",
                    self.ty(items, &[])
                )
            }
        };
        let mut inside = vec![
            quoted(&method.name),
            quoted(&method.fingerprint.to_string()),
            "CLIENT_SCHEMA".to_owned(),
            match (method.takes_raw(), &method.request) {
                (true, TypeRef::String) => {
                    "{ output, value -> output.rawString(value, \"request\") }".to_owned()
                }
                (true, _) => {
                    "{ output, value -> output.bytes(value, value.size, \"request\") }".to_owned()
                }
                (false, request) => self.writes(codec, request, "request"),
            },
        ];
        if let Some(items) = &method.items {
            inside.push(self.writes(codec, items, "item"));
        }
        let make = match (&method.items, &*method.receiver) {
            (None, "") => "method",
            (Some(_), "") => "sending",
            (None, _) => "objectMethod",
            (Some(_), _) => "objectSending",
        };
        inside.push(match (method.gives_raw(), &method.response) {
            (true, TypeRef::String) => "{ input -> input.restString() }".to_owned(),
            (true, _) => "{ input -> input.rest() }".to_owned(),
            (false, response) => self.reads(codec, response),
        });
        if let Some(error) = &method.error {
            inside.push(format!(
                "{{ failed, input -> {}(failed, {}.{}) }}",
                self.exceptions[error],
                self.codec,
                codec.read(&TypeRef::Ref(*error))
            ));
        }
        property(
            out,
            &format!("{visibility} val {}", named.kept),
            &ty,
            make,
            &inside,
        );
    }

    /// What writes a message.
    pub(super) fn writes(&self, codec: &mut Codec<'_, '_>, ty: &TypeRef, what: &str) -> String {
        let object = &self.codec;
        match codec.write(ty, "value", &quoted(what)) {
            None => "{ _, _ -> }".to_owned(),
            Some(written) => match written.strip_suffix("(output, value)") {
                Some(own) => format!("{object}::{own}"),
                None if written.starts_with("output.") => {
                    format!("{{ output, value -> {written} }}")
                }
                None => format!("{{ output, value -> {object}.{written} }}"),
            },
        }
    }

    /// What reads a message.
    pub(super) fn reads(&self, codec: &mut Codec<'_, '_>, ty: &TypeRef) -> String {
        let read = codec.read(ty);
        match read.strip_suffix("(input)") {
            Some(own) => format!("{}::{own}", self.codec),
            None if read == "Unit" => "{}".to_owned(),
            None => format!("{{ input -> {read} }}"),
        }
    }

    /// What calls a method: a function that waits or has to do with a stream, and one that suspends in place of waiting.
    pub(super) fn method(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        part: Part,
    ) -> Result<(), Error> {
        if named.method.is_hidden() {
            return Ok(());
        }
        if part == Part::Callback {
            let verb = if named.method.is_async {
                "await"
            } else {
                "call"
            };
            let way = Way {
                about: String::new(),
                throws: false,
                ..self.suspending(named, &named.name, verb)
            };
            return self.way(out, named, &way, part);
        }
        if matches!(named.form, Form::Method | Form::Static) {
            let way = match named.method.kind {
                Kind::Unary => self.waiting(named),
                Kind::StreamIn => self.suspending(named, &named.name, "send"),
                Kind::StreamOut => self.flowing(named, "flow"),
                Kind::StreamBoth => self.flowing(named, "exchange"),
            };
            self.way(out, named, &way, part)?;
        }
        let Some(name) = &named.await_name else {
            return Ok(());
        };
        let way = self.suspending(named, name, "await");
        self.way(out, named, &way, part)
    }

    /// A function that waits for the response.
    fn waiting<'w>(&self, named: &'w NamedMethod<'_>) -> Way<'w> {
        let method = named.method;
        let carries = !method.receiver.is_empty() || self.client_schema.has_objects(method);
        Way {
            keyword: "fun",
            verb: if carries { "call" } else { "callWith" },
            ..self.suspending(named, &named.name, "call")
        }
    }

    /// A function that suspends until the response is there.
    fn suspending<'w>(
        &self,
        named: &NamedMethod<'_>,
        name: &'w str,
        verb: &'static str,
    ) -> Way<'w> {
        let response = &named.method.response;
        Way {
            keyword: "suspend fun",
            name,
            gives: self.ty(response, &[]),
            about: match response {
                TypeRef::Unit => String::new(),
                TypeRef::Object(_) => "the object; close it, for example with `use`".to_owned(),
                response => said("the response", self.meaning(response)),
            },
            verb,
            throws: true,
        }
    }

    /// A function that returns a flow.
    fn flowing<'w>(&self, named: &'w NamedMethod<'_>, verb: &'static str) -> Way<'w> {
        let response = &named.method.response;
        let ends = named.method.error.map_or_else(String::new, |error| {
            format!(", which may end with [{}]", self.exceptions[&error])
        });
        let what = format!("a cold flow of the items{ends}; each collector has its own call");
        Way {
            keyword: "fun",
            name: &named.name,
            gives: format!("Flow<{}>", self.ty(response, &[])),
            about: match self.meaning(response) {
                "" => what,
                meaning => format!("{what}; of each, {meaning}"),
            },
            verb,
            throws: false,
        }
    }

    /// One way to call a method. If a lambda may stand behind the parentheses, the options stand before it, and a second function has none.
    fn way(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        way: &Way<'_>,
        part: Part,
    ) -> Result<(), Error> {
        let mut arguments = self.accepted(named.method)?;
        let options = match part {
            Part::Callback => "CallOptions.defaults()",
            Part::Own | Part::Declaration | Part::Implementation => {
                if arguments.takes_lambda && part != Part::Implementation {
                    self.without_options(out, named, way, &arguments);
                }
                arguments.insert_options();
                "options"
            }
        };
        let method = named.method;
        arguments.inside.push(match &*method.receiver {
            "" => options.to_owned(),
            _ => format!("receiving({options})"),
        });
        let gives = match method.response {
            // As the compiler's own style has it.
            TypeRef::Unit if part == Part::Declaration && way.gives == "Unit" => String::new(),
            _ => format!(": {}", way.gives),
        };
        let head = self.head(out, named, way, part, &arguments.parameters);
        let parameters = match part {
            Part::Own | Part::Declaration => arguments.declared(),
            // The interface has the defaults.
            Part::Implementation | Part::Callback => arguments.overriding(),
        };
        if part == Part::Declaration {
            super::text::call(out, &head, &parameters, &gives);
            return Ok(());
        }
        let before = format!("{}.{}.{}", caller(method), named.kept, way.verb);
        function(out, &head, &parameters, &gives, &before, &arguments.inside);
        Ok(())
    }

    /// Writes the function without options, which calls the one with them.
    fn without_options(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        way: &Way<'_>,
        arguments: &Arguments,
    ) {
        let head = self.head(out, named, way, Part::Own, &arguments.parameters);
        let gives = format!(": {}", way.gives);
        // A parameter may have the function's name.
        let before = format!("this.{}", way.name);
        let inside = arguments.with_default_options();
        function(out, &head, &arguments.declared(), &gives, &before, &inside);
    }

    /// Writes a function's documentation, unless the interface has it, and returns what stands before its parameters.
    fn head(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        way: &Way<'_>,
        part: Part,
        parameters: &[Parameter],
    ) -> String {
        out.gap();
        let Way { keyword, name, .. } = way;
        if matches!(part, Part::Implementation | Part::Callback) {
            return format!("override {keyword} {name}");
        }
        let mut doc = self.documented(named.method, parameters);
        if !way.about.is_empty() {
            doc = doc.tag("@return", &*way.about);
        }
        if way.throws {
            doc = self.throws(doc, named.method.error);
        }
        doc.write(out);
        format!("public {keyword} {name}")
    }

    /// The documentation of a method and its parameters.
    pub(super) fn documented(&self, method: &Method, parameters: &[Parameter]) -> Doc {
        let doc = Doc::of(&method.doc, &method.name);
        parameters.iter().fold(doc, |doc, parameter| {
            doc.named("param", &parameter.name, &parameter.prose, &parameter.more)
        })
    }

    /// The documentation with the exception of an error, if there is one.
    pub(super) fn throws(&self, doc: Doc, error: Option<u32>) -> Doc {
        let Some(error) = error else {
            return doc;
        };
        let exception = &self.exceptions[&error];
        let about = format!("if it fails with `{}`", self.of(error).name);
        doc.tag(format!("@throws {exception}"), about)
    }
}

/// Returns the expression of the client in a method's body.
pub(super) fn caller(method: &Method) -> &'static str {
    match (&*method.class, &*method.receiver) {
        ("", "") => "this",
        ("", _) => "this.client",
        _ => "client",
    }
}
