//! Packages of a plugin for other languages' package managers: its libraries for one or more systems, with the typed client. A program
//! that depends on one loads the plugin without a path.

mod csharp;
mod java;
mod needs;
mod node;
mod platform;
mod python;

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rustbridge_gen::{Contract, Language, Options};

use self::platform::Platform;
use crate::client::write;
use crate::packages::Packages;
use crate::problem::Problem;
use crate::project::Project;

/// A package manager, by its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A jar with the client's classes, one with its sources, and a POM.
    Java,
    /// A NuGet package.
    #[value(name = "csharp", alias = "c#")]
    CSharp,
    /// An npm package.
    #[value(alias = "typescript")]
    Node,
    /// A wheel for each target.
    Python,
}

impl Kind {
    /// The folder of its packages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Java => "java",
            Kind::CSharp => "csharp",
            Kind::Node => "node",
            Kind::Python => "python",
        }
    }

    /// What it calls a system, of which a package has one library.
    fn system(self, platform: Platform) -> String {
        match self {
            Kind::Java => platform.jar(),
            // Wheels are apart for each C library as well.
            Kind::CSharp | Kind::Python => platform.rid(),
            Kind::Node => platform.node(),
        }
    }
}

/// A target that the plugin was built for.
pub(crate) struct Library {
    pub triple: String,
    pub file: PathBuf,
}

/// A package that was made.
pub(crate) struct Made {
    pub kind: Kind,
    pub files: Vec<PathBuf>,
    /// What a program's author writes to depend on it.
    pub line: String,
}

/// What packages are made of.
struct Parts<'p> {
    project: &'p Project,
    contract: &'p Contract,
    libraries: Vec<(Platform, &'p Path)>,
    license: String,
    description: String,
    /// Files of the project that a package carries: licences and the readme.
    texts: Vec<PathBuf>,
    /// The folder of all packages.
    folder: PathBuf,
}

/// Checks everything that can be checked before the plugin is built.
pub(crate) fn check(project: &Project, kinds: &[Kind], triples: &[String]) -> Result<(), Problem> {
    license(project)?;
    let folder = project.manifest.target.join("packages");
    if folder.join("crates/rustbridge").is_dir() {
        return Err(Problem::new(format_args!(
            "`{}` has rustbridge's own packages: choose another target folder by CARGO_TARGET_DIR",
            folder.display()
        )));
    }
    for kind in kinds {
        let mut systems: Vec<(String, &String)> = Vec::new();
        for triple in triples {
            let system = kind.system(Platform::of(triple)?);
            if let Some((_, other)) = systems.iter().find(|(known, _)| *known == system) {
                return Err(Problem::new(format_args!(
                    "`{other}` and `{triple}` are both {system} in a package for {}, which has one library for it: build one of them",
                    kind.name()
                )));
            }
            systems.push((system, triple));
        }
        match kind {
            Kind::Java => java::check(project),
            Kind::CSharp => csharp::check(project),
            Kind::Node => node::check(project),
            Kind::Python => python::check(project),
        }?;
    }
    Ok(())
}

/// Makes the packages.
pub(crate) fn make(
    project: &Project,
    kinds: &[Kind],
    libraries: &[Library],
    contract: &Contract,
) -> Result<Vec<Made>, Problem> {
    let found = libraries
        .iter()
        .map(|library| Ok((Platform::of(&library.triple)?, &*library.file)));
    let manifest = &project.manifest;
    let parts = Parts {
        project,
        contract,
        libraries: found.collect::<Result<_, Problem>>()?,
        license: license(project)?,
        description: match &manifest.description {
            Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            None => format!("The plugin {}.", project.name),
        },
        texts: texts(&project.root)?,
        folder: manifest.target.join("packages"),
    };
    kinds
        .iter()
        .map(|kind| match kind {
            Kind::Java => java::make(&parts),
            Kind::CSharp => csharp::make(&parts),
            Kind::Node => node::make(&parts),
            Kind::Python => python::make(&parts),
        })
        .collect()
}

impl Parts<'_> {
    /// The folder of one kind's packages, without those of an earlier build.
    fn output(&self, kind: Kind) -> Result<PathBuf, Problem> {
        emptied(self.folder.join(kind.name()))
    }

    /// The folder that one kind is built in.
    fn work(&self, kind: Kind) -> PathBuf {
        self.folder.join("build").join(kind.name())
    }

    /// Writes the client into a folder and returns its files.
    fn client(
        &self,
        language: Language,
        namespace: Option<String>,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, Problem> {
        let options = Options {
            namespace,
            packaged: Some(self.project.library.clone()),
            ..Options::default()
        };
        let files =
            rustbridge_gen::generate(self.contract, language, &options).map_err(Problem::new)?;
        let mut paths = Vec::new();
        for file in files {
            let path = folder.join(&file.path);
            write(&path, file.text.as_bytes())?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Copies each library to the folder of its system.
    fn place(&self, folder: &Path, system: impl Fn(Platform) -> String) -> Result<(), Problem> {
        for (platform, library) in &self.libraries {
            copy(library, &folder.join(system(*platform)))?;
        }
        Ok(())
    }
}

/// The licence as an SPDX expression. Cargo still reads the form with a slash.
fn license(project: &Project) -> Result<String, Problem> {
    let license = project.manifest.license.as_deref().unwrap_or_default();
    if license.trim().is_empty() {
        return Err(Problem::new(format_args!(
            "`{}` has no licence, which every package names: add `license = \"MIT\"`, or another SPDX expression, to `[package]` in `{}`",
            project.name,
            project.root.join("Cargo.toml").display()
        )));
    }
    Ok(license
        .split('/')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" OR "))
}

/// The licences, notices and the readme of a project.
fn texts(root: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(root).map_err(|error| {
        Problem::new(format_args!("`{}` can't be read: {error}", root.display()))
    })?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && (is_license(path) || is_readme(path)))
        .collect();
    found.sort();
    Ok(found)
}

fn is_license(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ["LICENSE", "LICENCE", "NOTICE", "COPYING"]
        .iter()
        .any(|begin| name.starts_with(begin))
}

fn is_readme(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "README.md")
}

/// Fails if a name has letters that its registry doesn't take.
fn check_name(name: &str, what: &str, key: &str, is_valid: bool) -> Result<(), Problem> {
    if is_valid {
        return Ok(());
    }
    Err(Problem::new(format_args!(
        "`{name}` can't be {what}: name another by `{key}` in `[package.metadata.rustbridge.package]`"
    )))
}

/// Where rustbridge's own packages are.
fn rustbridge(project: &Project) -> Result<Packages, Problem> {
    Packages::find(project.packages.as_deref())
}

/// Creates an empty folder.
fn emptied(folder: PathBuf) -> Result<PathBuf, Problem> {
    let failed = |error| {
        Problem::new(format_args!(
            "`{}` can't be emptied: {error}",
            folder.display()
        ))
    };
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    Ok(folder)
}

/// Copies a file into a folder.
fn copy(file: &Path, folder: &Path) -> Result<(), Problem> {
    let place = folder.join(file.file_name().unwrap_or_default());
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(file, &place))
        .map(drop)
        .map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be copied to `{}`: {error}",
                file.display(),
                place.display()
            ))
        })
}

/// A text as XML has it.
fn xml(text: impl Display) -> String {
    text.to_string()
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
