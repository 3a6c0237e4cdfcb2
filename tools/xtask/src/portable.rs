//! The libraries for Linux as they ship: linked against the C library of manylinux2014 in place of this machine's, so that
//! they load on every distribution since RHEL 7.
//!
//! Zig has the symbols of every glibc and links by them; cargo-zigbuild hands it what rustc would hand to `cc`. Both come from
//! where Python's tools do, in versions that are written down here, and lie in the target folder.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::library;
use crate::python;
use crate::step::{Missing, Step};
use crate::tools::{asked, find_cc};
use crate::workspace::Workspace;

/// What the libraries are content with.
pub const GLIBC: [u32; 2] = [2, 17];

/// The tag of a wheel with such a library; every pip knows it that runs on a Python which we support.
pub const WHEEL: &str = if cfg!(target_arch = "aarch64") {
    "manylinux_2_17_aarch64"
} else {
    "manylinux_2_17_x86_64"
};

const TRIPLE: &str = if cfg!(target_arch = "aarch64") {
    "aarch64-unknown-linux-gnu"
} else {
    "x86_64-unknown-linux-gnu"
};

const TOOLS: &[&str] = &["cargo-zigbuild==0.24.0", "ziglang==0.17.1"];

/// What a library of ours may name; every distribution has these, and manylinux2014 allows them.
const LIBRARIES: [&str; 8] = [
    "ld-linux-aarch64.so.1",
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
];

/// How much is optimised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// As for users.
    Full,
    /// Hardly anything.
    Little,
}

/// Whether libraries for this system are built so at all.
pub fn is_for_this_system() -> bool {
    cfg!(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))
}

/// Builds packages in release mode with the tools, which are installed unless they are there, and returns the folder of the libraries.
pub fn build(step: &mut Step<'_>, packages: &[&str], effort: Effort) -> Result<PathBuf> {
    let workspace = step.workspace;
    let folder = workspace.target.join("zig");
    python::tools_in(step, &folder, TOOLS)
        .map_err(|error| Missing(format!("{TOOLS:?} can't be installed: {error:#}")))?;
    let (programs, caches) = (folder.join("bin"), folder.join("cache"));
    let before = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(
        [programs.clone()]
            .into_iter()
            .chain(env::split_paths(&before)),
    )?;
    let target = workspace.target.join(match effort {
        Effort::Full => "portable",
        Effort::Little => "portable-quick",
    });
    let flags_of = TRIPLE.replace('-', "_").to_uppercase();
    let unwinder = unwinder(workspace)?;
    let renamed = renamed(workspace);
    for package in packages {
        let mut command = workspace.command(programs.join("cargo-zigbuild"));
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
            command.env_remove(variable);
        }
        command
            // Its word for cargo's `build`; everything else is called as cargo calls it.
            .args(match library::verb(workspace, package) {
                library::PLAIN => &["zigbuild"],
                alone => alone,
            })
            .args(["--locked", "--release", "--package", package])
            .arg(format!("--target={TRIPLE}.{}.{}", GLIBC[0], GLIBC[1]))
            .env("PATH", &path)
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_TARGET_DIR", &target)
            // Otherwise the extension would name the libpython of this machine.
            .env("PYO3_BUILD_EXTENSION_MODULE", "1")
            .env("CARGO_ZIGBUILD_CACHE_DIR", caches.join("zigbuild"))
            .env("ZIG_GLOBAL_CACHE_DIR", caches.join("zig"))
            // Otherwise Zig's own unwinder is linked in. An exception of C++ or the end of a thread by `pthread_exit` comes by
            // the system's, whose data the other one would take for its own. It's this machine's, and the newer C library that it
            // needs itself doesn't matter to a program that is linked against the older one.
            .env(
                format!("CARGO_TARGET_{flags_of}_RUSTFLAGS"),
                format!("-Clink-arg={unwinder} -Clink-arg=-Wl,--allow-shlib-undefined{renamed}"),
            );
        if effort == Effort::Little {
            library::quickly(&mut command);
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        }
        step.run(&mut command)?;
    }
    Ok(target.join(TRIPLE).join("release"))
}

/// Has panics name no folder of whoever built it, so that libraries are the same wherever they're built.
fn renamed(workspace: &Workspace) -> String {
    places(workspace)
        .into_iter()
        .map(|(from, to)| format!(" --remap-path-prefix={from}={to}"))
        .collect()
}

/// The folders that sources are in, and what is said in place of each. Flags have no way to write a blank, so a path with one stays.
pub fn places(workspace: &Workspace) -> Vec<(String, &'static str)> {
    let home = env::var_os("CARGO_HOME").map_or_else(
        || env::home_dir().unwrap_or_default().join(".cargo"),
        PathBuf::from,
    );
    [(home.as_path(), "/cargo"), (&workspace.root, "/rustbridge")]
        .into_iter()
        .filter_map(|(from, to)| Some((from.to_str()?.to_owned(), to)))
        .filter(|(from, _)| !from.contains(char::is_whitespace))
        .collect()
}

/// The unwinder that the machine's C compiler links.
fn unwinder(workspace: &Workspace) -> Result<String> {
    let compiler = find_cc().ok_or_else(|| Missing::tool("C compiler"))?;
    let (_, said, _) = asked(
        workspace
            .command(compiler)
            .arg("-print-file-name=libgcc_s.so.1"),
    )?;
    let file = said.trim();
    // A compiler that doesn't know the file says its bare name.
    if !Path::new(file).is_absolute() {
        return Err(Missing("the C compiler has no libgcc_s.so.1".into()).into());
    }
    Ok(file.to_owned())
}

/// Reports what keeps a library from loading on a system with the oldest supported glibc, by what objdump prints of it.
pub fn findings(step: &mut Step<'_>, file: &Path) -> Result<Vec<String>> {
    let mut command = step.workspace.command("objdump");
    let printed = step.run(
        command
            .args(["--private-headers", "--dynamic-syms"])
            .arg(file),
    )?;
    let mut findings = Vec::new();
    let mut has_unwinder = false;
    for line in printed.lines() {
        if let Some(library) = line.trim().strip_prefix("NEEDED ").map(str::trim) {
            has_unwinder |= library == "libgcc_s.so.1";
            if !LIBRARIES.contains(&library) {
                findings.push(format!("it needs {library}"));
            }
        }
        let Some((flags, symbol)) = line.split_once("*UND*") else {
            continue;
        };
        // `0000000000000000 (GLIBC_2.2.5) malloc`, without a version where nothing had it when the library was linked.
        let words: Vec<&str> = symbol.split_whitespace().skip(1).collect();
        match words[..] {
            [version, name] => {
                let version = version.trim_matches(['(', ')']);
                if is_newer(version) {
                    findings.push(format!("it needs {name} of {version}"));
                }
            }
            // Those of an extension or an addon are in the program that loads it.
            [name]
                if !flags.contains(" w ")
                    && !name.trim_start_matches('_').starts_with("Py")
                    && !name.starts_with("napi_") =>
            {
                findings.push(format!("nothing has {name}"));
            }
            _ => {}
        }
    }
    if !has_unwinder {
        findings.push("it has an unwinder of its own".into());
    }
    Ok(findings)
}

/// Whether `GLIBC_2.34` is newer than the oldest supported one; versions of other libraries aren't.
fn is_newer(version: &str) -> bool {
    let Some(numbers) = version.strip_prefix("GLIBC_") else {
        return false;
    };
    let numbers: Result<Vec<u32>, _> = numbers.split('.').map(str::parse).collect();
    // `GLIBC_PRIVATE` and the like change with each version.
    numbers.map_or(true, |numbers| numbers[..] > GLIBC[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for version in ["GLIBC_2.2.5", "GLIBC_2.17", "GCC_4.2.0"] {
            assert!(!is_newer(version), "{version}");
        }
        for version in ["GLIBC_2.17.1", "GLIBC_2.34", "GLIBC_PRIVATE"] {
            assert!(is_newer(version), "{version}");
        }
    }
}
