//! The suites of the C# bindings: format, build and tests.

use anyhow::Result;

use crate::counts;
use crate::dotnet::{self, Dotnet, FOLDER, SOLUTION};
use crate::files::emptied;
use crate::recording::Recording;
use crate::step::{Missing, Step};

/// The program that is also published ahead of time.
const EXAMPLE: &str = "examples/csharp/hello.csproj";

/// The programs that users begin with. Their analysers are those of their own builds.
const EXAMPLES: &str = "examples";

/// Whitespace alone: the bindings' build refuses what is written in another style, or could be repaired for an analyser.
pub fn format_check(step: &mut Step<'_>) -> Result<()> {
    whitespace(step, &[FOLDER, EXAMPLES], &["--verify-no-changes"])
}

/// Whitespace, style and what analysers can repair.
pub fn format(step: &mut Step<'_>) -> Result<()> {
    let mut command = Dotnet::find()?.command(step.workspace, "format");
    step.run(command.arg(SOLUTION))?;
    whitespace(step, &[EXAMPLES], &[])
}

/// The files of folders, whatever projects they belong to, and without what is generated there.
fn whitespace(step: &mut Step<'_>, folders: &[&str], more: &[&str]) -> Result<()> {
    let dotnet = Dotnet::find()?;
    for folder in folders {
        let mut command = dotnet.command(step.workspace, "format");
        command
            .args(["whitespace", folder, "--folder"])
            .args(["--exclude", "**/client/**", "**/bin/**", "**/obj/**"])
            .current_dir(&step.workspace.root);
        step.run(command.args(more))?;
    }
    Ok(())
}

/// Everything for every framework; a warning of the compiler, of an analyser or about documentation is an error there.
pub fn build(step: &mut Step<'_>) -> Result<()> {
    let mut command = Dotnet::find()?.command(step.workspace, "build");
    step.run(command.args([SOLUTION, "--configuration=Release"]))?;
    Ok(())
}

pub fn older(step: &mut Step<'_>) -> Result<()> {
    tests(step, dotnet::FRAMEWORKS[0])
}

pub fn newer(step: &mut Step<'_>) -> Result<()> {
    tests(step, dotnet::FRAMEWORKS[1])
}

fn tests(step: &mut Step<'_>, framework: u32) -> Result<()> {
    let dotnet = Dotnet::find()?;
    if !dotnet.has_runtime(framework) {
        return Err(Missing(format!("no runtime of .NET {framework}")).into());
    }
    let mut command = dotnet.command(step.workspace, "test");
    command.args([SOLUTION, "--configuration=Release", "--no-build"]);
    command.arg(format!("--framework=net{framework}.0"));
    let recording = Recording::here(step, &["csharp/pinvoke"], &mut command)?;
    step.test(&mut command, counts::dotnet_test)?;
    recording.end(step)
}

/// The example, compiled ahead of time for the older framework, loads a plugin and calls it.
pub fn ahead_of_time(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let folder = emptied(workspace.target.join("xtask").join("csharp-aot"))?;
    let framework = format!("net{}.0", dotnet::FRAMEWORKS[0]);
    let mut command = dotnet.command(workspace, "publish");
    command
        .arg(EXAMPLE)
        .args(["--configuration=Release", "-p:PublishAot=true"])
        .arg(format!("--framework={framework}"))
        // The library would be restored for the newer framework too, with the newer compiler.
        .arg(format!("-p:TargetFrameworks={framework}"))
        .arg(format!("--runtime={}", dotnet::runtime_identifier()))
        .arg("--output")
        .arg(&folder)
        // So that the projects' own folders keep what they were restored with.
        .arg("--artifacts-path")
        .arg(workspace.target.join("dotnet-aot"));
    step.run(&mut command)?;
    let program = folder
        .join("hello")
        .with_extension(std::env::consts::EXE_EXTENSION);
    let managed = folder.join("hello.dll");
    let problem = managed.exists().then(|| {
        format!(
            "{} is there, so it's still code for a JIT",
            managed.display()
        )
    });
    step.check("it's a program of machine code", problem)?;
    let mut command = workspace.command(program);
    command
        .arg(workspace.cdylib("hello_plugin"))
        .env("RUSTBRIDGE_LIBRARY", &workspace.natives);
    let said = step.run(&mut command)?;
    let problem = (!said.contains("Hello")).then_some(said);
    step.check("it calls the plugin", problem)
}

/// Memory, whose tests read the factor.
pub fn soak(step: &mut Step<'_>) -> Result<()> {
    soaked(
        step,
        "FullyQualifiedName~MemoryTests|FullyQualifiedName~HammerTests",
    )
}

/// Random values, likewise.
pub fn soak_types(step: &mut Step<'_>) -> Result<()> {
    soaked(
        step,
        "FullyQualifiedName~Random_values_come_back_as_they_were",
    )
}

fn soaked(step: &mut Step<'_>, filter: &str) -> Result<()> {
    let mut command = Dotnet::find()?.command(step.workspace, "test");
    command
        .args([SOLUTION, "--configuration=Release"])
        .arg(format!("--filter={filter}"))
        .arg(format!("--framework={}", dotnet::newest_framework()));
    step.test(&mut command, counts::dotnet_test)
}
