//! What more threads bring.

use super::facts::{Facts, Seen};
use super::model::{Cell, Section, Table, Tone};
use super::names::{ADD, BINARY, ECHO, EMPTY, THREADS};
use crate::catalogue::Lane;
use crate::charts::{Chart, Line, Lines};
use crate::{Measure, words};

/// Operations a second of all threads together.
pub(super) fn rate(measure: &Measure) -> f64 {
    f64::from(measure.threads) * 1e9 / measure.median()
}

/// The same as a cell.
pub(super) fn rated(table: &mut Table, measure: &Measure) -> Cell {
    let rate = rate(measure);
    if rate.is_finite() {
        Cell::text(words::rate(rate))
    } else {
        table.empty("It takes no time that could be measured.")
    }
}

/// Threads, and how many times the calls of one thread they make together.
pub(super) fn scaling(seen: &Seen<'_>, scenario: &str, lane: &Lane) -> Vec<(u32, f64)> {
    let Some(one) = seen.ours(scenario, lane, 1) else {
        return Vec::new();
    };
    let factor = |threads| {
        let measure = seen.ours(scenario, lane, threads)?;
        Some((threads, words::ratio(rate(measure), rate(one))?))
    };
    THREADS.into_iter().filter_map(factor).collect()
}

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("threads", "Scaling over threads");
    section.text(
        "All threads call one instance. Below the calls a second of all of them together stands how many times one thread's that is. \
         A machine scales no further than it has cores.",
    );
    for seen in &facts.runs {
        let chart = |scenario: &str, what: &str| {
            let lines = facts.lanes().map(|lane| Line {
                label: facts.title(lane),
                points: scaling(seen, scenario, lane),
            });
            let lines = lines.filter(|line| line.points.len() > 1).collect();
            let cores = seen.run.machine.cores;
            Chart::lines(
                format!("{what}, {}, {cores} cores", seen.label),
                Lines { lines },
            )
        };
        section.charts(vec![chart(BINARY, "Binary"), chart(ECHO, "JSON")]);
        for (scenario, what) in [
            (BINARY, "Binary"),
            (ECHO, "JSON"),
            (EMPTY, "No work"),
            (ADD, "An addition"),
        ] {
            section.table(table(facts, seen, scenario, what));
        }
    }
    if section.blocks.len() == 1 {
        section.blocks.clear();
    }
    section
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>, scenario: &str, what: &str) -> Table {
    let titles = THREADS.map(|threads| match threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    });
    let columns: Vec<&str> = ["Language"]
        .into_iter()
        .chain(titles.iter().map(String::as_str))
        .collect();
    let mut table = Table::new(
        format!("{what} (`{scenario}`), calls a second, {}", seen.label),
        &columns,
    );
    let entry = facts.catalogue.entry(scenario);
    let promised = |lane: &&Lane| entry.is_some_and(|entry| entry.who.threads.contains_key(lane));
    for lane in facts.lanes().filter(promised) {
        let factors = scaling(seen, scenario, lane);
        let mut cells = vec![Cell::text(facts.title(lane))];
        for threads in THREADS {
            let Some(ours) = seen.ours(scenario, lane, threads) else {
                cells.push(table.empty(&facts.why_not(seen, scenario, lane, threads)));
                continue;
            };
            let factor = factors
                .iter()
                .find(|(count, _)| *count == threads && threads > 1);
            let under = factor
                .map(|(_, factor)| words::times(*factor))
                .unwrap_or_default();
            // Fewer calls than one thread makes: more threads are in each other's way.
            let tone = if factor.is_some_and(|(_, factor)| *factor < 1.0) {
                Tone::Bad
            } else {
                Tone::Plain
            };
            cells.push(rated(&mut table, ours).under(under).tone(tone));
        }
        table.row_unless_empty(cells);
    }
    // With one thread only there's nothing to see of it here.
    let threaded = entry.is_some_and(|entry| !entry.who.grpc_threads.is_empty());
    for host in facts.catalogue.grpc.hosts.iter().filter(|_| threaded) {
        let one = best_grpc(seen, scenario, host, 1).map(rate);
        let mut cells = vec![Cell::text(format!("gRPC, client in {host}"))];
        for threads in THREADS {
            let Some(grpc) = best_grpc(seen, scenario, host, threads) else {
                cells.push(table.empty(&facts.no_grpc(seen, scenario, host)));
                continue;
            };
            let factor = one.and_then(|one| words::ratio(rate(grpc), one));
            let factor = factor.filter(|_| threads > 1).map(words::times);
            cells.push(rated(&mut table, grpc).under(factor.unwrap_or_default()));
        }
        table.row_unless_empty(cells);
    }
    table
}

/// The kind of gRPC that answers most calls with so many threads.
fn best_grpc<'a>(seen: &Seen<'a>, scenario: &str, host: &str, threads: u32) -> Option<&'a Measure> {
    let kinds = seen.grpc_kinds().iter();
    let all = kinds.filter_map(|kind| seen.get(scenario, host, "", kind, threads));
    all.min_by(|a, b| a.median().total_cmp(&b.median()))
}
