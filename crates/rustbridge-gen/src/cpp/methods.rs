//! The methods of a class: the plugin's own, or those of an object.

use rustbridge_description::types::{Field, TypeRef};

use super::names::{KEYWORDS, LOCALS, Names};
use super::records::{parameter_names, prose};
use super::text::{Call, WIDTH, doc, function, list, quoted};
use super::trait_names;
use crate::client_schema::{Kind, Method, first_optional};
use crate::error::Error;
use crate::names::{Case, METHOD, Scope, alone};
use crate::source::Source;

/// A method of the plugin, and what it's called in C++.
pub(super) struct Callable<'c> {
    method: &'c Method,
    name: String,
    /// The one that isn't waited for, if there's one.
    begun: Option<String>,
    /// The field of what is prepared.
    pub(super) kept: String,
    request: Request,
}

impl<'c> Callable<'c> {
    /// A method that is prepared without being shown.
    pub(super) fn hidden(method: &'c Method, kept: String) -> Callable<'c> {
        Callable {
            method,
            name: String::new(),
            begun: None,
            kept,
            request: Request {
                parameters: Vec::new(),
                docs: Vec::new(),
                argument: String::new(),
            },
        }
    }

    /// Whether it calls the method with this name.
    pub(super) fn is_of(&self, method: &str) -> bool {
        self.method.name == method
    }

    /// The body of a function with the same parameters, which calls it without options.
    pub(super) fn forwarded(&self, out: &mut Source, response: &TypeRef) {
        let returns = match response {
            TypeRef::Unit => "",
            _ => "return ",
        };
        out.line(format_args!(
            "{returns}this->methods().{}.call({}, rustbridge::CallOptions(), this->beside());",
            self.kept, self.request.argument
        ));
    }
}

/// What a method takes.
struct Request {
    /// What is declared, and what may stand behind each for it to be left out.
    parameters: Vec<(String, String)>,
    /// What is said of them.
    docs: Vec<String>,
    /// What is written.
    argument: String,
}

/// A function that calls.
struct Function {
    docs: Vec<String>,
    template: Option<String>,
    /// What it gives.
    returns: String,
    name: String,
    parameters: Vec<String>,
    call: Call,
    form: Form,
}

/// How a function stands in its class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Method,
    Static,
    Constructor,
}

impl<'c> Names<'c> {
    /// The methods of the plugin, or of an object, in their order. `taken` is what the class has besides, `kept` the names of what is prepared.
    pub(super) fn callables(
        &self,
        receiver: &str,
        taken: &[&str],
        class: &str,
        kept: &mut Scope<'_>,
    ) -> Result<Vec<Callable<'c>>, Error> {
        let what = match receiver {
            "" => "the plugin's methods".to_owned(),
            object => format!("the methods of `{object}`"),
        };
        let reserved: Vec<&str> = KEYWORDS
            .iter()
            .chain(taken)
            .copied()
            .chain([class])
            .chain(trait_names::members(&self.client_schema.traits(receiver)))
            .collect();
        let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
        let mut callables = Vec::new();
        let here = |method: &&Method| {
            method.is_of(receiver) && !self.client_schema.has_objects_in_items(method)
        };
        for method in self.client_schema.methods.iter().filter(here) {
            let own = method.own_name();
            let kept = match receiver {
                "" => kept.joined(own, Case::Snake),
                object => kept.joined(&format!("{object}_{own}"), Case::Snake),
            };
            let begun =
                (method.kind == Kind::Unary && method.is_async).then(|| format!("{own}_async"));
            callables.push(Callable {
                method,
                name: scope.name(own, Case::Snake)?,
                begun,
                kept,
                request: self.request(method)?,
            });
        }
        for callable in &mut callables {
            if let Some(begun) = &mut callable.begun {
                *begun = scope.joined(begun, Case::Snake);
            }
        }
        Ok(callables)
    }

    fn request(&self, method: &Method) -> Result<Request, Error> {
        match (&method.request, &method.arguments) {
            (TypeRef::Unit, _) => Ok(Request {
                parameters: Vec::new(),
                docs: Vec::new(),
                argument: "std::monostate()".to_owned(),
            }),
            (_, Some(fields)) => self.several(&method.name, fields),
            (request, None) => {
                let name = alone(&method.parameter, Case::Snake, &[KEYWORDS, LOCALS]);
                let default = if method.is_optional() { ABSENT } else { "" }.to_owned();
                Ok(Request {
                    parameters: vec![(format!("{} {name}", self.parameter(request)), default)],
                    docs: Vec::new(),
                    argument: name,
                })
            }
        }
    }

    fn several(&self, method: &str, fields: &[Field]) -> Result<Request, Error> {
        let names = parameter_names(method, fields, LOCALS)?;
        let first_optional = first_optional(fields);
        let parameter = |(place, (field, name)): (usize, (&Field, &String))| {
            let default = match self.default_of(field) {
                _ if place < first_optional => String::new(),
                Some(value) => format!(" = {value}"),
                None => ABSENT.to_owned(),
            };
            (format!("{} {name}", self.parameter(&field.ty)), default)
        };
        let parameters = fields
            .iter()
            .zip(&names)
            .enumerate()
            .map(parameter)
            .collect();
        let documented = fields
            .iter()
            .zip(&names)
            .filter(|(field, _)| !field.doc.is_empty());
        let (mut steps, mut passed) = (Vec::new(), Vec::new());
        for (field, name) in fields.iter().zip(&names) {
            let step = quoted(&field.name);
            // The byte that reports that the field is present.
            if field.default {
                steps.push(step.clone());
                passed.push("true".to_owned());
            }
            steps.push(step);
            passed.push(name.clone());
        }
        Ok(Request {
            parameters,
            docs: documented
                .map(|(field, name)| format!("`{name}`: {}", field.doc))
                .collect(),
            argument: several(&steps, &passed),
        })
    }

    /// What the client keeps of a method.
    pub(super) fn prepared(&self, out: &mut Source, callable: &Callable<'_>) {
        let Callable { method, kept, .. } = callable;
        let mut types = vec![self.answer(&method.response)];
        match &method.error {
            Some(error) => types.push(self.exceptions[error].clone()),
            None if method.is_raw => types.push("rustbridge::Error".to_owned()),
            None => {}
        }
        if method.is_raw {
            types.push("rustbridge::RawForm".to_owned());
        }
        let fingerprint = method.fingerprint.to_string();
        let arguments = [
            "plugin",
            &quoted(&method.name),
            &quoted(&fingerprint),
            "client_schema",
        ]
        .map(str::to_owned);
        list(
            out,
            &format!("rustbridge::TypedMethod<{}> {kept}{{", types.join(", ")),
            &arguments,
            "};",
        );
    }

    /// The methods of a class where it's defined: only what they are called, if their bodies follow.
    pub(super) fn methods(&self, out: &mut Source, callables: &[Callable<'_>], is_complete: bool) {
        for callable in callables {
            for one in self.functions(callable) {
                out.gap();
                for text in &one.docs {
                    doc(out, text);
                }
                if let Some(template) = &one.template {
                    out.line(template);
                }
                let (before, behind) = match one.form {
                    Form::Method => ("", ") const;"),
                    Form::Static => ("static ", ");"),
                    Form::Constructor => ("explicit ", ");"),
                };
                let head = match one.form {
                    Form::Constructor => one.name.clone(),
                    _ => format!("{} {}", one.returns, one.name),
                };
                if is_complete {
                    function(out, &head, &one.parameters, " const", &one.call);
                } else {
                    // The types of defaults aren't defined yet, so the defaults stand where the body does.
                    let parameters: Vec<String> = one
                        .parameters
                        .iter()
                        .map(|parameter| match &**parameter {
                            OPTIONAL => parameter.clone(),
                            _ => without_default(parameter),
                        })
                        .collect();
                    list(out, &format!("{before}{head}("), &parameters, behind);
                }
            }
        }
    }

    /// The bodies of methods whose class is defined already.
    pub(super) fn bodies(&self, out: &mut Source, class: &str, callables: &[Callable<'_>]) {
        for callable in callables {
            for one in self.functions(callable) {
                out.gap();
                let parameters: Vec<String> = one
                    .parameters
                    .iter()
                    .map(|parameter| match &**parameter {
                        OPTIONAL => without_default(parameter),
                        _ => parameter.clone(),
                    })
                    .collect();
                if one.form == Form::Constructor {
                    let Call { before, arguments } = &one.call;
                    list(out, &format!("inline {class}::{class}("), &parameters, ")");
                    out.indented(|out| {
                        out.indented(|out| {
                            list(out, &format!(": {class}({before}("), arguments, ")) {}");
                        });
                    });
                    continue;
                }
                let behind = match one.form {
                    Form::Method => " const",
                    _ => "",
                };
                let head = match &one.template {
                    None => format!("inline {} {class}::{}", one.returns, one.name),
                    Some(template) => {
                        out.line(template);
                        format!("{} {class}::{}", one.returns, one.name)
                    }
                };
                function(out, &head, &parameters, behind, &one.call);
            }
        }
    }

    /// The types of a stream: its items, and the exception of its errors if they have a type.
    pub(super) fn streamed(&self, method: &Method) -> String {
        let item = self.ty(&method.response);
        match &method.error {
            Some(error) => format!("{item}, {}", self.exceptions[error]),
            None => item,
        }
    }

    /// The functions that call a method.
    fn functions(&self, callable: &Callable<'_>) -> Vec<Function> {
        let Callable {
            method, request, ..
        } = callable;
        let holds_objects = self.client_schema.has_objects(method);
        let is_plain = method.receiver.is_empty() && !holds_objects;
        let (form, caller) = match (&*method.class, method.constructor) {
            ("", _) => (Form::Method, "this->"),
            (_, true) if method.own_name() == "new" => (Form::Constructor, "client."),
            _ => (Form::Static, "client."),
        };
        let client = (form != Form::Method).then(|| format!("const {}& client", self.client));
        let beside = match is_plain {
            true => "rustbridge::Beside()".to_owned(),
            false => format!("{caller}beside()"),
        };
        let beside = &*beside;
        let kept = format!("{caller}methods().{}", callable.kept);
        let answer = self.answer(&method.response);
        let argument = &request.argument;
        let returns = match form {
            Form::Constructor => "",
            _ if answer == "void" => "",
            _ => "return ",
        };
        let call = |returns: &str, by: &str, beside: &[&str]| Call {
            before: format!("{returns}{kept}.{by}"),
            arguments: [&**argument]
                .iter()
                .chain(beside)
                .map(|&one| one.to_owned())
                .collect(),
        };
        let docs = |more: &[&str]| -> Vec<String> {
            let mut docs = vec![prose(&method.doc, &method.name)];
            docs.extend(request.docs.iter().cloned());
            docs.extend(more.iter().map(|&one| one.to_owned()));
            docs
        };
        let parameters = |may_be_left_out: bool, more: &[&str]| -> Vec<String> {
            let default = |default: &str| match may_be_left_out {
                true => default.to_owned(),
                false => String::new(),
            };
            let own = request
                .parameters
                .iter()
                .map(|(declared, end)| format!("{declared}{}", default(end)));
            let first = client.iter().cloned();
            first
                .chain(own)
                .chain(more.iter().map(|&one| one.to_owned()))
                .collect()
        };
        let make = |name: &str,
                    returns: String,
                    docs: Vec<String>,
                    parameters: Vec<String>,
                    call: Call| Function {
            docs,
            template: None,
            returns,
            name: name.to_owned(),
            parameters,
            call,
            form,
        };
        const OPTIONS: &str = "const rustbridge::CallOptions& options";
        let mut all = Vec::new();
        match method.kind {
            Kind::Unary if is_plain => {
                all.push(make(
                    &callable.name,
                    answer.clone(),
                    docs(&[]),
                    parameters(true, &[]),
                    call(returns, "call", &[]),
                ));
                all.push(make(
                    &callable.name,
                    answer.clone(),
                    docs(&[]),
                    parameters(false, &[OPTIONS]),
                    call(returns, "call", &["options"]),
                ));
            }
            Kind::Unary => all.push(make(
                &callable.name,
                answer.clone(),
                docs(&[]),
                parameters(true, &[OPTIONAL]),
                call(returns, "call", &["options", beside]),
            )),
            Kind::StreamOut => all.push(make(
                &callable.name,
                format!("rustbridge::TypedStream<{}>", self.streamed(method)),
                docs(&["Returns a single-pass range of the items that the plugin sends."]),
                parameters(true, &[OPTIONAL]),
                call("return ", "stream", &["options", beside]),
            )),
            Kind::StreamIn => {
                let items = self.ty(method.items.as_ref().unwrap_or(&TypeRef::Unit));
                let mut one = make(
                    &callable.name,
                    answer.clone(),
                    docs(&[
                        "`items`: a range of the items to send, advanced as fast as the plugin accepts them.",
                    ]),
                    parameters(false, &["Items&& items", OPTIONAL]),
                    call(
                        returns,
                        &format!("template send<{items}>"),
                        &["items", "options", beside],
                    ),
                );
                one.template = Some("template <std::ranges::input_range Items>".to_owned());
                all.push(one);
            }
            Kind::StreamBoth => {
                let items = self.ty(method.items.as_ref().unwrap_or(&TypeRef::Unit));
                all.push(make(
                    &callable.name,
                    format!("rustbridge::Exchange<{items}, {}>", self.streamed(method)),
                    docs(&["Returns a stream in both directions: `send` items until `finish`, and iterate over the items that the plugin sends."]),
                    parameters(true, &[OPTIONAL]),
                    call("return ", &format!("template exchange<{items}>"), &["options", beside]),
                ));
            }
        }
        if form == Form::Constructor {
            let class = self.object(&method.class);
            all.iter_mut().for_each(|one| one.name.clone_from(&class));
        }
        let make_begun = |name: &str, returns: String, docs, parameters, call| Function {
            form: match form {
                Form::Constructor => Form::Static,
                form => form,
            },
            ..make(name, returns, docs, parameters, call)
        };
        if let Some(begun) = &callable.begun {
            all.push(make_begun(
                begun,
                format!("std::future<{answer}>"),
                docs(&["Returns at once with a future."]),
                parameters(true, &[OPTIONAL]),
                call("return ", "call_async", &["options", beside]),
            ));
            all.push(make_begun(
                begun,
                "rustbridge::PendingCall".to_owned(),
                docs(&["Returns at once. `done` is called exactly once with the outcome, on any thread. It must not block."]),
                parameters(
                    false,
                    &[&format!("std::function<void(rustbridge::Outcome<{answer}>)> done"), OPTIONAL],
                ),
                call("return ", "call_async", &["options", beside, "std::move(done)"]),
            ));
        }
        all
    }
}

/// The options of a call, which may be left out.
const OPTIONAL: &str = "const rustbridge::CallOptions& options = {}";

/// Returns a parameter as it's declared where its default stands elsewhere.
fn without_default(parameter: &str) -> String {
    let declared = parameter.split_once(" = ").map(|(declared, _)| declared);
    declared.unwrap_or(parameter).to_owned()
}

/// What stands behind a parameter that may be left out.
const ABSENT: &str = " = std::nullopt";

/// What several arguments are as one, with a line for each part if it's long.
fn several(steps: &[String], names: &[String]) -> String {
    let (steps, names) = (steps.join(", "), names.join(", "));
    let line = format!("rustbridge::wire::arguments<{steps}>({names})");
    if line.len() + 8 <= WIDTH {
        return line;
    }
    format!("rustbridge::wire::arguments<\n    {steps}>(\n    {names})")
}
