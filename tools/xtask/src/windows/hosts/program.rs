//! Fetching the runtime of a host, and running the host under Wine: its environment, its tests, and the conformance cases on its testee.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::counts::Counts;
use crate::files;
use crate::java::Java;
use crate::python;
use crate::recording::Recording;
use crate::step::{Missing, Step};
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

/// A program for Windows with the environment that the tests of every host read.
pub fn program(cross: &Cross<'_>, program: &Path) -> Command {
    let mut command = cross.program(program);
    environment(cross, &mut command);
    if !cross.workspace.processes_under_wine {
        command.env(NO_PROCESSES, "1");
    }
    command
}

/// Makes a folder once for each version.
pub fn once(
    step: &mut Step<'_>,
    folder: &Path,
    version: &str,
    make: impl FnOnce(&mut Step<'_>, &Path) -> Result<()>,
) -> Result<()> {
    let stamp = folder.join("rustbridge-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == version) {
        return Ok(());
    }
    files::emptied(folder)?;
    make(step, folder).map_err(|error| Missing(format!("{version} isn't available: {error:#}")))?;
    files::write(&stamp, version)
}

/// Fetches an artefact of Maven's, `group:artifact:version:type:classifier`, into a folder.
pub fn maven_artifact(step: &mut Step<'_>, artifact: &str, folder: &Path) -> Result<()> {
    let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
    // Not in our project, whose plugins and dependencies would be fetched, too.
    command
        .current_dir(folder)
        .arg(format!("{MAVEN_DEPENDENCIES}:copy"))
        .arg(format!("-Dartifact={artifact}"))
        .arg(format!("-DoutputDirectory={}", folder.display()))
        .arg("-Dmdep.useBaseVersion=true");
    step.run(&mut command)?;
    Ok(())
}

/// Maven's plugin that copies artefacts.
pub const MAVEN_DEPENDENCIES: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/// A pip that installs for another system, in an environment of its own, so that no other environment changes.
pub fn pip(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<Command> {
    let folder = cross.folder().join("pip");
    let program = folder.join("bin").join("python");
    if !program.is_file() {
        let mut make = step.workspace.command(python::interpreter(step.workspace)?);
        step.run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
    }
    let mut command = step.workspace.command(program);
    command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]);
    Ok(command)
}

/// Unpacks jars and wheels.
pub fn unpack(step: &mut Step<'_>, archive: &Path, folder: &Path) -> Result<()> {
    let mut command = step.workspace.command(python::interpreter(step.workspace)?);
    command
        .args(["-m", "zipfile", "--extract"])
        .arg(archive)
        .arg(folder);
    step.run(&mut command)?;
    fs::remove_file(archive).with_context(|| format!("removing {}", archive.display()))
}

/// The one file in a folder with this ending.
pub fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let mut found = files::entries(folder)?;
    found.retain(|path| path.extension().is_some_and(|its| its == ending));
    let file = found.pop().filter(|_| found.is_empty());
    file.with_context(|| format!("no or several .{ending} in {}", folder.display()))
}
