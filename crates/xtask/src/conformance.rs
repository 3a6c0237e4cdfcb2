//! The table of conformance cases by host and platform, made of the files that test runs leave and somebody committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::workspace::Workspace;

/// The folder of the committed files.
const RESULTS: &str = "conformance/results";

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
];

/// How the cases went on one host and platform.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    host: String,
    platform: String,
    /// `passed`, or `skipped: why`, or `failed: why`, by the case's id.
    cases: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct CaseFile {
    topic: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
}

/// Where test runs leave their files.
pub fn left(workspace: &Workspace) -> PathBuf {
    workspace.target.join("conformance")
}

/// Keeps what the last test runs left, and writes the table.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let from = left(workspace);
    let to = workspace.root.join(RESULTS);
    fs::create_dir_all(&to).with_context(|| format!("making {}", to.display()))?;
    let mut kept = 0;
    for file in json_files(&from)? {
        let name = file.file_name().context("a file has a name")?;
        let results = read(&file)?;
        fs::copy(&file, to.join(name)).with_context(|| format!("copying {}", file.display()))?;
        println!(
            "{} on {}: {}",
            results.host,
            results.platform,
            results.tally()
        );
        kept += 1;
    }
    if kept == 0 {
        bail!(
            "no results in {}; `cargo xtask test` leaves them there",
            from.display()
        );
    }
    write(workspace)?;
    println!("written: {RESULTS}, {DOCUMENT}");
    Ok(ExitCode::SUCCESS)
}

/// Writes the table of what is committed.
pub fn write(workspace: &Workspace) -> Result<()> {
    let mut all = Vec::new();
    for file in json_files(&workspace.root.join(RESULTS))? {
        all.push(read(&file)?);
    }
    if all.is_empty() {
        return Ok(());
    }
    let mut topics = Vec::new();
    for file in json_files(&workspace.root.join("conformance/cases"))? {
        let text = fs::read_to_string(&file)?;
        let read: CaseFile =
            serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
        topics.push((
            read.topic,
            read.cases.into_iter().map(|case| case.id).collect(),
        ));
    }
    let document = workspace.root.join(DOCUMENT);
    fs::write(&document, table(&topics, &all))
        .with_context(|| format!("writing {}", document.display()))
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

fn read(file: &Path) -> Result<Results> {
    let text = fs::read_to_string(file)?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))
}

impl Results {
    fn tally(&self) -> String {
        let count = |word: &str| {
            self.cases
                .values()
                .filter(|outcome| outcome.starts_with(word))
                .count()
        };
        format!(
            "{} right, {} wrong, {} that can't be expressed",
            count("passed"),
            count("failed"),
            count("skipped")
        )
    }

    fn mark(&self, case: &str) -> &'static str {
        match self
            .cases
            .get(case)
            .map(|outcome| outcome.split(':').next())
        {
            Some(Some("passed")) => "✓",
            Some(Some("skipped")) => "–",
            Some(_) => "✗",
            None => "?",
        }
    }
}

/// Known hosts first, in their order.
fn place(host: &str) -> (usize, &str) {
    let known = HOSTS.iter().position(|known| *known == host);
    (known.unwrap_or(HOSTS.len()), host)
}

fn table(topics: &[(String, Vec<String>)], all: &[Results]) -> String {
    let platforms: BTreeSet<&str> = all.iter().map(|results| &*results.platform).collect();
    let mut hosts: Vec<&str> = all.iter().map(|results| &*results.host).collect();
    hosts.sort_by_key(|host| place(host));
    hosts.dedup();
    let find = |host: &str, platform: &str| {
        all.iter()
            .find(|results| results.host == host && results.platform == platform)
    };
    let names: Vec<&str> = platforms.iter().copied().collect();
    let cases: usize = topics.iter().map(|(_, cases)| cases.len()).sum();

    let mut text = format!(
        "<!-- Written by `cargo xtask regen` from {RESULTS}; `cargo xtask conformance` keeps what the last tests left. -->\n\
         # Conformance\n\n\
         The {cases} cases of [conformance](../conformance/README.md) on every host and platform they were run on. \
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
    problems(&mut text, all);
    writeln!(
        text,
        "\n## Case by case\n\nCases with the same marks share a row. In each column, in this order: {}. ✓ right, ✗ wrong, – can't be expressed by this host, ? not run.",
        names.join(", ")
    )
    .unwrap();
    for (topic, cases) in topics {
        let row = |case: &String| -> Vec<String> {
            let cell = |host: &&str| {
                let marks: Vec<&str> = names
                    .iter()
                    .map(|platform| find(host, platform).map_or("?", |found| found.mark(case)))
                    .collect();
                marks.join(" ")
            };
            hosts.iter().map(cell).collect()
        };
        // Hundreds of rows are alike, and what differs would be lost among them.
        let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for case in cases {
            let row = row(case);
            let name = format!("`{case}`");
            match groups.iter_mut().find(|(marks, _)| *marks == row) {
                Some((_, alike)) => alike.push(name),
                None => groups.push((row, vec![name])),
            }
        }
        writeln!(text, "\n### {topic}\n\n| cases | {} |", hosts.join(" | ")).unwrap();
        writeln!(text, "| --- |{}", " --- |".repeat(hosts.len())).unwrap();
        for (row, alike) in &groups {
            writeln!(text, "| {} | {} |", label(alike), row.join(" | ")).unwrap();
        }
        for (_, alike) in groups.iter().filter(|(_, alike)| alike.len() > ALONE) {
            writeln!(text, "\nLike {}: {}.", alike[0], alike[1..].join(", ")).unwrap();
        }
    }
    text
}

/// As many cases stand in their row by name; more are counted there and named below.
const ALONE: usize = 4;

fn label(alike: &[String]) -> String {
    if alike.len() > ALONE {
        format!("{} and {} more", alike[0], alike.len() - 1)
    } else {
        alike.join(", ")
    }
}

/// Why cases were left out, and what was wrong.
fn problems(text: &mut String, all: &[Results]) {
    let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for results in all {
        for (case, outcome) in &results.cases {
            if let Some(why) = outcome.strip_prefix("skipped: ") {
                reasons.entry(why).or_default().insert(&results.host);
            } else if let Some(why) = outcome.strip_prefix("failed: ") {
                let why = why.replace('\n', " ");
                let (host, platform) = (&results.host, &results.platform);
                writeln!(text, "\nWrong: `{case}` in {host} on {platform}: {why}").unwrap();
            }
        }
    }
    for (why, hosts) in reasons {
        let hosts: Vec<&str> = hosts.into_iter().collect();
        writeln!(text, "\nCan't be expressed in {}: {why}.", hosts.join(", ")).unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(host: &str, platform: &str, cases: &[(&str, &str)]) -> Results {
        Results {
            host: host.into(),
            platform: platform.into(),
            cases: cases
                .iter()
                .map(|(case, outcome)| ((*case).to_owned(), (*outcome).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn hosts_stand_side_by_side_and_platforms_within_them() {
        let topics = vec![("echo".to_owned(), vec!["a".to_owned(), "b".to_owned()])];
        let all = [
            results("python/native", "Linux", &[("a", "passed")]),
            results(
                "rust/core",
                "Linux",
                &[("a", "passed"), ("b", "skipped: no name for it")],
            ),
            results(
                "rust/core",
                "windows (Wine 8)",
                &[("a", "failed: found\nnothing")],
            ),
        ];
        let text = table(&topics, &all);
        for line in [
            "| host | Linux | windows (Wine 8) |",
            "| rust/core | 1 right, 0 wrong, 1 that can't be expressed | 0 right, 1 wrong, 0 that can't be expressed |",
            "| python/native | 1 right, 0 wrong, 0 that can't be expressed | not run |",
            "| cases | rust/core | python/native |",
            "| `a` | ✓ ✗ | ✓ ? |",
            "| `b` | – ? | ? ? |",
            "Wrong: `a` in rust/core on windows (Wine 8): found nothing",
            "Can't be expressed in rust/core: no name for it.",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }

    #[test]
    fn cases_with_the_same_marks_share_a_row_and_are_named_below_it() {
        let cases = ["a", "b", "c", "d", "e", "f"].map(str::to_owned);
        let topics = vec![("echo".to_owned(), cases.to_vec())];
        let passed: Vec<(&str, &str)> = cases[..5]
            .iter()
            .map(|case| (case.as_str(), "passed"))
            .collect();
        let text = table(&topics, &[results("rust/core", "Linux", &passed)]);
        for line in [
            "| `a` and 4 more | ✓ |",
            "| `f` | ? |",
            "Like `a`: `b`, `c`, `d`, `e`.",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
