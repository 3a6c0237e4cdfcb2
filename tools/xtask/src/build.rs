//! `xtask build`: the libraries and plugins that ship, in release mode, for builds that are not cargo's and for the suites.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::bench::NATIVES;
use crate::files;
use crate::library;
use crate::portable::{self, Effort};
use crate::step::Step;
use crate::workspace::{self, Workspace};

#[derive(Args, Default)]
pub struct Options {
    /// Copy the libraries into this folder as well.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Link them as they ship: on Linux for glibc 2.17 or later.
    #[arg(long)]
    shipped: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "build-release")?;
    let built = if options.shipped {
        let packages = shipped(workspace);
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        as_shipped(&mut step, &packages)
    } else {
        release(&mut step).map(|()| workspace.target.join("release"))
    };
    let place = built.inspect_err(|_| eprint!("{}", step.read_log()))?;
    let libraries = libraries(workspace, &place);
    let folder = match &options.into {
        Some(folder) => {
            for library in &libraries {
                copy(library, folder)?;
            }
            folder.clone()
        }
        None => place,
    };
    println!("{} libraries in {}", libraries.len(), folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Builds packages as they ship from this system, and returns the folder of their libraries.
pub fn as_shipped(step: &mut Step<'_>, packages: &[&str]) -> Result<PathBuf> {
    linked(step, packages, Effort::Full)
}

/// Builds packages linked as they ship, but hardly optimised, and returns the folder of their libraries: for tests of what is in
/// packages. Link-time optimisation takes most of the time of a release build.
pub fn linked_as_shipped(step: &mut Step<'_>, packages: &[&str]) -> Result<PathBuf> {
    linked(step, packages, Effort::Little)
}

fn linked(step: &mut Step<'_>, packages: &[&str], effort: Effort) -> Result<PathBuf> {
    if portable::is_for_this_system() {
        return portable::build(step, packages, effort);
    }
    for name in packages {
        library::build(step, name)?;
    }
    Ok(step.workspace.target.join("release"))
}

/// What ships, what shows authors a plugin and what is measured is built as users build it. One command per library, because
/// cargo would otherwise build the author's side once with the features of all plugins together, and a plugin would ship
/// what its neighbour asked for. The plugins of the tests, most of what there is, are built quickly.
pub fn release(step: &mut Step<'_>) -> Result<()> {
    for name in NATIVES {
        library::build(step, name)?;
    }
    let mut others = shipped(step.workspace);
    others.retain(|name| !NATIVES.contains(&name.as_str()));
    let mut command = step.workspace.cargo();
    library::quickly(command.args(["build", "--locked", "--release"]));
    step.run(named(&mut command, &others)).map(drop)
}

/// Names the packages that a command of cargo's is about.
pub fn named<'c>(command: &'c mut Command, packages: &[String]) -> &'c mut Command {
    for package in packages {
        command.args(["--package", package]);
    }
    command
}

/// The packages that make a C library, host side first.
pub fn shipped(workspace: &Workspace) -> Vec<String> {
    let packages = &workspace.metadata().packages;
    let mut packages: Vec<String> = packages
        .iter()
        .filter(|package| package.targets.iter().any(|target| target.is("cdylib")))
        // A project with hosts of its own, which `rustbridge build` builds for them and nobody else loads.
        .filter(|package| !package.has_metadata("rustbridge"))
        .map(|package| package.name.clone())
        // It is built by pip, for the interpreter that will load it.
        .filter(|name| name != "rustbridge-pyext")
        .collect();
    packages.sort_by_key(|name| (name != "rustbridge-capi", name.clone()));
    packages
}

/// The files of the C libraries.
fn libraries(workspace: &Workspace, folder: &Path) -> Vec<PathBuf> {
    let shipped = shipped(workspace);
    let packages = workspace.metadata().packages.iter();
    packages
        .filter(|package| shipped.contains(&package.name.clone()))
        .flat_map(|package| &package.targets)
        .filter(|target| target.is("cdylib"))
        .map(|target| folder.join(workspace::file_of_cdylib(&target.name)))
        .collect()
}

/// Replaces a file as a whole, unless it's the same already, because a running program may have mapped it.
fn copy(library: &Path, folder: &Path) -> Result<()> {
    let to = folder.join(files::name(library));
    let bytes = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
    if fs::read(&to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let fresh = to.with_extension("new");
    files::write(&fresh, bytes)?;
    fs::rename(&fresh, &to).with_context(|| format!("writing {}", to.display()))
}
