//! The suites of the Python package: format, lint, types, and tests on each backend.

use anyhow::Result;

use crate::bench;
use crate::demo;
use crate::doctor::Tool;
use crate::junit::Reports;
use crate::language::Language;
use crate::packages;
use crate::python;
use crate::recording::Recording;
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::tools::show;

/// Needed by whatever runs with the environment's Python.
pub const INSTALL: Suite = Suite {
    name: "python-install",
    about: "the wheel made and installed by pip",
    lane: Lane::Python,
    after: &["build"],
    run: install,
};

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[Suite {
        name: "ruff",
        about: "",
        lane: Lane::Python,
        after: &[],
        run: format,
    }],
    lint: &[
        Suite {
            name: "ruff",
            about: "ruff check and ruff format --check",
            lane: Lane::Python,
            after: &[],
            run: ruff,
        },
        Suite {
            name: "mypy",
            about: "mypy --strict, and the layers of the modules",
            lane: Lane::Python,
            after: &[],
            run: mypy,
        },
    ],
    test: &[
        INSTALL,
        Suite {
            name: "python-native",
            about: "the Python tests on the extension",
            lane: Lane::Python,
            after: &["python-install"],
            run: native,
        },
        Suite {
            name: "python-ctypes",
            about: "the same Python tests on ctypes",
            lane: Lane::Python,
            after: &["python-install"],
            run: ctypes,
        },
        Suite {
            name: "python-stubs",
            about: "stubtest: the type stubs against the installed package",
            lane: Lane::Python,
            after: &["python-install"],
            run: stubs,
        },
    ],
    list: Suite {
        name: "catalogue-python",
        about: "the pytest-benchmark benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Python,
        after: &["python-install"],
        run: |step| bench::check_list(step, &bench::PYTEST),
    },
    harness: &bench::PYTEST,
    demo: &demo::PYTHON,
    soak: &[
        Suite {
            name: "soak-python",
            about: "calls cancelled, closed and dropped at random, and the interpreter's end, on both backends",
            lane: Lane::Python,
            after: &["build"],
            run: soak,
        },
        Suite {
            name: "soak-types-python",
            about: "100,000 random values of every type through the client in Python and back, and as JSON, on both backends",
            lane: Lane::Python,
            after: &["build"],
            run: soak_types,
        },
    ],
    tools: &[Tool {
        name: "Python",
        found: |workspace| {
            let python = workspace.python()?;
            Some((show(python.version), python.path.display().to_string()))
        },
        needed_for: "Python binding (3.10 or later; extension from 3.11), demo",
        required: true,
        get: [
            "apt install python3 python3-venv",
            "brew install python",
            "winget install Python.Python.3.13",
        ],
    }],
};

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

fn has_package(step: &Step<'_>) -> bool {
    step.workspace.has("rustbridge-python/pyproject.toml")
}

pub fn format(step: &mut Step<'_>) -> Result<()> {
    tool(step, "ruff", &["format", python::FOLDER])?;
    tool(step, "ruff", &["check", "--fix", python::FOLDER])
}

pub fn ruff(step: &mut Step<'_>) -> Result<()> {
    if has_package(step) {
        tool(step, "ruff", &["check", python::FOLDER])?;
        tool(step, "ruff", &["format", "--check", python::FOLDER])?;
    }
    for folder in OTHERS.iter().filter(|folder| step.workspace.has(folder)) {
        tool(step, "ruff", &["check", folder])?;
    }
    Ok(())
}

pub fn mypy(step: &mut Step<'_>) -> Result<()> {
    if has_package(step) {
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
    }
    Ok(())
}

pub fn install(step: &mut Step<'_>) -> Result<()> {
    if has_package(step) {
        packages::install_wheel(step)?;
    }
    Ok(())
}

pub fn stubs(step: &mut Step<'_>) -> Result<()> {
    if has_package(step) {
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
    }
    Ok(())
}

pub fn native(step: &mut Step<'_>) -> Result<()> {
    tests(step, "native", &["python/native"])
}

pub fn ctypes(step: &mut Step<'_>) -> Result<()> {
    tests(step, "ctypes", &["python/ctypes"])
}

/// Calls at random and the end of Python, whose tests read the factor.
fn soak(step: &mut Step<'_>) -> Result<()> {
    let named = "test_hammer or test_python_ends_with_calls_pending";
    soaked(step, named, "pytest-soak.xml")
}

/// Random values, likewise.
fn soak_types(step: &mut Step<'_>) -> Result<()> {
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
    let reports = Reports::file(reports)?;
    step.test(&mut command, |_| reports.counts())
}

fn tests(step: &mut Step<'_>, backend: &str, hosts: &'static [&'static str]) -> Result<()> {
    if !has_package(step) {
        return Ok(());
    }
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
    let reports = Reports::file(reports)?;
    step.test(&mut command, |_| reports.counts())?;
    recording.end(step)
}
