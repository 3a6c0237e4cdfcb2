//! Which packages of ours may depend on which.

use cargo_metadata::{DependencyKind, Metadata};

/// Which packages of ours each one may depend on in what it ships. Development dependencies are free: a test of the
/// host side needs a plugin.
const ALLOWED: &[(&str, &[&str])] = &[
    ("rustbridge-abi", &[]),
    ("rustbridge-macros", &[]),
    ("rustbridge-stack", &[]),
    ("rustbridge-wire", &["rustbridge-stack"]),
    ("rustbridge-json", &["rustbridge-wire"]),
    ("rustbridge-description", &["rustbridge-abi"]),
    (
        "rustbridge",
        &[
            "rustbridge-abi",
            "rustbridge-description",
            "rustbridge-json",
            "rustbridge-macros",
            "rustbridge-stack",
            "rustbridge-wire",
        ],
    ),
    (
        "rustbridge-core",
        &[
            "rustbridge-abi",
            "rustbridge-description",
            "rustbridge-json",
            "rustbridge-stack",
        ],
    ),
    (
        "rustbridge-host",
        &["rustbridge-core", "rustbridge-macros", "rustbridge-wire"],
    ),
    (
        "rustbridge-host-abi",
        &["rustbridge-abi", "rustbridge-core"],
    ),
    (
        "rustbridge-capi",
        &["rustbridge-abi", "rustbridge-core", "rustbridge-host-abi"],
    ),
    (
        "rustbridge-pyext",
        &[
            "rustbridge-abi",
            "rustbridge-core",
            "rustbridge-host-abi",
            "rustbridge-stack",
        ],
    ),
    (
        "rustbridge-jni",
        &["rustbridge-abi", "rustbridge-core", "rustbridge-host-abi"],
    ),
    (
        "rustbridge-napi",
        &["rustbridge-abi", "rustbridge-core", "rustbridge-host-abi"],
    ),
    ("rustbridge-bundle", &["rustbridge-abi"]),
    (
        "rustbridge-conformance",
        &["child-process", "rustbridge-abi"],
    ),
    ("rustbridge-headers", &["rustbridge-abi"]),
    (
        "rustbridge-gen",
        &["rustbridge-abi", "rustbridge-description"],
    ),
    (
        "rustbridge-cli",
        &[
            "rustbridge-core",
            "rustbridge-description",
            "rustbridge-gen",
        ],
    ),
    // The one plugin whose work others share: the gRPC server and the direct calls do the same without it.
    ("bench-plugin", &["rustbridge", "work"]),
    // It gives away messages of random values, for the tests of clients.
    ("types-plugin", &["rustbridge", "rustbridge-wire"]),
    ("child-process", &[]),
    ("bench-report", &[]),
    ("xtask", &["bench-report", "child-process"]),
];

/// What a plugin may depend on: the author's side, and a plain plugin on the ABI alone.
const PLUGIN: &[&str] = &["rustbridge", "rustbridge-abi"];

pub fn findings(metadata: &Metadata) -> Vec<String> {
    let packages = metadata.workspace_packages();
    let ours: Vec<&str> = packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let mut findings = Vec::new();
    for package in &packages {
        let name = package.name.as_str();
        let folder = package
            .manifest_path
            .strip_prefix(&metadata.workspace_root)
            .map_or("", |path| path.as_str());
        let used: Vec<&str> = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind != DependencyKind::Development)
            .map(|dependency| dependency.name.as_str())
            .collect();
        if name == "rustbridge-abi" && !used.is_empty() {
            findings.push(format!(
                "rustbridge-abi has no dependencies, but names {}",
                used.join(", ")
            ));
        }
        let used_of_ours = used.iter().copied().filter(|used| ours.contains(used));
        match allowed(name, folder) {
            Rule::Only(allowed) => {
                findings.extend(used_of_ours.filter(|used| !allowed.contains(used)).map(|used| {
                    format!("{name} depends on {used}, but of this workspace it may depend only on [{}]", allowed.join(", "))
                }));
            }
            Rule::Free => {}
            Rule::Unknown => findings.push(format!(
                "{name} has no rule for its dependencies: add one to tools/xtask/src/tidy/dependencies.rs"
            )),
        }
    }
    findings
}

enum Rule {
    Only(&'static [&'static str]),
    /// Examples and benches may see both sides: they are ends, nothing depends on them.
    Free,
    Unknown,
}

fn allowed(name: &str, folder: &str) -> Rule {
    if let Some((_, allowed)) = ALLOWED.iter().find(|(package, _)| *package == name) {
        return Rule::Only(allowed);
    }
    match folder.split(['/', '\\']).next() {
        Some("plugins") => Rule::Only(PLUGIN),
        Some("benches" | "examples") => Rule::Free,
        _ => Rule::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_sides_of_the_boundary_never_see_each_other() {
        let reach = |start: &'static str| {
            let mut seen = vec![start];
            let mut next = 0;
            while next < seen.len() {
                if let Rule::Only(allowed) = allowed(seen[next], "crates") {
                    for name in allowed {
                        if !seen.contains(name) {
                            seen.push(name);
                        }
                    }
                }
                next += 1;
            }
            seen
        };
        let host_only = [
            "rustbridge-core",
            "rustbridge-host",
            "rustbridge-host-abi",
            "rustbridge-capi",
            "rustbridge-pyext",
            "rustbridge-napi",
        ];
        for host in host_only {
            assert!(
                !reach("rustbridge").contains(&host),
                "the author's side may reach {host}"
            );
            assert!(
                !reach(host).contains(&"rustbridge"),
                "{host} may reach the author's side"
            );
        }
    }

    #[test]
    fn a_new_crate_has_to_be_given_its_place() {
        assert!(matches!(
            allowed("rustbridge-new", "crates/rustbridge-new/Cargo.toml"),
            Rule::Unknown
        ));
        assert!(matches!(
            allowed("any-plugin", "plugins/any-plugin/Cargo.toml"),
            Rule::Only(_)
        ));
        assert!(matches!(
            allowed("floor", "benches/floor/Cargo.toml"),
            Rule::Free
        ));
    }
}
