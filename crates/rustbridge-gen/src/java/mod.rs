//! Clients in Java: a package with a class for each type, one that writes and reads them, and one for the plugin.

mod codec;
mod composites;
mod exceptions;
mod methods;
mod names;
mod objects;
mod records;
mod services;
mod text;
mod types;

use self::codec::{Codec, assign};
use self::methods::Of;
use self::names::{KEYWORDS, Names};
use self::services::Given;
use self::text::{Doc, call, fits, pieces};
use crate::client::{File, Options};
use crate::contract::Contract;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

pub(crate) fn generate(contract: &Contract, options: &Options) -> Result<Vec<File>, Error> {
    let package = match &options.namespace {
        Some(package) => package.clone(),
        None => Case::Snake.of(&contract.plugin),
    };
    if !package.split('.').all(is_package) {
        return Err(Error::new(format_args!(
            "`{package}` can't be the name of a package in Java"
        )));
    }
    let names = Names::new(contract, package)?;
    let mut files = Vec::new();
    for (number, ty) in &names.types {
        let mut body = Source::new("  ");
        let definition = &contract.types.definitions()[*number as usize];
        names.definition(&mut body, *number, definition)?;
        files.push(names.file(&ty.name, body));
    }
    for (count, name) in &names.tuples {
        let mut body = Source::new("  ");
        names.tuple(&mut body, *count, name);
        files.push(names.file(name, body));
    }
    for (object, class) in &names.objects {
        let mut body = Source::new("  ");
        names.object_class(&mut body, object, class)?;
        files.push(names.file(class, body));
    }
    let given = names.given()?;
    for one in &given {
        let mut body = Source::new("  ");
        names.interface(&mut body, one);
        files.push(names.file(one.interface, body));
    }
    let mut codec = Codec::new(&names);
    for (error, class) in &names.exceptions {
        let mut body = Source::new("  ");
        names.exception(&mut codec, &mut body, *error, class);
        files.push(names.file(class, body));
    }
    let mut body = Source::new("  ");
    names.client(&mut codec, &mut body, &given)?;
    files.push(names.file(&names.client, body));
    let mut body = Source::new("  ");
    Doc::of("", "")
        .replaced("Writes and reads the plugin's types.")
        .write(&mut body);
    body.line(format_args!("final class {} {{", names.codec));
    body.indented(|body| codec.methods(body))?;
    body.line("}");
    files.push(names.file(&names.codec, body));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn is_package(part: &str) -> bool {
    let is_first = |letter: char| letter.is_alphabetic() || letter == '_';
    part.starts_with(is_first)
        && part
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&part)
}

impl Names<'_> {
    /// A file with one class.
    fn file(&self, class: &str, body: Source) -> File {
        let plugin = &self.contract.plugin;
        let body = body.finish();
        let mut out = Source::new("  ");
        out.line(format_args!("// Written by `rustbridge gen -l java` of the plugin `{plugin}`: write it anew by that, not by hand."));
        out.line(format_args!("package {};", self.package));
        out.gap();
        // Not what prose speaks of, nor the contract's text.
        let code: Vec<&str> = body
            .lines()
            .filter(|line| !line.trim_start().starts_with(['*', '/', '"']))
            .collect();
        let code = code.join("\n");
        let imports: Vec<&str> = IMPORTS
            .iter()
            .copied()
            .filter(|import| {
                import
                    .rsplit('.')
                    .next()
                    .is_some_and(|name| mentions(&code, name))
            })
            .collect();
        for import in &imports {
            out.line(format_args!("import {import};"));
        }
        if !imports.is_empty() {
            out.gap();
        }
        File {
            path: format!("{}/{class}.java", self.package.replace('.', "/")),
            text: out.finish() + &body,
        }
    }

    fn client(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        given: &[Given<'_, '_>],
    ) -> Result<(), Error> {
        let named = methods::named(self.contract, Of::Plugin)?;
        let mut of_objects = Vec::new();
        for (object, class) in &self.objects {
            of_objects.extend(methods::named(self.contract, Of::Object(object, class))?);
        }
        self.about().write(out);
        let class = &self.client;
        out.line(format_args!(
            "public final class {class} extends TypedClient {{"
        ));
        out.indented(|out| {
            let mut inside = vec!["\"\"".to_owned()];
            inside.extend(pieces(&self.contract.text));
            assign(
                out,
                "private static final String CONTRACT",
                "String.join",
                &inside,
                ";",
            );
            if !named.is_empty() || !of_objects.is_empty() {
                out.gap();
            }
            for one in &named {
                field(out, "private final", &self.prepared(one.method), &one.kept);
            }
            for one in &of_objects {
                field(out, "final", &self.prepared(one.method), &one.kept);
            }
            out.gap();
            out.line(format_args!(
                "private {class}(Plugin plugin, boolean owned) {{"
            ));
            out.indented(|out| {
                out.line("super(plugin, owned);");
                for one in named.iter().chain(&of_objects) {
                    self.prepare(codec, out, one);
                }
            });
            out.line("}");
            self.making(out, given);
            if !given.is_empty() {
                self.serving(codec, out, given);
            }
            for one in &named {
                self.method(out, one)?;
            }
            for one in &named {
                self.method_later(out, one)?;
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// The prose above the client.
    fn about(&self) -> Doc {
        let plugin = &self.contract.plugin;
        let mut doc = Doc::of(&self.contract.doc, plugin);
        if self.contract.doc.trim().is_empty() {
            doc = doc.replaced(&format!("Typed methods of the plugin {{@code {plugin}}}."));
        }
        let left_out = self.contract.left_out().into_iter();
        let left_out: Vec<String> = left_out.map(|name| format!("{{@code {name}}}")).collect();
        if left_out.is_empty() {
            return doc;
        }
        doc.paragraph(format!(
            "Not here, since they have no types, or streams of objects: {}.",
            left_out.join(", ")
        ))
    }

    /// The ways to get a client.
    fn making(&self, out: &mut Source, given: &[Given<'_, '_>]) {
        let class = &self.client;
        let refuses = "if the plugin's types are others than those that this was written from";
        out.gap();
        Doc::of("", "")
            .replaced("Calls an instance of the plugin, which goes on to belong to the caller.")
            .tag("@param plugin", "the instance")
            .tag("@return", "a client of it")
            .tag("@throws io.github.rustbridge.PluginException", refuses)
            .write(out);
        out.line(format_args!("public static {class} of(Plugin plugin) {{"));
        out.indented(|out| out.line(format_args!("return new {class}(plugin, false);")));
        out.line("}");
        // What the plugin can't do without has to be there.
        let needs = given.iter().any(|one| !one.group.optional);
        if !needs {
            self.loading(out, false, &[]);
            self.loading(out, true, &[]);
        }
        if !given.is_empty() {
            self.loading(out, true, given);
        }
    }

    /// One that loads the plugin.
    fn loading(&self, out: &mut Source, config: bool, given: &[Given<'_, '_>]) {
        let class = &self.client;
        let refuses = "if it can't be loaded, or the plugin's types are others than those that this was written from";
        out.gap();
        let mut doc = Doc::of("", "")
            .replaced("Loads the plugin. It's closed with the client.")
            .tag("@param library", "the plugin's library");
        let mut parameters = vec!["Path library".to_owned()];
        if config {
            let about = "the plugin's configuration, and what the host wants of the instance";
            doc = doc.tag("@param config", about);
            parameters.push("PluginConfig config".to_owned());
        }
        for one in given {
            doc = doc.tag(format!("@param {}", one.name), one.about());
            parameters.push(one.parameter());
        }
        doc.tag("@return", "a client of it")
            .tag("@throws io.github.rustbridge.PluginException", refuses)
            .write(out);
        call(
            out,
            &format!("public static {class} load"),
            &parameters,
            " {",
        );
        out.indented(|out| {
            if !config {
                out.line("return load(library, PluginConfig.defaults());");
                return;
            }
            let mut names = vec!["config"];
            names.extend(given.iter().map(|one| &*one.name));
            let config = match given {
                [] => "config".to_owned(),
                _ => format!("serving({})", names.join(", ")),
            };
            let made = format!("plugin -> new {class}(plugin, true)");
            let inside = ["library".to_owned(), config, made];
            call(out, "return loaded", &inside, ";");
        });
        out.line("}");
    }
}

/// A field in one line, or broken where the formatter breaks it: before its name, and before what is in angle brackets.
fn field(out: &mut Source, modifiers: &str, ty: &str, name: &str) {
    let left = format!("{modifiers} {ty}");
    let line = format!("{left} {name};");
    if fits(out, &line) {
        out.line(line);
        return;
    }
    match left.split_once('<') {
        Some((before, inside)) if !fits(out, &left) => {
            out.line(format_args!("{before}<"));
            // Deeper than what continues the line.
            out.line(format_args!("        {inside}"));
        }
        _ => out.line(left),
    }
    out.line(format_args!("    {name};"));
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let behind = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(behind)
    })
}

/// What generated code may need, in the order of imports.
const IMPORTS: &[&str] = &[
    "io.github.rustbridge.CallOptions",
    "io.github.rustbridge.Items",
    "io.github.rustbridge.Plugin",
    "io.github.rustbridge.PluginConfig",
    "io.github.rustbridge.PluginException",
    "io.github.rustbridge.PluginObject",
    "io.github.rustbridge.TypedClient",
    "io.github.rustbridge.TypedMethod",
    "io.github.rustbridge.TypedObject",
    "io.github.rustbridge.TypedSending",
    "io.github.rustbridge.TypedServices",
    "io.github.rustbridge.wire.Maybe",
    "io.github.rustbridge.wire.UnitValue",
    "io.github.rustbridge.wire.Values",
    "io.github.rustbridge.wire.WireReader",
    "io.github.rustbridge.wire.WireWriter",
    "java.math.BigInteger",
    "java.nio.file.Path",
    "java.time.Duration",
    "java.time.Instant",
    "java.util.List",
    "java.util.Map",
    "java.util.Objects",
    "java.util.UUID",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.CompletionStage",
    "java.util.concurrent.Flow",
];
