//! gRPC over loopback: a server and its clients in a workspace of their own, which a program of theirs runs.
//!
//! That program, `grpc-bench`, starts each server with a pipe as its standard input and ends it by closing the pipe, which the
//! system does for it if it is killed: no server outlives it. Its clients it ends itself, also when one hangs, and one that is
//! orphaned fails at its next call, because its server is gone. A client that fails doesn't keep the others from running.

mod clients;

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use self::clients::CLIENTS;
use super::harness::{Harness, Job};
use super::jmh;
use super::lists::without_measuring;
use super::pin::Bind;
use crate::counts;
use crate::java::Java;
use crate::python;
use crate::step::{Missing, Step};
use crate::tested;
use crate::workspace::Workspace;

pub const HARNESS: Harness = Harness {
    name: "grpc",
    language: "grpc",
    title: "gRPC from Rust, C++, Go, Node, Python and Java",
    folder: "benches/grpc/Cargo.toml",
    build,
    measure,
    list,
};

const MANIFEST: &str = "benches/grpc/Cargo.toml";
const REQUIREMENTS: &str = "benches/grpc/python/requirements.txt";
const CLIENT: &str = "benches/grpc/python/client.py";

/// The measured programs are built like our libraries.
const MEASURED: &str = "release";
/// Programs that are only tried or listed are built in a fifth of the time.
const TRIED: &str = "smoke";

/// Cargo with a command, and the arguments of every command.
fn cargo(workspace: &Workspace, command: &str, profile: &str) -> Command {
    let mut cargo = workspace.cargo();
    cargo
        .args([command, "--locked", "--profile", profile])
        .args(["--manifest-path", MANIFEST])
        .env("CARGO_TARGET_DIR", workspace.target.join("grpc"));
    if profile == TRIED {
        tested::lint(&mut cargo);
    }
    cargo
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    build_as(job, MEASURED)
}

fn build_as(job: &mut Job<'_, '_>, profile: &str) -> Result<()> {
    job.step
        .run(&mut cargo(job.workspace(), "build", profile))?;
    if job.workspace().python().is_some() {
        let python = python::environment(job.step)?;
        let mut command = job.command(python);
        let quiet = ["--quiet", "--disable-pip-version-check"];
        command
            .args(["-m", "pip", "install"])
            .args(quiet)
            .args(["-r", REQUIREMENTS]);
        job.step.run(&mut command)?;
    }
    clients::build(job)?;
    for name in ["tonic", "prost"] {
        let version = locked(job, name)?;
        job.tool(name, version);
    }
    let jar = match profile {
        MEASURED => jmh::build(job),
        _ => jmh::ready(job),
    };
    match jar {
        Err(error) if error.is::<Missing>() => Ok(()),
        other => other,
    }
}

/// The server and the client in Rust without a warning, and their own tests; leaves behind what [`smoke`] needs.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let mut build = cargo(workspace, "build", TRIED);
    tested::build_without_a_warning(step, build.arg("--all-targets"))?;
    step.test(
        cargo(workspace, "test", TRIED).arg("--lib"),
        counts::cargo_test,
    )
}

/// Every client calls every method once in every way and looks at the answers. That the clients are those of the
/// catalogue is checked by [`super::check_list`].
pub fn smoke(step: &mut Step<'_>) -> Result<()> {
    if step.workspace.python().is_some() {
        python::environment(step)?;
        let mypy = python::program(step.workspace, "mypy");
        let mut mypy = step.workspace.command(mypy);
        // gRPC has no types, and neither have the messages that it generates.
        mypy.args(["--strict", "--ignore-missing-imports", CLIENT]);
        step.run(&mut mypy)?;
    }
    let said = without_measuring(step, &HARNESS, |job| {
        build_as(job, TRIED)?;
        let mut command = program(job, TRIED)?;
        job.step.run(command.arg("--smoke"))
    })?;
    for client in &CLIENTS {
        if (client.program)(step.workspace).is_none() {
            let what = format!("the client `{}`", client.name);
            let why = "it can't be made here; the log says why";
            if step.workspace.ci {
                step.check(&what, Some(why.to_owned()))?;
            } else {
                step.skip(&what, why)?;
            }
        }
    }
    for line in said.lines().filter_map(|line| line.strip_prefix("ok: ")) {
        step.check(line, None)?;
    }
    let none =
        (step.counts.passed == 0).then(|| "no client said that anything is right".to_owned());
    step.check("the clients' calls", none)
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
fn program(job: &mut Job<'_, '_>, profile: &str) -> Result<Command> {
    let name = format!("grpc-bench{}", std::env::consts::EXE_SUFFIX);
    // In a folder of its own: its dependencies have other features than in our workspace.
    let folder = job.workspace().target.join("grpc").join(profile);
    let mut command = job.command(folder.join(name));
    command.args(["--host", "rust"]);
    for client in &CLIENTS {
        let name = client.name;
        match (client.program)(job.workspace()) {
            Some(program) => {
                command.args(["--host", name]);
                command.arg(format!("--{name}")).arg(program);
            }
            None => job.say(
                HARNESS.name,
                &format!("without the client `{name}`, which can't be made here"),
            ),
        }
    }
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
    let mut command = program(job, MEASURED)?;
    command.arg("--out").arg(job.rows);
    job.choose(&mut command, "--only");
    let words = "client and server on every core, and for the pinned subjects together on one";
    job.say(HARNESS.name, words);
    job.run(command, Bind::All).map(drop)
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build_as(job, TRIED)?;
    let mut command = program(job, TRIED)?;
    let mut list = job.step.run(command.arg("--list"))?;
    // A missing client would measure the same scenarios as the others.
    let rows: Vec<String> = list.lines().map(str::to_owned).collect();
    for client in &CLIENTS {
        if (client.program)(job.workspace()).is_some() {
            continue;
        }
        for row in rows.iter().filter(|row| row.contains("\trust\t")) {
            for host in client.hosts {
                list.push_str(&row.replace("\trust\t", &format!("\t{host}\t")));
                list.push('\n');
            }
        }
    }
    Ok(list)
}
