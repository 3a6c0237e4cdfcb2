//! The table of suites, `suites.toml`: which there are, what they may take, and which of them a command runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::files;
use crate::unchanged::Reads;

const TABLE: &str = include_str!("../suites.toml");

/// Below the target folder: what the last runs have measured.
const TIMES: &str = "xtask/times.toml";

/// No suite is ended sooner, because another machine may be slower, or busy: five times as long was seen.
const SHORTEST: Duration = Duration::from_secs(30 * 60);

/// The limit of a step without a time in the table.
const UNKNOWN: Duration = Duration::from_secs(60 * 60);

/// How many times a suite's own time its limit is at least.
const PATIENCE: u32 = 3;

/// The number of shards: a commit runs the suites of one of them.
pub const SHARDS: usize = 6;

/// What suites use one at a time, because they would only wait for a lock. Programs that are already built need none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Commands that hold the lock of cargo's builds for development.
    Cargo,
    /// Commands that hold the lock of cargo's release builds.
    Release,
    /// Commands that build into a target folder of their own.
    OwnTarget,
    /// Maven, which builds into the folders of its modules.
    Maven,
    /// The .NET SDK, which builds into the folders of its projects.
    Dotnet,
    /// Python's tools, which share one virtual environment.
    Python,
    /// Programs for Windows that run under Wine, which has one folder.
    Windows,
}

/// A command of xtask that runs suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    Test,
    Lint,
    Fmt,
    Soak,
    Sanitize,
}

/// A row of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub name: String,
    pub about: String,
    #[serde(default)]
    pub lanes: Vec<Lane>,
    #[serde(default)]
    pub after: Vec<String>,
    #[serde(default = "of_test", rename = "in")]
    groups: Vec<Group>,
    processors: Option<u64>,
    wall: Option<u64>,
    pub shard: Option<usize>,
    /// What it reads; a suite without it is always run.
    pub reads: Option<Reads>,
}

fn of_test() -> Vec<Group> {
    vec![Group::Test]
}

impl Suite {
    /// Returns the suites of a command, in the order in which they begin.
    pub fn of(group: Group) -> Result<Vec<Suite>> {
        let mut suites = Suite::all()?;
        suites.retain(|suite| suite.groups.contains(&group));
        Ok(suites)
    }

    fn all() -> Result<Vec<Suite>> {
        #[derive(Deserialize)]
        struct Table {
            suites: Vec<Suite>,
        }
        let table: Table = toml::from_str(TABLE).context("reading tools/xtask/suites.toml")?;
        Ok(table.suites)
    }

    /// Returns the line about a suite that has taken more processor time than its budget.
    pub fn excess(&self, work: Duration) -> Option<String> {
        let (name, budget, work) = (&self.name, self.processors?, work.as_secs());
        (work > budget).then(|| {
            format!("over budget: {name} took {work} s of {budget} s of processor time (tools/xtask/suites.toml)")
        })
    }
}

/// Returns how long a suite, or another step, may take altogether.
pub fn limit_of(name: &str) -> Result<Duration> {
    let suites = Suite::all()?;
    let wall = suites.iter().find(|suite| suite.name == name);
    Ok(wall.and_then(|suite| suite.wall).map_or(UNKNOWN, |wall| {
        SHORTEST.max(Duration::from_secs(wall) * PATIENCE)
    }))
}

/// Writes the measured processor times and times. Suites of earlier runs keep theirs.
pub fn keep_times<'r>(
    target: &Path,
    measured: impl IntoIterator<Item = (&'r str, Duration, Duration)>,
) -> Result<()> {
    #[derive(Deserialize, Serialize)]
    struct Times {
        processors: u64,
        wall: u64,
    }
    let file = target.join(TIMES);
    let before = fs::read_to_string(&file).unwrap_or_default();
    let mut times: BTreeMap<String, Times> = toml::from_str(&before).unwrap_or_default();
    for (name, work, time) in measured {
        let [processors, wall] = [work, time].map(|time| time.as_secs() + 1);
        times.insert(name.to_owned(), Times { processors, wall });
    }
    files::write(&file, toml::to_string(&times)?)
}

/// Which suites to run.
#[derive(Args, Default)]
pub struct Selection {
    /// Run only this suite, or all suites of this language, and the suites that they need; may be given several times, or with commas.
    #[arg(long, value_name = "SUITE", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Run all suites except this one; may be given several times, or with commas.
    #[arg(long, value_name = "SUITE", value_delimiter = ',')]
    without: Vec<String>,
    /// Also run the suites of the other shards, which other commits run.
    #[arg(long)]
    pub all: bool,
    /// Also run the suites whose files are the same as when they last passed.
    #[arg(long)]
    pub again: bool,
    /// List the suites and do nothing.
    #[arg(long)]
    pub list: bool,
    /// First install the missing tools that Debian or rustup has. Without it, suites that need a missing tool are skipped.
    #[arg(long)]
    pub setup: bool,
}

impl Selection {
    /// Whether all suites are run, except those that are excluded by name.
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && !self.list
    }

    /// Removes the suites that aren't selected.
    pub fn apply(&self, suites: &mut Vec<Suite>) -> Result<()> {
        let all: Vec<String> = suites.iter().map(|suite| suite.name.clone()).collect();
        // A suite by its name, or all of a language: `python-native` and others for `python`.
        let named = |name: &String| -> Result<Vec<String>> {
            if all.contains(name) {
                return Ok(vec![name.clone()]);
            }
            let mut group = all.clone();
            group.retain(|suite| suite.starts_with(&format!("{name}-")));
            if group.is_empty() {
                bail!("there is no suite `{name}`; there are: {}", all.join(", "));
            }
            Ok(group)
        };
        let each = |names: &[String]| -> Result<Vec<String>> {
            Ok(names
                .iter()
                .map(named)
                .collect::<Result<Vec<_>>>()?
                .concat())
        };
        if !self.only.is_empty() {
            let wanted = with_needed(suites, each(&self.only)?);
            suites.retain(|suite| wanted.contains(&suite.name));
        }
        let without = each(&self.without)?;
        suites.retain(|suite| !without.contains(&suite.name));
        Ok(())
    }
}

/// Removes the suites of other shards, and returns them. A suite that another one needs runs with it.
pub fn take_other_shards(suites: &mut Vec<Suite>, shard: usize) -> Vec<Suite> {
    let runs = |suite: &&Suite| suite.shard.is_none_or(|of| of == shard);
    let wanted = suites.iter().filter(runs).map(|suite| suite.name.clone());
    let wanted = with_needed(suites, wanted.collect());
    let is_other = |suite: &mut Suite| !wanted.contains(&suite.name);
    suites.extract_if(.., is_other).collect()
}

/// Those names and the names of all suites that have to run before.
fn with_needed(suites: &[Suite], mut names: Vec<String>) -> Vec<String> {
    // Later suites come after those that they need, so one pass backwards finds everything.
    for suite in suites.iter().rev() {
        if names.contains(&suite.name) {
            names.extend_from_slice(&suite.after);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_has_its_own_name_and_needs_only_earlier_ones() {
        let suites = Suite::all().expect("it can be read");
        for (index, suite) in suites.iter().enumerate() {
            let is_earlier =
                |name: &String| suites[..index].iter().any(|other| other.name == *name);
            assert!(!is_earlier(&suite.name), "{} is there twice", suite.name);
            assert!(suite.after.iter().all(is_earlier), "{suite:?}");
        }
    }

    #[test]
    fn no_commit_takes_more_than_an_hour_of_one_processor() {
        let suites = Suite::of(Group::Test).expect("it can be read");
        for shard in 0..SHARDS {
            let mut run = suites.clone();
            take_other_shards(&mut run, shard);
            let budgets: Option<Vec<u64>> = run.iter().map(|suite| suite.processors).collect();
            let sum: u64 = budgets.expect("each has a budget").iter().sum();
            assert!(sum <= 3600, "shard {shard}: {sum} s");
        }
        assert!(suites.iter().all(|suite| suite.shard < Some(SHARDS)));
    }
}
