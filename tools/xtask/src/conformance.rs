//! The table of conformance cases by host and platform, from the counts that test runs leave and developers commit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::files;
use crate::workspace::Workspace;

/// The committed counts.
const RESULTS: &str = "conformance/results.json";

/// The page that is made from them.
pub const DOCUMENT: &str = "docs/conformance.md";

/// In this order; other hosts follow.
const HOSTS: [&str; 9] = [
    "rust/core",
    "c/librustbridge",
    "python/native",
    "python/ctypes",
    "java/ffm",
    "java/jni",
    "csharp/pinvoke",
    "go/cgo",
    "node/napi",
];

/// The results of the cases on one host and platform.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Results {
    host: String,
    platform: String,
    /// The ways of calling.
    ways: Vec<String>,
    /// The number of cases in all ways.
    runs: u64,
    calls: u64,
    /// The cases that were right, wrong and skipped, by topic.
    topics: BTreeMap<String, [u64; 3]>,
    /// The skipped cases, by reason.
    skipped: BTreeMap<String, BTreeSet<String>>,
    /// The errors, by case.
    failed: BTreeMap<String, String>,
}

/// Where test runs leave their files.
pub fn left(workspace: &Workspace) -> PathBuf {
    workspace.target.join("conformance")
}

/// Keeps the results of the last test runs, next to those of others on other platforms, and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let from = left(workspace);
    let mut all = kept(workspace)?;
    let mut found = files::entries(&from).unwrap_or_default();
    found.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    let place = from.display();
    ensure!(
        !found.is_empty(),
        "no results in {place}; `cargo xtask test` leaves them there"
    );
    for file in found {
        let text = files::read(&file)?;
        let results: Results = serde_json::from_str(&text)?;
        println!(
            "{} on {}: {}",
            results.host,
            results.platform,
            results.tally()
        );
        all.retain(|known| (&known.host, &known.platform) != (&results.host, &results.platform));
        all.push(results);
    }
    all.sort_by_key(|results| (results.platform.clone(), place_of(&results.host)));
    // A line for each field, so that a change is visible.
    let mut entries = Vec::new();
    for results in &all {
        let value = serde_json::to_value(results)?;
        let fields = value.as_object().context("results have fields")?;
        let lines: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("  \"{name}\": {value}"))
            .collect();
        entries.push(format!("{{\n{}\n}}", lines.join(",\n")));
    }
    let text = format!("[{}]\n", entries.join(", "));
    files::write(&workspace.root.join(RESULTS), text)?;
    write(workspace)?;
    println!("written: {RESULTS}, {DOCUMENT}");
    Ok(ExitCode::SUCCESS)
}

/// Writes the table of the committed results.
pub fn write(workspace: &Workspace) -> Result<()> {
    files::write(&workspace.root.join(DOCUMENT), table(&kept(workspace)?))
}

fn kept(workspace: &Workspace) -> Result<Vec<Results>> {
    let text = files::read(&workspace.root.join(RESULTS))?;
    serde_json::from_str(&text).with_context(|| format!("reading {RESULTS}"))
}

impl Results {
    fn tally(&self) -> String {
        let count = |index: usize| {
            self.topics
                .values()
                .map(|counts| counts[index])
                .sum::<u64>()
        };
        let [passed, failed, skipped] = [0, 1, 2].map(count);
        let mut text = format!("{passed} right, {failed} wrong, {skipped} that can't be expressed");
        if self.runs > 0 {
            let (runs, ways, calls) = (self.runs, self.ways.len(), self.calls);
            let _ = write!(text, "; {runs} runs in {ways} ways, {calls} calls");
        }
        text
    }
}

/// Known hosts first, in their order.
fn place_of(host: &str) -> (usize, String) {
    let known = HOSTS.iter().position(|known| *known == host);
    (known.unwrap_or(HOSTS.len()), host.to_owned())
}

fn table(all: &[Results]) -> String {
    let platforms: BTreeSet<&str> = all.iter().map(|results| &*results.platform).collect();
    let mut hosts: Vec<&str> = all.iter().map(|results| &*results.host).collect();
    hosts.sort_by_key(|host| place_of(host));
    hosts.dedup();
    let cases = |results: &Results| results.topics.values().flatten().sum::<u64>();
    let cases = all.iter().map(cases).max().unwrap_or_default();
    let names: Vec<&str> = platforms.into_iter().collect();
    let mut text = format!(
        "<!-- Written by `cargo xtask regen` from {RESULTS}; `cargo xtask conformance` keeps the results of the last tests. -->\n\
         # Conformance\n\n\
         The {cases} cases of [conformance](../conformance/README.md) on every host and platform they were run on. \
         A case is run in each way that the host has to call, and right if it is in all of them. \
         Wine is no Windows: the libraries, hosts and calls are Windows', the system under them isn't.\n\n\
         | host | {} |\n| --- |{}\n",
        names.join(" | "),
        " --- |".repeat(names.len())
    );
    for host in &hosts {
        let of = |name: &&str| {
            all.iter()
                .find(|it| it.host == *host && it.platform == **name)
        };
        let tally = |name| of(name).map_or("not run".to_owned(), Results::tally);
        let tallies: Vec<String> = names.iter().map(tally).collect();
        let _ = writeln!(text, "| {host} | {} |", tallies.join(" | "));
    }
    for host in &hosts {
        let mut of = all
            .iter()
            .filter(|it| it.host == *host && !it.ways.is_empty());
        if let Some(results) = of.next() {
            let _ = writeln!(text, "\nWays of {host}: {}.", results.ways.join(", "));
        }
    }
    let mut left_out: BTreeMap<(&str, &BTreeSet<String>), BTreeSet<&str>> = BTreeMap::new();
    for results in all {
        for (why, cases) in &results.skipped {
            left_out
                .entry((why, cases))
                .or_default()
                .insert(&results.host);
        }
        for (case, why) in &results.failed {
            let (host, platform) = (&results.host, &results.platform);
            let _ = writeln!(text, "\nWrong: `{case}` in {host} on {platform}: {why}");
        }
    }
    for ((why, cases), hosts) in left_out {
        let hosts: Vec<&str> = hosts.into_iter().collect();
        let cases: Vec<String> = cases.iter().map(|case| format!("`{case}`")).collect();
        let (hosts, cases) = (hosts.join(", "), cases.join(", "));
        let _ = writeln!(
            text,
            "\nCan't be expressed in {hosts}, because {why}: {cases}."
        );
    }
    text
}
