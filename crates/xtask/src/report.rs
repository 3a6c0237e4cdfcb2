//! `cargo xtask report`: from result files to the documents that are made of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use bench_report::markdown::markdown;
use bench_report::page::page;
use bench_report::{Budgets, Catalogue, Predecessor, Run, Sources, newest, report};
use clap::Args;

use crate::workspace::Workspace;

/// Where runs are, a folder for each machine.
const RESULTS: &str = "benches/results";
/// Where the documents go.
const DOCUMENTS: &str = "docs/benchmarks";

#[derive(Args)]
pub struct Options {
    /// Result files, or folders of them; by default the newest full run of each machine and platform in benches/results.
    files: Vec<PathBuf>,
    /// Where to write index.md and report.html instead of docs/benchmarks.
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
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| workspace.root.join(DOCUMENTS));
    fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    for (name, text) in documents(&sources(workspace, runs)?) {
        let file = out.join(name);
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))?;
        println!("written: {}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The documents of the committed runs with their paths; none without a run.
pub fn committed_documents(workspace: &Workspace, sources: &Sources) -> Vec<(PathBuf, String)> {
    if sources.runs.is_empty() {
        return Vec::new();
    }
    let folder = workspace.root.join(DOCUMENTS);
    documents(sources)
        .into_iter()
        .map(|(name, text)| (folder.join(name), text))
        .collect()
}

fn documents(sources: &Sources) -> [(&'static str, String); 2] {
    let report = report(sources);
    [
        ("index.md", markdown(&report)),
        ("report.html", page(&report)),
    ]
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
