//! The plain C program over librustbridge; it writes measures itself.

use std::path::PathBuf;

use anyhow::Result;

use super::harness::{Harness, Job};
use super::pin::Bind;
use crate::step::Missing;
use crate::tools::{find_cc, output, which};

pub const HARNESS: Harness = Harness {
    name: "c",
    language: "c",
    title: "the C host",
    folder: "benches/c",
    guess: [10.0, 25.0, 180.0],
    build,
    measure,
    list,
};

fn folder(job: &Job<'_, '_>) -> PathBuf {
    job.workspace().target.join("cmake").join("bench")
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let cmake = which("cmake").ok_or_else(|| {
        Missing("no CMake, which builds it; `cargo xtask doctor` says how to get it".into())
    })?;
    let mut configure = job.command(&cmake);
    configure
        .arg("-S")
        .arg(job.workspace().root.join("benches/c"))
        .arg("-B")
        .arg(folder(job))
        .arg("-DCMAKE_BUILD_TYPE=Release");
    job.step.run(&mut configure)?;
    let mut compile = job.command(&cmake);
    compile.arg("--build").arg(folder(job));
    job.step.run(compile.args(["--config", "Release"]))?;
    let said = find_cc().and_then(|cc| output(&cc, &["--version"]));
    let version = said.and_then(|text| text.lines().next().map(|line| line.trim().to_owned()));
    job.tool("cc", version);
    Ok(())
}

/// The program binds itself anew for each measure, since it measures with one thread and with several.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    let mut command = job.command(program(job));
    if job.quick {
        command.arg("--quick");
    }
    if let Some(scenario) = job.scenario {
        command.arg("--only").arg(scenario);
    }
    job.run(command, Bind::All)?;
    let words = if cfg!(any(target_os = "linux", windows)) {
        "one thread bound to the second core, several threads on every core"
    } else {
        "not bound to a core"
    };
    job.say(HARNESS.name, words);
    Ok(())
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build(job)?;
    let mut command = job.command(program(job));
    job.step.run(command.arg("--list"))
}

fn program(job: &Job<'_, '_>) -> PathBuf {
    folder(job).join(format!("bench{}", std::env::consts::EXE_SUFFIX))
}
