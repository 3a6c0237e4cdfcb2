//! Maven, the JDKs it runs on, and the jars it makes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::files::copy;
use crate::junit::Reports;
use crate::notices;
use crate::step::Missing;
use crate::tools::{self, Version};
use crate::workspace::Workspace;

/// The bindings' folder.
pub const FOLDER: &str = "rustbridge-java";

/// FFM is final since this one.
pub const NEWEST_NEEDED: Version = [22, 0, 0];

/// The classes for Java 17 are tested on one of these too, if there is one.
pub const OLDER: std::ops::Range<Version> = [17, 0, 0]..[22, 0, 0];

/// How a JVM runs a program of a minute's: Maven and its compilers take half as much of the processors if the code is compiled
/// once, quickly, and not a second time for an end that they don't live to see.
pub const SHORT: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// What a build of the Java side needs from the machine.
pub struct Java {
    /// The newest JDK, which builds everything.
    pub home: PathBuf,
    /// A JDK between 17 and 21, the older the better.
    pub older: Option<PathBuf>,
    maven: PathBuf,
}

impl Java {
    pub fn find() -> Result<Java> {
        let jdks = tools::find_jdks();
        let missing = |what: &str| {
            Missing(format!(
                "no {what}; `cargo xtask doctor` shows how to get it"
            ))
        };
        let (_, home) = jdks
            .first()
            .filter(|(version, _)| *version >= NEWEST_NEEDED)
            .cloned()
            .ok_or_else(|| missing("JDK 22 or later"))?;
        let older = jdks
            .iter()
            .rev()
            .find(|(version, _)| OLDER.contains(version))
            .map(|(_, home)| home.clone());
        let maven = tools::which("mvn").ok_or_else(|| missing("Maven"))?;
        Ok(Java { home, older, maven })
    }

    /// Maven in the bindings' folder under `root`, with the libraries of the build that this command's programs load.
    pub fn maven(&self, workspace: &Workspace, root: &Path) -> Command {
        self.maven_with(workspace, root, &workspace.natives)
    }

    /// The same with the natives of another folder.
    pub fn maven_with(&self, workspace: &Workspace, root: &Path, natives: &Path) -> Command {
        let mut command = workspace.command(&self.maven);
        command
            .current_dir(root.join(FOLDER))
            .env("JAVA_HOME", &self.home)
            .env("MAVEN_OPTS", SHORT)
            // A JVM on Linux can't open paths that the locale can't encode, and the tests use such paths.
            .env("LC_ALL", "C.UTF-8")
            .args([
                "--batch-mode",
                "--no-transfer-progress",
                "--fail-at-end",
                "--threads=1C",
                "-Dstyle.color=never",
            ])
            .arg(format!("-Drustbridge.native.dir={}", natives.display()));
        command
    }

    /// The reports that a run of the tests will leave.
    pub fn reports(workspace: &Workspace) -> Result<Vec<Reports>> {
        let poms = workspace.files(&[FOLDER, "examples"])?;
        let modules = poms.iter().filter_map(|file| file.strip_suffix("/pom.xml"));
        let targets = modules.map(|module| workspace.root.join(module).join("target"));
        targets.map(Reports::at).collect()
    }

    /// A program of the newest JDK.
    pub fn program(&self, name: &str) -> PathBuf {
        program(&self.home, name)
    }
}

/// A program of the JDK at `home`.
pub fn program(home: &Path, name: &str) -> PathBuf {
    home.join("bin")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Copies what Maven reads: no file of an earlier build, and no path of this folder.
pub fn copy_sources(workspace: &Workspace, to: &Path) -> Result<()> {
    let [apache, mit] = notices::LICENCES;
    for path in workspace.files(&[FOLDER, apache, mit, notices::FILE])? {
        let from = workspace.root.join(&path);
        // A removed file is in git's list until the change is staged.
        if from.is_file() {
            copy(&from, &to.join(&path))?;
        }
    }
    Ok(())
}
