//! A client's methods: what the constructor keeps of each, and what users call.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{CLIENT, KEYWORDS, Names, OBJECT, TYPES, calls};
use super::records::{components, first_left_out};
use super::services::of_callback;
use super::text::{Doc, assign, call, fits, quoted, said};
use super::trait_names;
use crate::client_schema::{ClientSchema, Kind, Method};
use crate::error::Error;
use crate::form::is_constructor;
use crate::names::{Case, METHOD, Scope, alone};
use crate::source::Source;

/// A method, and what its class calls it.
pub(super) struct NamedMethod<'c> {
    pub(super) method: &'c Method,
    /// What the plugin calls it, without the object that it's of.
    own: &'c str,
    /// What waits.
    name: String,
    /// What gives a future or a publisher, if anything does.
    more: Option<String>,
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

/// The methods of a class, in their order; those that don't wait get their names after all others.
pub(super) fn named<'c>(
    client_schema: &'c ClientSchema,
    of: Owner<'_>,
) -> Result<Vec<NamedMethod<'c>>, Error> {
    let (what, receiver, taken) = match of {
        Owner::Plugin => ("the plugin's methods".to_owned(), "", CLIENT),
        Owner::Object(object, _) => (format!("the methods of `{object}`"), object, OBJECT),
    };
    let mut reserved: Vec<&str> = KEYWORDS.iter().chain(taken).chain(TYPES).copied().collect();
    reserved.extend(trait_names::members(&client_schema.traits(receiver)));
    let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
    let mut all = Vec::new();
    for method in
        calls(client_schema).filter(|method| method.is_of(receiver) && !method.is_hidden())
    {
        let own = method.own_name();
        let name = scope.name(own, Case::Camel)?;
        let kept = match of {
            Owner::Plugin => name.clone(),
            // No method's name contains two underscores.
            Owner::Object(_, class) => format!("{}__{name}", Case::Camel.of(class)),
        };
        all.push(NamedMethod {
            method,
            own,
            name,
            more: None,
            kept,
        });
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
            own: "",
            name: String::new(),
            more: None,
            kept,
        });
    }
    for one in &mut all {
        let kind = match one.method.kind {
            Kind::Unary if !one.method.is_async => continue,
            Kind::Unary | Kind::StreamIn => "async",
            Kind::StreamOut | Kind::StreamBoth => "publisher",
        };
        one.more = Some(scope.joined(&format!("{}_{kind}", one.own), Case::Camel));
    }
    if let Some(callback) = client_schema.callback(receiver) {
        // As in the interface.
        for function in of_callback(callback)? {
            let is_it = |one: &&mut NamedMethod<'_>| one.method.name == function.service.name;
            if let Some(one) = all.iter_mut().find(is_it) {
                one.name = function.name;
                one.more = one.more.take().map(|_| function.later);
            }
        }
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
    /// In a class with an interface, which has the documentation.
    Implementation,
    /// In a class with an interface, which has the documentation, and no form with options.
    Callback,
}

/// One of the ways to call a method.
struct Way<'w> {
    /// Its name; the class of a constructor.
    name: &'w str,
    /// What it returns; nothing for `void`.
    gives: Option<String>,
    /// What is said of that.
    about: String,
    /// What the prepared method has for it.
    verb: &'static str,
}

/// What a method accepts and passes on.
struct Parts {
    doc: Doc,
    parameters: Vec<String>,
    inside: Vec<String>,
}

/// What a method may take besides the plugin's parameters, which get an underscore behind such a name.
const LOCALS: &[&str] = &["client", "items", "options"];

impl Names<'_> {
    /// The type of what the constructor keeps.
    pub(super) fn prepared(&self, method: &Method) -> String {
        let (request, response) = (self.whole(&method.request), self.whole(&method.response));
        match &method.items {
            None => format!("TypedMethod<{request}, {response}>"),
            Some(items) => format!(
                "TypedStreamingCall<{request}, {}, {response}>",
                self.whole(items)
            ),
        }
    }

    /// What the constructor keeps of a method.
    pub(super) fn prepare(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        named: &NamedMethod<'_>,
    ) {
        let method = named.method;
        let read = match (method.gives_raw(), &method.response) {
            (true, TypeRef::String) => "in -> in.restString()".to_owned(),
            (true, _) => "in -> in.rest()".to_owned(),
            (false, response) => self.reads(codec, response),
        };
        let mut inside = vec![
            quoted(&method.name),
            quoted(&method.fingerprint.to_string()),
            "CLIENT_SCHEMA".to_owned(),
            match (method.takes_raw(), &method.request) {
                (true, TypeRef::String) => {
                    "(out, value) -> out.rawString(value, \"request\")".to_owned()
                }
                (true, _) => {
                    "(out, value) -> out.bytes(value, value.length, \"request\")".to_owned()
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
        inside.push(read);
        if let Some(error) = &method.error {
            let class = &self.exceptions[error];
            inside.push(match self.imported.contains_key(class) {
                true => {
                    let read = codec.read(&TypeRef::Ref(*error));
                    format!("(failed, in) -> new {class}(failed, {}.{read})", self.codec)
                }
                false => format!("{class}::read"),
            });
        }
        assign(out, &format!("this.{}", named.kept), make, &inside, ";");
    }

    /// What reads a message.
    pub(super) fn reads(&self, codec: &mut Codec<'_, '_>, ty: &TypeRef) -> String {
        if *ty == TypeRef::Unit {
            return "in -> null".to_owned();
        }
        let read = codec.read(ty);
        match read.strip_suffix("(in)") {
            Some(own) => format!("{}::{own}", self.codec),
            None => format!("in -> {read}"),
        }
    }

    /// What writes a message.
    pub(super) fn writes(&self, codec: &mut Codec<'_, '_>, ty: &TypeRef, what: &str) -> String {
        let class = &self.codec;
        match codec.write(ty, "value", &quoted(what)) {
            None => "(out, value) -> {}".to_owned(),
            Some(written) => match written.strip_suffix("(out, value)") {
                Some(own) => format!("{class}::{own}"),
                None if written.starts_with("out.") => format!("(out, value) -> {written}"),
                None => format!("(out, value) -> {class}.{written}"),
            },
        }
    }

    /// Writes the constructor of an object's class.
    pub(super) fn constructor(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        class: &str,
    ) -> Result<(), Error> {
        let way = Way {
            name: class,
            gives: None,
            about: String::new(),
            verb: "call",
        };
        self.ways(out, named, &way, Part::Own)
    }

    /// What waits for an answer, or gives the items of one for a loop.
    pub(super) fn method(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        part: Part,
    ) -> Result<(), Error> {
        let (method, name) = (named.method, &*named.name);
        if method.is_hidden() {
            return Ok(());
        }
        let way = match method.kind {
            // Who sends items isn't to wait for the answer meanwhile.
            Kind::StreamIn => return Ok(()),
            Kind::Unary => Way {
                name,
                gives: (method.response != TypeRef::Unit).then(|| self.ty(&method.response, &[])),
                about: match &method.response {
                    TypeRef::Object(_) => "the object; close it".to_owned(),
                    response => said("the response", self.meaning(response)),
                },
                verb: "call",
            },
            Kind::StreamOut | Kind::StreamBoth => Way {
                name,
                gives: Some(format!("Items<{}>", self.whole(&method.response))),
                about: self.items(
                    &format!("the stream of items{}; close it", self.ends(method)),
                    &method.response,
                ),
                verb: "iterate",
            },
        };
        self.ways(out, named, &way, part)
    }

    /// What gives a future or a publisher.
    pub(super) fn method_later(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        part: Part,
    ) -> Result<(), Error> {
        let Some(name) = &named.more else {
            return Ok(());
        };
        let method = named.method;
        let whole = self.whole(&method.response);
        let way = match method.kind {
            Kind::Unary | Kind::StreamIn => Way {
                name,
                gives: Some(format!("CompletableFuture<{whole}>")),
                about: "a stage of the response".to_owned(),
                verb: "callAsync",
            },
            Kind::StreamOut | Kind::StreamBoth => Way {
                name,
                gives: Some(format!("Flow.Publisher<{whole}>")),
                about: format!(
                    "a publisher of the items{}; each subscriber has its own call",
                    self.ends(method)
                ),
                verb: "publish",
            },
        };
        self.ways(out, named, &way, part)
    }

    /// With each kind of source for the items that are sent, without and with options.
    fn ways(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        way: &Way<'_>,
        part: Part,
    ) -> Result<(), Error> {
        let sources: &[_] = match named.method.items {
            None => &[None],
            Some(_) => &[Some("Iterable"), Some("Flow.Publisher")],
        };
        for source in sources {
            for options in [false, true] {
                self.one_way(out, named, way, (*source, options, false), part)?;
                if self.has_shorter(named.method)? {
                    self.one_way(out, named, way, (*source, options, true), part)?;
                }
            }
        }
        Ok(())
    }

    /// Reports whether a method has a form without the parameters at the end that have default values.
    fn has_shorter(&self, method: &Method) -> Result<bool, Error> {
        let TypeRef::Ref(number) = &method.request else {
            return Ok(false);
        };
        if method.arguments.is_none() {
            return Ok(false);
        }
        let arguments = components(self, &self.of(*number).name, self.shape(*number))?;
        Ok(first_left_out(&arguments).is_some())
    }

    fn one_way(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        way: &Way<'_>,
        (source, options, is_shorter): (Option<&str>, bool, bool),
        part: Part,
    ) -> Result<(), Error> {
        let method = named.method;
        let Parts {
            mut doc,
            mut parameters,
            mut inside,
        } = self.request(method, is_shorter)?;
        if let (Some(source), Some(items)) = (source, &method.items) {
            doc = doc.param("items", "", &self.items("the items to send", items));
            parameters.push(format!("{source}<? extends {}> items", self.whole(items)));
            inside.push("items".to_owned());
        }
        let of_object = !method.receiver.is_empty();
        let carries = of_object || way.verb != "call" || self.client_schema.has_objects(method);
        let mut carried = "CallOptions.defaults()";
        if options {
            doc = doc.tag(
                "@param options",
                "the deadline, the metadata and other options of the call",
            );
            parameters.push("CallOptions options".to_owned());
            carried = "options";
        }
        if of_object {
            inside.push(format!("receiving({carried})"));
        } else if options || carries {
            inside.push(carried.to_owned());
        }
        let (java, returns) = match &way.gives {
            None => ("void", ""),
            Some(java) => {
                doc = doc.tag("@return", &*way.about);
                (&**java, "return ")
            }
        };
        if let (Some(error), "call") = (&method.error, way.verb) {
            let exception = &self.exceptions[error];
            let about = format!("if it fails with {{@code {}}}", self.of(*error).name);
            doc = doc.tag(format!("@throws {exception}"), about);
        }
        out.gap();
        match part {
            Part::Own | Part::Declaration => doc.write(out),
            Part::Callback if options => doc.write(out),
            Part::Implementation | Part::Callback => out.line("@Override"),
        }
        if is_constructor(method) {
            call(out, &format!("public {}", way.name), &parameters, " {");
            out.indented(|out| self.construct(out, named, &inside));
            out.line("}");
            return Ok(());
        }
        let head = format!("{java} {}", way.name);
        if part == Part::Declaration {
            call(out, &head, &parameters, ";");
            return Ok(());
        }
        let (modifiers, client) = match (&*method.class, of_object) {
            ("", false) => ("public", "this"),
            ("", true) => ("public", "client"),
            _ => ("public static", "client"),
        };
        call(out, &format!("{modifiers} {head}"), &parameters, " {");
        out.indented(|out| {
            let before = format!("{returns}{client}.{}.{}", named.kept, way.verb);
            call(out, &before, &inside, ";");
        });
        out.line("}");
        Ok(())
    }

    /// The documentation, the parameters and the arguments of a method's request, and of the client that a class's function needs.
    /// `is_shorter` leaves out the parameters at the end that have default values.
    fn request(&self, method: &Method, is_shorter: bool) -> Result<Parts, Error> {
        let mut doc = Doc::of(&method.doc, &method.name);
        let (mut parameters, mut inside) = (Vec::new(), Vec::new());
        if !method.class.is_empty() {
            doc = doc.tag("@param client", "the client of the plugin");
            parameters.push(format!("{} client", self.client));
        }
        match &method.request {
            TypeRef::Unit => inside.push("null".to_owned()),
            TypeRef::Ref(number) if method.arguments.is_some() => {
                let class = &self.of(*number).name;
                let arguments = components(self, class, self.shape(*number))?;
                let first_left_out = first_left_out(&arguments).filter(|_| is_shorter);
                let mut names = Vec::new();
                for (place, argument) in arguments.iter().enumerate() {
                    if first_left_out.is_some_and(|first| place >= first) {
                        names.push(argument.value.clone().unwrap_or_else(|| "null".to_owned()));
                        continue;
                    }
                    let mut name = argument.name.clone();
                    if LOCALS.contains(&&*name) {
                        name.push('_');
                    }
                    doc = doc.param(&name, &argument.doc, &argument.more(self));
                    parameters.push(format!("{} {name}", argument.java(self, &[])));
                    names.push(name);
                }
                inside.push(format!("new {class}({})", names.join(", ")));
            }
            request => {
                let name = alone(&method.parameter, Case::Camel, &[KEYWORDS, LOCALS]);
                doc = doc.param(&name, "", &said("the request", self.meaning(request)));
                parameters.push(format!("{} {name}", self.ty(request, &[])));
                inside.push(
                    match self.is_primitive(request) || self.is_nullable(request) {
                        true => name,
                        false => format!("Objects.requireNonNull({name}, \"{name}\")"),
                    },
                );
            }
        }
        Ok(Parts {
            doc,
            parameters,
            inside,
        })
    }

    /// The body of a constructor.
    fn construct(&self, out: &mut Source, named: &NamedMethod<'_>, inside: &[String]) {
        let created = format!("client.{}.call", named.kept);
        let line = format!("super({created}({}));", inside.join(", "));
        if fits(out, &line) {
            out.line(line);
        } else {
            out.line("super(");
            out.indented(|out| out.indented(|out| call(out, &created, inside, ");")));
        }
        if self.keeps_client(&named.method.class) {
            out.line("this.client = client;");
        }
    }

    /// Reports whether the class of an object has a field for the client: its methods need one.
    pub(super) fn keeps_client(&self, object: &str) -> bool {
        calls(self.client_schema).any(|method| method.receiver == object)
    }

    /// What is said of the exception that a stream may end with.
    fn ends(&self, method: &Method) -> String {
        method.error.map_or_else(String::new, |error| {
            format!(", which may end with {{@link {}}}", self.exceptions[&error])
        })
    }

    /// What is said of items.
    fn items(&self, what: &str, ty: &TypeRef) -> String {
        match self.meaning(ty) {
            "" => what.to_owned(),
            meaning => format!("{what}; of each, {meaning}"),
        }
    }
}
