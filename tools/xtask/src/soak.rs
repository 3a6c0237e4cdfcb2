//! `xtask soak`: what only many repetitions show, and what the benchmarks compare with. `test` does a hundredth of the repetitions, so
//! that it ends in time; here they are all done, and how that went is written down.

use std::fs;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

use crate::languages;
use crate::suite::{self, Lane, Report, Selection, Suite};
use crate::suites::{self, fuzz, grpc, names};
use crate::tools::asked;
use crate::workspace::Workspace;

/// How many times as often as in `test`.
pub const FACTOR: u32 = 100;

/// Where it's written down.
const RESULT: &str = "docs/soak.json";

pub fn run(workspace: &Workspace, selection: &Selection) -> Result<ExitCode> {
    suite::run_and_keep(workspace, suites(), selection, |reports| {
        keep(workspace, reports, "soak-", RESULT)
    })
}

/// One for each place that reads the factor, and gRPC.
fn suites() -> Vec<Suite> {
    let mut suites = vec![
        suites::BUILD,
        Suite {
            name: "fuzz-build",
            about: "the fuzz targets, with AddressSanitizer",
            lane: Lane::OwnTarget,
            after: &[],
            run: fuzz::build,
        },
        // By themselves, so that they run side by side.
        Suite {
            name: "soak-fuzz-wire",
            about: "ten million inputs for the fuzz target of typed messages",
            lane: Lane::Free,
            after: &["fuzz-build"],
            run: fuzz::wire,
        },
        Suite {
            name: "soak-fuzz-json",
            about: "two and a half million inputs for the fuzz target of JSON",
            lane: Lane::Free,
            after: &["fuzz-build"],
            run: fuzz::json,
        },
        Suite {
            name: "soak-fuzz-resolve",
            about: "ten million inputs for the fuzz target of messages between versions",
            lane: Lane::Free,
            after: &["fuzz-build"],
            run: fuzz::resolve,
        },
        Suite {
            name: "soak-fuzz",
            about: "every other fuzz target",
            lane: Lane::Free,
            after: &["fuzz-build"],
            run: fuzz::short,
        },
    ];
    suites.extend(languages::soak());
    suites.push(languages::python::INSTALL);
    suites.extend(grpc::SUITES);
    suites.push(names::SOAK);
    suites
}

/// Writes down in a file what went how of the suites whose names begin so; those that weren't run keep what is there of them.
pub fn keep(workspace: &Workspace, reports: &[Report], prefix: &str, file: &str) -> Result<()> {
    let file = workspace.root.join(file);
    let before = fs::read_to_string(&file).unwrap_or_default();
    let mut all: Map<String, Value> = serde_json::from_str(&before).unwrap_or_default();
    let commit = asked(
        workspace
            .command("git")
            .args(["rev-parse", "--short", "HEAD"]),
    );
    let commit = commit.map_or_else(|_| "unknown".to_owned(), |(_, said, _)| said.trim().into());
    let root = workspace.root.display().to_string();
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    for report in reports
        .iter()
        .filter(|report| report.name.starts_with(prefix))
    {
        let result = json!({
            "commit": commit,
            "platform": std::env::consts::OS,
            "factor": workspace.soak,
            "ended_unix": seconds,
            "minutes": report.time.as_secs() / 60,
            "passed": report.counts.passed,
            "failed": report.counts.failed,
            // A command that has failed names its files, which are elsewhere on another machine.
            "outcome": report.outcome().replace(&root, "."),
        });
        all.insert(report.name.to_owned(), result);
    }
    fs::write(&file, format!("{:#}\n", Value::Object(all)))
        .with_context(|| format!("writing {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_suite_needs_is_run_before_it() {
        let mut known = Vec::new();
        for suite in suites() {
            for needed in suite.after {
                assert!(known.contains(needed), "{} needs {needed}", suite.name);
            }
            known.push(suite.name);
        }
    }
}
