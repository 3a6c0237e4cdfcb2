//! What a call allocates on the host's heap.

use super::facts::{Facts, Seen};
use super::model::{Cell, Section, Table, Tone};
use crate::catalogue::Lane;
use crate::{Measure, words};

/// What one of ours allocates, or that nobody counted.
pub(super) fn allocated(table: &mut Table, ours: &Measure) -> Cell {
    match ours.alloc_bytes {
        Some(count) => Cell::text(words::bytes(count)),
        None => table.empty("This harness doesn't count allocations."),
    }
}

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("allocations", "Allocations");
    for seen in &facts.runs {
        section.table(table(facts, seen));
    }
    if !section.is_empty() {
        let about = "Bytes that one operation allocates on the host's heap, as JMH and BenchmarkDotNet count them. Below it, what the \
                     predecessor allocated for the same work, where that's known.";
        section
            .blocks
            .insert(0, super::model::Block::Text(about.into()));
    }
    section
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>) -> Table {
    let counts = |lane: &Lane| {
        let all = &facts.catalogue.entries;
        all.iter().any(|entry| {
            seen.ours(&entry.name, lane, 1)
                .is_some_and(|ours| ours.alloc_bytes.is_some())
        })
    };
    let lanes: Vec<&Lane> = facts.lanes().filter(|lane| counts(lane)).collect();
    let titles: Vec<String> = lanes.iter().map(|lane| facts.title(lane)).collect();
    let columns: Vec<&str> = ["Scenario"]
        .into_iter()
        .chain(titles.iter().map(String::as_str))
        .collect();
    let mut table = Table::new(
        format!("Allocated by one operation, {}", seen.label),
        &columns,
    );
    for entry in &facts.catalogue.entries {
        let mut cells = vec![Cell::code(&entry.name)];
        for lane in &lanes {
            let Some(ours) = seen.ours(&entry.name, lane, 1) else {
                cells.push(table.empty(&facts.why_not(seen, &entry.name, lane, 1)));
                continue;
            };
            let before = facts
                .predecessor
                .find(&entry.name, &lane.host, &lane.transport);
            let before = before.and_then(|before| before.alloc_bytes);
            let mut cell = allocated(&mut table, ours);
            if ours.alloc_bytes.is_some_and(|count| count.round() == 0.0) {
                cell = cell.tone(Tone::Good);
            }
            cells.push(
                cell.under(
                    before
                        .map(|count| format!("before: {}", words::bytes(count)))
                        .unwrap_or_default(),
                ),
            );
        }
        table.row_unless_empty(cells);
    }
    table
}
