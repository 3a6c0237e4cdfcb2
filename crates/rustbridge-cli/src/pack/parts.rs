//! What packages are made of, and what makes them has in common.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rustbridge_gen::{ClientSchema, Language, Options};

use super::platform::Platform;
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
    pub(super) fn system(self, platform: Platform) -> String {
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
pub(super) struct Parts<'p> {
    pub(super) project: &'p Project,
    pub(super) client_schema: &'p ClientSchema,
    pub(super) libraries: Vec<(Platform, &'p Path)>,
    pub(super) license: String,
    pub(super) description: String,
    /// Files of the project that a package carries: licences and the readme.
    pub(super) texts: Vec<PathBuf>,
    /// The folder of all packages.
    pub(super) folder: PathBuf,
}

impl Parts<'_> {
    /// The folder of one kind's packages, without those of an earlier build.
    pub(super) fn output(&self, kind: Kind) -> Result<PathBuf, Problem> {
        emptied(self.folder.join(kind.name()))
    }

    /// The folder that one kind is built in.
    pub(super) fn work(&self, kind: Kind) -> PathBuf {
        self.folder.join("build").join(kind.name())
    }

    /// Writes the client into a folder and returns its files.
    pub(super) fn client(
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
        let files = rustbridge_gen::generate(self.client_schema, language, &options)
            .map_err(Problem::new)?;
        let mut paths = Vec::new();
        for file in files {
            let path = folder.join(&file.path);
            write(&path, file.text.as_bytes())?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Copies each library to the folder of its system.
    pub(super) fn place(
        &self,
        folder: &Path,
        system: impl Fn(Platform) -> String,
    ) -> Result<(), Problem> {
        for (platform, library) in &self.libraries {
            copy(library, &folder.join(system(*platform)))?;
        }
        Ok(())
    }
}

/// The licence as an SPDX expression. Cargo still reads the form with a slash.
pub(super) fn license(project: &Project) -> Result<String, Problem> {
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
pub(super) fn texts(root: &Path) -> Result<Vec<PathBuf>, Problem> {
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

pub(super) fn is_license(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ["LICENSE", "LICENCE", "NOTICE", "COPYING"]
        .iter()
        .any(|begin| name.starts_with(begin))
}

pub(super) fn is_readme(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "README.md")
}

/// Fails if a name has letters that its registry doesn't take.
pub(super) fn check_name(name: &str, what: &str, key: &str, is_valid: bool) -> Result<(), Problem> {
    if is_valid {
        return Ok(());
    }
    Err(Problem::new(format_args!(
        "`{name}` can't be {what}: name another by `{key}` in `[package.metadata.rustbridge.package]`"
    )))
}

/// Where rustbridge's own packages are.
pub(super) fn rustbridge(project: &Project) -> Result<Packages, Problem> {
    Packages::find(project.packages.as_deref())
}

/// Creates an empty folder.
pub(super) fn emptied(folder: PathBuf) -> Result<PathBuf, Problem> {
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
pub(super) fn copy(file: &Path, folder: &Path) -> Result<(), Problem> {
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
pub(super) fn xml(text: impl Display) -> String {
    text.to_string()
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
