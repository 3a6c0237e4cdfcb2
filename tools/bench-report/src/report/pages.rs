//! The pages, and the tables in the README.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Report, Row, Sources, WRITTEN, budgets, grpc_subjects, peers};
use crate::catalogue::Lane;
use crate::results::{DIRECT, FLOOR, GRPC, OURS};
use crate::table::{Columns, Table, escape, rate, ratio, time, times};
use crate::{Catalogue, Run};

/// A leaf method with a struct in each direction.
pub(super) const STRUCT: &str = "bench.small 76/80";
/// The least work with JSON.
const ECHO: &str = "json echo 13 B";

/// Scenarios that differ in size only, and their bytes.
type Sizes = [(&'static str, f64); 4];

const BLOBS: Sizes = [
    ("get_blob 1 KB", 1024.0),
    ("get_blob 64 KB", 65_536.0),
    ("get_blob 1 MB", 1_048_576.0),
    ("get_blob 16 MB", 16_777_216.0),
];
const TEXTS: Sizes = [
    (ECHO, 13.0),
    ("json echo 1 KB", 900.0),
    ("json echo 100 KB", 100_000.0),
    ("json echo 16 MB", 16_777_216.0),
];

/// Tables of such scenarios: title, scenarios, variant.
pub(super) const SIZES: [(&str, Sizes, &str); 3] = [
    ("Bytes, copied to the caller", BLOBS, ""),
    ("Bytes, leased", BLOBS, ", lease"),
    ("A text with JSON", TEXTS, ""),
];

/// The calls in the README that have an alternative: its name, the caller and the call, the lane, the scenario, the subject.
pub(super) const ALTERNATIVES: &str = "\
by hand | C, struct of 8 bytes | c/librustbridge | pod 8/8 | floor
by hand | Java JNI, struct of 76 bytes | java/jni | bench.small 76/80 | floor
UniFFI | Kotlin, a text, typed | kotlin/ffm | typed text | uniffi
UniFFI | Kotlin, a list of records, typed | kotlin/ffm | get_structs, typed | uniffi
gRPC | Java, JSON echo | java/ffm | json echo 13 B | grpc
gRPC | Java, a list of records, typed | java/ffm | get_structs, typed | grpc";

/// Every page with its file name; none without a run.
#[must_use]
pub fn pages(sources: &Sources) -> Vec<(&'static str, String)> {
    let report = Report::new(sources);
    let Some(run) = report.main() else {
        return Vec::new();
    };
    let mut pages = vec![
        ("index.md", index(&report, run)),
        ("rows.md", rows(&report, run)),
        ("others.md", others(&report, run)),
        ("systems.md", systems(&report)),
        ("budgets.md", budgets::page(&report)),
        ("scenarios.md", scenarios(report.catalogue)),
    ];
    for (_, text) in &mut pages {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    pages
}

/// The README's table of all languages, and the machine; nothing without a run.
#[must_use]
pub fn one_call(sources: &Sources) -> Option<String> {
    let report = Report::new(sources);
    let run = report.main()?;
    let machine = format!("Measured on {}.", machine(run));
    Some(format!("\n{}{machine}\n", overview(&report, run)))
}

/// The README's table of alternatives; nothing without a run.
#[must_use]
pub fn alternatives(sources: &Sources) -> Option<String> {
    let report = Report::new(sources);
    let run = report.main()?;
    let one = |cells: &[&str]| {
        let lane = &Lane::try_from(cells[2].to_owned()).ok()?;
        let row = Row::new(cells[3], lane);
        Some((row.ours(run)?.median(), row.other(run, cells[4])?.median()))
    };
    let table = Columns::<Vec<&str>>::new()
        .name("alternative", |row| row[0].into())
        .name("one call", |row| row[1].into())
        .figure("rustbridge", |row| Some(time(one(row)?.0)))
        .figure("the alternative", |row| Some(time(one(row)?.1)))
        .figure("ratio", |row| {
            let (ours, other) = one(row)?;
            ratio(other, ours).map(times)
        });
    let rows = ALTERNATIVES.lines().map(|line| line.split(" | ").collect());
    let table = table.table(rows).to_string();
    Some(format!("\n{}\n", table.trim_end()))
}

fn machine(run: &Run) -> String {
    let (machine, commit) = (&run.machine, &run.commit);
    let cores = machine.cores;
    format!(
        "{}, {}, {cores} cores, at commit `{commit}`",
        machine.platform, machine.cpu
    )
}

/// One call in each language.
fn overview(report: &Report<'_>, run: &Run) -> Table {
    let mut columns = Columns::<&Lane>::new().name("caller", |lane| report.title(lane));
    let scenarios = [
        ("struct of 76 bytes", STRUCT),
        ("JSON echo", ECHO),
        ("record with a text, typed", "typed text"),
    ];
    for (title, scenario) in scenarios {
        let row = move |lane| Row::new(scenario, lane);
        columns = columns
            .figure(title, move |lane| {
                let floor = row(lane).over_floor(run);
                let floor = floor.map(|floor| format!(" ({floor})"));
                Some(row(lane).time(run)? + &floor.unwrap_or_default())
            })
            .figure("gRPC", move |lane| row(lane).beside(run, GRPC));
    }
    columns.table(report.lanes())
}

fn index(report: &Report<'_>, run: &Run) -> String {
    let mut text = format!("# What a call costs\n\n{WRITTEN}");
    let _ = write!(
        text,
        "* [Every row](rows.md): all measures in each language, with the bare call, gRPC, percentiles and allocations.\n\
         * [Other ways](others.md): UniFFI, BoltFFI, PyO3, JNA, cffi and gRPC with the same work.\n\
         * [Systems](systems.md): the machines and tools, and how Windows compares with Linux.\n\
         * [Budgets](budgets.md): the calls that cost more than they may.\n\
         * [Scenarios](scenarios.md): the work of each scenario, and the part of it that is timed.\n\n\
         This page is about {}.\n\n\
         ## One call\n\n\
         In brackets is the ratio to the bare call, which is written by hand, and next to gRPC's time its ratio to ours.\n\n{}",
        machine(run),
        overview(report, run)
    );
    text.push_str("## By size\n\nThe time of one call, and the payload's bytes in a second. A lease copies nothing.\n\n");
    for (title, sizes, variant) in &SIZES {
        let mut columns = Columns::<&Lane>::new().name("caller", |lane| report.title(lane));
        for (scenario, bytes) in sizes {
            let scenario = format!("{scenario}{variant}");
            columns = columns.figure(format!("`{scenario}`"), move |lane| {
                let ours = run.find(OURS, &scenario, lane, 1)?.median();
                let gigabytes = ratio(*bytes, ours).filter(|_| variant.is_empty());
                let gigabytes = gigabytes.map(|it| format!(", {it:.2} GB/s"));
                Some(time(ours) + &gigabytes.unwrap_or_default())
            });
        }
        let table = columns.table(report.lanes()).to_string();
        if !table.is_empty() {
            let _ = write!(text, "### {title}\n\n{table}");
        }
    }
    text.push_str(
        "## By threads\n\nThe calls in a second of all threads on one instance, and how many times those of one thread that is; \
         then the same ratio of the bare call.\n\n",
    );
    let mut columns = report.names();
    for threads in [1, 2, 4, 8] {
        columns = columns.figure(format!("{threads}"), move |row| {
            let at = Row { threads, ..*row };
            let (one, ours) = (row.ours(run)?, at.ours(run)?);
            let speed_up = |one: f64, several: f64| ratio(one * f64::from(threads), several);
            let mut text = rate(ratio(f64::from(threads) * 1e9, ours.median())?);
            if threads > 1 {
                let _ = write!(text, " ({}", times(speed_up(one.median(), ours.median())?));
                if let (Some(one), Some(several)) = (run.floor(one), run.floor(ours)) {
                    let floor = speed_up(one.median(), several.median())?;
                    let _ = write!(text, "; {}", times(floor));
                }
                text.push(')');
            }
            Some(text)
        });
    }
    let several =
        |row: &Row<'_>| row.threads == 1 && Row { threads: 2, ..*row }.ours(run).is_some();
    let _ = write!(
        text,
        "{}",
        columns.table(report.rows().into_iter().filter(several))
    );
    text.push_str("## Budgets\n\n");
    for (label, run) in &report.runs {
        let _ = writeln!(text, "* {label}: {}", budgets::in_short(report, run));
    }
    text
}

/// Every row of every lane, and the reasons for those that are missing.
fn rows(report: &Report<'_>, run: &Run) -> String {
    let mut text = format!(
        "# Every row\n\n{WRITTEN}These are the measures on {}. Half of all samples are in the range next to the time. \
         The bare call, gRPC (the fastest kind) and direct calls from Rust to Rust are shown with the ratio of their time to ours. \
         A time in bold is below ours, and a budget in bold is exceeded.\n\n",
        machine(run)
    );
    for title in &report.catalogue.lanes {
        let lane = &title.name;
        let columns = Columns::new().name("scenario", Row::name);
        let columns = figures(columns, report, run);
        let rows = report.rows().into_iter().filter(|row| row.lane == lane);
        let _ = write!(text, "## {}\n\n{}", title.title, columns.table(rows));
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for entry in &report.catalogue.entries {
            if let Some(why) = report.catalogue.why_not(entry, lane) {
                reasons
                    .entry(why)
                    .or_default()
                    .push(format!("`{}`", entry.name));
            }
        }
        for (why, scenarios) in reasons {
            let _ = writeln!(
                text,
                "* Not measured: {}. {}",
                scenarios.join(", "),
                escape(why)
            );
        }
        text.push('\n');
    }
    text
}

/// The limits, or in bold those that are exceeded.
fn budget(report: &Report<'_>, run: &Run, row: &Row<'_>) -> Option<String> {
    let judged = report.budgets.judge(run, row.ours(run)?);
    let texts: Vec<String> = judged
        .map(|one| match one.is_over() {
            true => format!("**{}**", one.limit),
            false => one.limit,
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Adds the columns of one run.
fn figures<'a>(
    columns: Columns<'a, Row<'a>>,
    report: &'a Report<'a>,
    run: &'a Run,
) -> Columns<'a, Row<'a>> {
    columns
        .figure("ours", |row| row.time(run))
        .figure("middle half", |row| {
            let (low, high) = row.ours(run)?.quartiles();
            Some(format!("{} to {}", time(low), time(high)))
        })
        .figure("ratio", |row| row.over_floor(run))
        .figure("bare call", |row| row.beside(run, FLOOR))
        .figure("direct", |row| row.beside(run, DIRECT))
        .figure("gRPC", |row| row.beside(run, GRPC))
        .figure("p99", |row| Some(time(row.ours(run)?.single?.p99)))
        .figure("gRPC p99", |row| {
            Some(time(row.other(run, GRPC)?.single?.p99))
        })
        .figure("allocated", |row| {
            let bytes = row.ours(run)?.alloc_bytes?;
            Some(format!("{:.0} B", bytes.max(0.0)))
        })
        .figure("budget", |row| budget(report, run, row))
}

/// A run's rows as a table for a terminal.
#[must_use]
pub fn terminal(sources: &Sources) -> Table {
    let report = Report::new(sources);
    let mut columns = report.names();
    for (_, run) in &report.runs {
        columns = figures(columns, &report, run);
        for peer in peers(run) {
            columns = columns.figure(peer, move |row| row.beside(run, peer));
        }
    }
    columns.table(report.rows())
}

/// Peers and gRPC.
fn others(report: &Report<'_>, run: &Run) -> String {
    let mut text = format!(
        "# Other ways\n\n{WRITTEN}These are the measures on {}. In brackets is the ratio of a time to ours. A time in bold is below ours.\n\n\
         ## Peers\n\n\
         Other ways to call native code with the same work, from the same language; `benches/peers/README.md` describes them.\n\n",
        machine(run)
    );
    let peers = peers(run);
    let mut columns = report.names().figure("ours", |row| row.time(run));
    columns = columns.figure("bare call", |row| row.beside(run, FLOOR));
    for peer in peers.iter().copied() {
        columns = columns.figure(peer, move |row| row.beside(run, peer));
    }
    columns = columns.figure("gRPC", |row| row.beside(run, GRPC));
    // A variant that isn't about types passes the same bytes in another way: its scenario's row is enough.
    let has_peer = |row: &Row<'_>| {
        let own = |peer: &&str| {
            run.find(peer, row.scenario, row.lane, row.threads)
                .is_some()
        };
        let same = |peer: &&str| row.other(run, peer).is_some();
        peers.iter().any(own) || row.scenario.ends_with(", typed") && peers.iter().any(same)
    };
    let table = columns.table(report.rows().into_iter().filter(has_peer));
    let _ = write!(
        text,
        "{table}## gRPC\n\nOver TCP on the loopback interface and over a Unix socket; pinned, client and server share one core.\n\n"
    );
    let mut columns = report.names().figure("ours", |row| row.time(run));
    for subject in grpc_subjects(run) {
        columns = columns.figure(subject, move |row| row.beside(run, subject));
    }
    let has_grpc = |row: &Row<'_>| {
        run.find(GRPC, row.scenario, row.lane, row.threads)
            .is_some()
    };
    let _ = write!(
        text,
        "{}",
        columns.table(report.rows().into_iter().filter(has_grpc))
    );
    let _ = writeln!(
        text,
        "* Without peers: {}",
        escape(&report.catalogue.peers.otherwise)
    );
    for (host, why) in &report.catalogue.grpc.without {
        let _ = writeln!(text, "* Without gRPC: `{host}`. {}", escape(why));
    }
    text
}

/// The machines, and the rows that several of them have.
fn systems(report: &Report<'_>) -> String {
    let mut text = format!("# Systems\n\n{WRITTEN}");
    for (label, run) in &report.runs {
        let machine = &run.machine;
        let gigabytes = machine.memory_bytes as f64 / f64::from(1 << 30);
        let modified = if run.modified { ", modified" } else { "" };
        let _ = write!(
            text,
            "## {label}\n\n* {}, {} cores, {gigabytes:.1} GB; {}\n* Commit `{}`{modified}, begun {}, {} measures\n",
            machine.cpu,
            machine.cores,
            escape(&machine.os),
            run.commit,
            run.began,
            run.measures.len()
        );
        let tools: Vec<String> = run
            .tools
            .iter()
            .map(|(name, it)| format!("{name} {it}"))
            .collect();
        let _ = writeln!(text, "* Tools: {}", escape(&tools.join(", ")));
        for (harness, words) in &run.method {
            let _ = writeln!(text, "* Method of {harness}: {}", escape(words));
        }
        for (what, why) in &run.missing {
            let _ = writeln!(text, "* Missing, {what}: {}", escape(why));
        }
        text.push('\n');
    }
    let Some(((first, main), others)) = report.runs.split_first() else {
        return text;
    };
    if others.is_empty() {
        return text;
    }
    let mut columns = report.names();
    for (label, run) in &report.runs {
        columns = columns
            .figure(label, |row| row.time(run))
            .figure(format!("{label}: ratio"), |row| row.over_floor(run));
    }
    for (label, run) in others {
        columns = columns.figure(format!("{label} / {first}"), |row| {
            ratio(row.ours(run)?.median(), row.ours(main)?.median()).map(times)
        });
    }
    let several = |row: &Row<'_>| others.iter().any(|(_, run)| row.ours(run).is_some());
    let table = columns.table(report.rows().into_iter().filter(several));
    let _ = write!(
        text,
        "## Compared\n\nThe ratio is to the bare call on the same system. A run under Wine isn't evidence for Windows.\n\n{table}"
    );
    text
}

/// What each scenario is.
fn scenarios(catalogue: &Catalogue) -> String {
    let mut text = "# Scenarios\n\n\
         Generated by `cargo xtask regen` from [`benches/catalogue.toml`](../../benches/catalogue.toml). \
         A variant, after a comma, does the work of its scenario.\n\n"
        .to_owned();
    for group in &catalogue.groups {
        let _ = write!(
            text,
            "## {}\n\n{}\n\n",
            group.title,
            escape(&format!(
                "{}{}",
                group.about,
                reasons(None, group.no_grpc.as_deref(), group.no_direct.as_deref())
            ))
        );
        let entries = catalogue
            .entries
            .iter()
            .filter(|entry| entry.group == group.name);
        for entry in entries {
            let work = match entry.variant {
                Some(_) => "",
                None => &format!("{}. ", entry.work),
            };
            let unit = match entry.unit.as_str() {
                "1 call" => "",
                unit => &format!(" One operation is {unit}."),
            };
            let who = &entry.who;
            let [floor, grpc, direct] = [&who.no_floor, &who.no_grpc, &who.no_direct];
            let reasons = reasons(floor.as_deref(), grpc.as_deref(), direct.as_deref());
            let timed = format!("{work}Timed: {}.{unit}{reasons}", entry.timed);
            let _ = writeln!(text, "* `{}`: {}", entry.name, escape(&timed));
        }
        text.push('\n');
    }
    text
}

/// The reasons of subjects that aren't measured.
fn reasons(floor: Option<&str>, grpc: Option<&str>, direct: Option<&str>) -> String {
    let mut text = String::new();
    for (subject, why) in [
        ("bare call", floor),
        ("gRPC", grpc),
        ("direct call", direct),
    ] {
        if let Some(why) = why {
            let _ = write!(text, " Without {subject}: {why}");
        }
    }
    text
}
