//! The README's table: a few rows of one run.

use std::fmt::Write as _;

use crate::catalogue::Lane;
use crate::markdown::table;
use crate::report::facts::{Facts, is_wine, timed};
use crate::report::model::{Cell, Table};
use crate::{Measure, Sources, words};

/// What it shows, in its order: how a reader calls it, then lane and scenario.
const SHOWN: &[(&str, &str, &str, &str)] = &[
    ("C, struct of 8 bytes", "c", "librustbridge", "pod 8/8"),
    (
        "C, struct of 76 bytes",
        "c",
        "librustbridge",
        "bench.small 76/80",
    ),
    ("C, JSON echo", "c", "librustbridge", "json echo 13 B"),
    (
        "Rust, struct of 76 bytes",
        "rust",
        "core",
        "bench.small 76/80",
    ),
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
    ("Go, struct of 76 bytes", "go", "cgo", "bench.small 76/80"),
    ("Go, JSON echo", "go", "cgo", "json echo 13 B"),
    (
        "Node, struct of 76 bytes",
        "node",
        "napi",
        "bench.small 76/80",
    ),
    ("Node, JSON echo", "node", "napi", "json echo 13 B"),
    (
        "Python extension, 1 MB copied",
        "python",
        "native",
        "get_blob 1 MB",
    ),
    ("Java FFM, 1 MB copied", "java", "ffm", "get_blob 1 MB"),
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

/// The figures beside the README's comparison: the alternative, the language, then host, transport, scenario and the subject it's measured as.
const ALTERNATIVES: &[(&str, &str, &str, &str, &str, &str)] = &[
    (
        "by hand",
        "C, struct of 8 bytes",
        "c",
        "librustbridge",
        "pod 8/8",
        "floor",
    ),
    (
        "by hand",
        "Java JNI, struct of 76 bytes",
        "java",
        "jni",
        "bench.small 76/80",
        "floor",
    ),
    (
        "UniFFI",
        "Kotlin, a text, typed",
        "kotlin",
        "ffm",
        "typed text",
        "uniffi",
    ),
    (
        "UniFFI",
        "Kotlin, a list of records, typed",
        "kotlin",
        "ffm",
        "get_structs, typed",
        "uniffi",
    ),
    (
        "gRPC",
        "Java, JSON echo",
        "java",
        "ffm",
        "json echo 13 B",
        "grpc",
    ),
    (
        "gRPC",
        "Java, a list of records, typed",
        "java",
        "ffm",
        "get_structs, typed",
        "grpc",
    ),
];

/// The figures of the README's comparison with other ways; nothing if there is no run.
#[must_use]
pub fn alternatives(sources: &Sources) -> Option<String> {
    let facts = Facts::new(sources);
    let seen = facts.runs.iter().find(|seen| !is_wine(seen.run))?;
    let mut shown = Table::new(
        "",
        &[
            "alternative",
            "one call",
            "rustbridge",
            "the alternative",
            "ratio",
        ],
    );
    for (title, what, host, transport, scenario, subject) in ALTERNATIVES {
        let lane = Lane {
            host: (*host).into(),
            transport: (*transport).into(),
        };
        let Some(ours) = seen.ours(scenario, &lane, 1) else {
            continue;
        };
        let theirs = match *subject {
            "floor" => seen.floor(ours),
            "grpc" => same_work(&facts, scenario, |name| seen.best_grpc(name, host)),
            peer => {
                let peers = seen.peers(facts.catalogue);
                same_work(&facts, scenario, |name| {
                    let mut peers = peers.iter().copied();
                    peers.find(|it| it.subject == peer && it.host == *host && it.scenario == name)
                })
            }
        };
        let Some(theirs) = theirs else { continue };
        let ratio = words::ratio(theirs.median(), ours.median());
        shown.row(vec![
            Cell::text(*title),
            Cell::text(*what),
            timed(ours),
            timed(theirs),
            Cell::text(ratio.map(words::times).unwrap_or_default()),
        ]);
    }
    Some(format!("\n{}", table(&shown)))
}

/// What `find` has for a scenario, or else for the one of which it's a variant: variants differ only in how the host passes the bytes, so
/// others have no figures of their own for them.
fn same_work<'a>(
    facts: &Facts<'_>,
    scenario: &str,
    find: impl Fn(&str) -> Option<&'a Measure>,
) -> Option<&'a Measure> {
    find(scenario).or_else(|| find(&facts.catalogue.entry(scenario)?.base))
}

/// The tools whose versions stand below it; the report has all of them.
const TOOLS: &[&str] = &["rustc", "python", "java", "dotnet sdk", "go", "node"];

/// The table of the first run, and what it was measured on; nothing if there is no run.
#[must_use]
pub fn readme(sources: &Sources) -> Option<String> {
    let facts = Facts::new(sources);
    let seen = facts.runs.iter().find(|seen| !is_wine(seen.run))?;
    let columns = [
        "one call",
        "ours",
        "bare call",
        "ratio",
        "gRPC",
        "gRPC / ours",
        "predecessor",
        "times faster",
    ];
    let mut shown = Table::new("", &columns);
    let mut published = false;
    for (title, host, transport, scenario) in SHOWN {
        let lane = Lane {
            host: (*host).into(),
            transport: (*transport).into(),
        };
        let Some(ours) = seen.ours(scenario, &lane, 1) else {
            continue;
        };
        let grpc = same_work(&facts, scenario, |name| seen.best_grpc(name, host))
            .map(|grpc| grpc.median());
        let before = facts.predecessor.find(scenario, host, transport);
        let over = |ns: Option<f64>| {
            let ratio = ns.and_then(|ns| words::ratio(ns, ours.median()));
            Cell::text(ratio.map(words::times).unwrap_or_default())
        };
        let time = |ns: Option<f64>| ns.map(words::time).unwrap_or_default();
        let mut old = Cell::text(time(before.map(|before| before.ns)));
        if before.is_some_and(|before| before.published) {
            published = true;
            old.text.push('*');
        }
        shown.row(vec![
            Cell::text(*title),
            timed(ours),
            Cell::text(time(seen.floor(ours).map(|floor| floor.median()))),
            Cell::text(seen.floor_ratio(ours).map(words::times).unwrap_or_default()),
            Cell::text(time(grpc)),
            over(grpc),
            old,
            over(before.map(|before| before.ns)),
        ]);
    }
    let run = seen.run;
    let named = |name: &str| TOOLS.contains(&name);
    let tools: Vec<String> = run
        .tools
        .iter()
        .filter(|(name, _)| named(name))
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    let mut text = format!(
        "\n{}\n{}, {}, {} cores; commit {}.",
        table(&shown),
        run.machine.platform,
        run.machine.cpu,
        run.machine.cores,
        run.commit
    );
    if !tools.is_empty() {
        let _ = write!(text, " {}.", tools.join(", "));
    }
    let before = facts.predecessor;
    let _ = write!(
        text,
        " gRPC: the fastest of TCP and Unix socket, pinned and not, by the language's own client, where it has one in our runs. \
         Predecessor: {} On a {}; {}.",
        before.about, before.machine, before.source
    );
    if published {
        let _ = write!(text, " \\* From its own tables, on {}.", before.published);
    }
    text.push('\n');
    Some(text)
}
