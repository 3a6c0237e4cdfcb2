//! The Go tests under Wine: built here by the machine's Go and MinGW's compiler, whose programs need nothing beside them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::program::{environment, judged};
use crate::counts;
use crate::go;
use crate::step::Step;
use crate::windows::cross::{COMPILER, Cross, TARGET};

/// The test that starts the judge, which is no program of Windows; the judge is started beside the tests instead.
const JUDGING: &str = "TestTheJudgeFindsEveryCaseRight";

/// The packages whose tests cross the boundary.
const PACKAGES: [&str; 2] = [".", "./internal/clients/types"];

const WHY_NOT: &str = "the one is Go alone, and the same code on every system; the other measures, and Wine's times are Wine's";

/// They build programs, which no Go for Windows does here: as programs of Linux they build for Windows, and start Wine.
const BUILDING: [&str; 2] = [
    "TestTheNativeLibraryIsFoundWhereItMayBe",
    "TestTheReadmesProgramRuns",
];

/// `go` in a folder of the repository, whose builds are for Windows.
pub fn go(cross: &Cross<'_>, folder: &str, arguments: &[&str]) -> Result<Command> {
    let mut command = go::command(cross.workspace, folder, arguments)?;
    environment(cross, &mut command);
    command
        .env("RUSTBRIDGE_LIBRARY", Cross::path(&cross.libraries()))
        .env("GOOS", "windows")
        .env("GOARCH", "amd64")
        .env("CC", COMPILER);
    Ok(command)
}

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let testee = testee(step, &cross)?;
    // Quoted, since a path may have a space in it.
    let runner = format!("-exec=bash '{}'", cross.runner().display());
    step.skip("wire, benchmarks", WHY_NOT)?;
    let left_out = format!("-skip=^({JUDGING}|{})$", BUILDING.join("|"));
    let mut command = go(
        &cross,
        go::FOLDER,
        &["test", "-v", "-count=1", "-timeout=5m"],
    )?;
    command.args([&*left_out, &runner]).args(PACKAGES);
    let mut run = Command::new(testee);
    environment(&cross, &mut run);
    run.env("RUSTBRIDGE_LIBRARY", Cross::path(&cross.libraries()));
    judged(
        step,
        &cross,
        &["go/cgo"],
        &mut command,
        &run,
        counts::go_test,
    )?;
    if step.workspace.processes_under_wine {
        return building(step, &cross);
    }
    step.skip(
        &BUILDING.join(", "),
        "they build and start programs, which takes long; `cargo xtask windows test` runs them",
    )
}

fn testee(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<PathBuf> {
    let program = cross.folder().join("go").join("testee.exe");
    let mut build = go(cross, go::FOLDER, &["build", "-buildvcs=false", "-o"])?;
    step.run(build.arg(&program).arg("./internal/testee"))?;
    Ok(program)
}

/// The tests are programs of Linux, as those of C are; the programs that they build and start are for Windows.
fn building(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let only = format!("-run=^({})$", BUILDING.join("|"));
    let mut command = go::command(
        step.workspace,
        go::FOLDER,
        &["test", "-v", "-count=1", "-timeout=5m"],
    )?;
    cross.wine_environment(&mut command);
    command
        .env("RUSTBRIDGE_CROSS_TARGET", TARGET)
        .env("RUSTBRIDGE_CROSS_RUNNER", cross.runner())
        .env("RUSTBRIDGE_CROSS_CC", COMPILER)
        .env("RUSTBRIDGE_PLUGIN_DIR", cross.libraries())
        .env("RUSTBRIDGE_LIBRARY", Cross::path(&cross.libraries()))
        .args([&*only, "."]);
    step.test(&mut command, counts::go_test)
        .context("the tests that build programs")
}
