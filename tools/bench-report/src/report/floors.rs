//! Ours against the hand-written call, and against a call from Rust to Rust.

use super::facts::{Facts, Seen, sentence, timed};
use super::model::{Cell, Section, Table};
use crate::catalogue::Lane;
use crate::results::quantile;
use crate::{Measure, words};

/// Of every measure of ours that has a floor, how many times it takes.
pub(super) fn ratios<'a>(
    facts: &Facts<'a>,
    seen: &Seen<'a>,
    lane: Option<&Lane>,
) -> Vec<(&'a Measure, f64)> {
    let all = seen.all_ours(facts.catalogue).into_iter();
    let all = all.filter(|ours| {
        lane.is_none_or(|lane| lane.host == ours.host && lane.transport == ours.transport)
    });
    all.filter_map(|ours| Some((ours, seen.floor_ratio(ours)?)))
        .collect()
}

/// A row as a reader names it.
fn named(measure: &Measure) -> String {
    match measure.threads {
        1 => format!("`{}`", measure.scenario),
        threads => format!("`{}`, {threads} threads", measure.scenario),
    }
}

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("floors", "Against the floor");
    section.text(
        "How many times the hand-written call ours takes, over all rows of a lane that have a floor: the middle one, the quarter \
         points, the best and the worst. The tables of every scenario below show each ratio.",
    );
    for seen in &facts.runs {
        let columns = [
            "Language",
            "Rows",
            "Middle",
            "Half lie between",
            "Best",
            "Worst",
        ];
        let mut table = Table::new(format!("Ratios to the floor, {}", seen.label), &columns);
        for lane in facts.lanes() {
            let ratios = ratios(facts, seen, Some(lane));
            let values: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
            let extreme = |best: bool| {
                let order = |a: &&(&Measure, f64), b: &&(&Measure, f64)| a.1.total_cmp(&b.1);
                let found = if best {
                    ratios.iter().min_by(order)
                } else {
                    ratios.iter().max_by(order)
                };
                found
                    .map(|(ours, ratio)| Cell::text(words::times(*ratio)).under(named(ours)))
                    .unwrap_or_default()
            };
            if values.is_empty() {
                continue;
            }
            let [low, middle, high] =
                [0.25, 0.5, 0.75].map(|share| words::times(quantile(&values, share)));
            table.row(vec![
                Cell::text(facts.title(lane)),
                Cell::text(values.len().to_string()),
                Cell::text(middle),
                Cell::text(format!("{low}–{high}")),
                extreme(true),
                extreme(false),
            ]);
        }
        section.table(table);
    }
    if section.blocks.len() == 1 {
        section.blocks.clear();
    }
    section
}

/// The chapter of the boundary's price over a function call.
pub(super) fn direct(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("direct", "Against a direct call in Rust");
    section.text(
        "The same work as a plain function call from Rust to Rust, which no boundary can reach: what the boundary and the \
         encoding add to it. Below each time stands how many times the direct call that is.",
    );
    for seen in &facts.runs {
        let titles: Vec<String> = facts.lanes().map(|lane| facts.title(lane)).collect();
        let columns: Vec<&str> = ["Scenario", "Direct"]
            .into_iter()
            .chain(titles.iter().map(String::as_str))
            .collect();
        let mut table = Table::new(format!("Direct calls and ours, {}", seen.label), &columns);
        for entry in &facts.catalogue.entries {
            let Some(direct) = seen.direct(&entry.name) else {
                continue;
            };
            let mut cells = vec![Cell::code(&entry.name), timed(direct)];
            for lane in facts.lanes() {
                let cell = facts.ours(&mut table, seen, &entry.name, lane, 1);
                let ours = seen.ours(&entry.name, lane, 1);
                let ratio = ours.and_then(|ours| words::ratio(ours.median(), direct.median()));
                cells.push(cell.under(ratio.map(words::times).unwrap_or_default()));
            }
            table.row(cells);
        }
        section.table(table);
    }
    if section.blocks.len() == 1 {
        section.blocks.clear();
    }
    section
}

/// Why a scenario has no direct call beside it.
pub(super) fn no_direct(
    facts: &Facts<'_>,
    seen: &Seen<'_>,
    entry: &crate::catalogue::Entry,
) -> String {
    match facts.catalogue.why_no_direct(entry) {
        Some(why) => sentence(why),
        None => seen.missing(&["direct", "rust"]),
    }
}
