//! The folder of packages that `cargo xtask package` makes, which new projects take ours from: on the registries these names
//! are somebody else's.

use std::path::{Path, PathBuf, absolute};
use std::{env, fs, io};

use crate::problem::Problem;

/// Names the folder, if this program isn't in it.
pub(crate) const VARIABLE: &str = "RUSTBRIDGE_PACKAGES";

/// Names it as a URL, for builds that ask for one.
pub(crate) const URL: &str = "RUSTBRIDGE_PACKAGES_URL";

/// The name of the link to the folder in a new project. Its files use the link, so they are the same on every machine.
pub(crate) const LINK: &str = "packages";

/// Creates a project's link to the folder of packages if it is missing or broken.
pub(crate) fn keep_link(link: &Path) -> Result<(), Problem> {
    if has_crates(link) {
        return Ok(());
    }
    Packages::find(None)?.link(link)
}

/// Whether a folder is one of packages.
fn has_crates(folder: &Path) -> bool {
    folder.join("crates/rustbridge/Cargo.toml").is_file()
}

/// The folder, as a whole path.
#[derive(Clone, Debug)]
pub(crate) struct Packages {
    folder: PathBuf,
}

impl Packages {
    /// The folder that is given, or else that the environment names, or else that this program lies in.
    pub(crate) fn find(given: Option<&Path>) -> Result<Packages, Problem> {
        let named = given
            .map(Path::to_owned)
            .or_else(|| env::var_os(VARIABLE).map(PathBuf::from));
        let (folder, is_named) = match named {
            Some(folder) => (folder, true),
            None => (around_this_program()?, false),
        };
        let packages = Packages {
            folder: absolute(&folder).map_err(Problem::new)?,
        };
        if has_crates(&packages.folder) {
            return Ok(packages);
        }
        Err(Problem::new(if is_named {
            format!(
                "`{}` has no `crates/rustbridge`: it isn't the folder that `cargo xtask package` has written",
                folder.display()
            )
        } else {
            format!(
                "this program isn't in the folder where `cargo xtask package` put it: pass the packages' folder by `--packages FOLDER` or the variable {VARIABLE}"
            )
        }))
    }

    /// Creates a link to the folder, or replaces one that points elsewhere.
    pub(crate) fn link(&self, link: &Path) -> Result<(), Problem> {
        let there = fs::symlink_metadata(link);
        if there.is_ok_and(|there| !there.is_symlink()) {
            return Err(Problem::new(format_args!(
                "`{}` is neither a link nor a folder of packages: move it away, or name another link by `packages` in `[package.metadata.rustbridge]`",
                link.display()
            )));
        }
        let _ = remove_link(link);
        make_link(&self.folder, link).map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be made, a link to `{}`: {error}",
                link.display(),
                self.folder.display()
            ))
        })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its path as build tools of every system read it.
    pub(crate) fn path(&self) -> Result<String, Problem> {
        slashes(&self.folder)
    }

    /// The wheel for this system; there may be those of others beside it.
    pub(crate) fn wheel(&self) -> Result<PathBuf, Problem> {
        let place = self.part("python", "the wheel")?;
        let files = fs::read_dir(&place).map_err(|error| {
            Problem::new(format_args!("`{}` can't be read: {error}", place.display()))
        })?;
        files
            .filter_map(|file| Some(file.ok()?.path()))
            .find(|path| is_wheel_for(path, SYSTEM))
            .ok_or_else(|| self.lacks("the wheel"))
    }

    /// The jar of an artifact.
    pub(crate) fn jar(&self, name: &str) -> Result<PathBuf, Problem> {
        let version = env!("CARGO_PKG_VERSION");
        let place = self.part("maven", "the jars")?;
        let artifact = place.join("io/github/rustbridge").join(name).join(version);
        Ok(artifact.join(format!("{name}-{version}.jar")))
    }

    /// The plugin whose one method does nothing, without what the system adds to its name.
    pub(crate) fn empty_plugin(&self) -> Result<PathBuf, Problem> {
        let place = self.part("bench", "the plugin that does nothing")?;
        Ok(place.join("empty_plugin"))
    }

    /// A part of it, if it was made.
    pub(crate) fn part(&self, name: &str, what: &str) -> Result<PathBuf, Problem> {
        let place = self.folder.join(name);
        if place.is_dir() {
            Ok(place)
        } else {
            Err(self.lacks(what))
        }
    }

    fn lacks(&self, what: &str) -> Problem {
        Problem::new(format_args!(
            "`{}` was built without {what}: run `cargo xtask package` on a machine that has the language's tools",
            self.folder.display()
        ))
    }
}

/// How the tag of a wheel's platform names this system.
const SYSTEM: &str = if cfg!(windows) {
    "win"
} else if cfg!(target_os = "macos") {
    "macosx"
} else {
    "linux"
};

/// Whether a file is a wheel for a system, by the last part of its name: `manylinux_2_17_x86_64`, `win_amd64`, `any`.
fn is_wheel_for(file: &Path, system: &str) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let Some((_, platform)) = name
        .strip_suffix(".whl")
        .and_then(|name| name.rsplit_once('-'))
    else {
        return false;
    };
    platform == "any"
        || platform
            .split('_')
            .next()
            .is_some_and(|begin| begin.ends_with(system))
}

#[cfg(unix)]
fn make_link(folder: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(folder, link)
}

#[cfg(unix)]
fn remove_link(link: &Path) -> io::Result<()> {
    fs::remove_file(link)
}

/// Creates a junction if the user lacks the privilege for symbolic links.
#[cfg(windows)]
fn make_link(folder: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(folder, link).or_else(|error| {
        let mut make = std::process::Command::new("cmd");
        make.args(["/d", "/c", "mklink", "/j"]).args([link, folder]);
        match make.output()?.status.success() {
            true => Ok(()),
            false => Err(error),
        }
    })
}

#[cfg(windows)]
fn remove_link(link: &Path) -> io::Result<()> {
    fs::remove_dir(link)
}

/// `packages` of `packages/bin/rustbridge`.
fn around_this_program() -> Result<PathBuf, Problem> {
    let program = env::current_exe().map_err(Problem::new)?;
    let folder = program.parent().and_then(Path::parent);
    Ok(folder.unwrap_or(Path::new("/")).to_owned())
}

/// A path with `/` between its folders.
pub(crate) fn slashes(path: &Path) -> Result<String, Problem> {
    let text = path.to_str().ok_or_else(|| {
        Problem::new(format_args!(
            "`{}` isn't Unicode, which build tools ask of paths",
            path.display()
        ))
    })?;
    Ok(if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_for_the_system_that_its_name_ends_with() {
        for (name, system) in [
            (
                "rustbridge-0.1.0-cp311-abi3-manylinux_2_17_x86_64.whl",
                "linux",
            ),
            ("rustbridge-0.1.0-cp311-abi3-linux_x86_64.whl", "linux"),
            ("rustbridge-0.1.0-cp311-abi3-win_amd64.whl", "win"),
            (
                "rustbridge-0.1.0-cp313-abi3-macosx_11_0_arm64.whl",
                "macosx",
            ),
        ] {
            for other in ["linux", "win", "macosx"] {
                assert_eq!(
                    is_wheel_for(Path::new(name), other),
                    other == system,
                    "{name}"
                );
            }
        }
        assert!(is_wheel_for(
            Path::new("rustbridge-0.1.0-py3-none-any.whl"),
            "linux"
        ));
        assert!(!is_wheel_for(Path::new("SHA256SUMS"), "linux"));
        assert!(!is_wheel_for(Path::new("some-linux_x86_64.tar"), "linux"));
    }
}
