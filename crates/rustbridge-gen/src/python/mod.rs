//! Clients in Python: a module with a class for each type and one for the plugin.

mod client;
mod names;
mod services;
mod text;
mod types;

use rustbridge_description::types::Shape;

use self::client::Classes;
use self::names::{KEYWORDS, Names};
use self::text::{doc, mentions, pieces, prose, quoted, tuple};
use crate::client::{File, Options};
use crate::contract::Contract;
use crate::error::Error;
use crate::names::Case;
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
            if !self.contract.is_taken_apart(number) {
                self.definition(&mut body, number, definition, &mut names)?;
            }
        }
        self.exceptions(&mut body);
        names.extend(self.exceptions.values().cloned());
        let classes = Classes::new(self)?;
        classes.objects(&mut body)?;
        names.extend(self.objects().iter().map(|(_, class)| class.clone()));
        let given = self.given()?;
        self.protocols(&mut body, &given);
        names.extend(self.groups.iter().map(|(_, class)| class.clone()));
        self.contract_text(&mut body);
        classes.client(&mut body, &given)?;
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

    /// The exceptions that calls raise when a handler fails with an error that has a type.
    fn exceptions(&self, out: &mut Source) {
        for (error, class) in &self.exceptions {
            let ty = &self.of(*error).name;
            let about = &self.contract.types.definitions()[*error as usize].doc;
            out.gap();
            out.gap();
            out.line(format_args!("class {class}(typed.Error):"));
            out.indented(|out| {
                doc(out, &prose(about, ty));
                out.gap();
                out.line("#: What it says by its fields.");
                out.line(format_args!("error: {ty}"));
            });
        }
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
                let types = self.contract.types.definitions().iter().zip(self.all());
                for (number, (definition, names)) in (0..).zip(types) {
                    match (&definition.shape, &*names.variants) {
                        _ if self.contract.is_taken_apart(number) => out.line("tuple,"),
                        (Shape::Newtype(_), _) => out.line("None,"),
                        (_, []) => out.line(format_args!("{},", names.name)),
                        (_, [one]) => out.line(format_args!("({one},),")),
                        (_, several) => tuple(out, several),
                    }
                }
            });
            out.line("],");
            if !self.objects().is_empty() {
                let classes: Vec<String> = self
                    .objects()
                    .iter()
                    .map(|(name, class)| format!("{}: {class}", quoted(name)))
                    .collect();
                out.line(format_args!("{{{}}},", classes.join(", ")));
            }
            if !self.exceptions.is_empty() {
                let classes: Vec<String> = self
                    .exceptions
                    .iter()
                    .map(|(number, class)| format!("{number}: {class}"))
                    .collect();
                out.line(format_args!("exceptions={{{}}},", classes.join(", ")));
            }
        });
        out.line(")");
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
    from(
        out,
        "collections.abc",
        &["AsyncIterable", "Awaitable", "Iterable"],
    );
    from(out, "dataclasses", &["dataclass", "field"]);
    from(out, "datetime", &["datetime", "timedelta"]);
    from(out, "enum", &["Enum"]);
    from(
        out,
        "typing",
        &["Any", "NamedTuple", "NewType", "Protocol", "TypeAlias"],
    );
    from(out, "uuid", &["UUID"]);
    out.gap();
    out.line("import rustbridge");
    out.line("from rustbridge import typed");
    if has("DEFAULT") {
        out.line("from rustbridge.typed import DEFAULT");
    }
}
