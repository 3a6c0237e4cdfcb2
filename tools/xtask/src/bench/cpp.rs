//! Typed clients in C++, measured in the manner of the C program, most of whose files it's made of.

use std::path::PathBuf;

use anyhow::Result;

use super::c;
use super::harness::{Harness, Job};
use crate::tools::{find_cxx, output};

pub const HARNESS: Harness = Harness {
    name: "cpp",
    language: "cpp",
    title: "the C++ host",
    folder: "benches/cpp",
    guess: [20.0, 5.0, 40.0],
    build,
    measure,
    list,
};

fn folder(job: &Job<'_, '_>) -> PathBuf {
    job.workspace().target.join("cmake").join("bench-cpp")
}

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let mut library = std::ffi::OsString::from("-DRUSTBRIDGE_LIBRARY_DIR=");
    library.push(job.natives());
    c::compile(job, HARNESS.folder, &folder(job), &[library])?;
    let said = find_cxx().and_then(|cxx| output(&cxx, &["--version"]));
    let version = said.and_then(|text| text.lines().next().map(|line| line.trim().to_owned()));
    job.tool("c++", version);
    Ok(())
}

fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    c::run(job, HARNESS.name, &folder(job))
}

/// It's linked with librustbridge, which the suite `release` has built.
fn list(job: &mut Job<'_, '_>) -> Result<String> {
    build(job)?;
    c::listed(job, &folder(job))
}
