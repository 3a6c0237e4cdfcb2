//! Go, as the Go package's suites, its row of the demo and its benchmarks need it.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::step::{Missing, Unavailable};
use crate::tools::{OLDEST_GO_HOST, find_cc, output, show, version_in, which};
use crate::workspace::Workspace;

/// The module's folder.
pub const FOLDER: &str = "rustbridge-go";

/// `go` in a folder of the repository, with what the package's tests and programs find in their environment.
pub fn command(workspace: &Workspace, folder: &str, arguments: &[&str]) -> Result<Command> {
    let go = which("go")
        .filter(|go| {
            output(go, &["version"])
                .and_then(|said| version_in(&said))
                .is_some_and(|version| version >= OLDEST_GO_HOST)
        })
        .ok_or_else(|| Missing::tool(&format!("Go {} or later", show(OLDEST_GO_HOST))))?;
    if cfg!(windows) {
        let why = "cgo builds with MinGW's GCC on Windows, which is tried by the suite windows-go alone, on Linux";
        return Err(Unavailable(why.into()).into());
    }
    find_cc().ok_or_else(|| Missing::tool("C compiler, which cgo needs"))?;
    let mut command = workspace.command(go);
    command
        .args(arguments)
        .current_dir(workspace.root.join(folder))
        .env("CGO_ENABLED", "1")
        .env("RUSTBRIDGE_PLUGIN_DIR", &workspace.natives)
        .env("RUSTBRIDGE_LIBRARY", &workspace.natives);
    Ok(command)
}

/// The command that builds the program of a folder into a file. If it can't be built here, it's missing to callers that go on without it.
pub fn build(workspace: &Workspace, folder: &str, program: &Path) -> Result<Command> {
    let command = command(workspace, folder, &["build", "-buildvcs=false", "-o"]);
    let mut command = command.map_err(|error| match error.downcast::<Unavailable>() {
        Ok(why) => Missing(why.0).into(),
        Err(error) => error,
    })?;
    command.arg(program).arg(".");
    Ok(command)
}
