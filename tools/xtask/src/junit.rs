//! Reads how many tests ran from JUnit's XML, which test runners of all languages write: surefire, JUnit's console launcher and
//! pytest do. libtest writes it on nightly only, and VSTest only with somebody else's package: their closing lines are read,
//! in `counts.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

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
    let mut counts = Counts::default();
    let mut tests = 0;
    // Values have no quotes in them, and a tag ends at the first bracket that isn't in one.
    let mut rest = rest.trim_start();
    while !rest.starts_with(['>', '/']) {
        let (name, after) = rest.split_once('=')?;
        let quote = after
            .chars()
            .next()
            .filter(|quote| "'\"".contains(*quote))?;
        let (value, after) = after[1..].split_once(quote)?;
        let number = || value.parse::<u64>().ok();
        match name.trim() {
            "tests" => tests = number()?,
            "failures" | "errors" => counts.failed += number()?,
            "skipped" => counts.skipped = number()?,
            _ => {}
        }
        rest = after.trim_start();
    }
    counts.passed = tests.checked_sub(counts.failed + counts.skipped)?;
    Some(counts)
}

/// How many tests all of the modules ran.
pub fn sum(reports: &[Reports]) -> Counts {
    reports.iter().fold(Counts::default(), |mut sum, module| {
        sum += module.counts();
        sum
    })
}
