//! Somebody who has the folder of packages, and nothing else of ours: what their programs find in the environment.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::files;
use crate::java::{Java, SHORT};
use crate::library;
use crate::node;
use crate::python;
use crate::step::Step;
use crate::workspace::Workspace;

/// Somebody who has the packages, and is in a folder.
pub struct User<'u> {
    pub packages: &'u Path,
    pub folder: &'u Path,
    /// What Maven keeps of repositories.
    pub maven: &'u Path,
    /// Whether all that is needed is here already, so that nothing may be asked of a registry.
    pub offline: bool,
}

impl User<'_> {
    pub fn rustbridge(&self, step: &Step<'_>) -> Result<Command> {
        self.command(step, self.packages.join("bin/rustbridge"))
    }

    /// A program, which finds the command where somebody has put it who uses it every day.
    pub fn command(
        &self,
        step: &Step<'_>,
        program: impl AsRef<std::ffi::OsStr>,
    ) -> Result<Command> {
        let mut command = step.workspace.command(program);
        let mut path = vec![self.packages.join("bin")];
        // The interpreter of the tests: another might be without `venv`.
        if let Ok(python) = python::interpreter(step.workspace)
            && let Some(folder) = python.parent()
        {
            path.push(folder.to_owned());
        }
        path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        command
            .current_dir(self.folder)
            .env("PATH", env::join_paths(path).context("making PATH")?)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTBRIDGE_LIBRARY")
            .env_remove("RUSTBRIDGE_PLUGIN_DIR")
            .env_remove("RUSTBRIDGE_PACKAGES")
            .env_remove("RUSTBRIDGE_PACKAGES_URL")
            .env("CARGO_TERM_COLOR", "never")
            // What a user's projects have in common is built once; what they make is where they look for it.
            .env(
                "CARGO_BUILD_BUILD_DIR",
                self.packages.join("../cargo-build"),
            )
            .env("DOTNET_NOLOGO", "1")
            .env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
            .env("MSBUILDDISABLENODEREUSE", "1")
            .env(
                "MAVEN_OPTS",
                format!(
                    "{SHORT} -Dstyle.color=never -Dmaven.repo.local={}",
                    self.maven.display()
                ),
            )
            // Its cache would go on giving the packages of another day, which have the same version.
            .env("NUGET_PACKAGES", self.packages.join("../nuget-cache"));
        if self.offline {
            command
                .env("CARGO_NET_OFFLINE", "true")
                .env("PIP_NO_INDEX", "1")
                .env("GOPROXY", "off")
                // With a lock nothing is asked of the registry that was fetched for the tests.
                .env("npm_config_prefer_offline", "true");
        }
        // Whether it works is looked at, not how fast.
        library::quickly(&mut command);
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        if let Ok(java) = Java::find() {
            command.env("JAVA_HOME", java.home);
        }
        Ok(command)
    }
}

/// The group IDs of this project's packages and of its examples' packages, as folders.
const OURS: [&str; 2] = ["io/github/rustbridge", "com/example"];

/// A folder for what Maven keeps of repositories: this machine's, but without anything of ours. It would go on taking the jars of
/// another day, which have the same version.
pub fn maven_repository(folder: &Path) -> Result<PathBuf> {
    let home = env::home_dir().context("there's no home folder")?;
    link_others(&home.join(".m2/repository"), folder, "")?;
    Ok(folder.to_owned())
}

/// Links the entries of a folder, except for our packages. `name` is the folder's path within the repository.
fn link_others(theirs: &Path, own: &Path, name: &str) -> Result<()> {
    fs::create_dir_all(own).with_context(|| format!("making {}", own.display()))?;
    for entry in fs::read_dir(theirs).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let name = format!("{name}{}", file.to_string_lossy());
        let inner = format!("{name}/");
        if OURS.contains(&name.as_str()) {
            continue;
        } else if OURS.iter().any(|ours| ours.starts_with(&inner)) {
            link_others(&entry.path(), &own.join(&file), &inner)?;
        } else {
            link(&entry.path(), &own.join(&file))?;
        }
    }
    // Otherwise Maven would create them in a linked folder of the home.
    for ours in OURS.iter().filter(|_| name.is_empty()) {
        let place = own.join(ours);
        fs::create_dir_all(&place).with_context(|| format!("making {}", place.display()))?;
    }
    Ok(())
}

#[cfg(unix)]
pub fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| format!("linking {}", to.display()))
}

/// The suite is for Linux; without the link Maven gets the files once more.
#[cfg(not(unix))]
pub fn link(_: &Path, _: &Path) -> Result<()> {
    Ok(())
}

/// Has a Node project use TypeScript and Node's types in the versions that were fetched for the tests of the package.
pub fn lock_node(workspace: &Workspace, project: &Path) -> Result<()> {
    let ours = workspace.root.join(node::FOLDER).join("package-lock.json");
    let mut lock: Value = serde_json::from_str(&files::read(&ours)?)?;
    let packages = lock["packages"].as_object_mut();
    packages
        .context("package-lock.json has no packages")?
        .retain(|name, _| {
            let needed = ["@types/node", "typescript", "undici-types"];
            needed
                .iter()
                .any(|it| name.strip_prefix("node_modules/") == Some(it))
        });
    files::write(&project.join("package-lock.json"), lock.to_string())
}
