//! What goes into the folder of packages, part by part.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::making::{self, artifact, copy, emptied, file_in};
use super::{bom, crates, go, node, sums};
use crate::dotnet::{self, Dotnet};
use crate::java::Java;
use crate::portable::{self, Portable};
use crate::step::{Missing, Step};
use crate::{jars, java, notices, python, tested};

/// What every package is made of, the extension goes into the wheel; the command, and the plugin that it measures beside others.
const SHIPPED: [&str; 6] = [
    "rustbridge-capi",
    "rustbridge-jni",
    "rustbridge-napi",
    "rustbridge-pyext",
    "rustbridge-cli",
    "empty-plugin",
];

/// The POM that the others inherit from.
const PARENT: &str = "rustbridge-parent";

/// What the packages are made of, and where.
pub struct Making<'m> {
    /// Has nothing else afterwards.
    pub folder: &'m Path,
    /// Libraries of other systems, each in its `<os>-<arch>`.
    pub more: Option<&'m Path>,
    /// Whether jars come with their sources and pages.
    pub documented: bool,
    /// Builds the libraries, and returns their folder.
    pub build: fn(&mut Step<'_>, &[&str]) -> Result<PathBuf>,
}

impl Making<'_> {
    /// Makes all of them.
    pub fn make(&self, step: &mut Step<'_>) -> Result<()> {
        emptied(self.folder.to_owned())?;
        let natives = (self.build)(step, &SHIPPED)?;
        or_skip(step, "the jars", |step| self.jars(step, &natives))?;
        self.without_jars(step, &natives)
    }

    /// Makes all but the jars anew, whose sources make the same bytes wherever they lie: another suite sees to that.
    pub fn again(&self, step: &mut Step<'_>) -> Result<()> {
        for part in [
            "bin", "bench", "crates", "python", "nuget", "go", "node", "c",
        ] {
            let part = self.folder.join(part);
            if part.is_dir() {
                fs::remove_dir_all(&part)
                    .with_context(|| format!("removing {}", part.display()))?;
            }
        }
        let natives = (self.build)(step, &SHIPPED)?;
        self.without_jars(step, &natives)
    }

    fn without_jars(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        self.command(step, natives)?;
        crates::make(step, &self.folder.join("crates"))?;
        or_skip(step, "the wheel", |step| self.wheel(step, natives))?;
        or_skip(step, "the NuGet packages", |step| self.nuget(step, natives))?;
        or_skip(step, "the Go module", |step| self.go(step, natives))?;
        or_skip(step, "the npm package", |step| {
            node::make(step, &self.folder.join("node"), natives, self.more)
        })?;
        self.c(step, natives)?;
        bom::write(step.workspace, &SHIPPED, self.folder)?;
        sums::list(self.folder)
    }

    /// The command, and the plugin that it measures beside others.
    fn command(&self, step: &Step<'_>, natives: &Path) -> Result<()> {
        let bin = self.folder.join("bin");
        let command = format!("rustbridge{}", std::env::consts::EXE_SUFFIX);
        copy(&natives.join(&command), &bin.join(&command))?;
        let notices = step.workspace.root.join(notices::OF_COMMAND);
        copy(&notices, &bin.join(notices::FILE))?;
        let empty = file_in(natives, "empty_plugin");
        copy(&empty, &file_in(&self.folder.join("bench"), "empty_plugin"))
    }

    fn wheel(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let workspace = step.workspace;
        let place = self.folder.join("python");
        if Portable::is_for_this_system() {
            let made = wheel(step, &place, natives)?;
            return fs::remove_dir_all(made.site).context("removing the wheel that was unpacked");
        }
        let environment = python::environment(step)?;
        let mut command = workspace.command(environment);
        command
            .args(["-m", "pip", "wheel", "--disable-pip-version-check"])
            .args(["--no-build-isolation", "--no-deps", "--wheel-dir"])
            .arg(place)
            .arg(workspace.root.join(python::FOLDER))
            .env(making::EPOCH.0, making::EPOCH.1)
            .env("CARGO_TARGET_DIR", &workspace.target);
        // A Python for both kinds of processor would say of the wheel that it is, too, which has the library for one.
        if cfg!(target_os = "macos") {
            let processor = if cfg!(target_arch = "aarch64") {
                "arm64"
            } else {
                "x86_64"
            };
            command
                .env("_PYTHON_HOST_PLATFORM", format!("macosx-11.0-{processor}"))
                .env("ARCHFLAGS", format!("-arch {processor}"));
        }
        step.run(&mut command).map(drop)
    }

    fn jars(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let java = Java::find()?;
        let modules: Vec<&str> = jars::PUBLISHED.iter().map(|module| module.name).collect();
        let place = self.folder.join("maven");
        let sources = making::jars(
            step,
            &java,
            &place,
            &modules,
            natives,
            self.more,
            self.documented,
        )?;
        repository(&sources, &place, self.documented)?;
        if let Some(more) = self.more {
            for module in jars::PUBLISHED {
                let jar = making::jar(&sources, module.name);
                hold_all(step, &java, &jar, module, more)?;
            }
        }
        fs::remove_dir_all(sources).context("removing the sources that were built")
    }

    fn nuget(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let dotnet = Dotnet::find()?;
        let mut libraries = vec![(dotnet::runtime_identifier(), file_in(natives, "rustbridge"))];
        if let Some(more) = self.more {
            libraries.extend(of_other_systems(more)?);
        }
        let place = self.folder.join("nuget");
        making::nuget(step, &dotnet, &place, &libraries)?;
        for made_of in ["built", "runtimes"] {
            fs::remove_dir_all(place.join(made_of)).context("removing the packed files")?;
        }
        Ok(())
    }

    fn go(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let mut libraries = vec![go::library(natives)?];
        if let Some(more) = self.more {
            for entry in
                fs::read_dir(more).with_context(|| format!("reading {}", more.display()))?
            {
                let place = entry.context("reading a folder")?.path();
                let name = place.file_name().unwrap_or_default().to_string_lossy();
                let Some(system) = go::system(&name) else {
                    continue;
                };
                let files = ["librustbridge.so", "librustbridge.dylib", "rustbridge.dll"];
                let found = files.map(|file| place.join(file));
                let found = found.into_iter().find(|file| file.is_file());
                if let Some(library) = found
                    && libraries.iter().all(|(known, _)| *known != system)
                {
                    libraries.push((system, library));
                }
            }
        }
        go::make(step.workspace, &self.folder.join("go"), &libraries)
    }

    /// What is installed for C and C++, as a folder and as the archive that is handed out.
    fn c(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let place = self.folder.join("c");
        const INSTALLER: &str = "rustbridge-headers";
        let installer = tested::binaries(step, &[INSTALLER])?.join(INSTALLER);
        let mut command = step.workspace.command(installer);
        command.arg("install").arg(natives).arg(&place);
        step.run(&mut command)?;
        or_skip(step, "the archive for C", |step| {
            let name = c_archive();
            making::archive(step, &place, &format!("{name}.tar.gz"), &name)
        })
    }
}

/// What the archive for C and C++ is called, and the folder in it.
pub fn c_archive() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("rustbridge-c-{version}-{}", dotnet::runtime_identifier())
}

/// Puts jars and POMs where Maven looks for them in a repository, and beside each its checksum. The POM that they all inherit from is
/// there, too: nobody can depend on a jar without.
fn repository(sources: &Path, place: &Path, documented: bool) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let poms = sources.join(java::FOLDER);
    let mut files = vec![(
        poms.join("pom.xml"),
        artifact(place, PARENT).join(format!("{PARENT}-{version}.pom")),
    )];
    for module in jars::PUBLISHED {
        let name = module.name;
        let to = artifact(place, name);
        files.push((
            poms.join(name).join("pom.xml"),
            to.join(format!("{name}-{version}.pom")),
        ));
        let kinds: &[&str] = if documented {
            &["", "-sources", "-javadoc"]
        } else {
            &[""]
        };
        for kind in kinds {
            let file = format!("{name}-{version}{kind}.jar");
            files.push((
                making::jar(sources, name).with_file_name(&file),
                to.join(file),
            ));
        }
    }
    for (from, to) in files {
        copy(&from, &to)?;
        sums::sha1_beside(&to)?;
    }
    Ok(())
}

/// Whether a jar has the library of each system that there is one of.
fn hold_all(
    step: &mut Step<'_>,
    java: &Java,
    jar: &Path,
    module: &jars::Published,
    more: &Path,
) -> Result<()> {
    let Some(library) = module.library else {
        return Ok(());
    };
    let mut list = step.workspace.command(java.program("jar"));
    let listed = step.run(list.arg("--list").arg("--file").arg(jar))?;
    for wanted in natives_of(library, more)? {
        let problem = (!listed.lines().any(|entry| entry == wanted)).then(|| listed.clone());
        step.check(&format!("{} holds {wanted}", module.name), problem)?;
    }
    Ok(())
}

/// Where a jar has the libraries of this name that lie in the folders of systems.
fn natives_of(library: &str, more: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(more).with_context(|| format!("reading {}", more.display()))? {
        let place = entry
            .with_context(|| format!("reading {}", more.display()))?
            .path();
        let system = place.file_name().unwrap_or_default().to_string_lossy();
        for file in [
            format!("lib{library}.so"),
            format!("lib{library}.dylib"),
            format!("{library}.dll"),
        ] {
            if place.join(&file).is_file() {
                found.push(format!("native/{system}/{file}"));
            }
        }
    }
    Ok(found)
}

/// Does a part, or leaves it out where its tools aren't there; CI has them all.
fn or_skip(
    step: &mut Step<'_>,
    what: &str,
    part: impl FnOnce(&mut Step<'_>) -> Result<()>,
) -> Result<()> {
    match part(step) {
        Err(error) if error.is::<Missing>() && !step.workspace.ci => {
            step.skip(what, &format!("{error:#}"))
        }
        result => result,
    }
}

/// The C libraries in the folders of other systems, by .NET's names of these.
fn of_other_systems(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut libraries = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let place = entry
            .with_context(|| format!("reading {}", folder.display()))?
            .path();
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let Some((system, file)) = dotnet::platform(&name) else {
            continue;
        };
        let library = place.join(file);
        if library.is_file() {
            libraries.push((system, library));
        }
    }
    Ok(libraries)
}

/// Makes a wheel for this system in a folder that has nothing else afterwards.
pub fn wheel(step: &mut Step<'_>, folder: &Path, natives: &Path) -> Result<making::Wheel> {
    let folder = emptied(folder.to_owned())?;
    let extension = folder.join("_native.abi3.so");
    copy(&file_in(natives, "_native"), &extension)?;
    let made = making::wheel(step, &folder, &extension, portable::WHEEL)?;
    fs::remove_dir_all(folder.join("sources")).context("removing the sources that were built")?;
    fs::remove_file(extension).context("removing the extension next to the wheel")?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn libraries_of_other_systems_have_their_places_in_a_jar() {
        let workspace = Workspace::find().expect("the workspace is there");
        let folder = emptied(workspace.target.join("xtask").join("self-test-natives"))
            .expect("a folder can be made");
        for file in [
            "windows-x86_64/rustbridge.dll",
            "windows-x86_64/hello_plugin.dll",
            "linux-aarch64/librustbridge.so",
        ] {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().expect("it has one")).expect("a folder can be made");
            fs::write(&file, "").expect("a file can be written");
        }
        let mut found = natives_of("rustbridge", &folder).expect("it can be read");
        found.sort();
        assert_eq!(
            found,
            [
                "native/linux-aarch64/librustbridge.so",
                "native/windows-x86_64/rustbridge.dll"
            ]
        );
    }
}
