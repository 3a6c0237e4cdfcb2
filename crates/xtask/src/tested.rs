//! The workspace as its tests are built, and what suites run of it.
//!
//! Cargo builds a dependency once for each set of features that's asked of it, and which that is depends on the packages that a
//! command names and on whether it's about tests. Commands about a package each would build a good part of everything anew; so all
//! that suites use of the development build comes from commands about the whole workspace and its tests.

use std::collections::BTreeSet;
use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use cargo_metadata::{Message, TargetKind};

use crate::counts;
use crate::step::Step;
use crate::workspace::Workspace;

/// A test program of the workspace.
pub struct Program {
    package: String,
    /// What its target is called: a file of `tests`, or the package.
    pub name: String,
    path: PathBuf,
    manifest: PathBuf,
    /// It's linked with the standard library as the compiler is, since it tests what the compiler loads.
    is_of_compiler: bool,
}

/// Builds them all, unless that's done, and gives those of the packages that are wanted.
pub fn programs(step: &mut Step<'_>, wanted: impl Fn(&str) -> bool) -> Result<Vec<Program>> {
    let workspace = step.workspace;
    let build = || {
        let mut command = workspace.cargo();
        command.args(["test", "--locked", "--workspace", "--no-run"]);
        command
    };
    step.run(&mut build())?;
    // What it says then is for us alone.
    let mut listing = build();
    listing.arg("--message-format=json-render-diagnostics");
    let listed = child_process::output(&mut listing, child_process::BUILD);
    ensure!(
        listed.status.success(),
        "cargo can't list what it has built"
    );
    let metadata = workspace.metadata();
    let mut programs = Vec::new();
    for message in Message::parse_stream(&listed.stdout[..]) {
        let Message::CompilerArtifact(artifact) = message.context("reading what cargo says")?
        else {
            continue;
        };
        let Some(path) = artifact.executable.filter(|_| artifact.profile.test) else {
            continue;
        };
        let package = &metadata[&artifact.package_id];
        let is_example = artifact.target.kind.contains(&TargetKind::Example);
        if is_example || !wanted(&package.name) {
            continue;
        }
        programs.push(Program {
            package: package.name.to_string(),
            is_of_compiler: artifact.target.kind.contains(&TargetKind::ProcMacro),
            name: artifact.target.name,
            path: path.into(),
            manifest: package.manifest_path.clone().into(),
        });
    }
    // Whatever got between the lines of cargo's, no test may be left out unseen.
    let there: BTreeSet<(&str, &str)> = programs
        .iter()
        .map(|program| (program.package.as_str(), program.name.as_str()))
        .collect();
    let missing: Vec<String> = metadata
        .workspace_packages()
        .iter()
        .filter(|package| wanted(&package.name))
        .flat_map(|package| package.targets.iter().map(move |target| (package, target)))
        .filter(|(_, target)| target.test && !target.is_bench() && !target.is_example())
        .filter(|(package, target)| !there.contains(&(package.name.as_str(), target.name.as_str())))
        .map(|(package, target)| format!("{} of {}", target.name, package.name))
        .collect();
    ensure!(
        missing.is_empty(),
        "cargo said nothing of the tests {}",
        missing.join(", ")
    );
    programs.sort_by(|one, other| (&one.package, &one.name).cmp(&(&other.package, &other.name)));
    Ok(programs)
}

impl Program {
    /// The command that cargo would start.
    fn command(&self, workspace: &Workspace) -> Command {
        let mut command = workspace.command(&self.path);
        let folder = self.manifest.parent().unwrap_or(&self.manifest);
        command
            .current_dir(folder)
            .env("CARGO", workspace.cargo().get_program())
            .env("CARGO_MANIFEST_DIR", folder)
            .env("CARGO_PKG_NAME", &self.package);
        command
    }
}

/// Runs test programs one after the other.
pub fn run(
    step: &mut Step<'_>,
    programs: &[Program],
    prepare: impl Fn(&mut Command),
) -> Result<()> {
    let workspace = step.workspace;
    let mut asked = workspace.command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let standard = step.run(asked.args(["--print", "target-libdir"]))?;
    let variable = match env::consts::OS {
        "windows" => "PATH",
        "macos" => "DYLD_FALLBACK_LIBRARY_PATH",
        _ => "LD_LIBRARY_PATH",
    };
    let before = env::var_os(variable).unwrap_or_default();
    let places = [PathBuf::from(standard.trim())]
        .into_iter()
        .chain(env::split_paths(&before));
    let path = env::join_paths(places).context("making the path of libraries")?;
    let commands = programs.iter().map(|program| {
        let mut command = program.command(workspace);
        if program.is_of_compiler {
            command.env(variable, &path);
        }
        prepare(&mut command);
        command
    });
    step.test_each(commands, counts::cargo_test)
}

/// Builds programs of the workspace, unless that's done, and gives the folder that they are in.
pub fn binaries(step: &mut Step<'_>, names: &[&str]) -> Result<PathBuf> {
    let mut command = step.workspace.cargo();
    // An example is built with the features that tests ask for, and so is all else then.
    command.args(["build", "--locked", "--workspace", "--example"]);
    command.arg("tiny_plugin");
    for name in names {
        command.args(["--bin", name]);
    }
    step.run(&mut command)?;
    Ok(step.workspace.target.join("debug"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Whether a file below `folder` has a line for which `is_so` holds.
    fn has_line(folder: &Path, is_so: fn(&str) -> bool) -> bool {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| {
            if path.is_dir() {
                return has_line(&path, is_so);
            }
            fs::read_to_string(&path).is_ok_and(|text| text.lines().map(str::trim).any(is_so))
        })
    }

    #[test]
    fn a_library_whose_tests_are_not_built_has_none() {
        let workspace = Workspace::find().expect("the workspace is there");
        let (mut without, mut wrong) = (0, Vec::new());
        for package in workspace.metadata().workspace_packages() {
            let library = package.targets.iter().find(|target| {
                target.kind.contains(&TargetKind::Lib) || target.kind.contains(&TargetKind::CDyLib)
            });
            let Some(library) = library else { continue };
            let folder = library.src_path.parent().expect("a file has a folder");
            let folder = folder.as_std_path();
            without += usize::from(!library.test) + usize::from(!library.doctest);
            if !library.test && has_line(folder, |line| line.contains("#[test]")) {
                wrong.push(format!(
                    "{} has tests: leave out `test = false`",
                    package.name
                ));
            }
            let is_example =
                |line: &str| line.starts_with("/// ```") || line.starts_with("//! ```");
            if !library.doctest && has_line(folder, is_example) {
                wrong.push(format!(
                    "{} has examples: leave out `doctest = false`",
                    package.name
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(without > 0, "no library says that it has no tests");
    }
}
