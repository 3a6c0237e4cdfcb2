//! The peers' folders in the repository, and the folders of their builds.

use std::path::PathBuf;

pub const FOLDER: &str = "benches/peers";
pub const PYTHON_FOLDER: &str = "benches/peers/python";
/// Of BoltFFI alone: UniFFI has no C# of its own.
pub const CSHARP_FOLDER: &str = "benches/peers/boltffi/csharp";
/// The name of that project.
pub const CSHARP_PROGRAM: &str = "Peers.Benchmarks";

/// The folders of one peer's build, from which Python imports and the JVM loads.
pub struct Place {
    /// Of this peer in this language.
    pub folder: PathBuf,
    /// Of all peers.
    pub all: PathBuf,
}

impl Place {
    /// One for all peers: they have much in common, and cargo separates builds with other features.
    pub fn cargo_target(&self) -> PathBuf {
        self.all.join("cargo")
    }

    /// The environment of the peers alone: the predecessor's package is called like ours.
    pub fn python(&self) -> PathBuf {
        let venv = self.all.join("venv");
        if cfg!(windows) {
            venv.join("Scripts").join("python.exe")
        } else {
            venv.join("bin").join("python")
        }
    }
}
