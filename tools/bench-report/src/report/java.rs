//! Java's two backends, and the ways in which its fast one hands bytes over.

use super::facts::{Difference, Facts, Seen, difference};
use super::model::{Cell, Section, Table, Tone};
use super::names::{BINARY, BUILT, CONCURRENT, ECHO, LATENCY, LOAD, SAME_AS_JSON, THROUGHPUT};
use crate::catalogue::Lane;
use crate::words;

/// A lane of the catalogue.
pub(super) fn lane(host: &str, transport: &str) -> Lane {
    Lane {
        host: host.into(),
        transport: transport.into(),
    }
}

/// The rows on which two lanes of one language are compared.
const COMPARED: [(&str, u32); 13] = [
    (BINARY, 1),
    (BUILT, 1),
    (SAME_AS_JSON, 1),
    (ECHO, 1),
    (LATENCY, 1),
    (THROUGHPUT.binary, 1),
    (THROUGHPUT.json, 1),
    (CONCURRENT.binary, 1),
    (CONCURRENT.json, 1),
    (BINARY, 4),
    (ECHO, 4),
    ("json echo 100 KB", 1),
    (LOAD, 1),
];

pub(super) fn backends(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("jni-ffm", "Java: JNI against FFM");
    for seen in &facts.runs {
        section.table(against(
            facts,
            seen,
            &lane("java", "jni"),
            &lane("java", "ffm"),
        ));
    }
    section
}

/// Two lanes, row by row, with the difference and the winner.
pub(super) fn against(facts: &Facts<'_>, seen: &Seen<'_>, one: &Lane, other: &Lane) -> Table {
    let (first, second) = (facts.title(one), facts.title(other));
    let columns = [
        "Scenario",
        first.as_str(),
        second.as_str(),
        "Difference",
        "Winner",
    ];
    let mut table = Table::new(
        format!("{first} against {second}, {}", seen.label),
        &columns,
    )
    .with_words(&[4]);
    for (scenario, threads) in COMPARED {
        if facts.catalogue.entry(scenario).is_none() {
            continue;
        }
        let name = match threads {
            1 => Cell::code(scenario),
            threads => Cell::code(scenario).under(format!("{threads} threads")),
        };
        let measures = (
            seen.ours(scenario, one, threads),
            seen.ours(scenario, other, threads),
        );
        let (gap, winner) = match measures {
            (Some(a), Some(b)) => {
                let found = difference(b, a);
                let winner = match found {
                    Difference::None => String::new(),
                    Difference::Less(_) => second.clone(),
                    Difference::More(_) => first.clone(),
                };
                (found.cell(), Cell::text(winner).tone(Tone::Good))
            }
            _ => (
                table.empty("One of the two figures is missing."),
                Cell::text("").tone(Tone::Empty),
            ),
        };
        let cells = vec![
            name,
            facts.ours(&mut table, seen, scenario, one, threads),
            facts.ours(&mut table, seen, scenario, other, threads),
            gap,
            winner,
        ];
        table.row_unless_empty(cells);
    }
    table
}

pub(super) fn methods(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("ffm-methods", "Java FFM: which binary method?");
    section.text(
        "The founding tables' three ways to take a response, and ours beside them: as a new `byte[]` (the row without a variant), \
         in a `MemorySegment` or an array of the caller's, and as a lease, which leaves it with the plugin. The last column counts \
         from the slowest.",
    );
    let ffm = lane("java", "ffm");
    for seen in &facts.runs {
        let columns = [
            "Method",
            "Median",
            "Middle half",
            "Times the floor",
            "Allocated",
            "Less than the slowest",
        ];
        let mut table = Table::new(format!("`{BINARY}` by method, {}", seen.label), &columns);
        let mut all: Vec<_> = facts
            .variants(BINARY)
            .filter_map(|entry| Some((entry, seen.ours(&entry.name, &ffm, 1)?)))
            .collect();
        all.sort_by(|(_, a), (_, b)| a.median().total_cmp(&b.median()));
        let slowest = all.last().map(|(_, ours)| *ours);
        for (place, (entry, ours)) in all.iter().enumerate() {
            let gap = match slowest.map(|slowest| difference(ours, slowest)) {
                Some(Difference::Less(share)) => Cell::text(words::percent(-share)),
                _ => Cell::text(words::NOTHING),
            };
            let name = entry
                .variant
                .as_deref()
                .map_or(Cell::text("`byte[]` to new `byte[]`"), Cell::text);
            let cells = vec![
                name.tone(if place == 0 { Tone::Best } else { Tone::Plain }),
                facts.ours(&mut table, seen, &entry.name, &ffm, 1),
                Cell::text(super::facts::spread(ours)),
                facts.over_floor(&mut table, seen, &entry.name, &ffm, 1),
                super::memory::allocated(&mut table, ours),
                gap,
            ];
            table.row(cells);
        }
        section.table(table);
    }
    if section.blocks.len() == 1 {
        section.blocks.clear();
    }
    section
}
