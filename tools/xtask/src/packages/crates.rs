//! The crates as they are published, and beside each what is in it: what a project depends on by path until they are.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

use crate::cargo::Package;
use crate::files::{self, copy, emptied};
use crate::python;
use crate::step::Step;
use crate::workspace::Workspace;

/// Where a manifest names what its package depends on.
const DEPENDENCIES: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

/// Packs them into a folder, and unpacks them there.
pub fn make(step: &mut Step<'_>, folder: &Path) -> Result<()> {
    let workspace = step.workspace;
    let folder = emptied(folder)?;
    let names = published(workspace);
    let mut command = workspace.cargo();
    command.args([
        "package",
        "--quiet",
        "--locked",
        "--no-verify",
        "--allow-dirty",
    ]);
    for name in &names {
        command.args(["--package", name]);
    }
    step.run(&mut command)?;
    let python = python::interpreter(workspace)?;
    for name in &names {
        let whole = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let packed = folder.join(format!("{whole}.crate"));
        copy(
            &workspace
                .target
                .join("package")
                .join(format!("{whole}.crate")),
            &packed,
        )?;
        let mut extract = workspace.command(python);
        extract
            .args(["-m", "tarfile", "--extract"])
            .arg(&packed)
            .arg(&folder);
        step.run(&mut extract)?;
        let place = folder.join(name);
        fs::rename(folder.join(&whole), &place)
            .with_context(|| format!("renaming to {}", place.display()))?;
        // Of which commit it is, is said in the packed one.
        let commit = place.join(".cargo_vcs_info.json");
        if commit.is_file() {
            fs::remove_file(&commit).with_context(|| format!("removing {}", commit.display()))?;
        }
        let manifest = place.join("Cargo.toml");
        let text = side_by_side(&files::read(&manifest)?, &names)?;
        files::write(&manifest, text)?;
    }
    Ok(())
}

/// The packages that a registry gets.
pub fn published(workspace: &Workspace) -> Vec<String> {
    let is_published = |package: &&Package| package.publish.is_none();
    let packages = &workspace.metadata().packages;
    let mut names: Vec<String> = packages
        .iter()
        .filter(is_published)
        .map(|package| package.name.clone())
        .collect();
    names.sort();
    names
}

/// A manifest that finds ours in the folders beside its own: a registry has other crates of these names.
fn side_by_side(manifest: &str, ours: &[String]) -> Result<String> {
    let mut manifest: Table = manifest.parse().context("reading a manifest")?;
    name_paths(&mut manifest, ours);
    if let Some(Value::Table(targets)) = manifest.get_mut("target") {
        for (_, target) in targets.iter_mut() {
            if let Value::Table(target) = target {
                name_paths(target, ours);
            }
        }
    }
    toml::to_string(&manifest).context("writing a manifest")
}

fn name_paths(table: &mut Table, ours: &[String]) {
    for kind in DEPENDENCIES {
        let Some(Value::Table(needed)) = table.get_mut(kind) else {
            continue;
        };
        for (name, entry) in needed.iter_mut() {
            if let Value::Table(entry) = entry
                && ours.contains(name)
            {
                entry.insert("path".to_owned(), Value::String(format!("../{name}")));
            }
        }
    }
}
