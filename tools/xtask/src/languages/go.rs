//! The suites of the Go package: format, lint, and tests, once more with the race detector and cgo's own checks.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::bench;
use crate::counts;
use crate::demo;
use crate::doctor::Tool;
use crate::go;
use crate::language::Language;
use crate::recording::Recording;
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::tools::{OLDEST_GO_HOST, output, show, version_in, which};

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[Suite {
        name: "gofmt",
        about: "",
        lane: Lane::Free,
        after: &[],
        run: format,
    }],
    lint: &[
        Suite {
            name: "go-lint",
            about: "gofmt and go vet",
            lane: Lane::Free,
            after: &[],
            run: lint,
        },
        Suite {
            name: "go-staticcheck",
            about: "staticcheck, which is compiled first",
            lane: Lane::Free,
            after: &[],
            run: staticcheck,
        },
    ],
    test: &[
        Suite {
            name: "go",
            about: "the Go tests, and every case of the conformance suite",
            lane: Lane::Cargo,
            after: &["build"],
            run: tests,
        },
        Suite {
            name: "go-race",
            about: "the Go tests but the cases under the race detector, with all of cgo's checks of pointers",
            lane: Lane::Free,
            after: &["build"],
            run: race,
        },
    ],
    list: Suite {
        name: "catalogue-go",
        about: "the Go benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Free,
        after: &[],
        run: |step| bench::check_list(step, &bench::GO),
    },
    harness: &bench::GO,
    demo: &demo::GO,
    soak: &[],
    tools: &[Tool {
        name: "Go for the Go host",
        found: |_| {
            let path = which("go")?;
            let version = version_in(&output(&path, &["version"])?)?;
            (version >= OLDEST_GO_HOST).then(|| (show(version), path.display().to_string()))
        },
        needed_for: "Go binding (1.24 or later; its linter 1.26), demo",
        required: false,
        get: [
            "a later one than apt's: https://go.dev/dl",
            "brew install go",
            "winget install GoLang.Go",
        ],
    }],
};

/// `go`, in the module's folder.
fn go(step: &Step<'_>, arguments: &[&str]) -> Result<Command> {
    go::command(step.workspace, go::FOLDER, arguments)
}

fn format(step: &mut Step<'_>) -> Result<()> {
    if step.workspace.has("rustbridge-go/go.mod") {
        step.run(&mut go(step, &["fmt", "./..."])?)?;
    }
    Ok(())
}

fn lint(step: &mut Step<'_>) -> Result<()> {
    if !step.workspace.has("rustbridge-go/go.mod") {
        return Ok(());
    }
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

fn staticcheck(step: &mut Step<'_>) -> Result<()> {
    if !step.workspace.has("rustbridge-go/go.mod") {
        return Ok(());
    }
    // Its versions are in a file of their own, so that the module itself needs nothing.
    let linter = ["tool", "-modfile=tools.mod", "staticcheck", "./..."];
    step.run(&mut go(step, &linter)?).map(drop)
}

fn tests(step: &mut Step<'_>) -> Result<()> {
    if !step.workspace.has("rustbridge-go/go.mod") {
        return Ok(());
    }
    let arguments = ["test", "-v", "-count=1", "-timeout=15m", "./..."];
    let mut command = go(step, &arguments)?;
    let recording = Recording::here(step, &["go/cgo"], &mut command)?;
    step.test(&mut command, counts::go_test)?;
    recording.end(step).context("the cases in Go")
}

fn race(step: &mut Step<'_>) -> Result<()> {
    if !step.workspace.has("rustbridge-go/go.mod") {
        return Ok(());
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn the_oldest_go_is_that_of_the_module() {
        let workspace = Workspace::find().expect("the workspace is there");
        let manifest = workspace.root.join(go::FOLDER).join("go.mod");
        let manifest = std::fs::read_to_string(manifest).expect("it can be read");
        let line = manifest
            .lines()
            .find(|line| line.starts_with("go "))
            .expect("it says");
        assert_eq!(version_in(line), Some(OLDEST_GO_HOST));
    }
}
