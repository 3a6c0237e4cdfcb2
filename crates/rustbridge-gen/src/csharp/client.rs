//! The class of the plugin.

use super::methods::{Callable, Of};
use super::names::{CLIENT, Names, ObjectNames};
use super::services::Given;
use super::text::{doc, list};
use crate::error::Error;
use crate::source::Source;

impl Names<'_> {
    pub(super) fn client(&self, out: &mut Source, given: &[Given<'_, '_>]) -> Result<(), Error> {
        let contract = self.contract;
        let left_out = contract.left_out();
        let mut taken = CLIENT.to_vec();
        taken.push(&self.client);
        let own = self.callables(Of::Plugin, &taken)?;
        let mut of_objects = Vec::new();
        for (object, ObjectNames { class, .. }) in &self.objects {
            of_objects.extend(self.object_callables(object, class)?);
        }
        let about = match &*contract.doc {
            "" => format!("Typed methods of the plugin `{}`.", contract.plugin),
            prose => prose.to_owned(),
        };
        let client = &self.client;
        doc(out, "summary", &about);
        let mut remarks =
            "Safe for use from any number of threads at once, as the plugin itself.".to_owned();
        if !left_out.is_empty() {
            remarks.push_str(&format!(
                "\nNot here, since they have no types or streams of objects: {}.",
                left_out.join(", ")
            ));
        }
        doc(out, "remarks", &remarks);
        out.line(format_args!(
            "public sealed class {client} : IDisposable, IAsyncDisposable"
        ));
        out.line("{");
        out.indented(|out| {
            out.line("private readonly bool _owned;");
            for Callable { kept, .. } in &own {
                out.line(format_args!("private readonly Method {kept};"));
            }
            for Callable { kept, .. } in &of_objects {
                out.line(format_args!("internal readonly Method {kept};"));
            }
            self.lifecycle(out, own.iter().chain(&of_objects), given);
            self.methods(out, Of::Plugin, &own);
        });
        out.line("}");
        Ok(())
    }

    /// How a client begins and ends.
    fn lifecycle<'c>(
        &self,
        out: &mut Source,
        all: impl Iterator<Item = &'c Callable<'c>>,
        given: &[Given<'_, '_>],
    ) {
        let client = &self.client;
        out.line(format_args!(
            r#"
/// <summary>Calls an instance of the plugin, which goes on to belong to the caller.</summary>
/// <param name="plugin">The instance.</param>
/// <exception cref="PluginException">It isn't the plugin that this was written of: the message says what differs.</exception>
public {client}(Plugin plugin)
    : this(plugin, owned: false)
{{
}}

private {client}(Plugin plugin, bool owned)
{{
    ArgumentNullException.ThrowIfNull(plugin);
    Plugin = plugin;
    _owned = owned;"#
        ));
        out.indented(|out| {
            for callable in all {
                out.line(self.prepared(callable));
            }
        });
        out.line(format_args!(
            r#"}}

/// <summary>The plugin's instance.</summary>
public Plugin Plugin {{ get; }}

/// <summary>Loads the plugin from a file. It's closed with the client.</summary>
/// <param name="path">The library's file.</param>"#
        ));
        let (needed, optional): (Vec<_>, Vec<_>) =
            given.iter().partition(|one| !one.group.optional);
        let mut parameters = vec!["string path".to_owned()];
        let declare = |out: &mut Source, parameters: &mut Vec<String>, one: &Given<'_, '_>| {
            out.line(one.about());
            parameters.push(one.declared_with_default());
        };
        for one in needed {
            declare(out, &mut parameters, one);
        }
        out.line("/// <param name=\"config\">The configuration, and what else is wanted of the instance.</param>");
        parameters.push("PluginConfig? config = null".to_owned());
        for one in optional {
            declare(out, &mut parameters, one);
        }
        out.line("/// <returns>The client, to be disposed of.</returns>");
        out.line("/// <exception cref=\"PluginException\">It can't be loaded, or isn't the plugin that this was written of.</exception>");
        list(
            out,
            &format!("public static {client} Load"),
            &parameters,
            "",
        );
        let config = if given.is_empty() {
            "config".to_owned()
        } else {
            let names: Vec<&str> = given.iter().map(|one| &*one.name).collect();
            format!("Serving(config, {})", names.join(", "))
        };
        out.line(format_args!(
            r#"{{
    Plugin plugin = Plugin.Load(path, {config});
    try
    {{
        return new {client}(plugin, owned: true);
    }}
    catch
    {{
        plugin.Dispose();
        throw;
    }}
}}

/// <summary>Closes the plugin, if the client has loaded it.</summary>
public void Dispose()
{{
    if (_owned)
    {{
        Plugin.Dispose();
    }}
}}

/// <summary>Closes the plugin, if the client has loaded it, without blocking.</summary>
/// <returns>Done when it's closed.</returns>
public ValueTask DisposeAsync() => _owned ? Plugin.DisposeAsync() : default;"#
        ));
        if !given.is_empty() {
            self.serving(out, given);
        }
    }
}
