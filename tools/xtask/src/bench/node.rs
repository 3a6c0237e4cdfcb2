//! The script in Node over the Node package; it writes measures itself.

use anyhow::Result;

use super::harness::{Harness, Job};
use super::pin::Bind;
use crate::library;
use crate::node;
use crate::tools::show;

pub const HARNESS: Harness = Harness {
    name: "node",
    language: "node",
    title: "the Node host",
    folder: "rustbridge-node/benchmarks",
    build,
    measure,
    list,
};

const SCRIPT: &str = "benchmarks/measure.mjs";

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let (_, version) = node::program()?;
    library::build(job.step, "floor-napi")?;
    node::install(job.step)?;
    job.tool("node", Some(show(version)));
    Ok(())
}

/// The loop is one thread, to which the collector's others leave its core.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    let mut command = job.prepared(node::node(job.step)?);
    command.arg(SCRIPT);
    job.choose(&mut command, "--only");
    job.run(command, Bind::One)?;
    let words = format!("the loop's thread {}", job.pinning.words(Bind::One));
    job.say(HARNESS.name, &words);
    Ok(())
}

/// Without anything that would have to be built.
fn list(job: &mut Job<'_, '_>) -> Result<String> {
    let mut command = job.prepared(node::node(job.step)?);
    job.step.run(command.args([SCRIPT, "--list"]))
}
