//! The C# tests under Wine, with a .NET of their own.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::program::{environment, judged, program};
use crate::counts;
use crate::dotnet::{Dotnet, FOLDER, newest_framework};
use crate::step::{Missing, Step};
use crate::windows::cross::Cross;

const PROJECT: &str = "RustBridge.Tests";

/// The platform in .NET's words.
const IDENTIFIER: &str = "win-x64";

pub fn runtime(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let mut restore = dotnet(cross, "restore")?;
    restore.arg(format!("--runtime={IDENTIFIER}"));
    step.run(&mut restore)
        .map_err(|error| Missing(format!(".NET for {IDENTIFIER} can't be had: {error:#}")))?;
    Ok(())
}

/// The SDK, for the tests and the newest framework, in a folder of its own: the projects' folders keep what they were
/// restored with.
fn dotnet(cross: &Cross<'_>, verb: &str) -> Result<Command> {
    let mut command = Dotnet::find()?.command(cross.workspace, verb);
    command
        .arg(cross.workspace.root.join(FOLDER).join(PROJECT))
        // The libraries would be restored for the older framework, too.
        .arg(format!("-p:TargetFrameworks={}", newest_framework()))
        .arg("--artifacts-path")
        .arg(artifacts(cross));
    Ok(command)
}

fn artifacts(cross: &Cross<'_>) -> PathBuf {
    cross.folder().join("dotnet")
}

/// The tests with .NET beside them, which run themselves: `dotnet test` would need an installed .NET and sockets between
/// its processes.
pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let framework = newest_framework();
    let mut publish = dotnet(&cross, "publish")?;
    publish
        .args(["--configuration=Release", "--self-contained"])
        .arg(format!("--runtime={IDENTIFIER}"))
        .arg(format!("--framework={framework}"));
    step.run(&mut publish)?;
    step.skip(
        "RustBridge.Extensions.Tests",
        "it's about services and loggers of .NET alone, and has no runner without `dotnet test`, which doesn't run under Wine",
    )?;
    step.skip(
        ".NET 8",
        "under Wine there is one .NET; Windows itself runs both",
    )?;
    let folder = artifacts(&cross)
        .join("publish")
        .join(PROJECT)
        .join(format!("release_{framework}_{IDENTIFIER}"));
    let tests = folder.join(format!("{PROJECT}.exe"));
    let prepared = |command: &mut Command| {
        command
            .env("RUSTBRIDGE_LIBRARY", Cross::path(&cross.libraries()))
            // Wine 8 ends the process where .NET maps its code a second time in order to write it.
            .env("DOTNET_EnableWriteXorExecute", "0");
    };
    let mut command = program(&cross, &tests);
    command.args(["tests", "ConformanceTests"]);
    prepared(&mut command);
    let mut testee = Command::new(&tests);
    environment(&cross, &mut testee);
    testee.arg("testee");
    prepared(&mut testee);
    let hosts = &["csharp/pinvoke"];
    judged(
        step,
        &cross,
        hosts,
        &mut command,
        &testee,
        counts::dotnet_test,
    )
}
