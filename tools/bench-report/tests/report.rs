//! The report made of fixtures: what parts of it look like, and what must hold for any set of runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use bench_report::markdown::{self, markdown};
use bench_report::page::page;
use bench_report::readme::readme;
use bench_report::report::model::{Block, Cell, Report, Section, Tone};
use bench_report::{Budgets, Catalogue, Measure, Predecessor, Run, Sources, newest, report};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn run(name: &str) -> Run {
    Run::read(&fixtures().join(format!("{name}.json"))).expect("the fixture is a run")
}

fn sources(runs: &[&str]) -> Sources {
    Sources {
        catalogue: Catalogue::read(&fixtures().join("catalogue.toml"))
            .expect("the fixture is a catalogue"),
        budgets: Budgets::read(&fixtures().join("budgets.toml")).expect("the fixture has budgets"),
        predecessor: Predecessor::read(&fixtures().join("predecessor.json"))
            .expect("the fixture has figures"),
        runs: runs.iter().map(|name| run(name)).collect(),
    }
}

const ALL: [&str; 5] = ["linux", "windows", "wine", "without-java", "over"];

/// Our own catalogue, with a run that has everything it promises at made-up times.
fn complete() -> Sources {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches");
    let mut sources = sources(&["linux"]);
    sources.catalogue =
        Catalogue::read(&folder.join("catalogue.toml")).expect("our catalogue can be read");
    sources.budgets = Budgets::read(&folder.join("budgets.toml")).expect("our budgets can be read");
    let mut measure = sources.runs[0].measures[0].clone();
    measure.single = None;
    let keys = sources.catalogue.expected().into_iter();
    let measures = keys.enumerate().map(|(index, key)| Measure {
        scenario: key.scenario,
        host: key.host,
        transport: key.transport,
        subject: key.subject,
        threads: key.threads,
        ns: vec![10.0 + index as f64],
        ..measure.clone()
    });
    sources.runs[0].measures = measures.collect();
    sources
}

#[test]
fn a_complete_run_of_our_catalogue_leaves_no_cell_unexplained() {
    let text = markdown(&report(&complete()));
    let problem = text
        .lines()
        .find(|line| line.contains("Not measured in this run"));
    assert_eq!(
        problem, None,
        "the catalogue promises it, or doesn't say why not"
    );
}

/// Sets of runs that differ in what they lack.
fn sets() -> Vec<Sources> {
    let mut sets: Vec<Sources> = [
        &[][..],
        &["linux"],
        &["over"],
        &["without-java"],
        &["wine"],
        &["linux", "windows"],
        &ALL,
    ]
    .iter()
    .map(|names| sources(names))
    .collect();
    // A run in which everything failed.
    let mut bare = sources(&["linux"]);
    bare.runs[0].measures.clear();
    sets.push(bare);
    // Measures that take no time at all, and that nobody knows.
    let mut strange = sources(&["linux"]);
    for measure in &mut strange.runs[0].measures {
        measure.ns = vec![0.0];
    }
    strange.runs[0].measures[0].scenario = "nobody | knows <it>".into();
    sets.push(strange);
    sets.push(complete());
    sets
}

fn section<'a>(report: &'a Report, id: &str) -> &'a Section {
    fn find<'a>(sections: &'a [Section], id: &str) -> Option<&'a Section> {
        sections.iter().find_map(|section| {
            if section.id == id {
                Some(section)
            } else {
                find(&section.parts, id)
            }
        })
    }
    find(&report.sections, id).unwrap_or_else(|| panic!("the report has no section {id}"))
}

/// Compares with the committed file, or writes that if `REPORT_GOLDEN` says so.
fn golden(file: &str, text: &str) {
    let path = fixtures().join("golden").join(file);
    if env::var_os("REPORT_GOLDEN").is_some_and(|value| value == "write") {
        fs::create_dir_all(path.parent().expect("it has a folder"))
            .expect("the folder can be made");
        fs::write(&path, text).expect("it can be written");
    }
    let expected = fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        expected == text,
        "{file} differs; REPORT_GOLDEN=write writes it anew. It is now:\n{text}"
    );
}

#[test]
fn parts_look_as_they_did() {
    let two = report(&sources(&["linux", "windows"]));
    let three = report(&sources(&["linux", "windows", "wine"]));
    let over = report(&sources(&["over"]));
    let less = report(&sources(&["without-java"]));
    let told = |report: &Report, id: &str| markdown::section(section(report, id), 2);
    golden("summary.md", &told(&two, "summary"));
    golden("summary-alone.md", &told(&over, "summary"));
    golden("advice.md", &told(&two, "advice"));
    golden("machines.md", &told(&three, "machines"));
    golden("ranking.md", &told(&two, "ranking"));
    golden("encodings.md", &told(&over, "encodings"));
    golden("csharp.md", &told(&two, "language-csharp-pinvoke"));
    golden("java-missing.md", &told(&less, "language-java-ffm"));
    golden("jni-ffm.md", &told(&two, "jni-ffm"));
    golden("ffm-methods.md", &told(&two, "ffm-methods"));
    golden("platforms.md", &told(&three, "platforms"));
    golden("grpc.md", &told(&over, "grpc"));
    golden("peers.md", &told(&two, "peers"));
    golden("predecessor.md", &told(&two, "predecessor"));
    golden("budgets.md", &told(&over, "budgets"));
    golden("rpclib.md", &told(&over, "group-rpclib"));
    golden("metaffi.md", &told(&less, "group-metaffi"));
    golden(
        "readme.md",
        &readme(&sources(&["linux"])).expect("there is a run"),
    );
    for (id, file) in [
        ("ranking", "bars.svg"),
        ("threads", "lines.svg"),
        ("grpc", "groups.svg"),
    ] {
        let charts = section(&over, id)
            .blocks
            .iter()
            .find_map(|block| match block {
                Block::Charts(charts) => charts.first(),
                _ => None,
            });
        golden(
            file,
            &format!(
                "{}\n",
                charts
                    .expect("it has a chart")
                    .svg("chart")
                    .replace("><", ">\n<")
            ),
        );
    }
}

#[test]
fn the_order_of_files_changes_nothing() {
    let mut sources = sources(&ALL);
    let expected = (
        markdown(&report(&sources)),
        page(&report(&sources)),
        readme(&sources),
    );
    for _ in 0..ALL.len() {
        sources.runs.rotate_left(1);
        let turned = (
            markdown(&report(&sources)),
            page(&report(&sources)),
            readme(&sources),
        );
        assert!(turned == expected, "another order gives another report");
        for run in &mut sources.runs {
            run.measures.reverse();
        }
    }
    // The same file given twice is one run.
    sources.runs.extend(sources.runs.clone());
    assert!(markdown(&report(&sources)) == expected.0);
}

#[test]
fn every_scenario_of_the_catalogue_is_there() {
    for sources in sets() {
        let (text, html) = (markdown(&report(&sources)), page(&report(&sources)));
        for entry in &sources.catalogue.entries {
            assert!(
                text.contains(&format!("| `{}` |", entry.name)),
                "{} isn't in the Markdown",
                entry.name
            );
            assert!(
                html.contains(&format!("<code>{}</code>", entry.name)),
                "{} isn't on the page",
                entry.name
            );
        }
    }
}

#[test]
fn what_is_no_number_is_never_written() {
    for sources in sets() {
        let report = report(&sources);
        for text in [
            markdown(&report),
            page(&report),
            readme(&sources).unwrap_or_default(),
        ] {
            let words = text.split(|c: char| !c.is_alphanumeric());
            let bad: Vec<&str> = words
                .filter(|word| ["nan", "inf", "infinity"].contains(&word.to_lowercase().as_str()))
                .collect();
            assert!(bad.is_empty(), "{bad:?}");
        }
    }
}

#[test]
fn a_page_is_well_formed_and_needs_nothing_but_itself() {
    for sources in sets() {
        let html = page(&report(&sources));
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        let document = roxmltree::Document::parse_with_options(&html, options)
            .unwrap_or_else(|error| panic!("{error}"));
        let ids: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.attribute("id"))
            .collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "an id is there twice");
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            if let Some(target) = node
                .attribute("href")
                .and_then(|href| href.strip_prefix('#'))
            {
                assert!(
                    unique.contains(target),
                    "a link leads to #{target}, which isn't there"
                );
            }
            let name = node.tag_name().name();
            assert!(
                !["script", "img", "iframe"].contains(&name),
                "there is a {name}"
            );
            if name == "svg" {
                let label = node
                    .attribute("aria-labelledby")
                    .expect("a chart is labelled");
                assert!(label.split(' ').all(|id| unique.contains(id)), "{label}");
            }
            if name == "tr" {
                let table = node
                    .ancestors()
                    .find(|node| node.tag_name().name() == "table")
                    .expect("a row has a table");
                let columns = table
                    .descendants()
                    .filter(|node| node.attribute("scope") == Some("col"))
                    .count();
                assert_eq!(
                    node.children().filter(roxmltree::Node::is_element).count(),
                    columns
                );
            }
        }
        assert!(
            !html.contains("http://") && !html.contains("https://") && !html.contains("@import")
        );
    }
}

#[test]
fn an_empty_cell_says_why() {
    for sources in sets() {
        let report = report(&sources);
        let mut sections: Vec<&Section> = report.sections.iter().collect();
        while let Some(section) = sections.pop() {
            sections.extend(&section.parts);
            for block in &section.blocks {
                let Block::Table(table) = block else { continue };
                for cell in table
                    .rows
                    .iter()
                    .flatten()
                    .filter(|cell| cell.text == bench_report::words::NOTHING)
                {
                    let about_slowest = table
                        .columns
                        .last()
                        .is_some_and(|title| title == "Less than the slowest");
                    assert!(
                        cell.note.is_some() || about_slowest,
                        "a cell of `{}` is empty without a reason",
                        table.caption
                    );
                }
                for note in &table.notes {
                    assert!(
                        !note.contains("..") && note.ends_with(['.', '!', '?']),
                        "{note}"
                    );
                }
            }
        }
    }
}

#[test]
fn wine_wins_and_loses_nothing() {
    let report = report(&sources(&["linux", "windows", "wine"]));
    let platforms = section(&report, "platforms");
    assert_eq!(
        platforms.parts.len(),
        2,
        "Linux and Windows, Linux and Wine, but not Windows and Wine"
    );
    let wine = platforms
        .parts
        .iter()
        .find(|part| part.title.contains("Wine"))
        .expect("it's compared");
    assert!(
        wine.blocks
            .iter()
            .any(|block| matches!(block, Block::Warning(text) if text.contains("isn't Windows")))
    );
    for block in &wine.blocks {
        if let Block::Table(table) = block {
            assert_eq!(table.columns.last().map(String::as_str), Some("Winner"));
            assert!(table.rows.iter().all(|row| {
                row.last()
                    .is_some_and(|cell| cell.note.is_some() || cell.text.is_empty())
            }));
        }
    }
    assert!(
        !markdown::section(section(&report, "advice"), 2).contains("Wine"),
        "nothing is recommended from it"
    );
}

/// What a cell says, what stands below it, and how it's set off.
fn said(row: &[Cell], column: usize) -> (&str, &str, Tone) {
    (&row[column].text, &row[column].under, row[column].tone)
}

#[test]
fn typed_clients_stand_beside_each_bridge_of_their_language() {
    let mut sources = complete();
    let times = [
        ("java", "ffm", "ours", 100.0),
        ("java", "ffm", "floor", 80.0),
        ("java", "", "boltffi", 250.0),
        ("kotlin", "ffm", "ours", 110.0),
        ("kotlin", "", "uniffi", 55.0),
    ];
    for measure in &mut sources.runs[0].measures {
        let whose = (
            measure.host.as_str(),
            measure.transport.as_str(),
            measure.subject.as_str(),
        );
        let found = times
            .iter()
            .find(|(host, transport, subject, _)| whose == (host, transport, subject));
        if measure.scenario == "typed text"
            && let Some((.., ns)) = found
        {
            measure.ns = vec![*ns];
        }
    }
    let report = report(&sources);
    let section = section(&report, "typed");
    let Some(Block::Charts(charts)) = section.blocks.get(1) else {
        panic!("the five scenarios are drawn");
    };
    assert_eq!(charts.len(), 5);
    let letters = charts[0].letters().expect("it has bars");
    assert!(
        letters.contains("boltffi") && letters.contains("gRPC"),
        "{letters}"
    );
    let Some(Block::Table(table)) = section.blocks.get(2) else {
        panic!("there is a table");
    };
    let columns = [
        "Scenario", "Language", "Ours", "Floor", "boltffi", "pyo3", "uniffi", "gRPC",
    ];
    assert_eq!(table.columns, columns);
    let row = |language: &str| {
        let found =
            |row: &&Vec<Cell>| said(row, 0).0 == "`typed text`" && said(row, 1).0 == language;
        table.rows.iter().find(found).expect("the lane measures it")
    };
    let java = row("Java FFM");
    assert_eq!(said(java, 2).0, "100 ns");
    assert_eq!(said(java, 3), ("80.0 ns", "0.80×", Tone::Plain));
    assert_eq!(said(java, 4), ("250 ns", "2.50×", Tone::Plain));
    assert_eq!(said(java, 6).2, Tone::Empty);
    // What is ahead of ours is marked, and so is ours, whose budget that is.
    let kotlin = row("Kotlin FFM");
    assert_eq!(said(kotlin, 2), ("110 ns", "over budget", Tone::Bad));
    assert_eq!(said(kotlin, 6), ("55.0 ns", "0.50×", Tone::Bad));
}

#[test]
fn nothing_is_recommended_from_a_quick_look() {
    let mut sources = sources(&["linux"]);
    sources.runs[0].quick = true;
    let text = markdown(&report(&sources));
    assert!(!text.contains("What to use") && text.contains("quick look, which proves nothing"));
}

#[test]
fn what_is_over_its_budget_is_told_by_word_and_mark() {
    let report = report(&sources(&["over"]));
    let text = markdown::section(section(&report, "budgets"), 2);
    assert!(text.contains("🔴 **over**"), "{text}");
    assert!(
        report
            .cards
            .iter()
            .any(|card| card.bad && card.about.contains("budget"))
    );
    let html = page(&report);
    assert!(html.contains("over budget") && html.contains("class=\"bad\""));
}

#[test]
fn of_each_machine_the_newest_full_run_counts() {
    let mut old = run("linux");
    old.began = "2025-01-01T00:00:00Z".into();
    let mut quick = run("linux");
    quick.began = "2027-01-01T00:00:00Z".into();
    quick.quick = true;
    let names = |runs: Vec<Run>| -> BTreeSet<String> {
        newest(runs).into_iter().map(|run| run.began).collect()
    };
    let expected: BTreeSet<String> = [run("linux"), run("wine")].map(|run| run.began).into();
    // One machine may have two platforms, as under Wine.
    assert_eq!(
        names(vec![old.clone(), run("linux"), quick.clone(), run("wine")]),
        expected
    );
    assert_eq!(names(vec![run("wine"), quick, run("linux"), old]), expected);
}

#[test]
fn without_a_run_there_is_nothing_to_show() {
    let sources = sources(&[]);
    assert!(readme(&sources).is_none());
    assert!(markdown(&report(&sources)).contains("No run was given"));
}
