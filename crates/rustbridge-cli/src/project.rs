//! A plugin's project: what its manifest says of it and of its hosts.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustbridge_gen::Options;
use serde::Deserialize;
use serde_json::Value;

use crate::language::{Integers, Language, Times};
use crate::manifest::{Manifest, Names};
use crate::packages;
use crate::problem::Problem;

/// A plugin's project.
#[derive(Debug)]
pub(crate) struct Project {
    /// The folder of its manifest.
    pub root: PathBuf,
    /// The package.
    pub name: String,
    /// What cargo calls it, of which there's one.
    pub id: String,
    /// The library, as Rust calls it.
    pub library: String,
    /// The file that it begins in.
    pub source: PathBuf,
    /// The hosts that belong to it.
    pub hosts: Vec<Host>,
    /// What its packages carry.
    pub manifest: Manifest,
    /// The link to the folder of packages, if there is one.
    pub packages: Option<PathBuf>,
}

/// A host that belongs to a plugin's project. Its paths begin at the plugin's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Host {
    /// What it's written in.
    pub language: Language,
    /// Where it is.
    pub folder: PathBuf,
    /// Where its typed client is written.
    pub client: PathBuf,
    /// Where the plugin's library is put for it.
    pub library: PathBuf,
    /// What `gen` would be told by the options of these names.
    namespace: Option<String>,
    #[serde(default)]
    int64: Integers,
    #[serde(default)]
    timestamps: Times,
    tag: Option<String>,
    #[serde(default)]
    exception_per_variant: bool,
    /// Namespaces of other plugins' clients, and those plugins' libraries or descriptions.
    #[serde(default)]
    pub import: BTreeMap<String, PathBuf>,
}

impl Host {
    /// How its client is written.
    pub(crate) fn options(&self) -> Options {
        Options {
            namespace: self.namespace.clone(),
            int64: self.int64.into(),
            timestamps: self.timestamps.into(),
            tag: self.tag.clone(),
            exception_per_variant: self.exception_per_variant,
            packaged: None,
        }
    }
}

/// What stands in a manifest's `[package.metadata.rustbridge]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    #[serde(default)]
    hosts: Vec<Host>,
    /// The link to the folder of packages, by which the project's files name it.
    packages: Option<PathBuf>,
    /// The names of packages that `build --package` makes.
    #[serde(default)]
    package: Names,
}

impl Project {
    /// The project that a folder lies in.
    pub(crate) fn around(folder: &Path) -> Result<Project, Problem> {
        if !folder.is_dir() {
            return Err(Problem::new(format_args!(
                "there's no folder `{}`",
                folder.display()
            )));
        }
        let asked = ask(folder, &["locate-project", "--message-format=plain"])?;
        let manifest = PathBuf::from(String::from_utf8_lossy(&asked).trim());
        let asked = ask(folder, &["metadata", "--no-deps", "--format-version=1"])?;
        let metadata: Value = serde_json::from_slice(&asked).map_err(Problem::new)?;
        let wrong = |what: &str| Problem::new(format_args!("`{}` {what}", manifest.display()));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let target = &metadata["target_directory"];
        let packages = metadata["packages"].as_array();
        let package = packages
            .into_iter()
            .flatten()
            .find(|package| package["manifest_path"].as_str().map(Path::new) == Some(&manifest))
            .ok_or_else(|| wrong("is no package's: go into the folder of the plugin"))?;
        let library = package["targets"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|target| {
                let mut kinds = target["kind"].as_array().into_iter().flatten();
                kinds.any(|kind| kind == "cdylib")
            })
            .ok_or_else(|| {
                wrong("builds no library that can be loaded: add `[lib]` with `crate-type = [\"cdylib\"]`, or change to the plugin's folder")
            })?;
        let ours = &package["metadata"]["rustbridge"];
        let ours: Metadata = match ours {
            Value::Null => Metadata::default(),
            ours => serde_json::from_value(ours.clone()).map_err(|error| {
                wrong(&format!(
                    "has an invalid `[package.metadata.rustbridge]`: {error}"
                ))
            })?,
        };
        let root = manifest.parent().unwrap_or(Path::new(".")).to_owned();
        let link = ours.packages.map(|link| root.join(link));
        if let Some(link) = &link {
            packages::keep_link(link)?;
        }
        Ok(Project {
            root,
            name: text(&package["name"]),
            id: text(&package["id"]),
            library: text(&library["name"]).replace('-', "_"),
            source: PathBuf::from(text(&library["src_path"])),
            hosts: ours.hosts,
            manifest: Manifest::of(package, target, ours.package),
            packages: link,
        })
    }
}

/// Cargo: the one that runs this, if there is one.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// What a command of cargo's says.
fn ask(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Problem> {
    let output = cargo()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            Problem::new(format_args!(
                "`cargo` can't be run in `{}`: {error}; Rust comes with `rustup`",
                folder.display()
            ))
        })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints = complaints.trim();
    Err(Problem::new(
        complaints.strip_prefix("error: ").unwrap_or(complaints),
    ))
}
