//! The Rust tests under Wine.

use anyhow::Result;

use super::cross::Cross;
use crate::conformance;
use crate::counts;
use crate::step::Step;

/// The packages whose tests are run under Wine: what has to do with the system (files, copies, the loader, threads, the end
/// of a process), the layouts of the ABI, and one host with every conformance case.
pub const TESTED: [&str; 7] = [
    "rustbridge-abi",
    "rustbridge-conformance",
    "rustbridge-core",
    "rustbridge-host",
    "rustbridge-host-abi",
    "rustbridge-jni",
    "rustbridge-stack",
];

/// Those that aren't, and why. What is in neither list has no tests of its own.
const LEFT_OUT: &[(&str, &str)] = &[
    ("rustbridge-capi", "is the suite windows-c"),
    ("rustbridge", SAME),
    ("rustbridge-description", SAME),
    ("rustbridge-json", SAME),
    ("rustbridge-wire", SAME),
    ("rustbridge-gen", SAME),
    ("rustbridge-cli", "writes files, on the developer's machine"),
    ("bench-plugin", SAME),
    ("conformance-plugin", SAME),
    ("fault-plugin", SAME),
    ("hello-plugin", SAME),
    ("columns-plugin", SAME),
    ("contacts-plugin", SAME),
    ("markdown-plugin", SAME),
    ("patterns-plugin", SAME),
    ("schemas-plugin", SAME),
    ("shop-plugin", SAME),
    ("thumbnails-plugin", SAME),
    ("types-plugin", SAME),
    ("work", SAME),
    ("rustbridge-macros", "runs in the compiler, on Linux here"),
    (
        "rustbridge-headers",
        "writes files, on the developer's machine",
    ),
    ("rustbridge-pyext", "needs a Python to be linked with"),
    (
        "child-process",
        "is about the processes of the system the tests run on",
    ),
    ("xtask", "is a program of the developer's machine"),
    ("bench-report", "is a program of the developer's machine"),
    ("boundary", "measures, and figures under Wine are Wine's"),
    ("floor", "is the reference of the measurements"),
];

/// Plugins meet Windows in the conformance cases; their own tests call them without a library.
const SAME: &str = "is the same code on every system and calls nothing of it; the conformance cases load plugins that are built with it, and CI on Windows runs its tests";

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let plugins = Cross::path(&cross.libraries());
    let results = Cross::path(&conformance::left(step.workspace));
    cross.keep_serving(step)?;
    let mut tests = cross.cargo("test");
    tests
        .arg("--no-fail-fast")
        .env("RUSTBRIDGE_PLUGIN_DIR", &plugins)
        .env("RUSTBRIDGE_CONFORMANCE_RESULTS", &results);
    for package in TESTED {
        tests.args(["--package", package]);
    }
    step.test(tests.args(["--lib", "--tests"]), counts::cargo_test)?;
    for (what, why) in [
        (
            "the loom models",
            "they have nothing of the system in them, and on Windows with GNU tools a panic can't leave the stacks loom makes",
        ),
        (
            "the doc-tests",
            "they show how things are called, the same on every system",
        ),
    ] {
        step.skip(what, why)?;
    }
    for (package, why) in LEFT_OUT {
        step.note(&format!("left out: {package} {why}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn every_package_with_tests_is_run_or_has_a_reason_not_to_be() {
        let workspace = Workspace::find().expect("the workspace is there");
        for package in workspace.metadata().workspace_packages() {
            let name = package.name.as_str();
            let is_known =
                TESTED.contains(&name) || LEFT_OUT.iter().any(|(left_out, _)| *left_out == name);
            let folder = package.manifest_path.parent().expect("a file has a folder");
            let source = folder.join("src");
            assert!(
                is_known || !has_tests(source.as_std_path()) && !folder.join("tests").exists(),
                "{name} has tests: say in {} whether they run under Wine",
                file!()
            );
        }
    }

    fn has_tests(folder: &std::path::Path) -> bool {
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .any(|entry| {
                let path = entry.path();
                if path.is_dir() {
                    has_tests(&path)
                } else {
                    std::fs::read_to_string(&path).is_ok_and(|text| text.contains("#[test]"))
                }
            })
    }
}
