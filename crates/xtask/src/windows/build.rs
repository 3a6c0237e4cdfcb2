//! The libraries for Windows, built on Linux.

use anyhow::Result;

use super::cross::Cross;
use crate::build;
use crate::step::Step;

/// What pip builds on Linux.
pub const EXTENSION: &str = "rustbridge-pyext";

/// For the suites that run what is built.
pub fn suite(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let mut groups = build::together(step.workspace, &build::shipped(step.workspace));
    groups.push(vec![EXTENSION.to_owned()]);
    for group in groups {
        let mut command = cross.quick_cargo("build");
        step.run(build::named(command.arg("--release"), &group))?;
    }
    Ok(())
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
