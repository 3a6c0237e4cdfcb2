//! The packages with the libraries for Windows in them: made here, and loaded from under Wine.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;

use super::cross::{Cross, SYSTEM};
use super::{hosts, rust};
use crate::files::{copy, emptied};
use crate::packages::loading::System;
use crate::packages::making::{self, Making};
use crate::packages::{self, report};
use crate::platforms::{DOTNET, NODE};
use crate::step::Step;
use crate::workspace::Workspace;

/// The platform of the wheel.
const WHEEL: &str = "win_amd64";

/// The libraries inside packages, as cargo calls them for Windows.
const LIBRARIES: [&str; 3] = [
    "rustbridge.dll",
    "rustbridge_jni.dll",
    "rustbridge_napi.dll",
];

/// Makes the packages with the libraries for Windows in them as well, and the wheel for Windows. Windows itself makes the package for C, because
/// its compiler has another form of static library.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let cross = Cross::ready(workspace)?;
    let mut step = Step::start(workspace, "windows-package")?;
    make(&mut step, &cross)
        .and_then(|folder| report(&mut step, &folder))
        .inspect_err(|_| eprint!("{}", step.read_log()))
}

fn make(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<PathBuf> {
    let work = emptied(step.workspace.target.join("xtask").join("windows-package"))?;
    for package in [
        "rustbridge-capi",
        "rustbridge-jni",
        "rustbridge-napi",
        rust::EXTENSION,
    ] {
        rust::library(step, cross, package)?;
    }
    let natives = natives(&work, &cross.release_libraries())?;
    let folder = packages::make(step, Some(&natives))?;
    if folder.join("python").is_dir() {
        let wheel = wheel(step, &work, &cross.release_libraries())?;
        packages::add_wheel(&folder, &wheel)?;
    }
    Ok(folder)
}

/// Copies the libraries to where packages of several systems expect them.
fn natives(work: &Path, libraries: &Path) -> Result<PathBuf> {
    let natives = work.join("natives");
    for library in LIBRARIES {
        copy(
            &libraries.join(library),
            &natives.join(SYSTEM).join(library),
        )?;
    }
    Ok(natives)
}

fn wheel(step: &mut Step<'_>, work: &Path, libraries: &Path) -> Result<PathBuf> {
    let extension = libraries.join("_native.dll");
    making::wheel(step, &work.join("wheel"), &extension, "_native.pyd", WHEEL)
}

/// The suite.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let cross = Cross::ready(workspace)?;
    let folder = emptied(workspace.target.join("xtask").join("windows-packages"))?;
    let natives = natives(&folder, &cross.libraries())?;
    let packages = folder.join("packages");
    let making = Making {
        folder: &packages,
        more: Some(&natives),
        build: |step, _| Ok(step.workspace.natives.clone()),
    };
    making.jars(step, &workspace.natives, false)?;
    making.nuget(step, &workspace.natives)?;
    making.go(workspace, &workspace.natives)?;
    making.npm(step, &workspace.natives)?;
    let wheel = wheel(step, &folder, &cross.libraries())?;
    let system = System {
        packages: &packages,
        folder: &folder.join("loading"),
        command: &|program| cross.program(program),
        path: &|path| Cross::path(path),
        separator: ";",
        plugin: cross.libraries().join("hello_plugin.dll"),
    };
    let home = hosts::python::home(&cross);
    let with_home = |command: &mut Command| {
        command.env("PYTHONHOME", Cross::path(&home));
    };
    system.python(step, &home.join("python.exe"), &wheel, with_home)?;
    system.java(step, &hosts::java::home(&cross).join("bin/java.exe"))?;
    system.dotnet(step, &DOTNET.name(SYSTEM))?;
    let build = hosts::go::go(&cross, "", &["build", "-buildvcs=false", "-o"])?;
    system.go(step, build, "program.exe")?;
    let installed = system.npm(step)?;
    let addon = installed
        .join("node_modules/rustbridge/native")
        .join(NODE.name(SYSTEM));
    let problem = (!addon.is_dir()).then(|| format!("there's no {}", addon.display()));
    step.check("the npm package has the addon for Windows", problem)?;
    let node = System {
        command: &|_| hosts::node::filed(&cross, &folder.join("said")),
        ..system
    };
    node.node(step, &installed, Path::new("node.exe"))
}
