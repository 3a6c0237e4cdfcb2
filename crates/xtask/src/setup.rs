//! Installs tools: those of `doctor` that are missing, and the packages that suites name themselves. Never unasked.

use std::fs;

use anyhow::{Result, bail};

use crate::doctor;
use crate::step::{Missing, Step};
use crate::tools::asked;
use crate::workspace::Workspace;

/// Installs what `doctor` misses, as far as Debian's packages and rustup have it; what they don't stays missing, and the
/// suites that need it say so.
pub fn run(workspace: &Workspace) -> Result<()> {
    let mut step = Step::start(workspace, "setup")?;
    for (name, source) in doctor::missing(workspace) {
        println!("setup: {name}");
        let installed = match source {
            doctor::Source::Debian(packages) => packages_of_debian(&mut step, &packages),
            doctor::Source::Rustup(arguments) => {
                let mut command = workspace.command("rustup");
                step.run(command.args(arguments)).map(drop)
            }
            doctor::Source::Elsewhere => {
                Err(Missing("`cargo xtask doctor` says how to get it".into()).into())
            }
        };
        if let Err(error) = installed {
            println!("setup: {name} can't be installed from here: {error:#}");
        }
    }
    Ok(())
}

/// Installs packages of Debian's.
///
/// # Errors
/// [`Missing`] where nobody asked for it, on other systems, and without the rights.
pub fn packages_of_debian<P: AsRef<str>>(step: &mut Step<'_>, packages: &[P]) -> Result<()> {
    let list: Vec<&str> = packages.iter().map(AsRef::as_ref).collect();
    let shown = list.join(" ");
    if !step.workspace.installs {
        return Err(Missing(format!(
            "{shown} isn't installed; `cargo xtask test --setup` installs it"
        ))
        .into());
    }
    let debian = fs::read_to_string("/etc/os-release")
        .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
    if !debian {
        return Err(Missing(format!("{shown}: packages are installed on Debian only")).into());
    }
    if !is_root(step) {
        return Err(Missing(format!(
            "packages are missing: run `sudo apt-get install --no-install-recommends {shown}`"
        ))
        .into());
    }
    let apt = |step: &mut Step<'_>, arguments: &[&str]| {
        let mut command = step.workspace.command("apt-get");
        command
            .args(["--yes", "-o", "DPkg::Lock::Timeout=600"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive");
        step.run(&mut command)
    };
    let install = [&["install", "--no-install-recommends"], &list[..]].concat();
    // The first time fails where the lists of packages are old or were never fetched.
    let installed =
        apt(step, &install).or_else(|_| apt(step, &["update"]).and_then(|_| apt(step, &install)));
    if let Err(error) = installed {
        bail!(Missing(format!("{shown} can't be installed: {error:#}")));
    }
    Ok(())
}

fn is_root(step: &Step<'_>) -> bool {
    asked(step.workspace.command("id").arg("-u")).is_ok_and(|(_, said, _)| said.trim() == "0")
}
