//! One run: builds and measures in order, and collects the figures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bench_report::{Catalogue, Run, results::FORMAT};

use super::harness::{Harness, Job, blame};
use super::options::Options;
use super::pin::Pinning;
use super::{collect, machine};
use crate::library;
use crate::progress::{Task, say, seconds};
use crate::step::{Missing, Step};
use crate::workspace::Workspace;

/// Longer than any one harness measures, and than all of them do.
const HARNESS: Duration = Duration::from_secs(2 * 3600);
const RUN: Duration = Duration::from_secs(8 * 3600);

/// The libraries that harnesses load.
pub const NATIVES: [&str; 7] = [
    "rustbridge-capi",
    "rustbridge-jni",
    "rustbridge-napi",
    "hello-plugin",
    "conformance-plugin",
    "bench-plugin",
    "floor",
];

/// One run.
pub struct Session<'a> {
    pub workspace: &'a Workspace,
    pub options: &'a Options,
    pub folder: PathBuf,
    pub rows: PathBuf,
    pub step: Step<'a>,
    pub pinning: Pinning,
    pub run: Run,
}

impl<'a> Session<'a> {
    pub fn begin(
        workspace: &'a Workspace,
        options: &'a Options,
        folder: &Path,
    ) -> Result<Session<'a>> {
        let work = folder.join("work");
        // Measures of an earlier run would pass for measures of this one.
        if work.exists() {
            fs::remove_dir_all(&work).with_context(|| format!("removing {}", work.display()))?;
        }
        let rows = work.join("rows");
        fs::create_dir_all(&rows).with_context(|| format!("making {}", rows.display()))?;
        let (commit, modified) = machine::commit(workspace);
        let machine = machine::machine(workspace, options.platform.as_deref());
        let mut tools = BTreeMap::new();
        let rustc = crate::tools::which("rustc");
        if let Some(said) = rustc.and_then(|path| crate::tools::output(&path, &["--version"])) {
            let version = said.trim().trim_start_matches("rustc ").to_owned();
            tools.insert("rustc".to_owned(), version);
        }
        Ok(Session {
            workspace,
            options,
            rows,
            step: Step::start(workspace, "bench")?.within(HARNESS, RUN),
            pinning: Pinning::find(),
            folder: folder.to_path_buf(),
            run: Run {
                format: FORMAT,
                machine,
                began: machine::now(),
                commit,
                modified,
                quick: options.quick,
                tools,
                method: BTreeMap::new(),
                missing: BTreeMap::new(),
                measures: Vec::new(),
            },
        })
    }

    /// Builds and measures. A harness that fails is among what is missing; the others go on.
    ///
    /// Returns whether one failed, which is more than a missing toolchain.
    pub fn measure_all(&mut self, wanted: &[&'static Harness]) -> Result<bool> {
        let natives = Task::begin("building the libraries and plugins in release mode");
        if let Err(error) = self.build_natives() {
            eprint!("{}", self.step.read_log());
            return Err(error);
        }
        drop(natives);
        let mut failed = false;
        // Everything is built first, so that no compiler has just warmed the machine up when a measurement begins.
        for is_build in [true, false] {
            for harness in wanted {
                if self.run.missing.contains_key(harness.language) {
                    continue;
                }
                let word = if is_build { "building" } else { "measuring" };
                let title = format!("{word} {}", harness.title);
                let task = Task::begin(&title);
                let began = Instant::now();
                let result = self.work(harness, is_build);
                let time = seconds(began.elapsed());
                drop(task);
                let Err(error) = result else {
                    say(&format!("ok   {title} ({time})"));
                    continue;
                };
                let lacking = error.is::<Missing>();
                let mark = if lacking { "skip" } else { "FAIL" };
                failed |= !lacking || self.workspace.ci;
                let why = blame(&self.step, &error, lacking);
                say(&format!("{mark} {title} ({time}): {why}"));
                self.run.missing.insert(harness.language.into(), why);
            }
        }
        Ok(failed)
    }

    fn work(&mut self, harness: &Harness, is_build: bool) -> Result<()> {
        if !self.workspace.has(harness.folder) {
            return Err(Missing(format!("{} isn't there", harness.folder)).into());
        }
        let folder = self.folder.join("work").join(harness.name);
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let mut job = Job {
            step: &mut self.step,
            folder: &folder,
            rows: &self.rows,
            pinning: &self.pinning,
            quick: self.options.quick,
            peers: self.options.wants("peers"),
            scenario: self.options.scenario.as_deref(),
            method: &mut self.run.method,
            tools: &mut self.run.tools,
            missing: &mut self.run.missing,
        };
        match is_build {
            true => (harness.build)(&mut job),
            false => (harness.measure)(&mut job),
        }
    }

    /// One by one, so that no package is built with the features that another one asks for.
    fn build_natives(&mut self) -> Result<()> {
        for package in NATIVES {
            library::build(&mut self.step, package)?;
        }
        Ok(())
    }

    /// Collects the harnesses' files into the run, and records the measures of the catalogue that are missing.
    pub fn close(&mut self, catalogue: &Catalogue, wanted: &[&Harness]) -> Result<Run> {
        let found = collect::read(&self.rows, &mut self.run.missing)?;
        self.run.measures = found.measures;
        self.run.tools.extend(found.tools);
        for (harness, words) in found.method {
            let said = self.run.method.entry(harness).or_default();
            *said = if said.is_empty() {
                words
            } else {
                format!("{words}; {said}")
            };
        }
        let languages: Vec<(&str, &str)> = wanted
            .iter()
            .map(|harness| (harness.name, harness.language))
            .collect();
        let complete = !self.options.quick && self.options.scenario.is_none();
        collect::compare(&mut self.run, catalogue, &languages, complete);
        Ok(self.run.clone())
    }

    /// Writes the run, and prints where it is and what is missing.
    pub fn save(&self, run: &Run) -> Result<()> {
        let file = self.destination(run);
        let parent = file.parent().context("a file has a folder")?;
        fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
        fs::write(&file, run.to_text()?).with_context(|| format!("writing {}", file.display()))?;
        println!("{} measures in {}", run.measures.len(), file.display());
        for (what, why) in &run.missing {
            println!("missing {what}: {why}");
        }
        Ok(())
    }

    fn destination(&self, run: &Run) -> PathBuf {
        let time: String = run.began.replace([':', '-'], "");
        let name = format!("{time}-{}.json", run.commit);
        let folder = match &self.options.out {
            Some(out) => out.clone(),
            None if self.options.is_full() => self
                .workspace
                .root
                .join("benches/results")
                .join(&run.machine.name),
            None => self.folder.clone(),
        };
        folder.join(name)
    }
}
