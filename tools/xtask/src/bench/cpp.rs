//! Typed clients in C++, measured in the manner of the C program, most of whose files it's made of.

use std::path::PathBuf;

use anyhow::Result;

use super::c;
use super::harness::{Harness, Job};
use crate::tools::find_cxx;

pub const HARNESS: Harness = Harness {
    name: "cpp",
    language: "cpp",
    title: "the C++ host",
    folder: "benches/cpp",
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
    job.tool_of("c++", find_cxx().as_deref(), "--version");
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
