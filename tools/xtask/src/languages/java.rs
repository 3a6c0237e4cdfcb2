//! The suites of the Java bindings: format, lint and tests.

use anyhow::Result;

use crate::java::{Java, program};
use crate::junit;
use crate::recording::Recording;
use crate::step::{Missing, Step};

pub fn format(step: &mut Step<'_>) -> Result<()> {
    let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
    step.run(command.args(["--quiet", "spotless:apply"]))?;
    Ok(())
}

/// Format, Error Prone, every warning of the compiler, and the licences of what we ship with.
pub fn lint(step: &mut Step<'_>) -> Result<()> {
    let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
    // The check of licences comes after the phase to which the profile binds the others.
    const LICENCES: &str = "org.codehaus.mojo:license-maven-plugin:add-third-party";
    step.run(command.args(["--activate-profiles=lint", "test-compile", LICENCES]))?;
    Ok(())
}

/// All modules but the benchmarks, which a suite of their own compiles.
const TESTED: [&str; 2] = ["--projects", "!rustbridge-benchmarks"];

/// One run of Maven: everything is built and tested on the newest JDK.
pub fn verify(step: &mut Step<'_>) -> Result<()> {
    let java = Java::find()?;
    let mut command = java.maven(step.workspace, &step.workspace.root);
    // Format, Error Prone and warnings are checked along, so that everything is compiled once. What a deleted file or another JDK
    // has left behind would go into the jars.
    command
        .args(["--activate-profiles=lint", "-Drustbridge.build=target"])
        .args(TESTED)
        .args(["clean", "verify"]);
    let recording = Recording::here(step, &["java/ffm", "java/jni"], &mut command)?;
    let reports = Java::reports(step.workspace)?;
    step.test(&mut command, |_| junit::sum(&reports))?;
    recording.end(step)
}

/// The tests of the classes for Java 17, on a JDK between 17 and 21.
pub fn older(step: &mut Step<'_>) -> Result<()> {
    let java = Java::find()?;
    let Some(home) = &java.older else {
        return Err(Missing("no JDK between 17 and 21".into()).into());
    };
    let mut command = java.maven(step.workspace, &step.workspace.root);
    command
        .arg(format!(
            "-Drustbridge.test.older={}",
            program(home, "java").display()
        ))
        .args(TESTED)
        .args([
            "-Drustbridge.test.newest.skip=true",
            "-Drustbridge.build=target",
            "test",
        ]);
    let reports = Java::reports(step.workspace)?;
    step.test(&mut command, |_| junit::sum(&reports))
}

/// Memory, whose tests read the factor.
pub fn soak(step: &mut Step<'_>) -> Result<()> {
    soaked(step, "rustbridge-tests", "MemoryTest,HammerTest")
}

/// Random values, likewise.
pub fn soak_types(step: &mut Step<'_>) -> Result<()> {
    soaked(
        step,
        "rustbridge-tests,rustbridge-kotlin",
        "TypesTest#random*",
    )
}

/// The tests of that name in these projects.
fn soaked(step: &mut Step<'_>, projects: &str, tests: &str) -> Result<()> {
    let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
    command
        .arg(format!("--projects={projects}"))
        .args(["--also-make", "verify"])
        .arg(format!("-Dtest={tests}"))
        // By the compiler that users have, which so long a run is worth.
        .arg("-Drustbridge.test.compiler=")
        .arg("-Dsurefire.failIfNoSpecifiedTests=false");
    let reports = Java::reports(step.workspace)?;
    step.test(&mut command, |_| junit::sum(&reports))
}
