//! Clients in Kotlin, over Java's reader, writer and prepared methods: a file for the plugin, one for its messages, and one that writes
//! and reads these; others for objects and services, if there are any.

mod callbacks;
mod codec;
mod composites;
mod default_values;
mod enums;
mod exceptions;
mod imports;
mod methods;
mod names;
mod objects;
mod parameters;
mod records;
mod services;
mod text;
mod trait_names;
mod traits;
mod types;

use self::codec::Codec;
use self::imports::{CONFIG, has_unsigned_arrays, imports};
use self::methods::{Owner, Part};
use self::names::{Names, is_package};
use self::text::{Doc, INDENT, call, fits, pieces};
use crate::client::{File, Options};
use crate::client_schema::ClientSchema;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

pub(crate) fn generate(
    client_schema: &ClientSchema,
    options: &Options,
) -> Result<Vec<File>, Error> {
    let package = match &options.namespace {
        Some(package) => package.clone(),
        None => Case::Snake.of(&client_schema.plugin),
    };
    if !package.split('.').all(is_package) {
        return Err(Error::new(format_args!(
            "`{package}` can't be the name of a package in Kotlin"
        )));
    }
    let names = Names::new(client_schema, package)?;
    let mut codec = Codec::new(&names);
    let client = names.client.clone();

    let mut files = Vec::new();
    let mut body = Source::new(INDENT);
    names.client(&mut codec, &mut body)?;
    files.push(names.file(&client, body));
    let mut body = Source::new(INDENT);
    names.api(&mut body)?;
    files.push(names.file(&names.api, body));

    let messages = names.messages(&mut codec)?;
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
    let mut callbacks = Vec::new();
    for callback in &names.callbacks {
        let mut body = Source::new(INDENT);
        names.callback_interface(&mut body, callback)?;
        callbacks.push(body.finish());
        if let Some(class) = &callback.class {
            let mut body = Source::new(INDENT);
            names.callback_class(&mut body, callback, class)?;
            callbacks.push(body.finish());
        }
    }
    if !callbacks.is_empty() {
        files.push(names.file(&format!("{client}Callbacks"), joined(callbacks)));
    }
    let mut interfaces = Vec::new();
    for group in &names.groups {
        let mut body = Source::new(INDENT);
        names.service_interface(&mut body, group)?;
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

impl Names<'_> {
    /// The classes of all types, and what has to do with them.
    fn messages(&self, codec: &mut Codec<'_, '_>) -> Result<Vec<String>, Error> {
        let mut messages = Vec::new();
        for (number, names) in &self.types {
            if self.imported.contains_key(&names.name) {
                continue;
            }
            let mut body = Source::new(INDENT);
            let definition = &self.client_schema.types.definitions()[*number as usize];
            self.definition(&mut body, *number, definition)?;
            messages.push(body.finish());
        }
        for (count, name) in &self.tuples {
            if self.imported.contains_key(name) {
                continue;
            }
            let mut body = Source::new(INDENT);
            self.tuple(&mut body, *count, name);
            messages.push(body.finish());
        }
        for (error, class) in &self.exceptions {
            if self.imported.contains_key(class) {
                continue;
            }
            let mut body = Source::new(INDENT);
            self.exception(codec, &mut body, *error, class);
            messages.push(body.finish());
        }
        Ok(messages)
    }

    /// A file of the client's.
    fn file(&self, name: &str, body: Source) -> File {
        let plugin = &self.client_schema.plugin;
        let body = body.finish();
        let mut out = Source::new(INDENT);
        out.line(format_args!(
            "// Generated by `rustbridge gen -l kotlin` from the plugin `{plugin}`; do not edit."
        ));
        // Names in prose and in the client schema's text don't count.
        let code: Vec<&str> = body
            .lines()
            .filter(|line| !line.trim_start().starts_with(['*', '/', '"']))
            .filter(|line| !line.trim_start().starts_with("append("))
            .collect();
        let code = code.join("\n");
        if has_unsigned_arrays(&code) {
            // Kotlin calls arrays of numbers without a sign experimental.
            out.line("@file:OptIn(ExperimentalUnsignedTypes::class)");
        }
        // Said or not, there's a mode of the compiler's that warns of it.
        out.line("@file:Suppress(\"REDUNDANT_VISIBILITY_MODIFIER\")");
        out.gap();
        out.line(format_args!("package {}", self.package));
        out.gap();
        let imports = imports(&code, &self.imported);
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
        let named = methods::named(self.client_schema, Owner::Plugin)?;
        let mut of_objects = Vec::new();
        for owner in self.owners() {
            of_objects.extend(methods::named(self.client_schema, owner)?);
        }
        self.about().write(out);
        let class = &self.client;
        let line =
            format!("public class {class} private constructor(plugin: Plugin, owned: Boolean) :");
        let supers = format!("TypedClient(plugin, owned), {} {{", self.api);
        if fits(out, &format!("{line} {supers}")) {
            out.line(format_args!("{line} {supers}"));
        } else {
            out.line(line);
            out.indented(|out| out.line(supers));
        }
        out.indented(|out| {
            for one in &named {
                self.prepare(codec, out, "private", one);
            }
            for one in &of_objects {
                self.prepare(codec, out, "internal", one);
            }
            // Those without a property have a block of their own.
            let (with, without): (Vec<_>, Vec<_>) =
                self.callbacks.iter().partition(|it| it.class.is_some());
            for callback in with.into_iter().chain(without) {
                self.prepare_callback(out, callback);
            }
            for callback in &self.callbacks {
                self.prepare_crossings(codec, out, callback);
            }
            for one in &named {
                self.method(out, one, Part::Implementation)?;
            }
            out.gap();
            Doc::of("", "").replaced("Creates clients.").write(out);
            out.line("public companion object {");
            out.indented(|out| {
                out.line("internal val CLIENT_SCHEMA: String = buildString {");
                out.indented(|out| {
                    for piece in pieces(&self.client_schema.text) {
                        out.line(format_args!("append({piece})"));
                    }
                });
                out.line("}");
                self.making(codec, out)
            })?;
            out.line("}");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// The prose above the client.
    fn about(&self) -> Doc {
        let plugin = &self.client_schema.plugin;
        let mut doc = Doc::of(&self.client_schema.doc, plugin);
        if self.client_schema.doc.trim().is_empty() {
            doc = doc.replaced(&format!("Typed methods of the plugin `{plugin}`."));
        }
        let left_out = self.client_schema.left_out().into_iter();
        let left_out: Vec<String> = left_out.map(|name| format!("`{name}`")).collect();
        if left_out.is_empty() {
            return doc;
        }
        doc.paragraph(format!(
            "Without a method here, because they have no types or are streams of objects: {}.",
            left_out.join(", ")
        ))
    }

    /// The ways to get a client.
    fn making(&self, codec: &mut Codec<'_, '_>, out: &mut Source) -> Result<(), Error> {
        let class = &self.client;
        let refuses = "if the plugin doesn't match the client";
        out.gap();
        Doc::of("", "")
            .replaced("Creates a client of a loaded instance. Closing the client doesn't close the instance.")
            .tag("@param plugin", "the instance")
            .tag("@return", "the client")
            .tag("@throws PluginException", refuses)
            .write(out);
        out.line(format_args!(
            "public fun of(plugin: Plugin): {class} = {class}(plugin, false)"
        ));
        for from in [From::File, From::Image, From::Resource] {
            self.loading(out, from);
        }
        self.factory(out);
        if self.serves() {
            out.gap();
            self.registering(codec, out)?;
        }
        Ok(())
    }

    /// Whether the plugin may call the host: loading registers services.
    fn serves(&self) -> bool {
        !self.groups.is_empty() || !self.callbacks.is_empty()
    }

    /// The classes of objects.
    fn owners(&self) -> impl Iterator<Item = Owner<'_>> {
        let objects = self.objects.iter();
        let objects = objects.map(|(object, class)| Owner::Object(object, class));
        objects.chain(self.callbacks.iter().filter_map(|names| {
            let class = names.class.as_ref()?;
            Some(Owner::Object(&names.callback.name, class))
        }))
    }

    /// A way to load the plugin.
    fn loading(&self, out: &mut Source, from: From) {
        let class = &self.client;
        let refuses = "if the plugin can't be loaded or doesn't match the client";
        out.gap();
        let mut doc = Doc::of("", "").replaced(from.prose());
        let mut parameters = Vec::new();
        for (name, ty, about) in from.parameters() {
            doc = doc.tag(format!("@param {name}"), *about);
            parameters.push(format!("{name}: {ty}"));
        }
        self.service_docs(doc)
            .tag(
                "@param configure",
                "the options of loading, as of `loadPlugin`",
            )
            .tag("@return", "the client; close it, for example with `use`")
            .tag("@throws PluginException", refuses)
            .write(out);
        parameters.extend(self.service_parameters());
        parameters.push("configure: PluginOptions.() -> Unit = {}".to_owned());
        call(
            out,
            &format!("public fun {}", from.verb()),
            &parameters,
            &format!(": {class} {{"),
        );
        out.indented(|out| {
            if !self.serves() {
                out.line(format_args!("val config = {CONFIG}(configure)"));
            } else {
                let given = self.groups.iter();
                let given = given.map(|group| format!("{0} = {0}", group.parameter));
                let mut inside = vec![format!("{CONFIG}(configure)")];
                inside.extend(given);
                text::assign(out, "val config", "serving", &inside);
            }
            out.line(format_args!(
                "return loaded({}, config) {{ {class}(it, true) }}",
                from.passed()
            ));
        });
        out.line("}");
    }

    /// What containers make the client by.
    fn factory(&self, out: &mut Source) {
        let class = &self.client;
        out.gap();
        Doc::of("", "")
            .replaced("Creates clients, for containers.")
            .write(out);
        out.line("@JvmField");
        out.line(format_args!(
            "public val FACTORY: TypedClientFactory<{class}> ="
        ));
        out.indented(|out| {
            out.line(format_args!("object : TypedClientFactory<{class}> {{"));
            out.indented(|out| {
                out.line(format_args!(
                    "override fun of(plugin: Plugin): {class} = {class}(plugin, false)"
                ));
                out.gap();
                let parameters = [
                    "config: PluginConfig".to_owned(),
                    "services: TypedClientServices".to_owned(),
                ];
                let mut inside = vec!["config".to_owned()];
                inside.extend(self.groups_in_order().map(|group| {
                    let required = !group.optional;
                    format!("services.find({}::class.java, {required})", group.name)
                }));
                match self.serves() {
                    false => call(
                        out,
                        "override fun serving",
                        &parameters,
                        ": PluginConfig = config",
                    ),
                    true => text::function(
                        out,
                        "override fun serving",
                        &parameters,
                        ": PluginConfig",
                        "this@Companion.serving",
                        &inside,
                    ),
                }
            });
            out.line("}");
        });
    }

    /// The interface of the plugin's methods, which tests implement in the client's place.
    fn api(&self, out: &mut Source) -> Result<(), Error> {
        let named = methods::named(self.client_schema, Owner::Plugin)?;
        Doc::of("", "")
            .replaced(&format!(
                "The methods of `{}`, for fakes in tests.",
                self.client
            ))
            .write(out);
        let api = &self.api;
        if named.is_empty() {
            out.line(format_args!("public interface {api}"));
            return Ok(());
        }
        out.line(format_args!("public interface {api} {{"));
        let mut inside = Source::new(INDENT);
        inside.indented(|out| {
            named
                .iter()
                .try_for_each(|one| self.method(out, one, Part::Declaration))
        })?;
        out.raw(inside.finish().trim_start_matches('\n'));
        out.line("}");
        Ok(())
    }
}

/// What a plugin is loaded from.
#[derive(Clone, Copy)]
enum From {
    File,
    Image,
    Resource,
}

impl From {
    fn prose(self) -> &'static str {
        match self {
            From::File => "Loads the plugin. It's closed with the client.",
            From::Image => {
                "Loads the plugin from the bytes of its library. It's closed with the client."
            }
            From::Resource => "Loads the plugin from a resource. It's closed with the client.",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            From::File | From::Image => "load",
            From::Resource => "loadResource",
        }
    }

    /// Each with its name, its type and what is said of it.
    fn parameters(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            From::File => &[("library", "Path", "the plugin's library")],
            From::Image => &[("image", "ByteArray", "the bytes of the plugin's library")],
            From::Resource => &[
                (
                    "anchor",
                    "KClass<*>",
                    "a class of the jar or module with the resource",
                ),
                (
                    "resource",
                    "String",
                    "the name of the resource, as for `Class.getResource`",
                ),
            ],
        }
    }

    /// What is handed on.
    fn passed(self) -> &'static str {
        match self {
            From::File => "library",
            From::Image => "image",
            From::Resource => "anchor.java, resource",
        }
    }
}
