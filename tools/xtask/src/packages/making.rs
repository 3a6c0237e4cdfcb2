//! Makes the packages of each language from libraries that are already built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::{bom, crates, sums};
use crate::dotnet::{self, Dotnet};
use crate::files::{self, below, copy, emptied, remove};
use crate::java::{self, Java};
use crate::platforms::{self, DOTNET, GO, NODE, file_in};
use crate::portable;
use crate::step::{Missing, Step};
use crate::workspace::Workspace;
use crate::{go, node, notices, python, tested};

/// The packages whose libraries and programs are packed. The last one is the plugin that `rustbridge bench` measures next to others.
const SHIPPED: [&str; 6] = [
    "rustbridge-capi",
    "rustbridge-jni",
    "rustbridge-napi",
    "rustbridge-pyext",
    "rustbridge-cli",
    "empty-plugin",
];

/// The published Maven modules, each with the library inside it.
pub const JARS: [(&str, Option<&str>); 5] = [
    ("rustbridge", None),
    ("rustbridge-ffm", Some("rustbridge")),
    ("rustbridge-jni", Some("rustbridge_jni")),
    ("rustbridge-kotlin", None),
    ("rustbridge-spring-boot-starter", None),
];

/// The files of the npm package's folder that are packed as they are.
const NPM: [&str; 6] = [
    "package.json",
    "README.md",
    "bundled.mjs",
    "index.mjs",
    "index.d.mts",
    "typed.mjs",
];

/// The files of the Go module's folder that are for this repository alone.
const NOT_OF_GO: [&str; 6] = [
    "benchmarks",
    "clients",
    "testee",
    "testdata",
    "tools.mod",
    "tools.sum",
];

/// The time of the packed files, in place of the time when they were packed: that in the jars' POM.
const EPOCH: (&str, &str) = ("SOURCE_DATE_EPOCH", "1767225600");

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where the packages are made, and from which libraries.
pub struct Making<'m> {
    /// Has nothing else afterwards.
    pub folder: &'m Path,
    /// Libraries of other systems, each in its `<os>-<arch>`.
    pub more: Option<&'m Path>,
    /// Builds the libraries, and returns their folder.
    pub build: fn(&mut Step<'_>, &[&str]) -> Result<PathBuf>,
}

impl Making<'_> {
    /// Makes all packages.
    pub fn make(&self, step: &mut Step<'_>) -> Result<()> {
        emptied(self.folder)?;
        let natives = (self.build)(step, &SHIPPED)?;
        or_skip(step, "the jars", |step| self.jars(step, &natives, true))?;
        self.command(step.workspace, &natives)?;
        crates::make(step, &self.folder.join("crates"))?;
        or_skip(step, "the wheel", |step| self.wheel(step, &natives))?;
        or_skip(step, "the NuGet packages", |step| {
            self.nuget(step, &natives)
        })?;
        or_skip(step, "the Go module", |step| {
            self.go(step.workspace, &natives)
        })?;
        or_skip(step, "the npm package", |step| self.npm(step, &natives))?;
        self.c(step, &natives)?;
        bom::write(step.workspace, &SHIPPED, self.folder)?;
        sums::list(self.folder)
    }

    /// The command, and the plugin that it measures next to others.
    fn command(&self, workspace: &Workspace, natives: &Path) -> Result<()> {
        let bin = self.folder.join("bin");
        let command = format!("rustbridge{}", std::env::consts::EXE_SUFFIX);
        copy(&natives.join(&command), &bin.join(&command))?;
        copy(
            &workspace.root.join(notices::OF_COMMAND),
            &bin.join(notices::FILE),
        )?;
        let empty = file_in(natives, "empty_plugin");
        copy(&empty, &file_in(&self.folder.join("bench"), "empty_plugin"))
    }

    fn wheel(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let workspace = step.workspace;
        let place = self.folder.join("python");
        if portable::is_for_this_system() {
            let extension = file_in(natives, "_native");
            return wheel(step, &place, &extension, "_native.abi3.so", portable::WHEEL).map(drop);
        }
        let environment = python::environment(step)?;
        let mut command = workspace.command(environment);
        command
            .args(["-m", "pip", "wheel", "--disable-pip-version-check"])
            .args(["--no-build-isolation", "--no-deps", "--wheel-dir"])
            .arg(place)
            .arg(workspace.root.join(python::FOLDER))
            .env(EPOCH.0, EPOCH.1)
            .env("CARGO_TARGET_DIR", &workspace.target);
        // A Python for both kinds of processor would name both in the wheel, which has the library for one.
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

    /// A Maven repository with the jars and POMs, of a copy of the sources.
    pub fn jars(&self, step: &mut Step<'_>, natives: &Path, documented: bool) -> Result<()> {
        let java = Java::find()?;
        let place = emptied(self.folder.join("maven"))?;
        let sources = place.join("sources");
        java::copy_sources(step.workspace, &sources)?;
        let mut command = java.maven_with(step.workspace, &sources, natives);
        command
            // Nothing is installed into the repository of this machine.
            .args(["-Dmaven.test.skip=true", "-Dmaven.install.skip=true"])
            .args(["--also-make", "deploy"])
            .arg(format!(
                "-DaltDeploymentRepository=packages::file://{}",
                place.display()
            ))
            .arg(format!(
                "--projects={}",
                JARS.map(|(name, _)| name).join(",")
            ));
        if !documented {
            command.args(["-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"]);
        }
        if let Some(more) = self.more {
            command.arg(format!("-Drustbridge.native.more={}", more.display()));
        }
        step.run(&mut command)?;
        remove(&sources)?;
        // They have the time of the deployment, and no one needs them for a version that is named.
        for file in below(&place)? {
            if files::name(&file).starts_with("maven-metadata") {
                fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
            }
        }
        for (name, library) in JARS {
            let mut entries = vec![
                "module-info.class".to_owned(),
                "META-INF/LICENSE-MIT".into(),
            ];
            if let Some(library) = library {
                entries.push("META-INF/THIRD-PARTY.txt".into());
                for (system, file) in platforms::each(library, natives, self.more)? {
                    entries.push(format!("native/{system}/{}", files::name(&file)));
                }
            }
            let problem = lacking(step, &jar(self.folder, name), &entries)?;
            step.check(&format!("the jar {name} is complete"), problem)?;
        }
        Ok(())
    }

    pub fn nuget(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let dotnet = Dotnet::find()?;
        let place = emptied(self.folder.join("nuget"))?;
        let runtimes = place.join("runtimes");
        let mut entries = vec![notices::FILE.to_owned(), "README.md".into()];
        for (system, library) in platforms::each("rustbridge", natives, self.more)? {
            let system = DOTNET.name(&system);
            let entry = format!("{system}/native/{}", dotnet::packaged_library(&system));
            copy(&library, &runtimes.join(&entry))?;
            entries.push(format!("runtimes/{entry}"));
        }
        for framework in dotnet::FRAMEWORKS {
            entries.push(format!("lib/net{framework}.0/RustBridge.dll"));
            entries.push(format!("lib/net{framework}.0/RustBridge.xml"));
        }
        // Not the whole solution, whose tests and benchmarks would be built as well.
        for project in dotnet::published(&step.workspace.files(&[dotnet::FOLDER])?) {
            let mut command = dotnet.command(step.workspace, "pack");
            command
                .arg(format!("{}/{project}/{project}.csproj", dotnet::FOLDER))
                .arg("--configuration=Release")
                // Otherwise the libraries have the path where they were built.
                .arg("-p:ContinuousIntegrationBuild=true")
                .env(EPOCH.0, EPOCH.1)
                .arg(format!("-p:RustBridgeRuntimes={}", runtimes.display()))
                .arg("--artifacts-path")
                .arg(place.join("built"))
                .arg("--output")
                .arg(&place);
            step.run(&mut command)?;
            for ending in ["nupkg", "snupkg"] {
                let package = place.join(format!("{project}.{VERSION}.{ending}"));
                let problem = (!package.is_file()).then(|| "it wasn't made".to_owned());
                step.check(&format!("{project}.{ending}"), problem)?;
            }
        }
        let package = place.join(format!("RustBridge.{VERSION}.nupkg"));
        let problem = lacking(step, &package, &entries)?;
        step.check("the package RustBridge is complete", problem)?;
        ["built", "runtimes"]
            .iter()
            .try_for_each(|made_of| remove(&place.join(made_of)))
    }

    /// The Go module with the libraries inside, each in a file that only its system compiles.
    pub fn go(&self, workspace: &Workspace, natives: &Path) -> Result<()> {
        let folder = emptied(self.folder.join("go"))?;
        let ours = workspace.root.join(go::FOLDER);
        for file in below(&ours)? {
            let inside = file.strip_prefix(&ours).context("it's below the folder")?;
            let is_ours = inside
                .iter()
                .any(|part| NOT_OF_GO.iter().any(|name| part == *name));
            if !is_ours && !files::name(&file).ends_with("_test.go") {
                copy(&file, &folder.join(inside))?;
            }
        }
        copy_licences(workspace, &folder)?;
        for (system, library) in platforms::each("rustbridge", natives, self.more)? {
            // Go has no name for systems with musl.
            if system.contains("musl") {
                continue;
            }
            let (system, name) = (GO.name(&system).replace('-', "_"), files::name(&library));
            copy(&library, &folder.join("natives").join(&system).join(&name))?;
            let text = format!(
                "package rustbridge\n\nimport _ \"embed\"\n\n//go:embed natives/{system}/{name}\nvar ofThisSystem []byte\n\nfunc init() {{ embedded = ofThisSystem }}\n"
            );
            files::write(&folder.join(format!("embedded_{system}.go")), text)?;
        }
        Ok(())
    }

    /// The npm package with the addons inside, as a folder and as a file.
    pub fn npm(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        let workspace = step.workspace;
        let scripts = node::compiled(step)?;
        let inside = emptied(self.folder.join("node"))?.join("rustbridge");
        let ours = workspace.root.join(node::FOLDER);
        for name in NPM {
            copy(&ours.join(name), &inside.join(name))?;
        }
        copy_licences(workspace, &inside)?;
        let sources = format!("{}/src", node::FOLDER);
        for path in workspace.files(&[&sources])? {
            let name = path.strip_prefix(&format!("{sources}/"));
            let name = name.and_then(|path| path.strip_suffix(".ts"));
            // A removed file is in git's list until the change is staged.
            let Some(name) = name.filter(|_| workspace.root.join(&path).is_file()) else {
                continue;
            };
            for file in [format!("{name}.js"), format!("{name}.d.ts")] {
                copy(&scripts.join(&file), &inside.join("dist").join(&file))?;
            }
        }
        for (system, addon) in platforms::each(node::ADDON, natives, self.more)? {
            if !system.contains("musl") || system == platforms::here() {
                let folder = inside.join("native").join(NODE.name(&system));
                copy(&addon, &folder.join(node::FILE))?;
            }
        }
        // The order stays, since it counts in some of it.
        const MANIFEST: &str = "const { readFileSync, writeFileSync } = require('node:fs');
            const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(process.argv[1]));
            writeFileSync(process.argv[1], `${JSON.stringify(manifest, null, 2)}\\n`);";
        let mut plain = node::node(step)?;
        plain
            .args(["-e", MANIFEST])
            .arg(inside.join("package.json"));
        step.run(&mut plain)?;
        archive(step, &inside, &npm_file(), "package")
    }

    /// The installed files for C and C++, as a folder and as an archive.
    fn c(&self, step: &mut Step<'_>, natives: &Path) -> Result<()> {
        const INSTALLER: &str = "rustbridge-headers";
        let place = self.folder.join("c");
        let installer = tested::binaries(step, &[INSTALLER])?.join(INSTALLER);
        let mut command = step.workspace.command(installer);
        command.arg("install").arg(natives).arg(&place);
        step.run(&mut command)?;
        or_skip(step, "the archive for C", |step| {
            let name = format!("rustbridge-c-{VERSION}-{}", DOTNET.here());
            archive(step, &place, &format!("{name}.tar.gz"), &name)
        })
    }
}

/// Does a part, or omits it if its tools aren't there; CI has them all.
fn or_skip(
    step: &mut Step<'_>,
    part: &str,
    make: impl FnOnce(&mut Step<'_>) -> Result<()>,
) -> Result<()> {
    match make(step) {
        Err(error) if error.is::<Missing>() && !step.workspace.ci => {
            step.skip(part, &format!("{error:#}"))
        }
        result => result,
    }
}

fn copy_licences(workspace: &Workspace, folder: &Path) -> Result<()> {
    let mut names = notices::LICENCES.into_iter().chain([notices::FILE]);
    names.try_for_each(|name| copy(&workspace.root.join(name), &folder.join(name)))
}

/// Makes a wheel of an extension that is already built, for the platform of this tag, and returns its file.
pub fn wheel(
    step: &mut Step<'_>,
    folder: &Path,
    extension: &Path,
    name: &str,
    platform: &str,
) -> Result<PathBuf> {
    let workspace = step.workspace;
    let folder = emptied(folder)?;
    // In a copy: setuptools would pack what an earlier build for Linux has left next to the sources.
    let sources = folder.join("sources");
    let mut entries = vec![format!("rustbridge/{name}")];
    for path in workspace.files(&[python::FOLDER])? {
        let from = workspace.root.join(&path);
        if from.is_file() {
            copy(&from, &sources.join(&path))?;
            entries.extend(
                path.strip_prefix("rustbridge-python/src/")
                    .map(str::to_owned),
            );
        }
    }
    for name in notices::LICENCES.into_iter().chain([notices::FILE]) {
        entries.push(format!("rustbridge-{VERSION}.dist-info/licenses/{name}"));
    }
    let extension_file = sources.join(name);
    copy(extension, &extension_file)?;
    let environment = python::environment(step)?;
    let mut command = workspace.command(&environment);
    command
        .args(["-m", "pip", "wheel", "--disable-pip-version-check"])
        .args(["--no-build-isolation", "--no-deps", "--wheel-dir"])
        .arg(&folder)
        .arg(sources.join(python::FOLDER))
        .env("RUSTBRIDGE_EXTENSION", extension_file)
        .env("RUSTBRIDGE_WHEEL_PLATFORM", platform)
        .env(EPOCH.0, EPOCH.1);
    step.run(&mut command)?;
    remove(&sources)?;
    let file = folder.join(format!("rustbridge-{VERSION}-cp311-abi3-{platform}.whl"));
    let problem = lacking(step, &file, &entries)?;
    step.check("the wheel is complete", problem)?;
    Ok(file)
}

/// Unpacks a wheel, which checks the hash of each file, and returns the folder.
pub fn unpacked_wheel(step: &mut Step<'_>, wheel: &Path, folder: &Path) -> Result<PathBuf> {
    let mut unpack = step.workspace.command(python::environment(step)?);
    unpack
        .args(["-m", "wheel", "unpack", "--dest"])
        .arg(folder)
        .arg(wheel);
    step.run(&mut unpack)?;
    Ok(folder.join(format!("rustbridge-{VERSION}")))
}

/// Reports the entries that a jar, a wheel or a NuGet package lacks, and tests among those that it has.
fn lacking(step: &mut Step<'_>, package: &Path, entries: &[String]) -> Result<Option<String>> {
    let mut list = step.workspace.command(python::interpreter(step.workspace)?);
    const NAMES: &str =
        "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
    list.args(["-c", NAMES]).arg(package);
    let listed = step.run(&mut list)?;
    let listed: Vec<&str> = listed.lines().collect();
    let has = |entry: &&String| listed.contains(&entry.as_str());
    let missing = entries
        .iter()
        .filter(|entry| !has(entry))
        .map(|entry| format!("no {entry}"));
    let is_test = |name: &&&str| {
        ["/tests/", "Test.class", ".Tests."]
            .iter()
            .any(|it| name.contains(it))
    };
    let tests = listed
        .iter()
        .filter(is_test)
        .map(|name| format!("the test {name}"));
    let problems: Vec<String> = missing.chain(tests).collect();
    Ok((!problems.is_empty()).then(|| problems.join(", ")))
}

/// The jar of a module in the folder of packages.
pub fn jar(packages: &Path, module: &str) -> PathBuf {
    let artifact = packages
        .join("maven/io/github/rustbridge")
        .join(module)
        .join(VERSION);
    artifact.join(format!("{module}-{VERSION}.jar"))
}

/// The file of the npm package.
pub fn npm_file() -> String {
    format!("rustbridge-{VERSION}.tgz")
}

/// Makes an archive of a folder next to it, in which the folder has this name.
fn archive(step: &mut Step<'_>, folder: &Path, file: &str, name: &str) -> Result<()> {
    let mut pack = step.workspace.command(python::interpreter(step.workspace)?);
    pack.arg("tools/xtask/packages/archive.py")
        .arg(folder)
        .args([file, name, EPOCH.1]);
    step.run(&mut pack).map(drop)
}
