//! Clients in Python: a module with a class for each type and one for the plugin.

mod names;
mod text;
mod types;

use rustbridge_description::types::{Shape, TypeRef};

use self::names::{CLIENT, KEYWORDS, Names, TYPES};
use self::text::{call, doc, mentions, pieces, prose, quoted, tuple};
use crate::client::{File, Options};
use crate::contract::{Contract, Kind, Method};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

pub(crate) fn generate(contract: &Contract, options: &Options) -> Result<Vec<File>, Error> {
    let module = match &options.namespace {
        Some(module) => module.clone(),
        None => Case::Snake.of(&contract.plugin),
    };
    let valid = module
        .split('.')
        .all(|part| !part.is_empty() && Case::Snake.of(part) == part && !KEYWORDS.contains(&part));
    if !valid {
        return Err(Error::new(format_args!(
            "`{module}` can't be the name of a module in Python"
        )));
    }
    let client = Names::new(contract)?;
    Ok(vec![File {
        path: format!("{}.py", module.replace('.', "/")),
        text: client.module()?,
    }])
}

impl Names<'_> {
    fn module(&self) -> Result<String, Error> {
        let mut out = Source::new("    ");
        let plugin = &self.contract.plugin;
        out.line(format_args!("# Written by `rustbridge gen -l python` of the plugin `{plugin}`: write it anew by that, not by hand."));
        // Names and prose are the plugin's.
        out.line("# ruff: noqa");
        doc(
            &mut out,
            &match &*self.contract.doc {
                "" => format!("Typed methods of the plugin ``{plugin}``."),
                prose => prose.to_owned(),
            },
        );
        out.gap();
        out.line("from __future__ import annotations");
        out.gap();
        let mut body = Source::new("    ");
        let mut names = Vec::new();
        for (number, definition) in (0..).zip(self.contract.types.definitions()) {
            self.definition(&mut body, number, definition, &mut names)?;
        }
        self.contract_text(&mut body);
        self.client(&mut body)?;
        let body = body.finish();
        imports(&mut out, &body);
        names.push(self.client.clone());
        names.sort();
        out.gap();
        out.line("__all__ = [");
        out.indented(|out| {
            for name in &names {
                out.line(format_args!("\"{name}\","));
            }
        });
        out.line("]");
        let mut text = out.finish();
        text.push_str(&body);
        Ok(text)
    }

    /// What the client knows of the plugin, and the classes for it.
    fn contract_text(&self, out: &mut Source) {
        out.gap();
        out.gap();
        out.line("#: What this was written from, to be compared with the plugin; and its types' classes, in the same order.");
        out.line("_CONTRACT = typed.Contract(");
        out.indented(|out| {
            out.line(format_args!("{},", pieces(&self.contract.text).join("\n")));
            out.line("[");
            out.indented(|out| {
                for (definition, names) in self.contract.types.definitions().iter().zip(self.all())
                {
                    match (&definition.shape, &*names.variants) {
                        (Shape::Newtype(_), _) => out.line("None,"),
                        (_, []) => out.line(format_args!("{},", names.name)),
                        (_, [one]) => out.line(format_args!("({one},),")),
                        (_, several) => tuple(out, several),
                    }
                }
            });
            out.line("],");
        });
        out.line(")");
    }

    fn client(&self, out: &mut Source) -> Result<(), Error> {
        let (calls, others): (Vec<&Method>, Vec<&Method>) =
            self.contract.methods.iter().partition(|method| {
                method.kind == Kind::Unary
                    && method.receiver.is_empty()
                    && !self.contract.has_objects(method)
            });
        let left_out: Vec<&str> = others
            .iter()
            .map(|method| &*method.name)
            .chain(self.contract.others.iter().map(|name| &**name))
            .collect();
        let reserved: Vec<&str> = KEYWORDS
            .iter()
            .chain(TYPES)
            .chain(CLIENT)
            .copied()
            .collect();
        let mut scope = Scope::new("the plugin's methods", &reserved);
        let mut named = Vec::new();
        for method in &calls {
            named.push((*method, scope.name(&method.name, Case::Snake)?));
        }
        let mut awaited = Vec::new();
        for method in calls.iter().filter(|method| method.is_async) {
            let name = scope.name(&format!("{}_async", method.name), Case::Snake)?;
            awaited.push((*method, name));
        }
        out.gap();
        out.gap();
        out.line(format_args!("class {}(typed.Client):", self.client));
        out.indented(|out| {
            let mut about = prose(&self.contract.doc, &self.client);
            if !left_out.is_empty() {
                about.push_str(&format!(
                    "\n\nNot here, since they have no types or more than a request and an answer: {}.",
                    left_out.join(", ")
                ));
            }
            doc(out, &about);
            out.gap();
            let mut slots: Vec<String> = named
                .iter()
                .chain(&awaited)
                .map(|(_, name)| format!("\"_{name}\""))
                .collect();
            slots.sort();
            out.line("__slots__ = (");
            out.indented(|out| {
                for slot in &slots {
                    out.line(format_args!("{slot},"));
                }
            });
            out.line(")");
            out.gap();
            out.line("def __init__(self, plugin: rustbridge.Plugin) -> None:");
            out.indented(|out| {
                out.line("\"\"\"Call an instance of the plugin, which goes on to belong to the caller.\"\"\"");
                out.line("super().__init__(plugin)");
                for (method, name) in &named {
                    self.prepare(out, method, name, false);
                }
                for (method, name) in &awaited {
                    self.prepare(out, method, name, true);
                }
            });
            for (method, name) in &named {
                self.method(out, method, name, false);
            }
            for (method, name) in &awaited {
                self.method(out, method, name, true);
            }
        });
        Ok(())
    }

    fn method(&self, out: &mut Source, method: &Method, name: &str, is_async: bool) {
        let (def, waits) = if is_async {
            ("async def", "await ")
        } else {
            ("def", "")
        };
        let response = self.ty(&method.response);
        let (parameter, argument) = match method.request {
            TypeRef::Unit => ("self".to_owned(), "None"),
            ref request => (format!("self, request: {}", self.ty(request)), "request"),
        };
        out.gap();
        call(
            out,
            &format!("{def} {name}"),
            &parameter,
            &format!(" -> {response}:"),
        );
        out.indented(|out| {
            doc(out, &prose(&method.doc, &method.name));
            let returns = match method.response {
                TypeRef::Unit => "",
                _ => "return ",
            };
            out.line(format_args!("{returns}{waits}self._{name}({argument})"));
        });
    }

    /// What `__init__` keeps of a method.
    fn prepare(&self, out: &mut Source, method: &Method, name: &str, is_async: bool) {
        let (request, response) = (self.ty(&method.request), self.ty(&method.response));
        let (by, given) = if is_async {
            ("_prepare_async", format!("Coroutine[Any, Any, {response}]"))
        } else {
            ("_prepare", response)
        };
        call(
            out,
            &format!("self._{name}: Callable[[{request}], {given}] = self.{by}"),
            &format!(
                "_CONTRACT, {}, \"{}\"",
                quoted(&method.name),
                method.fingerprint
            ),
            "",
        );
    }
}

/// The imports that the text needs.
fn imports(out: &mut Source, text: &str) {
    let has = |word: &str| mentions(text, word);
    let from = |out: &mut Source, module: &str, names: &[&str]| {
        let names: Vec<&str> = names.iter().copied().filter(|name| has(name)).collect();
        if !names.is_empty() {
            out.line(format_args!("from {module} import {}", names.join(", ")));
        }
    };
    from(out, "collections.abc", &["Callable", "Coroutine"]);
    from(out, "dataclasses", &["dataclass", "field"]);
    from(out, "datetime", &["datetime", "timedelta"]);
    from(out, "enum", &["Enum"]);
    from(
        out,
        "typing",
        &["Any", "NamedTuple", "NewType", "TypeAlias"],
    );
    from(out, "uuid", &["UUID"]);
    out.gap();
    out.line("import rustbridge");
    out.line("from rustbridge import typed");
    if has("DEFAULT") {
        out.line("from rustbridge.typed import DEFAULT");
    }
}
