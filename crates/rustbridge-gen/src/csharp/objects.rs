//! The classes of objects, which stay in the plugin.

use super::methods::{Callable, Owner, Part};
use super::names::{Names, OBJECT};
use super::text::doc;
use super::traits;
use crate::error::Error;
use crate::source::Source;

impl Names<'_> {
    /// The methods of an object.
    pub(super) fn object_callables(
        &self,
        object: &str,
        class: &str,
    ) -> Result<Vec<Callable<'_>>, Error> {
        let mut taken = OBJECT.to_vec();
        taken.push(class);
        taken.extend(traits::members(&self.client_schema.traits(object)));
        self.callables(Owner::Object(object, class), &taken)
    }

    /// The class of an object, and what lends and takes it.
    pub(super) fn object_class(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        codec: &str,
    ) -> Result<(), Error> {
        let callables = self.object_callables(object, class)?;
        let hidden = self.hidden(object, class)?;
        let mut calling = callables.iter().chain(&hidden);
        let calls = calling.any(|it| it.method.class.is_empty());
        let client = &self.client;
        let callback = self.callback(object);
        let about = match callback {
            None => format!("A `{object}`: an object in the plugin."),
            Some(_) => format!("The plugin's own implementation of `{object}`."),
        };
        doc(out, "summary", &about);
        doc(
            out,
            "remarks",
            "Dispose of it when it's no longer needed. Thread-safe.",
        );
        let implemented = callback.map_or_else(String::new, |it| format!("{}, ", it.interface));
        out.line(format_args!(
            "public sealed class {class} : {implemented}IDisposable, IAsyncDisposable{}",
            self.interfaces_of_traits(object, class)
        ));
        out.line("{");
        out.indented(|out| {
            if calls {
                out.line(format_args!("private readonly {client} _client;"));
                out.gap();
            }
            out.line(format_args!(
                "internal {class}(PluginObject untyped, {client} client)"
            ));
            out.line("{");
            out.indented(|out| {
                out.line("Untyped = untyped;");
                out.line(if calls {
                    "_client = client;"
                } else {
                    "_ = client;"
                });
            });
            out.line(
                r#"}

/// <summary>The object without its type.</summary>
public PluginObject Untyped { get; }

/// <summary>Releases the object: once no call uses it any more, the plugin drops it.</summary>
public void Dispose() => Untyped.Dispose();

/// <summary>Releases the object without blocking.</summary>
/// <returns>Done when it's released.</returns>
public ValueTask DisposeAsync() => Untyped.DisposeAsync();"#,
            );
            self.properties(out, Owner::Object(object, class), &callables);
            self.methods(out, Owner::Object(object, class), &callables, Part::Own);
            self.operations(out, object, class, &callables)?;
            if let Some(callback) = callback {
                self.implementation(out, callback, &callables)?;
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        if let Some(callback) = callback {
            self.callback_codec(out, callback, codec);
            return Ok(());
        }
        out.gap();
        out.line(format_args!(
            "/// <summary>Borrows and receives <see cref=\"{class}\"/>.</summary>"
        ));
        out.line(format_args!(
            "internal readonly struct {codec} : IWireCodec<{class}>"
        ));
        out.line("{");
        out.indented(|out| {
            out.line(format_args!(
                r#"public static long Least => 4;

public static void Write(ref WireWriter writer, {class} value) => writer.WriteObject(value?.Untyped);

public static {class} Read(ref WireReader reader) => new(reader.ReadObject(), ({client})reader.Client);"#
            ));
        });
        out.line("}");
        Ok(())
    }
}
