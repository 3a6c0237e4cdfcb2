//! Generates what a C user sees of rustbridge: the two headers, the pkg-config file and the CMake package.
//!
//! The headers are the contract, so they are committed; `cargo xtask regen` calls [`generate`] and writes them, and a
//! test fails when what is committed differs. The prose at the top of each is written by hand, in `text/`; everything
//! below it is the documentation of the Rust items, so it's written once.

mod header;
mod package;
mod prose;

use std::path::{Path, PathBuf};

pub use package::package;

/// The folder of the workspace's `Cargo.toml`.
#[must_use]
pub fn workspace_root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Both headers: where each belongs, relative to the workspace's root, and its text.
///
/// # Panics
/// When cbindgen can't read the sources, which means that they don't compile either.
#[must_use]
pub fn generate() -> Vec<(PathBuf, String)> {
    headers(false)
}

/// The headers of a version to come, in which every struct that may grow has one field more. For the tests of how versions
/// get on with each other.
///
/// # Panics
/// As [`generate`].
#[must_use]
pub fn generate_grown() -> Vec<(PathBuf, String)> {
    headers(true)
}

fn headers(grown: bool) -> Vec<(PathBuf, String)> {
    [header::PLUGIN, header::HOST]
        .into_iter()
        .map(|header| {
            let path = Path::new("include").join(header.file_name);
            (path, header.text(grown))
        })
        .collect()
}
