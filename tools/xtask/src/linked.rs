//! Which packages are linked into what ships.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, ensure};

use crate::cargo::PackageId;
use crate::workspace::Workspace;

/// The systems that something ships for. What else is linked on others of the same family is of no account.
const SYSTEMS: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
];

/// A package's name and version.
type Named = (String, String);

/// What is linked into each of these packages, they themselves first of all, and what each of it takes. What only builds or tests
/// them isn't, nor what a macro is made of.
pub fn linked(
    workspace: &Workspace,
    shipped: &[&str],
) -> Result<BTreeMap<PackageId, Vec<PackageId>>> {
    let mut taken = BTreeSet::new();
    for name in shipped {
        taken.extend(taken_by(workspace, name)?);
    }
    let metadata = workspace.dependencies()?;
    let is_taken = |id: &PackageId| {
        let package = &metadata[id];
        taken.contains(&(package.name.clone(), package.version.clone()))
    };
    let graph = metadata.resolve.as_ref().context("cargo has resolved")?;
    let nodes = graph.nodes.iter().filter(|node| is_taken(&node.id));
    let linked = nodes.map(|node| {
        let needs = node.deps.iter();
        let needs = needs.filter(|need| need.is_linked() && is_taken(&need.pkg));
        let needs = needs.map(|need| need.pkg.clone()).collect();
        (node.id.clone(), needs)
    });
    Ok(linked.collect())
}

/// What cargo takes to build one package by itself: with the features that it asks for, and not with those that its neighbours in the
/// workspace do, which is what the metadata has.
fn taken_by(workspace: &Workspace, package: &str) -> Result<BTreeSet<Named>> {
    let mut command = workspace.cargo();
    command.args(["tree", "--locked", "--package", package]);
    command.args(["--edges=normal,no-proc-macro", "--prefix=none"]);
    command.args(["--no-dedupe", "--format={p}"]);
    for system in SYSTEMS {
        command.args(["--target", system]);
    }
    let output = command
        .output()
        .context("asking cargo for a package's inputs")?;
    ensure!(
        output.status.success(),
        "cargo doesn't list the inputs of {package}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8_lossy(&output.stdout);
    let named = said.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        let version = rest.split(' ').next()?;
        Some((name.to_owned(), version.to_owned()))
    });
    Ok(named.collect())
}
