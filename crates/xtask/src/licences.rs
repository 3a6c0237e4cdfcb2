//! Reads deny.toml and checks licences, sources and bans of all dependencies from `cargo metadata`.
//!
//! cargo-deny does the same and more, but building it takes longer than all of our tests; it runs on the CI service, where
//! it comes ready-made. Both read one file.

use std::fs;

use anyhow::{Context as _, Result};
use cargo_metadata::{MetadataCommand, Package};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};

use crate::workspace::Workspace;

#[derive(Deserialize)]
struct Deny {
    licenses: Licences,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    #[serde(default)]
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    unknown_registry: String,
    unknown_git: String,
}

/// Workspaces of their own, with lock files of their own, to which the same rules apply.
const OTHERS: &[&str] = &["benches/grpc/Cargo.toml"];

/// Each rule with what breaks it.
pub fn check(workspace: &Workspace) -> Result<Vec<(&'static str, Vec<String>)>> {
    let path = workspace.root.join("deny.toml");
    let text = fs::read_to_string(&path).context("reading deny.toml")?;
    let deny: Deny = toml::from_str(&text).context("reading deny.toml")?;
    anyhow::ensure!(
        deny.sources.unknown_registry == "deny" && deny.sources.unknown_git == "deny",
        "deny.toml has to deny unknown registries and git sources"
    );
    let mut packages = workspace.metadata().packages.clone();
    for manifest in OTHERS.iter().filter(|manifest| workspace.has(manifest)) {
        let metadata = MetadataCommand::new()
            .manifest_path(workspace.root.join(manifest))
            .other_options(["--locked".to_owned()])
            .exec()
            .with_context(|| format!("reading {manifest} with `cargo metadata`"))?;
        packages.extend(metadata.packages);
    }
    packages.sort_by(|a, b| a.id.cmp(&b.id));
    packages.dedup_by(|a, b| a.id == b.id);
    let licences = packages
        .iter()
        .filter_map(|package| licence_finding(&deny.licenses, package))
        .collect();
    let sources = packages.iter().filter_map(source_finding).collect();
    let bans = packages
        .iter()
        .filter_map(|package| ban_finding(&deny.bans, package))
        .collect();
    Ok(vec![
        (
            "every dependency has a licence that deny.toml allows",
            licences,
        ),
        (
            "every dependency comes from the default registry or from here",
            sources,
        ),
        ("no dependency is banned", bans),
    ])
}

fn licence_finding(rules: &Licences, package: &Package) -> Option<String> {
    let allowed: Vec<&str> = rules
        .exceptions
        .iter()
        .filter(|exception| exception.name == package.name.as_str())
        .flat_map(|exception| &exception.allow)
        .chain(&rules.allow)
        .map(String::as_str)
        .collect();
    let id = format!("{} {}", package.name, package.version);
    let Some(licence) = &package.license else {
        return Some(format!("{id} names no licence"));
    };
    match satisfied(licence, &allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!(
            "{id} is licensed as {licence}, which deny.toml does not allow"
        )),
        Err(error) => Some(format!(
            "{id} is licensed as {licence}, which is no SPDX expression: {error}"
        )),
    }
}

fn satisfied(licence: &str, allowed: &[&str]) -> Result<bool> {
    // Older crates write `MIT/Apache-2.0`.
    let expression = Expression::parse_mode(licence, ParseMode::LAX)?;
    Ok(expression
        .evaluate(|required: &LicenseReq| allowed.contains(&required.to_string().as_str())))
}

fn source_finding(package: &Package) -> Option<String> {
    match &package.source {
        None => None,
        Some(source) if source.is_crates_io() => None,
        Some(source) => Some(format!(
            "{} {} comes from {source}",
            package.name, package.version
        )),
    }
}

fn ban_finding(rules: &Bans, package: &Package) -> Option<String> {
    let banned = rules
        .deny
        .iter()
        .find(|banned| banned.name == package.name.as_str())?;
    Some(format!(
        "{} {} is banned: {}",
        package.name, package.version, banned.reason
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_satisfied_by_one_side_of_an_or_and_both_of_an_and() {
        let allowed = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];
        let check = |licence: &str| satisfied(licence, &allowed).expect("it is SPDX");
        assert!(check("MIT OR GPL-3.0-only"));
        assert!(check("MIT/Apache-2.0"));
        assert!(check("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(check("Apache-2.0 WITH LLVM-exception"));
        assert!(!check("MIT AND GPL-3.0-only"));
        assert!(!check("Apache-2.0"));
        assert!(satisfied("whatever I like", &allowed).is_err());
    }
}
