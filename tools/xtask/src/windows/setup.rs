//! What a machine needs to build for Windows, installed or built once.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::cross::{Cross, TARGET};
use crate::setup::packages_of_debian;
use crate::step::Step;
use crate::tools::{asked, which};

/// The linker and the C and C++ compilers for Windows, and Wine.
const TOOLS: &[&str] = &[
    "gcc-mingw-w64-x86-64-posix",
    "g++-mingw-w64-x86-64-posix",
    "wine64",
];

/// The toolchain whose standard library can be built here: its sources are a package, too.
const RUST: &[&str] = &["rustc-web", "cargo-web", "rust-web-src"];

/// What the standard library's build is, besides the compiler: changed, it's built anew.
const STD: &str = "std,panic_unwind,panic_abort,proc_macro,test";

pub fn suite(step: &mut Step<'_>) -> Result<()> {
    let cross = found(step)?;
    run(step, &cross, &mut |_| ())
}

/// Lets rustup add the standard library for Windows to the toolchain if it can, and then looks what there is. Where it can't, the
/// standard library is built by another toolchain, below.
///
/// # Errors
/// [`crate::step::Unavailable`] on a machine that isn't a Debian for x86-64.
pub fn found<'w>(step: &mut Step<'w>) -> Result<Cross<'w>> {
    let cross = Cross::find(step.workspace)?;
    if cross.sysroot().is_none() || !step.workspace.installs || which("rustup").is_none() {
        return Ok(cross);
    }
    let mut add = step.workspace.command("rustup");
    step.outcome(add.args(["target", "add", TARGET]))?;
    Cross::find(step.workspace)
}

/// Does what isn't done yet. `say` gets a line for each thing, before it is done.
pub fn run(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut dyn FnMut(&str)) -> Result<()> {
    let mut say = |step: &mut Step<'_>, line: &str| -> Result<()> {
        say(line);
        step.note(line)
    };
    packages(step, cross, &mut say)?;
    standard_library(step, cross, &mut say)?;
    wine(step, cross, &mut say)?;
    fs::write(cross.stamp(), "").context("writing that it's set up")?;
    say(step, &format!("set up in {}", cross.folder().display()))
}

type Say<'s> = dyn FnMut(&mut Step<'_>, &str) -> Result<()> + 's;

fn packages(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut Say<'_>) -> Result<()> {
    let rust = if cross.sysroot().is_some() { RUST } else { &[] };
    let missing: Vec<&str> = TOOLS
        .iter()
        .chain(rust)
        .copied()
        .filter(|package| !is_installed(step, package))
        .collect();
    if missing.is_empty() {
        return say(step, "packages: all there");
    }
    if step.workspace.installs {
        say(step, &format!("packages: installing {}", missing.join(" ")))?;
    }
    packages_of_debian(step, &missing)
}

fn is_installed(step: &Step<'_>, package: &str) -> bool {
    let mut command = step.workspace.command("dpkg-query");
    command.args(["--show", "--showformat=${db:Status-Status}", package]);
    asked(&mut command).is_ok_and(|(_, said, _)| said == "installed")
}

/// Builds the standard library into a sysroot of its own, so that nothing of the system's is touched and every profile
/// uses the one build.
fn standard_library(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut Say<'_>) -> Result<()> {
    let Some(sysroot) = cross.sysroot() else {
        return say(step, "standard library: the toolchain's own");
    };
    let version = step.run(step.workspace.command("/usr/bin/rustc").arg("-vV"))?;
    let wanted = format!("{STD}\n{version}");
    let stamp = sysroot.join("built-by");
    if fs::read_to_string(&stamp).is_ok_and(|built| built == wanted) {
        return say(step, "standard library: built already");
    }
    say(step, "standard library: building it, about a minute")?;
    let project = cross.folder().join("std");
    let _ = fs::remove_dir_all(&project);
    let _ = fs::remove_dir_all(sysroot);
    fs::create_dir_all(project.join("src")).context("making a package")?;
    fs::write(
        project.join("Cargo.toml"),
        "[package]\nname = \"only-std\"\nedition = \"2024\"\n[workspace]\n",
    )?;
    fs::write(project.join("src/lib.rs"), "#![no_std]\n")?;
    let built = project.join("target");
    let mut command = cross.plain_cargo();
    command
        .current_dir(&project)
        .args(["build", "--release", "--target", TARGET])
        .arg(format!("-Zbuild-std={STD}"))
        // The compiler is a stable one; the flag is needed for the standard library alone.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &built)
        // For release builds, which optimise across libraries.
        .env(
            "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS",
            "-Cembed-bitcode=yes",
        );
    step.run(&mut command)?;
    let place = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&place).context("making the sysroot")?;
    for entry in fs::read_dir(built.join(TARGET).join("release/deps"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with("libonly_std") {
            fs::copy(&path, place.join(&*name)).context("filling the sysroot")?;
        }
    }
    fs::remove_dir_all(&project).context("removing the build of the standard library")?;
    fs::write(stamp, wanted).context("writing the stamp of the build")
}

fn wine(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut Say<'_>) -> Result<()> {
    let prefix = cross.prefix();
    let version = step.run(cross.wine().arg("--version"))?;
    let version = version.lines().last().unwrap_or_default().trim();
    let stamp = prefix.join("made-by");
    if fs::read_to_string(&stamp).is_ok_and(|made| made == version) {
        say(step, &format!("{version}: its folder is there"))?;
    } else {
        say(step, &format!("{version}: preparing its folder"))?;
        let _ = fs::remove_dir_all(&prefix);
        // Wine makes its folder, but not those that it lies in.
        fs::create_dir_all(&prefix).with_context(|| format!("making {}", prefix.display()))?;
        step.run(cross.wine().args(["wineboot", "--init"]))?;
        fs::write(&stamp, version).context("writing the stamp of the folder")?;
    }
    bcryptprimitives(step, cross, &prefix.join("drive_c/windows/system32"))
}

/// See the source, `tools/xtask/windows/bcryptprimitives.c`.
fn bcryptprimitives(step: &mut Step<'_>, cross: &Cross<'_>, system32: &Path) -> Result<()> {
    const NAME: &str = "bcryptprimitives.dll";
    let library = cross.folder().join(NAME);
    let mut command = step.workspace.command("x86_64-w64-mingw32-gcc");
    command
        .args(["-shared", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&library)
        .arg("tools/xtask/windows/bcryptprimitives.c")
        .arg("-ladvapi32");
    step.run(&mut command)?;
    let bytes = fs::read(&library)?;
    let place = system32.join(NAME);
    // A later Wine has its own.
    if place.is_file() && !cross.folder().join("bcryptprimitives-is-ours").is_file() {
        return step.note("Wine has bcryptprimitives.dll");
    }
    fs::write(cross.folder().join("bcryptprimitives-is-ours"), "")?;
    if fs::read(&place).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    fs::write(&place, bytes).with_context(|| format!("writing {}", place.display()))
}
