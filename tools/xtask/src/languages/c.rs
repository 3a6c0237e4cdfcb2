//! The suite of the C host.

use anyhow::Result;

use crate::conformance;
use crate::step::{Missing, Step};
use crate::tested;
use crate::tools::{find_cc, find_cxx, which};

/// librustbridge, whose tests are about C.
pub const PACKAGE: &str = "rustbridge-capi";

/// The tests of librustbridge build C and C++ programs and run them. They would do without a tool that they don't find;
/// here each has to be there, or the suite says which one isn't.
pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let arguments = ["--skip", UNDER_VALGRIND];
    run(step, |name| !CALL_CARGO.contains(&name), &arguments, false)
}

/// The test programs that call cargo, which would wait for a long time for the lock of other suites.
const CALL_CARGO: [&str; 2] = ["growth", "readme"];

pub fn tests_that_call_cargo(step: &mut Step<'_>) -> Result<()> {
    run(step, |name| CALL_CARGO.contains(&name), &[], false)
}

/// The tests that do nothing but run programs under valgrind: their names begin so.
const UNDER_VALGRIND: &str = "a_memory_checker_finds";

/// The tests of C++ run each program twice, the second time under valgrind.
const CPP: &str = "cpp::";

pub fn cases_under_valgrind(step: &mut Step<'_>) -> Result<()> {
    run(step, |_| true, &[UNDER_VALGRIND, CPP], true)
}

fn run(
    step: &mut Step<'_>,
    is_wanted: impl Fn(&str) -> bool,
    arguments: &[&str],
    checks_memory: bool,
) -> Result<()> {
    let tools = [
        ("C compiler", find_cc()),
        ("C++ compiler", find_cxx()),
        ("CMake", which("cmake")),
        ("valgrind", which("valgrind")),
    ];
    for (name, found) in tools {
        if found.is_none() && (name != "valgrind" || cfg!(target_os = "linux")) {
            return Err(Missing::tool(name).into());
        }
    }
    if !cfg!(target_os = "linux") {
        step.skip("valgrind", "there is none for this system")?;
    }
    let workspace = step.workspace;
    let mut programs = tested::programs(step, |package| package == PACKAGE)?;
    programs.retain(|program| is_wanted(&program.name));
    tested::run(step, &programs, |command| {
        command.args(arguments).env(
            "RUSTBRIDGE_CONFORMANCE_RESULTS",
            conformance::left(workspace),
        );
        command.env(
            "RUSTBRIDGE_MEMORY_CHECKS",
            if checks_memory { "1" } else { "0" },
        );
        tested::with_plugins(workspace, command);
    })
}
