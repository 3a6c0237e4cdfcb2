//! The languages in order of what a call costs them.

use super::facts::{Facts, Seen, timed};
use super::model::{Cell, Section, Table, Tone};
use super::names::{BINARY, ECHO, LATENCY};
use crate::catalogue::Lane;
use crate::charts::{Bar, Bars, Chart, Role};

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("ranking", "Languages side by side");
    section.text(
        "What one call costs from each language, the fastest first: a struct of 76 bytes answered by one of 80 \
         (`bench.small 76/80`), a JSON text of 13 letters echoed by a prepared method (`json echo 13 B`), and the founding \
         tables' JSON call by name (`A json latency`).",
    );
    for seen in &facts.runs {
        let chart = |scenario: &str, what: &str| {
            let bars = facts.lanes().filter_map(|lane| {
                let ours = seen.ours(scenario, lane, 1)?;
                Some(Bar {
                    label: facts.title(lane),
                    ns: ours.median(),
                    role: Role::Ours,
                })
            });
            Chart::bars(
                format!("{what}, {}", seen.label),
                Bars::ranking(bars.collect()),
            )
        };
        section.charts(vec![chart(BINARY, "Binary"), chart(ECHO, "JSON")]);
    }
    for seen in &facts.runs {
        section.table(table(facts, seen));
    }
    section
}

fn table(facts: &Facts<'_>, seen: &Seen<'_>) -> Table {
    let columns = [
        "Language",
        "Binary",
        "Fastest way",
        "JSON echo",
        "JSON by name",
    ];
    let mut table = Table::new(
        format!("Ranking by the binary call, {}", seen.label),
        &columns,
    );
    let mut lanes: Vec<&Lane> = facts.lanes().collect();
    let median = |lane: &Lane| {
        seen.ours(BINARY, lane, 1)
            .map_or(f64::INFINITY, |ours| ours.median())
    };
    // Stable, so lanes without a figure keep the catalogue's order at the end.
    lanes.sort_by(|a, b| median(a).total_cmp(&median(b)));
    for (place, lane) in lanes.into_iter().enumerate() {
        let tone = if place == 0 && median(lane).is_finite() {
            Tone::Best
        } else {
            Tone::Plain
        };
        let cells = vec![
            Cell::text(facts.title(lane)).tone(tone),
            facts.ours(&mut table, seen, BINARY, lane, 1),
            fastest(facts, &mut table, seen, lane),
            facts.ours(&mut table, seen, ECHO, lane, 1),
            facts.ours(&mut table, seen, LATENCY, lane, 1),
        ];
        table.row(cells);
    }
    table
}

/// The variant that costs least, where there is a choice.
fn fastest(facts: &Facts<'_>, table: &mut Table, seen: &Seen<'_>, lane: &Lane) -> Cell {
    let entries = facts.variants(BINARY);
    let all = entries.filter_map(|entry| Some((entry, seen.ours(&entry.name, lane, 1)?)));
    match all.min_by(|(_, a), (_, b)| a.median().total_cmp(&b.median())) {
        Some((entry, ours)) => timed(ours).under(entry.variant.clone().unwrap_or_default()),
        None => table.empty(&facts.why_not(seen, BINARY, lane, 1)),
    }
}
