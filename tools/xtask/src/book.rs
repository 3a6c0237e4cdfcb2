//! `cargo xtask book`: the documentation as a book, made by a program in a workspace of its own.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::counts;
use crate::step::Step;
use crate::tested;
use crate::workspace::Workspace;

const MANIFEST: &str = "book/Cargo.toml";

/// Cargo with one of its commands for the program that makes the book.
fn cargo(workspace: &Workspace, command: &str) -> Command {
    let mut cargo = workspace.cargo();
    cargo
        .args([command, "--locked", "--quiet", "--manifest-path", MANIFEST])
        .env("CARGO_TARGET_DIR", workspace.target.join("book-tool"));
    tested::lint(&mut cargo);
    cargo
}

/// The same for every chapter, and nothing else: what was there before is removed.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("book")
}

fn make(workspace: &Workspace) -> Command {
    let mut run = cargo(workspace, "run");
    run.arg("--").arg(&workspace.root).arg(folder(workspace));
    run
}

/// Makes it and says where it is.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "book")?;
    let said = step
        .run(&mut make(workspace))
        .inspect_err(|_| eprint!("{}", step.read_log()))?;
    print!("{said}");
    println!("{}", folder(workspace).join("index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// Makes it, which looks at every link, and has its own tests look for each fault.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let mut build = cargo(workspace, "build");
    tested::build_without_a_warning(step, build.arg("--all-targets"))?;
    step.test(&mut cargo(workspace, "test"), counts::cargo_test)?;
    let problem = step.run(&mut make(workspace)).err();
    step.check(
        "every page is in the book, and every link leads somewhere",
        problem.map(|error| format!("{error:#}; the log has them")),
    )
}
