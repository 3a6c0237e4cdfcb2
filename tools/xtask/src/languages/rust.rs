//! The suites of the Rust workspace: format, lint, docs, release builds and tests.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::Result;

use crate::conformance;
use crate::counts;
use crate::languages::c;
use crate::library;
use crate::step::Step;
use crate::tested;

pub fn format(step: &mut Step<'_>) -> Result<()> {
    step.run(step.workspace.cargo().args(["fmt", "--all"]))?;
    others_format(step, &[])
}

pub fn format_check(step: &mut Step<'_>) -> Result<()> {
    step.run(
        step.workspace
            .cargo()
            .args(["fmt", "--all", "--", "--check", "--color=never"]),
    )?;
    others_format(step, &["--", "--check", "--color=never"])
}

/// Workspaces of their own, which `--all` doesn't reach. What isn't built by the tests is at least formatted.
const OTHER_WORKSPACES: [&str; 8] = [
    "book",
    "fuzz",
    "benches/grpc",
    "benches/peers/boltffi",
    "benches/peers/predecessor",
    "benches/peers/pyo3",
    "benches/peers/uniffi",
    "benches/peers/work",
];

fn others_format(step: &mut Step<'_>, more: &[&str]) -> Result<()> {
    for folder in OTHER_WORKSPACES {
        let manifest = format!("{folder}/Cargo.toml");
        if step.workspace.has(&manifest) {
            step.run(
                step.workspace
                    .cargo()
                    .args(["fmt", "--manifest-path", &manifest])
                    .args(more),
            )?;
        }
    }
    Ok(())
}

pub fn clippy(step: &mut Step<'_>) -> Result<()> {
    let mut command = step.workspace.cargo();
    command.args(["clippy", "--locked", "--workspace", "--all-features"]);
    command.args(tested::TARGETS);
    step.run(command.args(["--", "-D", "warnings"]))?;
    Ok(())
}

pub fn doc(step: &mut Step<'_>) -> Result<()> {
    let mut command = step.workspace.cargo();
    command
        .args([
            "doc",
            "--locked",
            "--workspace",
            "--no-deps",
            "--all-features",
        ])
        .env("RUSTDOCFLAGS", "-D warnings");
    step.run(&mut command)?;
    Ok(())
}

/// Everything but the tests of librustbridge, which are the C suite. The loom models are among them: they compile the core's
/// files over loom's atomics and need no build of their own.
pub fn workspace(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let programs = tested::programs(step, |package| package != c::PACKAGE)?;
    let prepare = |command: &mut Command| {
        command.env(
            "RUSTBRIDGE_CONFORMANCE_RESULTS",
            conformance::left(workspace),
        );
        tested::with_plugins(workspace, command);
    };
    tested::run(step, &programs, prepare)?;
    let mut documentation = workspace.cargo();
    documentation.args(["test", "--locked", "--workspace", "--no-fail-fast", "--doc"]);
    prepare(&mut documentation);
    step.test(&mut documentation, counts::cargo_test)
}

/// The author's side with each feature alone: what one feature needs, another must not supply by accident. With all of them
/// it's tested by the workspace's tests, where each is asked for by somebody.
pub fn features(step: &mut Step<'_>) -> Result<()> {
    /// Structs of a later version, for those tests alone.
    const GROWN: &str = "grown";
    const PACKAGE: &str = "rustbridge";
    let packages = &step.workspace.metadata().packages;
    let Some(package) = packages.iter().find(|package| package.name == PACKAGE) else {
        return Ok(());
    };
    let names: Vec<&String> = package
        .features
        .keys()
        .filter(|name| *name != "default")
        .collect();
    let asked: BTreeSet<&String> = packages
        .iter()
        .flat_map(|other| &other.dependencies)
        .filter(|needed| needed.name == PACKAGE && !needed.optional && needed.target.is_none())
        .flat_map(|needed| &needed.features)
        .collect();
    for name in names.iter().filter(|name| **name != GROWN) {
        let problem = (!asked.contains(name)).then(|| {
            "no plugin asks for it, so the workspace's tests leave it out; let types-plugin ask"
                .to_owned()
        });
        step.check(&format!("the feature `{name}` is tested"), problem)?;
    }
    let mut grown = step.workspace.cargo();
    grown
        .args(["test", "--locked", "--package", PACKAGE, "--all-features"])
        .args(["--lib", "--tests", "--no-fail-fast"])
        // It's the compiler's messages that it looks at, and takes as long as all the rest.
        .args(["--", "--skip", "misuse_is_told_clearly"]);
    step.test(&mut grown, counts::cargo_test)?;
    let mut without = step.workspace.cargo();
    without
        .args(["test", "--locked", "--package", PACKAGE])
        .args(["--no-default-features", "--test", "author"])
        .args(["--", "what_needs_a_feature_says_which"]);
    step.test(&mut without, counts::cargo_test)?;
    // The tests themselves are the same with every one. On the host's side only libraries of a test's own have the later structs.
    let alone = names.iter().map(|name| (PACKAGE, name.as_str(), "--lib"));
    let others = [(PACKAGE, "", "--all-targets"), (c::PACKAGE, GROWN, "--lib")];
    for (package, feature, targets) in alone.chain(others) {
        let mut command = step.workspace.cargo();
        command.args([
            "clippy",
            "--locked",
            "--package",
            package,
            "--no-default-features",
            "--features",
            feature,
        ]);
        step.run(command.args([targets, "--", "-D", "warnings"]))?;
    }
    Ok(())
}

/// Closing while others call, asynchronous calls that end in every way, and objects of the host that both sides release.
pub fn soak(step: &mut Step<'_>) -> Result<()> {
    // The one that's left out repeats nothing.
    let hammer = ["hammer::", "--skip", "hammer::handles_that_are_stale"];
    for (package, test, named) in [
        ("rustbridge-core", "core_api", &hammer[..]),
        ("rustbridge-core", "operations_hammer", &[]),
        ("rustbridge-capi", "c_host", &["hosts::clos"]),
        ("rustbridge-host", "rust_host", &["hammer::"]),
    ] {
        let mut command = step.workspace.cargo();
        tested::with_plugins(step.workspace, &mut command);
        // Linking as for users would take longer than the rounds.
        library::quickly(&mut command);
        command
            .args(["test", "--locked", "--release", "--package", package])
            .args(["--test", test, "--"])
            .args(named);
        step.test(&mut command, counts::cargo_test)?;
    }
    Ok(())
}

/// Random values, whose tests read the factor.
pub fn soak_types(step: &mut Step<'_>) -> Result<()> {
    for (package, test, named) in [
        ("types-plugin", "types", "wire::"),
        ("rustbridge-host", "rust_host", "typed::random"),
        ("rustbridge-capi", "c_host", "values_of_every_type"),
    ] {
        let mut command = step.workspace.cargo();
        tested::with_plugins(step.workspace, &mut command);
        // Linking as for users would take longer than all the values.
        library::quickly(&mut command);
        command
            .args(["test", "--locked", "--release", "--package", package])
            .args(["--test", test, "--", named]);
        step.test(&mut command, counts::cargo_test)?;
    }
    Ok(())
}
