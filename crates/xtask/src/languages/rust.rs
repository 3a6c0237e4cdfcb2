//! The suites of the Rust workspace: format, lint, docs, release builds and tests.

use anyhow::Result;

use crate::bench;
use crate::build;
use crate::conformance;
use crate::counts;
use crate::demo;
use crate::language::Language;
use crate::step::Step;
use crate::suite::{Lane, Suite};

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[Suite {
        name: "rustfmt",
        about: "",
        lane: Lane::Free,
        after: &[],
        run: format,
    }],
    lint: &[
        Suite {
            name: "rustfmt",
            about: "rustfmt --check",
            lane: Lane::Free,
            after: &[],
            run: format_check,
        },
        Suite {
            name: "clippy",
            about: "clippy on all targets and features, without a warning",
            lane: Lane::Cargo,
            after: &[],
            run: clippy,
        },
    ],
    test: &[
        Suite {
            name: "rust",
            about: "the workspace's tests, loom models and doc-tests",
            lane: Lane::Cargo,
            after: &["release"],
            run: workspace,
        },
        Suite {
            name: "features",
            about: "the author's side with no feature, with each one alone, and with all",
            lane: Lane::Cargo,
            after: &[],
            run: features,
        },
    ],
    list: Suite {
        name: "catalogue-rust",
        about: "the criterion benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Release,
        after: &[],
        run: |step| bench::check_list(step, &bench::CRITERION),
    },
    harness: &bench::CRITERION,
    demo: &demo::RUST,
    soak: &[
        Suite {
            name: "soak-rust",
            about: "closing while others call, in the core and from C, and operations that end in every way",
            lane: Lane::Cargo,
            after: &[],
            run: soak,
        },
        Suite {
            name: "soak-types-rust",
            about: "100,000 random values of every type through the clients in Rust and C++ and back, and as JSON",
            lane: Lane::Cargo,
            after: &["release"],
            run: soak_types,
        },
    ],
    // xtask itself needs it.
    tools: &[],
};

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
    command.args([
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ]);
    step.run(&mut command)?;
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
    let mut command = step.workspace.cargo();
    command.args(["test", "--locked", "--workspace", "--no-fail-fast"]);
    if step.workspace.has_package("rustbridge-capi") {
        command.args(["--exclude", "rustbridge-capi"]);
    }
    command.env(
        "RUSTBRIDGE_CONFORMANCE_RESULTS",
        conformance::left(step.workspace),
    );
    build::with_plugins(step.workspace, &mut command);
    step.test(&mut command, counts::cargo_test)
}

/// The author's side with each feature alone: what one feature needs, another must not supply by accident.
pub fn features(step: &mut Step<'_>) -> Result<()> {
    let metadata = step.workspace.metadata();
    let packages = metadata.workspace_packages();
    let Some(package) = packages
        .iter()
        .find(|package| package.name.as_str() == "rustbridge")
    else {
        return Ok(());
    };
    let names: Vec<String> = package
        .features
        .keys()
        .filter(|name| *name != "default")
        .cloned()
        .collect();
    for feature in names.iter().map(String::as_str).chain([""]) {
        let mut command = step.workspace.cargo();
        command.args([
            "clippy",
            "--locked",
            "--package",
            "rustbridge",
            "--no-default-features",
            "--features",
            feature,
        ]);
        step.run(command.args(["--all-targets", "--", "-D", "warnings"]))?;
    }
    let mut command = step.workspace.cargo();
    command.args([
        "test",
        "--locked",
        "--package",
        "rustbridge",
        "--no-fail-fast",
        "--all-features",
    ]);
    step.test(&mut command, counts::cargo_test)
}

/// Closing while others call, and what operations are beaten with.
fn soak(step: &mut Step<'_>) -> Result<()> {
    for (package, test, named) in [
        ("rustbridge-core", "hammer", "clos"),
        ("rustbridge-core", "operations_hammer", ""),
        ("rustbridge-capi", "hosts", "clos"),
    ] {
        let mut command = step.workspace.cargo();
        command
            .args(["test", "--locked", "--release", "--package", package])
            .args(["--test", test, "--", named]);
        step.test(&mut command, counts::cargo_test)?;
    }
    Ok(())
}

/// Random values, whose tests read the factor.
fn soak_types(step: &mut Step<'_>) -> Result<()> {
    for (package, test, named) in [
        ("types-plugin", "wire", ""),
        ("rustbridge-host", "typed", "random"),
        ("rustbridge-capi", "cpp", "values_of_every_type"),
    ] {
        let mut command = step.workspace.cargo();
        build::with_plugins(step.workspace, &mut command);
        // Linking as for users would take longer than all the values.
        build::quickly(&mut command);
        command
            .args(["test", "--locked", "--release", "--package", package])
            .args(["--test", test, "--", named]);
        step.test(&mut command, counts::cargo_test)?;
    }
    Ok(())
}
