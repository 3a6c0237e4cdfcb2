//! The class of the plugin.

use rustbridge_description::types::TypeRef;

use super::names::{CLIENT, MEMBERS, Names};
use super::text::{doc, quoted};
use crate::contract::{Kind, Method};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

impl Names<'_> {
    pub(super) fn client(&self, out: &mut Source) -> Result<(), Error> {
        let contract = self.contract;
        let (calls, others): (Vec<&Method>, Vec<&Method>) =
            contract.methods.iter().partition(|method| {
                method.kind == Kind::Unary
                    && method.receiver.is_empty()
                    && !contract.has_objects(method)
            });
        let left_out: Vec<&str> = others
            .iter()
            .map(|method| &*method.name)
            .chain(contract.others.iter().map(|name| &**name))
            .collect();
        let mut reserved: Vec<&str> = MEMBERS.iter().chain(CLIENT).copied().collect();
        reserved.push(&self.client);
        let mut scope = Scope::new("the plugin's methods", &reserved);
        let mut named = Vec::new();
        for method in &calls {
            let field = format!("_{}", Case::Camel.of(&method.name));
            named.push((*method, scope.name(&method.name, Case::Pascal)?, field));
        }
        let mut awaited = Vec::new();
        for method in calls.iter().filter(|method| method.is_async) {
            let field = format!("_{}", Case::Camel.of(&method.name));
            let name = scope.name(&format!("{}_async", method.name), Case::Pascal)?;
            awaited.push((*method, name, field));
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
                "\nNot here, since they have no types or more than a request and an answer: {}.",
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
            for (_, _, field) in &named {
                out.line(format_args!("private readonly Method {field};"));
            }
            self.lifecycle(out, &named);
            for (method, name, field) in &named {
                self.method(out, method, name, field);
            }
            for (method, name, field) in &awaited {
                self.awaited(out, method, name, field);
            }
        });
        out.line("}");
        Ok(())
    }

    /// How a client begins and ends.
    fn lifecycle(&self, out: &mut Source, named: &[(&Method, String, String)]) {
        let client = &self.client;
        let carried = &self.carried;
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
            for (method, _, field) in named {
                let (name, fingerprint) = (quoted(&method.name), &method.fingerprint);
                out.line(format_args!(
                    "{field} = plugin.TypedMethod({name}, \"{fingerprint}\", {carried}.Text);"
                ));
            }
        });
        out.line(format_args!(
            r#"}}

/// <summary>The plugin's instance.</summary>
public Plugin Plugin {{ get; }}

/// <summary>Loads the plugin from a file. It's closed with the client.</summary>
/// <param name="path">The library's file.</param>
/// <param name="config">The configuration, and what else is wanted of the instance.</param>
/// <returns>The client, to be disposed of.</returns>
/// <exception cref="PluginException">It can't be loaded, or isn't the plugin that this was written of.</exception>
public static {client} Load(string path, PluginConfig? config = null)
{{
    Plugin plugin = Plugin.Load(path, config);
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
    }

    fn method(&self, out: &mut Source, method: &Method, name: &str, field: &str) {
        self.prose(out, method);
        let (parameter, argument) = self.parameter(method);
        let (response, returns) = match &method.response {
            TypeRef::Unit => ("void".to_owned(), false),
            response => (self.ty(response), true),
        };
        if returns {
            out.line("/// <returns>What the plugin answers.</returns>");
        }
        exceptions(out);
        out.line(format_args!("public {response} {name}({parameter}) =>"));
        out.indented(|out| {
            out.line(format_args!(
                "{field}.CallWire<{}>({argument});",
                self.both(method)
            ));
        });
    }

    fn awaited(&self, out: &mut Source, method: &Method, name: &str, field: &str) {
        self.prose(out, method);
        let (parameter, argument) = self.parameter(method);
        let parameter = match &*parameter {
            "" => "CancellationToken cancellationToken = default".to_owned(),
            request => format!("{request}, CancellationToken cancellationToken = default"),
        };
        out.line("/// <param name=\"cancellationToken\">Asks the call to end early.</param>");
        out.line("/// <returns>What the plugin answers, to be awaited once.</returns>");
        exceptions(out);
        let call = format!(
            "{field}.CallWireAsync<{}>({argument}, cancellationToken)",
            self.both(method)
        );
        match &method.response {
            TypeRef::Unit => {
                out.line(format_args!(
                    "public async ValueTask {name}({parameter}) =>"
                ));
                out.indented(|out| out.line(format_args!("await {call}.ConfigureAwait(false);")));
            }
            response => {
                let response = self.ty(response);
                out.line(format_args!(
                    "public ValueTask<{response}> {name}({parameter}) =>"
                ));
                out.indented(|out| out.line(format_args!("{call};")));
            }
        }
    }

    fn prose(&self, out: &mut Source, method: &Method) {
        out.gap();
        let about = match &*method.doc {
            "" => format!("`{}`.", method.name),
            prose => prose.to_owned(),
        };
        doc(out, "summary", &about);
        if method.request != TypeRef::Unit {
            out.line("/// <param name=\"request\">What the plugin gets.</param>");
        }
    }

    fn parameter(&self, method: &Method) -> (String, &'static str) {
        match &method.request {
            TypeRef::Unit => (String::new(), "default"),
            request => (format!("{} request", self.ty(request)), "request"),
        }
    }

    /// Request and response, each with its codec.
    fn both(&self, method: &Method) -> String {
        let (request, response) = (&method.request, &method.response);
        format!(
            "{}, {}, {}, {}",
            self.ty(request),
            self.codec(request),
            self.ty(response),
            self.codec(response)
        )
    }
}

fn exceptions(out: &mut Source) {
    out.line("/// <exception cref=\"PluginException\">The call has failed.</exception>");
}
