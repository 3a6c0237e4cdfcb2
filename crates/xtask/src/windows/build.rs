//! The libraries for Windows, built on Linux.

use anyhow::Result;

use super::cross::Cross;
use crate::step::Step;
use crate::suites;

pub fn suite(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    libraries(step, &cross)
}

/// One command per library, as on Linux.
pub fn libraries(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let extension = ["rustbridge-pyext".to_owned()];
    for package in suites::shipped(step.workspace).into_iter().chain(extension) {
        let mut command = cross.cargo("build");
        step.run(command.args(["--release", "--package", &package]))?;
    }
    Ok(())
}
