//! Where the libraries that are measured lie, and loading a plugin of them.

use std::path::PathBuf;

use rustbridge_core::{Load, Plugin};

/// Folder with the release builds of the plugins and the floor.
fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("RUSTBRIDGE_PLUGIN_DIR") {
        return folder.into();
    }
    // target/release/deps/<this program> → target/release
    let program = std::env::current_exe().expect("this program has a path");
    let folder = program.ancestors().nth(2);
    folder
        .expect("a benchmark runs from target/release/deps")
        .to_owned()
}

/// Path of a library by its crate's name, e.g. `hello_plugin`.
///
/// # Panics
/// When it hasn't been built; the message names the command that does.
pub fn library(name: &str) -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = folder().join(format!("{prefix}{name}{suffix}"));
    assert!(
        path.is_file(),
        "{} is missing: build it with `cargo build --release -p {}`",
        path.display(),
        name.replace('_', "-")
    );
    path
}

/// Loads a plugin with the least configuration that it accepts.
///
/// # Panics
/// When it can't be loaded.
pub fn plugin(name: &str) -> Plugin {
    let config = match name {
        "conformance_plugin" => r#"{"label":"bench"}"#,
        _ => "{}",
    };
    Load::path(library(name))
        .config(config)
        .open()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}
