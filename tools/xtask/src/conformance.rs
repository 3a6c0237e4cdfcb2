//! The table of conformance cases by host and platform, made of the counts that test runs leave and somebody committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

use crate::workspace::Workspace;

/// The committed counts.
const RESULTS: &str = "conformance/results.json";

/// What is made of them.
pub const DOCUMENT: &str = "docs/conformance.md";

/// In this order; other hosts follow.
const HOSTS: &[&str] = &[
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

/// How the cases went on one host and platform.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Results {
    host: String,
    platform: String,
    /// The ways of calling.
    ways: Vec<String>,
    /// How many cases in how many ways that were.
    runs: u64,
    /// How many calls were made for that.
    calls: u64,
    /// The cases that were right, wrong and skipped, by topic.
    topics: BTreeMap<String, [u64; 3]>,
    /// Cases by the reason for leaving them out.
    skipped: BTreeMap<String, BTreeSet<String>>,
    /// What was wrong, by case.
    failed: BTreeMap<String, String>,
}

/// Where test runs leave their files.
pub fn left(workspace: &Workspace) -> PathBuf {
    workspace.target.join("conformance")
}

/// Keeps what the last test runs left, beside what others did on other platforms, and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let from = left(workspace);
    let mut all = kept(workspace)?;
    let mut found = 0;
    for file in json_files(&from)? {
        let results: Results = read(&file)?;
        println!(
            "{} on {}: {}",
            results.host,
            results.platform,
            results.tally()
        );
        all.retain(|known| (&known.host, &known.platform) != (&results.host, &results.platform));
        all.push(results);
        found += 1;
    }
    if found == 0 {
        bail!(
            "no results in {}; `cargo xtask test` leaves them there",
            from.display()
        );
    }
    all.sort_by(|one, other| {
        let key = |results: &Results| (results.platform.clone(), place(&results.host));
        key(one).cmp(&key(other))
    });
    let file = workspace.root.join(RESULTS);
    fs::write(&file, written(&all)?).with_context(|| format!("writing {}", file.display()))?;
    write(workspace)?;
    println!("written: {RESULTS}, {DOCUMENT}");
    Ok(ExitCode::SUCCESS)
}

/// Writes the table of what is committed.
pub fn write(workspace: &Workspace) -> Result<()> {
    let all = kept(workspace)?;
    if all.is_empty() {
        return Ok(());
    }
    let document = workspace.root.join(DOCUMENT);
    fs::write(&document, table(&all)).with_context(|| format!("writing {}", document.display()))
}

fn kept(workspace: &Workspace) -> Result<Vec<Results>> {
    let file = workspace.root.join(RESULTS);
    if file.is_file() {
        read(&file)
    } else {
        Ok(Vec::new())
    }
}

/// A line for each field, so that a change is seen where it is.
fn written(all: &[Results]) -> Result<String> {
    let mut entries = Vec::new();
    for results in all {
        let value = serde_json::to_value(results).context("writing results")?;
        let fields = value.as_object().context("results have fields")?;
        let lines: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("  \"{name}\": {value}"))
            .collect();
        entries.push(format!("{{\n{}\n}}", lines.join(",\n")));
    }
    Ok(format!("[{}]\n", entries.join(", ")))
}

fn json_files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read<T: for<'a> Deserialize<'a>>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file)?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))
}

impl Results {
    fn counts(&self) -> [u64; 3] {
        let mut sum = [0; 3];
        for counts in self.topics.values() {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        sum
    }

    fn tally(&self) -> String {
        let [passed, failed, skipped] = self.counts();
        let mut text = format!("{passed} right, {failed} wrong, {skipped} that can't be expressed");
        if self.runs > 0 {
            let ways = self.ways.len();
            let _ = write!(
                text,
                "; {} runs in {ways} ways, {} calls",
                self.runs, self.calls
            );
        }
        text
    }
}

/// Known hosts first, in their order.
fn place(host: &str) -> (usize, String) {
    let known = HOSTS.iter().position(|known| *known == host);
    (known.unwrap_or(HOSTS.len()), host.to_owned())
}

fn table(all: &[Results]) -> String {
    let platforms: BTreeSet<&str> = all.iter().map(|results| &*results.platform).collect();
    let mut hosts: Vec<&str> = all.iter().map(|results| &*results.host).collect();
    hosts.sort_by_key(|host| place(host));
    hosts.dedup();
    let find = |host: &str, platform: &str| {
        all.iter()
            .find(|results| results.host == host && results.platform == platform)
    };
    let names: Vec<&str> = platforms.iter().copied().collect();
    let mut topics: BTreeMap<&str, u64> = BTreeMap::new();
    for results in all {
        for (topic, counts) in &results.topics {
            let most = topics.entry(topic).or_default();
            *most = counts.iter().sum::<u64>().max(*most);
        }
    }
    let cases: u64 = topics.values().sum();

    let mut text = format!(
        "<!-- Written by `cargo xtask regen` from {RESULTS}; `cargo xtask conformance` keeps the results of the last tests. -->\n\
         # Conformance\n\n\
         The {cases} cases of [conformance](../conformance/README.md) on every host and platform they were run on. \
         A case is run in each way that the host has to call, and right if it is in all of them. \
         Wine is no Windows: the libraries, hosts and calls are Windows', the system under them isn't.\n\n"
    );
    writeln!(text, "| host | {} |", names.join(" | ")).unwrap();
    writeln!(text, "| --- |{}", " --- |".repeat(names.len())).unwrap();
    for host in &hosts {
        let tallies: Vec<String> = names
            .iter()
            .map(|platform| find(host, platform).map_or("not run".to_owned(), Results::tally))
            .collect();
        writeln!(text, "| {host} | {} |", tallies.join(" | ")).unwrap();
    }
    ways(&mut text, &hosts, all);
    problems(&mut text, all);
    writeln!(
        text,
        "\n## By topic\n\nCases that were right, of those that the host can express. In each column, in this order: {}.\n",
        names.join(", ")
    )
    .unwrap();
    writeln!(text, "| topic | cases | {} |", hosts.join(" | ")).unwrap();
    writeln!(text, "| --- | --- |{}", " --- |".repeat(hosts.len())).unwrap();
    for (topic, count) in topics {
        let cell = |host: &&str| {
            let marks: Vec<String> = names
                .iter()
                .map(|platform| {
                    match find(host, platform).and_then(|found| found.topics.get(topic)) {
                        Some([passed, failed, _]) => format!("{passed}/{}", passed + failed),
                        None => "?".to_owned(),
                    }
                })
                .collect();
            marks.join(" ")
        };
        let row: Vec<String> = hosts.iter().map(cell).collect();
        writeln!(text, "| {topic} | {count} | {} |", row.join(" | ")).unwrap();
    }
    text
}

/// How each host calls, as far as it was said.
fn ways(text: &mut String, hosts: &[&str], all: &[Results]) {
    for host in hosts {
        let said = all
            .iter()
            .find(|results| results.host == *host && !results.ways.is_empty());
        if let Some(results) = said {
            writeln!(text, "\nWays of {host}: {}.", results.ways.join(", ")).unwrap();
        }
    }
}

/// Why cases were left out, and what was wrong.
fn problems(text: &mut String, all: &[Results]) {
    let mut left_out: BTreeMap<(&str, &BTreeSet<String>), BTreeSet<&str>> = BTreeMap::new();
    for results in all {
        for (why, cases) in &results.skipped {
            let hosts = left_out.entry((why, cases)).or_default();
            hosts.insert(&results.host);
        }
        for (case, why) in &results.failed {
            let (host, platform) = (&results.host, &results.platform);
            writeln!(text, "\nWrong: `{case}` in {host} on {platform}: {why}").unwrap();
        }
    }
    for ((why, cases), hosts) in left_out {
        let hosts: Vec<&str> = hosts.into_iter().collect();
        let cases: Vec<String> = cases.iter().map(|case| format!("`{case}`")).collect();
        writeln!(
            text,
            "\nCan't be expressed in {}, because {why}: {}.",
            hosts.join(", "),
            cases.join(", ")
        )
        .unwrap();
    }
}
