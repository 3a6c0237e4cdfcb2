//! Where the peers are in the repository, and where what is built of them goes.

use std::path::PathBuf;

pub const FOLDER: &str = "benches/peers";
pub const PYTHON_FOLDER: &str = "benches/peers/python";
/// Of BoltFFI alone: UniFFI has no C# of its own.
pub const CSHARP_FOLDER: &str = "benches/peers/boltffi/csharp";
/// What the project in there is called.
pub const CSHARP_PROGRAM: &str = "Peers.Benchmarks";

/// Where one peer's files go. What is in there is what Python imports and the JVM loads.
pub struct Place {
    /// Of this peer in this language.
    pub folder: PathBuf,
    /// Of all peers.
    pub all: PathBuf,
}

impl Place {
    /// One for all peers: they have much in common, and cargo keeps what has other features apart.
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
