//! One run: what is built and measured, in what order, with what estimates, and what becomes of the figures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bench_report::{Catalogue, Run, results::FORMAT};

use super::eta::{Durations, about};
use super::harness::{Harness, Job, blame};
use super::options::Options;
use super::pin::Pinning;
use super::{collect, machine};
use crate::library;
use crate::progress::{Progress, seconds};
use crate::step::{Missing, Step};
use crate::workspace::Workspace;

/// Longer than any one harness measures, and than all of them do.
const HARNESS: Duration = Duration::from_secs(2 * 3600);
const RUN: Duration = Duration::from_secs(8 * 3600);

const FIRST: &str = "building the libraries and plugins in release mode";

/// What harnesses load.
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
    pub durations: Durations,
    pub run: Run,
}

/// Something that takes its time.
struct Stage {
    title: String,
    guess: f64,
    /// Builds, or measures; of no harness, the libraries are built.
    harness: Option<(&'static Harness, Kind)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Build,
    Measure,
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
            durations: Durations::read(folder, options.quick),
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

    /// Everything is built first, so that no compiler has just warmed the machine up when a measurement begins.
    fn stages(&self, wanted: &[&'static Harness]) -> Vec<Stage> {
        let mut stages = vec![Stage {
            title: FIRST.into(),
            guess: 120.0,
            harness: None,
        }];
        stages.extend(wanted.iter().map(|&harness| Stage {
            title: format!("building {}", harness.title),
            guess: harness.guess[0],
            harness: Some((harness, Kind::Build)),
        }));
        stages.extend(wanted.iter().map(|&harness| Stage {
            title: format!("measuring {}", harness.title),
            guess: harness.guess[if self.options.quick { 1 } else { 2 }],
            harness: Some((harness, Kind::Measure)),
        }));
        stages
    }

    /// Runs every stage. A harness that fails is named among what is missing; the others go on.
    ///
    /// True if one failed, which is more than lacking a toolchain.
    pub fn measure_all(&mut self, wanted: &[&'static Harness]) -> Result<bool> {
        let progress = Progress::start();
        let stages = self.stages(wanted);
        let mut failed = false;
        for (index, stage) in stages.iter().enumerate() {
            if let Some((harness, Kind::Measure)) = stage.harness
                && self.run.missing.contains_key(harness.language)
            {
                continue;
            }
            let still = stages[index..].iter().filter(|stage| {
                let harness = stage.harness.map(|(harness, _)| harness.language);
                !harness.is_some_and(|language| self.run.missing.contains_key(language))
            });
            let left: f64 = still
                .map(|stage| self.durations.expect(&stage.title, stage.guess))
                .sum();
            let own = about(self.durations.expect(&stage.title, stage.guess));
            let of = stages.len();
            progress.say(&format!(
                "[{}/{of}] {}: {own}; {} left in all",
                index + 1,
                stage.title,
                about(left)
            ));
            progress.begin(&stage.title);
            let began = Instant::now();
            let result = self.work(stage);
            let time = began.elapsed();
            let line = |mark: &str, more: &str| {
                format!("{mark} {} ({}){more}", stage.title, seconds(time))
            };
            match (result, stage.harness) {
                (Ok(()), _) => {
                    progress.end(&stage.title, &line("ok  ", ""));
                    // Measuring a part doesn't tell how long the whole takes.
                    let built = !matches!(stage.harness, Some((_, Kind::Measure)));
                    if built || self.options.scenario.is_none() {
                        self.durations.remember(&stage.title, time)?;
                    }
                }
                (Err(error), Some((harness, _))) => {
                    let lacking = error.is::<Missing>();
                    let mark = if lacking { "skip" } else { "FAIL" };
                    failed |= !lacking || self.workspace.ci;
                    let why = blame(&self.step, &error, lacking);
                    progress.end(&stage.title, &line(mark, &format!(": {why}")));
                    self.run.missing.insert(harness.language.into(), why);
                }
                (Err(error), None) => {
                    progress.end(&stage.title, &line("FAIL", ""));
                    eprint!("{}", self.step.read_log());
                    return Err(error);
                }
            }
        }
        Ok(failed)
    }

    fn work(&mut self, stage: &Stage) -> Result<()> {
        let Some((harness, kind)) = stage.harness else {
            return self.build_natives();
        };
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
        match kind {
            Kind::Build => (harness.build)(&mut job),
            Kind::Measure => (harness.measure)(&mut job),
        }
    }

    /// One by one, so that no package is built with the features that another one asks for.
    fn build_natives(&mut self) -> Result<()> {
        for package in NATIVES {
            library::build(&mut self.step, package)?;
        }
        Ok(())
    }

    /// Puts together what the harnesses have written, and says what of the catalogue isn't in it.
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

    pub fn destination(&self, run: &Run) -> PathBuf {
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
