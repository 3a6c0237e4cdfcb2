//! The Go program over the Go package; it writes measures itself.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;

use super::harness::{Harness, Job};
use super::pin::Bind;
use crate::go;
use crate::tools::{output, which};

pub const HARNESS: Harness = Harness {
    name: "go",
    language: "go",
    title: "the Go host",
    folder: "rustbridge-go/benchmarks",
    build,
    measure,
    list,
};

const SOURCE: &str = "rustbridge-go/benchmarks/measure";

fn program(job: &Job<'_, '_>) -> PathBuf {
    let folder = job.workspace().target.join("xtask").join("go");
    folder.join(format!("measure{EXE_SUFFIX}"))
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let mut command = go::build(job.workspace(), SOURCE, &program(job))?;
    job.step.run(&mut command)?;
    let said = which("go").and_then(|go| output(&go, &["env", "GOVERSION"]));
    let version = said.map(|text| text.trim().trim_start_matches("go").to_owned());
    job.tool("go", version);
    Ok(())
}

/// One goroutine is bound to one core; the collector's threads share it, which never have much to do here.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    for (bind, threads, what) in [
        (Bind::One, "1", "one goroutine"),
        (Bind::All, "2", "several goroutines"),
    ] {
        let mut command = job.command(program(job));
        command.args(["-threads", threads]);
        if job.quick {
            command.arg("-quick");
        }
        if let Some(scenario) = job.scenario {
            command.arg("-only").arg(scenario);
        }
        job.run(command, bind)?;
        let words = format!("{what} {}", job.pinning.words(bind));
        job.say(HARNESS.name, &words);
    }
    Ok(())
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build(job)?;
    let mut command = job.command(program(job));
    job.step.run(command.arg("-list"))
}
