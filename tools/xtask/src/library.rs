//! How cargo makes a package's C library as users have it.

use std::process::Command;

use anyhow::Result;

use crate::step::Step;
use crate::workspace::Workspace;

/// Builds a package's library in release mode, with the features that it asks for and none of its neighbours'.
pub fn build(step: &mut Step<'_>, name: &str) -> Result<()> {
    let mut command = step.workspace.cargo();
    command.args(verb(step.workspace, name));
    command.args(["--locked", "--release", "--package", name]);
    step.run(&mut command).map(drop)
}

const ALONE: &[&str] = &["rustc", "--lib", "--crate-type", "cdylib"];
pub const PLAIN: &[&str] = &["build"];

/// Where tests in Rust use the package as well, the C library is made alone: cargo leaves out the optimization across crates if it
/// makes one of Rust's along, and hello-plugin is a sixth larger then.
pub fn verb(workspace: &Workspace, name: &str) -> &'static [&'static str] {
    let packages = &workspace.metadata().packages;
    let mut targets = packages
        .iter()
        .filter(|package| package.name == name)
        .flat_map(|package| &package.targets);
    if targets.any(|target| target.is("cdylib") && target.is("rlib")) {
        ALONE
    } else {
        PLAIN
    }
}

/// In a fraction of the time: for tests, which ask what the libraries do and not how fast. What is measured or handed out is
/// built as users build it.
pub fn quickly(command: &mut Command) {
    command
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
}
