//! Clients in C#: a file for each type, with what writes and reads it, and one for the plugin.

mod callbacks;
mod client;
mod default_values;
mod exceptions;
mod members;
mod methods;
mod names;
mod objects;
mod records;
mod requests;
mod services;
mod shapes;
mod text;
mod traits;
mod types;

use rustbridge_description::types::Shape;

use self::names::{KEYWORDS, Names, ObjectNames, TypeNames};
use self::text::{mentions, one_line, pieces};
use crate::client::{File, Options};
use crate::client_schema::ClientSchema;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

/// What belongs to a namespace that isn't always needed.
const USINGS: &[(&str, &[&str])] = &[
    (
        "System",
        &[
            "Action",
            "ArgumentException",
            "ArgumentNullException",
            "DateTimeOffset",
            "Func",
            "Guid",
            "HashCode",
            "IComparable",
            "IDisposable",
            "IEquatable",
            "IServiceProvider",
            "Int128",
            "OperationCanceledException",
            "ReadOnlyMemory",
            "ReadOnlySpan",
            "TimeSpan",
            "UInt128",
            "ValueTuple",
        ],
    ),
    (
        "System.Collections.Generic",
        &[
            "Dictionary",
            "EqualityComparer",
            "IAsyncEnumerable",
            "IAsyncEnumerator",
            "IEnumerable",
        ],
    ),
    ("System.Runtime.CompilerServices", &["InlineArray"]),
    ("System.Runtime.InteropServices", &["StructLayout"]),
    ("System.Text", &["Rune"]),
    ("System.Threading", &["CancellationToken"]),
    ("System.Threading.Tasks", &["ValueTask"]),
    (
        "RustBridge",
        &["CallOptions", "Plugin", "PluginException", "PluginObject"],
    ),
    (
        "RustBridge.Wire",
        &[
            "AlignedListCodec",
            "ArrayCodec",
            "BoolCodec",
            "BytesCodec",
            "CharCodec",
            "DecimalCodec",
            "DurationCodec",
            "DynamicCodec",
            "DynamicValue",
            "IWireCodec",
            "IWireLength",
            "ListCodec",
            "MapCodec",
            "MemoryCodec",
            "NullableCodec",
            "OptionCodec",
            "Optional",
            "OptionalCodec",
            "PlainCodec",
            "PlainListCodec",
            "PresentCodec",
            "TextCodec",
            "TimestampCodec",
            "TupleCodec",
            "TypedServices",
            "UnitCodec",
            "UuidCodec",
            "WireReader",
            "WireWriter",
        ],
    ),
];

pub(crate) fn generate(
    client_schema: &ClientSchema,
    options: &Options,
) -> Result<Vec<File>, Error> {
    let namespace = match &options.namespace {
        Some(namespace) => namespace.clone(),
        // A namespace and a class of one name are a nuisance.
        None => format!("{}Client", Case::Pascal.of(&client_schema.plugin)),
    };
    let imported = client_schema.imports().iter().map(|it| &it.namespace);
    for namespace in imported.chain([&namespace]) {
        if !namespace.split('.').all(is_name) {
            return Err(Error::new(format_args!(
                "`{namespace}` can't be the name of a namespace in C#"
            )));
        }
    }
    let mut names = Names::new(client_schema, namespace)?;
    names.packaged = options.packaged.as_deref();
    let given = names.given()?;
    let mut files = vec![
        names.file(&names.client, |out| names.client(out, &given))?,
        names.file(&names.interface, |out| names.client_interface(out))?,
        names.file(&names.carried, |out| {
            names.client_schema_text(out);
            Ok(())
        })?,
    ];
    for (object, ObjectNames { class, codec }) in &names.objects {
        files.push(names.file(class, |out| names.object_class(out, object, class, codec))?);
    }
    for (error, class) in &names.exceptions {
        if client_schema.imported_exception(*error).is_some() {
            let file = names.exception_codec(*error);
            files.push(names.file(&file, |out| {
                names.imported_exception(out, *error, class);
                Ok(())
            })?);
            continue;
        }
        files.push(names.file(class, |out| {
            names.exception(out, *error, class);
            Ok(())
        })?);
    }
    for one in &given {
        files.push(names.file(one.interface, |out| {
            names.interface(out, one);
            Ok(())
        })?);
    }
    for one in &names.callbacks {
        files.push(names.file(&one.interface, |out| names.callback_interface(out, one))?);
    }
    if let Some(written) = names.functional()? {
        files.push(names.file(&names.functional, |out| {
            out.raw(&written);
            Ok(())
        })?);
    }
    for (number, definition) in client_schema.definitions() {
        let TypeNames { name, codec, .. } = names.of(number);
        let is_own = client_schema.imported(number).is_none();
        if !is_own && matches!(definition.shape, Shape::Pod(_)) {
            continue;
        }
        let file = if is_own { name } else { codec };
        files.push(names.file(file, |out| names.definition(out, number, definition))?);
    }
    Ok(files)
}

fn is_name(part: &str) -> bool {
    !part.is_empty()
        && !part.starts_with(char::is_numeric)
        && part.chars().all(|it| it.is_alphanumeric() || it == '_')
        && !KEYWORDS.contains(&part)
}

impl Names<'_> {
    /// A file of that name.
    fn file(
        &self,
        name: &str,
        write: impl FnOnce(&mut Source) -> Result<(), Error>,
    ) -> Result<File, Error> {
        let mut body = Source::new("    ");
        write(&mut body)?;
        let body = body.finish();
        let mut out = Source::new("    ");
        out.line(format_args!(
            "// Generated by 'rustbridge gen -l csharp' from the plugin '{}'; do not edit.",
            one_line(&self.client_schema.plugin)
        ));
        out.line("// <auto-generated/>");
        out.line("#nullable enable");
        out.gap();
        let mut any = false;
        for (namespace, names) in USINGS {
            if names.iter().any(|name| mentions(&body, name)) {
                out.line(format_args!("using {namespace};"));
                any = true;
            }
        }
        // Each by its name, because the namespace of a third client may have a type of that name. Names in the client schema's text
        // don't count.
        let is_text = |line: &&str| line.trim_start().starts_with(['"', '+']);
        let code: Vec<&str> = body.lines().filter(|line| !is_text(line)).collect();
        let code = code.join("\n");
        for import in self.client_schema.imports() {
            let types = import.types.keys().map(|number| &self.of(*number).name);
            let exceptions = self.exceptions.iter();
            let exceptions = exceptions
                .filter(|(error, _)| self.client_schema.imported_exception(**error).is_some())
                .filter(|(error, _)| import.types.contains_key(error));
            let names = types.chain(exceptions.map(|(_, class)| class));
            for name in names.filter(|name| mentions(&code, name)) {
                out.line(format_args!("using {name} = {}.{name};", import.namespace));
                any = true;
            }
        }
        if any {
            out.gap();
        }
        out.line(format_args!("namespace {};", self.namespace));
        out.gap();
        Ok(File {
            path: format!("{name}.cs"),
            text: out.finish() + body.trim_start_matches('\n'),
        })
    }

    /// What the client carries: what it was written from, and lengths of arrays.
    fn client_schema_text(&self, out: &mut Source) {
        out.line("/// <summary>The client schema, which is compared with the plugin's description at loading.</summary>");
        out.line(format_args!("internal static class {}", self.carried));
        out.line("{");
        out.indented(|out| {
            out.line("internal const string Text =");
            out.indented(|out| {
                let pieces = pieces(&self.client_schema.text);
                out.line(format_args!("{};", pieces.join("\n+ ")));
            });
        });
        out.line("}");
        for (length, name) in &self.lengths {
            out.gap();
            out.line(format_args!(
                "/// <summary>Represents the length of arrays of {length}.</summary>"
            ));
            out.line(format_args!(
                "internal readonly struct {name} : IWireLength"
            ));
            out.line("{");
            out.indented(|out| out.line(format_args!("public static int Length => {length};")));
            out.line("}");
        }
    }
}
