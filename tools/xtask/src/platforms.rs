//! The names of systems in each language, and the libraries of other systems.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files;

/// What a language calls a system that Rust calls `<os>-<arch>`, as far as it has other words.
pub struct Words(&'static [(&'static str, &'static str)]);

pub const DOTNET: Words = Words(&[
    ("windows", "win"),
    ("macos", "osx"),
    ("x86_64", "x64"),
    ("aarch64", "arm64"),
]);

pub const NODE: Words = Words(&[
    ("windows", "win32"),
    ("macos", "darwin"),
    ("x86_64", "x64"),
    ("aarch64", "arm64"),
]);

pub const GO: Words = Words(&[
    ("macos", "darwin"),
    ("x86_64", "amd64"),
    ("aarch64", "arm64"),
]);

impl Words {
    pub fn name(&self, system: &str) -> String {
        let word = |part: &str| {
            let known = self.0.iter().find(|(ours, _)| *ours == part);
            known.map_or(part, |(_, theirs)| theirs).to_owned()
        };
        system.split('-').map(word).collect::<Vec<_>>().join("-")
    }

    /// The name of this system.
    pub fn here(&self) -> String {
        self.name(&here())
    }
}

/// This system in Rust's words.
pub fn here() -> String {
    let libc = if cfg!(target_env = "musl") {
        "-musl"
    } else {
        ""
    };
    format!("{OS}{libc}-{ARCH}")
}

/// Returns the file of a C library for each system: that of this system in the folder of cargo's builds, and those in the folders
/// `<os>-<arch>` below another one.
pub fn each(library: &str, natives: &Path, more: Option<&Path>) -> Result<Vec<(String, PathBuf)>> {
    let library = library.replace('-', "_");
    let mut found = vec![(here(), file_in(natives, &library))];
    let folders = more.map(files::entries).transpose()?.unwrap_or_default();
    for folder in folders {
        let system = files::name(&folder);
        let names = [
            format!("lib{library}.so"),
            format!("lib{library}.dylib"),
            format!("{library}.dll"),
        ];
        let file = names
            .map(|name| folder.join(name))
            .into_iter()
            .find(|file| file.is_file());
        if let Some(file) = file.filter(|_| system != found[0].0) {
            found.push((system, file));
        }
    }
    Ok(found)
}

/// A library's file in a folder, by its name on this system.
pub fn file_in(folder: &Path, library: &str) -> PathBuf {
    folder.join(crate::workspace::file_of_cdylib(library))
}
