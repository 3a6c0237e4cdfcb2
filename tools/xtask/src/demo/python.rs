//! The Python host, on each backend. The package isn't installed: a folder on the path has its modules and the extension.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::built::{self, Needs};
use super::c::{made, slashes};
use super::host::{CLI, Demo, Host};
use crate::python;
use crate::tools::which;

pub const HOST: Host = Host {
    name: "python",
    language: "Python",
    packages: [&["rustbridge-pyext", "rustbridge-capi"], &[CLI]],
    needs: [Needs::First, Needs::Second],
    prepare,
    run,
    run_typed,
};

fn prepare(demo: &mut Demo<'_, '_>) -> Result<()> {
    python::interpreter(demo.workspace()).map(drop)
}

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let path = package(demo)?;
    let bare = floor_extension(demo)?;
    for backend in python::backends(workspace) {
        let mut host = program(demo, "examples/demo/host.py", backend, &path)?;
        host.arg(demo.plugin()).arg(demo.floor());
        if let Some(bare) = bare.as_ref().filter(|_| *backend == "native") {
            host.arg(bare);
        }
        demo.collect(&mut host)?;
        let mut shop = program(demo, "examples/shop/host.py", backend, &path)?;
        demo.collect_shop(shop.arg(demo.shop()))?;
    }
    Ok(())
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let workspace = demo.workspace();
    let client = demo.client("python")?;
    let path = std::env::join_paths([demo.folder("python"), client])
        .context("the path of the workspace has a separator of paths in it")?;
    for backend in python::backends(workspace) {
        let mut contacts = program(demo, "examples/contacts/host.py", backend, path.as_ref())?;
        demo.collect_contacts(contacts.arg(demo.contacts()))?;
    }
    Ok(())
}

/// Puts the package's modules and the extension, or librustbridge where there is none, into a folder for `PYTHONPATH`.
fn package(demo: &Demo<'_, '_>) -> Result<PathBuf> {
    let workspace = demo.workspace();
    let path = demo.folder("python");
    let place = path.join("rustbridge");
    let sources = format!("{}/src/rustbridge", python::FOLDER);
    for file in workspace.files(&[&sources])? {
        let from = workspace.root.join(&file);
        // Deleted, but not yet committed.
        if from.is_file() {
            copy(&from, &place.join(inside(&file, &sources)?))?;
        }
    }
    let (library, name) = if python::backends(workspace).contains(&"native") {
        let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
        (
            built::library(workspace, "_native"),
            format!("_native.{ending}"),
        )
    } else {
        let library = built::library(workspace, "rustbridge");
        let name = library.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        (library, name)
    };
    copy(&library, &place.join(name))?;
    Ok(path)
}

/// Returns the path of a file of a folder within that folder: files of subfolders can have the same name.
fn inside<'f>(file: &'f str, folder: &str) -> Result<&'f Path> {
    Path::new(file)
        .strip_prefix(folder)
        .with_context(|| format!("{file} isn't in {folder}"))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("copying {}", from.display()))
}

fn program(demo: &Demo<'_, '_>, script: &str, backend: &str, path: &Path) -> Result<Command> {
    let workspace = demo.workspace();
    let mut host = workspace.command(python::interpreter(workspace)?);
    host.env("PYTHONPATH", path)
        .arg(workspace.root.join(script))
        .arg(backend);
    Ok(host)
}

/// Builds the bare calls of the extension, and gives their folder. Without CMake or Python's headers the extension is compared
/// with a bare ctypes call instead.
fn floor_extension(demo: &mut Demo<'_, '_>) -> Result<Option<PathBuf>> {
    if which("cmake").is_none() {
        return Ok(None);
    }
    let python = python::interpreter(demo.workspace())?;
    let python = format!("-DPython3_EXECUTABLE={}", slashes(python));
    let build = demo.folder("python-floor");
    // Without the headers there's no such target.
    let _ = made(demo, "examples/demo", &build, &[python], "floor_extension");
    Ok(has_extension(&build).then_some(build))
}

fn has_extension(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.starts_with("floor_extension.")
            && path
                .extension()
                .is_some_and(|ending| ending == "so" || ending == "pyd")
    })
}
