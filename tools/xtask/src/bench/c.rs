//! The plain C program over librustbridge; it writes measures itself.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::harness::{Harness, Job};
use super::pin::Bind;
use crate::step::Missing;
use crate::tools::{find_cc, which};

pub const HARNESS: Harness = Harness {
    name: "c",
    language: "c",
    title: "the C host",
    folder: "benches/c",
    build,
    measure,
    list,
};

fn folder(job: &Job<'_, '_>) -> PathBuf {
    job.workspace().target.join("cmake").join("bench")
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    compile(job, HARNESS.folder, &folder(job), &[])?;
    job.tool_of("cc", find_cc().as_deref(), "--version");
    Ok(())
}

fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    run(job, HARNESS.name, &folder(job))
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build(job)?;
    listed(job, &folder(job))
}

/// Builds the program of a folder into another one by CMake.
pub fn compile(
    job: &mut Job<'_, '_>,
    source: &str,
    into: &Path,
    options: &[OsString],
) -> Result<()> {
    let cmake = which("cmake").ok_or_else(|| {
        Missing("no CMake, which builds it; `cargo xtask doctor` shows how to get it".into())
    })?;
    let mut configure = job.command(&cmake);
    configure
        .arg("-S")
        .arg(job.workspace().root.join(source))
        .arg("-B")
        .arg(into)
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .args(options);
    job.step.run(&mut configure)?;
    let mut compile = job.command(&cmake);
    compile.arg("--build").arg(into);
    job.step.run(compile.args(["--config", "Release"]))?;
    Ok(())
}

/// Runs the program in a folder. It binds itself for each measure, because it measures with one thread and with several.
pub fn run(job: &mut Job<'_, '_>, harness: &str, folder: &Path) -> Result<()> {
    let mut command = job.command(program(folder));
    job.choose(&mut command, "--only");
    job.run(command, Bind::All)?;
    let words = if cfg!(any(target_os = "linux", windows)) {
        "one thread bound to the second core, several threads on every core"
    } else {
        "not bound to a core"
    };
    job.say(harness, words);
    Ok(())
}

/// The list of the program in a folder.
pub fn listed(job: &mut Job<'_, '_>, folder: &Path) -> Result<String> {
    let mut command = job.command(program(folder));
    job.step.run(command.arg("--list"))
}

fn program(folder: &Path) -> PathBuf {
    folder.join(format!("bench{}", std::env::consts::EXE_SUFFIX))
}
