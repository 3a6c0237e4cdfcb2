//! Reads how many tests ran from JUnit's XML, which test runners of all languages write: surefire, JUnit's console launcher and
//! pytest do. libtest writes it on nightly only, and VSTest only with somebody else's package: their closing lines are read,
//! in `counts.rs`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use regex_lite::Regex;

use crate::counts::Counts;
use crate::files;

/// The reports that one run of tests leaves: one file, or all files `TEST-*.xml` below a folder. None is there before.
pub struct Reports(PathBuf);

impl Reports {
    /// Removes the reports of an earlier run.
    pub fn at(place: PathBuf) -> Result<Reports> {
        let reports = Reports(place);
        for file in reports.files() {
            fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
        }
        Ok(reports)
    }

    fn files(&self) -> Vec<PathBuf> {
        if self.0.is_file() {
            return vec![self.0.clone()];
        }
        let mut found = files::below(&self.0).unwrap_or_default();
        found.retain(|path| {
            let name = files::name(path);
            name.starts_with("TEST-") && name.ends_with(".xml")
        });
        found
    }

    /// The counts of the run; a run that didn't end may have left nothing.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for file in self.files() {
            let text = fs::read(&file).unwrap_or_default();
            counts += suite(&String::from_utf8_lossy(&text)).unwrap_or_default();
        }
        counts
    }
}

/// The counts of the suite that a report is about, of which each has one: `<testsuite tests="3" failures="1" …>`.
fn suite(xml: &str) -> Option<Counts> {
    let (_, rest) = xml.split_once("<testsuite ")?;
    let attribute = |name: &str| {
        let value = Regex::new(&format!(r#"\b{name}=["'](\d+)["']"#)).ok()?;
        value.captures(rest)?[1].parse::<u64>().ok()
    };
    let failed = attribute("failures")? + attribute("errors").unwrap_or_default();
    let skipped = attribute("skipped").unwrap_or_default();
    let passed = attribute("tests")?.checked_sub(failed + skipped)?;
    Some(Counts {
        passed,
        failed,
        skipped,
    })
}

/// How many tests all of the modules ran.
pub fn sum(reports: &[Reports]) -> Counts {
    reports.iter().fold(Counts::default(), |mut sum, module| {
        sum += module.counts();
        sum
    })
}
