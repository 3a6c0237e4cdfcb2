//! The libraries for Windows, built on Linux.

use anyhow::Result;

use super::cross::Cross;
use crate::build;
use crate::step::Step;

/// For the suites that run what is built.
pub fn suite(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    for group in build::together(step.workspace, &packages(step)) {
        let mut command = cross.quick_cargo("build");
        step.run(build::named(command.arg("--release"), &group))?;
    }
    Ok(())
}

/// As they ship: one command per library, as on Linux.
pub fn libraries(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    for package in packages(step) {
        let mut command = cross.cargo("build");
        step.run(command.args(["--release", "--package", &package]))?;
    }
    Ok(())
}

/// Those of Linux, and the extension of Python, which pip builds there.
fn packages(step: &Step<'_>) -> Vec<String> {
    let mut packages = build::shipped(step.workspace);
    packages.push("rustbridge-pyext".to_owned());
    packages
}
