//! The suites of the Python package: format, lint, types, and tests on each backend.

use anyhow::Result;

use crate::junit::Reports;
use crate::packages;
use crate::python;
use crate::recording::Recording;
use crate::step::Step;

/// Folders with Python of ours besides the package.
const OTHERS: &[&str] = &["benches", "conformance", "examples"];

/// Runs one of the environment's programs.
fn tool(step: &mut Step<'_>, name: &str, arguments: &[&str]) -> Result<()> {
    python::environment(step)?;
    let mut command = step
        .workspace
        .command(python::program(step.workspace, name));
    step.run(command.args(arguments))?;
    Ok(())
}

pub fn format(step: &mut Step<'_>) -> Result<()> {
    tool(step, "ruff", &["format", python::FOLDER])?;
    tool(step, "ruff", &["check", "--fix", python::FOLDER])
}

pub fn ruff(step: &mut Step<'_>) -> Result<()> {
    tool(step, "ruff", &["check", python::FOLDER])?;
    tool(step, "ruff", &["format", "--check", python::FOLDER])?;
    for folder in OTHERS.iter().filter(|folder| step.workspace.has(folder)) {
        tool(step, "ruff", &["check", folder])?;
    }
    Ok(())
}

pub fn mypy(step: &mut Step<'_>) -> Result<()> {
    python::environment(step)?;
    let mut command = step
        .workspace
        .command(python::program(step.workspace, "mypy"));
    // pyproject.toml names the files and says strict.
    let folder = step.workspace.root.join(python::FOLDER);
    step.run(command.current_dir(&folder))?;
    // It finds the package in the current folder.
    let mut layers = step
        .workspace
        .command(python::program(step.workspace, "lint-imports"));
    layers.args(["--no-cache", "../pyproject.toml"]);
    step.run(layers.current_dir(folder.join("src")))?;
    Ok(())
}

pub fn install(step: &mut Step<'_>) -> Result<()> {
    packages::install_wheel(step)?;
    Ok(())
}

pub fn stubs(step: &mut Step<'_>) -> Result<()> {
    python::environment(step)?;
    let mut command = step
        .workspace
        .command(python::program(step.workspace, "stubtest"));
    // From the target folder, so that the installed package is checked and not the sources.
    command.current_dir(step.workspace.target.join("venv"));
    let allowed = step
        .workspace
        .root
        .join(python::FOLDER)
        .join("stubtest-allowlist.txt");
    if allowed.is_file() {
        command.arg("--allowlist").arg(allowed);
    }
    step.run(command.arg("rustbridge"))?;
    Ok(())
}

pub fn native(step: &mut Step<'_>) -> Result<()> {
    tests(step, "native", &["python/native"])
}

pub fn ctypes(step: &mut Step<'_>) -> Result<()> {
    tests(step, "ctypes", &["python/ctypes"])
}

/// Calls at random and the end of Python, whose tests read the factor.
pub fn soak(step: &mut Step<'_>) -> Result<()> {
    let named = "test_hammer or test_python_ends_with_calls_pending";
    soaked(step, named, "pytest-soak.xml")
}

/// Random values, likewise.
pub fn soak_types(step: &mut Step<'_>) -> Result<()> {
    let named = "test_random_values_come_back_as_they_were";
    soaked(step, named, "pytest-soak-types.xml")
}

/// The tests of these names.
fn soaked(step: &mut Step<'_>, named: &str, report: &str) -> Result<()> {
    install(step)?;
    let python = python::environment(step)?;
    let mut command = step.workspace.command(python);
    command
        .args(["-m", "pytest", "-p", "no:cacheprovider", "-k", named])
        .current_dir(step.workspace.root.join(python::FOLDER))
        .env("RUSTBRIDGE_PLUGIN_DIR", &step.workspace.natives);
    let reports = step.workspace.target.join("xtask").join(report);
    command.arg(format!("--junitxml={}", reports.display()));
    let reports = Reports::at(reports)?;
    step.test(&mut command, |_| reports.counts())
}

fn tests(step: &mut Step<'_>, backend: &str, hosts: &'static [&'static str]) -> Result<()> {
    let python = python::environment(step)?;
    let mut command = step.workspace.command(python);
    command
        .args(["-m", "pytest", "-p", "no:cacheprovider"])
        .current_dir(step.workspace.root.join(python::FOLDER))
        .env("RUSTBRIDGE_BACKEND", backend)
        .env("RUSTBRIDGE_PLUGIN_DIR", &step.workspace.natives);
    let recording = Recording::here(step, hosts, &mut command)?;
    let reports = step.workspace.target.join("xtask");
    let reports = reports.join(format!("pytest-{backend}.xml"));
    command.arg(format!("--junitxml={}", reports.display()));
    let reports = Reports::at(reports)?;
    step.test(&mut command, |_| reports.counts())?;
    recording.end(step)
}
