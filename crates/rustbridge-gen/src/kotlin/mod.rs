//! Clients in Kotlin, over Java's reader, writer and prepared methods: a file for the plugin, one for its messages, and one that writes
//! and reads these; others for objects and services, if there are any.

mod codec;
mod composites;
mod enums;
mod methods;
mod names;
mod records;
mod services;
mod text;
mod types;

use self::codec::Codec;
use self::methods::Of;
use self::names::{KEYWORDS, Names};
use self::text::{Doc, INDENT, call, fits, pieces};
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
            "`{package}` can't be the name of a package in Kotlin"
        )));
    }
    let names = Names::new(contract, package)?;
    let mut codec = Codec::new(&names);
    let client = names.client.clone();

    let mut files = Vec::new();
    let mut body = Source::new(INDENT);
    names.client(&mut codec, &mut body)?;
    files.push(names.file(&client, body));

    let messages = names.messages()?;
    if !messages.is_empty() {
        files.push(names.file(&format!("{client}Messages"), joined(messages)));
    }
    let mut objects = Vec::new();
    for (object, class) in &names.objects {
        let mut body = Source::new(INDENT);
        names.object_class(&mut body, object, class)?;
        objects.push(body.finish());
    }
    if !objects.is_empty() {
        files.push(names.file(&format!("{client}Objects"), joined(objects)));
    }
    let mut interfaces = Vec::new();
    for group in &names.groups {
        let mut body = Source::new(INDENT);
        names.service_interface(&mut body, group);
        interfaces.push(body.finish());
    }
    if !interfaces.is_empty() {
        files.push(names.file(&format!("{client}Services"), joined(interfaces)));
    }
    let mut body = Source::new(INDENT);
    Doc::of("", "")
        .replaced("Writes and reads the plugin's types.")
        .write(&mut body);
    body.line(format_args!("internal object {} {{", names.codec));
    body.indented(|body| codec.functions(body))?;
    body.line("}");
    files.push(names.file(&names.codec, body));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn joined(parts: Vec<String>) -> Source {
    let mut body = Source::new(INDENT);
    body.raw(&parts.join("\n"));
    body
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
    /// The classes of all types, and what has to do with them.
    fn messages(&self) -> Result<Vec<String>, Error> {
        let mut messages = Vec::new();
        for number in self.types.keys() {
            let mut body = Source::new(INDENT);
            let definition = &self.contract.types.definitions()[*number as usize];
            self.definition(&mut body, *number, definition)?;
            messages.push(body.finish());
        }
        for (count, name) in &self.tuples {
            let mut body = Source::new(INDENT);
            self.tuple(&mut body, *count, name);
            messages.push(body.finish());
        }
        for (error, class) in &self.exceptions {
            let mut body = Source::new(INDENT);
            self.exception(&mut body, *error, class);
            messages.push(body.finish());
        }
        Ok(messages)
    }

    /// A file of the client's.
    fn file(&self, name: &str, body: Source) -> File {
        let plugin = &self.contract.plugin;
        let body = body.finish();
        let mut out = Source::new(INDENT);
        out.line(format_args!("// Written by `rustbridge gen -l kotlin` of the plugin `{plugin}`: write it anew by that, not by hand."));
        // Not what prose speaks of, nor the contract's text.
        let code: Vec<&str> = body
            .lines()
            .filter(|line| !line.trim_start().starts_with(['*', '/', '"']))
            .filter(|line| !line.trim_start().starts_with("append("))
            .collect();
        let code = code.join("\n");
        if UNSIGNED.iter().any(|array| mentions(&code, array)) {
            // Kotlin calls arrays of numbers without a sign experimental.
            out.line("@file:OptIn(ExperimentalUnsignedTypes::class)");
        }
        // Said or not, there's a mode of the compiler's that warns of it.
        out.line("@file:Suppress(\"REDUNDANT_VISIBILITY_MODIFIER\")");
        out.gap();
        out.line(format_args!("package {}", self.package));
        out.gap();
        let imports: Vec<&str> = IMPORTS
            .iter()
            .copied()
            .filter(|import| {
                import
                    .rsplit('.')
                    .next()
                    .is_some_and(|name| match import.starts_with(FUNCTIONS) {
                        true if name.starts_with(char::is_lowercase) => {
                            // All but one are called on something; methods may have the same names.
                            code.contains(&format!(".{name}("))
                                || name == CONFIG && mentions(&code, name)
                        }
                        _ => mentions(&code, name),
                    })
            })
            .collect();
        for import in &imports {
            out.line(format_args!("import {import}"));
        }
        if !imports.is_empty() {
            out.gap();
        }
        File {
            path: format!("{}/{name}.kt", self.package.replace('.', "/")),
            text: out.finish() + &body,
        }
    }

    fn client(&self, codec: &mut Codec<'_, '_>, out: &mut Source) -> Result<(), Error> {
        let named = methods::named(self.contract, Of::Plugin)?;
        let mut of_objects = Vec::new();
        for (object, class) in &self.objects {
            of_objects.extend(methods::named(self.contract, Of::Object(object, class))?);
        }
        self.about().write(out);
        let class = &self.client;
        let line =
            format!("public class {class} private constructor(plugin: Plugin, owned: Boolean) :");
        if fits(out, &format!("{line} TypedClient(plugin, owned) {{")) {
            out.line(format_args!("{line} TypedClient(plugin, owned) {{"));
        } else {
            out.line(line);
            out.indented(|out| out.line("TypedClient(plugin, owned) {"));
        }
        out.indented(|out| {
            for one in &named {
                self.prepare(codec, out, "private", one);
            }
            for one in &of_objects {
                self.prepare(codec, out, "internal", one);
            }
            for one in &named {
                self.method(out, one)?;
            }
            out.gap();
            Doc::of("", "").replaced("What makes clients.").write(out);
            out.line("public companion object {");
            out.indented(|out| {
                out.line("private val CONTRACT: String = buildString {");
                out.indented(|out| {
                    for piece in pieces(&self.contract.text) {
                        out.line(format_args!("append({piece})"));
                    }
                });
                out.line("}");
                self.making(codec, out);
            });
            out.line("}");
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
            doc = doc.replaced(&format!("Typed methods of the plugin `{plugin}`."));
        }
        let left_out = self.contract.left_out().into_iter();
        let left_out: Vec<String> = left_out.map(|name| format!("`{name}`")).collect();
        if left_out.is_empty() {
            return doc;
        }
        doc.paragraph(format!(
            "Not here, since they have no types, or streams of objects: {}.",
            left_out.join(", ")
        ))
    }

    /// The ways to get a client.
    fn making(&self, codec: &mut Codec<'_, '_>, out: &mut Source) {
        let class = &self.client;
        let refuses = "if the plugin's types are others than those that this was written from";
        out.gap();
        Doc::of("", "")
            .replaced("Calls an instance of the plugin, which goes on to belong to the caller.")
            .tag("@param plugin", "the instance")
            .tag("@return", "a client of it")
            .tag("@throws PluginException", refuses)
            .write(out);
        out.line(format_args!(
            "public fun of(plugin: Plugin): {class} = {class}(plugin, false)"
        ));
        out.gap();
        let doc = Doc::of("", "")
            .replaced("Loads the plugin. It's closed with the client.")
            .tag("@param library", "the plugin's library");
        self.service_docs(doc)
            .tag("@param configure", "how to load it, as `loadPlugin` has it")
            .tag("@return", "a client of it, to be closed, best by `use`")
            .tag(
                "@throws PluginException",
                format!("if it can't be loaded, or {}", &refuses[3..]),
            )
            .write(out);
        let mut parameters = vec!["library: Path".to_owned()];
        parameters.extend(self.service_parameters());
        parameters.push("configure: PluginOptions.() -> Unit = {}".to_owned());
        call(
            out,
            "public fun load",
            &parameters,
            &format!(": {class} {{"),
        );
        out.indented(|out| {
            if self.groups.is_empty() {
                out.line(format_args!("val config = {CONFIG}(configure)"));
            } else {
                let given = self.groups.iter();
                let given = given.map(|group| format!("{0} = {0}", group.parameter));
                let mut inside = vec![format!("{CONFIG}(configure)")];
                inside.extend(given);
                text::assign(out, "val config", "serving", &inside);
            }
            out.line(format_args!(
                "return loaded(library, config) {{ {class}(it, true) }}"
            ));
        });
        out.line("}");
        if !self.groups.is_empty() {
            out.gap();
            self.registering(codec, out);
        }
    }
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let behind = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(behind)
    })
}

/// What is experimental in Kotlin.
const UNSIGNED: &[&str] = &["UByteArray", "UIntArray", "ULongArray", "UShortArray"];

/// Where functions are that generated code calls.
const FUNCTIONS: &str = "io.github.rustbridge.kotlin.";

/// The function that makes configurations.
const CONFIG: &str = "pluginConfig";

/// What generated code may need, in the order of imports.
const IMPORTS: &[&str] = &[
    "io.github.rustbridge.CallOptions",
    "io.github.rustbridge.Plugin",
    "io.github.rustbridge.PluginConfig",
    "io.github.rustbridge.PluginException",
    "io.github.rustbridge.PluginObject",
    "io.github.rustbridge.TypedClient",
    "io.github.rustbridge.TypedMethod",
    "io.github.rustbridge.TypedObject",
    "io.github.rustbridge.TypedSending",
    "io.github.rustbridge.TypedServices",
    "io.github.rustbridge.kotlin.Content",
    "io.github.rustbridge.kotlin.PluginOptions",
    "io.github.rustbridge.kotlin.await",
    "io.github.rustbridge.kotlin.callWith",
    "io.github.rustbridge.kotlin.exchange",
    "io.github.rustbridge.kotlin.flow",
    "io.github.rustbridge.kotlin.pluginConfig",
    "io.github.rustbridge.kotlin.send",
    "io.github.rustbridge.kotlin.serve",
    "io.github.rustbridge.wire.Maybe",
    "io.github.rustbridge.wire.UnfitException",
    "io.github.rustbridge.wire.Values",
    "io.github.rustbridge.wire.WireReader",
    "io.github.rustbridge.wire.WireWriter",
    "java.math.BigInteger",
    "java.nio.file.Path",
    "java.time.Duration",
    "java.time.Instant",
    "java.util.UUID",
    "kotlinx.coroutines.flow.Flow",
];
