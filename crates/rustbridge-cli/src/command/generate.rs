//! `rustbridge gen`.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rustbridge_gen::{Contract, File, Language, Options};

use crate::problem::Problem;
use crate::subject::{DESCRIPTION, Subject};

/// What `gen` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// The client's language.
    #[arg(short, long)]
    language: Name,
    /// The folder of the client's sources.
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
    /// The client's package (Java, Kotlin), namespace (C#, C++) or module (Python, Rust). Of the plugin's name, if it isn't given.
    #[arg(short, long)]
    namespace: Option<String>,
    /// Where to keep the plugin's description, for builds that can't run it; beside the client, if it isn't given.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Write nothing: fail if what is there isn't what would be written.
    #[arg(long)]
    check: bool,
}

/// A language by its name on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    Python,
    Java,
    #[value(name = "csharp", alias = "c#")]
    CSharp,
    #[value(alias = "c++")]
    Cpp,
    Kotlin,
    Rust,
}

impl From<Name> for Language {
    fn from(name: Name) -> Language {
        match name {
            Name::Python => Language::Python,
            Name::Java => Language::Java,
            Name::CSharp => Language::CSharp,
            Name::Cpp => Language::Cpp,
            Name::Kotlin => Language::Kotlin,
            Name::Rust => Language::Rust,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let described = arguments.subject.describe()?;
    let contract = Contract::read(&described).map_err(|error| {
        Problem::new(format_args!(
            "`{}`: {error}",
            arguments.subject.path().display()
        ))
    })?;
    let options = Options {
        namespace: arguments.namespace.clone(),
    };
    let files = rustbridge_gen::generate(&contract, arguments.language.into(), &options)
        .map_err(Problem::new)?;
    let out = |file: &File| arguments.out.join(&file.path);
    let gone = match &files[..] {
        // Of one that is a single file there may be others beside it, under other names.
        [_] => Vec::new(),
        files => gone(files, &arguments.out),
    };
    let mut texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|file| (out(&file), file.text))
        .collect();
    if !arguments.subject.is_description() {
        let path = match &arguments.keep {
            Some(path) => path.clone(),
            None => arguments.out.join(file_name(&contract.plugin)?),
        };
        let kept = rustbridge_gen::kept(&described).map_err(Problem::new)?;
        texts.push((path, kept));
    }
    if arguments.check {
        return check(&texts, &gone);
    }
    texts
        .iter()
        .try_for_each(|(path, text)| write(path, text))?;
    gone.iter().try_for_each(|path| remove(path))
}

/// What the description of a plugin of that name is called beside its client: a file there, and nowhere else.
fn file_name(plugin: &str) -> Result<String, Problem> {
    let name = format!("{plugin}.{DESCRIPTION}");
    let is_whole = Path::new(&name).file_name() == Some(OsStr::new(&name));
    if is_whole && !name.contains(['/', '\\', ':']) {
        Ok(name)
    } else {
        Err(Problem::new(format_args!(
            "`{name}` isn't the name of a file: say where the description is to be kept, by `--keep FILE`"
        )))
    }
}

/// Files that `gen` has written of the same plugin and would write no more: of types that are gone. They say so in their first line.
fn gone(files: &[File], out: &Path) -> Vec<PathBuf> {
    let paths: HashSet<PathBuf> = files.iter().map(|file| out.join(&file.path)).collect();
    let folders: BTreeSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
    let first = files.first().and_then(|file| file.text.lines().next());
    let mut gone: Vec<PathBuf> = folders
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| !paths.contains(path))
        .filter(|path| {
            let text = fs::read_to_string(path);
            text.is_ok_and(|text| first.is_some() && text.lines().next() == first)
        })
        .collect();
    gone.sort();
    gone
}

fn remove(path: &Path) -> Result<(), Problem> {
    fs::remove_file(path).map_err(|error| {
        Problem::new(format_args!(
            "`{}` can't be removed: {error}",
            path.display()
        ))
    })?;
    println!("{:>9}  {}", "removed", path.display());
    Ok(())
}

/// Writes a file, unless it is so already: what's unchanged needn't be built again.
fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let state = match fs::read(path) {
        Ok(found) if found == text.as_bytes() => "unchanged",
        Ok(_) => "changed",
        Err(_) => "new",
    };
    if state != "unchanged" {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(path, text))
            .map_err(|error| {
                Problem::new(format_args!(
                    "`{}` can't be written: {error}",
                    path.display()
                ))
            })?;
    }
    println!("{state:>9}  {}", path.display());
    Ok(())
}

fn check(texts: &[(PathBuf, String)], gone: &[PathBuf]) -> Result<(), Problem> {
    let stale: Vec<String> = texts
        .iter()
        .filter(|(path, text)| fs::read(path).map_or(true, |found| found != text.as_bytes()))
        .map(|(path, _)| path)
        .chain(gone)
        .map(|path| format!("`{}`", path.display()))
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(Problem::answer(format_args!(
        "{} {} what `rustbridge gen` writes of the plugin as it is: run the command without `--check`",
        stale.join(", "),
        if stale.len() == 1 { "isn't" } else { "aren't" }
    )))
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
