//! A client's methods: what it keeps of each, and what users call.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{CLIENT, KEYWORDS, Names, OBJECT, calls};
use super::records::properties;
use super::text::{Doc, function, property, quoted, said};
use crate::client_schema::{ClientSchema, Kind, Method};
use crate::error::Error;
use crate::names::{Case, METHOD, Scope, alone};
use crate::source::Source;

/// A method, and what its class calls it.
pub(super) struct NamedMethod<'c> {
    pub(super) method: &'c Method,
    /// What calls it: it waits, or else is a function of a stream's.
    name: String,
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
    let reserved: Vec<&str> = KEYWORDS.iter().chain(taken).copied().collect();
    let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
    let mut all = Vec::new();
    let mut owns = Vec::new();
    for method in calls(client_schema).filter(|method| method.receiver == receiver) {
        // The plugin calls an object's `Counter.add`.
        let own = method.name.strip_prefix(receiver).unwrap_or(&method.name);
        let own = own.strip_prefix('.').unwrap_or(&method.name);
        let name = scope.name(own, Case::Camel)?;
        let kept = match of {
            Owner::Plugin => name.clone(),
            // No method's name contains two underscores.
            Owner::Object(_, class) => format!("{}__{name}", Case::Camel.of(class)),
        };
        owns.push(own);
        all.push(NamedMethod {
            method,
            name,
            await_name: None,
            kept,
        });
    }
    for (one, own) in all.iter_mut().zip(owns) {
        if one.method.kind == Kind::Unary && one.method.is_async {
            one.await_name = Some(scope.joined(&format!("await_{own}"), Case::Camel));
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
    /// In a class with an interface, which has the documentation and the defaults.
    Implementation,
    /// In the class of a callback's objects, whose interface has functions that suspend, and no options.
    Callback,
}

/// One of the ways to call a method.
struct Way<'w> {
    /// What the function is called, with what stands before it.
    head: String,
    /// What it gives.
    gives: String,
    /// What is said of that; nothing if it's nothing.
    about: String,
    /// What the prepared method has for it.
    verb: &'w str,
    /// Whether the exception of an error's type may come of it.
    throws: bool,
}

/// What a method may take besides the plugin's parameters, which get an underscore behind such a name.
const LOCALS: &[&str] = &["items", "options"];

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

    /// What waits for an answer, or has to do with a stream.
    pub(super) fn method(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        part: Part,
    ) -> Result<(), Error> {
        let (method, name) = (named.method, &*named.name);
        let response = self.ty(&method.response, &[]);
        let answer = || match &method.response {
            TypeRef::Unit => String::new(),
            TypeRef::Object(_) => "the object; close it, for example with `use`".to_owned(),
            response => said("the response", self.meaning(response)),
        };
        let carries = !method.receiver.is_empty() || self.client_schema.has_objects(method);
        let flow = || {
            let what = "a cold flow of the items; each collector has its own call";
            match self.meaning(&method.response) {
                "" => what.to_owned(),
                meaning => format!("{what}; of each, {meaning}"),
            }
        };
        if part == Part::Callback {
            let way = Way {
                head: format!("suspend fun {name}"),
                gives: response,
                about: String::new(),
                verb: if method.is_async { "await" } else { "call" },
                throws: false,
            };
            return self.way(out, named, &way, part);
        }
        let way = match method.kind {
            Kind::Unary => Way {
                head: format!("fun {name}"),
                gives: response,
                about: answer(),
                verb: if carries { "call" } else { "callWith" },
                throws: true,
            },
            Kind::StreamIn => Way {
                head: format!("suspend fun {name}"),
                gives: response,
                about: answer(),
                verb: "send",
                throws: true,
            },
            Kind::StreamOut => Way {
                head: format!("fun {name}"),
                gives: format!("Flow<{response}>"),
                about: flow(),
                verb: "flow",
                throws: false,
            },
            Kind::StreamBoth => Way {
                head: format!("fun {name}"),
                gives: format!("Flow<{response}>"),
                about: flow(),
                verb: "exchange",
                throws: false,
            },
        };
        self.way(out, named, &way, part)?;
        let Some(name) = &named.await_name else {
            return Ok(());
        };
        let way = Way {
            head: format!("suspend fun {name}"),
            gives: self.ty(&method.response, &[]),
            about: answer(),
            verb: "await",
            throws: true,
        };
        self.way(out, named, &way, part)
    }

    fn way(
        &self,
        out: &mut Source,
        named: &NamedMethod<'_>,
        way: &Way<'_>,
        part: Part,
    ) -> Result<(), Error> {
        let method = named.method;
        let mut doc = Doc::of(&method.doc, &method.name);
        let (mut parameters, mut inside) = (Vec::new(), Vec::new());
        match &method.request {
            TypeRef::Unit => inside.push("Unit".to_owned()),
            TypeRef::Ref(number) if method.arguments.is_some() => {
                let class = &self.of(*number).name;
                let mut names = Vec::new();
                for argument in properties(self, class, self.shape(*number))? {
                    let mut name = argument.name.clone();
                    if LOCALS.contains(&&*name) {
                        name.push('_');
                    }
                    doc = doc.named("param", &name, &argument.doc, &argument.more(self));
                    let end = match argument.optional && method.items.is_none() {
                        true => " = null",
                        false => "",
                    };
                    parameters.push(format!("{name}: {}{end}", argument.kotlin(self, &[])));
                    names.push(name);
                }
                inside.push(format!("{class}({})", names.join(", ")));
            }
            request => {
                let name = alone(&method.parameter, Case::Camel, &[KEYWORDS, LOCALS]);
                let about = said("the request", self.meaning(request));
                doc = doc.named("param", &name, "", &about);
                let end = match method.is_optional() && method.items.is_none() {
                    true => " = null",
                    false => "",
                };
                parameters.push(format!("{name}: {}{end}", self.ty(request, &[])));
                inside.push(name);
            }
        }
        if let Some(items) = &method.items {
            let what = "the items to send, collected as fast as the plugin accepts them";
            let about = match self.meaning(items) {
                "" => what.to_owned(),
                meaning => format!("{what}; of each, {meaning}"),
            };
            doc = doc.named("param", "items", "", &about);
            parameters.push(format!("items: Flow<{}>", self.ty(items, &[])));
            inside.push("items".to_owned());
        }
        let mut options = "options";
        if part == Part::Callback {
            options = "CallOptions.defaults()";
        } else {
            doc = doc.tag(
                "@param options",
                "the deadline, the metadata and other options of the call",
            );
            parameters.push("options: CallOptions = CallOptions.defaults()".to_owned());
        }
        let of_object = !method.receiver.is_empty();
        inside.push(match of_object {
            true => format!("receiving({options})"),
            false => options.to_owned(),
        });
        if !way.about.is_empty() {
            doc = doc.tag("@return", &*way.about);
        }
        if let (Some(error), true) = (&method.error, way.throws) {
            let exception = &self.exceptions[error];
            let about = format!("if it fails with `{}`", self.of(*error).name);
            doc = doc.tag(format!("@throws {exception}"), about);
        }
        out.gap();
        let mut head = format!("public {}", way.head);
        if matches!(part, Part::Implementation | Part::Callback) {
            head = format!("override {}", way.head);
            for parameter in &mut parameters {
                // The interface has the defaults; no type has such a text in it.
                if let Some((declared, _)) = parameter.split_once(" = ") {
                    *parameter = declared.to_owned();
                }
            }
        } else {
            doc.write(out);
        }
        if part == Part::Declaration {
            let gives = match method.response {
                // As the compiler's own style has it.
                TypeRef::Unit if way.gives == "Unit" => String::new(),
                _ => format!(": {}", way.gives),
            };
            super::text::call(out, &head, &parameters, &gives);
            return Ok(());
        }
        let of = if of_object { "this.client" } else { "this" };
        let before = format!("{of}.{}.{}", named.kept, way.verb);
        let gives = format!(": {}", way.gives);
        function(out, &head, &parameters, &gives, &before, &inside);
        Ok(())
    }

    /// The class of an object, which stays in the plugin.
    pub(super) fn object_class(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
    ) -> Result<(), Error> {
        let named = named(self.client_schema, Owner::Object(object, class))?;
        Doc::of("", "")
            .replaced(&format!(
                "A `{object}`: an object in the plugin. Close it, for example with `use`."
            ))
            .write(out);
        let client = if named.is_empty() { "" } else { "private val " };
        let parameters = [
            format!("{client}client: {}", self.client),
            "untyped: PluginObject".to_owned(),
        ];
        let unused = if named.is_empty() {
            "@Suppress(\"UNUSED_PARAMETER\") "
        } else {
            ""
        };
        let parameters = [format!("{unused}{}", parameters[0]), parameters[1].clone()];
        let before = format!("public class {class} internal constructor");
        let body = if named.is_empty() { "" } else { " {" };
        let line = format!(
            "{before}({}) : TypedObject(untyped){body}",
            parameters.join(", ")
        );
        if super::text::fits(out, &line) {
            out.line(line);
        } else {
            out.line(format_args!("{before}({}) :", parameters.join(", ")));
            out.indented(|out| out.line(format_args!("TypedObject(untyped){body}")));
        }
        if named.is_empty() {
            return Ok(());
        }
        let mut inside = Source::new(super::text::INDENT);
        inside.indented(|out| {
            named
                .iter()
                .try_for_each(|one| self.method(out, one, Part::Own))
        })?;
        out.raw(inside.finish().trim_start_matches('\n'));
        out.line("}");
        Ok(())
    }

    /// The exception that calls throw when a handler fails with an error of that type.
    pub(super) fn exception(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        error: u32,
        class: &str,
    ) {
        let ty = &self.of(error).name;
        let prose = &self.client_schema.types.definitions()[error as usize].doc;
        let doc = match &**prose {
            "" => Doc::of("", "").replaced(&format!("A call has failed with `{ty}`.")),
            prose => Doc::of(prose, ty),
        };
        doc.write(out);
        out.line(format_args!("public class {class} : PluginException {{"));
        out.indented(|out| {
            Doc::of("", "")
                .replaced("The error. A deserialized exception has none.")
                .write(out);
            out.line(format_args!("@Transient public val error: {ty}"));
            out.gap();
            Doc::of("", "")
                .replaced("Creates the exception of a failed call, for fakes in tests.")
                .tag(
                    "@param message",
                    "the message; the plugin derives it from the error",
                )
                .tag(
                    "@param error",
                    "the error, which determines status, type and details",
                )
                .write(out);
            let made = |out: &mut Source, head: &str, first: &str, supers: &str| {
                let parameters = [first.to_owned(), format!("error: {ty}")];
                let behind = format!(" : super({supers}) {{");
                super::text::call(out, &format!("{head} constructor"), &parameters, &behind);
                out.indented(|out| out.line("this.error = error"));
                out.line("}");
                out.gap();
            };
            made(out, "public", "message: String", "message, TYPE, error");
            made(out, "internal", "failed: PluginException", "failed, TYPE");
            out.line("private companion object {");
            out.indented(|out| {
                out.line("private const val serialVersionUID = 1L");
                let inside = [
                    format!("{}.CLIENT_SCHEMA", self.client),
                    error.to_string(),
                    self.writes(codec, &TypeRef::Ref(error), "error"),
                ];
                let typed = format!("private val TYPE: TypedError<{ty}>");
                super::text::assign(out, &typed, "TypedError", &inside);
            });
            out.line("}");
        });
        out.line("}");
    }
}
