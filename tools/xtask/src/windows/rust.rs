//! The libraries for Windows, and the tests in Rust under Wine.

use anyhow::{Result, ensure};

use super::cross::{Cross, TARGET};
use crate::build;
use crate::conformance;
use crate::counts;
use crate::languages::c::PACKAGE;
use crate::step::Step;
use crate::tested;

/// Python's extension, which pip builds on Linux.
pub const EXTENSION: &str = "rustbridge-pyext";

/// The packages whose tests are run under Wine: those that depend on the system (files, copies, the loader, threads, the end
/// of a process), the layouts of the ABI, and one host with every conformance case. The others are the same code on every system.
const TESTED: [&str; 7] = [
    "rustbridge-abi",
    "rustbridge-conformance",
    "rustbridge-core",
    "rustbridge-host",
    "rustbridge-host-abi",
    "rustbridge-jni",
    "rustbridge-stack",
];

/// Builds everything that the suites load and run, by one command, like that for this system.
pub fn build(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let mut packages = build::shipped(step.workspace);
    packages.push(EXTENSION.to_owned());
    packages.extend(TESTED.map(str::to_owned));
    let mut command = cross.cargo("build");
    // The plugin that the core's tests load; on Windows itself they build it, which a program under Wine can't.
    command.args(["--lib", "--example", "tiny_plugin"]);
    step.run(build::named(&mut command, &packages)).map(drop)
}

/// Builds the libraries as they ship: one command per library, as on Linux.
pub fn libraries(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let mut packages = build::shipped(step.workspace);
    packages.push(EXTENSION.to_owned());
    let mut packages = packages.iter();
    packages.try_for_each(|package| library(step, cross, package))
}

pub fn library(step: &mut Step<'_>, cross: &Cross<'_>, package: &str) -> Result<()> {
    let mut command = cross.cargo("build");
    step.run(command.args(["--release", "--package", package]))?;
    Ok(())
}

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let results = Cross::path(&conformance::left(step.workspace));
    cross.keep_serving(step)?;
    let mut tests = cross.cargo("test");
    tests
        .arg("--no-fail-fast")
        .env("RUSTBRIDGE_PLUGIN_DIR", Cross::path(&cross.libraries()))
        .env("RUSTBRIDGE_CONFORMANCE_RESULTS", &results);
    for package in TESTED {
        tests.args(["--package", package]);
    }
    step.test(tests.args(["--lib", "--tests"]), counts::cargo_test)?;
    step.skip(
        "the loom models",
        "they are the same on every system, and on Windows with GNU tools a panic can't leave the stacks loom makes",
    )?;
    step.skip(
        "the doc-tests",
        "they show how things are called, the same on every system",
    )
}

/// The modules of librustbridge's tests that depend on the system of the host.
const MODULES: [&str; 4] = ["conformance", "headers", "hosts", "symbols"];

const NO_CHECKER: &str = "no memory checker for Windows runs under Wine";
const LINKED: &str =
    "every case runs in the host that is linked as users link it; the calls are those of Linux";
const NO_FORK: &str = "Windows has no fork";

const LEFT_OUT: [(&str, &str); 8] = [
    (
        "a_memory_checker_finds_nothing_while_every_case_runs",
        NO_CHECKER,
    ),
    ("a_memory_checker_finds_nothing_in_the_hosts", NO_CHECKER),
    ("a_memory_checker_finds_a_byte_too_far", NO_CHECKER),
    (
        "every_case_is_right_in_a_c_host_that_passes_the_storage_as_an_argument",
        LINKED,
    ),
    (
        "every_case_is_right_in_a_c_host_with_the_library_linked_in",
        LINKED,
    ),
    ("a_forked_child_is_told_so_and_may_load_anew", NO_FORK),
    ("a_forked_child_has_no_queues_and_no_operations", NO_FORK),
    (
        "librustbridge_is_remembered_by_its_name_and_not_by_where_it_was_built",
        "Windows remembers no paths of libraries",
    ),
];

/// The tests of librustbridge are Linux programs, as in the suite `c`; the hosts that they compile, feed and judge are for Windows.
pub fn c(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let mut programs = tested::programs(step, |package| package == PACKAGE)?;
    programs.retain(|program| program.name == "c_host");
    let has = |module| workspace.has(&format!("crates/{PACKAGE}/tests/c_host/{module}.rs"));
    ensure!(
        programs.len() == 1 && MODULES.iter().all(has),
        "not all of {MODULES:?} are tests of librustbridge any more"
    );
    for (name, why) in LEFT_OUT {
        step.skip(name, why)?;
    }
    step.skip(
        "tests/c_host/package.rs",
        "CMake and pkg-config of the target system find an installed package; it's tested on Windows itself",
    )?;
    step.skip(
        "tests/readme.rs",
        "it builds with the newcomer's cargo, for the system it runs on; it's tested on Windows itself",
    )?;
    cross.keep_serving(step)?;
    tested::run(step, &programs, |command| {
        cross.wine_environment(command);
        command
            .env("RUSTBRIDGE_CROSS_TARGET", TARGET)
            .env("RUSTBRIDGE_CROSS_RUNNER", cross.runner())
            .env("RUSTBRIDGE_PLUGIN_DIR", cross.libraries())
            .env(
                "RUSTBRIDGE_CONFORMANCE_RESULTS",
                conformance::left(workspace),
            )
            .args(MODULES.map(|module| format!("{module}::")));
        for (name, _) in LEFT_OUT {
            command.args(["--skip", name]);
        }
    })
}
