//! The founding tables, a part for each lane: latency, throughput, concurrency, payloads.

use super::facts::{Facts, Seen, spread};
use super::memory::allocated;
use super::model::{Cell, Section, Table, id};
use super::names::{
    BINARY, CONCURRENT, ECHO, LATENCY, LATENCY_OBJECTS, OBJECTS, PAYLOADS, SAME_AS_JSON, THREADS,
    THROUGHPUT,
};
use super::threads::{rate, rated};
use crate::catalogue::Lane;
use crate::words;

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("languages", "Language by language");
    for lane in facts.lanes() {
        let title = facts.title(lane);
        let mut part = Section::new(format!("language-{}", id(&lane.to_string())), title.clone());
        for seen in &facts.runs {
            if !seen
                .run
                .measures
                .iter()
                .any(|measure| super::facts::lane(measure) == *lane)
            {
                part.text(format!(
                    "{}: {}",
                    seen.label,
                    seen.missing(&[&lane.to_string(), &lane.host])
                ));
                continue;
            }
            part.table(latency(facts, seen, lane));
            part.table(throughput(facts, seen, lane));
            part.table(tasks(facts, seen, lane));
            part.table(threads(facts, seen, lane));
            part.table(payloads(facts, seen, lane));
        }
        section.part(part);
    }
    section
}

fn latency(facts: &Facts<'_>, seen: &Seen<'_>, lane: &Lane) -> Table {
    let columns = [
        "Call",
        "Median",
        "Middle half",
        "Of JSON by name",
        "Times the floor",
        "Allocated",
    ];
    let mut table = Table::new(
        format!("{}: latency, {}", facts.title(lane), seen.label),
        &columns,
    );
    let json = seen.ours(LATENCY, lane, 1);
    let text = [LATENCY, LATENCY_OBJECTS, ECHO, OBJECTS, SAME_AS_JSON].map(str::to_owned);
    let names = text
        .into_iter()
        .chain(facts.variants(BINARY).map(|entry| entry.name.clone()));
    for name in names {
        // What this lane has no way to do is told where all scenarios are.
        let Some(ours) = seen.ours(&name, lane, 1) else {
            continue;
        };
        let share = json.and_then(|json| words::ratio(ours.median(), json.median()));
        let share = match share {
            Some(share) => Cell::text(format!("{share:.2}")),
            None => table.empty("`A json latency` is missing in this run."),
        };
        let cells = vec![
            Cell::code(&name),
            facts.ours(&mut table, seen, &name, lane, 1),
            Cell::text(spread(ours)),
            share,
            facts.over_floor(&mut table, seen, &name, lane, 1),
            allocated(&mut table, ours),
        ];
        table.row(cells);
    }
    table
}

fn throughput(facts: &Facts<'_>, seen: &Seen<'_>, lane: &Lane) -> Table {
    let columns = [
        "A thousand calls in a loop",
        "Calls a second",
        "One call",
        "Middle half",
        "Allocated",
    ];
    let mut table = Table::new(
        format!("{}: throughput, {}", facts.title(lane), seen.label),
        &columns,
    );
    for (what, name) in [("Binary", THROUGHPUT.binary), ("JSON", THROUGHPUT.json)] {
        let cells = match seen.ours(name, lane, 1) {
            Some(ours) => vec![
                Cell::text(what),
                rated(&mut table, ours),
                facts.ours(&mut table, seen, name, lane, 1),
                Cell::text(spread(ours)),
                allocated(&mut table, ours),
            ],
            None => {
                let why = facts.why_not(seen, name, lane, 1);
                let empty = || Cell::text("");
                vec![
                    Cell::text(what),
                    table.empty(&why),
                    empty(),
                    empty(),
                    empty(),
                ]
            }
        };
        table.row(cells);
    }
    let both = (
        seen.ours(THROUGHPUT.binary, lane, 1),
        seen.ours(THROUGHPUT.json, lane, 1),
    );
    if let (Some(binary), Some(json)) = both
        && let Some(ratio) = words::ratio(json.median(), binary.median())
    {
        let mut cells = vec![Cell::text("Binary / JSON"), Cell::text(words::times(ratio))];
        cells.resize(columns.len(), Cell::default());
        table.row(cells);
    }
    table
}

fn tasks(facts: &Facts<'_>, seen: &Seen<'_>, lane: &Lane) -> Table {
    let columns = [
        "A hundred tasks at once",
        "All of them",
        "Middle half",
        "Times the floor",
        "Allocated",
    ];
    let mut table = Table::new(
        format!("{}: a hundred tasks, {}", facts.title(lane), seen.label),
        &columns,
    );
    for (what, name) in [("Binary", CONCURRENT.binary), ("JSON", CONCURRENT.json)] {
        let Some(ours) = seen.ours(name, lane, 1) else {
            continue;
        };
        let cells = vec![
            Cell::text(what),
            facts.ours(&mut table, seen, name, lane, 1),
            Cell::text(spread(ours)),
            facts.over_floor(&mut table, seen, name, lane, 1),
            allocated(&mut table, ours),
        ];
        table.row(cells);
    }
    table
}

fn threads(facts: &Facts<'_>, seen: &Seen<'_>, lane: &Lane) -> Table {
    let columns = [
        "Threads",
        "Binary, calls a second",
        "JSON, calls a second",
        "Binary / JSON",
    ];
    let mut table = Table::new(
        format!("{}: threads, {}", facts.title(lane), seen.label),
        &columns,
    );
    for count in THREADS {
        let both = [BINARY, ECHO].map(|scenario| seen.ours(scenario, lane, count));
        if both.iter().all(Option::is_none) {
            continue;
        }
        let mut cells = vec![Cell::text(count.to_string())];
        for (scenario, ours) in [BINARY, ECHO].into_iter().zip(both) {
            cells.push(match ours {
                Some(ours) => rated(&mut table, ours),
                None => table.empty(&facts.why_not(seen, scenario, lane, count)),
            });
        }
        let [binary, json] = both;
        let ratio = binary
            .zip(json)
            .and_then(|(binary, json)| words::ratio(rate(binary), rate(json)));
        cells.push(match ratio {
            Some(ratio) => Cell::text(words::times(ratio)),
            None => table.empty("One of the two figures is missing."),
        });
        table.row(cells);
    }
    table
}

fn payloads(facts: &Facts<'_>, seen: &Seen<'_>, lane: &Lane) -> Table {
    let columns = ["Work", "Median", "Middle half", "A second"];
    let mut table = Table::new(
        format!(
            "{}: payloads and lifecycle, {}",
            facts.title(lane),
            seen.label
        ),
        &columns,
    );
    for name in PAYLOADS {
        let Some(entry) = facts.catalogue.entry(name) else {
            continue;
        };
        let Some(ours) = seen.ours(name, lane, 1) else {
            continue;
        };
        let title = match entry.unit.as_str() {
            "1 call" => Cell::code(name),
            unit => Cell::code(name).under(unit),
        };
        let cells = vec![
            title,
            facts.ours(&mut table, seen, name, lane, 1),
            Cell::text(spread(ours)),
            rated(&mut table, ours),
        ];
        table.row(cells);
    }
    table
}
