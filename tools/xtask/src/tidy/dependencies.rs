//! Which packages of ours may depend on which: `[depends]` of `tidy.toml`.

use crate::cargo::Metadata;

use super::source::{EXCEPTIONS, Exceptions};

pub fn findings(metadata: &Metadata, exceptions: &Exceptions) -> Vec<String> {
    let packages = &metadata.packages;
    let is_ours = |name: &&str| packages.iter().any(|package| package.name == *name);
    let mut findings = Vec::new();
    for package in packages {
        let name = &*package.name;
        let manifest = package.manifest_path.strip_prefix(&metadata.workspace_root);
        let folder = manifest.ok().and_then(|path| path.iter().next()?.to_str());
        let allowed = match (exceptions.depends.get(name), folder) {
            (Some(allowed), _) => allowed,
            (None, Some("plugins")) => &exceptions.depends["plugins"],
            (None, Some("benches" | "examples")) => continue,
            (None, _) => {
                findings.push(format!("{name} has no line in [depends] of {EXCEPTIONS}"));
                continue;
            }
        };
        let shipped = package.dependencies.iter().filter(|it| !it.is_for_tests());
        let used: Vec<&str> = shipped.map(|it| it.name.as_str()).collect();
        if name == "rustbridge-abi" && !used.is_empty() {
            findings.push(format!(
                "{name} has no dependencies, but names {}",
                used.join(", ")
            ));
        }
        let used = used.into_iter().filter(is_ours);
        let wrong = used.filter(|used| !allowed.iter().any(|it| it == used));
        findings.extend(wrong.map(|used| {
            format!(
                "{name} depends on {used}, but of this workspace it may depend only on {allowed:?}"
            )
        }));
    }
    findings
}
