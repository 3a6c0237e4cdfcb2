//! The system that the tests are about: the one they run on, or another whose programs a runner starts here.
//!
//! Hosts that are programs of their own, as those in C, can be built for Windows on Linux and run under Wine, while the
//! test that feeds and judges them stays where it is. [`TARGET`] and [`RUNNER`] say so, set by `cargo xtask windows`; the
//! libraries are then those in [`PLUGIN_DIR`](crate::libraries::PLUGIN_DIR).

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Environment variable with the target triple that hosts are built for, when it isn't this system's.
pub const TARGET: &str = "RUSTBRIDGE_CROSS_TARGET";

/// Environment variable with the program that runs what is built for [`TARGET`].
pub const RUNNER: &str = "RUSTBRIDGE_CROSS_RUNNER";

/// Another system's target and what runs its programs here.
#[derive(Debug)]
pub struct Cross {
    /// The target triple.
    pub target: String,
    /// What runs its programs.
    pub runner: PathBuf,
}

/// The other system, if the tests are about one.
///
/// # Panics
/// If only one of the two variables is set, or the target is no Windows: nothing else has a runner.
pub fn cross() -> Option<&'static Cross> {
    // The environment of a process, which no test changes.
    static CROSS: OnceLock<Option<Cross>> = OnceLock::new();
    CROSS
        .get_or_init(|| {
            let target = env::var(TARGET).ok()?;
            assert!(
                target.contains("windows"),
                "{TARGET} is {target}, but only Windows is run under something else"
            );
            let runner = env::var_os(RUNNER)
                .unwrap_or_else(|| panic!("{TARGET} is set: set {RUNNER} too"))
                .into();
            Some(Cross { target, runner })
        })
        .as_ref()
}

/// Whether the tests are about Windows.
#[must_use]
pub fn is_windows() -> bool {
    cfg!(windows) || cross().is_some()
}

/// The file name of a shared library.
#[must_use]
pub fn shared_name(name: &str) -> String {
    if is_windows() {
        format!("{name}.dll")
    } else {
        format!(
            "{}{name}{}",
            env::consts::DLL_PREFIX,
            env::consts::DLL_SUFFIX
        )
    }
}

/// The file name of a program.
#[must_use]
pub fn program_name(name: &str) -> String {
    if is_windows() {
        format!("{name}.exe")
    } else {
        name.to_owned()
    }
}

/// A command that runs a program, which finds the shared libraries in `libraries`.
///
/// # Panics
/// If the folder's name has the character that separates folders on the path.
pub fn command(program: &Path, libraries: &Path) -> Command {
    let Some(cross) = cross() else {
        let mut command = Command::new(program);
        if cfg!(windows) {
            let mut path = vec![libraries.to_owned()];
            path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
            command.env("PATH", env::join_paths(path).expect("no separator"));
        }
        return command;
    };
    let mut command = Command::new(&cross.runner);
    command.arg(program).env("WINEPATH", argument(libraries));
    command
}

/// A path as such a program knows it: Wine shows the whole file system as drive Z.
#[must_use]
pub fn argument(path: &Path) -> OsString {
    match path.to_str() {
        Some(text) if cross().is_some() && path.is_absolute() => {
            OsStr::new(&format!("Z:{}", text.replace('/', "\\"))).to_owned()
        }
        _ => path.into(),
    }
}
