//! Choosing suites, running them side by side and telling how they ended.

use std::process::ExitCode;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{panic, thread};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use crate::budgets::{self, Budgets};
use crate::counts::Counts;
use crate::digest;
use crate::progress::{processor_minutes, say, seconds};
use crate::step::{Missing, Step, Unavailable};
use crate::workspace::Workspace;

/// What may not run at the same time, because it would only wait for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Commands that hold the lock of what cargo builds for development.
    Cargo,
    /// Commands that hold the lock of what it builds in release mode.
    Release,
    /// Commands that build into a target folder of their own.
    OwnTarget,
    /// Maven, which builds into the folders of its modules.
    Maven,
    /// The .NET SDK, which builds into the folders of its projects.
    Dotnet,
    /// Python's tools, which share one virtual environment.
    Python,
    /// What is built for Windows and run under Wine, which has one folder.
    Windows,
    /// Everything that runs what others have built.
    Free,
}

/// What a command and a suite may take that repeats things a hundred times as often.
const SOAKED_COMMAND: Duration = Duration::from_secs(4 * 3600);
const SOAKED: Duration = Duration::from_secs(8 * 3600);

/// One named part of `xtask test`.
#[derive(Clone, Copy)]
pub struct Suite {
    pub name: &'static str,
    pub about: &'static str,
    pub lane: Lane,
    /// Suites that come before this one, if they are among those that run. If one fails that isn't one of [`TESTS`], this one isn't run.
    pub after: &'static [&'static str],
    pub run: fn(&mut Step<'_>) -> Result<()>,
}

/// Suites of tests that others come after, which need what was built for them: one that fails stops no other.
const TESTS: [&str; 4] = ["c", "java", "mypy", "node"];

/// Which suites to run.
#[derive(Args, Default)]
pub struct Selection {
    /// Run only this suite, or all suites of this language, and the suites that they need; may be given several times.
    #[arg(long, value_name = "SUITE")]
    only: Vec<String>,
    /// Run all suites except this one; may be given several times.
    #[arg(long, value_name = "SUITE")]
    without: Vec<String>,
    /// Also run the suites of the other shards, which other commits run.
    #[arg(long)]
    all: bool,
    /// List the suites and do nothing.
    #[arg(long)]
    list: bool,
    /// First install the missing tools that Debian or rustup has. Without it, suites that need a missing tool are skipped.
    #[arg(long)]
    setup: bool,
}

impl Selection {
    pub fn everything() -> Selection {
        Selection::default()
    }

    /// Whether all suites are run, except those that are excluded by name.
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && !self.list
    }

    /// Whether what is missing is to be installed.
    pub fn installs(&self) -> bool {
        self.setup
    }

    /// Whether that comes before anything is run: a list needs nothing.
    pub fn installs_first(&self) -> bool {
        self.setup && !self.list
    }
}

/// How a suite ended.
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

pub struct Report {
    pub name: &'static str,
    verdict: Verdict,
    pub time: Duration,
    /// What its commands took of the processors, where the system tells.
    work: Duration,
    pub counts: Counts,
    skipped_parts: Vec<String>,
    /// What its log says of failures; empty if it hasn't failed.
    digest: Vec<String>,
}

impl Report {
    fn has_passed(&self) -> bool {
        matches!(self.verdict, Verdict::Passed)
    }

    /// In a word, with the reason where there is one.
    pub fn outcome(&self) -> String {
        match &self.verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Failed(why) => format!("failed: {why}"),
            Verdict::Skipped(why) => format!("skipped: {why}"),
        }
    }
}

/// Runs the selected suites, one more at once than there are cores, since tests wait as well as compute (four at most: the
/// builds among them use several cores themselves), and prints the closing line.
pub fn run(workspace: &Workspace, suites: Vec<Suite>, selection: &Selection) -> Result<ExitCode> {
    run_and_keep(workspace, suites, selection, |_| Ok(()))
}

/// Runs the suites of this commit's shard and those without a shard, unless the command line selects otherwise. Whole builds of several
/// minutes are divided into shards, so that testing a commit takes half the time.
pub fn run_shard(
    workspace: &Workspace,
    suites: Vec<Suite>,
    selection: &Selection,
) -> Result<ExitCode> {
    if selection.all || !selection.is_everything() {
        return run(workspace, suites, selection);
    }
    let shard = workspace.commits() % budgets::SHARDS;
    let (suites, others) = divide(select(suites, selection)?, &budgets::all()?, shard);
    say(&format!(
        "shard {shard} of {}; `cargo xtask test --all` runs every suite",
        budgets::SHARDS
    ));
    let began = Instant::now();
    let mut reports = execute(workspace, &suites);
    keep_times(workspace, &reports)?;
    reports.extend(others.iter().map(|(suite, of)| left_out(suite, *of)));
    close(&reports, began.elapsed())
}

/// The suites to run for a shard, and the others with their shards. A suite that another one needs runs with it.
fn divide(
    suites: Vec<Suite>,
    budgets: &Budgets,
    shard: usize,
) -> (Vec<Suite>, Vec<(Suite, usize)>) {
    let shard_of = |name: &str| budgets.get(name).and_then(|budget| budget.shard);
    let runs = |suite: &&Suite| shard_of(suite.name).is_none_or(|of| of == shard);
    let wanted = suites.iter().filter(runs).map(|suite| suite.name).collect();
    let wanted = with_needed(&suites, wanted);
    let (suites, others): (Vec<Suite>, Vec<Suite>) = suites
        .into_iter()
        .partition(|suite| wanted.contains(&suite.name));
    let others = others
        .into_iter()
        .filter_map(|suite| Some((suite, shard_of(suite.name)?)));
    (suites, others.collect())
}

/// The report of a suite of another shard.
fn left_out(suite: &Suite, shard: usize) -> Report {
    Report {
        name: suite.name,
        verdict: Verdict::Skipped(format!("it's in shard {shard}")),
        time: Duration::ZERO,
        work: Duration::ZERO,
        counts: Counts {
            skipped: 1,
            ..Counts::default()
        },
        skipped_parts: Vec::new(),
        digest: Vec::new(),
    }
}

fn keep_times(workspace: &Workspace, reports: &[Report]) -> Result<()> {
    let passed = reports.iter().filter(|report| report.has_passed());
    let times = passed.map(|report| (report.name, report.work, report.time));
    budgets::keep(&workspace.target, times)
}

/// The same, and has what came out kept before it's printed.
pub fn run_and_keep(
    workspace: &Workspace,
    suites: Vec<Suite>,
    selection: &Selection,
    keep: impl FnOnce(&[Report]) -> Result<()>,
) -> Result<ExitCode> {
    if selection.list {
        for suite in &suites {
            println!("{:<16} {}", suite.name, suite.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let suites = select(suites, selection)?;
    let began = Instant::now();
    let reports = execute(workspace, &suites);
    keep(&reports)?;
    keep_times(workspace, &reports)?;
    close(&reports, began.elapsed())
}

fn select(mut suites: Vec<Suite>, selection: &Selection) -> Result<Vec<Suite>> {
    let all: Vec<&str> = suites.iter().map(|suite| suite.name).collect();
    for name in selection.only.iter().chain(&selection.without) {
        if named(&all, name).is_empty() {
            let names: Vec<&str> = suites.iter().map(|suite| suite.name).collect();
            bail!(
                "there is no suite `{name}`; there are: {}",
                names.join(", ")
            );
        }
    }
    if !selection.only.is_empty() {
        let wanted = selection.only.iter().flat_map(|name| named(&all, name));
        let wanted = with_needed(&suites, wanted.collect());
        let selected: Vec<bool> = suites
            .iter()
            .map(|suite| wanted.contains(&suite.name))
            .collect();
        let mut selected = selected.into_iter();
        suites.retain(|_| selected.next() == Some(true));
    }
    let without: Vec<&str> = selection
        .without
        .iter()
        .flat_map(|name| named(&all, name))
        .collect();
    suites.retain(|suite| !without.contains(&suite.name));
    Ok(suites)
}

/// The suite with this name, or those of a language, such as `python-native` and others for `python`.
fn named<'s>(all: &[&'s str], name: &str) -> Vec<&'s str> {
    if let Some(suite) = all.iter().find(|suite| **suite == name) {
        return vec![suite];
    }
    let group = format!("{name}-");
    all.iter()
        .copied()
        .filter(|suite| suite.starts_with(&group))
        .collect()
}

/// Those names and the names of all suites that have to run before.
fn with_needed<'n>(suites: &[Suite], mut names: Vec<&'n str>) -> Vec<&'n str> {
    // Later suites come after what they need, so one pass backwards finds everything.
    for suite in suites.iter().rev() {
        if names.contains(&suite.name) {
            names.extend(suite.after);
        }
    }
    names
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Passed,
    NotPassed,
}

fn execute(workspace: &Workspace, suites: &[Suite]) -> Vec<Report> {
    let states = Mutex::new(vec![State::Waiting; suites.len()]);
    let changed = Condvar::new();
    let reports = Mutex::new(Vec::new());
    let workers = (workspace.cores + 1).min(4);
    let work = || {
        while let Some(next) = take(suites, &states, &changed) {
            let suite = &suites[next];
            let report = match next_blocker(suites, &states, next) {
                Some(blocker) => blocked(suite, blocker),
                None => run_one(workspace, suite),
            };
            let passed = matches!(report.verdict, Verdict::Passed | Verdict::Skipped(_));
            reports
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(report);
            states.lock().unwrap_or_else(PoisonError::into_inner)[next] = if passed {
                State::Passed
            } else {
                State::NotPassed
            };
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    reports.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the first suite that may start now, waiting until one may; `None` when none is left.
fn take(suites: &[Suite], states: &Mutex<Vec<State>>, changed: &Condvar) -> Option<usize> {
    let mut states = states.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if !states.contains(&State::Waiting) {
            return None;
        }
        let ready = (0..suites.len()).find(|&index| {
            states[index] == State::Waiting
                && needs(suites, index)
                    .all(|need| matches!(states[need], State::Passed | State::NotPassed))
                && (suites[index].lane == Lane::Free
                    || !(0..suites.len()).any(|other| {
                        states[other] == State::Running && suites[other].lane == suites[index].lane
                    }))
        });
        if let Some(index) = ready {
            states[index] = State::Running;
            return Some(index);
        }
        states = changed.wait(states).unwrap_or_else(PoisonError::into_inner);
    }
}

fn needs(suites: &[Suite], index: usize) -> impl Iterator<Item = usize> {
    suites[index]
        .after
        .iter()
        .filter_map(|name| suites.iter().position(|suite| suite.name == *name))
}

fn next_blocker(
    suites: &[Suite],
    states: &Mutex<Vec<State>>,
    index: usize,
) -> Option<&'static str> {
    let states = states.lock().unwrap_or_else(PoisonError::into_inner);
    needs(suites, index)
        .find(|&need| states[need] == State::NotPassed && !TESTS.contains(&suites[need].name))
        .map(|need| suites[need].name)
}

fn blocked(suite: &Suite, blocker: &str) -> Report {
    let why = format!("not run, because {blocker} failed");
    say(&format!("FAIL {:<16} {why}", suite.name));
    Report {
        name: suite.name,
        verdict: Verdict::Failed(why),
        time: Duration::ZERO,
        work: Duration::ZERO,
        counts: Counts {
            failed: 1,
            ..Counts::default()
        },
        skipped_parts: Vec::new(),
        digest: Vec::new(),
    }
}

fn run_one(workspace: &Workspace, suite: &Suite) -> Report {
    let began = Instant::now();
    let mut step = match Step::start(workspace, suite.name) {
        Ok(step) if workspace.soak > 1 => step.within(SOAKED_COMMAND, SOAKED),
        Ok(step) => step,
        Err(error) => {
            say(&format!("FAIL {:<16} {error:#}", suite.name));
            return Report {
                name: suite.name,
                verdict: Verdict::Failed(format!("{error:#}")),
                time: Duration::ZERO,
                work: Duration::ZERO,
                counts: Counts {
                    failed: 1,
                    ..Counts::default()
                },
                skipped_parts: Vec::new(),
                digest: Vec::new(),
            };
        }
    };
    let result = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        (suite.run)(&mut step).and_then(|()| step.finish())
    }))
    .unwrap_or_else(|_| Err(anyhow!("xtask itself panicked; the message is above")));
    let verdict = judge(result, workspace.ci);
    let mut counts = step.counts;
    let took = began.elapsed();
    let time = format!(
        "{:>12}, {} of processors",
        seconds(took),
        seconds(step.work)
    );
    let mut told = Vec::new();
    let line = match &verdict {
        Verdict::Passed if counts.total() == 0 => format!("ok   {:<16} {time}", suite.name),
        Verdict::Passed => format!("ok   {:<16} {time}   {counts}", suite.name),
        Verdict::Skipped(why) => {
            counts.skipped += 1;
            format!("skip {:<16} {time}   {why}", suite.name)
        }
        Verdict::Failed(why) => {
            counts.failed = counts.failed.max(1);
            let log = step.read_log();
            told = digest::of(&log);
            let rule = "-".repeat(72);
            // What tells comes before the whole log: whoever keeps only so much behind the word FAIL is to see why.
            let telling = indented(&told);
            format!(
                "FAIL {:<16} {time}   {why}\n{telling}{rule}\n{log}\n{rule}",
                suite.name
            )
        }
    };
    say(&line);
    Report {
        name: suite.name,
        verdict,
        time: took,
        work: step.work,
        counts,
        skipped_parts: step.skipped,
        digest: told,
    }
}

fn judge(result: Result<()>, ci: bool) -> Verdict {
    match result {
        Ok(()) => Verdict::Passed,
        Err(error) if error.is::<Unavailable>() => Verdict::Skipped(format!("{error:#}")),
        Err(error) if error.is::<Missing>() && !ci => Verdict::Skipped(format!("{error:#}")),
        Err(error) => Verdict::Failed(format!("{error:#}")),
    }
}

fn close(reports: &[Report], time: Duration) -> Result<ExitCode> {
    let mut counts = Counts::default();
    println!();
    for report in reports {
        counts += report.counts;
        if let Verdict::Skipped(why) = &report.verdict {
            println!("skipped {}: {why}", report.name);
        }
        for part in &report.skipped_parts {
            println!("skipped in {}: {part}", report.name);
        }
    }
    for line in slowest(reports) {
        println!("{line}");
    }
    let budgets = budgets::all()?;
    for report in reports {
        if let Some(line) = budgets::excess(&budgets, report.name, report.work) {
            println!("{line}");
        }
    }
    // Again and last, for whoever keeps only the end of what's printed.
    let mut failed = false;
    for report in reports {
        if let Verdict::Failed(why) = &report.verdict {
            failed = true;
            println!("failed {}: {why}", report.name);
            print!("{}", indented(&report.digest));
        }
    }
    // Of all that was started, daemons and what suites started without a step included.
    let work = child_process::work_of_all();
    println!(
        "{} suites in {}; {}",
        reports.len(),
        seconds(time),
        processor_minutes(work)
    );
    println!("{counts}");
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}\n")).collect()
}

/// Where the time went: the ten that took the longest, if there are more than that.
fn slowest(reports: &[Report]) -> Vec<String> {
    const SHOWN: usize = 10;
    if reports.len() <= SHOWN {
        return Vec::new();
    }
    let mut by_time: Vec<&Report> = reports.iter().collect();
    by_time.sort_by_key(|report| std::cmp::Reverse(report.time));
    let mut lines = vec!["the slowest suites: their time, and their processor time".to_owned()];
    lines.extend(by_time.iter().take(SHOWN).map(|report| {
        let [time, work] = [report.time, report.work].map(seconds);
        format!("{time:>14} {work:>14}   {}", report.name)
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_slowest_are_named_and_a_short_run_names_none() {
        let report = |number: u64| Report {
            name: "x",
            verdict: Verdict::Passed,
            time: Duration::from_secs(number),
            work: Duration::from_secs(2 * number),
            counts: Counts::default(),
            skipped_parts: Vec::new(),
            digest: Vec::new(),
        };
        let reports: Vec<Report> = (1..=12).map(report).collect();
        let lines = slowest(&reports);
        assert_eq!(lines.len(), 11);
        assert!(lines[1].contains("12.0 s"), "{lines:?}");
        assert!(lines[10].contains("3.0 s"), "{lines:?}");
        assert!(slowest(&reports[..10]).is_empty());
    }

    fn suite(
        name: &'static str,
        after: &'static [&'static str],
        run: fn(&mut Step<'_>) -> Result<()>,
    ) -> Suite {
        Suite {
            name,
            about: "",
            lane: Lane::Free,
            after,
            run,
        }
    }

    fn names(suites: &[Suite]) -> Vec<&str> {
        suites.iter().map(|suite| suite.name).collect()
    }

    #[test]
    fn choosing_a_suite_brings_what_it_needs() {
        let all = || {
            vec![
                suite("a", &[], |_| Ok(())),
                suite("b", &["a"], |_| Ok(())),
                suite("c", &[], |_| Ok(())),
                suite("d-e", &[], |_| Ok(())),
            ]
        };
        let only = Selection {
            only: vec!["b".into()],
            ..Selection::default()
        };
        assert_eq!(
            names(&select(all(), &only).expect("b is there")),
            ["a", "b"]
        );
        let group = Selection {
            only: vec!["d".into()],
            ..Selection::default()
        };
        assert_eq!(
            names(&select(all(), &group).expect("d-e is there")),
            ["d-e"]
        );
        let without = Selection {
            without: vec!["a".into(), "d".into()],
            ..Selection::default()
        };
        assert_eq!(
            names(&select(all(), &without).expect("a is there")),
            ["b", "c"]
        );
        let unknown = Selection {
            only: vec!["x".into()],
            ..Selection::default()
        };
        assert!(select(all(), &unknown).is_err());
    }

    #[test]
    fn a_shard_runs_its_suites_and_what_they_need() {
        let budgets = "b = { processors = 1, wall = 1, shard = 0 }
                       c = { processors = 1, wall = 1, shard = 1 }
                       d = { processors = 1, wall = 1, shard = 2 }";
        let budgets: Budgets = toml::from_str(budgets).expect("it's a file of budgets");
        let suites = vec![
            suite("a", &[], |_| Ok(())),
            suite("b", &["a"], |_| Ok(())),
            suite("c", &["b"], |_| Ok(())),
            suite("d", &["a"], |_| Ok(())),
        ];
        let divided = |shard| divide(suites.clone(), &budgets, shard);
        assert_eq!(names(&divided(0).0), ["a", "b"]);
        assert_eq!(names(&divided(1).0), ["a", "b", "c"]);
        assert_eq!(names(&divided(3).0), ["a"]);
        let others = divided(1).1;
        assert_eq!(others.len(), 1);
        let report = left_out(&others[0].0, others[0].1);
        assert_eq!(report.outcome(), "skipped: it's in shard 2");
        assert_eq!(report.counts.skipped, 1);
    }

    #[test]
    fn a_missing_tool_is_a_skip_for_a_person_and_a_failure_for_ci() {
        let missing = || Err(Missing("no valgrind".into()).into());
        assert!(matches!(judge(missing(), false), Verdict::Skipped(_)));
        assert!(matches!(judge(missing(), true), Verdict::Failed(_)));
        let elsewhere = || Err(Unavailable("not on this system".into()).into());
        assert!(matches!(judge(elsewhere(), true), Verdict::Skipped(_)));
        assert!(matches!(
            judge(Err(anyhow!("broken")), false),
            Verdict::Failed(_)
        ));
    }

    #[test]
    fn what_needs_a_failed_suite_fails_without_running() {
        let workspace = Workspace::find().expect("the workspace is there");
        let suites = vec![
            suite("self-test-first", &[], |_| bail!("broken on purpose")),
            suite("self-test-second", &["self-test-first"], |_| {
                panic!("it must not run")
            }),
            suite("self-test-third", &[], |step| step.check("it runs", None)),
        ];
        let reports = execute(&workspace, &suites);
        let find = |name: &str| {
            reports
                .iter()
                .find(|report| report.name == name)
                .expect("every suite reports")
        };
        assert!(
            matches!(&find("self-test-first").verdict, Verdict::Failed(why) if why.contains("on purpose"))
        );
        assert!(
            matches!(&find("self-test-second").verdict, Verdict::Failed(why) if why.contains("self-test-first"))
        );
        assert!(matches!(find("self-test-third").verdict, Verdict::Passed));
        assert_eq!(
            find("self-test-third").counts,
            Counts {
                passed: 1,
                ..Counts::default()
            }
        );
    }
}
