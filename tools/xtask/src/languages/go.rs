//! The suites of the Go package: format, lint, and tests, once more with the race detector and cgo's own checks.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::counts;
use crate::go;
use crate::recording::Recording;
use crate::step::Step;

/// `go`, in the module's folder.
fn go(step: &Step<'_>, arguments: &[&str]) -> Result<Command> {
    go::command(step.workspace, go::FOLDER, arguments)
}

pub fn format(step: &mut Step<'_>) -> Result<()> {
    step.run(&mut go(step, &["fmt", "./..."])?)?;
    Ok(())
}

pub fn lint(step: &mut Step<'_>) -> Result<()> {
    let root = step.run(&mut go(step, &["env", "GOROOT"])?)?;
    let gofmt = std::path::Path::new(root.trim()).join("bin/gofmt");
    let mut command = step.workspace.command(gofmt);
    command
        .args(["-l", ".", "../benches/grpc/go"])
        .current_dir(step.workspace.root.join(go::FOLDER));
    let listed = step.run(&mut command)?;
    let problem = (!listed.trim().is_empty()).then(|| format!("`go fmt` changes:\n{listed}"));
    step.check("gofmt has nothing to change", problem)?;
    step.run(&mut go(step, &["vet", "./..."])?).map(drop)
}

pub fn staticcheck(step: &mut Step<'_>) -> Result<()> {
    // Its versions are in a file of their own, so that the module itself needs nothing.
    let linter = ["tool", "-modfile=tools.mod", "staticcheck", "./..."];
    step.run(&mut go(step, &linter)?).map(drop)
}

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let arguments = ["test", "-v", "-count=1", "-timeout=15m", "./..."];
    let mut command = go(step, &arguments)?;
    let recording = Recording::here(step, &["go/cgo"], &mut command)?;
    step.test(&mut command, counts::go_test)?;
    recording.end(step).context("the cases in Go")
}

pub fn race(step: &mut Step<'_>) -> Result<()> {
    let arguments = [
        "test",
        "-v",
        "-race",
        "-short",
        "-count=1",
        "-timeout=15m",
        "./...",
    ];
    let mut command = go(step, &arguments)?;
    step.test(command.env("GOEXPERIMENT", "cgocheck2"), |said| {
        counts::go_test(said)
    })
}
