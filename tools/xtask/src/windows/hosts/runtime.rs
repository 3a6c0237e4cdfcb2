//! Fetching a runtime for Windows and the packages that its tests need, without a program of Windows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::java::Java;
use crate::python;
use crate::step::{Missing, Step};
use crate::windows::cross::Cross;

/// What is needed once, in a folder of its own: made by `make` unless it is there for the same `version`.
pub fn once(
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

/// The machine's Python; it has pip, and unpacks what is packed as zip.
fn tool(step: &Step<'_>) -> Result<Command> {
    Ok(step.workspace.command(python::interpreter(step.workspace)?))
}

/// A pip that installs for another system; the environment is its own, so that nobody else's changes under it.
pub fn pip(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<Command> {
    let folder = cross.folder().join("pip");
    let program = folder.join("bin").join("python");
    if !program.is_file() {
        let mut make = tool(step)?;
        step.run(make.args(["-m", "venv", "--clear"]).arg(&folder))?;
    }
    let mut command = step.workspace.command(program);
    command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]);
    Ok(command)
}

/// Unpacks jars and wheels.
pub fn unpack(step: &mut Step<'_>, archive: &Path, folder: &Path) -> Result<()> {
    let mut command = tool(step)?;
    command
        .args(["-m", "zipfile", "--extract"])
        .arg(archive)
        .arg(folder);
    step.run(&mut command)?;
    fs::remove_file(archive).with_context(|| format!("removing {}", archive.display()))
}

/// The one file in a folder with this ending.
pub fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
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
