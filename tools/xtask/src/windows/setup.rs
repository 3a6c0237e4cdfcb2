//! Installs or builds everything that a machine needs to build for Windows.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::cross::{COMPILER, Cross, TARGET, has_target};
use super::hosts;
use crate::files;
use crate::setup::packages_of_debian;
use crate::step::{Missing, Step};
use crate::tools::asked;

/// The linker and the C and C++ compilers for Windows, and Wine.
const TOOLS: [&str; 3] = [
    "gcc-mingw-w64-x86-64-posix",
    "g++-mingw-w64-x86-64-posix",
    "wine64",
];

/// `xtask windows setup`: the tools, and the hosts' runtimes.
pub fn everything(step: &mut Step<'_>) -> Result<()> {
    tools(step)?;
    hosts::fetch(step)
}

/// The suite: does whatever isn't done yet.
///
/// # Errors
/// [`crate::step::Unavailable`] on a machine that isn't a Debian for x86-64.
pub fn tools(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let cross = Cross::find(workspace)?;
    let mut missing = TOOLS.to_vec();
    missing.retain(|package| {
        let mut command = workspace.command("dpkg-query");
        command.args(["--show", "--showformat=${db:Status-Status}", package]);
        !asked(&mut command).is_ok_and(|(_, said, _)| said == "installed")
    });
    if !missing.is_empty() {
        packages_of_debian(step, &missing)?;
    }
    if !has_target(workspace) {
        let add = format!("rustup target add {TARGET}");
        if !workspace.installs {
            return Err(Missing(format!("no standard library for Windows: run `{add}`")).into());
        }
        step.run(workspace.command("rustup").args(add.split(' ').skip(1)))?;
    }
    let prefix = cross.prefix();
    let version = step.run(cross.wine().arg("--version"))?;
    let version = version.lines().last().unwrap_or_default().trim();
    let stamp = prefix.join("made-by");
    if !fs::read_to_string(&stamp).is_ok_and(|made| made == version) {
        // Wine makes its folder, but not those that it lies in.
        files::emptied(&prefix)?;
        step.run(cross.wine().args(["wineboot", "--init"]))?;
        files::write(&stamp, version)?;
    }
    bcryptprimitives(step, &cross, &prefix.join("drive_c/windows/system32"))?;
    files::write(&cross.stamp(), "")
}

/// See the source, `tools/xtask/windows/bcryptprimitives.c`.
fn bcryptprimitives(step: &mut Step<'_>, cross: &Cross<'_>, system32: &Path) -> Result<()> {
    const NAME: &str = "bcryptprimitives.dll";
    let library = cross.folder().join(NAME);
    let mut command = step.workspace.command(COMPILER);
    command
        .args(["-shared", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&library)
        .arg("tools/xtask/windows/bcryptprimitives.c")
        .arg("-ladvapi32");
    step.run(&mut command)?;
    let bytes = fs::read(&library).context("reading the compiled library")?;
    let place = system32.join(NAME);
    // A later Wine has its own.
    let ours = cross.folder().join("bcryptprimitives-is-ours");
    if place.is_file() && !ours.is_file() {
        return step.note("Wine has bcryptprimitives.dll");
    }
    files::write(&ours, "")?;
    if fs::read(&place).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    files::write(&place, bytes)
}
