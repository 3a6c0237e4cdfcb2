//! The libraries for Windows, built on Linux.

use anyhow::Result;

use super::cross::Cross;
use super::rust;
use crate::build;
use crate::step::Step;

/// What pip builds on Linux.
pub const EXTENSION: &str = "rustbridge-pyext";

/// Everything that the suites load and run, by one command, like that for this system.
pub fn suite(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let mut packages = build::shipped(step.workspace);
    packages.push(EXTENSION.to_owned());
    packages.extend(rust::TESTED.map(str::to_owned));
    let mut command = cross.cargo("build");
    // The plugin that the core's tests load; on Windows itself they build it, which a program under Wine can't.
    command.args(["--lib", "--example", "tiny_plugin"]);
    step.run(build::named(&mut command, &packages)).map(drop)
}

/// As they ship: one command per library, as on Linux.
pub fn libraries(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let mut packages = build::shipped(step.workspace);
    packages.push(EXTENSION.to_owned());
    for package in packages {
        library(step, cross, &package)?;
    }
    Ok(())
}

/// One of them.
pub fn library(step: &mut Step<'_>, cross: &Cross<'_>, package: &str) -> Result<()> {
    let mut command = cross.cargo("build");
    step.run(command.args(["--release", "--package", package]))?;
    Ok(())
}
