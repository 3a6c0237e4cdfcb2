//! The suite of the C host.

use anyhow::Result;

use crate::bench;
use crate::conformance;
use crate::demo;
use crate::doctor::{Tool, at, on_path};
use crate::language::Language;
use crate::step::{Missing, Step};
use crate::suite::{Lane, Suite};
use crate::tested;
use crate::tools::{find_cc, find_cxx, which};

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[],
    lint: &[],
    test: &[
        Suite {
            name: "c",
            about: "librustbridge from C and C++: headers, hosts, conformance cases",
            // By then all is built, and the rest takes no lock.
            lane: Lane::Free,
            after: &["build"],
            run: tests,
        },
        Suite {
            name: "c-valgrind",
            about: "the hosts and every conformance case in C and C++ under valgrind",
            lane: Lane::Free,
            after: &["c"],
            run: cases_under_valgrind,
        },
    ],
    list: Suite {
        name: "catalogue-c",
        about: "the C benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Free,
        after: &["build"],
        run: |step| bench::check_list(step, &bench::C),
    },
    harness: &bench::C,
    demo: &demo::C,
    soak: &[],
    tools: &[
        Tool {
            name: "C compiler",
            found: |_| at(find_cc(), &["--version"]),
            needed_for: "C hosts and plugins, demo",
            required: true,
            get: [
                "apt install gcc",
                "xcode-select --install",
                "the C++ build tools of Visual Studio",
            ],
        },
        Tool {
            name: "C++ compiler",
            found: |_| at(find_cxx(), &["--version"]),
            needed_for: "header tests, fuzz",
            required: true,
            get: [
                "apt install g++",
                "xcode-select --install",
                "the C++ build tools of Visual Studio",
            ],
        },
        Tool {
            name: "CMake",
            found: |_| on_path("cmake", &["--version"]),
            needed_for: "C tests",
            required: true,
            get: [
                "apt install cmake",
                "brew install cmake",
                "winget install Kitware.CMake",
            ],
        },
        Tool {
            name: "valgrind",
            found: |_| on_path("valgrind", &["--version"]),
            needed_for: "C tests on Linux",
            required: cfg!(target_os = "linux"),
            get: [
                "apt install valgrind",
                "not to be had; the suite is left out",
                "not to be had; the suite is left out",
            ],
        },
    ],
};

/// librustbridge, whose tests are about C.
pub const PACKAGE: &str = "rustbridge-capi";

/// The tests of librustbridge build C and C++ programs and run them. They would do without a tool that they don't find;
/// here each has to be there, or the suite says which one isn't.
pub fn tests(step: &mut Step<'_>) -> Result<()> {
    run(step, &["--skip", UNDER_VALGRIND], false)
}

/// The tests that do nothing but run programs under valgrind: their names begin so.
const UNDER_VALGRIND: &str = "a_memory_checker_finds";

/// The tests of C++ run each program twice, the second time under valgrind.
const CPP: &str = "cpp::";

fn cases_under_valgrind(step: &mut Step<'_>) -> Result<()> {
    run(step, &[UNDER_VALGRIND, CPP], true)
}

fn run(step: &mut Step<'_>, arguments: &[&str], checks_memory: bool) -> Result<()> {
    if !step.workspace.has_package("rustbridge-capi") {
        return Ok(());
    }
    let mut missing = Vec::new();
    if find_cc().is_none() {
        missing.push("a C compiler");
    }
    if find_cxx().is_none() {
        missing.push("a C++ compiler");
    }
    if which("cmake").is_none() {
        missing.push("CMake");
    }
    if cfg!(target_os = "linux") && which("valgrind").is_none() {
        missing.push("valgrind");
    }
    if !missing.is_empty() {
        let list = missing.join(", ");
        return Err(Missing(format!(
            "no {list}; `cargo xtask doctor` shows how to get it"
        ))
        .into());
    }
    if !cfg!(target_os = "linux") {
        step.skip("valgrind", "there is none for this system")?;
    }
    let workspace = step.workspace;
    let programs = tested::programs(step, |package| package == PACKAGE)?;
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
