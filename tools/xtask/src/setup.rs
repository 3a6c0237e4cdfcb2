//! Installs packages of the system. Never unasked.

use std::fs;

use anyhow::{Result, bail};

use crate::step::{Missing, Step};
use crate::tools::asked;

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
