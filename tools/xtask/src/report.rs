//! `cargo xtask report`: from result files to the long report, and the short one that the repository has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};
use bench_report::markdown::markdown;
use bench_report::page::page;
use bench_report::{Budgets, Catalogue, Predecessor, Report, Run, Sources, newest, report, short};
use clap::Args;

use crate::workspace::Workspace;

/// Where runs are, a folder for each machine.
const RESULTS: &str = "benches/results";
/// The short one, which the repository has.
const SHORT: &str = "docs/benchmarks/index.md";
/// As many lines as a reader takes at once.
const SHORTEST: usize = 400;

#[derive(Args)]
pub struct Options {
    /// Result files, or folders of them; by default the newest full run of each machine and platform in benches/results.
    files: Vec<PathBuf>,
    /// The folder for report.html and report.md instead of target/report.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let runs = if options.files.is_empty() {
        committed(workspace)?
    } else {
        let mut files = Vec::new();
        for path in &options.files {
            if path.is_dir() {
                files.extend(results_in(path)?);
            } else {
                files.push(path.clone());
            }
        }
        files
            .iter()
            .map(|file| Run::read(file))
            .collect::<Result<Vec<Run>>>()?
    };
    if runs.is_empty() {
        bail!(
            "there is no full run in {RESULTS}; `cargo xtask bench` makes one, and other files may be named"
        );
    }
    for run in &runs {
        println!(
            "{}, {}: {} measures, commit {}",
            run.machine.name,
            run.machine.platform,
            run.measures.len(),
            run.commit
        );
    }
    let out = options.out.clone().unwrap_or_else(|| folder(workspace));
    for file in write(&report(&sources(workspace, runs)?), &out)? {
        println!("written: {}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the long report and what's made to look at it go.
pub fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("report")
}

/// Writes the long report as a page and as text.
pub fn write(report: &Report, folder: &Path) -> Result<[PathBuf; 2]> {
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let files = [folder.join("report.html"), folder.join("report.md")];
    for (file, text) in files.iter().zip([page(report), markdown(report)]) {
        fs::write(file, text).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(files)
}

/// The short report of the committed runs with its path; nothing without a run.
pub fn committed_document(
    workspace: &Workspace,
    sources: &Sources,
) -> Result<Option<(PathBuf, String)>> {
    if sources.runs.is_empty() {
        return Ok(None);
    }
    let text = markdown(&short(sources));
    let lines = text.lines().count();
    ensure!(
        lines <= SHORTEST,
        "{SHORT} would have {lines} lines, more than {SHORTEST}"
    );
    Ok(Some((workspace.root.join(SHORT), text)))
}

/// Runs, and what is known beside them.
pub fn sources(workspace: &Workspace, runs: Vec<Run>) -> Result<Sources> {
    let benches = workspace.root.join("benches");
    Ok(Sources {
        catalogue: Catalogue::read(&benches.join("catalogue.toml"))?,
        budgets: Budgets::read(&benches.join("budgets.toml"))?,
        predecessor: Predecessor::read(&benches.join("predecessor.json"))?,
        runs,
    })
}

/// The newest full run of each machine and platform in the repository.
pub fn committed(workspace: &Workspace) -> Result<Vec<Run>> {
    let Ok(machines) = workspace.root.join(RESULTS).read_dir() else {
        return Ok(Vec::new());
    };
    let mut runs = Vec::new();
    for machine in machines
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
    {
        for file in results_in(&machine)? {
            runs.push(Run::read(&file)?);
        }
    }
    Ok(newest(runs))
}

/// The result files of a folder; their order means nothing.
fn results_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder
        .read_dir()
        .with_context(|| format!("reading {}", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    Ok(files
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
        .collect())
}
