//! `xtask build`: the libraries and plugins that ship, in release mode, for builds that are not cargo's and for the suites.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::portable::{self, Portable};
use crate::step::Step;
use crate::workspace::{self, Workspace};

#[derive(Args, Default)]
pub struct Options {
    /// Copy the libraries into this folder as well, so that its reader need not know where cargo builds.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Link them as they ship: on Linux content with glibc 2.17.
    #[arg(long)]
    shipped: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "build")?;
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

/// Builds packages as they ship from this system, and gives the folder of their libraries.
pub fn as_shipped(step: &mut Step<'_>, packages: &[&str]) -> Result<PathBuf> {
    if Portable::is_for_this_system() {
        let portable = Portable::ready(step)?;
        for package in packages {
            portable.build(step, package)?;
        }
        return Ok(portable::folder(step.workspace));
    }
    for name in packages {
        package(step, name)?;
    }
    Ok(step.workspace.target.join("release"))
}

/// One command per library, because cargo would otherwise build the author's side once with the features of all
/// plugins together, and a plugin would ship what its neighbour asked for.
pub fn release(step: &mut Step<'_>) -> Result<()> {
    for name in shipped(step.workspace) {
        package(step, &name)?;
    }
    Ok(())
}

/// One of them.
pub fn package(step: &mut Step<'_>, name: &str) -> Result<()> {
    let mut command = step.workspace.cargo();
    step.run(command.args(["build", "--locked", "--release", "--package", name]))?;
    Ok(())
}

/// The packages that make a C library, host side first.
pub fn shipped(workspace: &Workspace) -> Vec<String> {
    let metadata = workspace.metadata();
    let mut packages: Vec<String> = metadata
        .workspace_packages()
        .iter()
        .filter(|package| package.targets.iter().any(|target| target.is_cdylib()))
        .map(|package| package.name.to_string())
        // It is built by pip, for the interpreter that will load it.
        .filter(|name| name != "rustbridge-pyext")
        .collect();
    packages.sort_by_key(|name| (name != "rustbridge-capi", name.clone()));
    packages
}

/// What `release` builds: the C libraries themselves.
fn libraries(workspace: &Workspace, folder: &Path) -> Vec<PathBuf> {
    let packages = workspace.metadata().workspace_packages();
    let built = shipped(workspace);
    packages
        .iter()
        .filter(|package| built.contains(&package.name.to_string()))
        .flat_map(|package| &package.targets)
        .filter(|target| target.is_cdylib())
        .map(|target| folder.join(workspace::file_of_cdylib(&target.name)))
        .collect()
}

/// Leaves a file alone that is the same already; one that is not is replaced as a whole, because a running program may
/// have mapped it.
fn copy(library: &Path, folder: &Path) -> Result<()> {
    let name = library.file_name().context("a library has a name")?;
    let to = folder.join(name);
    let bytes = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
    if fs::read(&to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let beside = to.with_extension("new");
    fs::write(&beside, bytes).with_context(|| format!("writing {}", beside.display()))?;
    fs::rename(&beside, &to).with_context(|| format!("writing {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_copied_once_and_again_when_it_has_changed() {
        let workspace = Workspace::find().expect("the workspace is there");
        let folder = workspace.target.join("xtask").join("self-test-build");
        let _ = fs::remove_dir_all(&folder);
        let library = folder.join("from").join("libx.so");
        fs::create_dir_all(folder.join("from")).expect("a folder can be made");
        for content in ["one", "two"] {
            fs::write(&library, content).expect("a file can be written");
            let to = folder.join("to");
            copy(&library, &to).expect("it can be copied");
            let copied = to.join("libx.so");
            assert_eq!(fs::read(&copied).expect("it is there"), content.as_bytes());
            let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
            let before = time(&copied).expect("it is there");
            copy(&library, &to).expect("it can be copied");
            assert_eq!(time(&copied).expect("it is there"), before);
        }
    }
}
