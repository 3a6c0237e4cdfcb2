//! Starting tests that start the judge of the conformance cases: where it is, where it leaves its files, and how many cases
//! it counted in them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::conformance;
use crate::counts::Counts;
use crate::junit::Reports;
use crate::step::Step;
use crate::tested;

/// Names the judge's folder for results.
const RESULTS: &str = "RUSTBRIDGE_CONFORMANCE_RESULTS";

/// Names the judge that the tests start; without it they have cargo build it.
const JUDGE: &str = "RUSTBRIDGE_CONFORMANCE_JUDGE";

/// The judge's package and program.
const NAME: &str = "rustbridge-conformance";

/// Hosts that tests are about to judge.
pub struct Recording {
    platform: String,
    folder: PathBuf,
    reports: Vec<(&'static str, Reports)>,
    judge: PathBuf,
}

impl Recording {
    /// Builds the judge and removes the results of an earlier run. The hosts are named as in the catalogue of scenarios:
    /// `python/native`; the platform as the table is to name it.
    pub fn begin(
        step: &mut Step<'_>,
        platform: &str,
        hosts: &'static [&'static str],
    ) -> Result<Recording> {
        let built = tested::binaries(step, &[NAME])?;
        let program = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
        let folder = conformance::left(step.workspace);
        let mut reports = Vec::new();
        for host in hosts {
            let file = folder.join(format!("{}-{}.xml", slug(platform), slug(host)));
            // Nobody reads counts without their report.
            let kept = file.with_extension("json");
            if kept.exists() {
                fs::remove_file(&kept).with_context(|| format!("removing {}", kept.display()))?;
            }
            reports.push((*host, Reports::at(file)?));
        }
        Ok(Recording {
            platform: platform.to_owned(),
            folder,
            reports,
            judge: built.join(program),
        })
    }

    /// The same for hosts of the system this runs on, with what the tests' command has to know in its environment.
    pub fn here(
        step: &mut Step<'_>,
        hosts: &'static [&'static str],
        command: &mut Command,
    ) -> Result<Recording> {
        let platform = match std::env::consts::OS {
            "linux" => "Linux",
            "macos" => "macOS",
            "windows" => "Windows",
            other => other,
        };
        let recording = Recording::begin(step, platform, hosts)?;
        command
            .env(RESULTS, &recording.folder)
            .env(JUDGE, &recording.judge);
        Ok(recording)
    }

    /// The judge itself, for a testee that no test can start it with. The testee's program and arguments are to follow.
    pub fn judge(&self, step: &Step<'_>) -> Command {
        let mut command = step.workspace.command(&self.judge);
        command
            .args(["run", "--platform", &self.platform])
            .arg("--results")
            .arg(&self.folder);
        command
    }

    /// What the judge has counted: cases in ways.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (_, reports) in &self.reports {
            counts += reports.counts();
        }
        counts
    }

    /// Adds what the judge has counted to the tests. Which of the hosts run depends on what is installed; the log names those
    /// that didn't.
    pub fn end(self, step: &mut Step<'_>) -> Result<()> {
        for (host, reports) in &self.reports {
            let found = reports.counts();
            step.note(&format!("{host}: {found} conformance cases in all ways"))?;
            step.counts += found;
        }
        Ok(())
    }
}

/// Lower-case letters, digits and hyphens.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}
