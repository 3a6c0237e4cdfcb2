//! The class of the plugin.

use super::methods::{Callable, Owner, Part};
use super::names::{CLIENT, CallbackNames, Names, ObjectNames};
use super::services::ServiceGroup;
use super::text::{doc, list, quoted};
use crate::error::Error;
use crate::source::Source;

impl Names<'_> {
    pub(super) fn client(
        &self,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        let client_schema = self.client_schema;
        let left_out = client_schema.left_out();
        let own = self.client_callables()?;
        let mut of_objects = Vec::new();
        for (object, ObjectNames { class, .. }) in &self.objects {
            of_objects.extend(self.object_callables(object, class)?);
            of_objects.extend(self.hidden(object, class)?);
        }
        let about = match &*client_schema.doc {
            "" => format!("Typed methods of the plugin `{}`.", client_schema.plugin),
            prose => prose.to_owned(),
        };
        let client = &self.client;
        doc(out, "summary", &about);
        let mut remarks = "Thread-safe, like the plugin.".to_owned();
        if !left_out.is_empty() {
            remarks.push_str(&format!(
                "\nWithout a method here, because they have no types or are streams of objects: {}.",
                left_out.join(", ")
            ));
        }
        doc(out, "remarks", &remarks);
        out.line(format_args!(
            "public sealed class {client} : {}, ITypedClient<{client}>, IAsyncDisposable",
            self.interface
        ));
        out.line("{");
        out.indented(|out| {
            out.line("private readonly bool _owned;");
            for CallbackNames {
                interface, kept, ..
            } in &self.callbacks
            {
                out.line(format_args!(
                    "internal readonly global::RustBridge.Wire.Callback<{interface}> {kept};"
                ));
            }
            for Callable { kept, .. } in &own {
                out.line(format_args!("private readonly Method {kept};"));
            }
            for Callable { kept, .. } in &of_objects {
                out.line(format_args!("internal readonly Method {kept};"));
            }
            self.lifecycle(out, own.iter().chain(&of_objects), given)?;
            self.methods(out, Owner::Plugin, &own, Part::Implementation);
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// How a client begins and ends.
    fn lifecycle<'c>(
        &self,
        out: &mut Source,
        all: impl Iterator<Item = &'c Callable<'c>>,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        let client = &self.client;
        out.line(format_args!(
            r#"
/// <summary>Creates a client of a loaded instance. Disposing of the client doesn't close the instance.</summary>
/// <param name="plugin">The instance.</param>
/// <exception cref="PluginException">The plugin doesn't match the client: the message names the differences.</exception>
public {client}(Plugin plugin)
    : this(plugin, owned: false)
{{
}}

private {client}(Plugin plugin, bool owned)
{{
    global::System.ArgumentNullException.ThrowIfNull(plugin);
    Plugin = plugin;
    _owned = owned;"#
        ));
        out.indented(|out| {
            for names in &self.callbacks {
                let CallbackNames { callback, kept, .. } = names;
                out.line(format_args!(
                    "{kept} = new(plugin, {}, \"{}\", \"{}\", {}.Text);",
                    quoted(&callback.name),
                    callback.create.fingerprint,
                    callback.number.fingerprint,
                    self.carried
                ));
                self.set_crossings(out, names);
            }
            for callable in all {
                out.line(self.prepared(callable));
            }
        });
        out.line(
            r#"}

/// <summary>The plugin's instance.</summary>
public Plugin Plugin { get; }"#,
        );
        if let Some(library) = self.packaged {
            self.loading(out, given, None);
            packaged_library(out, library);
        }
        self.loading(out, given, Some(("string path", "The library's file.")));
        self.loading(
            out,
            given,
            Some((
                "ReadOnlySpan<byte> image",
                "The bytes of the library, for example of an embedded resource.",
            )),
        );
        out.line(
            r#"
/// <summary>Closes the plugin, if the client has loaded it.</summary>
public void Dispose()
{
    if (_owned)
    {
        Plugin.Dispose();
    }
}

/// <summary>Closes the plugin, if the client has loaded it, without blocking.</summary>
/// <returns>Done when it's closed.</returns>
public ValueTask DisposeAsync() => _owned ? Plugin.DisposeAsync() : default;
"#,
        );
        self.container(out, given);
        if self.serves(given) {
            self.serving(out, given)?;
        }
        Ok(())
    }

    /// Whether the plugin may call services or callbacks of the host.
    fn serves(&self, given: &[ServiceGroup<'_, '_>]) -> bool {
        !given.is_empty() || !self.callbacks.is_empty()
    }

    /// A way to load the plugin, from what the first parameter is, or else the packaged library.
    fn loading(
        &self,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
        from: Option<(&str, &str)>,
    ) {
        let client = &self.client;
        out.gap();
        let name = match from {
            Some((from, about)) => {
                let name = from.rsplit(' ').next().unwrap_or(from);
                out.line("/// <summary>Loads the plugin. It's closed with the client.</summary>");
                out.line(format_args!("/// <param name=\"{name}\">{about}</param>"));
                name
            }
            None => {
                out.line("/// <summary>Loads the plugin that is packaged with this class. It's closed with the client.</summary>");
                "PackagedLibrary()"
            }
        };
        let (needed, optional): (Vec<_>, Vec<_>) =
            given.iter().partition(|one| !one.group.optional);
        let mut parameters: Vec<String> = from.iter().map(|(from, _)| (*from).to_owned()).collect();
        let declare =
            |out: &mut Source, parameters: &mut Vec<String>, one: &ServiceGroup<'_, '_>| {
                out.line(one.about());
                parameters.push(one.declared_with_default());
            };
        for one in needed {
            declare(out, &mut parameters, one);
        }
        out.line("/// <param name=\"config\">The configuration and the other options of the instance.</param>");
        parameters.push("PluginConfig? config = null".to_owned());
        for one in optional {
            declare(out, &mut parameters, one);
        }
        out.line("/// <returns>The client. Dispose of it to close the plugin.</returns>");
        out.line("/// <exception cref=\"PluginException\">The plugin can't be loaded or doesn't match the client.</exception>");
        list(
            out,
            &format!("public static {client} Load"),
            &parameters,
            "",
        );
        let config = if self.serves(given) {
            let mut names = vec!["config"];
            names.extend(given.iter().map(|one| &*one.name));
            format!("Serving({})", names.join(", "))
        } else {
            "config".to_owned()
        };
        out.line(format_args!(
            r#"{{
    Plugin plugin = Plugin.Load({name}, {config});
    try
    {{
        return new {client}(plugin, owned: true);
    }}
    catch
    {{
        plugin.Dispose();
        throw;
    }}
}}"#
        ));
    }

    /// What a container makes the client by. Explicit, so that it takes no name from the plugin's methods.
    fn container(&self, out: &mut Source, given: &[ServiceGroup<'_, '_>]) {
        let client = &self.client;
        out.line(format_args!(
            "static {client} ITypedClient<{client}>.Of(Plugin plugin) => new(plugin);"
        ));
        out.gap();
        let head = format!(
            "static PluginConfig ITypedClient<{client}>.Serving(PluginConfig config, IServiceProvider services)"
        );
        if !self.serves(given) {
            out.line(format_args!("{head} => config;"));
            return;
        }
        let mut inside = vec!["config".to_owned()];
        inside.extend(given.iter().map(|one| {
            let interface = one.interface;
            match one.group.optional {
                true => format!("({interface}?)services.GetService(typeof({interface}))"),
                false => {
                    format!("global::RustBridge.Wire.TypedServices.Required<{interface}>(services)")
                }
            }
        }));
        out.line(format_args!("{head} =>"));
        out.indented(|out| list(out, "Serving", &inside, ";"));
    }

    /// The interface of the class, which tests implement in its place.
    pub(super) fn client_interface(&self, out: &mut Source) -> Result<(), Error> {
        let client = &self.client;
        let own = self.client_callables()?;
        doc(
            out,
            "summary",
            &format!("The methods of `{client}`, for fakes in tests."),
        );
        out.line(format_args!("public interface {}", self.interface));
        out.line("{");
        let mut inside = Source::new("    ");
        inside.indented(|out| self.methods(out, Owner::Plugin, &own, Part::Declaration));
        out.raw(inside.finish().trim_start_matches('\n'));
        out.line("}");
        Ok(())
    }

    /// The plugin's own methods.
    pub(super) fn client_callables(&self) -> Result<Vec<Callable<'_>>, Error> {
        let mut taken = CLIENT.to_vec();
        taken.push(&self.client);
        self.callables(Owner::Plugin, &taken)
    }
}

/// What finds the library that NuGet has put where the program's native libraries are.
fn packaged_library(out: &mut Source, library: &str) {
    out.line(format_args!(
        r#"
private static string PackagedLibrary()
{{
    string file = global::System.OperatingSystem.IsWindows() ? "{library}.dll"
        : global::System.OperatingSystem.IsMacOS() ? "lib{library}.dylib"
        : "lib{library}.so";
    string searched = global::System.AppContext.GetData("NATIVE_DLL_SEARCH_DIRECTORIES") as string ?? "";
    foreach (string folder in searched.Split(global::System.IO.Path.PathSeparator, global::System.StringSplitOptions.RemoveEmptyEntries))
    {{
        string path = global::System.IO.Path.Combine(folder, file);
        if (global::System.IO.File.Exists(path))
        {{
            return path;
        }}
    }}

    string program = global::System.AppContext.BaseDirectory;
    string system = global::System.OperatingSystem.IsWindows() ? "win" : global::System.OperatingSystem.IsMacOS() ? "osx" : "linux";
    string machine = global::System.Runtime.InteropServices.RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
    string packaged = global::System.IO.Path.Combine(program, "runtimes", system + "-" + machine, "native", file);
    return global::System.IO.File.Exists(packaged) ? packaged : global::System.IO.Path.Combine(program, file);
}}"#
    ));
}
