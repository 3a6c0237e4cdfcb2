//! `xtask soak`: what only many repetitions show. `test` does a hundredth of each, so that it ends in time; here they are all
//! done, and how that went is written down.

use std::fs;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

use crate::counts;
use crate::dotnet::{self, Dotnet, SOLUTION};
use crate::java::Java;
use crate::junit;
use crate::step::Step;
use crate::suite::{self, Lane, Report, Selection, Suite};
use crate::suites;
use crate::tools::asked;
use crate::workspace::Workspace;

/// How many times as often as in `test`.
pub const FACTOR: u32 = 100;

/// Where it's written down.
const RESULT: &str = "docs/soak.json";

pub fn run(workspace: &Workspace, selection: &Selection) -> Result<ExitCode> {
    suite::run_and_keep(workspace, suites(), selection, |reports| {
        keep(workspace, reports)
    })
}

/// One for each place that reads the factor.
fn suites() -> Vec<Suite> {
    vec![
        suites::RELEASE,
        Suite {
            name: "soak-fuzz",
            about: "every fuzz target, with AddressSanitizer",
            lane: Lane::OwnTarget,
            after: &[],
            run: suites::fuzz,
        },
        Suite {
            name: "soak-rust",
            about: "closing while others call, in the core and from C",
            lane: Lane::Cargo,
            after: &[],
            run: rust,
        },
        Suite {
            name: "soak-java",
            about: "memory after many loads, calls and records, by FFM and by JNI",
            lane: Lane::Maven,
            after: &["release"],
            run: java,
        },
        Suite {
            name: "soak-csharp",
            about: "memory after many loads, calls and records",
            lane: Lane::Dotnet,
            after: &["release"],
            run: csharp,
        },
    ]
}

fn rust(step: &mut Step<'_>) -> Result<()> {
    for (package, test) in [("rustbridge-core", "hammer"), ("rustbridge-capi", "hosts")] {
        let mut command = step.workspace.cargo();
        command
            .args(["test", "--locked", "--release", "--package", package])
            .args(["--test", test, "--", "clos"]);
        step.test(&mut command, counts::cargo_test)?;
    }
    Ok(())
}

fn java(step: &mut Step<'_>) -> Result<()> {
    let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
    command
        .args(["--projects=rustbridge-tests", "--also-make", "verify"])
        .args([
            "-Dtest=MemoryTest",
            "-Dsurefire.failIfNoSpecifiedTests=false",
        ]);
    let reports = Java::reports(step.workspace)?;
    step.test(&mut command, |_| junit::sum(&reports))
}

fn csharp(step: &mut Step<'_>) -> Result<()> {
    let mut command = Dotnet::find()?.command(step.workspace, "test");
    command
        .args([SOLUTION, "--configuration=Release"])
        .arg("--filter=FullyQualifiedName~MemoryTests")
        .arg(format!("--framework={}", dotnet::newest_framework()));
    step.test(&mut command, counts::dotnet_test)
}

/// Writes down what went how; suites that weren't run keep what is there of them.
fn keep(workspace: &Workspace, reports: &[Report]) -> Result<()> {
    let file = workspace.root.join(RESULT);
    let before = fs::read_to_string(&file).unwrap_or_default();
    let mut all: Map<String, Value> = serde_json::from_str(&before).unwrap_or_default();
    let commit = asked(
        workspace
            .command("git")
            .args(["rev-parse", "--short", "HEAD"]),
    );
    let commit = commit.map_or_else(|_| "unknown".to_owned(), |(_, said, _)| said.trim().into());
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    for report in reports
        .iter()
        .filter(|report| report.name.starts_with("soak-"))
    {
        let result = json!({
            "commit": commit,
            "platform": std::env::consts::OS,
            "factor": workspace.soak,
            "ended_unix": seconds,
            "minutes": report.time.as_secs() / 60,
            "passed": report.counts.passed,
            "failed": report.counts.failed,
            "outcome": report.outcome(),
        });
        all.insert(report.name.to_owned(), result);
    }
    fs::write(&file, format!("{:#}\n", Value::Object(all)))
        .with_context(|| format!("writing {}", file.display()))
}
