//! Building the peers. Everything goes into the target folder; generators are compiled there, too.

use std::collections::BTreeMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::place::{CSHARP_FOLDER, FOLDER, PYTHON_FOLDER, Place};
use crate::bench::harness::Job;
use crate::dotnet::Dotnet;
use crate::java::Java;
use crate::{python, tools};

/// A library's file name.
pub fn library(name: &str) -> String {
    format!("{DLL_PREFIX}{name}{DLL_SUFFIX}")
}

/// The jar that Maven builds of a project of ours.
pub fn jar() -> String {
    "benchmarks.jar".into()
}

/// Python imports an extension by this name.
pub fn pyo3_module() -> String {
    format!("peer_pyo3.{}", if cfg!(windows) { "pyd" } else { "so" })
}

/// Creates the environment, again if the interpreter or its packages have changed.
pub fn environment(job: &mut Job<'_, '_>) -> Result<()> {
    let place = place(job);
    let workspace = job.workspace();
    let interpreter = python::interpreter(workspace)?;
    let requirements = workspace.root.join(PYTHON_FOLDER).join("requirements.txt");
    let wanted = format!("{}\n{}", interpreter.display(), read(&requirements)?);
    let stamp = place.all.join("venv").join("rustbridge-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) && place.python().is_file() {
        return Ok(());
    }
    let mut venv = workspace.command(interpreter);
    venv.args(["-m", "venv", "--clear"])
        .arg(place.all.join("venv"));
    job.step.run(&mut venv)?;
    pip(job, &place, &["-r".as_ref(), requirements.as_ref()])?;
    fs::write(&stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}

fn place(job: &Job<'_, '_>) -> Place {
    let all = job.workspace().target.join("peers");
    Place {
        folder: all.clone(),
        all,
    }
}

fn pip(job: &mut Job<'_, '_>, place: &Place, arguments: &[&std::ffi::OsStr]) -> Result<()> {
    let mut command = job.command(place.python());
    command
        .args(["-m", "pip", "install", "--quiet"])
        .arg("--disable-pip-version-check")
        .args(arguments);
    job.step.run(&mut command).map(drop)
}

/// The peers' versions, from the files that pin them.
pub fn versions(job: &Job<'_, '_>) -> Result<BTreeMap<String, String>> {
    let folder = job.workspace().root.join(FOLDER);
    let between = |file: &str, before: &str, after: char| -> Result<String> {
        let text = read(&folder.join(file))?;
        let rest = text.split_once(before).map(|(_, rest)| rest);
        let version = rest.and_then(|rest| rest.split_once(after)).map(|it| it.0);
        let version = version.with_context(|| format!("{file} has no `{before}`"))?;
        Ok(version.trim().to_owned())
    };
    let requirements = "python/requirements.txt";
    let pom = "uniffi/kotlin/pom.xml";
    let pins = [
        ("uniffi", "uniffi/Cargo.toml", "uniffi = \"=", '"'),
        ("boltffi", "boltffi/Cargo.toml", "boltffi = \"=", '"'),
        ("pyo3", "pyo3/Cargo.toml", "pyo3 = { version = \"=", '"'),
        ("cffi", requirements, "cffi==", '\n'),
        ("predecessor", requirements, "rustbridge==", '\n'),
        ("jna (uniffi)", pom, "<jna.version>", '<'),
        ("kotlin", pom, "<kotlin.version>", '<'),
    ];
    pins.into_iter()
        .map(|(name, file, before, after)| Ok((name.to_owned(), between(file, before, after)?)))
        .collect()
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))
}

/// Cargo in a peer's workspace. Not `--locked`: what our own crates need is in the peers' lock files as well, and isn't
/// worth a failure. What is compared is pinned in their manifests.
fn cargo(job: &Job<'_, '_>, place: &Place, peer: &str, verb: &str) -> Command {
    let manifest = job.workspace().root.join(FOLDER).join(peer);
    let mut command = job.prepared(job.workspace().cargo());
    command
        .args([verb, "--manifest-path"])
        .arg(manifest.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", place.cargo_target())
        .env("PYO3_PYTHON", place.python());
    command
}

/// Builds a peer's library and gives its path.
fn build(job: &mut Job<'_, '_>, place: &Place, peer: &str) -> Result<PathBuf> {
    let mut command = cargo(job, place, peer, "build");
    job.step.run(command.args(["--release", "--lib"]))?;
    let name = library(&format!("peer_{peer}"));
    Ok(place.cargo_target().join("release").join(name))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to);
    copied.with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn ready(place: &Place) -> Result<()> {
    let file = place.folder.join("ready");
    fs::write(&file, "").with_context(|| format!("writing {}", file.display()))
}

pub fn nothing(_: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    ready(place)
}

pub fn pyo3(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let built = build(job, place, "pyo3")?;
    copy(&built, &place.folder.join(pyo3_module()))
}

pub fn predecessor(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let built = build(job, place, "predecessor")?;
    copy(&built, &place.folder.join(library("peer_predecessor")))
}

/// Compiles the module of API mode.
pub fn cffi(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let mut command = job.command(place.python());
    command
        .args(["-m", "peers.cffi_calls"])
        .arg(&place.folder)
        .current_dir(job.workspace().root.join(PYTHON_FOLDER));
    job.step.run(&mut command)?;
    ready(place)
}

/// Builds the library, and generates its bindings in a language.
fn uniffi(job: &mut Job<'_, '_>, place: &Place, language: &str, into: &Path) -> Result<()> {
    let built = build(job, place, "uniffi")?;
    copy(&built, &place.folder.join(library("peer_uniffi")))?;
    // It reads the bindings out of the library. Unoptimised, it is compiled in a third of the time.
    let mut command = cargo(job, place, "uniffi", "run");
    command
        .args(["--features", "bindgen", "--bin", "uniffi-bindgen", "--"])
        .args(["generate", "--no-format", "--language", language])
        .arg("--out-dir")
        .arg(into)
        .arg(&built)
        .current_dir(job.workspace().root.join(FOLDER).join("uniffi"));
    job.step.run(&mut command).map(drop)
}

pub fn uniffi_python(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    uniffi(job, place, "python", &place.folder)
}

pub fn uniffi_kotlin(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let generated = place.folder.join("generated");
    uniffi(job, place, "kotlin", &generated)?;
    maven(job, place, "uniffi/kotlin", &generated)
}

/// Makes a jar of a project with generated sources.
fn maven(job: &mut Job<'_, '_>, place: &Place, project: &str, generated: &Path) -> Result<()> {
    let java = Java::find()?;
    let root = job.workspace().root.clone();
    let mut command = java.maven(job.workspace(), &root);
    let mut property = |name: &str, path: &Path| {
        let mut option = std::ffi::OsString::from(format!("-D{name}="));
        option.push(path);
        command.arg(option);
    };
    let build = place.folder.join("maven");
    property("peers.generated", generated);
    property("peers.build", &build);
    command
        .args(["--quiet", "-DskipTests", "package"])
        .current_dir(root.join(FOLDER).join(project));
    job.step.run(&mut command)?;
    copy(&build.join(jar()), &place.folder.join(jar()))
}

/// BoltFFI's program packs or generates for one language, with its output in the target folder.
fn boltffi(job: &mut Job<'_, '_>, place: &Place, verb: &str, language: &str) -> Result<PathBuf> {
    let program = boltffi_program(job, place)?;
    let output = place.folder.join("packed");
    // Merged over the peer's own boltffi.toml. A path in JSON's quotes is one in TOML's.
    let quoted = serde_json::to_string(&output).context("writing a path")?;
    let overlay = place.folder.join("boltffi.toml");
    let text: String = ["python", "java.jvm", "csharp"]
        .iter()
        .map(|target| format!("[targets.{target}]\noutput = {quoted}\n"))
        .collect();
    fs::write(&overlay, text).with_context(|| format!("writing {}", overlay.display()))?;
    let mut command = job.command(program);
    command
        .arg("--overlay")
        .arg(&overlay)
        .args([verb, language])
        .args((verb == "pack").then_some("--release"))
        .current_dir(job.workspace().root.join(FOLDER).join("boltffi"))
        // Its own, because it keeps there what it knows of the crate from one step to the next.
        .env("CARGO_TARGET_DIR", place.all.join("boltffi-cargo"))
        .env("PATH", path_with(place)?);
    if language == "java" {
        command.env("JAVA_HOME", home(&Java::find()?)?);
    }
    // It looks for clang on the path, unless cargo has been told of another linker.
    if cfg!(target_os = "linux") && tools::which("clang").is_none() {
        let target = format!(
            "{}_UNKNOWN_LINUX_GNU",
            std::env::consts::ARCH.to_uppercase()
        );
        command.env(format!("CARGO_TARGET_{target}_LINKER"), "cc");
    }
    job.step.run(&mut command)?;
    Ok(output)
}

fn home(java: &Java) -> Result<PathBuf> {
    let program = java.program("java");
    let home = program.parent().and_then(Path::parent);
    Ok(home.context("a JDK has a folder")?.to_path_buf())
}

/// The path with the environment's programs first: BoltFFI builds for the `python3` that it finds.
fn path_with(place: &Place) -> Result<std::ffi::OsString> {
    let python = place.python();
    let first = python.parent().context("a program has a folder")?;
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(first.to_path_buf()).chain(std::env::split_paths(&rest));
    std::env::join_paths(folders).context("making a path")
}

/// Compiles the program unless it's there in the version that the peer has.
fn boltffi_program(job: &mut Job<'_, '_>, place: &Place) -> Result<PathBuf> {
    let version = versions(job)?.remove("boltffi").unwrap_or_default();
    let tools = place.all.join("tools");
    let program = tools.join("bin").join(format!("boltffi{EXE_SUFFIX}"));
    let is_there = |program: &Path| {
        let said = tools::output(program, &["--version"]);
        said.is_some_and(|said| said.trim().ends_with(&version))
    };
    if is_there(&program) {
        return Ok(program);
    }
    let mut command = job.workspace().cargo();
    command
        .args(["install", "boltffi_cli", "--locked", "--debug", "--version"])
        .arg(format!("={version}"))
        .arg("--root")
        .arg(&tools)
        .env("CARGO_TARGET_DIR", place.cargo_target());
    job.step.run(&mut command)?;
    ensure!(is_there(&program), "cargo has installed another boltffi");
    Ok(program)
}

pub fn boltffi_python(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let packed = boltffi(job, place, "pack", "python")?.join("wheelhouse");
    let wheels = packed
        .read_dir()
        .with_context(|| format!("reading {}", packed.display()))?;
    let wheel = wheels
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"));
    let wheel = wheel.context("BoltFFI has packed no wheel")?;
    let target = place.folder.clone();
    pip(
        job,
        place,
        &[
            "--no-deps".as_ref(),
            "--target".as_ref(),
            target.as_ref(),
            wheel.as_ref(),
        ],
    )
}

pub fn boltffi_java(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let packed = boltffi(job, place, "pack", "java")?;
    let native = library("peer_boltffi_jni");
    copy(&packed.join(&native), &place.folder.join(&native))?;
    maven(job, place, "boltffi/java", &packed)
}

/// The library is the one of Python's wheel: what packs C# makes a package, for which NuGet has to have what nothing here uses.
pub fn boltffi_csharp(job: &mut Job<'_, '_>, place: &Place) -> Result<()> {
    let dotnet = Dotnet::find()?;
    let native = library("peer_boltffi");
    let packed = boltffi(job, place, "pack", "python")?.join("peer_boltffi");
    copy(&packed.join(&native), &place.folder.join(&native))?;
    let generated = boltffi(job, place, "generate", "csharp")?;
    let mut command = dotnet.build(job.workspace(), CSHARP_FOLDER);
    let mut property = |name: &str, path: &Path| {
        let mut option = std::ffi::OsString::from(format!("-p:{name}="));
        option.push(path);
        command.arg(option);
    };
    property("PeersGenerated", &generated);
    property("PeersLibrary", &place.folder.join(&native));
    job.step.run(&mut command)?;
    ready(place)
}
