//! How a package of each language is made of libraries that are built, and taken apart again. For Windows it's the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::dotnet::{self, Dotnet};
use crate::java::Java;
use crate::step::Step;
use crate::workspace::file_of_cdylib;
use crate::{java, notices, nupkg, python};

/// What a program says that has called hello-plugin.
pub const SAID: &str = "Hello, Ada!";

/// A Python program that calls hello-plugin, and finds the native library only beside the package's own files.
pub const CALL: &str = r#"
import sys, rustbridge
with rustbridge.load(sys.argv[1]) as hello:
    print(f"{hello.backend}: {hello.call('greet', {'name': 'Ada'})}")
"#;

/// The time that packages bear in place of the one when they were made, which would make each another: that of the jars, which is in
/// their POM.
pub const EPOCH: (&str, &str) = ("SOURCE_DATE_EPOCH", "1767225600");

/// Packs a folder so that the same files make the same archive: in the order of their names, of one time, and nobody's.
const ARCHIVE: &str = r#"
import gzip, pathlib, sys, tarfile
folder, file, name, time = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
def plain(info):
    info.mtime, info.uid, info.gid, info.uname, info.gname = time, 0, 0, "", ""
    info.mode = 0o755 if info.isdir() or ".so" in info.name else 0o644
    return info
with (
    open(folder.parent / file, "wb") as file,
    gzip.GzipFile("", "wb", mtime=time, fileobj=file) as packed,
    tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
):
    for path in sorted(folder.rglob("*")):
        archive.add(path, f"{name}/{path.relative_to(folder).as_posix()}", recursive=False, filter=plain)
"#;

/// Compares the files of an unpacked wheel with their list; installers for Windows refuse a wheel that differs.
const RECORD: &str = r#"
import base64, csv, hashlib, pathlib, sys
site = pathlib.Path(sys.argv[1])
(record,) = site.glob("*.dist-info/RECORD")
listed = {name: (hash, size) for name, hash, size in csv.reader(record.open(newline=""))}
files = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
assert files.keys() == listed.keys(), files.keys() ^ listed.keys()
for name, path in files.items():
    if path != record:
        hash = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        assert listed[name] == (f"sha256={hash}", str(path.stat().st_size)), name
"#;

/// A wheel, and the folder that it's unpacked into.
pub struct Wheel {
    pub file: String,
    pub site: PathBuf,
}

/// Makes a wheel of an extension that is built and called as in the package, for the platform of this tag, and looks at
/// what is in it.
pub fn wheel(
    step: &mut Step<'_>,
    folder: &Path,
    extension: &Path,
    platform: &str,
) -> Result<Wheel> {
    let workspace = step.workspace;
    // In a copy: setuptools would put what an earlier build for Linux has left beside the sources into the wheel.
    let sources = folder.join("sources");
    for path in workspace.files(&[python::FOLDER])? {
        let from = workspace.root.join(&path);
        if from.is_file() {
            copy(&from, &sources.join(&path))?;
        }
    }
    let environment = python::environment(step)?;
    let mut command = workspace.command(&environment);
    command
        .args(["-m", "pip", "wheel", "--disable-pip-version-check"])
        .args(["--no-build-isolation", "--no-deps", "--wheel-dir"])
        .arg(folder)
        .arg(sources.join(python::FOLDER))
        .env("RUSTBRIDGE_EXTENSION", extension)
        .env("RUSTBRIDGE_WHEEL_PLATFORM", platform)
        .env(EPOCH.0, EPOCH.1);
    step.run(&mut command)?;

    let version = env!("CARGO_PKG_VERSION");
    let file = wheel_file(platform);
    let site = unpack(step, &folder.join(&file), folder)?;
    let extension = extension.file_name().context("a library has a name")?;
    let mut found = Vec::new();
    names(&site, "", &mut found)?;
    let mut wanted = wheel_entries(
        &workspace.files(&[python::FOLDER])?,
        &extension.to_string_lossy(),
    );
    found.sort();
    wanted.sort();
    let problem = (found != wanted).then(|| format!("{found:?} instead of {wanted:?}"));
    step.check(&format!("{file} has the expected contents"), problem)?;
    let about = site.join(format!("rustbridge-{version}.dist-info"));
    let says = fs::read_to_string(about.join("WHEEL")).context("reading WHEEL")?;
    for line in [
        format!("Tag: cp311-abi3-{platform}"),
        "Root-Is-Purelib: false".to_owned(),
    ] {
        let problem = (!says.lines().any(|said| said == line)).then(|| says.clone());
        step.check(&format!("{file} says {line}"), problem)?;
    }
    let mut check = workspace.command(&environment);
    step.run(check.args(["-c", RECORD]).arg(&site))?;
    step.check(
        &format!("every file of {file} is in its RECORD with its hash"),
        None,
    )?;
    Ok(Wheel { file, site })
}

/// What a wheel for the platform of this tag is called.
pub fn wheel_file(platform: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("rustbridge-{version}-cp311-abi3-{platform}.whl")
}

/// Unpacks a wheel or a NuGet package into a folder of its own below this one, and gives it.
pub fn unpack(step: &mut Step<'_>, file: &Path, folder: &Path) -> Result<PathBuf> {
    let python = python::interpreter(step.workspace)?;
    let inside = folder.join("inside");
    let mut extract = step.workspace.command(python);
    extract
        .args(["-m", "zipfile", "--extract"])
        .arg(file)
        .arg(&inside);
    step.run(&mut extract)?;
    Ok(inside)
}

/// What is in the wheel: the sources of the package, the extension, and what every wheel has.
fn wheel_entries(files: &[String], extension: &str) -> Vec<String> {
    let version = env!("CARGO_PKG_VERSION");
    let mut entries: Vec<String> = files
        .iter()
        .filter_map(|path| path.strip_prefix("rustbridge-python/src/"))
        .map(str::to_owned)
        .collect();
    entries.push(format!("rustbridge/{extension}"));
    for name in [
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "top_level.txt",
    ] {
        entries.push(format!("rustbridge-{version}.dist-info/{name}"));
    }
    for name in notices::LICENCES.into_iter().chain([notices::FILE]) {
        entries.push(format!("rustbridge-{version}.dist-info/licenses/{name}"));
    }
    entries
}

/// Makes jars of these modules in a copy of the sources, which is returned. `natives` has this system's libraries, and
/// `more` those of others, each in its `<os>-<arch>`.
pub fn jars(
    step: &mut Step<'_>,
    java: &Java,
    folder: &Path,
    modules: &[&str],
    natives: &Path,
    more: Option<&Path>,
    documented: bool,
) -> Result<PathBuf> {
    let sources = folder.join("sources");
    java::copy_sources(step.workspace, &sources)?;
    let mut command = java.maven_with(step.workspace, &sources, natives);
    command.args(["-Dmaven.test.skip=true", "--also-make", "package"]);
    if !documented {
        command.args(["-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"]);
    }
    if let Some(more) = more {
        command.arg(format!("-Drustbridge.native.more={}", more.display()));
    }
    command.arg(format!("--projects={}", modules.join(",")));
    step.run(&mut command)?;
    Ok(sources)
}

/// The jar of a module that [`jars`] has made.
pub fn jar(sources: &Path, module: &str) -> PathBuf {
    let file = format!("{module}-{}.jar", env!("CARGO_PKG_VERSION"));
    sources
        .join(java::FOLDER)
        .join(module)
        .join("target")
        .join(file)
}

/// Where a Maven repository has an artifact's files.
pub fn artifact(repository: &Path, name: &str) -> PathBuf {
    repository
        .join("io/github/rustbridge")
        .join(name)
        .join(env!("CARGO_PKG_VERSION"))
}

/// Compiles the program that calls hello-plugin, and gives the folder of its class.
pub fn java_program(
    step: &mut Step<'_>,
    java: &Java,
    folder: &Path,
    api: &Path,
) -> Result<PathBuf> {
    let program = folder.join("program");
    let mut compile = step.workspace.command(java.program("javac"));
    compile
        .args(["--release", "17", "-d"])
        .arg(&program)
        .arg("-cp")
        .arg(api)
        .arg("tools/xtask/packages/LoadsAPlugin.java");
    step.run(&mut compile)?;
    Ok(program)
}

/// Makes the NuGet packages with libraries for the platforms of these names.
pub fn nuget(
    step: &mut Step<'_>,
    dotnet: &Dotnet,
    folder: &Path,
    libraries: &[(String, PathBuf)],
) -> Result<()> {
    let runtimes = folder.join("runtimes");
    for (platform, library) in libraries {
        let name = dotnet::packaged_library(platform);
        copy(library, &runtimes.join(platform).join("native").join(name))?;
    }
    // Not the whole solution, whose tests and benchmarks would be built as well.
    for project in nupkg::published(&step.workspace.files(&[dotnet::FOLDER])?) {
        let file = format!("{}/{project}/{project}.csproj", dotnet::FOLDER);
        let mut command = dotnet.command(step.workspace, "pack");
        command
            .args([&file, "--configuration=Release"])
            // Otherwise where they were built is in the libraries.
            .arg("-p:ContinuousIntegrationBuild=true")
            .env(EPOCH.0, EPOCH.1)
            .arg(format!("-p:RustBridgeRuntimes={}", runtimes.display()))
            .arg("--artifacts-path")
            .arg(folder.join("built"))
            .arg("--output")
            .arg(folder);
        step.run(&mut command)?;
    }
    Ok(())
}

/// Makes an archive of this name of a folder, beside it, in which it has that one.
pub fn archive(step: &mut Step<'_>, folder: &Path, file: &str, name: &str) -> Result<()> {
    let python = python::interpreter(step.workspace)?;
    let mut pack = step.workspace.command(python);
    pack.args(["-c", ARCHIVE])
        .arg(folder)
        .args([file, name, EPOCH.1]);
    step.run(&mut pack).map(drop)
}

/// A program that refers to the package, published for a platform, and the folder that it's in.
pub fn dotnet_program(
    step: &mut Step<'_>,
    dotnet: &Dotnet,
    packages: &Path,
    platform: &str,
    more: &[&str],
) -> Result<PathBuf> {
    let workspace = step.workspace;
    let framework = dotnet::newest_framework();
    let folder = packages.join("program");
    copy(
        &workspace.root.join("tools/xtask/packages/LoadsAPlugin.cs"),
        &folder.join("LoadsAPlugin.cs"),
    )?;
    let version = env!("CARGO_PKG_VERSION");
    let project = format!(
        "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><OutputType>Exe</OutputType><TargetFramework>{framework}</TargetFramework>\n\
        <DisableTransitiveFrameworkReferenceDownloads>true</DisableTransitiveFrameworkReferenceDownloads></PropertyGroup>\n\
        <ItemGroup><PackageReference Include=\"RustBridge\" Version=\"{version}\" /></ItemGroup>\n</Project>\n"
    );
    let file = folder.join("LoadsAPlugin.csproj");
    fs::write(&file, project).with_context(|| format!("writing {}", file.display()))?;
    let published = folder.join("published");
    let mut publish = dotnet.command(workspace, "publish");
    publish
        .arg(&file)
        .arg("--configuration=Release")
        .arg(format!("--runtime={platform}"))
        .args(more)
        .arg("--output")
        .arg(&published)
        .arg(format!(
            "-p:RestoreAdditionalProjectSources={}",
            packages.display()
        ))
        // A cache would go on giving the package of another day, which has the same version.
        .arg(format!(
            "-p:RestorePackagesPath={}",
            folder.join("packages").display()
        ));
    step.run(&mut publish)?;
    Ok(published)
}

/// Runs a program that calls hello-plugin, and checks a line of what it says.
pub fn says_hello(
    step: &mut Step<'_>,
    what: &str,
    command: &mut Command,
    first: &str,
) -> Result<()> {
    let said = step.run(command)?;
    let right = said
        .lines()
        .any(|line| line.starts_with(first) && line.contains(SAID));
    step.check(what, (!right).then_some(said))
}

/// The files below a folder, with forward slashes.
pub fn names(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            names(&path, &format!("{prefix}{name}/"), found)?;
        } else {
            found.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

/// A library's file in a folder, by the name that this system gives it.
pub fn file_in(folder: &Path, library: &str) -> PathBuf {
    folder.join(file_of_cdylib(library))
}

/// Copies a file, into a folder that may have to be made.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

/// A folder with nothing in it.
pub fn emptied(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn a_wheel_has_the_package_and_no_tests() {
        let workspace = Workspace::find().expect("the workspace is there");
        let files = workspace
            .files(&[python::FOLDER])
            .expect("git lists the files");
        let entries = wheel_entries(&files, "_native.pyd");
        for name in [
            "rustbridge/__init__.py",
            "rustbridge/__pyinstaller/hook-rustbridge.py",
            "rustbridge/_native.pyd",
            "rustbridge/py.typed",
        ] {
            assert!(entries.iter().any(|entry| entry == name), "{entries:?}");
        }
        assert!(!entries.iter().any(|entry| entry.contains("test")));
    }
}
