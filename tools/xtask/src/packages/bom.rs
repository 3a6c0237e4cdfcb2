//! The bill of materials: which crates are in what we ship, in CycloneDX's form, which scanners read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use toml::Table;

use crate::cargo::Package;
use crate::files;
use crate::linked::linked;
use crate::workspace::Workspace;

/// The file in the folder of packages.
const FILE: &str = "rustbridge.cdx.json";

/// Writes that of these packages and the crates that are linked into them.
pub fn write(workspace: &Workspace, shipped: &[&str], folder: &Path) -> Result<()> {
    let metadata = workspace.dependencies()?;
    let sums = checksums(&files::read(&workspace.root.join("Cargo.lock"))?)?;
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for (id, needs) in &linked(workspace, shipped)? {
        let package = &metadata[id];
        components.push(component(package, &sums));
        let needs: BTreeSet<String> = needs.iter().map(|id| url(&metadata[id])).collect();
        dependencies.push(json!({"ref": url(package), "dependsOn": needs}));
    }
    let bom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {
            "type": "framework",
            "name": "rustbridge",
            "version": env!("CARGO_PKG_VERSION"),
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }},
        "components": components,
        "dependencies": dependencies,
    });
    files::write(&folder.join(FILE), format!("{bom:#}\n"))
}

fn component(package: &Package, sums: &BTreeMap<(String, String), String>) -> Value {
    let version = package.version.clone();
    let mut component = json!({
        "type": "library",
        "bom-ref": url(package),
        "name": package.name,
        "version": version,
        "purl": url(package),
    });
    if let Some(licence) = &package.license {
        // Before there was a standard for it, a bar stood between two that one may choose from.
        let expression = licence.replace(" / ", " OR ").replace('/', " OR ");
        component["licenses"] = json!([{"expression": expression}]);
    }
    if let Some(sum) = sums.get(&(package.name.clone(), version)) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    component
}

/// A package's name among those of all ecosystems.
fn url(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

/// The checksums that cargo keeps of what comes from a registry.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: Table = lock.parse().context("reading Cargo.lock")?;
    let packages = lock["package"].as_array().into_iter().flatten();
    let sums = packages.filter_map(|package| {
        let text = |key: &str| package.get(key)?.as_str().map(str::to_owned);
        Some(((text("name")?, text("version")?), text("checksum")?))
    });
    Ok(sums.collect())
}
