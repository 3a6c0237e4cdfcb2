//! `xtask bench`: every language's harness, one after the other, into one file per machine and run.

mod bdn;
mod c;
mod collect;
mod criterion;
mod eta;
mod grpc;
mod jmh;
mod lists;
mod machine;
mod peers;
mod pin;
mod pytest;
mod show;
pub mod wine;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bench_report::{Budgets, Catalogue, Run, results::FORMAT};
use clap::Args;

use crate::progress::{Progress, seconds};
use crate::step::{Missing, Step};
use crate::workspace::Workspace;

pub use bdn::HARNESS as BDN;
pub use c::HARNESS as C;
pub use criterion::HARNESS as CRITERION;
pub use grpc::HARNESS as GRPC;
pub use grpc::{check as check_grpc, smoke as smoke_grpc};
pub use jmh::HARNESS as JMH;
pub use lists::{check as check_list, check_budgets};
pub use peers::HARNESS as PEERS;
pub use pytest::HARNESS as PYTEST;

use eta::{Durations, about};
use pin::{Bind, Pinning};

/// Longer than any one harness measures, and than all of them do.
const HARNESS: Duration = Duration::from_secs(2 * 3600);
const RUN: Duration = Duration::from_secs(8 * 3600);

const FIRST: &str = "building the libraries and plugins in release mode";

/// What harnesses load.
const NATIVES: [&str; 6] = [
    "rustbridge-capi",
    "rustbridge-jni",
    "hello-plugin",
    "conformance-plugin",
    "bench-plugin",
    "floor",
];

#[derive(Args)]
pub struct Options {
    /// Shorter measurements of less: five minutes, enough for a look, not for a claim.
    #[arg(long)]
    quick: bool,
    /// Measures this language only, instead of all; may be given several times.
    #[arg(long, value_name = "LANG")]
    only: Vec<String>,
    /// Measures only the scenarios whose name contains this.
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Measures other ways to call native code as well: UniFFI, BoltFFI, PyO3, JNA, cffi, the predecessor.
    #[arg(long)]
    peers: bool,
    /// Measures nothing and prints the last run against the budgets.
    #[arg(long)]
    table: bool,
    /// Writes the run into this folder, instead of benches/results/MACHINE for a full run and target/bench for any other.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What the report calls this system, where the system itself would say something else.
    #[arg(long, value_name = "LABEL")]
    platform: Option<String>,
}

impl Options {
    fn wants(&self, language: &str) -> bool {
        let named = self.only.iter().any(|only| only == language);
        match language {
            "peers" => named || self.peers,
            _ => named || self.only.is_empty(),
        }
    }

    /// Whether it measures everything that the catalogue promises.
    fn is_full(&self) -> bool {
        !self.quick && self.only.is_empty() && self.scenario.is_none()
    }
}

/// One language's tool, or one way beside all languages.
pub struct Harness {
    /// As in the catalogue's lanes.
    pub name: &'static str,
    /// As `--only` names it.
    pub language: &'static str,
    /// `measuring ..`
    title: &'static str,
    /// What has to be in the repository.
    folder: &'static str,
    /// Seconds that building takes if most is built already, and that a quick and a full run take: guesses for the
    /// first run's estimates. The last two are also what the harness may use.
    guess: [f64; 3],
    build: fn(&mut Job<'_, '_>) -> Result<()>,
    measure: fn(&mut Job<'_, '_>) -> Result<()>,
    /// What a full run measures, a line each; builds what it needs for that.
    list: fn(&mut Job<'_, '_>) -> Result<String>,
}

/// What a harness works with.
struct Job<'a, 'b> {
    step: &'a mut Step<'b>,
    /// Where tools put what they make of their own accord; empty at the beginning of a run.
    folder: &'a Path,
    /// Where measures go.
    rows: &'a Path,
    pinning: &'a Pinning,
    quick: bool,
    peers: bool,
    scenario: Option<&'a str>,
    /// What's added to the run's `method` and `tools`.
    method: &'a mut BTreeMap<String, String>,
    tools: &'a mut BTreeMap<String, String>,
    /// Parts that failed while the harness went on, and why.
    missing: &'a mut BTreeMap<String, String>,
}

impl<'b> Job<'_, 'b> {
    fn workspace(&self) -> &'b Workspace {
        self.step.workspace
    }

    fn natives(&self) -> PathBuf {
        self.workspace().target.join("release")
    }

    /// A command with what every harness finds in its environment.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        self.prepared(self.workspace().command(program))
    }

    fn prepared(&self, mut command: Command) -> Command {
        command
            .env("RUSTBRIDGE_PLUGIN_DIR", self.natives())
            .env("RUSTBRIDGE_LIBRARY", self.natives())
            .env("RUSTBRIDGE_BENCH_ROWS", self.rows);
        command
    }

    /// Runs a command on the processors that it should have.
    fn run(&mut self, command: Command, bind: Bind) -> Result<String> {
        let mut bound = self.pinning.bind(command, bind);
        self.step.run(&mut bound)
    }

    /// Says how a harness was run, in addition to what it says itself.
    fn say(&mut self, harness: &str, words: &str) {
        let said = self.method.entry(harness.to_owned()).or_default();
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.push_str(words);
    }

    /// Names a part that failed, or for which a tool is lacking.
    fn lack(&mut self, what: &str, error: &anyhow::Error, lacking: bool) {
        let why = blame(self.step, error, lacking);
        self.missing.insert(what.to_owned(), why);
    }

    fn tool(&mut self, name: &str, version: Option<String>) {
        if let Some(version) = version {
            self.tools.insert(name.to_owned(), version);
        }
    }
}

/// Measures with those of the harnesses that are wanted, in their order.
pub fn run(
    workspace: &Workspace,
    options: &Options,
    harnesses: &[&'static Harness],
) -> Result<ExitCode> {
    for name in &options.only {
        let names: Vec<&str> = harnesses.iter().map(|harness| harness.language).collect();
        ensure!(
            names.contains(&name.as_str()),
            "nothing measures `{name}`; there are: {}",
            names.join(", ")
        );
    }
    let folder = workspace.target.join("bench");
    let last = folder.join("last.json");
    let budgets = Budgets::read(&workspace.root.join("benches/budgets.toml"))?;
    if options.table {
        print!("{}", show::table(&Run::read(&last)?, &budgets));
        return Ok(ExitCode::SUCCESS);
    }
    let catalogue = Catalogue::read(&workspace.root.join("benches/catalogue.toml"))?;
    let wanted = wanted(options, harnesses, &catalogue)?;
    let mut session = Session::begin(workspace, options, &folder)?;
    let failed = session.measure_all(&wanted)?;
    let run = session.close(&catalogue, &wanted)?;
    let text = run.to_text()?;
    fs::write(&last, &text).with_context(|| format!("writing {}", last.display()))?;
    print!("{}", show::table(&run, &budgets));
    let file = session.destination(&run);
    let parent = file.parent().context("a file has a folder")?;
    fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
    fs::write(&file, &text).with_context(|| format!("writing {}", file.display()))?;
    println!("\n{} measures in {}", run.measures.len(), file.display());
    for (what, why) in &run.missing {
        println!("missing {what}: {why}");
    }
    let incomplete = options.is_full() && !run.missing.is_empty();
    Ok(if failed || (incomplete && workspace.ci) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The harnesses that have something to do.
fn wanted(
    options: &Options,
    harnesses: &[&'static Harness],
    catalogue: &Catalogue,
) -> Result<Vec<&'static Harness>> {
    let named = |harness: &&Harness| {
        let Some(name) = &options.scenario else {
            return true;
        };
        let keys = catalogue.expected_from(harness.name);
        keys.iter().any(|key| key.scenario.contains(name.as_str()))
    };
    let wanted: Vec<_> = harnesses
        .iter()
        .copied()
        .filter(|harness| options.wants(harness.language))
        .filter(named)
        .collect();
    ensure!(
        !wanted.is_empty(),
        "none of these languages has a scenario whose name contains `{}`; benches/catalogue.toml has them all",
        options.scenario.as_deref().unwrap_or_default()
    );
    Ok(wanted)
}

/// Why something is missing, in a line, with what the failing command said last; more of that goes to the terminal.
fn blame(step: &Step<'_>, error: &anyhow::Error, lacking: bool) -> String {
    let log = step.read_log();
    let lines: Vec<&str> = log.lines().collect();
    if !lacking {
        let tail = &lines[lines.len().saturating_sub(30)..];
        eprintln!("{}", tail.join("\n"));
    }
    // A file of results is no place for the paths of one machine.
    let root = step.workspace.root.to_string_lossy();
    let target = step.workspace.target.to_string_lossy();
    let neutral = |text: &str| text.replace(&*target, "target").replace(&*root, ".");
    let text = neutral(&format!("{error:#}"));
    let line = text.lines().next().unwrap_or_default();
    // A command is told by its first word; its arguments are many, and in the log.
    match line.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((command, rest)) => {
            let program = command.split(' ').next().unwrap_or_default();
            let last = lines.iter().rev().find(|line| !line.trim().is_empty());
            let said: String = neutral(last.unwrap_or(&"")).chars().take(200).collect();
            format!("`{program}`{rest}; it said last: {}", said.trim())
        }
        None => line.to_owned(),
    }
}

/// One run.
struct Session<'a> {
    workspace: &'a Workspace,
    options: &'a Options,
    folder: PathBuf,
    rows: PathBuf,
    step: Step<'a>,
    pinning: Pinning,
    durations: Durations,
    run: Run,
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
    fn begin(workspace: &'a Workspace, options: &'a Options, folder: &Path) -> Result<Session<'a>> {
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
    fn measure_all(&mut self, wanted: &[&'static Harness]) -> Result<bool> {
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
            let mut command = self.workspace.cargo();
            command.args(["build", "--locked", "--release", "--package", package]);
            self.step.run(&mut command)?;
        }
        Ok(())
    }

    /// Puts together what the harnesses have written, and says what of the catalogue isn't in it.
    fn close(&mut self, catalogue: &Catalogue, wanted: &[&Harness]) -> Result<Run> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn options(quick: bool, only: &[&str], peers: bool) -> Options {
        Options {
            quick,
            only: only.iter().map(|&only| only.to_owned()).collect(),
            scenario: None,
            peers,
            table: false,
            out: None,
            platform: None,
        }
    }

    #[test]
    fn peers_are_measured_only_when_asked_for() {
        assert!(options(false, &[], false).wants("java"));
        assert!(!options(false, &[], false).wants("peers"));
        assert!(options(false, &[], true).wants("peers"));
        let java = options(false, &["java"], true);
        assert!(java.wants("java") && java.wants("peers") && !java.wants("c"));
        assert!(options(false, &["peers"], false).wants("peers"));
    }

    #[test]
    fn only_a_whole_run_is_kept_as_a_result() {
        assert!(options(false, &[], true).is_full());
        assert!(!options(true, &[], false).is_full());
        assert!(!options(false, &["c"], false).is_full());
    }
}
