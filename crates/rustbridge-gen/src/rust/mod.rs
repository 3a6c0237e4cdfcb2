//! Clients in Rust: a module in one file.

mod methods;
mod names;
mod records;
mod services;
mod text;
mod types;

use self::methods::Callable;
use self::names::Names;
use self::text::{CALL, OUTER, WIDTH, doc, pieces, quoted, width};
use crate::client::{File, Options};
use crate::contract::Contract;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

pub(crate) fn generate(contract: &Contract, options: &Options) -> Result<Vec<File>, Error> {
    let module = match &options.namespace {
        Some(namespace) => namespace.clone(),
        None => Case::Snake.of(&contract.plugin),
    };
    let parts: Vec<&str> = module.split("::").collect();
    let is_name = |part: &&str| {
        !part.is_empty()
            && **part == names::raw(Case::Snake.of(part))
            && !["self", "super", "crate", "_"].contains(part)
    };
    if !parts.iter().all(is_name) {
        return Err(Error::new(format_args!(
            "`{module}` can't be the name of a module in Rust"
        )));
    }
    let names = Names::new(contract)?;
    let mut body = Source::new("    ");
    names.client(&mut body)?;
    for (number, definition) in contract.definitions() {
        body.gap();
        names.definition(&mut body, number, definition)?;
    }
    names.services(&mut body);
    let body = body.finish();
    let mut out = Source::new("    ");
    names.top(&mut out, &body);
    Ok(vec![File {
        path: format!("{}.rs", parts.join("/")),
        text: out.finish() + &body,
    }])
}

impl Names<'_> {
    /// What stands above: what it is, and what it uses.
    fn top(&self, out: &mut Source, body: &str) {
        let plugin: String = self
            .contract
            .plugin
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        out.line(format_args!(
            "// Written by `rustbridge gen -l rust` of the plugin `{plugin}`: write it anew by that, not by hand."
        ));
        doc(out, "//!", &self.about());
        out.gap();
        out.line(
            r#"#![allow(
    dead_code,
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    rustdoc::all,
    reason = "names, prose and what there is are the plugin's"
)]"#,
        );
        out.gap();
        let uses = [
            ("HashMap<", "use std::collections::HashMap;"),
            ("impl Into<PathBuf>", "use std::path::PathBuf;"),
            ("Arc<", "use std::sync::Arc;"),
        ];
        for (mention, line) in uses {
            if body.contains(mention) {
                out.line(line);
            }
        }
        let times: Vec<&str> = ["Duration", "SystemTime"]
            .into_iter()
            .filter(|name| text::mentions(body, name))
            .collect();
        match &times[..] {
            [] => {}
            [one] => out.line(format_args!("use std::time::{one};")),
            both => out.line(format_args!("use std::time::{{{}}};", both.join(", "))),
        }
        out.gap();
        out.line("use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};");
        out.gap();
    }

    fn about(&self) -> String {
        match &*self.contract.doc {
            "" => format!("Typed methods of the plugin `{}`.", self.contract.plugin),
            prose => prose.to_owned(),
        }
    }

    /// What calls the plugin, and its objects.
    fn client(&self, out: &mut Source) -> Result<(), Error> {
        let contract = self.contract;
        let mut kept = Vec::new();
        let own = self.callables("", &mut kept)?;
        let mut of_objects = Vec::new();
        for (object, _) in &self.objects {
            of_objects.push(self.callables(object, &mut kept)?);
        }
        doc(out, OUTER, &self.about());
        out.line(OUTER);
        doc(
            out,
            OUTER,
            "Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.",
        );
        let left_out = contract.left_out();
        if !left_out.is_empty() {
            out.line(OUTER);
            let left_out = left_out.join(", ");
            doc(
                out,
                OUTER,
                &format!("Not here, since they have no types or streams of objects: {left_out}."),
            );
        }
        let client = &self.client;
        out.line("#[derive(Clone, Debug)]");
        out.line(format_args!("pub struct {client}(typed::Caller<Methods>);"));
        out.gap();
        out.line(format_args!("impl {client} {{"));
        out.indented(|out| {
            self.lifecycle(out);
            self.methods(out, &own)
        })?;
        out.line("}");
        for ((object, class), callables) in self.objects.iter().zip(&of_objects) {
            out.gap();
            self.object_class(out, object, class, callables)?;
        }
        out.gap();
        self.prepared(out, own.iter().chain(of_objects.iter().flatten()));
        Ok(())
    }

    /// How a client begins.
    fn lifecycle(&self, out: &mut Source) {
        const ERRORS: &str = "# Errors\nIf it can't be loaded, or isn't the plugin that this was written of: the error says what differs.";
        let has_services = !self.groups.is_empty();
        doc(out, OUTER, "Loads the plugin from a file.");
        out.line(OUTER);
        doc(out, OUTER, ERRORS);
        let services = if has_services {
            ", services: &Services"
        } else {
            ""
        };
        out.line(format_args!(
            "pub fn load(path: impl Into<PathBuf>{services}) -> Result<Self, Error> {{"
        ));
        out.indented(|out| {
            out.line(match has_services {
                false => "Self::open(Load::path(path))",
                true => "Self::open(Load::path(path), services)",
            });
        });
        out.line("}");
        out.gap();
        doc(
            out,
            OUTER,
            "Loads the plugin as it's said, with a configuration, a name, a log.",
        );
        out.line(OUTER);
        doc(out, OUTER, ERRORS);
        out.line(format_args!(
            "pub fn open(load: Load<'_>{services}) -> Result<Self, Error> {{"
        ));
        out.indented(|out| {
            out.line(match has_services {
                false => "typed::Caller::open(load).map(Self)",
                true => "typed::Caller::open(services.register(load)).map(Self)",
            });
        });
        out.line("}");
        out.gap();
        doc(
            out,
            OUTER,
            "Calls an instance of the plugin, which goes on to belong to the caller.",
        );
        out.line(OUTER);
        doc(
            out,
            OUTER,
            "# Errors\nIf it isn't the plugin that this was written of: the error says what differs.",
        );
        out.line("pub fn of(plugin: &Plugin) -> Result<Self, Error> {");
        out.indented(|out| out.line("typed::Caller::of(plugin).map(Self)"));
        out.line("}");
        out.gap();
        with_options(out);
    }

    /// The struct of an object.
    fn object_class(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[Callable<'_>],
    ) -> Result<(), Error> {
        doc(
            out,
            OUTER,
            &format!(
                "A `{object}` of the plugin's, which is given back with the last copy of this. It stands in messages like any value."
            ),
        );
        out.line("#[derive(Clone, Debug, PartialEq)]");
        out.line(format_args!("pub struct {class}(typed::Caller<Methods>);"));
        out.gap();
        out.line(format_args!("impl {class} {{"));
        out.indented(|out| {
            with_options(out);
            self.methods(out, callables)
        })?;
        out.line("}");
        out.gap();
        out.line(format_args!(
            "typed::object::wire!({class}, {});",
            quoted(object)
        ));
        Ok(())
    }

    /// What makes the methods ready.
    fn prepared<'c>(&self, out: &mut Source, all: impl Iterator<Item = &'c Callable<'c>> + Clone) {
        out.line("#[derive(Debug)]");
        let is_empty = all.clone().next().is_none();
        if is_empty {
            out.line("struct Methods {}");
        } else {
            out.line("struct Methods {");
            out.indented(|out| {
                for callable in all.clone() {
                    out.line(format_args!("{}: typed::Method,", callable.kept));
                }
            });
            out.line("}");
        }
        out.gap();
        out.line("impl typed::Methods for Methods {");
        out.indented(|out| {
            if is_empty {
                out.line("fn prepare(_plugin: &Plugin) -> Result<Self, Error> {");
                out.indented(|out| out.line("Ok(Self {})"));
                out.line("}");
                return;
            }
            out.line("fn prepare(plugin: &Plugin) -> Result<Self, Error> {");
            out.indented(|out| {
                out.line("let method =");
                out.indented(|out| {
                    out.line("|name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);");
                });
                out.line("Ok(Self {");
                out.indented(|out| {
                    for Callable { method, kept, .. } in all {
                        let name = quoted(&method.name);
                        let fingerprint = quoted(&method.fingerprint.to_string());
                        let arguments = format!("{name}, {fingerprint}");
                        let line = format!("{kept}: method({arguments})?,");
                        if width(&arguments) <= CALL && out.column() + width(&line) <= WIDTH {
                            out.line(line);
                            continue;
                        }
                        out.line(format_args!("{kept}: method("));
                        out.indented(|out| {
                            out.line(format_args!("{name},"));
                            out.line(format_args!("{fingerprint},"));
                        });
                        out.line(")?,");
                    }
                });
                out.line("})");
            });
            out.line("}");
        });
        out.line("}");
        out.gap();
        out.line("/// What this was written from, to be compared with the plugin.");
        out.line("const CONTRACT: &str = concat!(");
        out.indented(|out| {
            for piece in pieces(&self.contract.text) {
                out.line(format_args!("{piece},"));
            }
        });
        out.line(");");
    }
}

fn with_options(out: &mut Source) {
    doc(
        out,
        OUTER,
        "The same, whose calls have these options: how much time there is, metadata, a trace.",
    );
    out.line("#[must_use]");
    out.line("pub fn with_options(&self, options: CallOptions) -> Self {");
    out.indented(|out| out.line("Self(self.0.with_options(options))"));
    out.line("}");
}
