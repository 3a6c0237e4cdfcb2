//! `rustbridge gen`.

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
}

impl From<Name> for Language {
    fn from(name: Name) -> Language {
        match name {
            Name::Python => Language::Python,
            Name::Java => Language::Java,
            Name::CSharp => Language::CSharp,
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
    let mut texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|file| (out(&file), file.text))
        .collect();
    if !arguments.subject.is_description() {
        let beside = || {
            arguments
                .out
                .join(format!("{}.{DESCRIPTION}", contract.plugin))
        };
        let path = arguments.keep.clone().unwrap_or_else(beside);
        let kept = rustbridge_gen::kept(&described).map_err(Problem::new)?;
        texts.push((path, kept));
    }
    if arguments.check {
        return check(&texts);
    }
    texts.iter().try_for_each(|(path, text)| write(path, text))
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

fn check(texts: &[(PathBuf, String)]) -> Result<(), Problem> {
    let stale: Vec<String> = texts
        .iter()
        .filter(|(path, text)| fs::read(path).map_or(true, |found| found != text.as_bytes()))
        .map(|(path, _)| format!("`{}`", path.display()))
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
