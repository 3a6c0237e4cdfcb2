//! A client's methods: what the constructor keeps of each, and what users call.

use rustbridge_description::types::TypeRef;

use super::codec::{Codec, assign};
use super::names::Names;
use super::records::components;
use super::text::{Doc, call, quoted, said};
use crate::contract::{Kind, Method};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

/// A method, and what the client calls it.
pub(super) struct Named<'c> {
    pub(super) method: &'c Method,
    /// The field, and what waits.
    pub(super) name: String,
    /// What gives a future or a publisher, if anything does.
    more: Option<String>,
}

impl<'c> Named<'c> {
    pub(super) fn new(method: &'c Method, scope: &mut Scope) -> Result<Named<'c>, Error> {
        Ok(Named {
            method,
            name: scope.name(&method.name, Case::Camel)?,
            more: None,
        })
    }
}

/// With names for what doesn't wait, which are found after all others.
pub(super) fn with_more<'c>(
    named: Vec<Named<'c>>,
    scope: &mut Scope,
) -> Result<Vec<Named<'c>>, Error> {
    let more = |one: Named<'c>| {
        let kind = match one.method.kind {
            Kind::Unary if !one.method.is_async => return Ok(one),
            Kind::Unary | Kind::StreamIn => "async",
            Kind::StreamOut | Kind::StreamBoth => "publisher",
        };
        let name = scope.name(&format!("{}_{kind}", one.method.name), Case::Camel)?;
        Ok(Named {
            more: Some(name),
            ..one
        })
    };
    named.into_iter().map(more).collect()
}

/// One of the ways to call a method.
struct Way<'w> {
    /// What it's called.
    name: &'w str,
    /// What it returns; nothing for `void`.
    gives: Option<String>,
    /// What is said of that.
    about: String,
    /// What the prepared method has for it.
    verb: &'static str,
}

/// What a method may take besides the plugin's parameters, which get an underscore behind such a name.
const LOCALS: &[&str] = &["items", "options"];

impl Names<'_> {
    /// The type of what the constructor keeps.
    pub(super) fn prepared(&self, method: &Method) -> String {
        let (request, response) = (self.whole(&method.request), self.whole(&method.response));
        match &method.items {
            None => format!("TypedMethod<{request}, {response}>"),
            Some(items) => format!("TypedSending<{request}, {}, {response}>", self.whole(items)),
        }
    }

    /// What the constructor keeps of a method.
    pub(super) fn prepare(&self, codec: &mut Codec<'_, '_>, out: &mut Source, named: &Named<'_>) {
        let method = named.method;
        let read = match &method.response {
            TypeRef::Unit => "in -> null".to_owned(),
            response => {
                let read = codec.read(response);
                match read.strip_suffix("(in)") {
                    Some(own) => format!("{}::{own}", self.codec),
                    None => format!("in -> {read}"),
                }
            }
        };
        let mut inside = vec![
            quoted(&method.name),
            quoted(&method.fingerprint.to_string()),
            "CONTRACT".to_owned(),
            self.writes(codec, &method.request, "request"),
        ];
        let make = match &method.items {
            None => "method",
            Some(items) => {
                inside.push(self.writes(codec, items, "item"));
                "sending"
            }
        };
        inside.push(read);
        assign(out, &format!("this.{}", named.name), make, &inside, ";");
    }

    /// What writes a message.
    fn writes(&self, codec: &mut Codec<'_, '_>, ty: &TypeRef, what: &str) -> String {
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

    /// What waits for an answer, or gives the items of one for a loop.
    pub(super) fn method(&self, out: &mut Source, named: &Named<'_>) -> Result<(), Error> {
        let (method, name) = (named.method, &*named.name);
        let way = match method.kind {
            // Who sends items isn't to wait for the answer meanwhile.
            Kind::StreamIn => return Ok(()),
            Kind::Unary => Way {
                name,
                gives: (method.response != TypeRef::Unit).then(|| self.ty(&method.response, &[])),
                about: said("the response", self.meaning(&method.response)),
                verb: "call",
            },
            Kind::StreamOut | Kind::StreamBoth => Way {
                name,
                gives: Some(format!("Items<{}>", self.whole(&method.response))),
                about: self.items("the items, to be closed", &method.response),
                verb: "iterate",
            },
        };
        self.ways(out, named, &way)
    }

    /// What gives a future or a publisher.
    pub(super) fn method_later(&self, out: &mut Source, named: &Named<'_>) -> Result<(), Error> {
        let Some(name) = &named.more else {
            return Ok(());
        };
        let method = named.method;
        let whole = self.whole(&method.response);
        let way = match method.kind {
            Kind::Unary | Kind::StreamIn => Way {
                name,
                gives: Some(format!("CompletableFuture<{whole}>")),
                about: "the response, when it's there".to_owned(),
                verb: "callAsync",
            },
            Kind::StreamOut | Kind::StreamBoth => Way {
                name,
                gives: Some(format!("Flow.Publisher<{whole}>")),
                about: "what publishes the items, by a call for each subscriber".to_owned(),
                verb: "publish",
            },
        };
        self.ways(out, named, &way)
    }

    /// With each kind of source for the items that are sent, without and with options.
    fn ways(&self, out: &mut Source, named: &Named<'_>, way: &Way<'_>) -> Result<(), Error> {
        let sources: &[_] = match named.method.items {
            None => &[None],
            Some(_) => &[Some("Iterable"), Some("Flow.Publisher")],
        };
        for source in sources {
            for options in [false, true] {
                self.one_way(out, named, way, *source, options)?;
            }
        }
        Ok(())
    }

    fn one_way(
        &self,
        out: &mut Source,
        named: &Named<'_>,
        way: &Way<'_>,
        source: Option<&str>,
        options: bool,
    ) -> Result<(), Error> {
        let method = named.method;
        let mut doc = Doc::of(&method.doc, &method.name);
        let (mut parameters, mut inside) = (Vec::new(), Vec::new());
        match &method.request {
            TypeRef::Unit => inside.push("null".to_owned()),
            TypeRef::Ref(number) if method.arguments.is_some() => {
                let class = &self.of(*number).name;
                let arguments = components(self, class, self.shape(*number))?;
                let mut names = Vec::new();
                for argument in &arguments {
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
                doc = doc.param("request", "", &said("the request", self.meaning(request)));
                parameters.push(format!("{} request", self.ty(request, &[])));
                inside.push(
                    match self.is_primitive(request) || self.is_nullable(request) {
                        true => "request".to_owned(),
                        false => "Objects.requireNonNull(request, \"request\")".to_owned(),
                    },
                );
            }
        }
        if let (Some(source), Some(items)) = (source, &method.items) {
            doc = doc.param("items", "", &self.items("what is sent", items));
            parameters.push(format!("{source}<? extends {}> items", self.whole(items)));
            inside.push("items".to_owned());
        }
        if options {
            doc = doc.tag("@param options", "what the call carries besides");
            parameters.push("CallOptions options".to_owned());
            inside.push("options".to_owned());
        } else if way.verb != "call" {
            inside.push("CallOptions.defaults()".to_owned());
        }
        let (java, returns) = match &way.gives {
            None => ("void", ""),
            Some(java) => {
                doc = doc.tag("@return", &*way.about);
                (&**java, "return ")
            }
        };
        out.gap();
        doc.write(out);
        call(
            out,
            &format!("public {java} {}", way.name),
            &parameters,
            " {",
        );
        out.indented(|out| {
            let before = format!("{returns}this.{}.{}", named.name, way.verb);
            call(out, &before, &inside, ";");
        });
        out.line("}");
        Ok(())
    }

    /// What is said of items.
    fn items(&self, what: &str, ty: &TypeRef) -> String {
        match self.meaning(ty) {
            "" => what.to_owned(),
            meaning => format!("{what}; of each, {meaning}"),
        }
    }
}
