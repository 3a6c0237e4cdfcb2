//! Percentiles of operations that were timed one by one.

use super::facts::{Facts, Seen, timed};
use super::model::{Cell, Section, Table};
use crate::results::{Measure, Single};
use crate::words;

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("tails", "Single calls: percentiles");
    section.text(
        "Each operation is timed by itself, so the clock's own time is in every figure: it's shown beside them, and where it's as large \
         as the call the median says more about the clock. The other tables' figures come from many operations at once.",
    );
    for seen in &facts.runs {
        section.table(table(facts, seen));
    }
    if section.blocks.len() == 1 {
        section.blocks.clear();
    }
    section
}

/// The gRPC kind with the lowest median of single calls.
fn best_grpc<'a>(seen: &Seen<'a>, scenario: &str, host: &str) -> Option<(&'a Measure, Single)> {
    let kinds = seen.grpc_kinds().iter();
    let all = kinds.filter_map(|kind| {
        let measure = seen.get(scenario, host, "", kind, 1)?;
        Some((measure, measure.single?))
    });
    all.min_by(|(_, a), (_, b)| a.p50.total_cmp(&b.p50))
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>) -> Table {
    let columns = [
        "Scenario", "Language", "p50", "p90", "p99", "p99.9", "Clock", "gRPC p50", "gRPC p99",
    ];
    let mut table = Table::new(
        format!("Percentiles of single calls, {}", seen.label),
        &columns,
    )
    .with_words(&[1]);
    for entry in &facts.catalogue.entries {
        for lane in facts.lanes() {
            let Some(ours) = seen.ours(&entry.name, lane, 1) else {
                continue;
            };
            let Some(single) = ours.single else {
                if entry.who.single {
                    let mut cells = vec![
                        Cell::code(&entry.name),
                        Cell::text(facts.title(lane)),
                        timed(ours),
                    ];
                    cells[2] = table.empty("This run timed no single operations here.");
                    cells.resize(columns.len(), Cell::default());
                    table.row(cells);
                }
                continue;
            };
            let mut cells = vec![Cell::code(&entry.name), Cell::text(facts.title(lane))];
            let count = format!("{} operations", words::count(single.count));
            for value in [
                single.p50,
                single.p90,
                single.p99,
                single.p999,
                single.clock,
            ] {
                cells.push(Cell {
                    title: count.clone(),
                    ..Cell::text(words::time(value))
                });
            }
            match best_grpc(seen, &entry.name, &lane.host) {
                Some((measure, single)) => {
                    let kind = measure.subject.trim_start_matches("grpc ");
                    cells.push(Cell::text(words::time(single.p50)).under(kind));
                    cells.push(Cell::text(words::time(single.p99)));
                }
                None => {
                    let why = facts.no_grpc(seen, &entry.name, &lane.host);
                    cells.push(table.empty(&why));
                    cells.push(table.empty(&why));
                }
            }
            table.row(cells);
        }
    }
    table
}
