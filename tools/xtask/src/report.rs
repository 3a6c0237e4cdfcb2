//! `cargo xtask report`: creates the pages of the benchmark report from result files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use bench_report::report::pages;
use bench_report::{Budgets, Catalogue, Run, Sources, newest};
use clap::Args;

use crate::workspace::Workspace;

/// The folder of the runs, with a folder for each machine.
const RESULTS: &str = "benches/results";

#[derive(Args)]
pub struct Options {
    /// Result files, or folders of them; by default the newest full run of each machine and platform in benches/results.
    files: Vec<PathBuf>,
    /// The folder for the pages, instead of target/report.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let runs = match options.files.is_empty() {
        true => committed(workspace)?,
        false => read(&options.files)?,
    };
    let folder = workspace.target.join("report");
    let folder = options.out.as_ref().unwrap_or(&folder);
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let pages = pages(&sources(workspace, runs)?);
    ensure!(
        !pages.is_empty(),
        "there is no full run in {RESULTS}; `cargo xtask bench` makes one, or name other files"
    );
    for (name, text) in pages {
        let file = folder.join(name);
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))?;
        println!("written: {}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The runs with the catalogue and the budgets.
pub fn sources(workspace: &Workspace, runs: Vec<Run>) -> Result<Sources> {
    let benches = workspace.root.join("benches");
    Ok(Sources {
        catalogue: Catalogue::read(&benches.join("catalogue.toml"))?,
        budgets: Budgets::read(&benches.join("budgets.toml"))?,
        runs,
    })
}

/// The newest full run of each machine and platform in the repository.
pub fn committed(workspace: &Workspace) -> Result<Vec<Run>> {
    let folder = workspace.root.join(RESULTS);
    let machines = entries(&folder)?.into_iter().filter(|path| path.is_dir());
    Ok(newest(read(&machines.collect::<Vec<_>>())?))
}

/// Reads files and the files in folders; their order doesn't matter.
fn read(paths: &[PathBuf]) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for path in paths {
        let files = match path.is_dir() {
            true => entries(path)?,
            false => vec![path.clone()],
        };
        let is_result = |file: &&PathBuf| file.extension().is_some_and(|it| it == "json");
        for file in files.iter().filter(is_result) {
            runs.push(Run::read(file)?);
        }
    }
    Ok(runs)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder.read_dir();
    let entries = entries.with_context(|| format!("reading {}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}
