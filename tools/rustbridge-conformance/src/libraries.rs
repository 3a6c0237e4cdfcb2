//! The plugins' library files, for tests.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::system;

/// Environment variable that names a folder with the libraries, already built: nothing is built then.
pub const PLUGIN_DIR: &str = "RUSTBRIDGE_PLUGIN_DIR";

/// What this process has asked for before. Right with several tests at once because a package is built under the lock.
static FOUND: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The library of a package of this workspace, e.g. `hello-plugin`.
///
/// It is taken from the folder in [`PLUGIN_DIR`] if that is set; otherwise cargo builds it, in the profile of the test
/// that asks, each package by itself, so that a plugin has the features it has for its users. For another system nothing
/// is built here.
///
/// # Panics
/// If it isn't there or doesn't build: a test has nothing to go on with then.
#[must_use]
pub fn path(package: &str) -> PathBuf {
    if let Some(folder) = env::var_os(PLUGIN_DIR) {
        let path = Path::new(&folder).join(file_name(package));
        assert!(
            path.is_file(),
            "{PLUGIN_DIR} is set, but there's no {}; build it or unset the variable",
            path.display()
        );
        return path;
    }
    assert!(
        system::cross().is_none(),
        "{} is set: set {PLUGIN_DIR} to the folder of the libraries for that system",
        system::TARGET
    );
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found
        .entry(package.to_owned())
        .or_insert_with(|| build(package))
        .clone()
}

/// The name of a package's library file on this system, e.g. `libhello_plugin.so`.
#[must_use]
pub fn file_name(package: &str) -> String {
    system::shared_name(&package.replace('-', "_"))
}

fn build(package: &str) -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "build",
            "--quiet",
            "--message-format=json",
            "--package",
            package,
        ])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = child_process::output(&mut command, child_process::BUILD);
    assert!(
        output.status.success(),
        "cargo couldn't build {package}:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // The last line about the package is the library's; cargo says where the files are, whatever the target folder.
    let wanted = file_name(package);
    output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter_map(|message| {
            message["filenames"]
                .as_array()?
                .iter()
                .filter_map(|name| name.as_str().map(PathBuf::from))
                .find(|path| path.file_name().is_some_and(|name| *name == *wanted))
        })
        .next_back()
        .unwrap_or_else(|| panic!("cargo built {package}, but no {wanted}; is it a cdylib?"))
}
