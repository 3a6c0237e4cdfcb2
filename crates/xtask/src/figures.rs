//! The tables of figures in the documents, made of the raw results in `benches/results` and never typed.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use bench_report::readme::readme;
use serde::Deserialize;

use crate::budgets::judge;
use crate::report;
use crate::rows::{Results, Row};
use crate::step::Step;
use crate::table::{bytes, nanoseconds};
use crate::workspace::Workspace;

const README: &str = "README.md";
/// Holds every row of every machine; written as a whole.
const PAGE: &str = "docs/benchmarks.md";
const BEGIN: &str = "<!-- figures: written by `cargo xtask regen` from benches/results -->\n";
const END: &str = "<!-- end of figures -->";

/// What the README shows, in its order: how a reader calls it, then host, transport and scenario of the row.
const SHOWN: &[(&str, &str, &str, &str)] = &[
    ("C, struct of 8 bytes", "c", "librustbridge", "pod 8/8"),
    (
        "C, struct of 76 bytes",
        "c",
        "librustbridge",
        "bench.small 76/80",
    ),
    ("C, JSON echo", "c", "librustbridge", "json echo 13 B"),
    ("Rust, struct of 8 bytes", "rust", "core", "pod 8/8"),
    ("Rust, JSON echo", "rust", "core", "json echo 13 B"),
    (
        "Python extension, struct of 76 bytes",
        "python",
        "native",
        "bench.small 76/80",
    ),
    (
        "Python extension, JSON echo",
        "python",
        "native",
        "json echo 13 B",
    ),
    (
        "Python ctypes, struct of 76 bytes",
        "python",
        "ctypes",
        "bench.small 76/80",
    ),
    (
        "Python ctypes, JSON echo",
        "python",
        "ctypes",
        "json echo 13 B",
    ),
    (
        "Python ctypes, JSON echo of 100 KB",
        "python",
        "ctypes",
        "json echo 100 KB",
    ),
    (
        "Java FFM, struct of 76 bytes, memory segments",
        "java",
        "ffm",
        "bench.small 76/80, segment",
    ),
    (
        "Java FFM, struct of 76 bytes, arrays",
        "java",
        "ffm",
        "bench.small 76/80",
    ),
    ("Java FFM, JSON echo", "java", "ffm", "json echo 13 B"),
    (
        "Java JNI, struct of 76 bytes, arrays",
        "java",
        "jni",
        "bench.small 76/80",
    ),
    ("Java JNI, JSON echo", "java", "jni", "json echo 13 B"),
    (
        "Java FFM, first load + call of a fresh JVM",
        "java",
        "ffm",
        "first load and call of a fresh JVM",
    ),
    (
        "C#, struct of 76 bytes, request built inside",
        "csharp",
        "pinvoke",
        "bench.small 76/80, request built inside",
    ),
    ("C#, JSON echo", "csharp", "pinvoke", "json echo 13 B"),
    (
        "C#, 100 parallel tasks, struct of 76 bytes",
        "csharp",
        "pinvoke",
        "A concurrent binary",
    ),
    (
        "C#, 100 parallel tasks, JSON echo",
        "csharp",
        "pinvoke",
        "A concurrent json",
    ),
    (
        "Rust, load + call + close, loaded before",
        "rust",
        "core",
        "load, call, close: mapped before",
    ),
    (
        "Rust, load + call + close, new content",
        "rust",
        "core",
        "load, call, close: not mapped yet",
    ),
];

#[derive(Deserialize)]
struct Predecessor {
    about: String,
    machine: String,
    source: String,
    /// Where the figures come from that nobody has measured but who published them.
    published: String,
    rows: Vec<PredecessorRow>,
}

#[derive(Deserialize)]
struct PredecessorRow {
    host: String,
    transport: String,
    scenario: String,
    ns: f64,
    #[serde(default)]
    published: bool,
}

/// Writes the tables.
pub fn write(workspace: &Workspace) -> Result<()> {
    for (file, text) in generate(workspace)? {
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// Fails where a document differs from what would be written.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    for (file, text) in generate(step.workspace)? {
        let is = fs::read_to_string(&file).unwrap_or_default();
        let problem = (is != text).then(|| {
            format!(
                "{} differs from benches/results; run `cargo xtask regen`",
                file.display()
            )
        });
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        step.check(
            &format!("the figures of {name} are those of benches/results"),
            problem,
        )?;
    }
    Ok(())
}

/// The README and the report; files of the older format are read as long as there is none of the current one.
fn generate(workspace: &Workspace) -> Result<Vec<(PathBuf, String)>> {
    let sources = report::sources(workspace, report::committed(workspace)?)?;
    if let Some(table) = readme(&sources) {
        let file = workspace.root.join(README);
        let text = fs::read_to_string(&file).context("reading the README")?;
        let mut documents = report::committed_documents(workspace, &sources);
        documents.push((file, between_marks(&text, &table)?));
        return Ok(documents);
    }
    let runs = read_runs(workspace)?;
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let predecessor = workspace.root.join("benches/predecessor.json");
    let predecessor: Predecessor = serde_json::from_slice(
        &fs::read(&predecessor).with_context(|| format!("reading {}", predecessor.display()))?,
    )
    .with_context(|| format!("reading {}", predecessor.display()))?;
    let readme = workspace.root.join(README);
    let text = fs::read_to_string(&readme).context("reading the README")?;
    let text = between_marks(&text, &summary(&runs[0], &predecessor))?;
    Ok(vec![
        (readme, text),
        (workspace.root.join(PAGE), page(&runs)),
    ])
}

/// By file name, so that the order is everybody's.
fn read_runs(workspace: &Workspace) -> Result<Vec<Results>> {
    let Ok(entries) = workspace.root.join("benches/results").read_dir() else {
        return Ok(Vec::new());
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    files.sort();
    let read = |file: PathBuf| {
        let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        serde_json::from_slice(&bytes).with_context(|| format!("reading {}", file.display()))
    };
    files.into_iter().map(read).collect()
}

fn between_marks(text: &str, table: &str) -> Result<String> {
    let (before, rest) = text
        .split_once(BEGIN)
        .context("the README lacks the mark before its figures")?;
    let (_, after) = rest
        .split_once(END)
        .context("the README lacks the mark after its figures")?;
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

fn summary(run: &Results, predecessor: &Predecessor) -> String {
    let mut text = String::from(
        "\n| one call | ours | bare call | ratio | predecessor | times faster |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut marked = false;
    for (title, host, transport, scenario) in SHOWN {
        let is_it = |row: &&Row| {
            row.host == *host
                && row.transport == *transport
                && row.scenario == *scenario
                && row.threads == 1
        };
        let Some(row) = run.rows.iter().find(is_it) else {
            continue;
        };
        let before = predecessor.rows.iter().find(|before| {
            before.host == *host && before.transport == *transport && before.scenario == *scenario
        });
        let cells = [
            (*title).to_owned(),
            nanoseconds(row.ours_ns),
            row.floor_ns.map(nanoseconds).unwrap_or_default(),
            row.ratio
                .map(|ratio| format!("{ratio:.2}"))
                .unwrap_or_default(),
            before
                .map(|before| {
                    marked |= before.published;
                    let mark = if before.published { "\\*" } else { "" };
                    format!("{}{mark}", nanoseconds(before.ns))
                })
                .unwrap_or_default(),
            before
                .map(|before| times(before.ns / row.ours_ns))
                .unwrap_or_default(),
        ];
        text.push_str(&line(&cells));
    }
    text.push_str(&format!(
        "\n{}. Predecessor: {} On a {}; {}.",
        measured_on(run),
        predecessor.about,
        predecessor.machine,
        predecessor.source,
    ));
    if marked {
        text.push_str(&format!(
            " \\* From its own tables, on {}.",
            predecessor.published
        ));
    }
    text.push('\n');
    text
}

/// The machine and the tools.
fn measured_on(run: &Results) -> String {
    format!("{}, {}", run.machine, measured_with(run))
}

fn measured_with(run: &Results) -> String {
    let java = if run.java.is_empty() {
        String::new()
    } else {
        format!(", {}", run.java)
    };
    let dotnet = if run.dotnet.is_empty() {
        String::new()
    } else {
        format!(", .NET SDK {}", run.dotnet)
    };
    format!(
        "{} cores, {}, CPython {}{java}{dotnet}, commit {}",
        run.cores, run.rustc, run.python, run.commit
    )
}

/// Two digits are what such a comparison bears.
fn times(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

fn page(runs: &[Results]) -> String {
    let mut text = String::from(
        "# Benchmarks\n\nWritten by `cargo xtask regen` from `benches/results`; `cargo xtask bench --save` measures. Medians on release builds. The floor \
         is a hand-written call that does the same work in the same run; only ratios within a run mean something. `benches/README.md` says what \
         each row is.\n",
    );
    for run in runs {
        text.push_str(&format!(
            "\n## {}\n\n{}\n\n",
            run.machine,
            measured_with(run)
        ));
        text.push_str(
            "| host | transport | scenario | threads | ours | floor | ratio | allocated | budget | |\n",
        );
        text.push_str("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
        for row in &run.rows {
            let (budget, verdict) = judge(row, &run.rows);
            let cells = [
                row.host.clone(),
                row.transport.clone(),
                row.scenario.clone(),
                row.threads.to_string(),
                nanoseconds(row.ours_ns),
                row.floor_ns.map(nanoseconds).unwrap_or_default(),
                row.ratio
                    .map(|ratio| format!("{ratio:.2}"))
                    .unwrap_or_default(),
                row.alloc_bytes.map(bytes).unwrap_or_default(),
                budget,
                verdict.to_owned(),
            ];
            text.push_str(&line(&cells));
        }
    }
    text
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let text = format!("before\n{BEGIN}old\n{END}\nafter\n");
        let changed = between_marks(&text, "new\n").unwrap();
        assert_eq!(changed, format!("before\n{BEGIN}new\n{END}\nafter\n"));
        assert!(between_marks("no marks", "new").is_err());
    }

    #[test]
    fn a_row_is_set_beside_its_predecessor() {
        let run = Results {
            machine: "M".into(),
            cores: 2,
            rustc: "rustc".into(),
            python: "3.11".into(),
            java: String::new(),
            dotnet: "10.0.1".into(),
            commit: "abc".into(),
            rows: vec![Row {
                scenario: "bench.small 76/80".into(),
                host: "c".into(),
                transport: "librustbridge".into(),
                ours_ns: 10.0,
                floor_ns: Some(5.0),
                ratio: Some(2.0),
                threads: 1,
                alloc_bytes: None,
                source: "test".into(),
            }],
        };
        let predecessor = Predecessor {
            about: "A.".into(),
            machine: "N".into(),
            source: "S".into(),
            published: "P".into(),
            rows: vec![PredecessorRow {
                host: "c".into(),
                transport: "librustbridge".into(),
                scenario: "bench.small 76/80".into(),
                ns: 150.0,
                published: true,
            }],
        };
        let text = summary(&run, &predecessor);
        assert!(text.contains("| 2.00 | 150 ns\\* | 15 |"), "{text}");
        assert!(
            text.contains("CPython 3.11, .NET SDK 10.0.1, commit abc"),
            "{text}"
        );
        assert!(page(&[run]).contains("| 2 x floor | kept |"));
    }
}
