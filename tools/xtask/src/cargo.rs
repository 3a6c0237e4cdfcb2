//! What cargo says of the workspace's packages, and of what it has built: the parts of its output that this program reads.

use std::collections::BTreeMap;
use std::ops::Index;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The output of `cargo metadata`.
#[derive(Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    pub resolve: Option<Resolve>,
    pub workspace_root: PathBuf,
    pub target_directory: PathBuf,
}

/// Of which packages cargo is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Packages {
    /// Those of the workspace. Nothing is downloaded.
    Workspace,
    /// All that it depends on, too, each downloaded first.
    All,
}

/// By which cargo distinguishes packages.
pub type PackageId = String;

#[derive(Deserialize)]
pub struct Package {
    pub id: PackageId,
    pub name: String,
    pub version: String,
    /// Where it comes from; none if it's in the workspace.
    pub source: Option<String>,
    pub license: Option<String>,
    pub manifest_path: PathBuf,
    pub targets: Vec<Target>,
    pub dependencies: Vec<Dependency>,
    pub features: BTreeMap<String, Vec<String>>,
    /// The registries that it may go to; none for all of them.
    pub publish: Option<Vec<String>>,
    metadata: Option<BTreeMap<String, IgnoredAny>>,
}

#[derive(Deserialize)]
pub struct Dependency {
    pub name: String,
    kind: Option<Kind>,
    pub optional: bool,
    /// The systems that it's for; none for all of them.
    pub target: Option<String>,
    pub features: Vec<String>,
}

/// What a dependency is for; an ordinary one has none.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Dev,
    Build,
}

/// A part of a package that is compiled by itself.
#[derive(Deserialize)]
pub struct Target {
    pub name: String,
    pub kind: Vec<String>,
    pub src_path: PathBuf,
    pub test: bool,
    #[cfg(test)]
    pub doctest: bool,
}

/// The packages that are compiled, and what each depends on.
#[derive(Deserialize)]
pub struct Resolve {
    pub nodes: Vec<Node>,
}

#[derive(Deserialize)]
pub struct Node {
    pub id: PackageId,
    pub deps: Vec<Need>,
}

#[derive(Deserialize)]
pub struct Need {
    pub pkg: PackageId,
    dep_kinds: Vec<NeedKind>,
}

#[derive(Deserialize)]
struct NeedKind {
    kind: Option<Kind>,
}

/// Something that cargo has built.
#[derive(Deserialize)]
pub struct Artifact {
    pub package_id: PackageId,
    pub target: Target,
    pub profile: Profile,
    pub executable: Option<PathBuf>,
}

#[derive(Deserialize)]
pub struct Profile {
    /// Whether it's a program of tests.
    pub test: bool,
}

impl Metadata {
    /// Asks cargo about the workspace at a folder.
    pub fn read(root: &Path, packages: Packages) -> Result<Metadata> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["metadata", "--format-version=1", "--manifest-path"]);
        command.arg(root.join("Cargo.toml"));
        if packages == Packages::Workspace {
            command.arg("--no-deps");
        }
        let output = command.output().context("starting cargo")?;
        let problem = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "cargo fails: {}", problem.trim());
        serde_json::from_slice(&output.stdout).context("reading cargo's answer")
    }
}

impl Index<&PackageId> for Metadata {
    type Output = Package;

    fn index(&self, id: &PackageId) -> &Package {
        let found = self.packages.iter().find(|package| package.id == *id);
        found.expect("cargo lists every package that it names")
    }
}

impl Package {
    /// Whether the table `metadata` of its manifest has this key.
    pub fn has_metadata(&self, key: &str) -> bool {
        let metadata = self.metadata.as_ref();
        metadata.is_some_and(|it| it.contains_key(key))
    }

    /// Its version in a form that has an order.
    pub fn release(&self) -> Vec<u64> {
        let parts = self.version.split(|it: char| !it.is_ascii_digit());
        parts.filter_map(|part| part.parse().ok()).collect()
    }
}

impl Dependency {
    /// Whether only tests, examples and benchmarks use it.
    pub fn is_for_tests(&self) -> bool {
        self.kind == Some(Kind::Dev)
    }
}

impl Need {
    /// Whether it's linked with what needs it.
    pub fn is_linked(&self) -> bool {
        self.dep_kinds.iter().any(|it| it.kind.is_none())
    }
}

impl Target {
    /// Whether it's of this kind: `lib`, `cdylib`, `bin`, `bench`.
    pub fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|it| it == kind)
    }
}

/// What cargo has built, of the messages that it prints as JSON.
pub fn artifacts(messages: &[u8]) -> Result<Vec<Artifact>> {
    #[derive(Deserialize)]
    struct Message {
        reason: String,
    }
    let mut artifacts = Vec::new();
    for line in messages
        .split(|byte| *byte == b'\n')
        .filter(|it| it.starts_with(b"{"))
    {
        let message: Message = serde_json::from_slice(line).context("reading cargo's messages")?;
        if message.reason == "compiler-artifact" {
            artifacts.push(serde_json::from_slice(line).context("reading cargo's messages")?);
        }
    }
    Ok(artifacts)
}
