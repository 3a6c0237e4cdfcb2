//! The C hosts' tests with hosts for Windows.

use anyhow::{Result, ensure};

use super::cross::{Cross, TARGET};
use crate::conformance;
use crate::languages::c;
use crate::step::Step;
use crate::tested;

/// The program of the tests.
const PROGRAM: &str = "c_host";

/// The modules of tests that have to do with the system of the host.
const TESTED: [&str; 4] = ["conformance", "headers", "hosts", "symbols"];

/// The tests are Linux programs, as in the suite `c`; the hosts that they compile, feed and judge are for Windows.
pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let mut programs = tested::programs(step, |package| package == c::PACKAGE)?;
    programs.retain(|program| program.name == PROGRAM);
    let is_there = |module: &&str| {
        workspace.has(&format!(
            "crates/{}/tests/{PROGRAM}/{module}.rs",
            c::PACKAGE
        ))
    };
    ensure!(
        programs.len() == 1 && TESTED.iter().all(is_there),
        "not all of {TESTED:?} are tests of librustbridge any more"
    );
    let mut left_out = Vec::new();
    for (name, why) in [
        (
            "a_memory_checker_finds_nothing_while_every_case_runs",
            "no memory checker for Windows runs under Wine",
        ),
        (
            "a_memory_checker_finds_nothing_in_the_hosts",
            "no memory checker for Windows runs under Wine",
        ),
        (
            "a_memory_checker_finds_a_byte_too_far",
            "no memory checker for Windows runs under Wine",
        ),
        (
            "every_case_is_right_in_a_c_host_that_passes_the_storage_as_an_argument",
            "every case runs in the host that is linked as users link it; the calls are those of Linux",
        ),
        (
            "every_case_is_right_in_a_c_host_with_the_library_linked_in",
            "every case runs in the host that is linked as users link it; the calls are those of Linux",
        ),
        (
            "a_forked_child_is_told_so_and_may_load_anew",
            "Windows has no fork",
        ),
        (
            "a_forked_child_has_no_queues_and_no_operations",
            "Windows has no fork",
        ),
        (
            "librustbridge_is_remembered_by_its_name_and_not_by_where_it_was_built",
            "Windows remembers no paths of libraries",
        ),
    ] {
        left_out.extend(["--skip", name]);
        step.skip(name, why)?;
    }
    if !step.workspace.cdylib("rustbridge_jni").is_file() {
        let name = "every_library_exports_for_windows_what_it_exports_here";
        left_out.extend(["--skip", name]);
        step.skip(name, "needs the suite release, too")?;
    }
    for (name, why) in [
        (
            "tests/c_host/package.rs",
            "CMake and pkg-config of the target system find an installed package; it's tested on Windows itself",
        ),
        (
            "tests/readme.rs",
            "it builds with the newcomer's cargo, for the system it runs on; it's tested on Windows itself",
        ),
    ] {
        step.skip(name, why)?;
    }
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
            .args(TESTED.map(|module| format!("{module}::")))
            .args(&left_out);
    })
}
