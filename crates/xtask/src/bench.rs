//! `xtask bench`: ours beside the floor, in one run, as one table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::bdn;
use crate::budgets::judge;
use crate::dotnet::Dotnet;
use crate::java::Java;
use crate::jmh;
use crate::progress::{Progress, seconds};
use crate::python;
use crate::rows::{self, Row};
use crate::step::Step;
use crate::suites;
use crate::table::{Align, Table, bytes, nanoseconds};
use crate::tools::{output, which};
use crate::workspace::Workspace;

/// What `--host` may name; the first stands for Rust as well.
const HOSTS: [&str; 4] = ["c", "python", "java", "csharp"];

#[derive(Args)]
pub struct Options {
    /// Writes the rows to benches/results/MACHINE.json, from which the tables in the docs are made.
    #[arg(long)]
    save: bool,
    /// Shorter measurements: enough for a look, not for a claim.
    #[arg(long)]
    quick: bool,
    /// Measures this host only, instead of all; may be given several times.
    #[arg(long, value_parser = HOSTS, conflicts_with = "save")]
    host: Vec<String>,
    /// Measures nothing and prints the table of the last run.
    #[arg(long)]
    table: bool,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let folder = workspace.target.join("bench");
    if !options.table {
        let mut step = Step::start(workspace, "bench")?;
        measure(&mut step, &folder, options).inspect_err(|_| eprint!("{}", step.read_log()))?;
    }
    let rows = rows::read_folder(&folder.join("rows"))?;
    print!("{}", render(&rows));
    if options.save {
        let file = save(workspace, &rows)?;
        println!("\nsaved to {}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(step: &mut Step<'_>, folder: &Path, options: &Options) -> Result<()> {
    let workspace = step.workspace;
    let quick = options.quick;
    let wanted = |host: &str| options.host.is_empty() || options.host.iter().any(|it| it == host);
    // Rows of an earlier run would pass for rows of this one.
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    let row_folder = folder.join("rows");
    fs::create_dir_all(&row_folder).with_context(|| format!("making {}", row_folder.display()))?;
    let progress = Progress::start();
    let stage = |name: &str, step: &mut Step<'_>, work: &dyn Fn(&mut Step<'_>) -> Result<()>| {
        progress.begin(name);
        let began = Instant::now();
        let result = work(step);
        let mark = if result.is_ok() { "ok  " } else { "FAIL" };
        progress.end(
            name,
            &format!("{mark} {name} ({})", seconds(began.elapsed())),
        );
        result
    };
    stage(
        "building everything in release mode",
        step,
        &suites::release,
    )?;
    if wanted("c") && workspace.has_package("boundary") {
        let criterion = folder.join("criterion");
        stage("measuring the Rust and C hosts", step, &|step| {
            let mut command = workspace.cargo();
            command.args(["bench", "--locked", "--package", "boundary", "--bench", "*"]);
            command
                .env("CRITERION_HOME", &criterion)
                .env("RUSTBRIDGE_PLUGIN_DIR", workspace.target.join("release"));
            command.env("RUSTBRIDGE_BENCH_ROWS", &row_folder);
            if quick {
                command.args(["--", "--warm-up-time", "0.2", "--measurement-time", "0.5"]);
            }
            step.run(&mut command)?;
            rows::write(
                &row_folder.join("criterion.json"),
                &rows::from_criterion(&criterion)?,
            )
        })?;
    }
    if wanted("java") && workspace.has(jmh::FOLDER) {
        let java = Java::find()?;
        stage("building the Java benchmarks", step, &|step| {
            jmh::build(step, &java)
        })?;
        stage("measuring the Java host, FFM and JNI", step, &|step| {
            jmh::measure(step, &java, folder, &row_folder, quick)
        })?;
    }
    if wanted("csharp") && workspace.has(bdn::FOLDER) {
        let dotnet = Dotnet::find()?;
        stage("building the C# benchmarks", step, &|step| {
            bdn::build(step, &dotnet)
        })?;
        stage("measuring the C# host", step, &|step| {
            bdn::measure(step, &dotnet, folder, &row_folder, quick)
        })?;
    }
    if wanted("python") && workspace.has("rustbridge-python/benchmarks") {
        stage("installing the Python package", step, &|step| {
            python::install_package(step).map(drop)
        })?;
        for backend in python::backends(workspace) {
            stage(
                &format!("measuring the Python host, {backend}"),
                step,
                &|step| {
                    let report = folder.join(format!("python-{backend}.json"));
                    let mut command = workspace.command(python::program(workspace, "python"));
                    command
                        .args([
                            "-m",
                            "pytest",
                            "benchmarks",
                            "-p",
                            "no:cacheprovider",
                            "--benchmark-json",
                        ])
                        .arg(&report);
                    command.current_dir(workspace.root.join(python::FOLDER));
                    command
                        .env("RUSTBRIDGE_BACKEND", backend)
                        .env("RUSTBRIDGE_PLUGIN_DIR", workspace.target.join("release"));
                    command.env("RUSTBRIDGE_BENCH_ROWS", &row_folder);
                    if quick {
                        command.args([
                            "--benchmark-max-time",
                            "0.2",
                            "--benchmark-min-rounds",
                            "3",
                        ]);
                    }
                    step.run(&mut command)?;
                    rows::write(
                        &row_folder.join(format!("python-{backend}.json")),
                        &rows::from_pytest(&report)?,
                    )
                },
            )?;
        }
    }
    Ok(())
}

fn render(rows: &[Row]) -> String {
    let mut table = Table::new(&[
        ("host", Align::Left),
        ("transport", Align::Left),
        ("scenario", Align::Left),
        ("threads", Align::Right),
        ("ours", Align::Right),
        ("floor", Align::Right),
        ("ratio", Align::Right),
        ("allocated", Align::Right),
        ("budget", Align::Right),
        ("", Align::Left),
    ]);
    let mut last = None;
    for row in rows {
        let this = (&row.host, &row.transport);
        if last.is_some_and(|last| last != this) {
            table.gap();
        }
        last = Some(this);
        let (budget, verdict) = judge(row, rows);
        table.row(vec![
            row.host.clone(),
            row.transport.clone(),
            row.scenario.clone(),
            row.threads.to_string(),
            nanoseconds(row.ours_ns),
            row.floor_ns.map(nanoseconds).unwrap_or_default(),
            row.ratio
                .map(|ratio| format!("{ratio:.2}"))
                .unwrap_or_default(),
            row.alloc_bytes.map(bytes).unwrap_or_default(),
            budget,
            verdict.into(),
        ]);
    }
    let mut text = table.render();
    text.push_str("\nMedians of one run; ratio = ours / floor, a hand-written call that does the same work in the same run.\n");
    text
}

/// A run with what one needs to know to compare it with another.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    pub machine: String,
    pub cores: usize,
    pub rustc: String,
    pub python: String,
    /// Absent where Java wasn't measured yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub java: String,
    /// The .NET SDK, likewise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dotnet: String,
    pub commit: String,
    pub rows: Vec<Row>,
}

fn save(workspace: &Workspace, rows: &[Row]) -> Result<PathBuf> {
    let said = |program: &str, arguments: &[&str]| {
        let text = which(program)
            .and_then(|path| output(&path, arguments))
            .unwrap_or_default();
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    let machine = cpu_name()
        .unwrap_or_else(|| format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS));
    let results = Results {
        cores: workspace.cores,
        rustc: said("rustc", &["--version"]),
        python: workspace
            .python()
            .map(|python| crate::tools::show(python.version))
            .unwrap_or_default(),
        java: Java::find()
            .ok()
            .and_then(|java| output(&java.program("java"), &["--version"]))
            .and_then(|text| text.lines().next().map(|line| line.trim().to_owned()))
            .unwrap_or_default(),
        dotnet: crate::tools::find_dotnet()
            .and_then(|program| output(&program, &["--version"]))
            .map(|text| text.trim().to_owned())
            .unwrap_or_default(),
        commit: said("git", &["rev-parse", "--short", "HEAD"]),
        rows: rows.to_vec(),
        machine,
    };
    let folder = workspace.root.join("benches").join("results");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let file = folder.join(format!("{}.json", file_name(&results.machine)));
    let mut text = serde_json::to_string_pretty(&results).context("writing the results")?;
    text.push('\n');
    fs::write(&file, text).with_context(|| format!("writing {}", file.display()))?;
    Ok(file)
}

fn cpu_name() -> Option<String> {
    let name = if cfg!(target_os = "linux") {
        let info = fs::read_to_string("/proc/cpuinfo").ok()?;
        info.lines().find_map(|line| {
            line.strip_prefix("model name")?
                .split_once(':')
                .map(|(_, name)| name.trim().to_owned())
        })?
    } else if cfg!(target_os = "macos") {
        output(&which("sysctl")?, &["-n", "machdep.cpu.brand_string"])?
            .trim()
            .to_owned()
    } else {
        std::env::var("PROCESSOR_IDENTIFIER").ok()?
    };
    (!name.is_empty()).then_some(name)
}

fn file_name(machine: &str) -> String {
    let words = machine
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .map(str::to_ascii_lowercase)
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_gives_a_file_name() {
        assert_eq!(
            file_name("Intel(R) Xeon(R) CPU @ 2.20GHz"),
            "intel-r-xeon-r-cpu-2-20ghz"
        );
    }
}
