//! What a reader should know who reads nothing else.

use super::budgets::{judged, tally};
use super::facts::{Facts, Seen, is_wine, timed};
use super::grpc::{beside, factors};
use super::model::{Card, Cell, Section, Table};
use super::names::{BINARY, DRAWN, ECHO, SAME_AS_JSON};
use super::{floors, platforms, predecessor};
use crate::catalogue::Lane;
use crate::results::quantile;
use crate::{Measure, words};

/// The figures of the first run, large.
pub(super) fn cards(facts: &Facts<'_>) -> Vec<Card> {
    let Some(seen) = facts.runs.first() else {
        return Vec::new();
    };
    let mut cards = Vec::new();
    let mut card =
        |figure: String, about: String, bad: bool| cards.push(Card { figure, about, bad });
    for (scenario, what) in [
        (BINARY, "a struct of 76 bytes, answered by one of 80"),
        (ECHO, "a JSON echo"),
    ] {
        if let Some((lane, best)) = fastest(facts, seen, scenario) {
            let about = format!(
                "the cheapest call of all languages: {what}, from {}",
                facts.title(lane)
            );
            card(words::time(best.median()), about, false);
        }
    }
    let ratios: Vec<f64> = floors::ratios(facts, seen, None)
        .into_iter()
        .map(|(_, ratio)| ratio)
        .collect();
    if !ratios.is_empty() {
        let about = format!(
            "the hand-written call's time, the middle of {} rows",
            ratios.len()
        );
        card(words::times(quantile(&ratios, 0.5)), about, false);
    }
    let grpc: Vec<f64> = factors(facts, seen)
        .into_iter()
        .map(|(_, _, factor)| factor)
        .collect();
    if !grpc.is_empty() {
        let about = format!(
            "our time is what the fastest gRPC takes on this machine for the same work, the middle of {} rows",
            grpc.len()
        );
        card(words::times(quantile(&grpc, 0.5)), about, false);
    }
    let before = predecessor::factors(facts, seen);
    if !before.is_empty() {
        let about = format!(
            "our time is what the predecessor takes for the same work, the middle of {} rows",
            before.len()
        );
        card(words::times(quantile(&before, 0.5)), about, false);
    }
    let judged = judged(facts, seen);
    if !judged.is_empty() {
        let over = tally(&judged)[1];
        card(
            format!("{over} of {}", judged.len()),
            "figures over their budget".into(),
            over > 0,
        );
    }
    cards
}

fn fastest<'a>(
    facts: &Facts<'a>,
    seen: &Seen<'a>,
    scenario: &str,
) -> Option<(&'a Lane, &'a Measure)> {
    let all = facts
        .lanes()
        .filter_map(|lane| Some((lane, seen.ours(scenario, lane, 1)?)));
    all.min_by(|(_, a), (_, b)| a.median().total_cmp(&b.median()))
}

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("summary", "In short");
    if let Some(first) = facts.runs.first() {
        let machine = &first.run.machine;
        section.text(format!(
            "The figures above are those of {}: {}, {} cores, commit `{}`, {}.",
            first.label, machine.cpu, machine.cores, first.run.commit, first.run.began
        ));
    } else {
        section.text("No run was given, so there is nothing to report.");
        return section;
    }
    if let Some(first) = facts.runs.first() {
        let drawn = DRAWN.iter().take(2);
        section.charts(
            drawn
                .map(|scenario| beside(facts, first, scenario))
                .collect(),
        );
    }
    section.table(match &facts.runs[..] {
        [alone] => self::alone(facts, alone),
        _ => table(facts),
    });
    section
}

/// The encodings that are shown: what they're called, and their scenario.
const ENCODINGS: [(&str, &str); 3] = [
    ("binary", BINARY),
    ("JSON, same work", SAME_AS_JSON),
    ("JSON echo", ECHO),
];

/// One run needs no column for its platform, so each encoding has one.
fn alone(facts: &Facts<'_>, seen: &Seen<'_>) -> Table {
    let columns = [
        "Language",
        "Binary",
        "JSON, same work",
        "JSON echo",
        "gRPC, echo",
    ];
    let mut table = Table::new(format!("One call, {}", seen.label), &columns);
    for lane in facts.lanes_of(BINARY) {
        let mut cells = vec![Cell::text(facts.title(lane))];
        for (_, scenario) in ENCODINGS {
            cells.push(beside_floor(facts, &mut table, seen, scenario, lane));
        }
        cells.push(match seen.best_grpc(ECHO, &lane.host) {
            Some(grpc) => timed(grpc),
            None => table.empty(&facts.no_grpc(seen, ECHO, &lane.host)),
        });
        table.row(cells);
    }
    table
}

/// A time, and below it how many times the floor that is.
fn beside_floor(
    facts: &Facts<'_>,
    table: &mut Table,
    seen: &Seen<'_>,
    scenario: &str,
    lane: &Lane,
) -> Cell {
    let ours = seen.ours(scenario, lane, 1);
    let ratio = ours.and_then(|ours| seen.floor_ratio(ours));
    let under = ratio.map(|ratio| format!("{} floor", words::times(ratio)));
    facts
        .ours(table, seen, scenario, lane, 1)
        .under(under.unwrap_or_default())
}

/// The founding document's summary: every language, both encodings, every platform.
fn table(facts: &Facts<'_>) -> Table {
    let real: Vec<&Seen<'_>> = facts
        .runs
        .iter()
        .filter(|seen| !is_wine(seen.run))
        .take(2)
        .collect();
    let labels = facts.runs.iter().map(|seen| seen.label.as_str());
    let mut columns: Vec<&str> = ["Language", "Encoding"].into_iter().chain(labels).collect();
    let two = real.len() == 2;
    if two {
        columns.extend(["Difference", "Winner"]);
    }
    let mut wordy = vec![1];
    wordy.extend(two.then(|| columns.len() - 1));
    let caption = if two {
        format!(
            "One call; the difference is that of {} to {}",
            real[1].label, real[0].label
        )
    } else {
        "One call".into()
    };
    let mut table = Table::new(caption, &columns).with_words(&wordy);
    for lane in facts.lanes_of(BINARY) {
        for (what, scenario) in ENCODINGS {
            let mut cells = vec![Cell::text(facts.title(lane)), Cell::text(what)];
            for seen in &facts.runs {
                cells.push(beside_floor(facts, &mut table, seen, scenario, lane));
            }
            if let [one, other] = real[..] {
                let (ours, theirs) = (one.ours(scenario, lane, 1), other.ours(scenario, lane, 1));
                cells.extend(platforms::verdict(&mut table, (one, ours), (other, theirs)));
            }
            table.row(cells);
        }
    }
    table
}
