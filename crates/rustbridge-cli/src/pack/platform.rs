//! The systems that packages have libraries for, and how each package manager names them.

use crate::problem::Problem;

/// An operating system, as far as libraries for it differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    Musl,
    MacOs,
    Windows,
}

/// A system and its processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Platform {
    pub system: System,
    /// Whether it's 64-bit ARM, and not x86-64.
    pub arm: bool,
}

impl Platform {
    /// Reads a target of Rust's.
    pub(crate) fn of(triple: &str) -> Result<Platform, Problem> {
        let unknown = || {
            Problem::new(format_args!(
                "no package has a library for `{triple}`: rustbridge ships for Linux, macOS and Windows on x86-64 and 64-bit ARM"
            ))
        };
        let (machine, rest) = triple.split_once('-').ok_or_else(unknown)?;
        let arm = match machine {
            "x86_64" => false,
            "aarch64" => true,
            _ => return Err(unknown()),
        };
        let system = match rest {
            "unknown-linux-gnu" => System::Linux,
            "unknown-linux-musl" => System::Musl,
            "apple-darwin" => System::MacOs,
            "pc-windows-gnu" | "pc-windows-gnullvm" | "pc-windows-msvc" => System::Windows,
            _ => return Err(unknown()),
        };
        Ok(Platform { system, arm })
    }

    fn machine(self, x86: &'static str, arm: &'static str) -> &'static str {
        if self.arm { arm } else { x86 }
    }

    /// The folder in a jar. A JVM doesn't report which C library it uses.
    pub(crate) fn jar(self) -> String {
        let system = match self.system {
            System::Linux | System::Musl => "linux",
            System::MacOs => "macos",
            System::Windows => "windows",
        };
        format!("{system}-{}", self.machine("x86_64", "aarch64"))
    }

    /// .NET's runtime identifier.
    pub(crate) fn rid(self) -> String {
        let system = match self.system {
            System::Linux => "linux",
            System::Musl => "linux-musl",
            System::MacOs => "osx",
            System::Windows => "win",
        };
        format!("{system}-{}", self.machine("x64", "arm64"))
    }

    /// `process.platform` and `process.arch` of Node, which doesn't report the C library either.
    pub(crate) fn node(self) -> String {
        let system = match self.system {
            System::Linux | System::Musl => "linux",
            System::MacOs => "darwin",
            System::Windows => "win32",
        };
        format!("{system}-{}", self.machine("x64", "arm64"))
    }

    /// The processor, as Python's tags for Linux and macOS name it.
    pub(crate) fn python_machine(self) -> &'static str {
        match self.system {
            System::MacOs => self.machine("x86_64", "arm64"),
            System::Windows => self.machine("amd64", "arm64"),
            System::Linux | System::Musl => self.machine("x86_64", "aarch64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_manager_has_its_name_of_a_system() {
        for (triple, names) in [
            (
                "x86_64-unknown-linux-gnu",
                ["linux-x86_64", "linux-x64", "linux-x64", "x86_64"],
            ),
            (
                "aarch64-unknown-linux-musl",
                [
                    "linux-aarch64",
                    "linux-musl-arm64",
                    "linux-arm64",
                    "aarch64",
                ],
            ),
            (
                "aarch64-apple-darwin",
                ["macos-aarch64", "osx-arm64", "darwin-arm64", "arm64"],
            ),
            (
                "x86_64-pc-windows-gnu",
                ["windows-x86_64", "win-x64", "win32-x64", "amd64"],
            ),
        ] {
            let platform = Platform::of(triple).unwrap();
            let found = [
                platform.jar(),
                platform.rid(),
                platform.node(),
                platform.python_machine().to_owned(),
            ];
            assert_eq!(found, names, "{triple}");
        }
        for triple in [
            "wasm32-wasip1",
            "i686-pc-windows-msvc",
            "x86_64",
            "aarch64-linux-android",
        ] {
            assert!(Platform::of(triple).is_err(), "{triple}");
        }
    }
}
