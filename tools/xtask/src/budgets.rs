//! What each suite may take: processor time and time, of a cold run, as `budgets.toml` has them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// The file; another one with the same name lies nowhere else.
const BUDGETS: &str = include_str!("../budgets.toml");

/// Below the target folder: what the last runs have measured, in the same format.
const TIMES: &str = "xtask/times.toml";

/// No suite is ended sooner, because another machine may be slower, or busy.
const SHORTEST: Duration = Duration::from_secs(10 * 60);

/// The limit of what has no budget: commands that aren't suites.
const UNKNOWN: Duration = Duration::from_secs(60 * 60);

/// How many times a suite's own time its limit is at least.
const PATIENCE: u32 = 3;

/// What a suite may take, in seconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Of processor time, its descendants' included.
    pub processors: u64,
    /// From its beginning to its end, on two quiet cores.
    pub wall: u64,
    /// The shard it belongs to, below [`SHARDS`]. A suite without one runs at every commit.
    pub shard: Option<usize>,
}

/// The number of shards: a commit runs the suites of one of them.
pub const SHARDS: usize = 4;

pub type Budgets = BTreeMap<String, Budget>;

/// All budgets, by the suites' names.
pub fn all() -> Result<Budgets> {
    toml::from_str(BUDGETS).context("reading tools/xtask/budgets.toml")
}

/// How long a suite, or another piece of work, may take altogether.
pub fn limit_of(name: &str) -> Result<Duration> {
    let budgets = all()?;
    Ok(budgets.get(name).map_or(UNKNOWN, |budget| {
        SHORTEST.max(Duration::from_secs(budget.wall) * PATIENCE)
    }))
}

/// The line about a suite that has taken more processor time than its budget.
pub fn excess(budgets: &Budgets, name: &str, work: Duration) -> Option<String> {
    let budget = Duration::from_secs(budgets.get(name)?.processors);
    (work > budget).then(|| {
        format!(
            "over budget: {name} took {} s of {} s of processor time (tools/xtask/budgets.toml)",
            work.as_secs(),
            budget.as_secs()
        )
    })
}

/// Writes what suites have taken, as lines of `budgets.toml`. Suites of earlier runs keep theirs.
pub fn keep<'r>(
    target: &Path,
    measured: impl IntoIterator<Item = (&'r str, Duration, Duration)>,
) -> Result<()> {
    let file = target.join(TIMES);
    let before = fs::read_to_string(&file).unwrap_or_default();
    let mut times: Budgets = toml::from_str(&before).unwrap_or_default();
    for (name, work, time) in measured {
        let up = |time: Duration| time.as_secs() + 1;
        let (processors, wall) = (up(work), up(time));
        let shard = None;
        let budget = Budget {
            processors,
            wall,
            shard,
        };
        times.insert(name.to_owned(), budget);
    }
    let folder = file.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    fs::write(&file, written(&times)).with_context(|| format!("writing {}", file.display()))
}

fn written(budgets: &Budgets) -> String {
    let line = |(name, budget): (&String, &Budget)| {
        let Budget {
            processors, wall, ..
        } = budget;
        format!("{name} = {{ processors = {processors}, wall = {wall} }}\n")
    };
    budgets.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::suites;

    #[test]
    fn every_suite_has_a_budget_and_no_other_has_one() {
        let budgets = all().expect("it can be read");
        let budgeted: BTreeSet<&str> = budgets.keys().map(String::as_str).collect();
        let suites: BTreeSet<&str> = suites::all().iter().map(|suite| suite.name).collect();
        assert_eq!(budgeted, suites);
    }

    #[test]
    fn no_commit_takes_more_than_an_hour_of_one_processor() {
        let budgets = all().expect("it can be read");
        for shard in 0..SHARDS {
            let runs = budgets
                .values()
                .filter(|budget| budget.shard.is_none_or(|of| of == shard));
            let sum: u64 = runs.map(|budget| budget.processors).sum();
            assert!(sum <= 3600, "shard {shard}: {sum} s");
        }
        assert!(budgets.values().all(|budget| budget.shard < Some(SHARDS)));
    }

    #[test]
    fn a_limit_is_three_times_the_time_and_never_short() {
        for (name, budget) in all().expect("it can be read") {
            let limit = limit_of(&name).expect("it can be read").as_secs();
            assert!(limit >= 3 * budget.wall && limit >= 600, "{name}");
        }
        assert_eq!(limit_of("package").expect("it can be read"), UNKNOWN);
    }

    #[test]
    fn what_is_written_is_read_again_and_an_excess_is_named() {
        let budget = Budget {
            processors: 60,
            wall: 40,
            shard: None,
        };
        let text = written(&Budgets::from([("c-lint".to_owned(), budget)]));
        assert_eq!(text, "c-lint = { processors = 60, wall = 40 }\n");
        let budgets: Budgets = toml::from_str(&text).expect("it's a file of budgets");
        let line = excess(&budgets, "c-lint", Duration::from_secs(93)).expect("it's more");
        assert!(
            line.starts_with("over budget: c-lint took 93 s of 60 s"),
            "{line}"
        );
        assert_eq!(excess(&budgets, "c-lint", Duration::from_secs(60)), None);
        assert_eq!(excess(&budgets, "other", Duration::from_secs(60)), None);
    }
}
