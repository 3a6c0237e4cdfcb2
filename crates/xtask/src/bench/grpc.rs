//! gRPC over loopback: a server and its clients in a workspace of their own, which a program of theirs runs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::pin::Bind;
use super::{Harness, Job, jmh};
use crate::java::Java;
use crate::python;
use crate::step::Missing;

pub const HARNESS: Harness = Harness {
    name: "grpc",
    language: "grpc",
    title: "gRPC from Rust, Python and Java",
    folder: "benches/grpc/Cargo.toml",
    guess: [90.0, 45.0, 300.0],
    build,
    measure,
    list,
};

const MANIFEST: &str = "benches/grpc/Cargo.toml";
const REQUIREMENTS: &str = "benches/grpc/python/requirements.txt";

/// In a folder of its own: its dependencies have other features there than in the workspace.
fn target(job: &Job<'_, '_>) -> PathBuf {
    job.workspace().target.join("grpc")
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let mut command = job.workspace().cargo();
    command
        .args([
            "build",
            "--locked",
            "--release",
            "--manifest-path",
            MANIFEST,
        ])
        .env("CARGO_TARGET_DIR", target(job));
    job.step.run(&mut command)?;
    if job.workspace().has(REQUIREMENTS) {
        let python = python::environment(job.step)?;
        let mut command = job.command(python);
        command
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "-r",
            ])
            .arg(REQUIREMENTS);
        job.step.run(&mut command)?;
    }
    for name in ["tonic", "prost"] {
        let version = locked(job, name)?;
        job.tool(name, version);
    }
    match jmh::build(job) {
        Err(error) if error.is::<Missing>() => Ok(()),
        other => other,
    }
}

/// A version from the workspace's lock file.
fn locked(job: &Job<'_, '_>, name: &str) -> Result<Option<String>> {
    let file = job.workspace().root.join("benches/grpc/Cargo.lock");
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let after = text.split_once(&format!("name = \"{name}\"\nversion = \""));
    let version = after.and_then(|(_, rest)| rest.split('"').next());
    Ok(version.map(str::to_owned))
}

/// The program that starts the server and the clients, with those clients that can run here. It binds the processes
/// itself where a measure asks for that.
fn program(job: &mut Job<'_, '_>) -> Result<Command> {
    let name = format!("grpc-bench{}", std::env::consts::EXE_SUFFIX);
    let mut command = job.command(target(job).join("release").join(name));
    command.args(["--host", "rust"]);
    if job.workspace().python().is_some() {
        let python = python::program(job.workspace(), "python");
        command.args(["--host", "python", "--python"]).arg(python);
    } else {
        job.say(
            HARNESS.name,
            "without the client in Python, which isn't here",
        );
    }
    match Java::find() {
        Ok(java) => {
            command
                .args(["--host", "java", "--java"])
                .arg(java.program("java"))
                .arg("--jar")
                .arg(jmh::jar(job.workspace()));
        }
        Err(error) if error.is::<Missing>() => {
            job.say(HARNESS.name, "without the client in Java, which isn't here");
        }
        Err(error) => return Err(error),
    }
    Ok(command)
}

fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    let mut command = program(job)?;
    command.arg("--out").arg(job.rows);
    if job.quick {
        command.arg("--quick");
    }
    if let Some(scenario) = job.scenario {
        command.arg("--only").arg(scenario);
    }
    let words = "client and server on every core, and for the pinned subjects together on one";
    job.say(HARNESS.name, words);
    job.run(command, Bind::All).map(drop)
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build(job)?;
    let mut command = program(job)?;
    job.step.run(command.arg("--list"))
}
