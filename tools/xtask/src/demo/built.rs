//! Where cargo's commands leave what the hosts load, and which of them has to be over for that.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use crate::workspace::{Workspace, file_of_cdylib};

/// Quick to build, and calls cost about what they cost in a release.
pub const PROFILE: &str = "demo";

/// The folder of what cargo has built.
pub fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join(PROFILE)
}

/// A library that cargo has built.
pub fn library(workspace: &Workspace, name: &str) -> PathBuf {
    folder(workspace).join(file_of_cdylib(name))
}

/// A program that cargo has built.
pub fn program(workspace: &Workspace, name: &str) -> PathBuf {
    folder(workspace).join(format!("{name}{EXE_SUFFIX}"))
}

/// After which of the commands a host can go on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    First,
    Second,
}
