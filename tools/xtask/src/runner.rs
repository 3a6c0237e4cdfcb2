//! Runs suites side by side, and reports how they ended.

use std::fs;
use std::process::ExitCode;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{panic, thread};

use anyhow::{Context as _, Result, anyhow};
use serde_json::{Map, Value, json};

use crate::counts::Counts;
use crate::digest;
use crate::files;
use crate::progress::{processor_minutes, say, seconds};
use crate::step::{Missing, Step, Unavailable};
use crate::suite::{self, Group, SHARDS, Selection, Suite};
use crate::suites::run_of;
use crate::tools::asked;
use crate::unchanged::Unchanged;
use crate::workspace::Workspace;

/// The limits of a command and of a suite that repeats things a hundred times as often.
const SOAKED_COMMAND: Duration = Duration::from_secs(4 * 3600);
const SOAKED: Duration = Duration::from_secs(8 * 3600);

/// Suites of tests that others come after, because they build what those need: if one fails, the others run nevertheless.
const TESTS: [&str; 4] = ["c", "java", "mypy", "node"];

/// How a suite ended.
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Report {
    name: String,
    verdict: Verdict,
    time: Duration,
    /// Processor time of its commands, if the system reports it.
    work: Duration,
    counts: Counts,
    skipped_parts: Vec<String>,
    /// The lines of its log about failures; empty if it hasn't failed.
    digest: Vec<String>,
}

impl Report {
    /// The report of a suite that ended without its own counts.
    fn without_run(suite: &Suite, verdict: Verdict) -> Report {
        let mut counts = Counts::default();
        match verdict {
            Verdict::Failed(_) => counts.failed = 1,
            Verdict::Skipped(_) => counts.skipped = 1,
            Verdict::Passed => {}
        }
        Report {
            name: suite.name.clone(),
            verdict,
            time: Duration::ZERO,
            work: Duration::ZERO,
            counts,
            skipped_parts: Vec::new(),
            digest: Vec::new(),
        }
    }
}

/// Runs the selected suites of a command, and prints the closing lines. `test` runs the suites of this commit's shard and those without a
/// shard, unless the command line selects otherwise: whole builds of several minutes are divided into shards, so that testing a commit
/// takes half the time.
pub fn run(workspace: &Workspace, group: Group, selection: &Selection) -> Result<ExitCode> {
    let mut suites = Suite::of(group)?;
    if selection.list {
        for suite in &suites {
            println!("{:<16} {}", suite.name, suite.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    selection.apply(&mut suites)?;
    let mut others = Vec::new();
    if group == Group::Test && selection.is_everything() && !selection.all {
        let shard = workspace.commits() % SHARDS;
        others = suite::take_other_shards(&mut suites, shard);
        let all = "`cargo xtask test --all` runs every suite";
        say(&format!("shard {shard} of {SHARDS}; {all}"));
    }
    let began = Instant::now();
    // CI always runs everything. So does a machine without git, which lists the files.
    let unchanged = (group == Group::Test && !workspace.ci)
        .then(|| Unchanged::read(workspace).ok())
        .flatten();
    let mut same = Vec::new();
    if let Some(unchanged) = &unchanged
        && selection.is_everything()
        && !selection.again
    {
        suites.retain(|suite| {
            let reads = suite.reads.as_ref();
            let counts = reads.and_then(|reads| unchanged.counts(&suite.name, reads));
            same.extend(counts.map(|counts| (suite.name.clone(), counts)));
            counts.is_none()
        });
    }
    let mut reports = execute(workspace, &suites);
    if let Some(unchanged) = unchanged {
        keep(unchanged, &suites, &reports)?;
    }
    match group {
        Group::Soak => record(workspace, &reports, "soak-", "docs/soak.json")?,
        Group::Sanitize => record(workspace, &reports, "", "docs/sanitize.json")?,
        Group::Test | Group::Lint | Group::Fmt => {}
    }
    let passed = reports
        .iter()
        .filter(|report| matches!(report.verdict, Verdict::Passed));
    let times = passed.map(|report| (report.name.as_str(), report.work, report.time));
    suite::keep_times(&workspace.target, times)?;
    reports.extend(others.iter().map(|suite| {
        let shard = suite.shard.unwrap_or_default();
        Report::without_run(suite, Verdict::Skipped(format!("it's in shard {shard}")))
    }));
    Ok(close(&suites, &reports, &same, began.elapsed()))
}

/// Keeps the results of the suites that have passed with all their parts, and removes those of others.
fn keep(unchanged: Unchanged, suites: &[Suite], reports: &[Report]) -> Result<()> {
    unchanged.keep(reports.iter().filter_map(|report| {
        let suite = suites.iter().find(|suite| suite.name == report.name)?;
        let whole = matches!(report.verdict, Verdict::Passed) && report.skipped_parts.is_empty();
        let counts = whole.then_some(report.counts);
        Some((suite.name.as_str(), suite.reads.as_ref()?, counts))
    }))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Passed,
    NotPassed,
}

/// Which suites have ended.
struct Board<'s> {
    suites: &'s [Suite],
    states: Mutex<Vec<State>>,
    changed: Condvar,
}

/// Runs one suite more at once than there are cores, since tests wait as well as compute, and four at most, because the builds among them use
/// several cores themselves.
fn execute(workspace: &Workspace, suites: &[Suite]) -> Vec<Report> {
    let board = Board {
        suites,
        states: Mutex::new(vec![State::Waiting; suites.len()]),
        changed: Condvar::new(),
    };
    let reports = Mutex::new(Vec::new());
    let work = || {
        while let Some((next, blocker)) = board.take() {
            let report = match blocker {
                Some(blocker) => {
                    let why = format!("not run, because {blocker} failed");
                    say(&format!("FAIL {:<16} {why}", suites[next].name));
                    Report::without_run(&suites[next], Verdict::Failed(why))
                }
                None => run_one(workspace, &suites[next]),
            };
            board.lock()[next] = match report.verdict {
                Verdict::Failed(_) => State::NotPassed,
                Verdict::Passed | Verdict::Skipped(_) => State::Passed,
            };
            let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
            reports.push(report);
            board.changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..(workspace.cores + 1).min(4) {
            scope.spawn(work);
        }
    });
    reports.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Board<'_> {
    fn lock(&self) -> MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a suite may start, and takes it, with the name of a failed suite that it needs; `None` when none is left.
    fn take(&self) -> Option<(usize, Option<&str>)> {
        let mut states = self.lock();
        while states.contains(&State::Waiting) {
            let ready = (0..self.suites.len()).find(|&index| self.is_ready(index, &states));
            if let Some(index) = ready {
                states[index] = State::Running;
                let blocker = self.needed(index).find(|&need| {
                    states[need] == State::NotPassed
                        && !TESTS.contains(&self.suites[need].name.as_str())
                });
                return Some((index, blocker.map(|need| self.suites[need].name.as_str())));
            }
            let changed = self.changed.wait(states);
            states = changed.unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn is_ready(&self, index: usize, states: &[State]) -> bool {
        let has_ended = |need| matches!(states[need], State::Passed | State::NotPassed);
        let lanes = &self.suites[index].lanes;
        let is_taken = |other: usize| {
            states[other] == State::Running
                && self.suites[other]
                    .lanes
                    .iter()
                    .any(|lane| lanes.contains(lane))
        };
        states[index] == State::Waiting
            && self.needed(index).all(has_ended)
            && !(0..self.suites.len()).any(is_taken)
    }

    fn needed(&self, index: usize) -> impl Iterator<Item = usize> {
        let after = &self.suites[index].after;
        (0..self.suites.len()).filter(|&other| after.contains(&self.suites[other].name))
    }
}

fn run_one(workspace: &Workspace, suite: &Suite) -> Report {
    let began = Instant::now();
    let name = &suite.name;
    let mut step = match Step::start(workspace, name) {
        Ok(step) if workspace.soak > 1 => step.within(SOAKED_COMMAND, SOAKED),
        Ok(step) => step,
        Err(error) => {
            say(&format!("FAIL {name:<16} {error:#}"));
            return Report::without_run(suite, Verdict::Failed(format!("{error:#}")));
        }
    };
    let result = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        let run = run_of(name).with_context(|| format!("nothing runs the suite {name}"))?;
        run(&mut step).and_then(|()| step.finish())
    }))
    .unwrap_or_else(|_| Err(anyhow!("xtask itself panicked; the message is above")));
    let mut report = Report {
        time: began.elapsed(),
        work: step.work,
        counts: step.counts,
        skipped_parts: std::mem::take(&mut step.skipped),
        ..Report::without_run(suite, judge(result, workspace.ci))
    };
    let [time, work] = [report.time, report.work].map(seconds);
    let time = format!("{time:>12}, {work} of processors");
    match &report.verdict {
        Verdict::Passed if report.counts.total() == 0 => say(&format!("ok   {name:<16} {time}")),
        Verdict::Passed => say(&format!("ok   {name:<16} {time}   {}", report.counts)),
        Verdict::Skipped(why) => {
            report.counts.skipped += 1;
            say(&format!("skip {name:<16} {time}   {why}"));
        }
        Verdict::Failed(why) => {
            report.counts.failed = report.counts.failed.max(1);
            let log = step.read_log();
            report.digest = digest::of(&log);
            let rule = "-".repeat(72);
            // The digest comes before the whole log, for readers that keep only so much behind the word FAIL.
            let digest = indented(&report.digest);
            say(&format!(
                "FAIL {name:<16} {time}   {why}\n{digest}{rule}\n{log}\n{rule}"
            ));
        }
    }
    report
}

fn judge(result: Result<()>, ci: bool) -> Verdict {
    match result {
        Ok(()) => Verdict::Passed,
        Err(error) if error.is::<Unavailable>() => Verdict::Skipped(format!("{error:#}")),
        Err(error) if error.is::<Missing>() && !ci => Verdict::Skipped(format!("{error:#}")),
        Err(error) => Verdict::Failed(format!("{error:#}")),
    }
}

fn close(
    suites: &[Suite],
    reports: &[Report],
    same: &[(String, Counts)],
    time: Duration,
) -> ExitCode {
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
    for (name, counts) in same {
        println!("unchanged since it passed: {name} ({counts})");
    }
    // The ten slowest, if there are more than that.
    if reports.len() > 10 {
        let mut by_time: Vec<&Report> = reports.iter().collect();
        by_time.sort_by_key(|report| std::cmp::Reverse(report.time));
        println!("the slowest suites: their time, and their processor time");
        for report in by_time.iter().take(10) {
            let [time, work] = [report.time, report.work].map(seconds);
            println!("{time:>14} {work:>14}   {}", report.name);
        }
    }
    for report in reports {
        let suite = suites.iter().find(|suite| suite.name == report.name);
        if let Some(line) = suite.and_then(|suite| suite.excess(report.work)) {
            println!("{line}");
        }
    }
    // Again and last, for readers of the end of the output.
    let mut code = ExitCode::SUCCESS;
    for report in reports {
        if let Verdict::Failed(why) = &report.verdict {
            code = ExitCode::FAILURE;
            println!("failed {}: {why}", report.name);
            print!("{}", indented(&report.digest));
        }
    }
    // Of all started processes, including daemons and those that no step counted.
    let work = processor_minutes(child_process::work_of_all());
    if !same.is_empty() {
        let again = "`cargo xtask test --again` runs them";
        println!(
            "{} suites are unchanged and weren't run; {again}",
            same.len()
        );
    }
    println!("{} suites in {}; {work}", reports.len(), seconds(time));
    println!("{counts}");
    code
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}\n")).collect()
}

/// Writes the results of the suites whose names begin so to a file. Suites that weren't run keep their entries.
fn record(workspace: &Workspace, reports: &[Report], prefix: &str, file: &str) -> Result<()> {
    let file = workspace.root.join(file);
    let before = fs::read_to_string(&file).unwrap_or_default();
    let mut all: Map<String, Value> = serde_json::from_str(&before).unwrap_or_default();
    let mut head = workspace.command("git");
    let commit = asked(head.args(["rev-parse", "--short", "HEAD"]))
        .map_or_else(|_| "unknown".to_owned(), |(_, text, _)| text.trim().into());
    // A failed command names its files, which are elsewhere on another machine.
    let root = workspace.root.display().to_string();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    for report in reports
        .iter()
        .filter(|report| report.name.starts_with(prefix))
    {
        let outcome = match &report.verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Failed(why) => format!("failed: {why}"),
            Verdict::Skipped(why) => format!("skipped: {why}"),
        };
        let result = json!({
            "commit": commit,
            "platform": std::env::consts::OS,
            "factor": workspace.soak,
            "ended_unix": now.as_ref().map_or(0, Duration::as_secs),
            "minutes": report.time.as_secs() / 60,
            "passed": report.counts.passed,
            "failed": report.counts.failed,
            "outcome": outcome.replace(&root, "."),
        });
        all.insert(report.name.clone(), result);
    }
    files::write(&file, format!("{:#}\n", Value::Object(all)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_a_skip_for_a_person_and_a_failure_for_ci() {
        let missing = || Err(Missing("no valgrind".into()).into());
        assert!(matches!(judge(missing(), false), Verdict::Skipped(_)));
        assert!(matches!(judge(missing(), true), Verdict::Failed(_)));
        let elsewhere = || Err(Unavailable("not on this system".into()).into());
        assert!(matches!(judge(elsewhere(), true), Verdict::Skipped(_)));
        let broken = judge(Err(anyhow!("broken")), false);
        assert!(matches!(broken, Verdict::Failed(_)));
    }

    #[test]
    fn a_suite_that_needs_a_failed_suite_fails_without_running() {
        let workspace = Workspace::find().expect("the workspace is there");
        let mut suites = Suite::of(Group::Test).expect("it can be read");
        suites.truncate(2);
        suites[0].name = "self-test-that-nothing-runs".into();
        suites[1].after = vec![suites[0].name.clone()];
        let reports = execute(&workspace, &suites);
        let failed = |report: &Report| matches!(&report.verdict, Verdict::Failed(why) if why.contains("self-test"));
        assert!(reports.len() == 2 && reports.iter().all(failed));
    }

    #[test]
    fn every_suite_is_run_by_a_function() {
        for group in [
            Group::Test,
            Group::Lint,
            Group::Fmt,
            Group::Soak,
            Group::Sanitize,
        ] {
            for suite in Suite::of(group).expect("it can be read") {
                assert!(run_of(&suite.name).is_some(), "{}", suite.name);
            }
        }
    }
}
