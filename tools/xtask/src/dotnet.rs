//! The .NET SDK, and what it builds.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

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
        if newest(&sdks(&program)) < Some(SDK_NEEDED) {
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
    runtimes_in(&said)
}

fn runtimes_in(said: &str) -> Vec<Version> {
    said.lines()
        .filter_map(|line| line.strip_prefix("Microsoft.NETCore.App "))
        .filter_map(tools::version_in)
        .collect()
}

fn newest(versions: &[Version]) -> Option<Version> {
    versions.iter().max().copied()
}

/// Puts this platform's native library where packing finds it, below a folder.
pub fn natives(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let runtimes = folder.join("runtimes");
    let natives = runtimes.join(runtime_identifier()).join("native");
    fs::create_dir_all(&natives).with_context(|| format!("making {}", natives.display()))?;
    let library = workspace.cdylib("rustbridge");
    let name = packaged_library(&runtime_identifier());
    fs::copy(&library, natives.join(name))
        .with_context(|| format!("copying {}", library.display()))?;
    Ok(runtimes)
}

/// A folder without anything in it.
pub fn emptied(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

/// This platform in .NET's words.
pub fn runtime_identifier() -> String {
    let system = match std::env::consts::OS {
        "linux" if cfg!(target_env = "musl") => "linux-musl",
        system => system,
    };
    identifier(system, std::env::consts::ARCH)
}

fn identifier(system: &str, architecture: &str) -> String {
    let system = match system {
        "windows" => "win",
        "macos" => "osx",
        other => other,
    };
    let architecture = match architecture {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{architecture}")
}

/// The platform that Rust calls `<os>-<arch>`, in .NET's words, and what cargo calls our C library there; nothing for the name
/// of no platform.
pub fn platform(name: &str) -> Option<(String, &'static str)> {
    let (system, architecture) = name.rsplit_once('-')?;
    let file = match system {
        "linux" | "linux-musl" => "librustbridge.so",
        "macos" => "librustbridge.dylib",
        "windows" => "rustbridge.dll",
        _ => return None,
    };
    Some((identifier(system, architecture), file))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_have_their_names_in_both_worlds() {
        assert_eq!(
            platform("linux-musl-x86_64"),
            Some(("linux-musl-x64".to_owned(), "librustbridge.so"))
        );
        assert_eq!(
            platform("windows-x86_64"),
            Some(("win-x64".to_owned(), "rustbridge.dll"))
        );
        assert_eq!(platform("notes"), None);
    }

    #[test]
    fn runtimes_are_told_from_those_for_web_servers() {
        let said = "Microsoft.AspNetCore.App 9.0.1 [/usr/share/dotnet/shared/Microsoft.AspNetCore.App]\n\
            Microsoft.NETCore.App 8.0.31 [/usr/share/dotnet/shared/Microsoft.NETCore.App]\n\
            Microsoft.NETCore.App 10.0.12 [/usr/share/dotnet/shared/Microsoft.NETCore.App]\n";
        assert_eq!(runtimes_in(said), [[8, 0, 31], [10, 0, 12]]);
        assert_eq!(newest(&runtimes_in(said)), Some([10, 0, 12]));
        assert!(newest(&[]) < Some(SDK_NEEDED));
    }
}
