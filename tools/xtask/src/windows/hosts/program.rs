//! Running a host under Wine: its environment, its tests, and the conformance cases on its testee.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::counts::Counts;
use crate::recording::Recording;
use crate::step::Step;
use crate::windows::cross::{Cross, TARGET};

/// Has tests leave out what starts a runtime of its own: that takes seconds under Wine, and two thirds of all tests' time. The same
/// tests are run on Linux and on Windows itself, and here by `xtask windows test`.
const NO_PROCESSES: &str = "RUSTBRIDGE_NO_PROCESSES";

/// Says so in the closing lines, for a language whose tests heed it.
pub fn say_what_starts_no_process(step: &mut Step<'_>) -> Result<()> {
    if step.workspace.processes_under_wine {
        return Ok(());
    }
    step.skip(
        "tests that start a runtime of their own",
        "it takes seconds under Wine; `cargo xtask windows test` runs them, and so does CI on Windows itself",
    )
}

/// Runs the tests, and has the judge, which is no program of Windows, run the cases on the language's testee under Wine. The
/// test that starts the judge is left out of the tests: under Wine it could start no program of Linux's.
pub fn judged(
    step: &mut Step<'_>,
    cross: &Cross<'_>,
    hosts: &'static [&'static str],
    tests: &mut Command,
    testee: &Command,
    count: impl FnOnce(&str) -> Counts,
) -> Result<()> {
    cross.keep_serving(step)?;
    step.test(tests, count)?;
    let recording = Recording::begin(step, &cross.platform(), hosts)?;
    let mut judge = recording.judge(step);
    judge
        .args(["--host", hosts[0], "--plugins"])
        .arg(cross.libraries())
        // What it hands the testee are paths of Wine's.
        .env("RUSTBRIDGE_CROSS_TARGET", TARGET)
        .env("RUSTBRIDGE_CROSS_RUNNER", cross.runner())
        .arg("--testee")
        .arg(cross.runner())
        .arg(testee.get_program())
        .args(testee.get_args());
    for (name, value) in testee.get_envs() {
        match value {
            Some(value) => judge.env(name, value),
            None => judge.env_remove(name),
        };
    }
    if let Some(folder) = testee.get_current_dir() {
        judge.current_dir(folder);
    }
    step.test(&mut judge, |_| recording.counts())
}

/// The environment that the tests and the testee of every host read.
pub fn environment(cross: &Cross<'_>, command: &mut Command) {
    cross.wine_environment(command);
    command
        .env("RUSTBRIDGE_PLUGIN_DIR", Cross::path(&cross.libraries()))
        .env_remove("RUSTBRIDGE_LIBRARY")
        // Hundreds of cases panic, and under Wine the names for each trace take long to find.
        .env("RUST_BACKTRACE", "0");
}

/// A program for Windows with the environment that the tests of every host read. Its output goes through a pipe: to
/// CPython and Java a file of Linux's is an invalid handle.
pub fn program(cross: &Cross<'_>, program: &Path) -> Command {
    let mut command = cross.workspace.command("bash");
    environment(cross, &mut command);
    if !cross.workspace.processes_under_wine {
        command.env(NO_PROCESSES, "1");
    }
    command
        .args(["-o", "pipefail", "-c", r#""$@" 2>&1 | cat"#, "bash"])
        .arg(cross.runner())
        .arg(program);
    command
}
