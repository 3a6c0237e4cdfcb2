//! `xtask api`: whether who was content with older packages can go on with newer ones, by each language's own tool. Which packages they are is
//! up to the caller: a release keeps its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use toml::{Table, Value};

use crate::dotnet::Dotnet;
use crate::java::Java;
use crate::packages::making;
use crate::step::{Missing, Step};
use crate::workspace::Workspace;
use crate::{python, tools};

/// What compares Python packages.
const GRIFFE: &[&str] = &["griffe==2.4.1"];

/// What compares crates.
const SEMVER: &str = "cargo-semver-checks@0.51.0";

#[derive(Args)]
pub struct Options {
    /// The folder of packages of the version that others use.
    old: PathBuf,
    /// That of the version to come; without it what `cargo xtask package` has made.
    new: Option<PathBuf>,
}

/// Two folders of packages.
struct Compared {
    old: PathBuf,
    new: PathBuf,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let new = options.new.clone();
    let new = new.unwrap_or_else(|| workspace.target.join("packages"));
    let compared = Compared {
        old: folder_of_packages(&options.old)?,
        new: folder_of_packages(&new)?,
    };
    let mut step = Step::start(workspace, "api")?;
    let parts: [(&str, Part); 4] = [
        ("the wheel", Compared::wheel),
        ("the NuGet packages", Compared::nuget),
        ("the jars", Compared::jars),
        ("the crates", Compared::crates),
    ];
    for (what, part) in parts {
        match part(&compared, &mut step) {
            Err(error) if error.is::<Missing>() => step.skip(what, &format!("{error:#}"))?,
            result => result.inspect_err(|_| eprint!("{}", step.read_log()))?,
        }
    }
    for part in &step.skipped {
        println!("not compared: {part}");
    }
    let counts = &step.counts;
    println!(
        "{} packages are compatible, {} aren't",
        counts.passed, counts.failed
    );
    if let Err(differ) = step.finish() {
        println!("{differ:#}");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

type Part = fn(&Compared, &mut Step<'_>) -> Result<()>;

fn folder_of_packages(folder: &Path) -> Result<PathBuf> {
    let folder = std::path::absolute(folder).context("making the path a whole one")?;
    ensure!(
        folder.join("SHA256SUMS").is_file(),
        "{} isn't a folder that `cargo xtask package` has made",
        folder.display()
    );
    Ok(folder)
}

impl Compared {
    fn wheel(&self, step: &mut Step<'_>) -> Result<()> {
        let python = python::tools_in(step, &step.workspace.target.join("griffe"), GRIFFE)
            .map_err(|error| Missing(format!("griffe can't be installed: {error:#}")))?;
        let work = step.workspace.target.join("xtask").join("api");
        let mut folders = Vec::new();
        for (name, packages) in [("old", &self.old), ("new", &self.new)] {
            // Of another system it has the same sources.
            let wheels = ending(&packages.join("python"), ".whl")?;
            let Some(wheel) = wheels.first() else {
                return Err(Missing(format!("{} has no wheel", packages.display())).into());
            };
            let folder = work.join(name);
            if folder.exists() {
                fs::remove_dir_all(&folder).context("removing the last comparison")?;
            }
            let mut unpack = step.workspace.command(&python);
            unpack.args(["-m", "zipfile", "--extract"]).arg(wheel);
            step.run(unpack.arg(&folder))?;
            folders.push(folder);
        }
        let mut compare = step.workspace.command(&python);
        compare.arg("tools/xtask/api/compare.py").args(folders);
        let said = step.run(&mut compare)?;
        step.check("the wheel", (!said.trim().is_empty()).then_some(said))
    }

    fn nuget(&self, step: &mut Step<'_>) -> Result<()> {
        let dotnet = Dotnet::find()?;
        let project = working_copy(step.workspace, "compare.csproj")?;
        self.each(step, "nuget", ".nupkg", |step, old, new| {
            let mut command = dotnet.command(step.workspace, "msbuild");
            command
                .args(["-nologo", "-verbosity:minimal", "-target:Compare"])
                .arg(format!("-property:Old={}", old.display()))
                .arg(format!("-property:New={}", new.display()))
                .arg(&project);
            differences(step, &mut command)
        })
    }

    fn jars(&self, step: &mut Step<'_>) -> Result<()> {
        let java = Java::find()?;
        let project = working_copy(step.workspace, "pom.xml")?;
        self.each(step, "maven", ".jar", |step, old, new| {
            let mut command = java.maven(step.workspace, &step.workspace.root);
            command
                .args(["--quiet", "verify", "--file"])
                .arg(&project)
                .arg(format!("-Dold={}", old.display()))
                .arg(format!("-Dnew={}", new.display()));
            differences(step, &mut command)
        })
    }

    fn crates(&self, step: &mut Step<'_>) -> Result<()> {
        let program = semver_checks(step)?;
        let entries = fs::read_dir(self.old.join("crates")).context("reading the crates")?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        names.sort();
        for name in names {
            let old = self.old.join("crates").join(&name);
            // Neither a program nor a macro has what could be compared.
            if !old.join("src/lib.rs").is_file() || is_macro(&old)? {
                continue;
            }
            let new = self.new.join("crates").join(&name).join("Cargo.toml");
            if !new.is_file() {
                step.check(&name, Some("it is gone".to_owned()))?;
                continue;
            }
            let mut command = step.workspace.command(&program);
            command
                .args(["semver-checks", "check-release", "--color=never"])
                .arg("--manifest-path")
                .arg(&new)
                .arg("--baseline-root")
                .arg(&old)
                .env(
                    "CARGO_TARGET_DIR",
                    step.workspace.target.join("semver-checks"),
                );
            let problem = differences(step, &mut command)?;
            step.check(&name, problem)?;
        }
        Ok(())
    }

    /// Compares each package of the older ones, a file that ends so, with the newer of its name.
    fn each(
        &self,
        step: &mut Step<'_>,
        part: &str,
        end: &str,
        mut compare: impl FnMut(&mut Step<'_>, &Path, &Path) -> Result<Option<String>>,
    ) -> Result<()> {
        let newer = ending(&self.new.join(part), end)?;
        let older = ending(&self.old.join(part), end)?;
        if older.is_empty() {
            return Err(Missing(format!("{} has none", self.old.display())).into());
        }
        for old in older {
            let name = package(&old);
            let new = newer.iter().find(|new| package(new) == name);
            let problem = match new {
                Some(new) => compare(step, &old, new)?,
                None => Some("it is gone".to_owned()),
            };
            step.check(&name, problem)?;
        }
        Ok(())
    }
}

/// A project of this crate's, where its tool may leave what it makes and no other project's properties are its own.
fn working_copy(workspace: &Workspace, file: &str) -> Result<PathBuf> {
    let copied = workspace.target.join("xtask").join("api").join(file);
    making::copy(&workspace.root.join("tools/xtask/api").join(file), &copied)?;
    Ok(copied)
}

/// What a tool says that has found something; where it found nothing it succeeds.
fn differences(step: &mut Step<'_>, command: &mut Command) -> Result<Option<String>> {
    let (status, said) = step.execute(command)?;
    Ok((!status.success()).then_some(said))
}

/// The program that compares crates: the user's own, or one that is built in the target folder, which takes minutes.
fn semver_checks(step: &mut Step<'_>) -> Result<PathBuf> {
    if let Some(program) = tools::which("cargo-semver-checks") {
        return Ok(program);
    }
    let folder = step.workspace.target.join("semver-checks");
    let program = folder.join("bin").join(format!(
        "cargo-semver-checks{}",
        std::env::consts::EXE_SUFFIX
    ));
    if !program.is_file() {
        let mut install = step.workspace.cargo();
        install
            .args(["install", "--locked", "--quiet", SEMVER, "--root"])
            .arg(&folder);
        step.run(&mut install)
            .map_err(|error| Missing(format!("{SEMVER} can't be installed: {error:#}")))?;
    }
    Ok(program)
}

fn is_macro(package: &Path) -> Result<bool> {
    let manifest = package.join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).with_context(|| format!("reading {}", manifest.display()))?;
    let manifest: Table = text.parse().context("reading a manifest")?;
    let library = manifest
        .get("lib")
        .and_then(|library| library.get("proc-macro"));
    Ok(library.and_then(Value::as_bool).unwrap_or_default())
}

/// The packages in a folder and those below it, without their sources and pages.
fn ending(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    if folder.is_dir() {
        making::names(folder, "", &mut names)?;
    }
    names.retain(|name| {
        name.ends_with(end) && !name.contains("-sources.") && !name.contains("-javadoc.")
    });
    names.sort();
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}

/// A package by the name of its file, without the version.
fn package(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let begins = |at: usize| {
        let before = name[..at].ends_with(['-', '.']);
        before && name[at..].starts_with(|letter: char| letter.is_ascii_digit())
    };
    let at = name.char_indices().map(|(at, _)| at).find(|at| begins(*at));
    let end = at.map_or(name.len(), |at| at - 1);
    name[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_the_same_in_another_version() {
        for (file, name) in [
            ("rustbridge-ffm-0.1.0.jar", "rustbridge-ffm"),
            (
                "RustBridge.Extensions.Logging.10.2.0.nupkg",
                "RustBridge.Extensions.Logging",
            ),
            ("rustbridge-0.1.0-cp311-abi3-linux_x86_64.whl", "rustbridge"),
            ("none", "none"),
        ] {
            assert_eq!(package(Path::new(file)), name);
        }
    }
}
