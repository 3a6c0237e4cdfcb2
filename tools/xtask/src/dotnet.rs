//! The .NET SDK, and what it builds.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::platforms::DOTNET;
use crate::step::Missing;
use crate::tools::{self, Version};
use crate::workspace::Workspace;

/// The bindings' folder.
pub const FOLDER: &str = "rustbridge-csharp";

/// Everything in it.
pub const SOLUTION: &str = "rustbridge-csharp/RustBridge.slnx";

/// The SDK that builds for the newest framework of ours, and for the older one too.
pub const SDK_NEEDED: Version = [10, 0, 0];

/// The first numbers of the frameworks that the library is built for, the older first.
pub const FRAMEWORKS: [u32; 2] = [8, 10];

/// What a build of the C# side needs from the machine.
pub struct Dotnet {
    program: PathBuf,
}

impl Dotnet {
    pub fn find() -> Result<Dotnet> {
        let missing = || {
            Missing(
                ".NET SDK 10 or later isn't there; `cargo xtask doctor` shows how to get it".into(),
            )
        };
        let program = tools::find_dotnet().ok_or_else(missing)?;
        if sdks(&program).into_iter().max() < Some(SDK_NEEDED) {
            return Err(missing().into());
        }
        Ok(Dotnet { program })
    }

    /// The folder of the installation, by which programs find the runtime that isn't where the system has it.
    pub fn root(&self) -> Option<PathBuf> {
        let program = self.program.canonicalize().ok()?;
        program.parent().map(Path::to_owned)
    }

    /// Whether programs for the framework of this first number can run.
    pub fn has_runtime(&self, framework: u32) -> bool {
        runtimes(&self.program)
            .iter()
            .any(|version| version[0] == framework)
    }

    /// A command of the SDK or a program, with the libraries of the build that this command's programs load.
    pub fn command(&self, workspace: &Workspace, verb: impl AsRef<OsStr>) -> Command {
        let natives = &workspace.natives;
        let mut command = workspace.command(&self.program);
        command
            .arg(verb)
            .env("DOTNET_NOLOGO", "1")
            .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
            .env("DOTNET_CLI_UI_LANGUAGE", "en")
            // Its processes would otherwise wait a quarter of an hour for the next build.
            .env("MSBUILDDISABLENODEREUSE", "1")
            .env("RUSTBRIDGE_PLUGIN_DIR", natives)
            .env("RUSTBRIDGE_LIBRARY", natives);
        command
    }

    /// Builds a project, given by its folder, for the newest framework into the target folder.
    pub fn build(&self, workspace: &Workspace, project: &str) -> Command {
        let mut command = self.command(workspace, "build");
        command
            .arg(project)
            .args(["--configuration", "Release", "--framework"])
            .arg(newest_framework())
            .arg("--artifacts-path")
            .arg(artifacts(workspace));
        command
    }

    /// Runs a program that [`Dotnet::build`] has made, by the name of its project.
    pub fn run(&self, workspace: &Workspace, name: &str) -> Command {
        let folder = format!("release_{}", newest_framework());
        let file = artifacts(workspace).join("bin").join(name).join(folder);
        self.command(workspace, file.join(format!("{name}.dll")))
    }
}

/// The newest framework in .NET's words.
pub fn newest_framework() -> String {
    let [.., newest] = FRAMEWORKS;
    format!("net{newest}.0")
}

fn artifacts(workspace: &Workspace) -> PathBuf {
    workspace.target.join("dotnet")
}

/// The SDKs of a `dotnet`.
pub fn sdks(program: &Path) -> Vec<Version> {
    let said = tools::output(program, &["--list-sdks"]).unwrap_or_default();
    said.lines().filter_map(tools::version_in).collect()
}

/// The runtimes of a `dotnet` that our programs need, without those for web servers and desktops.
pub fn runtimes(program: &Path) -> Vec<Version> {
    let said = tools::output(program, &["--list-runtimes"]).unwrap_or_default();
    said.lines()
        .filter_map(|line| line.strip_prefix("Microsoft.NETCore.App "))
        .filter_map(tools::version_in)
        .collect()
}

/// This platform in .NET's words.
pub fn runtime_identifier() -> String {
    DOTNET.here()
}

/// The published packages: every project of the bindings except tests and benchmarks.
pub fn published(files: &[String]) -> Vec<String> {
    let projects = files.iter().filter_map(|path| path.strip_suffix(".csproj"));
    let names = projects.filter_map(|path| Some(path.rsplit_once('/')?.1.to_owned()));
    let is_ours = |name: &String| name.ends_with(".Tests") || name.ends_with(".Benchmarks");
    names.filter(|name| !is_ours(name)).collect()
}

/// What the native library is called in a package for the platform of these words. Windows doesn't tell `rustbridge.dll`, as
/// cargo calls it, from the assembly `RustBridge.dll`, and publishing for one platform puts both into one folder.
pub fn packaged_library(identifier: &str) -> &'static str {
    match identifier.split('-').next() {
        Some("win") => "librustbridge.dll",
        Some("osx") => "librustbridge.dylib",
        _ => "librustbridge.so",
    }
}
