//! Reads how many tests ran from JUnit's XML, which test runners of all languages write: surefire, JUnit's console launcher and
//! pytest do. libtest writes it on nightly only, and VSTest only with somebody else's package: their closing lines are read,
//! in `counts.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use regex::Regex;

use crate::counts::Counts;

/// The reports that one run of tests leaves, of which none is there before.
pub struct Reports {
    files: fn(&Path) -> Vec<PathBuf>,
    place: PathBuf,
}

impl Reports {
    /// One file with everything.
    pub fn file(place: PathBuf) -> Result<Reports> {
        Reports::fresh(place, |file| vec![file.to_path_buf()])
    }

    /// Files called `TEST-*.xml`, in any folder below the build folders of Maven's modules.
    pub fn of_maven(folders: &[PathBuf]) -> Result<Vec<Reports>> {
        folders
            .iter()
            .map(|folder| Reports::below(folder.join("target")))
            .collect()
    }

    /// The same below one folder.
    pub fn below(place: PathBuf) -> Result<Reports> {
        Reports::fresh(place, |folder| {
            let mut found = Vec::new();
            search(folder, 3, &mut found);
            found
        })
    }

    /// Removes what an earlier run has left.
    fn fresh(place: PathBuf, files: fn(&Path) -> Vec<PathBuf>) -> Result<Reports> {
        for file in files(&place) {
            if file.is_file() {
                fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
            }
        }
        Ok(Reports { files, place })
    }

    /// What the run has left; a run that came to no end may have left nothing.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for file in (self.files)(&self.place) {
            let text = fs::read(&file).unwrap_or_default();
            counts += suite(&String::from_utf8_lossy(&text)).unwrap_or_default();
        }
        counts
    }
}

fn search(folder: &Path, levels: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() && levels > 0 {
            search(&path, levels - 1, found);
        } else if name.starts_with("TEST-") && name.ends_with(".xml") {
            found.push(path);
        }
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
