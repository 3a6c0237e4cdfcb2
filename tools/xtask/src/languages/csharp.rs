//! The suites of the C# bindings: format, build, tests and packages.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::single_file;
use crate::bench;
use crate::counts;
use crate::demo;
use crate::doctor::{Found, Tool};
use crate::dotnet::{self, Dotnet, FOLDER, SOLUTION, emptied, natives};
use crate::language::Language;
use crate::nupkg;
use crate::recording::Recording;
use crate::step::{Missing, Step};
use crate::suite::{Lane, Suite};
use crate::tools::{Version, find_dotnet, show};

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[Suite {
        name: "dotnet-format",
        about: "",
        lane: Lane::Dotnet,
        after: &[],
        run: format,
    }],
    lint: &[
        Suite {
            name: "csharp-build",
            about: "the C# side for every framework, without a warning of compiler, analysers or documentation",
            lane: Lane::Dotnet,
            after: &[],
            run: build,
        },
        Suite {
            name: "csharp-format",
            about: "dotnet format of whitespace; style and analysers are the build's",
            lane: Lane::Dotnet,
            after: &[],
            run: format_check,
        },
    ],
    test: &[
        Suite {
            name: "csharp-net8",
            about: "the C# tests on .NET 8",
            lane: Lane::Dotnet,
            after: &["csharp-build", "build"],
            run: older,
        },
        Suite {
            name: "csharp-net10",
            about: "the same C# tests on .NET 10",
            lane: Lane::Dotnet,
            after: &["csharp-build", "build"],
            run: newer,
        },
        Suite {
            name: "csharp-packages",
            about: "the NuGet packages contain the expected files and no others",
            lane: Lane::Dotnet,
            after: &["csharp-build", "build"],
            run: packages,
        },
        Suite {
            name: "csharp-aot",
            about: "the C# example compiled ahead of time loads a plugin and calls it",
            lane: Lane::Dotnet,
            after: &["csharp-build", "build"],
            run: ahead_of_time,
        },
        Suite {
            name: "csharp-single-file",
            about: "a C# program that is published as one file finds the plugin inside",
            lane: Lane::Dotnet,
            after: &["csharp-build", "build"],
            run: single_file::suite,
        },
    ],
    list: Suite {
        name: "catalogue-csharp",
        about: "the BenchmarkDotNet benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Dotnet,
        after: &["build"],
        run: |step| bench::check_list(step, &bench::BDN),
    },
    harness: &bench::BDN,
    demo: &demo::CSHARP,
    soak: &[
        Suite {
            name: "soak-csharp",
            about: "memory after many loads, calls and records; a million calls that are cancelled and closed at random",
            lane: Lane::Dotnet,
            after: &["build"],
            run: soak,
        },
        Suite {
            name: "soak-types-csharp",
            about: "100,000 random values of every type through the client in C# and back, and as JSON",
            lane: Lane::Dotnet,
            after: &["build"],
            run: soak_types,
        },
    ],
    tools: &[
        Tool {
            name: ".NET SDK",
            found: |_| sdk(|program| newest(dotnet::sdks(program), dotnet::SDK_NEEDED)),
            needed_for: "C# binding, demo (10 or later)",
            required: true,
            get: [
                "apt install dotnet-sdk-10.0, or dotnet-install.sh of dot.net",
                "brew install dotnet-sdk",
                "winget install Microsoft.DotNet.SDK.10",
            ],
        },
        Tool {
            name: ".NET 8 runtime",
            found: |_| {
                sdk(|program| {
                    let mut runtimes = dotnet::runtimes(program);
                    runtimes.retain(|version| version[0] == dotnet::FRAMEWORKS[0]);
                    runtimes.last().copied()
                })
            },
            needed_for: "C# tests on the older framework",
            required: false,
            get: [
                "apt install dotnet-runtime-8.0, or dotnet-install.sh of dot.net",
                "brew install dotnet@8",
                "winget install Microsoft.DotNet.Runtime.8",
            ],
        },
    ],
};

/// The `dotnet` that is there, with the version of one of its parts.
fn sdk(version: impl Fn(&Path) -> Option<Version>) -> Option<Found> {
    let program = find_dotnet()?;
    Some((show(version(&program)?), program.display().to_string()))
}

/// The newest of some versions, if it's new enough.
fn newest(versions: Vec<Version>, needed: Version) -> Option<Version> {
    versions
        .into_iter()
        .max()
        .filter(|newest| *newest >= needed)
}

/// The program that is also published ahead of time.
const EXAMPLE: &str = "examples/csharp";

/// The programs that users begin with. Their analysers are those of their own builds.
const EXAMPLES: &str = "examples";

fn has_build(step: &Step<'_>) -> bool {
    step.workspace.has(SOLUTION)
}

/// Whitespace alone: the bindings' build refuses what is written in another style, or could be repaired for an analyser.
pub fn format_check(step: &mut Step<'_>) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
    whitespace(step, &[FOLDER, EXAMPLES], &["--verify-no-changes"])
}

/// Whitespace, style and what analysers can repair.
pub fn format(step: &mut Step<'_>) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
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
    if has_build(step) {
        let mut command = Dotnet::find()?.command(step.workspace, "build");
        step.run(command.args([SOLUTION, "--configuration=Release"]))?;
    }
    Ok(())
}

pub fn older(step: &mut Step<'_>) -> Result<()> {
    tests(step, dotnet::FRAMEWORKS[0])
}

pub fn newer(step: &mut Step<'_>) -> Result<()> {
    tests(step, dotnet::FRAMEWORKS[1])
}

fn tests(step: &mut Step<'_>, framework: u32) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
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

/// The packages hold what they should and nothing else.
pub fn packages(step: &mut Step<'_>) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
    let dotnet = Dotnet::find()?;
    let workspace = step.workspace;
    let python = workspace
        .python()
        .ok_or_else(|| Missing("no Python 3.10 or later to read the packages with".into()))?
        .path
        .clone();
    let folder = emptied(workspace.target.join("xtask").join("csharp"))?;
    let runtimes = natives(step.workspace, &folder)?;
    let mut command = dotnet.command(workspace, "pack");
    command
        .args([SOLUTION, "--configuration=Release", "--no-build"])
        .arg(format!("-p:RustBridgeRuntimes={}", runtimes.display()))
        .arg("--output")
        .arg(&folder);
    step.run(&mut command)?;
    let published = nupkg::published(&workspace.files(&[FOLDER])?);
    let made = nupkg::made(&folder)?;
    let problem = (made != published).then(|| format!("{made:?} instead of {published:?}"));
    step.check("each library is a package, and nothing else is", problem)?;
    for package in &published {
        for ending in ["nupkg", "snupkg"] {
            let file = nupkg::file_name(package, ending);
            let mut list = workspace.command(&python);
            let listed = step.run(list.args(["-c", nupkg::READ]).arg(folder.join(&file)))?;
            let findings = match ending {
                "nupkg" => nupkg::findings(package, &listed),
                _ => nupkg::symbol_findings(package, &listed),
            };
            let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
            step.check(&format!("{file} has the expected contents"), problem)?;
        }
    }
    Ok(())
}

/// The example, compiled ahead of time for the older framework, loads a plugin and calls it.
pub fn ahead_of_time(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let Some(project) = project(&workspace.root.join(EXAMPLE))? else {
        return Ok(());
    };
    let dotnet = Dotnet::find()?;
    let folder = emptied(workspace.target.join("xtask").join("csharp-aot"))?;
    let framework = format!("net{}.0", dotnet::FRAMEWORKS[0]);
    let mut command = dotnet.command(workspace, "publish");
    command
        .arg(&project)
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
    let name = project.file_stem().context("a project has a name")?;
    let program = folder
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    let managed = folder.join(name).with_extension("dll");
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

/// The one project in a folder, if it's there.
fn project(folder: &Path) -> Result<Option<PathBuf>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    for entry in folder
        .read_dir()
        .with_context(|| format!("reading {}", folder.display()))?
    {
        let path = entry
            .with_context(|| format!("reading {}", folder.display()))?
            .path();
        if path.extension().is_some_and(|ending| ending == "csproj") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Memory, whose tests read the factor.
fn soak(step: &mut Step<'_>) -> Result<()> {
    soaked(
        step,
        "FullyQualifiedName~MemoryTests|FullyQualifiedName~HammerTests",
    )
}

/// Random values, likewise.
fn soak_types(step: &mut Step<'_>) -> Result<()> {
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
