//! `rustbridge gen`.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rustbridge_gen::Options;

use crate::client::Client;
use crate::language::{ClientLanguage, Integers, Times};
use crate::problem::Problem;
use crate::subject::{DESCRIPTION, Subject};

/// What `gen` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// The client's language.
    #[arg(short, long)]
    language: ClientLanguage,
    /// The folder of the client's sources.
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
    /// The client's package (Java, Kotlin), namespace (C#, C++) or module (Python, Rust, TypeScript), in Go the package's folder. Of the plugin's name, if it isn't given.
    #[arg(short, long)]
    namespace: Option<String>,
    /// How TypeScript has 64-bit integers, which JSON's writer refuses as `bigint`.
    #[arg(long, value_enum, default_value_t = Integers::Bigint, value_name = "TYPE")]
    int64: Integers,
    /// How TypeScript has points in time.
    #[arg(long, value_enum, default_value_t = Times::Bigint, value_name = "TYPE")]
    timestamps: Times,
    /// What the property is called in TypeScript that tells the variants of an enum apart.
    #[arg(long, default_value = "kind", value_name = "NAME")]
    tag: String,
    /// Write an exception class for each variant of an error in Python.
    #[arg(long)]
    exception_per_variant: bool,
    /// The namespace of another plugin's client, and that plugin: types that are the same in both plugins are then those of the other client. May be repeated.
    #[arg(long, value_name = "NAMESPACE=PLUGIN", value_parser = import)]
    import: Vec<(String, PathBuf)>,
    /// Where to keep the plugin's description, for builds that can't run it; beside the client, if it isn't given.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Write nothing: fail if what is there isn't what would be written.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let described = arguments.subject.describe()?;
    let mut client_schema = arguments.subject.read(&described)?;
    for (namespace, plugin) in &arguments.import {
        for note in Subject::at(plugin.clone()).import(&mut client_schema, namespace)? {
            writeln!(io::stderr(), "note: {note}").map_err(Problem::new)?;
        }
    }
    let language = arguments.language;
    let options = Options {
        namespace: arguments.namespace.clone(),
        int64: arguments.int64.into(),
        timestamps: arguments.timestamps.into(),
        tag: Some(arguments.tag.clone()),
        exception_per_variant: arguments.exception_per_variant,
        packaged: None,
    };
    let mut client = Client::of(&client_schema, language, &options, &arguments.out)?;
    if !arguments.subject.is_description() {
        let path = match &arguments.keep {
            Some(path) => path.clone(),
            None => arguments.out.join(file_name(&client_schema.plugin)?),
        };
        let kept = rustbridge_gen::kept(&described).map_err(Problem::new)?;
        client.add(path, kept);
    }
    if arguments.check {
        return client.check();
    }
    for (change, path) in client.write()? {
        writeln!(io::stdout(), "{:>9}  {}", change.name(), path.display()).map_err(Problem::new)?;
    }
    Ok(())
}

/// Reads the option `import`.
fn import(written: &str) -> Result<(String, PathBuf), String> {
    match written.split_once('=') {
        Some((namespace, plugin)) if !namespace.is_empty() && !plugin.is_empty() => {
            Ok((namespace.to_owned(), plugin.into()))
        }
        _ => Err("expected the namespace of a client and a plugin, `NAMESPACE=PLUGIN`".to_owned()),
    }
}

/// What the description of a plugin of that name is called beside its client: a file there, and nowhere else.
fn file_name(plugin: &str) -> Result<String, Problem> {
    let name = format!("{plugin}.{DESCRIPTION}");
    let is_whole = Path::new(&name).file_name() == Some(OsStr::new(&name));
    if is_whole && !name.contains(['/', '\\', ':']) {
        Ok(name)
    } else {
        Err(Problem::new(format_args!(
            "`{name}` isn't a file name: pass a file for the description by `--keep FILE`"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_kept_beside_its_client_and_nowhere_else() {
        assert_eq!(file_name("my.plugin").unwrap(), "my.plugin.rbdesc");
        for name in ["../up", "/etc/there", "a/b", "a\\b", "C:there", "./a"] {
            let problem = file_name(name).unwrap_err().to_string();
            assert!(problem.contains("--keep"), "{problem}");
        }
    }
}
