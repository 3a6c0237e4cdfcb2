//! The report of small runs, and of a run that has everything that our catalogue names.

use std::path::Path;

use super::pages::{ALTERNATIVES, SIZES, STRUCT};
use super::*;
use crate::results::{Single, sample::measure, sample::run};

const CATALOGUE: &str = r#"
    [grpc]
    subjects = ["grpc tcp"]
    hosts = ["c"]
    without = { go = "nobody wrote its client" }
    [[lane]]
    name = "c/librustbridge"
    title = "C"
    harness = "c"
    [[lane]]
    name = "go/cgo"
    title = "Go, cgo"
    harness = "go"
    [[group]]
    name = "structs"
    title = "Structs"
    about = "Leaf methods."
    no_grpc = "fixed layouts"
    no_direct = "the same as another"
    [[scenario]]
    name = "bench.small 76/80"
    group = "structs"
    work = "sums"
    timed = "the call"
    lanes = ["*/*"]
    threads = { "c/*" = [2] }
    [[scenario.variant]]
    name = "into"
    timed = "the call"
    lanes = ["c/*"]
    otherwise = "Go has no_such thing."
"#;

const BUDGETS: &str = r#"
    [[budget]]
    scenarios = ["bench.small 76/80"]
    lanes = ["*/*"]
    why = "Because."
    ns = 12.0
"#;

fn linux() -> Run {
    let c =
        |scenario, subject, threads, ns| measure(scenario, "c/librustbridge", subject, threads, ns);
    let mut ours = c(STRUCT, OURS, 1, 10.0);
    ours.alloc_bytes = Some(48.2);
    ours.single = Some(Single {
        count: 200,
        p50: 11.0,
        p90: 12.0,
        p99: 31.0,
        p999: 40.0,
        clock: 9.0,
    });
    let mut run = run(
        "Linux",
        vec![
            ours,
            c(STRUCT, FLOOR, 1, 8.0),
            c(STRUCT, OURS, 2, 12.5),
            c(STRUCT, FLOOR, 2, 16.0),
            c(&format!("{STRUCT}, into"), OURS, 1, 6.0),
            measure(STRUCT, "go/cgo", OURS, 1, 50.0),
            measure(STRUCT, "go/", "swig", 1, 40.0),
            measure(STRUCT, "c/", "grpc tcp", 1, 20_000.0),
        ],
    );
    run.missing.insert("java".into(), "no JDK".into());
    run
}

fn wine() -> Run {
    let ours = measure(STRUCT, "c/librustbridge", OURS, 1, 15.0);
    let floor = measure(STRUCT, "c/librustbridge", FLOOR, 1, 5.0);
    run("windows (Wine 8)", vec![ours, floor])
}

fn sources(runs: Vec<Run>) -> Sources {
    Sources {
        catalogue: Catalogue::parse(CATALOGUE).expect("a catalogue"),
        budgets: Budgets::parse(BUDGETS.trim()).expect("budgets"),
        runs,
    }
}

/// Our catalogue and budgets, with a run that has every measure.
fn complete() -> Sources {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches");
    let catalogue = Catalogue::read(&folder.join("catalogue.toml")).expect("our catalogue");
    let measures = catalogue.expected().into_iter().map(|key| {
        let lane = format!("{}/{}", key.host, key.transport);
        Measure {
            alloc_bytes: Some(0.0),
            ..measure(&key.scenario, &lane, &key.subject, key.threads, 10.0)
        }
    });
    Sources {
        runs: vec![run("Linux", measures.collect())],
        budgets: Budgets::read(&folder.join("budgets.toml")).expect("our budgets"),
        catalogue,
    }
}

fn page(sources: &Sources, name: &str) -> String {
    let pages = pages(sources);
    let page = pages.into_iter().find(|(file, _)| *file == name);
    page.unwrap_or_else(|| panic!("no page is called {name}")).1
}

fn has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(
            text.lines().any(|it| it == *line),
            "no line is {line:?}:\n{text}"
        );
    }
}

#[test]
fn a_row_is_compared_with_its_floor_grpc_peers_and_budgets() {
    let sources = sources(vec![linux()]);
    has(
        &page(&sources, "rows.md"),
        &[
            "| scenario | ours | middle half | ratio | bare call | gRPC | p99 | allocated | budget |",
            "| `bench.small 76/80` | 10.0 ns | 10.0 ns to 10.0 ns | 1.25× | 8.00 ns (0.80×) | 20.0 µs (2000×) | 31.0 ns | 48 B | 12.0 ns |",
            "| `bench.small 76/80`, 2 threads | 12.5 ns | 12.5 ns to 12.5 ns | 0.78× | 16.0 ns (1.28×) |  |  |  |  |",
            "| `bench.small 76/80, into` | 6.00 ns | 6.00 ns to 6.00 ns |  |  | 20.0 µs (3333×) |  |  |  |",
            "| `bench.small 76/80` | 50.0 ns | 50.0 ns to 50.0 ns | **12.0 ns** |",
            "* Not measured: `bench.small 76/80, into`. Go has no\\_such thing.",
        ],
    );
    has(
        &page(&sources, "others.md"),
        &[
            "| scenario | language | ours | swig |",
            "| `bench.small 76/80` | Go cgo | 50.0 ns | **40.0 ns (0.80×)** |",
            "| `bench.small 76/80` | C | 10.0 ns | 20.0 µs (2000×) |",
            "* Without gRPC: `go`. nobody wrote its client",
        ],
    );
    has(
        &page(&sources, "budgets.md"),
        &[
            "1 of 2 judged figures are over their budget.",
            "| `bench.small 76/80` | Go cgo | 50.0 ns | 12.0 ns |",
            "| `bench.small 76/80` | `*/*` | 12.0 ns | 1 of 2 | **50.0 ns (Go cgo)** | Because. |",
        ],
    );
    has(
        &page(&sources, "scenarios.md"),
        &[
            "Leaf methods. Without gRPC: fixed layouts Without direct call: the same as another",
            "* `bench.small 76/80`: sums. Timed: the call.",
            "* `bench.small 76/80, into`: Timed: the call.",
        ],
    );
    has(
        &page(&sources, "index.md"),
        &[
            "| C | 10.0 ns (1.25×) | 20.0 µs (2000×) |",
            "| `bench.small 76/80` | C | 100 M/s | 160 M/s (1.60×; 1.00×) |",
        ],
    );
}

#[test]
fn a_terminal_shows_all_figures_of_a_run() {
    let text = terminal(&sources(vec![linux()])).to_string();
    has(
        &text,
        &[
            "| scenario | language | ours | middle half | ratio | bare call | gRPC | p99 | allocated | budget | swig |",
            "| `bench.small 76/80` | Go cgo | 50.0 ns | 50.0 ns to 50.0 ns |  |  |  |  |  | **12.0 ns** | **40.0 ns (0.80×)** |",
        ],
    );
}

#[test]
fn systems_are_compared_and_wine_comes_last() {
    let both = sources(vec![wine(), linux()]);
    let text = page(&both, "systems.md");
    has(
        &text,
        &[
            "* Missing, java: no JDK",
            "| `bench.small 76/80` | C | 10.0 ns | 1.25× | 15.0 ns | 3.00× | 1.50× |",
        ],
    );
    let turned = sources(vec![linux(), wine()]);
    assert_eq!(pages(&both), pages(&turned), "the order of files matters");
    let alone = page(&sources(vec![linux()]), "systems.md");
    assert!(!alone.contains("Compared"), "{alone}");
}

#[test]
fn two_runs_of_one_system_have_labels_of_their_own() {
    let quick = Run {
        commit: "def".into(),
        quick: true,
        ..linux()
    };
    let sources = sources(vec![linux(), quick]);
    let labels: Vec<String> = Report::new(&sources)
        .runs
        .into_iter()
        .map(|it| it.0)
        .collect();
    assert!(
        labels[0].contains("abc") && labels[1].contains("def"),
        "{labels:?}"
    );
    assert!(labels[1].ends_with(", quick"), "{labels:?}");
}

#[test]
fn a_run_without_sensible_measures_has_pages_without_nonsense() {
    assert!(pages(&sources(Vec::new())).is_empty());
    let mut strange = linux();
    strange.measures.iter_mut().for_each(|it| it.ns = vec![0.0]);
    strange.measures[0].scenario = "unknown".into();
    for runs in [vec![run("Linux", Vec::new())], vec![strange]] {
        for (name, text) in pages(&sources(runs)) {
            assert!(
                !text.contains("NaN") && !text.contains("inf"),
                "{name}: {text}"
            );
        }
    }
}

#[test]
fn a_run_of_everything_fills_every_table() {
    let sources = complete();
    let rows = page(&sources, "rows.md");
    let ours = sources.runs[0]
        .measures
        .iter()
        .filter(|it| it.subject == OURS)
        .count();
    assert_eq!(rows.matches("10.0 ns to 10.0 ns").count(), ours);
    let scenarios = page(&sources, "scenarios.md");
    for entry in &sources.catalogue.entries {
        assert!(scenarios.contains(&format!("\n* `{}`: ", entry.name)));
    }
    let index = page(&sources, "index.md");
    for title in &sources.catalogue.lanes {
        let title = title.title.replace(", ", " ");
        assert!(index.contains(&format!("\n| {title} | ")), "{title}");
    }
    for (_, sizes, variant) in SIZES {
        for (scenario, _) in sizes {
            let title = format!(" `{scenario}{variant}` |");
            assert!(index.contains(&title), "{title}");
        }
    }
    let others = alternatives(&sources).expect("a run");
    assert_eq!(
        others.lines().count(),
        ALTERNATIVES.lines().count() + 3,
        "{others}"
    );
    let one_call = one_call(&sources).expect("a run");
    let lanes = sources.catalogue.lanes.len();
    assert_eq!(one_call.lines().count(), lanes + 5, "{one_call}");
    assert!(!budgets::in_short(&Report::new(&sources), &sources.runs[0]).contains("nothing"));
}
