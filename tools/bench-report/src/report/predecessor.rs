//! Ours against the framework whose tables this project started from.

use super::facts::{Facts, Seen, timed};
use super::java::lane;
use super::model::{Cell, Section, Table};
use crate::words;

/// How many times as long the predecessor takes, for each of its figures that the run has a counterpart to.
pub(super) fn factors(facts: &Facts<'_>, seen: &Seen<'_>) -> Vec<f64> {
    let rows = facts.predecessor.rows.iter();
    let factors = rows.filter_map(|before| {
        let ours = seen.ours(&before.scenario, &lane(&before.host, &before.transport), 1)?;
        words::ratio(before.ns, ours.median())
    });
    factors.collect()
}

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("predecessor", "Against the predecessor");
    let before = facts.predecessor;
    section.text(format!(
        "{} On a {}: {}.",
        before.about, before.machine, before.source
    ));
    for seen in &facts.runs {
        let columns = [
            "Scenario",
            "Language",
            "Predecessor",
            "Ours",
            "Times faster",
        ];
        let mut table = Table::new(
            format!("The predecessor and ours, {}", seen.label),
            &columns,
        )
        .with_words(&[1]);
        for row in &before.rows {
            let own = lane(&row.host, &row.transport);
            let mut old = Cell::text(words::time(row.ns));
            if row.published {
                old = old
                    .noted(table.note(&format!("From its own tables, on {}.", before.published)));
            }
            let ours = seen.ours(&row.scenario, &own, 1);
            let factor = ours.and_then(|ours| words::ratio(row.ns, ours.median()));
            let figure = match ours {
                Some(ours) => timed(ours),
                None => table.empty(&facts.why_not(seen, &row.scenario, &own, 1)),
            };
            let factor = match factor {
                Some(factor) => Cell::text(words::times(factor)),
                None => table.empty("Ours wasn't measured in this run."),
            };
            table.row(vec![
                Cell::code(&row.scenario),
                Cell::text(facts.title(&own)),
                old,
                figure,
                factor,
            ]);
        }
        section.table(table);
    }
    if section.blocks.len() == 1 {
        section.blocks.clear();
    }
    section
}
